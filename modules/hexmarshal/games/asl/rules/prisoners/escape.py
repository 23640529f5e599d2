"""Escape: prisoners attack those who guard them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.rules.close_combat.blow import Blow
from hexmarshal.games.asl.rules.close_combat.outcomes import take_losses
from hexmarshal.games.asl.rules.close_combat.single import roll_for
from hexmarshal.games.asl.rules.prisoners.guards import free
from hexmarshal.games.asl.state.situation import SIDES, other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.traits import nation_of
from hexmarshal.rules.verdict import Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.ground import Location
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

__all__ = ["candidates", "check", "escape", "listed"]

RULE: Final = "ASL-A20.54b"
_TAME: Final = frozenset({"italian", "japanese", "axis_minor", "hungarian"})


def _melee_in(now: Situation, place: Location) -> bool:
    return any(unit.has(marks.MELEE) for side in SIDES for unit in now.people(place, side))


def check(now: Situation, action: Action) -> Verdict:
    """ASL-A20.54b, ASL-ESC-1: in melee, or from broken guards; the guards first, or all at once."""
    return Verdict.of(_faults(now, action))


def _faults(now: Situation, action: Action) -> Iterator[Violation]:
    if now.position.frames:
        yield Violation(RULE, "a close combat is going on")
        return
    names = action.so_far("units")
    if not names:
        yield Violation(RULE, "nobody tries", cured_by=("units",))
        return
    units = [now.unit(name) for name in names]
    for unit in units:
        if unit.side != action.side or now.guard(unit) is None:
            yield Violation(RULE, f"{unit.id} is no prisoner of your side", units=(unit.id,))
            return
        if not nation_of(now, unit).escapes or now.nation(unit) in _TAME:
            text = f"{now.nation(unit)} prisoners like {unit.id} do not try"
            yield Violation(RULE, text, units=(unit.id,))
    places = {now.at(unit) for unit in units}
    if len(places) > 1:
        yield Violation(RULE, "they are not in one location", units=names)
        return
    (place,) = places
    guards = {guard.id for unit in units if (guard := now.guard(unit)) is not None}
    if not _melee_in(now, place):
        whole = [name for name in sorted(guards) if not now.unit(name).has(marks.BROKEN)]
        if whole:
            text = f"{', '.join(whole)} is not broken, and there is no melee in {place}"
            yield Violation(RULE, text, units=tuple(whole))
    targets = set(action.so_far("targets"))
    enemies = {unit.id for unit in now.people(place, other(action.side))}
    if targets not in (guards, enemies):
        text = "they attack their guards, or all enemies there at once"
        yield Violation("ASL-ESC-1", text, units=tuple(sorted(guards)), cured_by=("targets",))
    fought = now.position.extras.get("fought", ())
    if isinstance(fought, tuple) and str(place) in fought:
        yield Violation(RULE, f"the close combat in {place} is over", cells=(place.cell,))


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Prisoners of one's side, and who is around them."""
    if slot == "units":
        chosen = action.so_far("units")
        return tuple(
            unit.id
            for unit in now.position.of_side(action.side)
            if now.guard(unit) is not None and unit.id not in chosen
        )
    if slot == "targets":
        names = action.so_far("units")
        if not names:
            return ()
        place = now.at(now.unit(names[0]))
        return tuple(unit.id for unit in now.people(place, other(action.side)))
    return None


def listed(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """In lists: all prisoners of one guard against him."""
    if slot == "units":
        found: dict[str, list[str]] = {}
        for name in candidates(now, action, "units") or ():
            guard = now.guard(now.unit(str(name)))
            if guard is not None:
                found.setdefault(guard.id, []).append(str(name))
        return tuple(tuple(names) for names in found.values())
    if slot == "targets":
        units = [now.unit(name) for name in action.so_far("units")]
        guards = {guard.id for unit in units if (guard := now.guard(unit)) is not None}
        return (tuple(sorted(guards)),) if guards else ()
    return None


def escape(play: Play, action: Action) -> None:
    """ASL-ESC-1: a check first, unless there is a melee; they attack before all others."""
    now = play.now
    units = [now.unit(name) for name in action.texts("units")]
    place = now.at(units[0])
    if not _melee_in(now, place):
        units = [unit for unit in units if _dares(play, unit)]
    if not units:
        return
    targets = tuple(now.unit(name) for name in action.texts("targets"))
    for unit in units:
        free(play, unit.id, place)
        play.mark(unit.id, marks.ESCAPING)
        play.note(unit.id, captured_by=None)  # killed now it does not count double
    here = tuple(play.position.unit(unit.id) for unit in units)
    losses = roll_for(play, Blow(action.side, here, targets), "ASL-ESC-1")
    take_losses(play, place, losses)
    if play.now.people(place, other(action.side)):
        for one in (*play.now.people(place), *here):
            if one.id in play.position.units and not play.now.is_hidden(one):
                play.mark(one.id, marks.MELEE)


def _dares(play: Play, unit: Unit) -> bool:
    """ASL-ESC-1: a normal task check."""
    dice, rolls = play.roll_two(f"NTC of {unit.id}", unit.side)
    passed = sum(dice) <= play.now.morale(unit)
    told = f"{unit.id}: {sum(dice)} against {play.now.morale(unit)}"
    play.decide(
        Resolution(
            "escape",
            "passed" if passed else "failed",
            dice=rolls,
            steps=(Step(told, "ASL-ESC-1"),),
        )
    )
    return passed
