"""Arms for those who got away: taken from the enemy, or found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["arm", "arm_from"]

RULE = "ASL-A20.54c"


def arm(play: Play, name: str, why: str) -> None:
    """ASL-A20.54c: an unarmed unit is a green or conscript one from now on."""
    play.unmark(name, marks.UNARMED)
    play.note(name, captured_by=None)
    step = Step(f"{play.now.named(play.position.unit(name))} is armed again: {why}", RULE)
    play.decide(Resolution("arms", "armed", steps=(step,)))


def arm_from(play: Play, victim: Unit, by: Sequence[str]) -> None:
    """ASL-A20.54c: an enemy of its size is lost or captured to it or a friend beside it."""
    now = play.now
    if not now.counter(victim).is_mmc or victim.has(marks.UNARMED):
        return
    places = {now.at(now.unit(name)) for name in by if name in now.position.units}
    size = now.size(victim)
    for place in sorted(places):
        for unit in now.people(place, "attacker" if victim.side == "defender" else "defender"):
            if unit.has(marks.UNARMED) and now.is_mmc(unit) and now.size(unit) <= size:
                arm(play, unit.id, f"with what {victim.id} had")
                return
