"""The faces of the counters, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hexmarshal.kit.drawing.counters import Face

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["COLOURS", "faces"]

COLOURS = {"blue": "#4d7fb8", "red": "#c8503f"}


def faces(side: str, row: Mapping[str, Any]) -> tuple[str, ...]:
    """A counter at full strength, and after the loss of a step."""
    full = row["strength"]
    values = (f"{full}-{row['move']}", f"{full / 2:g}-{row['move']}")
    return tuple(
        Face(
            COLOURS[side],
            symbol=row["arm"],
            echelon=row["size"],
            strength=value,
            reduced=lost > 0,
        ).svg()
        for lost, value in enumerate(values[: row["steps"]])
    )
