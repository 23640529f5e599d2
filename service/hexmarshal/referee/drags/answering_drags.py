"""Drags that answer what was asked before: in the middle of the last drag, or of who is late."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.table_comparison import asked_about, changed
from hexmarshal.referee.check.findings import Status
from hexmarshal.referee.interpret.log_dice import LogDice
from hexmarshal.rules.codec import RECORD

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.check.findings import Entry
    from hexmarshal.referee.drags.drag_run import DragRun
    from hexmarshal.referee.interpret.deed import Deed
    from hexmarshal.referee.interpret.interpreter import Interpreter
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.position import Position

_OFFERS: Final = 24

__all__ = ["AnsweringDrags"]


class AnsweringDrags:
    """Lets others answer in time who were asked while a piece was dragged all its way at once.

    Who drops his piece where it ends leaves nobody the time to do sooner what may be done between.
    """

    def __init__(self, case: Case, interpreter: Interpreter) -> None:
        self._case, self._interpreter = case, interpreter

    def answers(self, run: DragRun, deeds: Sequence[Deed]) -> bool:
        """Whether a drag is right as things stood in the middle of the last one; then it is done.

        What silence was taken to answer then, nobody has answered.
        """
        mind = self._case.mind
        number = self._asked()
        then = None if number is None else mind.entries[number].before
        found = None if then is None else self._answer(then, run, deeds)
        if number is None or found is None:
            return self._is_late(run, deeds)
        done, after = found
        mind.belief = mind.belief.with_unit(*(after.units[unit] for unit in run.units))
        mind.entries[number] = self._entry(run, done)
        mind.unsaid -= {number}
        return True

    def _is_late(self, run: DragRun, deeds: Sequence[Deed]) -> bool:
        """Whether units do only now what a result asked of them in the phase; then they do.

        Silence was taken to say that they would not. Who else is asked then may still do it, too.
        """
        mind = self._case.mind
        here, entries = mind.belief, mind.entries
        for number in range(len(entries) - 1, -1, -1):
            entry = entries[number]
            then = entry.before
            if then is None or (then.turn, then.phase) != (here.turn, here.phase):
                return False
            silent = number in mind.unsaid and entry.status is Status.LEGAL and not entry.dice
            if not silent or not {*run.units} <= asked_about(then):
                continue
            if any(then.units[u].cell != here.units[u].cell for u in run.units):
                continue
            if _is_over(then, here) or not self._comes_of_dice(number):
                continue
            found = self._answer(then, run, deeds)
            if found is not None:
                done, after = found
                mind.belief = here.with_unit(*(after.units[unit] for unit in run.units))
                entries[number] = replace(entry, before=after)
                entries.append(self._entry(run, done))
                return True
        return False

    def _comes_of_dice(self, number: int) -> bool:
        """Whether it was asked for the result of dice, by all that nobody said before it."""
        entries, unsaid = self._case.mind.entries, self._case.mind.unsaid
        for before in range(number - 1, -1, -1):
            if entries[before].dice:
                return True
            if before not in unsaid:
                return False
        return False

    def _entry(self, run: DragRun, done: Action) -> Entry:
        entry = self._case.entry(run.now, run.first, str(run), done.kind, Status.LEGAL)
        side, action, after = done.side, RECORD.decode(done.to_json()), self._case.mind.belief
        return replace(
            entry, side=side, action=action, units=run.units, path=run.cells, after=after
        )

    def _answer(
        self, then: Position, run: DragRun, deeds: Sequence[Deed]
    ) -> tuple[Action, Position] | None:
        """What takes these units there then, and nobody else anywhere; and what comes of it."""
        for action in self._answers(then, deeds):
            try:
                after = self._case.rules.apply(then, action, LogDice(())).position
            except HexMarshalError:
                continue
            there = (after.units[unit].cell for unit in run.units if unit in after.units)
            own = {*changed(then, after)} == {*run.units}
            if own and all(cell == run.cells[-1] for cell in there):
                return action, after
        return None

    def _answers(self, then: Position, deeds: Sequence[Deed]) -> Iterator[Action]:
        try:
            found = self._interpreter.legal(then, deeds)
        except HexMarshalError:
            return
        yield from found if found is not None and len(found) == 1 else ()
        rules = self._case.rules
        for kind in rules.game.actions.values():
            if kind.name in self._interpreter.drags or not kind.states:
                continue
            for side in then.active if kind.fits(then.phase, then.state) else ():
                try:
                    offers = islice(rules.offers(then, side, (kind.name,)), _OFFERS)
                    yield from (offer.action for offer in offers)
                except HexMarshalError:
                    continue

    def _asked(self) -> int | None:
        """The answer in silence between the first and the last part of the last drag."""
        mind = self._case.mind
        entries, last = mind.entries, len(mind.entries) - 1
        if last < 2 or mind.belief.state or entries[last].status is not Status.LEGAL:
            return None
        for number in range(last - 1, -1, -1):
            if number not in mind.unsaid:
                return number + 1 if _is_one(entries[number], entries[last]) else None
            if entries[number].dice or entries[number].status is not Status.LEGAL:
                return None
        return None


def _is_one(first: Entry, last: Entry) -> bool:
    """Whether both are parts of one drag."""
    path = bool(first.path) and first.path == last.path and first.status is Status.LEGAL
    return path and (first.units, first.first) == (last.units, last.first)


def _is_over(then: Position, here: Position) -> bool:
    """Whether all in which it was asked is over: another one like that is going on.

    What is done in one and the same grows; what it is about, such as a headquarters, stays.
    """
    if not then.frames or not here.frames or then.frames[0].kind != here.frames[0].kind:
        return False
    old, new = (
        {name: value for name, value in at.frames[0].about.items() if isinstance(value, str)}
        for at in (then, here)
    )
    return old != new
