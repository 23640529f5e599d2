"""Where a unit can go in one action: every way that has nothing against it, each hex once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.movement import move_costs
from hexmarshal.games.conflict_of_heroes.state.execution import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.conflict_of_heroes.rules.movement.move_costs import Leg
    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.games.conflict_of_heroes.state.tables import Counter
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["cheapest", "first_steps", "prices", "reachable", "ways"]


def first_steps(now: Situation, unit: Unit) -> tuple[str, ...]:
    """The hexes that a unit could enter first."""
    here = now.cell(unit)
    if here:
        return now.board.neighbours[here]
    entry = listed(unit.values.get("entry", ()))
    near = {c: None for e in entry if e in now.board.hexes for c in now.board.within(e, 2)}
    return tuple(dict.fromkeys((*(e for e in entry if e in now.board.hexes), *near)))


def prices(now: Situation, counter: Counter, here: str) -> list[tuple[str, int]]:
    """The hexes that such a unit may enter from here, with what the ground adds to its move."""
    steps, key = now.board.steps, (counter.move_class, counter.light, here)
    if key not in steps:
        steps[key] = list(_prices(now, counter, here))
    return steps[key]


def _prices(now: Situation, counter: Counter, here: str) -> Iterator[tuple[str, int]]:
    board = now.board
    for cell in board.neighbours[here]:
        kind, climb = board.kinds[cell], board.levels[cell] - board.levels[here]
        road = board.road(here, cell)
        extra = kind.extra[counter.move_class]
        wet = kind.key == "water" and not counter.light
        if not road and (extra is None or wet):
            continue
        wall = board.wall(here, cell)
        if (wall and counter.move_class == "wheeled") or (counter.vehicle and abs(climb) >= 2):
            continue
        price = 0 if road else extra or 0
        if wall:
            price += now.tables.terrain["wall"].extra[counter.move_class] or 0
        yield cell, price + max(0, climb) * now.tables.number("movement", "climb")


def ways(now: Situation, unit: Unit, mode: str = "normal", *, rapid: bool = False) -> list[Leg]:
    """Every legal way of one action, each with a facing along its last step."""
    counter = now.counter(unit)
    longest = 2 if rapid else 1 + (0 if counter.foot else counter.bonus)
    setting_out = move_costs.Route(now, unit, (), mode, rapid=rapid)

    def free(here: str, cell: str) -> bool:
        # COH-14.1a: every hex of a longer way gives or takes a free hex.
        return rapid or setting_out.bonus_hex(here, cell)

    found: list[Leg] = []
    edge: list[tuple[str, ...]] = [(cell,) for cell in first_steps(now, unit)]
    while edge:
        longer: list[tuple[str, ...]] = []
        for path in edge:
            leg = move_costs.plan(now, unit, path, None, mode, rapid=rapid)
            if leg.violations and len(path) > 1:
                continue
            if not leg.violations:
                found.append(leg)
            elif len(path) == 1:
                continue
            if len(path) < longest and (len(path) > 1 or free(setting_out.start, path[0])):
                last = path[-1]
                near = now.board.neighbours[last]
                longer += [(*path, cell) for cell in near if free(last, cell)]
        edge = longer
    return found


def reachable(now: Situation, unit: Unit, mode: str = "normal") -> list[Leg]:
    """The cheapest way to each hex."""
    return cheapest(ways(now, unit, mode))


def cheapest(legs: Iterable[Leg]) -> list[Leg]:
    """Of all ways to each hex one that costs least."""
    best: dict[str, Leg] = {}
    for leg in legs:
        last = leg.path[-1]
        if last not in best or leg.cost < best[last].cost:
            best[last] = leg
    return [best[cell] for cell in sorted(best)]
