"""What a scenario may hold: plain values that are exact, of sane size and proper text."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.geometry.values_with_lines import Keys

__all__ = ["unfit"]

_WHOLE: Final = 2**63
_DEEPEST: Final = 32


def unfit(value: object, keys: Keys = ()) -> Iterator[tuple[Keys, str]]:
    """Every part of a value that no scenario can hold: where it is, and why."""
    if isinstance(value, Decimal | float):
        text = f"{value} is not whole: write a fraction as text, such as '1/2', a name in quotes"
        yield keys, text
    elif isinstance(value, int) and not -_WHOLE <= value < _WHOLE:
        yield keys, "a whole number must fit into 64 bits"
    elif isinstance(value, str):
        if any("\ud800" <= char <= "\udfff" for char in value):
            yield keys, "half of a character (a lone surrogate) is no text"
    elif isinstance(value, dict | list) and len(keys) >= _DEEPEST:
        yield keys, f"nested deeper than {_DEEPEST} levels"
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from unfit(key, keys)
            yield from unfit(inner, (*keys, key))
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from unfit(inner, (*keys, i))
