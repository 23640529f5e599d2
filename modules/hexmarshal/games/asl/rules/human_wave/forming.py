"""Forming a human wave: who takes part, in which chain, against whom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.rules.heat_of_battle import charge
from hexmarshal.games.asl.rules.human_wave.grain import grain_through
from hexmarshal.games.asl.rules.movement.allowance import burden, capacity
from hexmarshal.games.asl.rules.movement.begin import close_former
from hexmarshal.games.asl.rules.movement.stack import unit_faults
from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.traits import nation_of
from hexmarshal.rules.state.effects import SetExtra
from hexmarshal.rules.verdict import Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.ground import Location
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

__all__ = ["candidates", "check", "form", "listed"]

RANGE: Final = 8
_HEXES: Final = 3
_LINES: Final = 6


def check(now: Situation, action: Action) -> Verdict:
    """ASL-A25.23a."""
    return Verdict.of(_faults(now, action))


def _faults(now: Situation, action: Action) -> Iterator[Violation]:
    if action.side != now.phasing:
        yield Violation("ASL-A25.23a", f"{action.side} does not move in this player turn")
        return
    names = action.so_far("units")
    group = [now.unit(name) for name in names]
    faults = [fault for unit in group for fault in _unit_faults(now, unit, action.side)]
    yield from faults
    if faults:
        return
    yield from charge.begin_faults(now, group) if group else ()
    places = {now.at(unit) for unit in group}
    if len({place.cell for place in places}) < _HEXES or not _is_chain(now, list(places)):
        text = f"they are no chain of ADJACENT locations in {_HEXES} hexes or more"
        yield Violation("ASL-A25.23a", text, units=names, cured_by=("units",))
    for cell in sorted({place.cell for place in places}):
        if not any(now.is_mmc(unit) for unit in group if unit.cell == cell):
            text = f"no MMC of the wave is in {cell}"
            yield Violation("ASL-A25.23a", text, cells=(cell,), cured_by=("units",))
    if not any(now.is_leader(unit) for unit in group):
        text = "no leader takes part"
        yield Violation("ASL-A25.23a", text, units=names, cured_by=("units",))
    target = action.text("target")
    if not any(_sees(now, unit, target) for unit in group):
        text = f"nobody of the wave sees a known enemy in {target} within {RANGE} hexes"
        yield Violation("ASL-A25.23a", text, cells=(target,), cured_by=("units",))


def _unit_faults(now: Situation, unit: Unit, side: str) -> Iterator[Violation]:
    faults = [*unit_faults(now, unit.id, side)]
    yield from faults
    if faults:
        return
    name = unit.id
    if not unit.cell:
        yield Violation("ASL-A25.23a", f"{name} is not on the map", units=(name,))
        return
    if not nation_of(now, unit).human_wave:
        text = f"{name} is neither Russian, Japanese nor Chinese"
        yield Violation("ASL-A25.23a", text, units=(name,))
    if now.prisoners(unit):
        yield Violation("ASL-A25.23a", f"{name} guards prisoners", units=(name,))
    if unit.has(marks.BERSERK):
        yield Violation("ASL-A25.23a", f"{name} is berserk", units=(name,))
    if burden(now, unit) > capacity(now, unit):
        yield Violation("ASL-A25.23a", f"{name} carries more than its capacity", units=(name,))
    place = now.at(unit)
    near = [one for one in now.on_map(other(side)) if _touches(now, place, one)]
    if near:
        text = f"{name} is ADJACENT to {near[0].id}"
        yield Violation("ASL-A25.23a", text, units=(name, near[0].id))


def _touches(now: Situation, place: Location, enemy: Unit) -> bool:
    if enemy.seen_by is not None or now.ground.distance(place.cell, enemy.cell) > 1:
        return False
    there = now.at(enemy)
    return there == place or now.adjacent(place, there)


def _is_chain(now: Situation, places: Sequence[Location]) -> bool:
    left, edge = set(places[1:]), list(places[:1])
    while edge:
        here = edge.pop()
        found = {place for place in left if now.adjacent(here, place)}
        left -= found
        edge += found
    return bool(places) and not left


def _sees(now: Situation, unit: Unit, cell: str) -> bool:
    return any(
        enemy.cell == cell and now.ground.distance(unit.cell, cell) <= RANGE
        for enemy in now.enemies_in_sight(unit)
    )


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Units that could take part, enemies within eight hexes, and the six lines."""
    if slot == "units":
        chosen = action.so_far("units")
        return tuple(
            unit.id
            for unit in now.on_map(action.side)
            if unit.id not in chosen and not any(_unit_faults(now, unit, action.side))
        )
    if slot == "target":
        mine = [unit.cell for unit in now.on_map(action.side)]
        enemies = {u.cell for u in now.on_map(other(action.side)) if not now.is_hidden(u)}
        return tuple(
            cell
            for cell in sorted(enemies)
            if any(now.ground.distance(cell, one) <= RANGE for one in mine)
        )
    if slot == "grain":
        return tuple(range(_LINES))
    return None


def listed(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """In lists: each whole chain that could go, straight on."""
    if slot == "units":
        if action.side != now.phasing:
            return ()
        free = [now.unit(str(name)) for name in candidates(now, action, slot) or ()]
        return tuple(_chains(now, free))
    if slot == "grain":
        return (0, _HEXES)
    return None


def _chains(now: Situation, free: list[Unit]) -> Iterator[tuple[str, ...]]:
    """The units of each chain of ADJACENT locations with an MMC in every hex."""
    cells = {unit.cell for unit in free if now.is_mmc(unit)}
    left = [unit for unit in free if unit.cell in cells]
    while left:
        places, edge = set(), [now.at(left[0])]
        while edge:
            here = edge.pop()
            places.add(here)
            edge += [
                there
                for there in {now.at(unit) for unit in left} - places - set(edge)
                if now.adjacent(here, there)
            ]
        chain = [unit for unit in left if now.at(unit) in places]
        left = [unit for unit in left if unit not in chain]
        leader = any(now.is_leader(unit) for unit in chain)
        if leader and len({unit.cell for unit in chain}) >= _HEXES:
            yield tuple(unit.id for unit in chain)


def form(play: Play, action: Action) -> None:
    """ASL-A25.23b, ASL-A25.23e: they are in the open from now on, with eight factors each."""
    names = action.texts("units")
    close_former(play)
    play.do(SetExtra("attacks"))
    for name in names:
        play.unmark(name, *marks.UNSEEN)
        play.mark(name, marks.WAVE)
    grain = grain_through(play.now.ground, action.text("target"), action.number("grain"))
    play.ask(
        "wave",
        action.side,
        about={"units": names, "grain": grain, "spent": 0, "impulse": 0},
    )
