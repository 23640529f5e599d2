"""Prices of which players have paid a part, and pay no more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.referee.check.findings import Status
from hexmarshal.table.reading.bookkeeping import shown_of

if TYPE_CHECKING:
    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.case.mind import Due
    from hexmarshal.table.reading.bookkeeping import Item

__all__ = ["PartPayments"]

_TRACK: Final = "track"


class PartPayments:
    """Tells from what is due of tracks whether something was paid for it."""

    def __init__(self, case: Case) -> None:
        self._case = case

    def is_paid(self, item: Item, due: Due) -> bool:
        """Whether what is due of a track is what is left of a price of which a part was paid."""
        return self._is_in_part(item, due) or self._is_half(item, due)

    def first_of_drag(self, number: int) -> int:
        """The first entry of the drag that one is of; one that is of none is its own."""
        mind = self._case.mind
        entry, first = mind.entries[number], number
        for at in range(number - 1, -1, -1):
            one = mind.entries[at]
            if entry.path and (one.first, one.path, one.units) == (
                entry.first,
                entry.path,
                entry.units,
            ):
                first = at
            elif at not in mind.unsaid:
                break
        return first

    def _is_in_part(self, item: Item, due: Due) -> bool:
        if item.of != _TRACK or not due.moved or due.entry is None or due.earlier is not None:
            return False
        case, entry = self._case, self._case.mind.entries[due.entry]
        if entry.before is None or entry.status is not Status.LEGAL or due.last != due.entry:
            return False
        begun = case.mind.entries[self.first_of_drag(due.entry)].before or entry.before
        had, left = begun.track(item.name), case.mind.belief.track(item.name)
        seen = shown_of(case.sights.books, item)
        part = isinstance(seen, int) and left < seen < had
        return part and not case.history.is_unpaid_for(due.entry)

    def _is_half(self, item: Item, due: Due) -> bool:
        """Whether nothing was paid on this track, and all of the same price on another."""
        case, mind = self._case, self._case.mind
        if item.of != _TRACK or due.moved or due.entry is None or due.earlier is not None:
            return False
        entry = mind.entries[due.entry]
        if entry.before is None or entry.after is None or entry.status is not Status.LEGAL:
            return False
        if due.last != due.entry or case.history.is_unpaid_for(due.entry):
            return False
        before, after = entry.before, entry.after
        changed = case.books.changed(before, after)
        tracks = [one for one in changed if one.of == _TRACK]
        price = [one for one in tracks if after.track(one.name) < before.track(one.name)]
        return item in price and any(
            not case.item_apart(other)
            and any(step >= entry.first for step in mind.paid.get(other, ()))
            for other in price
        )
