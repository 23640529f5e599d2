"""Versions as each seat counts them: by the events that it was told of, and by no others."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from hexmarshal.rules.state.view import NOBODY
from hexmarshal.service.calls import statuses

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.service.store import EventRow

__all__ = ["SeatVersions", "is_told"]


def is_told(row: EventRow, side: str) -> bool:
    """Whether a side is told of an event; who plays none is not, where any side is not."""
    return side not in row.untold and not (side == NOBODY and row.untold)


class SeatVersions:
    """The versions of one match: the store's, which count all, and those of each seat.

    The side "" stands for whoever sees everything: its versions are the store's. NOBODY looks on.
    """

    def __init__(self, sides: Iterable[str]) -> None:
        self._count = 0
        self._told: dict[str, list[int]] = {side: [] for side in (*sides, NOBODY)}
        # For each seat, the version since which nothing happened that bears on its decisions.
        self._steady: dict[str, int] = dict.fromkeys(["", *self._told], 0)

    def add(self, row: EventRow) -> None:
        """One event more."""
        self._count = row.version
        # What happens around the table leaves everybody's decisions as they were.
        if NOBODY not in row.aside:
            self._steady[""] = row.version
        for side, told in self._told.items():
            if not is_told(row, side):
                continue
            told.append(row.version)
            if side not in row.aside:
                self._steady[side] = len(told)

    def newest(self, side: str) -> int:
        """How many events a seat was told of."""
        return len(self._told[side]) if side else self._count

    def number(self, side: str, version: int) -> int:
        """What a seat counts at a version of the store."""
        return bisect_right(self._told[side], version) if side else version

    def stored(self, side: str, number: int) -> int:
        """The version of the store at which a seat counts this."""
        return self._told[side][number - 1] if side and number else number

    def behind(self, row: EventRow) -> tuple[tuple[str, int], ...]:
        """Of how many events each seat was not told, with one more; none that was told of all."""
        missed = (
            (side, self._count - len(told) + (not is_told(row, side)))
            for side, told in self._told.items()
        )
        return tuple((side, count) for side, count in missed if count)

    def require_current(self, match: str, side: str, known: int) -> None:
        """Refuse a decision that was made on a version that is no longer what it was."""
        newest = self.newest(side)
        if known < self._steady[side] or known > newest:
            raise statuses.aborted(match, newest, known)
