"""What it costs to move, and why a unit may not: foot, tracks and wheels, roads, walls, hills."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes import source
from hexmarshal.games.conflict_of_heroes.table import listed, mapped
from hexmarshal.rules.verdict import Cost, CostPart, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.games.conflict_of_heroes.scene import Scene
    from hexmarshal.games.conflict_of_heroes.source import Counter
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.pieces import Unit

__all__ = [
    "Leg",
    "able_to_move",
    "connected",
    "enter_cost",
    "facing_objections",
    "group_cost",
    "plan",
]

MODES = ("normal", "cautious", "hidden")


@dataclass(frozen=True, slots=True)
class Leg:
    """One unit's way in a move action, with its price and all that is wrong with it.

    `obstacles` are hexes where a die adds to the cost; a leg without a path only pivots.
    """

    unit: Unit
    path: tuple[str, ...]
    facing: int | None
    mode: str
    parts: tuple[CostPart, ...] = ()
    violations: tuple[Violation, ...] = ()
    obstacles: tuple[str, ...] = ()
    occupy: bool = False

    @property
    def cost(self) -> int:
        """What the unit would pay alone."""
        return sum(int(part.amount) for part in self.parts)


def plan(
    scene: Scene,
    unit: Unit,
    path: tuple[str, ...],
    facing: int | None,
    mode: str = "normal",
    *,
    occupy: bool = False,
    rapid: bool = False,
) -> Leg:
    """The way of one unit; `rapid` is the two hexes of card 05."""
    planner = _Planner(scene, unit, path, mode, rapid=rapid)
    violations = tuple(planner.violations(facing, occupy=occupy))
    obstacles = () if mode == "hidden" else tuple(planner.obstacles())
    return Leg(unit, path, facing, mode, planner.parts, violations, obstacles, occupy)


def group_cost(legs: Sequence[Leg]) -> Cost:
    """COH-9.1.1a: the highest cost of a unit that moves; of pivots alone, that of one pivot."""
    movers = [leg for leg in legs if leg.path] or list(legs)
    dearest = max(movers, key=lambda leg: leg.cost)
    return Cost(dearest.parts, "AP")


def connected(scene: Scene, units: Sequence[Unit]) -> bool:
    """COH-9.1a, COH-9.1.1c: whether a chain of same or adjacent hexes joins all the units."""
    cells = {scene.cell(unit) for unit in units}
    if "" in cells:
        return len(cells) == 1
    first = next(iter(cells))
    found, edge = {first}, [first]
    while edge:
        for beside in scene.board.neighbours[edge.pop()]:
            if beside in cells and beside not in found:
                found.add(beside)
                edge.append(beside)
    return found == cells


def able_to_move(scene: Scene, unit: Unit, doing: str = "move") -> Iterator[Violation]:
    """Why a unit cannot move or pivot by itself, wherever it wants to go."""
    me = (unit.id,)
    hit = scene.hit(unit)
    if hit is not None and hit.only_rally:
        yield Violation(hit.rule, f"{unit.id} is {hit.title.lower()}: it can only rally", units=me)
    elif hit is not None and hit.no_move:
        yield Violation(hit.rule, f"{unit.id} is {hit.title.lower()}: it cannot {doing}", units=me)
    if unit.has("stuck"):
        yield Violation("COH-14.5b", f"{unit.id} is stuck and cannot {doing}", units=me)
    if unit.has("bogged"):
        yield Violation("COH-C20", f"{unit.id} is bogged down this turn", units=me)
    if unit.carrier:
        text = f"{unit.id} is aboard {unit.carrier} and moves with it"
        yield Violation("COH-17.0d", text, units=me)


def facing_objections(action: Action) -> Iterator[Violation]:
    """COH-5.1a: a facing that an action names is one of the six hexsides."""
    facing = action.number("facing")
    if not 0 <= facing <= 5:
        yield Violation("COH-5.1a", f"no hexside {facing}: 0 to 5", field="facing")


def enter_cost(scene: Scene, counter: Counter, cell: str) -> int | None:
    """The extra cost of a hex's main terrain; None if the class may not enter."""
    return scene.kind(cell).extra[counter.move_class]


class _Planner:
    """Goes along a path, step by step; refuses what is forbidden and adds up the rest."""

    def __init__(
        self, scene: Scene, unit: Unit, path: tuple[str, ...], mode: str, *, rapid: bool
    ) -> None:
        self.scene, self.unit, self.path, self.mode, self.rapid = scene, unit, path, mode, rapid
        self.counter = scene.counter(unit)
        self.start = scene.cell(unit)
        self.hit = scene.hit(unit)
        self.rule = "COH-5.0a" if self.counter.foot else "COH-14.0a"
        self.backwards = self._backwards()
        self.parts = tuple(self._parts())

    # Geometry of the way

    def _steps(self) -> Iterator[tuple[str, str]]:
        here = self.start
        for cell in self.path:
            yield here, cell
            here = cell

    def _touching(self, here: str, cell: str) -> bool:
        return not here or self.scene.board.direction(here, cell) is not None

    def _backwards(self) -> bool:
        """COH-5.2a: whether the first step goes into a flank hex."""
        if not self.start or not self.path or self.mode == "hidden" or self.rapid:
            return False
        facing = self.scene.facing(self.unit)
        fort = self.scene.fort(self.unit)
        if facing is None or self.scene.hidden(self.unit):
            return False
        if fort is not None and fort.kind == "trench":
            return False  # COH-18.1.1b: men in a trench face every way.
        direction = self.scene.board.direction(self.start, self.path[0])
        return direction is not None and (direction - facing) % 6 not in (0, 1, 5)

    def _by_road(self, here: str, cell: str) -> bool:
        """COH-5.0.1a: along the road, hex to hex; reinforcements come in by the road."""
        board = self.scene.board
        return board.road(here, cell) if here else cell in board.road_hexes

    def _climb(self, here: str, cell: str) -> int:
        levels = self.scene.board.levels
        return levels[cell] - levels[here] if here else 0

    def _bonus_hex(self, here: str, cell: str) -> bool:
        """COH-14.1a: whether this hex gives, or takes, a free hex."""
        move_class = self.counter.move_class
        scene = self.scene
        if scene.smoke(cell) >= 2 or scene.work(cell, "trench") or scene.work(cell, "wire"):
            return False  # COH-13.0b, COH-18.1.1a, COH-18.3.1c
        if self._by_road(here, cell):
            if move_class != "wheeled":
                return True
            # COH-14.2b: other vehicles are in the way of wheels.
            others = (u for u in scene.at(cell) if u.id != self.unit.id and not u.carrier)
            return not any(scene.counter(u).vehicle for u in others)
        return move_class in scene.kind(cell).bonus

    # The price

    def _parts(self) -> Iterator[CostPart]:
        counter = self.counter
        if not self.path:
            # COH-5.3a
            yield CostPart(source.number("movement", "pivot"), "pivot", "COH-5.3a", self.start)
            return
        if self.mode == "hidden":
            yield from self._hidden_parts()
            return
        for i, (here, cell) in enumerate(self._steps()):
            if not self._touching(here, cell):
                return
            if not i or self.rapid:
                yield CostPart(counter.move, "move", self.rule, cell)
                if not self._by_road(here, cell):
                    kind = self.scene.kind(cell)
                    if extra := kind.extra[counter.move_class]:
                        yield CostPart(extra, kind.title, self.rule, cell)
                if self.hit is not None and self.hit.move:
                    yield CostPart(self.hit.move, self.hit.title, self.hit.rule, cell)
            if here and self.scene.board.wall(here, cell):
                wall = source.terrain()["wall"].extra[counter.move_class]
                yield CostPart(wall or 0, "wall", "COH-5.0.2c", cell)
            # COH-11.0a, COH-14.1b: roads and free hexes do not save the climb.
            if (climb := self._climb(here, cell)) > 0:
                rule = "COH-11.1a" if climb > 1 else "COH-14.1b" if i else "COH-11.0a"
                price = climb * source.number("movement", "climb")
                yield CostPart(price, f"climb of {climb}", rule, cell)
        if self.backwards:
            rule = "COH-5.2a" if counter.foot else "COH-14.4a"
            yield CostPart(source.number("movement", "backwards"), "backwards", rule)
        if self.mode == "cautious":
            yield CostPart(source.number("movement", "cautious"), "cautious", "COH-5.0.3b")

    def _hidden_parts(self) -> Iterator[CostPart]:
        """COH-10.1a: the move cost and 3 or 6, and nothing else."""
        for cell in self.path[:1]:
            cover = self.scene.kind(cell).cover
            more = source.number("movement", "hidden_cover" if cover else "hidden_open")
            yield CostPart(self.counter.move, "move", "COH-10.1a", cell)
            yield CostPart(more, "into cover" if cover else "in the open", "COH-10.1a", cell)

    def obstacles(self) -> Iterator[str]:
        """COH-18.3.1a, COH-18.3.2a: the hexes whose obstacle adds a die."""
        for cell in self.path:
            if (self.counter.foot and self.scene.work(cell, "wire")) or (
                self.counter.move_class == "tracked" and self.scene.work(cell, "roadblock")
            ):
                yield cell

    # What is wrong

    def violations(self, facing: int | None, *, occupy: bool) -> Iterator[Violation]:
        me = (self.unit.id,)
        yield from able_to_move(self.scene, self.unit, "move" if self.path else "pivot")
        if facing is not None and not 0 <= facing <= 5:
            yield Violation("COH-5.1a", f"no hexside {facing}: 0 to 5", units=me, field="facing")
        yield from self._mode_violations()
        yield from self._length_violations()
        if not self.path:
            yield from self._pivot_violations()
        for here, cell in self._steps():
            yield from self._step_violations(here, cell)
        if self.start and self.path:
            yield from self._escape_violations()
        elif self.path:
            yield from self._entry_violations()
        if occupy:
            last = self.path[-1] if self.path else self.start
            yield from may_occupy(self.scene, self.unit, last)

    def _mode_violations(self) -> Iterator[Violation]:
        me = (self.unit.id,)
        hidden = self.scene.hidden(self.unit)
        if self.mode == "hidden":
            if not hidden:
                yield Violation("COH-10.1a", f"{self.unit.id} is not hidden", units=me)
            if not self.counter.light:
                text = f"{self.unit.id} is no light foot unit: it cannot move hidden"
                yield Violation("COH-10.1a", text, units=me)
            if len(self.path) > 1 and not self.rapid:
                yield Violation("COH-5.0c", "one hex an action", units=me, cells=self.path)
        elif self.mode == "cautious" and not self.scene.option("cautious_movement"):
            text = "cautious movement is an optional rule that is not in play"
            yield Violation("COH-5.0.3b", text, units=me, field="mode")
        elif self.mode == "cautious" and not self.counter.foot:
            yield Violation("COH-5.0.3b", "only foot units move with caution", units=me)

    def _length_violations(self) -> Iterator[Violation]:
        me, path = (self.unit.id,), self.path
        if len(path) < 2 or self.mode == "hidden":
            return
        if self.rapid:
            if len(path) > 2:
                text = f"Rapid deployment is 2 hexes, not {len(path)}"
                yield Violation("COH-C05", text, units=me, cells=path)
            return
        if self.counter.foot:
            text = "each hex entered is an action of its own"
            yield Violation("COH-5.0c", text, units=me, cells=path)
            return
        if len(path) - 1 > self.counter.bonus:
            text = f"{self.unit.id} has {self.counter.bonus} free hexes, not {len(path) - 1}"
            yield Violation("COH-14.1a", text, units=me, cells=path)
        if self.backwards:
            yield Violation("COH-14.4a", "no free hexes when moving backwards", units=me)
        if any(self.scene.counter(u).vehicle for u in self.scene.passengers(self.unit)):
            yield Violation("COH-14.5c", "no free hexes when towing a vehicle", units=me)
        for here, cell in self._steps():
            if self._touching(here, cell) and not self._bonus_hex(here, cell):
                rule, text = self._no_bonus(here, cell)
                yield Violation(rule, text, units=me, cells=(cell,))

    def _no_bonus(self, here: str, cell: str) -> tuple[str, str]:
        scene = self.scene
        if scene.smoke(cell) >= 2:
            return "COH-13.0b", f"the smoke in {cell} ends free hexes"
        if scene.work(cell, "trench"):
            return "COH-18.1.1a", f"the trench in {cell} ends free hexes"
        if scene.work(cell, "wire"):
            return "COH-18.3.1c", f"the wire in {cell} ends free hexes"
        if self._by_road(here, cell):
            return "COH-14.2b", f"other vehicles are in the way in {cell}"
        if cell in scene.board.road_hexes and self.counter.move_class not in scene.kind(cell).bonus:
            return "COH-14.2a", f"{cell} is not entered along its road"
        return "COH-14.1a", f"{scene.kind(cell).title} in {cell} gives no free hex"

    def _pivot_violations(self) -> Iterator[Violation]:
        me = (self.unit.id,)
        fort = self.scene.fort(self.unit)
        if fort is not None and fort.kind == "bunker":
            # COH-5.1c: the arrow of a bunker is red.
            yield Violation("COH-5.1c", "a bunker, and who is in it, cannot pivot", units=me)
        if not self.start:
            yield Violation("COH-5.5a", f"{self.unit.id} is not on the map", units=me)
        if self.scene.hidden(self.unit):
            text = "a hidden unit has no facing before it is revealed"
            yield Violation("COH-10.0a", text, units=me)

    def _step_violations(self, here: str, cell: str) -> Iterator[Violation]:
        # Who else is in the hex never matters: COH-5.0d, COH-5.4a, COH-14.3a.
        scene, counter, me = self.scene, self.counter, (self.unit.id,)
        if not self._touching(here, cell):
            rule = "COH-5.1b" if counter.foot else "COH-14.0a"
            yield Violation(rule, f"{cell} is not adjacent to {here}", cells=(here, cell), units=me)
            return
        kind = scene.kind(cell)
        road = self._by_road(here, cell)
        if kind.extra[counter.move_class] is None and not road:
            rule = {"field": "COH-4.0e", "water": "COH-4.0d"}.get(kind.key, "COH-14.0a")
            yield Violation(
                rule, f"{self.unit.id} may not enter {kind.title.lower()}", cells=(cell,)
            )
        elif kind.key == "water" and not counter.light and not road:
            text = f"only light foot units enter water, not {self.unit.id}"
            yield Violation("COH-4.0d", text, cells=(cell,), units=me)
        if here and scene.board.wall(here, cell) and counter.move_class == "wheeled":
            yield Violation(
                "COH-5.0.2c", "wheels cannot cross a wall", cells=(here, cell), units=me
            )
        if counter.vehicle and abs(self._climb(here, cell)) >= 2:
            text = "vehicles cannot cross steep terrain"
            yield Violation("COH-11.1a", text, cells=(here, cell), units=me)
        if counter.move_class == "wheeled":
            for work, rule in (
                ("trench", "COH-18.1.1a"),
                ("wire", "COH-18.3.1c"),
                ("roadblock", "COH-18.3.2a"),
            ):
                if scene.work(cell, work):
                    text = f"wheels cannot enter a hex with a {work}"
                    yield Violation(rule, text, cells=(cell,), units=me)

    def _escape_violations(self) -> Iterator[Violation]:
        """COH-7.7.3h: not the way the enemy came, in the very next action."""
        last = mapped(self.scene.position.extras.get("last"))
        came = listed(mapped(last.get("rushed")).get(self.start, ()))
        board = self.scene.board
        for origin in came:
            banned = {origin, *board.neighbours[origin]} & set(board.neighbours[self.start])
            if self.path[0] in banned:
                text = f"the enemy has just come from {origin}: {self.path[0]} is closed"
                yield Violation("COH-7.7.3h", text, cells=(self.path[0],), units=(self.unit.id,))

    def _entry_violations(self) -> Iterator[Violation]:
        """COH-5.5a, COH-5.5b, COH-5.5c: reinforcements enter by a move like any other."""
        unit, me, scene = self.unit, (self.unit.id,), self.scene
        if unit.box != "reinforcements":
            yield Violation("COH-5.5a", f"{unit.id} is no reinforcement", units=me)
            return
        if scene.position.turn < unit.number("arrives"):
            text = f"{unit.id} may enter from turn {unit.number('arrives')}"
            yield Violation("COH-5.5a", text, units=me)
        stated = listed(unit.values.get("entry", ()))
        first = self.path[0]
        if first in stated:
            return
        blocked = [c for c in stated if c in scene.board.hexes and scene.enemies_at(c, unit.side)]
        shift = source.number("movement", "entry_shift")
        if not any(scene.board.distance(c, first) <= shift for c in blocked):
            text = f"{unit.id} enters by {', '.join(stated)}"
            yield Violation("COH-5.5a", text, units=me, cells=(first,))
        elif not scene.board.edge(first):
            text = f"{first} is not at the edge of the map"
            yield Violation("COH-5.5c", text, units=me, cells=(first,))


def may_occupy(scene: Scene, unit: Unit, cell: str) -> Iterator[Violation]:
    """Why a unit may not go into the trench or bunker of a hex (COH-18.1.1a, COH-18.1.2a)."""
    me = (unit.id,)
    forts = [m for m, work in scene.works(cell) if work.fortification]
    counter = scene.counter(unit)
    if not forts:
        yield Violation("COH-18.2a", f"there is no trench or bunker in {cell}", cells=(cell,))
        return
    fort = forts[0]
    if any(scene.hostile(unit.side, u) and u.values.get("fort") == fort.id for u in scene.at(cell)):
        text = f"the enemy holds the {fort.kind} in {cell}"
        yield Violation("COH-18.2a", text, cells=(cell,), units=me)
    if counter.light:
        return
    heavy = counter.at_gun or counter.howitzer
    if fort.kind == "bunker" and heavy and scene.position.extras.get("guns_in_bunkers") is True:
        return
    rule = "COH-18.1.1a" if fort.kind == "trench" else "COH-18.1.2a"
    text = f"{unit.id} cannot go into a {fort.kind}"
    yield Violation(rule, text, cells=(cell,), units=me)
