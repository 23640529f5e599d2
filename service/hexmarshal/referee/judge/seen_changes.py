"""What steps changed on the table, before anybody judges it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.referee.interpret.deed import dragged_along

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.interpret.deed import Deed
    from hexmarshal.table.reading.bookkeeping import Item, Kept

__all__ = ["SeenChanges"]


class SeenChanges:
    """Keeps in sight what the table shows, and leaves out what was not done by itself."""

    def __init__(self, case: Case) -> None:
        self._case = case

    def without_passengers(self, deeds: Sequence[Deed]) -> list[Deed]:
        """All that was done but that somebody was dragged along by what carries him."""
        carried = dragged_along(deeds, self._case.mind.belief.units)
        self.see((deed for deed in deeds if deed.unit in carried), {})
        return [deed for deed in deeds if deed.unit not in carried]

    def without_left_behind(
        self, deeds: Sequence[Deed], books: Mapping[Item, Kept]
    ) -> Mapping[Item, Kept]:
        """What changed in the books but markers that stayed where their unit was dragged from."""
        case = self._case
        case.sights.left -= books.keys()
        dragged = {deed.unit for deed in deeds if deed.cells and deed.source}
        left = {item for item, kept in books.items() if item.place in dragged and not kept}
        # Who stands where it lies now has got nothing by that.
        units, kinds = case.mind.belief.units, {item.name for item in left}
        sources = {deed.source for deed in deeds if deed.unit in dragged}
        left |= {
            item
            for item in books
            if item.name in kinds and item.place in units and units[item.place].cell in sources
        }
        case.sights.left |= left
        case.sights.books.update({item: books[item] for item in left})
        return {item: kept for item, kept in books.items() if item not in left}

    def see(self, deeds: Iterable[Deed], books: Mapping[Item, Kept]) -> None:
        """Look at what the table shows now, without a thought."""
        units = self._case.sights.units
        for deed in deeds:
            if deed.after is not None:
                units[deed.unit] = deed.after
            else:
                units.pop(deed.unit, None)
        self._case.sights.books.update(books)
