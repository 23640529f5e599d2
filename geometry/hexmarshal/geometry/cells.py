"""The error for a cell that is not on a map."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.errors import GeometryError, Place
from hexmarshal.errors.names import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["unknown_cell"]


def unknown_cell(name: object, known: Iterable[str] = ()) -> GeometryError:
    """The error for a cell that is not on the map, with the nearest known names as a hint."""
    return GeometryError(
        f"there is no cell {name!s} on this map",
        place=Place(cell=str(name)),
        hint=did_you_mean(name, known),
    )
