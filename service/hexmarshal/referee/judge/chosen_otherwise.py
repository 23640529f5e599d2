"""A choice that nobody named: the one of which the table shows what it costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.mind import Otherwise
from hexmarshal.referee.case.table_comparison import apart, changed
from hexmarshal.referee.check.findings import Status
from hexmarshal.referee.drags.drag_actions import named
from hexmarshal.referee.drags.drag_run import DragRun, Now
from hexmarshal.referee.interpret.left_out import choices_left_open
from hexmarshal.referee.interpret.log_dice import LogDice
from hexmarshal.table.reading.bookkeeping import shown_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.check.findings import Entry
    from hexmarshal.referee.interpret.log_dice import Throw
    from hexmarshal.referee.judge.action_runner import ActionRunner
    from hexmarshal.referee.silence.other_numbers import OtherNumbers
    from hexmarshal.referee.silence.silent_decisions import SilentDecisions
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.reading.bookkeeping import Item

__all__ = ["ChosenOtherwise"]


class _Start(NamedTuple):
    """Where an action begins: before an entry."""

    entry: int
    before: Position


class ChosenOtherwise:
    """Takes the last thing that was done for what was marked or paid, if that was left open.

    Who only says that he fires, or drags a counter, may do it with any points, or be spent by it.
    """

    def __init__(
        self, case: Case, runner: ActionRunner, silent: SilentDecisions, numbers: OtherNumbers
    ) -> None:
        self._case, self._runner, self._silent = case, runner, silent
        self._numbers = numbers

    def marked(self, units: Collection[str]) -> None:
        """Units were marked: if the last thing done leaves them so only otherwise, it was so."""
        case, mind = self._case, self._case.mind
        number = len(mind.entries) - 1
        if number < 0:
            return
        entry = mind.entries[number]
        if not entry.action or entry.kind not in case.rules.game.actions:
            return
        if not any(case.apart(u) and (u in mind.owed or u in entry.units) for u in units):
            return
        owed = {mind.owed[unit] for unit in units if unit in mind.owed}
        if not owed <= {number, *(start.entry for start in self._starts(number, entry))}:
            return
        refused = entry.status is Status.VIOLATION and not (entry.path or entry.result)
        if not (refused or entry.status is Status.LEGAL) or number in mind.unsaid:
            return
        rolled, done = mind.rolled, mind.done
        throws = rolled.throws if rolled is not None and rolled.entry == number else ()
        picks = done.picks if done is not None and done.entry == number else ()
        for first, other, after in self._others(number, entry, throws, picks):
            about = {*changed(first.before, mind.belief), *changed(first.before, after)}
            # What is wrong besides is so in both ways.
            right = {unit for unit in about if not case.apart(unit)} | {*units}
            shows = not any(apart(after, case.sights.units, unit) for unit in right)
            if shows and not self._is_unpaid(first.before, after):
                self._do_again(number, first.entry, other, throws, picks)
                return

    def _is_unpaid(self, before: Position, after: Position) -> bool:
        """Whether it costs points that nobody has moved."""
        books, shown = self._case.books, self._case.sights.books
        costs = (item for item in books.changed(before, after) if item.of == "track")
        return any(books.apart(after, shown, item) for item in costs)

    def paid(self, moved: Collection[Item]) -> None:
        """Points were moved: if what was refused is right with just those, it was done so.

        Who only says that he waits may mean any points to wait with.
        """
        case, mind = self._case, self._case.mind
        for item in moved:
            self._numbers.paid(item, shown_of(case.sights.books, item))
        number = len(mind.entries) - 1
        entry = mind.entries[number] if mind.entries else None
        if entry is None or entry.status is not Status.VIOLATION or number in mind.unsaid:
            return
        if entry.path or entry.dice or entry.kind not in case.rules.game.actions:
            return
        for first, other, after in self._others(number, entry, (), ()):
            paid = {*case.books.changed(first.before, after)}
            if paid & {*moved} and not any(
                case.books.apart(after, case.sights.books, item) for item in paid
            ):
                mind.forks.pop(Otherwise.NOT_DONE, None)
                self._do_again(number, first.entry, other, (), ())
                return

    def begun_anew(self, moved: Collection[Item]) -> None:
        """A track was moved up for what was announced: who does it was made ready for it first.

        By the rules he may have joined others, who paid for it with what they had left.
        """
        case, mind = self._case, self._case.mind
        number = len(mind.entries) - 1
        entry = mind.entries[number] if mind.entries else None
        if entry is None or entry.status is not Status.LEGAL or number in mind.unsaid or entry.path:
            return
        then, tracks = entry.before, [item for item in moved if item.of == "track"]
        if then is None or not entry.action or entry.kind not in case.rules.game.actions:
            return
        if not any(map(self._is_raised, tracks)):
            return
        said, rolled = case.action_of(entry), mind.rolled
        throws = rolled.throws if rolled is not None and rolled.entry == number else ()
        picks = mind.done.picks if mind.done is not None and mind.done.entry == number else ()
        actors = [name for name in named(said) if name in then.units][:1]
        for ready in self._silent.ready(then, said.side, actors):
            at = self._silent.after(then, ready)
            try:
                if at is None or not case.rules.check(at, said).legal:
                    continue
                after = case.rules.apply(at, said, LogDice(throws, picks)).position
            except HexMarshalError:
                continue
            shown = case.sights.books
            if not any(case.books.apart(after, shown, item) for item in tracks):
                for item in tracks:
                    mind.due.pop(item, None)
                self._do_again(number, number, said, throws, picks, ready)
                return

    def _is_raised(self, track: Item) -> bool:
        seen = shown_of(self._case.sights.books, track)
        return isinstance(seen, int) and seen > self._case.mind.belief.track(track.name)

    def _others(
        self, number: int, entry: Entry, throws: tuple[Throw, ...], picks: tuple[int, ...]
    ) -> Iterator[tuple[_Start, Action, Position]]:
        """What else it may have been, from where, and what comes of it with the same dice."""
        rules, said = self._case.rules, self._case.action_of(entry)
        for start in self._starts(number, entry):
            for other in choices_left_open(rules.game, said):
                try:
                    if rules.check(start.before, other).legal:
                        dice = LogDice(throws, picks)
                        yield start, other, rules.apply(start.before, other, dice).position
                except HexMarshalError:
                    continue

    def _starts(self, number: int, entry: Entry) -> Iterator[_Start]:
        """Before it; or before somebody was made ready for it in silence, who then was not."""
        mind = self._case.mind
        ready = mind.entries[number - 1] if number and number - 1 in mind.unsaid else None
        if ready is not None and not ready.action:
            ready = None
        is_ready = ready is not None and self._silent.makes_ready(self._case.action_of(ready))
        if is_ready and ready is not None and ready.before is not None:
            yield _Start(number - 1, ready.before)
        if entry.before is not None:
            yield _Start(number, entry.before)

    def _do_again(
        self,
        number: int,
        first: int,
        other: Action,
        throws: tuple[Throw, ...],
        picks: tuple[int, ...],
        ready: Action | None = None,
    ) -> None:
        mind = self._case.mind
        entry, start = mind.entries[number], mind.entries[first].before
        assert start is not None
        for one in range(first, number + 1):
            self._runner.results.forgive(one)
        del mind.entries[first:]
        mind.unsaid -= {*range(first, number + 1)}
        mind.belief, mind.tray = start, (*throws, *mind.tray)
        now = Now(entry.last, entry.player, entry.side)
        if ready is not None:
            what = self._case.in_silence(ready)
            self._runner.begin(ready, now, entry.first, what, unsaid=True)
        run = DragRun(entry.units, "", entry.path, entry.first, now) if entry.path else None
        self._runner.begin(other, now, entry.first, entry.what, run, picks=picks)
