"""What it costs to move: foot, tracks and wheels, roads, walls, hills, free hexes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.movement import barriers
from hexmarshal.rules.copying import quick
from hexmarshal.rules.verdict import Cost, CostPart

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.games.conflict_of_heroes.state.board import Board
    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.verdict import Violation

__all__ = ["MODES", "Leg", "Route", "by_road", "chained", "connected", "group_cost", "plan"]

MODES = ("normal", "cautious", "hidden")


@quick
@dataclass(frozen=True, slots=True)
class Leg:
    """One unit's way in a move action, with its price and all that is wrong with it.

    `obstacles` are hexes where a die adds to the cost; `risks` are those where the ground may hold
    the unit; a leg without a path only pivots.
    """

    unit: Unit
    path: tuple[str, ...]
    facing: int | None
    mode: str
    parts: tuple[CostPart, ...] = ()
    violations: tuple[Violation, ...] = ()
    obstacles: tuple[str, ...] = ()
    risks: tuple[str, ...] = ()
    occupy: bool = False
    fort: str = ""

    @property
    def cost(self) -> int:
        """What the unit would pay alone."""
        return sum(int(part.amount) for part in self.parts)


def plan(
    now: Situation,
    unit: Unit,
    path: tuple[str, ...],
    facing: int | None,
    mode: str = "normal",
    *,
    occupy: bool = False,
    fort: str = "",
    rapid: bool = False,
) -> Leg:
    """The way of one unit; `rapid` is the two hexes of card 05. Each is planned once."""
    planned: dict[object, Leg] = now.position.remember("ways planned", dict)
    # A unit put elsewhere, to see how far it could go on, is another one; the leg keeps it alive.
    key = (id(unit), path, facing, mode, occupy, fort, rapid)
    leg = planned.get(key)
    if leg is None:
        leg = planned[key] = _planned(
            now, unit, path, facing, mode, occupy=occupy, fort=fort, rapid=rapid
        )
    return leg


def _planned(
    now: Situation,
    unit: Unit,
    path: tuple[str, ...],
    facing: int | None,
    mode: str,
    *,
    occupy: bool,
    fort: str,
    rapid: bool,
) -> Leg:
    route = Route(now, unit, path, mode, rapid=rapid)
    return Leg(
        unit,
        path,
        facing,
        mode,
        tuple(route.parts()),
        tuple(barriers.objections(route, facing, occupy=occupy, fort=fort)),
        # COH-10.1a: who moves hidden minds no obstacle.
        () if mode == "hidden" else tuple(route.obstacles()),
        tuple(route.risks()),
        occupy,
        fort,
    )


def group_cost(legs: Sequence[Leg]) -> Cost:
    """COH-9.1.1a: the highest cost of a unit that moves; of pivots alone, that of one pivot."""
    movers = [leg for leg in legs if leg.path] or list(legs)
    dearest = max(movers, key=lambda leg: leg.cost)
    return Cost(dearest.parts, "AP")


def connected(now: Situation, units: Sequence[Unit]) -> bool:
    """COH-9.1a: whether a chain of same or adjacent hexes joins all the units."""
    cells = {now.cell(unit) for unit in units}
    return len(cells) == 1 if "" in cells else chained(now.board, cells)


def chained(board: Board, cells: set[str]) -> bool:
    """COH-9.1.1c: whether a chain of adjacent hexes leads through all of these."""
    first = next(iter(cells))
    found, edge = {first}, [first]
    while edge:
        for beside in board.neighbours[edge.pop()]:
            if beside in cells and beside not in found:
                found.add(beside)
                edge.append(beside)
    return found == cells


def by_road(board: Board, here: str, cell: str) -> bool:
    """COH-5.0.1a: along the road, hex to hex; reinforcements come in by the road."""
    return board.road(here, cell) if here else cell in board.road_hexes


class Route:
    """A unit's path, step by step: where it leads, and what each hex of it costs."""

    def __init__(
        self, now: Situation, unit: Unit, path: tuple[str, ...], mode: str, *, rapid: bool
    ) -> None:
        self.now, self.unit, self.path, self.mode, self.rapid = now, unit, path, mode, rapid
        self.counter = now.counter(unit)
        self.start = now.cell(unit)
        self.hit = now.hit(unit)
        self.rule = "COH-5.0a" if self.counter.foot else "COH-14.0a"
        self.backwards = self._backwards()

    # Where it leads

    def steps(self) -> Iterator[tuple[str, str]]:
        """Each hex entered, after the one that it is entered from."""
        here = self.start
        for cell in self.path:
            yield here, cell
            here = cell

    def touching(self, here: str, cell: str) -> bool:
        """Whether a step leads to the next hex; from off the map it leads anywhere."""
        return not here or self.now.board.direction(here, cell) is not None

    def _backwards(self) -> bool:
        """COH-5.2a: whether the first step goes into a flank hex."""
        if not self.start or not self.path or self.mode == "hidden" or self.rapid:
            return False
        facing = self.now.facing(self.unit)
        fort = self.now.fort(self.unit)
        if facing is None or self.now.hidden(self.unit):
            return False
        if fort is not None and fort.kind == "trench":
            return False  # COH-18.1.1b: men in a trench face every way.
        direction = self.now.board.direction(self.start, self.path[0])
        return direction is not None and (direction - facing) % 6 not in (0, 1, 5)

    def by_road(self, here: str, cell: str) -> bool:
        """Whether a step follows the road."""
        return by_road(self.now.board, here, cell)

    def climb(self, here: str, cell: str) -> int:
        """The levels that a step goes up; down it is below zero."""
        levels = self.now.board.levels
        return levels[cell] - levels[here] if here else 0

    def bonus_hex(self, here: str, cell: str) -> bool:
        """COH-14.1a: whether this hex gives, or takes, a free hex."""
        move_class = self.counter.move_class
        now = self.now
        if now.smoke(cell) >= 2 or now.work(cell, "trench") or now.work(cell, "wire"):
            return False  # COH-13.0b, COH-18.1.1a, COH-18.3.1c
        if self.by_road(here, cell):
            if move_class != "wheeled":
                return True
            # COH-14.2b: other vehicles are in the way of wheels.
            others = (u for u in now.at(cell) if u.id != self.unit.id and not u.carrier)
            return not any(now.counter(u).vehicle for u in others)
        return move_class in now.kind(cell).bonus

    def obstacles(self) -> Iterator[str]:
        """COH-18.3.1a, COH-18.3.2a: the hexes whose obstacle adds a die."""
        for cell in self.path:
            if (self.counter.foot and self.now.work(cell, "wire")) or (
                self.counter.move_class == "tracked" and self.now.work(cell, "roadblock")
            ):
                yield cell

    def risks(self) -> Iterator[str]:
        """COH-14.5a: the hexes whose ground may hold the unit, if no road leads through it."""
        for here, cell in self.steps():
            held = self.counter.move_class in self.now.kind(cell).immobilises
            if held and not self.by_road(here, cell):
                yield cell

    # The price

    def parts(self) -> Iterator[CostPart]:
        """What the way costs, hex by hex."""
        if not self.path:
            # COH-5.3a
            yield CostPart(
                self.now.tables.number("movement", "pivot"), "pivot", "COH-5.3a", self.start
            )
        elif self.mode == "hidden":
            yield from self._hidden_parts()
        else:
            yield from self._open_parts()

    def _open_parts(self) -> Iterator[CostPart]:
        counter = self.counter
        for i, (here, cell) in enumerate(self.steps()):
            if not self.touching(here, cell):
                return
            if not i or self.rapid:
                yield CostPart(counter.move, "move", self.rule, cell)
                if not self.by_road(here, cell):
                    kind = self.now.kind(cell)
                    if extra := kind.extra[counter.move_class]:
                        yield CostPart(extra, kind.title, self.rule, cell)
                if self.hit is not None and self.hit.move:
                    yield CostPart(self.hit.move, self.hit.title, self.hit.rule, cell)
            if here and self.now.board.wall(here, cell):
                wall = self.now.tables.terrain["wall"].extra[counter.move_class]
                yield CostPart(wall or 0, "wall", "COH-5.0.2c", cell)
            # COH-11.0a, COH-14.1b: roads and free hexes do not save the climb.
            if (climb := self.climb(here, cell)) > 0:
                rule = "COH-11.1a" if climb > 1 else "COH-14.1b" if i else "COH-11.0a"
                price = climb * self.now.tables.number("movement", "climb")
                yield CostPart(price, f"climb of {climb}", rule, cell)
        if self.backwards:
            rule = "COH-5.2a" if counter.foot else "COH-14.4a"
            yield CostPart(self.now.tables.number("movement", "backwards"), "backwards", rule)
        if self.mode == "cautious":
            yield CostPart(self.now.tables.number("movement", "cautious"), "cautious", "COH-5.0.3b")

    def _hidden_parts(self) -> Iterator[CostPart]:
        """COH-10.1a: the move cost and 3 or 6, and nothing else."""
        for cell in self.path[:1]:
            cover = self.now.kind(cell).cover
            more = self.now.tables.number("movement", "hidden_cover" if cover else "hidden_open")
            yield CostPart(self.counter.move, "move", "COH-10.1a", cell)
            yield CostPart(more, "into cover" if cover else "in the open", "COH-10.1a", cell)
