"""Units in hand: turned where they stand, by one key after the other, or shown and then turned."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hexmarshal.referee.interpret.deed import changed_where_it_stands

if TYPE_CHECKING:
    from collections.abc import Callable

    from hexmarshal.referee.hearing.heard import Seen

__all__ = ["Handling"]

_HOW: Final = frozenset({"facing", "seen_by"})


class Handling:
    """Keeps back what is done with one unit in hand until something else happens.

    A key turns a counter by one side: who turns it on, step by step, turns it once, and who has
    shown it before that chooses how it lies.
    """

    def __init__(self, watch: Callable[[Seen], None]) -> None:
        """`watch` is told of each step, once nothing more belongs to it."""
        self._watch = watch
        self.kept: Seen | None = None

    def see(self, seen: Seen) -> None:
        """Something happened on the table, or nothing in this step."""
        if self.kept is not None and _goes_on(self.kept, seen):
            first, last = self.kept.deeds[0], seen.deeds[0]
            self.kept = replace(seen, deeds=(replace(first, after=last.after),))
            return
        self.let_go()
        if _is_in_hand(seen):
            self.kept = seen
        else:
            self._watch(seen)

    def let_go(self) -> None:
        """Something else begins."""
        kept, self.kept = self.kept, None
        if kept is not None:
            self._watch(kept)


def _is_in_hand(seen: Seen) -> bool:
    """Whether one unit was turned or shown, and nothing else happened."""
    if len(seen.deeds) != 1 or seen.books or seen.handed_over or seen.cards:
        return False
    changed = changed_where_it_stands(seen.deeds[0])
    return bool(changed) and changed <= _HOW


def _goes_on(kept: Seen, seen: Seen) -> bool:
    """Whether the same player turns the same unit on."""
    if not _is_in_hand(seen) or kept.now.player != seen.now.player:
        return False
    first, last = kept.deeds[0], seen.deeds[0]
    return first.unit == last.unit and first.after == last.before
