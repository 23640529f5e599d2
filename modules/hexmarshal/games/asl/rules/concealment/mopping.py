"""Mopping up: a building is cleared in the prep fire phase."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.rules.concealment.casualties import search_casualty
from hexmarshal.games.asl.rules.concealment.cover import place_hidden, remove_dummy
from hexmarshal.games.asl.rules.prisoners.capture import can_guard, capture
from hexmarshal.games.asl.rules.prisoners.surrender import gives_no_quarter
from hexmarshal.games.asl.state.ground import Location
from hexmarshal.games.asl.state.situation import SIDES, other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.works import is_work
from hexmarshal.rules.state.effects import SetCell, SetExtra
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

__all__ = ["building_of", "candidates", "check", "listed", "mop_up"]

RULE: Final = "ASL-MOP-1"
NEAR: Final = 2
MOST: Final = 2


def building_of(now: Situation, cell: str) -> tuple[str, ...]:
    """The hexes of a building; of a row of houses each hex is one by itself."""
    if not now.ground.in_building(Location(cell)):
        return ()
    found, waiting = {cell}, [cell]
    while waiting:
        here = waiting.pop()
        for side, near in enumerate(_around(now, here)):
            if near and near not in found and now.ground.same_building(here, near):
                wall = now.ground.hexside(here, side)
                if wall is None or wall.key != "rowhouse":
                    found.add(near)
                    waiting.append(near)
    return tuple(sorted(found))


def _around(now: Situation, cell: str) -> list[str]:
    return [now.ground.across(cell, side) for side in range(6)]


def check(now: Situation, action: Action) -> Verdict:
    """ASL-MOP-1: armed MMC in good order, in a building with more than one location."""
    return Verdict.of(_faults(now, action))


def _unit_faults(now: Situation, unit: Unit, side: str) -> Iterator[Violation]:
    name = unit.id
    if unit.side != side or side != now.phasing or not unit.cell or not now.is_mmc(unit):
        yield Violation(RULE, f"{name} is no MMC of the ATTACKER", units=(name,))
        return
    if not now.good_order(unit) or not now.is_armed(unit) or unit.has(marks.BERSERK):
        yield Violation(RULE, f"{name} is not in good order, or unarmed", units=(name,))
    for flag, words in (
        (marks.PINNED, "is pinned"),
        (marks.TI, "is TI"),
        (marks.PREP_FIRE, "has fired"),
        (marks.OPPORTUNITY, "waits for opportunity fire"),
    ):
        if unit.has(flag):
            yield Violation(RULE, f"{name} {words}", units=(name,))


def _faults(now: Situation, action: Action) -> Iterator[Violation]:
    names = action.so_far("units")
    if not names:
        yield Violation(RULE, "nobody mops up", cured_by=("units",))
        return
    if len(names) > MOST:
        yield Violation(RULE, f"at most {MOST} units mop up one building", units=names)
    units = [now.unit(name) for name in names]
    for unit in units:
        yield from _unit_faults(now, unit, action.side)
    if not all(unit.cell for unit in units):
        return
    hexes = building_of(now, units[0].cell)
    if not hexes or any(unit.cell not in hexes for unit in units):
        yield Violation(RULE, f"{', '.join(names)} are not in one building", units=names)
        return
    if len(hexes) == 1 and len(_levels(now, hexes[0])) == 1:
        yield Violation(RULE, f"the building in {hexes[0]} has one location", cells=hexes)
    enemies = [
        unit.id
        for unit in _in_building(now, hexes, other(action.side))
        if not unit.has(marks.BROKEN) and not now.is_hidden(unit)
    ]
    if enemies:
        text = f"{', '.join(enemies)} are unbroken in it"
        yield Violation(RULE, text, units=tuple(enemies), cells=hexes)
    done = now.position.extras.get("mopped_up", ())
    if isinstance(done, tuple) and set(done) & set(hexes):
        yield Violation(RULE, "it was tried in this player turn", cells=hexes)
    if any(gives_no_quarter(now, one) for one in SIDES) or now.position.extras.get("massacred"):
        yield Violation(RULE, "not where no quarter is given", units=names)
    far = [
        cell for cell in hexes if min(now.ground.distance(cell, unit.cell) for unit in units) > NEAR
    ]
    if far:
        text = f"{', '.join(far)} are more than {NEAR} hexes away"
        yield Violation(RULE, text, cells=tuple(far), units=names, cured_by=("units",))


def _levels(now: Situation, cell: str) -> list[int]:
    return [
        level
        for level in now.ground.levels(cell)
        if now.ground.kind_of(Location(cell, level)) in ("ground", "level", "cellar")
    ]


def _in_building(now: Situation, hexes: Sequence[str], side: str) -> list[Unit]:
    return [
        unit
        for cell in hexes
        for unit in now.position.at(cell)
        if unit.side == side
        and now.is_personnel(unit)
        and not unit.by(marks.GUARDS)
        and now.ground.in_building(now.at(unit))
    ]


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """MMC in buildings."""
    if slot != "units":
        return None
    return tuple(
        unit.id
        for unit in now.on_map(action.side)
        if next(_unit_faults(now, unit, action.side), None) is None
        and now.ground.in_building(now.at(unit))
    )


def listed(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """In lists each by itself."""
    if slot != "units":
        return None
    return tuple((name,) for name in candidates(now, action, slot) or ())


def mop_up(play: Play, action: Action) -> None:
    """ASL-MOP-2: who hides is placed under a "?", dummies go, the broken surrender."""
    names = action.texts("units")
    side = action.side
    hexes = building_of(play.now, play.position.unit(names[0]).cell)
    for name in names:
        play.mark(name, marks.TI)
    done = play.position.extras.get("mopped_up", ())
    play.do(SetExtra("mopped_up", (*(done if isinstance(done, tuple) else ()), *hexes)))
    search_casualty(play, hexes, names, side)
    for unit in _in_building(play.now, hexes, other(side)):
        if unit.has(marks.HIDDEN):
            place_hidden(play, unit.id, "the building is mopped up", "ASL-MOP-2")
        elif play.now.is_dummy(unit):
            remove_dummy(play, unit.id, "the building is mopped up", "ASL-MOP-2")
    for cell in hexes:  # ASL-MOP-2: fortified locations are known from then on
        for unit in play.position.at(cell):
            if unit.side == other(side) and is_work(unit):
                place_hidden(play, unit.id, "the building is mopped up", "ASL-MOP-2")
    left = _in_building(play.now, hexes, other(side))
    by = [n for n in names if n in play.position.units]
    for unit in left:
        if unit.has(marks.BROKEN):  # ASL-PRIS-5
            guards = [n for n in by if can_guard(play.now, play.position.unit(n))]
            capture(play, unit.id, guards, play.now.at(unit), "ASL-PRIS-5")
    secured = not any(play.now.is_hidden(unit) for unit in left)
    if secured:
        for cell in hexes:
            play.do(SetCell(cell, FrozenMap({"control": side})))
    step = Step(f"the building of {', '.join(hexes)}", "ASL-MOP-2")
    play.decide(Resolution("mopping up", "secured" if secured else "not secured", steps=(step,)))
