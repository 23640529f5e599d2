"""What players are offered, slot by slot, in combat and while one is being settled.

Attackers are listed in every combination up to six units around a hex, beyond that by whole stacks.
Retreats and advances are listed unit by unit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.rules.combat import advance, air, combat, losses, results, retreat
from hexmarshal.games.kharkov.rules.combat.engagement import current
from hexmarshal.games.kharkov.rules.command import headquarters
from hexmarshal.games.kharkov.rules.offers import Ids, chosen_units, ids_of, more_of
from hexmarshal.games.kharkov.state.situation import AXIS, other

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from hexmarshal.games.kharkov.state.situation import Situation
    from hexmarshal.rules.action import Action


def _attacks(now: Situation, side: str) -> Mapping[Ids, Sequence[Ids]]:
    """The groups that may attack, each with the sets of hexes that it may."""

    def find() -> Mapping[Ids, Sequence[Ids]]:
        found: dict[Ids, list[Ids]] = {}
        for units, targets in combat.groups(now, side):
            found.setdefault(ids_of(units), []).append(targets)
        return found

    return now.position.remember(f"attacks of {side}", find)


def more_attackers(now: Situation, action: Action) -> Ids:
    """The side's own units beside an enemy hex that all those chosen are beside."""
    so_far = action.so_far("attackers")
    board = now.board
    aims = now.occupied(other(action.side)) | now.garrisons()
    for unit in so_far:
        aims &= board.mask(board.near.get(now.position.unit(unit).cell, ()))
    around, bit = board.around(aims), board.bit
    near = [u.id for u in now.on_map(action.side) if around & bit[u.cell]]
    return tuple([name for name in near if name not in so_far])


def attackers(now: Situation, action: Action) -> Iterable[Ids]:
    """The groups that may attack something."""
    return _attacks(now, action.side)


def targets(now: Situation, action: Action) -> Iterable[Ids]:
    """What the group may attack."""
    return _attacks(now, action.side).get(action.texts("attackers"), ())


def with_air_or_not(now: Situation, action: Action) -> tuple[bool, ...]:
    """Both, where there is an air point."""
    return (False, True) if air.available(now, action.side) else (False,)


def axis_hexes(now: Situation, _: Action) -> Ids:
    """The hexes that could be supplied by air."""
    return tuple(now.board.names(now.occupied(AXIS)))


def step_losses(now: Situation, _: Action) -> Iterator[Ids]:
    """Every way to take the losses, each once."""
    if results.no_losses(now) is None:
        engagement = current(now)
        due = results.steps_due(engagement)
        yield from (ids for ids in losses.choices(results.affected(now, engagement), due) if ids)


def losers(now: Situation, _: Action) -> Ids:
    """The units that can lose a step."""
    return () if results.no_losses(now) else ids_of(results.affected(now, current(now)))


def more_retreaters(now: Situation, action: Action) -> Ids:
    """Those who must fall back and the headquarters beside them, then those of the same hex."""
    if action.so_far("units"):
        return more_of("units")(now, action)
    pending = current(results.retreating(now)).pending if results.no_retreat(now) is None else ()
    return _with_headquarters(now, pending)


def _with_headquarters(now: Situation, ids: Ids) -> Ids:
    """KHA-10.13: those that may go along too."""
    cells = {now.position.units[unit].cell for unit in ids}
    beside = (u.id for cell in sorted(cells) for u in now.position.at(cell) if u.type == "hq")
    return tuple(dict.fromkeys((*ids, *beside)))


def retreaters(now: Situation, _: Action) -> Iterator[Ids]:
    """Those who must fall back, one by one."""
    if results.no_retreat(now) is None:
        yield from ((unit,) for unit in current(results.retreating(now)).pending)


def ways_back(now: Situation, action: Action) -> Iterator[Ids]:
    """Every way back of a unit, or off the map where there is none."""
    after = results.retreating(now)
    (unit,) = chosen_units(now, action)
    ways = retreat.paths(after, unit, current(after).hexes, retreat.retreating(after))
    yield from ways
    if not ways:
        yield ()


def displaced(now: Situation, _: Action) -> Ids:
    """The headquarters that is displaced."""
    return (current(now).first.what,)


def nearest_friends(now: Situation, action: Action) -> Iterable[str]:
    """The hexes to which a headquarters may be displaced."""
    return headquarters.nearest(now, now.position.unit(action.text("unit")))


def more_advancers(now: Situation, action: Action) -> Ids:
    """Those who may follow and the headquarters beside them, then those of the same hex."""
    if action.so_far("units"):
        return more_of("units")(now, action)
    return _with_headquarters(now, current(now).stayed)


def advancers(now: Situation, _: Action) -> Iterator[Ids]:
    """Those who may follow, one by one."""
    yield from dict.fromkeys(ids_of(units) for units, _ in advance.offers(now))


def ways_on(now: Situation, action: Action) -> Iterator[Ids]:
    """How far a unit may follow."""
    mine = action.texts("units")
    return (path for units, path in advance.offers(now) if ids_of(units) == mine)
