"""Counts in words: one helper for all that is printed to people."""

from __future__ import annotations

__all__ = ["counted"]


def counted(number: int, one: str, many: str = "") -> str:
    """`1 piece`, `2 pieces`, `0 pieces`; `many` where an s at the end does not make it.

    A verb may belong to it: `counted(2, "piece is", "pieces are")`.
    """
    return f"{number} {one if number == 1 else many or f'{one}s'}"
