"""What holds in every position of the game, and is broken in this one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.state import marks
from hexmarshal.rules.state.validate import POSITION_RULE
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.asl.state.situation import Situation

__all__ = ["problems"]


def problems(now: Situation) -> Iterator[Violation]:
    """Weapons held by weapons or by the enemy, and people who possess people."""
    for unit in now.position.units.values():
        holder = now.holder(unit)
        if holder is None:
            continue
        field = f"units.{unit.id}.bonds.{marks.POSSESSES}"
        if not now.is_weapon(unit):
            text = f"{unit.id} is no support weapon and is possessed by nobody"
            yield Violation(POSITION_RULE, text, units=(unit.id,), field=field)
        elif not now.is_personnel(holder):
            text = f"{holder.id} possesses no weapon"
            yield Violation(POSITION_RULE, text, units=(unit.id,), field=field)
        elif holder.side != unit.side:
            text = f"{unit.id} of {unit.side} is possessed by {holder.id} of {holder.side}"
            yield Violation(POSITION_RULE, text, units=(unit.id,), field=field)
    for unit in now.position.units.values():
        if unit.has(marks.DM) and not unit.has(marks.BROKEN):
            text = f"{unit.id} is DM and not broken"
            yield Violation("ASL-DM-1", text, units=(unit.id,), field=f"units.{unit.id}.flags")
