"""The books of the players: markers, tokens and tracks that have to follow what was done."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.books.begun_tracks import begins
from hexmarshal.referee.books.lapses import Lapses
from hexmarshal.referee.books.loss_books import LossBooks
from hexmarshal.referee.books.part_payments import PartPayments
from hexmarshal.referee.books.prices import Prices
from hexmarshal.referee.case.mind import Due
from hexmarshal.referee.check.findings import Certainty, Status
from hexmarshal.referee.drags.drag_run import Now
from hexmarshal.referee.interpret.log_dice import LogDice
from hexmarshal.referee.interpret.told_rules import in_order
from hexmarshal.referee.results.sign_rules import broken_by_tracks

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.check.findings import Entry
    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.reading.bookkeeping import Item, Kept

__all__ = ["DueBooks"]

_TRACK: Final = "track"
_CELL: Final = "cell"
# So many steps after something was done it is paid for.
_SOON: Final = 2


class DueBooks:
    """The books have to be right when the next phase begins; players may be early or late.

    Whatever is not, is a wrong result; from there on the table is believed.
    """

    def __init__(self, case: Case, *, tokens: bool = False) -> None:
        """With `tokens`, players lay such on units, and take them off when they are done with."""
        self._case = case
        self._tokens = tokens
        self.lapses = Lapses(case, tokens=tokens)
        self._prices, self._part = Prices(case), PartPayments(case)
        self.losses = LossBooks(case)

    def incur(self, number: int, before: Position, after: Position, now: Now) -> None:
        """The action of an entry was carried out: what the books do not show yet is due."""
        case, mind = self._case, self._case.mind
        for item in case.books.changed(before, after):
            since, due = self._wrong_since(item, now), mind.due.get(item)
            if self._is_paid_with_it(item, number, due):
                # A drag is looked at when something else begins: it was paid for before that.
                mind.due[item] = Due(now, number, last=number, moved=True)
                continue
            self._tell_overtaken(item, number, before, after)
            if case.item_apart(item):
                known = since or self._still_owed(item, number)
                known = known or Due(now, number, earlier=due, off=self.lapses.off(before, item))
                mind.due[item] = replace(known, last=number)
            elif since is not None and since.entry is None and not begins(case, since, number):
                # By chance, perhaps: it was changed before, and this is still to be marked.
                continue
            else:
                mind.due.pop(item, None)

    def _is_paid_with_it(self, item: Item, number: int, due: Due | None) -> bool:
        """Whether a track was moved while the action of an entry was done, or after, otherwise."""
        if item.of != _TRACK or due is None or due.entry is not None:
            return False
        since = self._case.mind.entries[number].first
        return due.now.step >= since and self._case.item_apart(item)

    def tell_drags(self, items: Collection[Item], now: Now) -> None:
        """Tracks are moved for what is done now: tell of drags before it that were paid in part.

        Such as one of two cells, where each is an action, and one was paid.
        """
        mind = self._case.mind
        told: dict[Item, Due] = {}
        for item in items:
            due = mind.due.get(item)
            if due is None or due.entry is None or self._part.first_of_drag(due.entry) == due.entry:
                continue
            since = mind.entries[due.entry].first
            moved = any(since <= step < now.step for step in mind.paid.get(item, ()))
            if moved and self._part.is_paid(item, replace(due, moved=True)):
                told[item] = due
        self.settle(told)

    def tell_prices(self) -> set[int]:
        """Something else begins: who has paid a part of a price for what he did pays no more.

        Returns the entries of which that is told now.
        """
        mind = self._case.mind
        tracks = {item: due for item, due in mind.due.items() if item.of == _TRACK}
        tracks = {i: d for i, d in tracks.items() if not self.losses.comes_of_loss(i, d)}
        due = ((d.entry, d, item) for item, d in tracks.items() if d.entry is not None)
        paid = {number for number, one, item in due if self._part.is_paid(item, one)}
        if paid:
            self.settle({item: due for item, due in tracks.items() if due.entry in paid})
        return paid

    def _tell_overtaken(self, item: Item, number: int, before: Position, after: Position) -> None:
        """A track was left elsewhere than it should be, and the rules set it anew now.

        Who pays early is on the way to what the rules will have, and who moves it up for somebody
        who is made ready may have paid for what he does with that; what is used up nobody needs to
        count.
        """
        mind = self._case.mind
        due = mind.due.get(item)
        if item.of != _TRACK or due is None or not (due.moved or due.entry is not None):
            return
        old, new = self.lapses.off(before, item), self.lapses.off(after, item)
        if old is None or new is None or old * new >= 0 or begins(self._case, due, number):
            return
        if due.entry is None or self._case.books.expected(before, item):
            mind.belief = before
            self.settle({item: due})
            mind.belief = after

    def _wrong_since(self, item: Item, now: Now) -> Due | None:
        """What was wrong already before the last step is wrong since then."""
        case, mind = self._case, self._case.mind
        due = mind.due.get(item)
        if due is None or due.now.step >= now.step - 1:
            return None
        told = due.entry is None or (
            mind.entries[due.entry].status is Status.LEGAL
            and not case.history.is_unpaid_for(due.entry)
        )
        return due if told else None

    def _still_owed(self, item: Item, number: int) -> Due | None:
        """What was due before, if it was only paid off by what was paid for this drag."""
        step, due = self._case.mind.paid_off.get(item, (0, None))
        entry = self._case.mind.entries[number]
        return due if entry.path and step >= entry.first else None

    def see(self, changes: Mapping[Item, Kept], now: Now) -> None:
        """Markers were placed or taken, or a track was moved."""
        case, mind = self._case, self._case.mind
        case.sights.books.update(changes)
        mind.kept |= {(item.of, item.name) for item in changes}
        for item in changes:
            due = mind.due.get(item) or Due(now, off=self.lapses.off(mind.belief, item))
            if not case.item_apart(item):
                mind.due.pop(item, None)
                if item.of == _TRACK and due.entry is not None:
                    mind.paid_off[item] = now.step, due
            elif due.earlier is not None and due.off == self.lapses.off(mind.belief, item):
                # The price was paid, and what was wrong before still is.
                mind.due[item] = replace(due.earlier, last=due.last)
            elif due.entry is None and due.now is now and self._pays_for_wrong(item, now):
                case.believe_items((item,))
            else:
                mind.due[item] = replace(due, moved=True)

    def _pays_for_wrong(self, item: Item, now: Now) -> bool:
        """Whether a track is moved for what was just done against the rules: it belongs to it."""
        case, mind = self._case, self._case.mind
        wrong, off = case.history.last_violation, self.lapses.off(mind.belief, item)
        if wrong is None or item.of != _TRACK or not off:
            return False
        if off > 0 and not (wrong.dice or wrong.path):
            # Who fires against the rules may be made ready for it late.
            return False
        mover = now.side or wrong.side
        soon = wrong.last >= now.step - _SOON
        own = soon and wrong.side == mover and wrong.kind in case.rules.game.actions
        return own and self._may_cost(wrong, item)

    def _may_cost(self, wrong: Entry, item: Item) -> bool:
        """Whether something against the rules would have moved a track, or nobody knows."""
        case = self._case
        if wrong.before is None or not wrong.action:
            return True
        try:
            done = case.rules.apply(wrong.before, case.action_of(wrong), LogDice((), assume=True))
        except HexMarshalError:
            return True
        return item in case.books.changed(wrong.before, done.position)

    def settle_but_for_late(self) -> None:
        """Nothing explains what was seen: tell of the books, but for what may be paid for yet.

        Such as for a counter that was turned without a word.
        """
        case, mind = self._case, self._case.mind
        late = {
            item
            for item, due in mind.due.items()
            if item.of == _TRACK and not due.moved and due.entry in mind.unsaid
            if due.entry is not None and not case.history.is_unpaid_for(due.entry)
        }
        late |= {
            item
            for item, due in mind.due.items()
            if item.of == _TRACK and begins(case, due, len(mind.entries))
        }
        self.settle({item: due for item, due in mind.due.items() if item not in late})

    def settle(self, old: Mapping[Item, Due], *, ended: bool = False) -> None:
        """The phase in which these were due is over, or the log has `ended`."""
        case, mind = self._case, self._case.mind
        wrong: dict[int, list[Item]] = {}
        unasked: dict[Now, list[Item]] = {}
        for item, due in old.items():
            if mind.due.get(item) != due:
                continue
            del mind.due[item]
            last = None if due.last is None else mind.entries[due.last]
            no_time = ended and last is not None and case.history.has_no_time(last)
            # Who moved a track last of all may have paid for what the log no longer shows.
            no_time |= ended and item.of == _TRACK and due.now.step >= mind.step
            # What lies on cells is looked at when the phase is over.
            no_time |= (
                ended and item.of == _CELL and last is not None and case.history.goes_on(last)
            )
            if not case.item_apart(item) or no_time or self.lapses.is_put_away(item):
                continue
            if self.lapses.is_done_with(item) or self.lapses.is_lost(item, due):
                continue
            if self.losses.waits(item, due):
                mind.due[item] = due
                continue
            if not due.over and self.lapses.is_taken_early(item, due):
                # The next phase may end by doing just this.
                mind.due[item] = replace(due, over=True)
                continue
            early = self.lapses.is_paid_early(item, due) or self.lapses.is_answer(item, due)
            if not (ended or due.over) and early:
                # The tracker may be late.
                mind.due[item] = replace(due, over=True)
                continue
            ended_phase = due.entry is not None and mind.entries[due.entry].ends_phase
            if ended_phase and self.lapses.is_left_behind(item):
                # What is over is cleared away some time before the next is laid.
                continue
            if item.of == _TRACK and not due.moved and case.history.may_wait(due.entry):
                mind.due[item] = due
                continue
            number = due.entry
            if number is None and not self._tokens:
                # Whatever lies on a unit right behind dice about it is their result to players.
                number = case.history.rolled_about(item.place, due.now.step)
            if number is None:
                unasked.setdefault(due.now, []).append(item)
            else:
                if due.last is not None and self.lapses.is_unpaid(item, due):
                    # Each that nobody paid for is told.
                    self._wrong_books(due.last, [item], ended=ended)
                wrong.setdefault(number, []).append(item)
        for number, items in wrong.items():
            self._wrong_books(number, items, ended=ended)
            case.believe_items([item for item in items if not self.lapses.is_left_behind(item)])
        for now, items in unasked.items():
            # What was told of a moment once is not told again when it is looked at otherwise.
            new = [item for item in items if (now.step, item) not in mind.told]
            if new:
                case.add_change("; ".join(self._told(new)), now, broken=broken_by_tracks(case, new))
            mind.told |= {(now.step, item) for item in new}
            case.believe_items(items)
            # Whoever got a token for a reason that nobody knows may act by it.
            mind.doubt |= self._tokens and any(item.place in mind.belief.units for item in items)

    def _wrong_books(self, number: int, items: Sequence[Item], *, ended: bool) -> None:
        case, entry = self._case, self._case.mind.entries[number]
        wrong_result = entry.status is Status.VIOLATION and bool(entry.result)
        if entry.status is not Status.LEGAL and not wrong_result:
            return
        if case.history.is_slight(number):
            kept = [item for item in items if item.of == _TRACK and case.is_kept(item)]
            items = [] if case.history.is_unpaid_for(number) else kept
        if ended and case.history.has_no_time(entry):
            return
        # Of the cells that somebody passes through who is dropped far off, nobody knows.
        dragged = entry.path if entry.kind in case.rules.game.actions else ()
        items = [i for i in items if i.of != _CELL or not dragged or i.place in dragged]
        if not items:
            return
        unkept = [item for item in items if item.of == _TRACK and not case.is_kept(item)]
        if unkept and entry.ends_phase:
            # It came about by itself, and these players may keep it on paper.
            now = Now(entry.last, entry.player, entry.side)
            told = case.entry(
                now, entry.last, "; ".join(self._told(unkept)), "change", Status.UNKNOWN
            )
            case.unknown(told, "nobody has moved it in this log: perhaps it is kept elsewhere")
            items = [item for item in items if item not in unkept]
            if not items:
                return
        # Players are late with their books, or leave them to memory.
        certainty = entry.certainty if wrong_result else Certainty.LIKELY
        wrong, price = self._told(items, entry.drawn), self._prices.of(entry, items)
        refused = () if wrong_result or price is None else self._prices.refused(entry, items)
        if refused:
            case.mind.entries[number] = replace(
                entry,
                status=Status.VIOLATION,
                certainty=certainty,
                violations=in_order(case.rules.game, refused),
                right=str(price),
            )
        elif price is None:
            case.amend_result(number, wrong, certainty)
        else:
            case.amend_result(number, wrong, certainty, rule=price.rule, right=str(price))

    def _told(self, items: Iterable[Item], drawn: str = "") -> list[str]:
        belief, shown = self._case.mind.belief, self._case.sights.books
        # In an order that every run of the same log has.
        return list(self._case.books.differences(belief, shown, sorted(items), drawn))

    def before(self, entry: int) -> dict[Item, Due]:
        """What was due before the action of an entry."""
        mind = self._case.mind
        step = mind.entries[entry].first
        return {
            item: due
            for item, due in mind.due.items()
            if (due.now.step < step if due.entry is None else due.entry < entry)
        }

    def believe(self, first: int) -> None:
        """Nothing can be said of what is due since an entry: go on from the table.

        What was due before that still is.
        """
        old = self.before(first)
        self._case.believe_items([item for item in self._case.mind.due if item not in old])
        self._case.mind.due = old
