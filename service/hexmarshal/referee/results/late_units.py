"""Units that were not as a result leaves them when something else began, and are so later."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.referee.case.mind import Late
from hexmarshal.referee.case.table_comparison import apart, changed
from hexmarshal.referee.drags.drag_run import Now
from hexmarshal.referee.interpret.words import told_result
from hexmarshal.referee.results.unpaid_results import tell_unpaid_again
from hexmarshal.referee.tokens.draw_search import fitting_draws
from hexmarshal.table.reading.bookkeeping import Item

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hexmarshal.referee.books.due_books import DueBooks
    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.case.mind import Done, Due
    from hexmarshal.referee.check.findings import Entry
    from hexmarshal.referee.tokens.draw_search import Drawn
    from hexmarshal.rules.state.position import Position

__all__ = ["LateUnits"]


class LateUnits:
    """What was told as not carried out is forgiven once it is done."""

    def __init__(self, case: Case, books: DueBooks) -> None:
        self._case, self._books = case, books

    def wait_for_marks(self, due: Mapping[Item, Due], told: Mapping[int, Entry]) -> None:
        """Markers that were due, and are no more, may be laid later: the unit waits for them.

        With what was `told` of each entry before.
        """
        mind = self._case.mind
        gone = {item: one for item, one in due.items() if item not in mind.due}
        mind.late = {**self._to_mark(gone, told), **mind.late}

    def _to_mark(self, due: Mapping[Item, Due], told: Mapping[int, Entry]) -> dict[str, Late]:
        """The units on which markers are due that were drawn."""
        mind = self._case.mind
        draws = {done.entry: done for done in mind.draws if done.entry in told}
        return {
            item.place: Late(
                mind.belief.units[item.place],
                one.entry,
                told[one.entry],
                mind.step,
                draws[one.entry],
                marked=True,
            )
            for item, one in due.items()
            if item.of == "marker" and item.place in mind.belief.units
            if one.entry is not None and one.entry in draws
        }

    def carry_out(self, units: Iterable[str]) -> None:
        """What was owed when something else began is done now: so it is no violation."""
        case, mind = self._case, self._case.mind
        units = tuple(units)
        if mind.done is None or mind.done.after is not mind.belief:
            due = {item: one for item, one in mind.due.items() if item.place in units}
            mind.late = {**self._to_mark(due, dict(enumerate(mind.entries))), **mind.late}
        owed = [unit for unit in units if unit in mind.late]
        right = {unit: mind.late[unit].unit for unit in owed}
        done = next((mind.late[unit].done for unit in owed), None)
        found = (
            None if done is None else fitting_draws(case.rules, case.books, done, case.sights, owed)
        )
        if done is not None and found is not None:
            # With the draws that the table shows it came to something else.
            after = found[1].position
            right |= {unit: after.units.get(unit) for unit in changed(done.before, after)}
            mind.unpaid = tuple(one for one in mind.unpaid if one.entry != done.entry)
        forgiven = False
        for unit, known in right.items():
            there = mind.belief.without_unit(unit) if unit in mind.belief.units else mind.belief
            there = there if known is None else there.with_unit(known)
            late = mind.late.get(unit)
            if apart(there, case.sights.units, unit) or self._lacks_marks(late, unit, found):
                continue
            mind.belief = there
            mind.owed.pop(unit, None)
            mind.late.pop(unit, None)
            if late is None:
                continue
            forgiven |= late.marked
            if all(one.entry != late.entry for one in mind.late.values()):
                tell_unpaid_again(case, late.entry, _drawn_anew(late, found))
        if forgiven and done is not None:
            self._book(done, done.after if found is None else found[1].position)

    def _lacks_marks(self, late: Late | None, unit: str, found: Drawn | None) -> bool:
        """Whether there lies another marker on a unit than the one that it waits for."""
        case = self._case
        if late is None or late.done is None or not late.marked:
            return False
        after = late.done.after if found is None else found[1].position
        items = {Item("marker", marker.kind, unit) for marker in after.markers_on(unit)}
        items |= {item for item in case.sights.books if item.of == "marker" and item.place == unit}
        return any(case.books.apart(after, case.sights.books, item) for item in items)

    def _book(self, done: Done, after: Position) -> None:
        """What comes of the marker that was drawn: what it brings, and where it lies."""
        case, mind = self._case, self._case.mind
        before, old, number = mind.belief, done.after, done.entry
        tracks = {
            name: before.track(name) + after.track(name) - old.track(name)
            for name in after.tracks
            if after.track(name) != old.track(name)
        }
        for name, value in tracks.items():
            mind.belief = mind.belief.with_track(name, value)
        drawn = [p for name, p in after.piles.items() if old.pile(name) == before.pile(name)]
        mind.belief = mind.belief.with_pile(*drawn)
        laid = (*case.books.changed(done.before, old), *case.books.changed(done.before, after))
        case.believe_items([i for i in laid if i.of == "marker" and i.place in before.units])
        entry = mind.entries[number]
        now = Now(mind.step, entry.player, entry.side)
        self._books.incur(number, before, mind.belief, now)


def _drawn_anew(late: Late, found: Drawn | None) -> Entry:
    if found is None or not late.marked:
        return late.told
    dice, applied = found
    return replace(late.told, result=told_result(applied.resolutions, dice.drawn))
