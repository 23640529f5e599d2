"""Dice that were rolled for something of which a part was paid, which is told then."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Protocol

from hexmarshal.table.reading.bookkeeping import Item

if TYPE_CHECKING:
    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.case.mind import Anchor
    from hexmarshal.referee.drags.drag_run import Now
    from hexmarshal.referee.results.pending_results import PendingResults
    from hexmarshal.referee.traces.anchor_keeper import AnchorKeeper
    from hexmarshal.referee.traces.trace_search import TraceSearch

__all__ = ["PaidInPart"]

_TRACK: Final = "track"


class _Explains(Protocol):
    def __call__(self, anchor: Anchor, now: Now, *, less: bool = False) -> bool: ...


class PaidInPart:
    """Explains dice by what players paid too little for."""

    def __init__(
        self,
        case: Case,
        results: PendingResults,
        search: TraceSearch | None,
        anchors: AnchorKeeper,
        explained: _Explains,
    ) -> None:
        """`explained` finds what was done since an anchor; with `less`, paid in part."""
        self._case, self._results, self._search = case, results, search
        self._anchors, self._explained = anchors, explained

    def explains(self, now: Now) -> bool:
        """Whether dice of a go that is over were for something of which a part was paid."""
        anchor = self._anchors.anchor()
        if anchor.spoken or not anchor.throws:
            return False
        return any(self._rolled_for_less(way, now) for way in (anchor, *anchor.later))

    def is_played(self, anchor: Anchor) -> bool:
        """Whether a card has left its hand for which dice were rolled: so nobody passed."""
        if not (anchor.cards and anchor.throws):
            return False
        shown, piles = self._case.sights.piles(), anchor.before.belief.piles.values()
        hands = [pile for pile in piles if pile.known_to and pile.name in shown]
        return any(Counter(pile.cards) - Counter(shown[pile.name]) for pile in hands)

    def _rolled_for_less(self, anchor: Anchor, now: Now) -> bool:
        """Whether dice were rolled for something of which a part was paid; then that is told.

        Whoever has used up his points may be marked so later.
        """
        search = self._search
        moved = any(item.of == _TRACK for item in anchor.items)
        if not moved or search is None or self._case.mind.run is not None:
            return False
        acting = search.made_ready(anchor.before.entries) - anchor.units
        late = replace(anchor, ignored=anchor.ignored | acting)
        if acting and self._explained(late, now):
            return True
        tracks = frozenset(Item(_TRACK, name) for name in anchor.before.belief.tracks)
        free = replace(late, ignored=late.ignored | tracks)
        if not self._explained(free, now, less=True):
            return False
        self.tell(anchor)
        return True

    def tell(self, anchor: Anchor) -> None:
        """What was found is right but for what was paid: tell that; more may be paid yet."""
        due, books = self._case.mind.due, self._results.books
        first = len(anchor.before.entries)
        found = {i: one for i, one in due.items() if one.entry is not None and one.entry >= first}
        rolled = {item: one for item, one in found.items() if anchor.throws and item.of == _TRACK}
        books.settle(rolled or {i: one for i, one in due.items() if i in anchor.items})
        self._anchors.set(anchor.ignored, replace(anchor, later=(), goes=(), origin=None))
