"""What is right by the table as players left it: then what they left there is wrong, and not it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.table_comparison import apart, believing
from hexmarshal.referee.check.findings import Status
from hexmarshal.referee.drags.drag_run import Now
from hexmarshal.referee.interpret.log_dice import LogDice
from hexmarshal.rules.values import thaw

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.results.pending_results import PendingResults
    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.reading.bookkeeping import Item

__all__ = ["ByTable"]

# So many questions in a row are answered by silence before a result is what the table shows.
_MOST_ANSWERS: Final = 6


class ByTable:
    """Goes by the table where something is right only then, and tells what was left otherwise.

    A price that was not paid, a sign taken off, a card drawn too many: players go on from what
    they see, and what they do then is no second violation.
    """

    def __init__(self, case: Case, results: PendingResults) -> None:
        self._case, self._results = case, results

    def go(self, is_right: Callable[[Position], bool]) -> bool:
        """Whether something is right by as little of the table as possible; then go on from it."""
        case, mind = self._case, self._case.mind
        belief = mind.belief
        items, marked = self._items(), [unit for unit in mind.marked if case.apart(unit)]
        cards = bool(case.misplaced_cards())
        for some, units, piles in _ways(items, marked, cards=cards):
            shown = believing(belief, case.sights.units, units)
            shown = case.books.believing(shown, case.sights.books, some)
            shown = case.with_piles(shown) if piles else shown
            if is_right(shown):
                self._tell(some, units, cards=piles)
                return True
        return False

    def _items(self) -> list[Item]:
        """What players keep in the books, and otherwise; or what comes of a violation alone."""
        case, mind = self._case, self._case.mind
        return [
            item
            for item, due in mind.due.items()
            if case.item_apart(item)
            and (due.moved or case.is_kept(item) or self._was_wrong(due.entry))
        ]

    def _was_wrong(self, number: int | None) -> bool:
        return number is not None and self._case.mind.entries[number].status is Status.VIOLATION

    def _tell(self, items: Sequence[Item], units: Sequence[str], *, cards: bool) -> None:
        case, mind = self._case, self._case.mind
        self._results.books.settle({item: mind.due[item] for item in items})
        self._results.unasked.tell_marked(units)
        if cards:
            anchor = mind.anchor
            step = anchor.cards if anchor is not None and anchor.cards else mind.step
            self._results.unasked.misplaced_cards(step)
            case.believe_piles()

    def explains_result(self, number: int, units: Sequence[str]) -> bool:
        """Whether the last action has come to what units show, with the books of the players.

        Then those are told, and the game goes on from there.
        """
        case, mind = self._case, self._case.mind
        if mind.by_books is None or mind.by_books[0] != number:
            return False
        before, entry = mind.by_books[1], mind.entries[number]
        throws = mind.rolled.throws if mind.rolled and mind.rolled.entry == number else ()
        picks = mind.done.picks if mind.done and mind.done.entry == number else ()
        action = case.rules.game.actions.decode(thaw(entry.action))
        try:
            after = case.rules.apply(before, action, LogDice(throws, picks)).position
        except HexMarshalError:
            return False
        found = self.come_to(after, units)
        if found is None:
            return False
        after, books = found, self._results.books
        signed = [unit for unit in mind.marked if apart(mind.belief, case.sights.units, unit)]
        self._results.unasked.tell_marked(signed)
        books.settle(books.before(number))
        mind.belief = after
        books.incur(number, before, after, Now(entry.last, entry.player, entry.side))
        return True

    def come_to(self, position: Position, units: Sequence[str]) -> Position | None:
        """As it is when units look as on the table, perhaps after answers in silence."""
        rules, shown = self._case.rules, self._case.sights.units
        for _ in range(_MOST_ANSWERS):
            if not any(apart(position, shown, unit) for unit in units):
                return position
            said = [rules.silence(position, side) for side in position.active]
            answer = next((one for one in said if one is not None), None)
            try:
                if answer is None or not rules.check(position, answer).legal:
                    return None
                position = rules.apply(position, answer, LogDice(())).position
            except HexMarshalError:
                return None
        return None


def _ways(
    items: Sequence[Item], units: Sequence[str], *, cards: bool
) -> Iterator[tuple[Sequence[Item], Sequence[str], bool]]:
    """What may be taken from the table: books, signs or cards alone, then all of it."""
    kinds = [bool(items), bool(units), cards]
    if items:
        yield items, (), False
    if units:
        yield (), units, False
    if cards:
        yield (), (), True
    if sum(kinds) > 1:
        yield items, units, cards
