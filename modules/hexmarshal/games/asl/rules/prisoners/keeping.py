"""What guards do with prisoners: hand them over, let them go, deploy, kill them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.rules.morale.casualties import eliminate
from hexmarshal.games.asl.rules.prisoners.capture import can_guard
from hexmarshal.games.asl.rules.prisoners.guards import free, room_of
from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.traits import is_partisan
from hexmarshal.rules.state.effects import ChangeUnit, SetExtra
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

__all__ = [
    "candidates", "check_detach", "check_hand_over", "check_massacre", "check_release", "detach",
    "go_berserk", "hand_over", "massacre", "massacre_candidates", "release",
]  # fmt: skip

RULE: Final = "ASL-A20.5d"
_RUTHLESS: Final = frozenset({"ss", "japanese", "russian"})
HIGHEST_ELR: Final = 6


def _guard_of(now: Situation, action: Action, rule: str) -> tuple[Unit | None, list[Violation]]:
    prisoner = now.unit(action.text("unit"))
    guard = now.guard(prisoner)
    if guard is None or guard.side != action.side:
        text = f"{prisoner.id} is no prisoner of yours"
        return None, [Violation(rule, text, units=(prisoner.id,))]
    return guard, []


def check_hand_over(now: Situation, action: Action) -> Verdict:
    """ASL-A20.5d: like a weapon, between units of one location, outside of melee."""
    return Verdict.of(_hand_over_faults(now, action))


def _hand_over_faults(now: Situation, action: Action) -> Iterator[Violation]:
    guard, faults = _guard_of(now, action, RULE)
    yield from faults
    if guard is None:
        return
    if action.side != now.phasing:
        yield Violation(RULE, "prisoners change hands in one's own phases", units=(guard.id,))
    taker = now.unit(action.text("to"))
    if taker.id == guard.id or taker.side != guard.side or not can_guard(now, taker):
        yield Violation(RULE, f"{taker.id} cannot guard", units=(taker.id,))
        return
    if now.at(taker) != now.at(guard):
        text = f"{taker.id} and {guard.id} are not in one location"
        yield Violation(RULE, text, units=(taker.id, guard.id))
    if any(unit.has(marks.MELEE) for unit in (guard, taker)):
        yield Violation(RULE, "not in melee", units=(guard.id, taker.id))
    size = now.size(now.unit(action.text("unit")))
    if room_of(now, taker) < size:
        text = f"{taker.id} can guard {room_of(now, taker)} more, not {size}"
        yield Violation("ASL-A20.5c", text, units=(taker.id,))


def hand_over(play: Play, action: Action) -> None:
    """ASL-A20.5d."""
    bonds: FrozenMap[tuple[str, ...]] = FrozenMap({marks.GUARDS: (action.text("to"),)})
    play.do(ChangeUnit(action.text("unit"), bonds=bonds))


def check_release(now: Situation, action: Action) -> Verdict:
    """ASL-A20.5d: a prisoner may be abandoned."""
    return Verdict.of(_release_faults(now, action))


def _release_faults(now: Situation, action: Action) -> Iterator[Violation]:
    guard, faults = _guard_of(now, action, RULE)
    yield from faults
    if guard is not None and guard.has(marks.MELEE):
        yield Violation(RULE, "not in melee", units=(guard.id,))
    if guard is not None and action.side != now.phasing:
        yield Violation(RULE, "prisoners are left in one's own phases", units=(guard.id,))


def release(play: Play, action: Action) -> None:
    """ASL-A20.5d: its own side moves it from now on."""
    prisoner = play.position.unit(action.text("unit"))
    free(play, prisoner.id, play.now.at(prisoner))


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """The prisoners that one has, and who else could guard them."""
    if slot == "unit":
        return tuple(
            prisoner.id for guard in now.on_map(action.side) for prisoner in now.prisoners(guard)
        )
    prisoner = now.position.units.get(str(action.given("unit")))
    guard = None if prisoner is None else now.guard(prisoner)
    if slot == "to" and guard is not None:
        here = now.people(now.at(guard), action.side)
        return tuple(one.id for one in here if one.id != guard.id and can_guard(now, one))
    return ()


# Deployment


def check_detach(now: Situation, action: Action) -> Verdict:
    """ASL-A20.5a: guards deploy at any time, of any nation, without a leader."""
    return Verdict.of(_detach_faults(now, action))


def _detach_faults(now: Situation, action: Action) -> Iterator[Violation]:
    unit = now.unit(action.text("unit"))
    if unit.side != action.side or not now.prisoners(unit):
        yield Violation("ASL-A20.5a", f"{unit.id} guards nobody for you", units=(unit.id,))
        return
    if now.counter(unit).kind != "squad":
        yield Violation("ASL-A20.5a", f"{unit.id} is no squad", units=(unit.id,))


def detach_candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Squads that guard somebody."""
    if slot != "unit":
        return None
    return tuple(
        unit.id
        for unit in now.on_map(action.side)
        if now.counter(unit).kind == "squad" and now.prisoners(unit)
    )


def detach(play: Play, action: Action) -> None:
    """ASL-A20.5a: two half-squads; the first one keeps the prisoners."""
    from hexmarshal.games.asl.rules.rally.deployment import into_halves

    into_halves(play, play.position.unit(action.text("unit")), ())


# Massacre


def victims(now: Situation, killer: Unit) -> list[Unit]:
    """ASL-PRIS-7: unarmed enemies in the location: prisoners of one's side, or abandoned ones."""
    place = now.at(killer)
    held = [one for guard in now.people(place, killer.side) for one in now.prisoners(guard)]
    loose = [one for one in now.people(place, other(killer.side)) if one.has(marks.UNARMED)]
    return [one for one in (*held, *loose) if not one.has(marks.ESCAPING)]


def check_massacre(now: Situation, action: Action) -> Verdict:
    """ASL-PRIS-7: by SS, Japanese, Russians and partisans, in a fire phase, not in melee."""
    return Verdict.of(_massacre_faults(now, action))


def _massacre_faults(now: Situation, action: Action) -> Iterator[Violation]:
    rule = "ASL-PRIS-7"
    unit = now.unit(action.text("unit"))
    if unit.side != action.side or not now.is_personnel(unit) or not unit.cell:
        yield Violation(rule, f"{unit.id} is no unit of yours", units=(unit.id,))
        return
    shooter = now.opposing if now.position.phase == "defensive_fire" else now.phasing
    if action.side != shooter:
        yield Violation(rule, f"{action.side} does not fire in this phase")
    if now.nation(unit) not in _RUTHLESS and not is_partisan(now, unit):
        yield Violation(rule, f"{unit.id} does not kill prisoners", units=(unit.id,))
    if not now.good_order(unit) or not now.is_armed(unit):
        text = f"{unit.id} is broken, in melee or unarmed"
        yield Violation(rule, text, units=(unit.id,))
    used = unit.values.get("weapons_used", ())
    most = 2 if now.counter(unit).kind == "squad" else 1
    spent = unit.flags & {marks.FINAL_FIRE, marks.NO_FIRE}
    if spent or (isinstance(used, tuple) and len(used) >= most):
        yield Violation(rule, f"{unit.id} has used all that it may fire", units=(unit.id,))
    if not victims(now, unit):
        yield Violation(rule, f"no prisoners are in {now.at(unit)}", units=(unit.id,))


def massacre_candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Who could; it is never listed for players who choose at random."""
    if slot != "unit":
        return None
    return tuple(
        unit.id
        for unit in now.on_map(action.side)
        if not any(True for _ in _massacre_faults(now, _of(action, unit.id)))
    )


def _of(action: Action, name: str) -> Action:
    from hexmarshal.rules.action import Action as One

    return One(action.kind, action.side, FrozenMap({"unit": name}))


def massacre(play: Play, action: Action) -> None:
    """ASL-PRIS-7: all of them; it counts as the use of a weapon, and their side's ELR rises."""
    unit = play.position.unit(action.text("unit"))
    _kill(play, unit)
    used = unit.values.get("weapons_used", ())
    play.note(unit.id, weapons_used=(*(used if isinstance(used, tuple) else ()), "massacre"))
    if play.now.counter(unit).kind != "squad":
        play.mark(unit.id, marks.NO_FIRE)


def _kill(play: Play, unit: Unit) -> None:
    names = [one.id for one in victims(play.now, unit)]
    step = Step(f"{unit.id} kills {', '.join(names)}", "ASL-PRIS-7")
    play.decide(Resolution("massacre", "massacre", steps=(step,)))
    for name in names:
        eliminate(play, name, by_captor=True)
    side = other(unit.side)
    elr = play.position.extras.get(f"{side}_elr")
    if isinstance(elr, int):
        play.do(SetExtra(f"{side}_elr", min(HIGHEST_ELR, elr + 1)))
    old = play.position.extras.get("massacred", ())
    sides = old if isinstance(old, tuple) else ()
    if side not in sides:
        play.do(SetExtra("massacred", (*sides, side)))


def go_berserk(play: Play, side: str) -> None:
    """ASL-PRIS-7: the berserk kill prisoners as their fire phase begins, and come to themselves."""
    for unit in tuple(play.now.on_map(side)):
        if unit.has(marks.BERSERK) and not unit.has(marks.MELEE) and victims(play.now, unit):
            _kill(play, unit)
            play.unmark(unit.id, marks.BERSERK)
