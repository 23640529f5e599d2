"""Breakdown of support weapons: malfunction, removal, repair, scuttling, dismantling."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.fire.shot import Mode
from hexmarshal.games.asl.rules.morale.casualties import lose_weapon
from hexmarshal.games.asl.rules.morale.results import chosen_by_lot
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.traits import short_of_ammunition
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.games.asl.rules.fire.shot import Member
    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation

__all__ = ["break_down", "breakdown_number"]


def breakdown_number(now: Situation, member: Member) -> tuple[int, bool]:
    """ASL-SWENG-2, ASL-MG-3: the original roll from which on it fails, and whether for good.

    Every way of firing that worsens the number makes it one of removal: sustained fire by two, the
    inexperienced by one, captured weapons by two.
    """
    counter = now.counter(member.unit)
    worse = 2 if member.mode in Mode.AGAIN and counter.is_machine_gun else 0
    worse += now.is_inexperienced(member.user)
    captured = member.unit.has(marks.CAPTURED)
    worse += 2 * captured  # ASL-CAPT-1
    short = not captured and short_of_ammunition(now, member.user.side)  # ASL-AMMO-1
    if counter.removed:
        return counter.removed - worse - short, True
    return counter.breakdown - worse - short, worse > 0


def break_down(play: Play, members: Sequence[Member], original: int) -> tuple[str, ...]:
    """ASL-SWENG-2: of several weapons that would fail, the lot says which; the attack stands."""
    now = play.now
    failing = {
        m.unit.id: breakdown_number(now, m)
        for m in members
        if m.unit.id in now.position.units and original >= breakdown_number(now, m)[0]
    }
    if not failing:
        return ()
    side = members[0].user.side
    chosen = chosen_by_lot(play, tuple(failing), 1, "which weapon fails", side)
    for name in chosen:
        number, for_good = failing[name]
        result = "eliminated" if for_good else "malfunctioned"
        step = Step(f"{name}: {original} against {number}: {result}", "ASL-SWENG-2")
        play.decide(Resolution("breakdown", result, steps=(step,)))
        if for_good:
            lose_weapon(play, name)
        else:
            play.mark(name, marks.MALFUNCTION)
    return chosen
