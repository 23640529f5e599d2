"""What may be concealed or hidden at set-up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.concealment.cover import in_concealment_terrain
from hexmarshal.games.asl.state import marks
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.asl.state.situation import Situation

__all__ = ["cover_faults"]


def cover_faults(now: Situation) -> Iterator[Violation]:
    """ASL-A12.12a, ASL-HIP-1: units in good order, in concealment terrain."""
    for unit in now.position.units.values():
        if not unit.cell or not now.is_hidden(unit) or not now.is_personnel(unit):
            continue
        rule = "ASL-HIP-1" if unit.has(marks.HIDDEN) else "ASL-A12.12a"
        name, cell = unit.id, unit.cell
        if not in_concealment_terrain(now, now.at(unit)):
            text = f"{name} in {cell} is not in concealment terrain"
            yield Violation(rule, text, "", (cell,), (name,), f"units.{name}.cell")
        if not now.good_order(unit):
            text = f"{name} is not in good order"
            yield Violation(rule, text, "", (cell,), (name,), f"units.{name}.flags")
