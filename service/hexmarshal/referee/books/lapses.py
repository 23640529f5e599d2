"""Books that are not as the rules have them, where nobody owes anything, or not yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.referee.drags.drag_actions import named
from hexmarshal.table.reading.bookkeeping import shown_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.case.mind import Due
    from hexmarshal.referee.check.findings import Entry
    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.reading.bookkeeping import Item

__all__ = ["Lapses"]

_TRACK: Final = "track"


class Lapses:
    """Tells how far books are off, and whether that is forgiven: cleared away, early, or lost."""

    def __init__(self, case: Case, *, tokens: bool = False) -> None:
        """With `tokens`, players lay such on units, and take them off when they are done with."""
        self._case, self._tokens = case, tokens

    def off(self, position: Position, item: Item) -> int | None:
        """By how much the table shows more than a position has; None if it is no number."""
        case = self._case
        known, seen = case.books.expected(position, item), shown_of(case.sights.books, item)
        return seen - known if isinstance(known, int) and isinstance(seen, int) else None

    def is_unpaid(self, item: Item, due: Due) -> bool:
        """Whether nothing was paid for the last of several things that cost points of a track."""
        mind = self._case.mind
        if item.of != _TRACK or due.moved or due.last in (None, due.entry):
            return False
        entry = mind.entries[due.last or 0]
        if any(step >= entry.first for step in mind.paid.get(item, ())):
            # What is left was to be paid before.
            return False
        if entry.before is None or entry.after is None or not entry.path:
            return False
        return entry.after.track(item.name) < entry.before.track(item.name)

    def is_paid_early(self, item: Item, due: Due) -> bool:
        """Whether a track was lowered for nothing, and the same side acts in the next phase."""
        mind = self._case.mind
        last = mind.entries[-1] if mind.entries else None
        if item.of != _TRACK or due.entry is not None or last is None or last.before is None:
            return False
        same = last.ends_phase and last.before.active == mind.belief.active
        off = self.off(mind.belief, item)
        return same and len(mind.belief.active) == 1 and off is not None and off < 0

    def is_answer(self, item: Item, due: Due) -> bool:
        """Whether points were put in with an answer that nobody gave in words: they show later."""
        mind = self._case.mind
        answers = due.entry in mind.unsaid and not due.moved and item.of == _TRACK
        before = mind.entries[due.entry].before if answers and due.entry is not None else None
        return before is not None and bool(before.state)

    def is_left_behind(self, item: Item) -> bool:
        """Whether a token still lies on its unit that the rules have taken off."""
        off = self.off(self._case.mind.belief, item)
        on_unit = self._tokens and item.place in self._case.mind.belief.units
        return on_unit and off is not None and off > 0

    def is_lost(self, item: Item, due: Due) -> bool:
        """Whether points are gone that nobody paid with: nobody counts those.

        As by a pass, or with the unit whose points they were.
        """
        case = self._case
        entry = None if due.entry is None else case.mind.entries[due.entry]
        if item.of != _TRACK or entry is None or not entry.action:
            return False
        if case.books.expected(case.mind.belief, item):
            return False
        names = {*named(case.action_of(entry))}
        idle = not entry.dice and not any(name in case.mind.belief.units for name in names)
        return idle or self._ends_others(entry, names)

    def _ends_others(self, entry: Entry, names: Collection[str]) -> bool:
        """Whether somebody else has no more, after an action, what ends by itself."""
        before, after = entry.before, entry.after
        if before is None or after is None:
            return False
        ending = frozenset(self._case.rules.game.overruled)
        old = (unit for unit in before.units.values() if unit.side != entry.side)
        return any(
            unit.flags & ending - (after.units[unit.id].flags if unit.id in after.units else set())
            for unit in old
            if unit.id not in names
        )

    def is_put_away(self, item: Item) -> bool:
        """Whether a token is not in the box that the rules keep it in: it may lie anywhere.

        Nor need it lie on who is in such a box.
        """
        belief = self._case.mind.belief
        off = self.off(belief, item)
        boxes = self._case.rules.game.boxes if self._tokens else ()
        bearer = belief.units.get(item.place)
        place = item.place if bearer is None else bearer.box
        return any(box.key == place for box in boxes) and off is not None and off < 0

    def is_done_with(self, item: Item) -> bool:
        """Whether tokens lie on a unit of which each was turned up elsewhere: nobody needs them."""
        case, belief = self._case, self._case.mind.belief
        off = self.off(belief, item)
        if not self._tokens or item.place not in belief.units or not off or off < 0:
            return False
        place = case.books.place
        there = [m for m in case.sights.markers(belief).values() if m.kind == item.name]
        there = [m for m in there if place(belief, m) == item.place and m.known_to is None]
        known = [m for m in belief.markers.values() if m.kind == item.name and m.known_to is None]
        done = {(m.side, m.values) for m in known if place(belief, m) != item.place}
        return sum((m.side, m.values) in done for m in there) >= off

    def is_taken_early(self, item: Item, due: Due) -> bool:
        """Whether a token is off its unit that the rules may yet take off."""
        case = self._case
        if not self._tokens or due.entry is not None or item.place not in case.mind.belief.units:
            return False
        known, seen = case.books.expected(case.mind.belief, item), shown_of(case.sights.books, item)
        return isinstance(known, int) and isinstance(seen, int) and seen < known
