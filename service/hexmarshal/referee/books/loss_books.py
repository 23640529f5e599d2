"""What a loss moves on tracks: points, and what the side of the lost unit has left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.case.mind import Due
    from hexmarshal.referee.check.findings import Entry
    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.reading.bookkeeping import Item

__all__ = ["LossBooks"]

_TRACK: Final = "track"


class LossBooks:
    """Knows which books come of units that left the map, and not of what an action cost.

    Players keep those when they take the counters off.
    """

    def __init__(self, case: Case) -> None:
        self._case = case

    def comes_of_loss(self, item: Item, due: Due) -> bool:
        """Whether a track that nobody has moved yet would be moved for a loss."""
        if item.of != _TRACK or due.entry is None or due.moved:
            return False
        return item in self.of(self._case.mind.entries[due.entry])

    def waits(self, item: Item, due: Due) -> bool:
        """Whether it comes of the loss of somebody whose counter lies on the map still."""
        fallen = self._case.sights.fallen()
        if not fallen or not self.comes_of_loss(item, due):
            return False
        entry = self._case.mind.entries[due.entry or 0]
        return not fallen.isdisjoint(_lost(entry.before, entry.after))

    def leave(self, number: int, units: Iterable[str]) -> None:
        """It was told that these were not lost as they should be: so nothing comes of that."""
        case, mind = self._case, self._case.mind
        entry, shown = mind.entries[number], case.sights.units
        lost = _lost(entry.before, entry.after)
        if not any(unit in lost and unit in shown and shown[unit].where.cell for unit in units):
            return
        due = {item: one for item, one in mind.due.items() if one.entry == number}
        left = [item for item, one in due.items() if self.comes_of_loss(item, one)]
        case.believe_items(left)
        mind.due = {item: one for item, one in mind.due.items() if item not in left}

    def of(self, entry: Entry) -> frozenset[Item]:
        """The tracks that an entry moved, but for those that paid for it."""
        before, after = entry.before, entry.after
        if before is None or after is None or not _lost(before, after):
            return frozenset()
        moved = {
            item: before.track(item.name) - after.track(item.name)
            for item in self._case.books.changed(before, after)
            if item.of == _TRACK
        }
        price = self._price(entry, before)
        lowered = sum(by for by in moved.values() if by > 0)
        return frozenset(
            item for item, by in moved.items() if by <= 0 or (price and lowered - by >= price)
        )

    def _price(self, entry: Entry, before: Position) -> int:
        try:
            cost = self._case.rules.check(before, self._case.action_of(entry)).cost
        except (HexMarshalError, LookupError, ValueError):
            return 0
        return int(cost.total)


def _lost(before: Position | None, after: Position | None) -> frozenset[str]:
    """Who was on the map before, and is not after."""
    if before is None or after is None:
        return frozenset()
    there = after.units
    on_map = (name for name, unit in before.units.items() if unit.cell or unit.carrier)
    return frozenset(u for u in on_map if u not in there or there[u].box)
