"""Counts and lists in words, for all that is printed to people."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["counted", "some"]


def counted(number: int, one: str, many: str = "") -> str:
    """`1 piece`, `2 pieces`, `0 pieces`; `many` where an s at the end does not make it.

    A verb may belong to it: `counted(2, "piece is", "pieces are")`.
    """
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def some(names: Iterable[str], most: int, between: str = ", ") -> str:
    """The first `most` names, and how many there are besides: `a, b and 3 more`."""
    listed = list(names)
    more = f" and {len(listed) - most} more" if len(listed) > most else ""
    return between.join(listed[:most]) + more
