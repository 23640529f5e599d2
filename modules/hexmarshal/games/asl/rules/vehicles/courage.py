"""The task check before armour (PAATC): who has to take it, and what comes of it."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.rules.morale import casualties
from hexmarshal.games.asl.rules.morale.checks import Test, exposed_to_pin, modifiers_of
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.traits import armour_check
from hexmarshal.games.asl.state.units.vehicles import vehicles_in
from hexmarshal.rules.rolling.modifiers import tally
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.ground import Location
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.games.asl.state.units.vehicles import Vehicle
    from hexmarshal.rules.rolling.modifiers import Tally
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["chance_to_face", "face", "feared_in", "fears", "is_feared"]

RULE: Final = "ASL-A11.6"
_BRAVE: Final = frozenset({marks.FANATIC, marks.BERSERK, marks.WAVE, marks.FACED_ARMOUR})


def is_feared(vehicle: Vehicle) -> bool:
    """ASL-A11.6: armour that somebody mans; what is soft or abandoned frightens nobody."""
    return vehicle.armored and not vehicle.abandoned


def feared_in(now: Situation, place: Location, side: str) -> list[Vehicle]:
    """The feared vehicles of a side in a location, as far as they are known."""
    return [v for v in vehicles_in(now, place, side) if is_feared(v) and not now.is_hidden(v.unit)]


def fears(now: Situation, unit: Unit) -> bool:
    """ASL-A11.6: all but single men, fanatics, the berserk, and who has passed one already."""
    return now.is_mmc(unit) and not unit.flags & _BRAVE


def _added(now: Situation, unit: Unit, rule: str) -> Tally:
    return tally(modifiers_of(now, unit, Test("PAATC", armour_check(now, unit), rule)))


def chance_to_face(now: Situation, unit: Unit) -> Fraction:
    """How likely a unit dares."""
    if not fears(now, unit):
        return Fraction(1)
    most = now.morale(unit) - int(_added(now, unit, RULE).total())
    rolls = (a + b for a in range(1, 7) for b in range(1, 7))
    return Fraction(sum(total <= most for total in rolls), 36)


def face(play: Play, name: str, rule: str = RULE) -> bool:
    """ASL-A11.6: one more for the inexperienced; who fails is pinned. Whether it dares."""
    now = play.now
    unit = now.unit(name)
    if not fears(now, unit):
        return True
    found = _added(now, unit, rule)
    dice, rolls = play.roll_two(f"PAATC of {name}", unit.side, calls=True)
    total = sum(dice) + int(found.total())
    passed = total <= now.morale(unit)
    told = (
        f"{now.named(unit)}: {dice[0]} + {dice[1]}"
        + "".join(f" {m.amount:+}" for m in found.counted)
        + f" = {total} against {now.morale(unit)}: {'passed' if passed else 'pinned'}"
    )
    play.decide(
        Resolution(
            "task",
            "passed" if passed else "pinned",
            modifiers=found.modifiers,
            dice=rolls,
            steps=(Step(told, rule),),
            known_to=now.readers(unit),
        )
    )
    if passed:
        play.mark(name, marks.FACED_ARMOUR)
    elif exposed_to_pin(now, unit):
        casualties.pin(play, name)
    return passed
