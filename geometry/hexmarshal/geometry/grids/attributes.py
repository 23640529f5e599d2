"""Reads a component's attributes, which are all text, with an error that names the field."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, TypeAlias

from hexmarshal.errors import GeometryError, Place

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["LIMIT", "Attributes", "check_size", "flag", "initial", "number", "text", "whole"]

Attributes: TypeAlias = "Mapping[str, object]"

LIMIT = 1 << 24
"""Pixels beyond this are refused: 32-bit floats, which the engine draws with, end being exact."""

_WHOLE = re.compile(r"[+-]?[0-9]+")


def _bad(key: str, value: object, wanted: str) -> GeometryError:
    return GeometryError(f"{value!r} is not {wanted}", place=Place(field=key))


def whole(attributes: Attributes, key: str, default: int, most: int = LIMIT) -> int:
    """A whole number of pixels, digits or the like."""
    value = attributes.get(key)
    if value is None:
        return default
    if isinstance(value, str) and not _WHOLE.fullmatch(value):
        raise _bad(key, value, "a whole number")
    if isinstance(value, bool) or not isinstance(value, int | str) or len(str(value)) > 12:
        raise _bad(key, value, "a whole number")
    number = int(value)
    if abs(number) > most:
        raise _bad(key, value, f"between -{most} and {most}")
    return number


def number(attributes: Attributes, key: str, default: float) -> float:
    """A finite number."""
    value = attributes.get(key)
    if value is None:
        return default
    try:
        found = float(value.strip().rstrip("dDfF") if isinstance(value, str) else value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        raise _bad(key, value, "a number") from None
    if not math.isfinite(found):
        raise _bad(key, value, "a finite number")
    return found


def check_size(key: str, found: float, least: int) -> None:
    """Refuse a width or height of cells that pixels could not tell apart, or an absurd one."""
    if not least <= found <= LIMIT:
        raise GeometryError(
            f"cells cannot have {key} {found:g}",
            place=Place(field=key),
            hint=f"give a number of pixels from {least} to {LIMIT}",
        )


def flag(attributes: Attributes, key: str, default: bool) -> bool:
    """True or false; as in the engine, any other text is false."""
    value = attributes.get(key)
    if value is None:
        return default
    return value if isinstance(value, bool) else str(value).lower() == "true"


def text(attributes: Attributes, key: str, default: str) -> str:
    """Any text."""
    value = attributes.get(key)
    return default if value is None else str(value)


def initial(attributes: Attributes, key: str, default: str) -> str:
    """The first letter of a choice, which alone decides."""
    found = text(attributes, key, default)
    if not found:
        raise _bad(key, found, "a choice")
    return found[0]
