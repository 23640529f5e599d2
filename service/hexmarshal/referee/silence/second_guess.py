"""What was guessed and does not fit what follows is guessed again, with all that was done since."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Final, NamedTuple

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.table_comparison import apart, changed
from hexmarshal.referee.check.findings import ROLL, Status
from hexmarshal.referee.drags.drag_actions import named
from hexmarshal.referee.drags.drag_run import DragRun, Now
from hexmarshal.referee.interpret.log_dice import LogDice

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.case.mind import Guess, Mind
    from hexmarshal.referee.check.findings import Entry
    from hexmarshal.referee.interpret.log_dice import Throw
    from hexmarshal.referee.judge.action_runner import ActionRunner
    from hexmarshal.referee.silence.silent_decisions import SilentDecisions, Unsaid
    from hexmarshal.referee.silence.unsaid_actions import UnsaidActions
    from hexmarshal.referee.silence.unspoken import Unspoken
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.position import Position

__all__ = ["SecondGuess"]

# So many guesses are taken back, and so many entries since the first of them.
_GUESSES: Final = 2
_ENTRIES: Final = 16


class _Since(NamedTuple):
    """Something that was done after a guess; `needless` if nobody spoke of it."""

    entry: Entry
    action: Action | None
    needless: bool


class SecondGuess:
    """Looks for another guess after which more is right."""

    def __init__(
        self, case: Case, runner: ActionRunner, silent: SilentDecisions, unsaid: UnsaidActions
    ) -> None:
        self._case, self._runner, self._silent, self._unsaid = case, runner, silent, unsaid

    def again(
        self,
        unspoken: Unspoken,
        is_right: Callable[[Position], bool],
        about: Collection[str],
        now: Now,
    ) -> bool:
        """Whether another guess was found; then it is done, and all since, and what is wrong goes.

        `about` are the units and cells that it is about that is right then.
        """
        case, kept = self._case, self._case.mind
        guess = kept.guess
        throws: tuple[Throw, ...] = ()
        for _ in range(_GUESSES):
            if guess is None:
                break
            throws = (*guess.throws, *throws)
            since = self._since(guess, kept)
            if since is None:
                break
            tray = (*guess.before.tray, *throws)
            # What was rolled after units were dragged was not for what was done before that.
            dragged = min((one.entry.first for one in since if one.entry.path), default=inf)
            late = tuple(throw for throw in tray if throw.step > dragged)
            wanted = {*about, *(name for one in since for name in _about(one))}
            right = partial(self._keeps, guess, kept, is_right)
            fits = partial(self._fits, late=late, since=since, is_right=right)
            found: Unsaid | None = None
            for done, at, used in self._starts(guess, kept):
                rest = self._unsaid.search(at, tray[used : len(tray) - len(late)], fits, wanted)
                if rest is not None:
                    found = (*done, *rest)
                    break
            if found is not None:
                self._go_back(guess, kept, tray, throws)
                if self._redo(unspoken, found, since, now) and is_right(case.mind.belief):
                    return True
                case.mind = kept
            guess = guess.before.guess
        return False

    def _starts(self, guess: Guess, kept: Mind) -> Iterator[tuple[Unsaid, Position, int]]:
        """From where it is guessed again: before all of it, or before the last thing of its own.

        With what was done of it then, and how many dice that took.
        """
        yield (), guess.before.belief, 0
        first = len(guess.before.entries)
        entries = kept.entries[first : first + guess.length]
        deep = [inf if one.before is None else len(one.before.frames) for one in entries]
        last = max((n for n, one in enumerate(deep) if one == min(deep)), default=0)
        at = entries[last].before if last else None
        if at is not None:
            done = tuple(self._case.action_of(one) for one in entries[:last])
            yield done, at, sum(len(one.dice) for one in entries[:last])

    def _since(self, guess: Guess, kept: Mind) -> tuple[_Since, ...] | None:
        """What was done since, to be done again; None if something of it cannot be."""
        first = len(guess.before.entries) + guess.length
        done: list[_Since] = []
        if len(kept.entries) - first > _ENTRIES:
            return None
        here = (kept.belief.turn, kept.belief.phase)
        for number, entry in enumerate(kept.entries[first:], first):
            if entry.status is Status.TAKEN_BACK or entry.kind == ROLL:
                continue
            if (entry.turn, entry.phase) != here:
                return None
            if entry.kind == "change" or (entry.path and entry.status is Status.VIOLATION):
                done.append(_Since(entry, None, needless=False))
            elif entry.action and entry.status is not Status.UNKNOWN:
                action = self._case.action_of(entry)
                if entry.status is Status.VIOLATION and not entry.result:
                    return None
                done.append(_Since(entry, action, needless=number in kept.unsaid))
            else:
                return None
        return tuple(done)

    def _fits(
        self,
        at: Position,
        tray: tuple[Throw, ...],
        late: tuple[Throw, ...],
        since: tuple[_Since, ...],
        is_right: Callable[[Position, tuple[Throw, ...]], bool],
    ) -> bool:
        tray = (*tray, *late)
        for number, one in enumerate(since):
            if one.action is None:
                at = self._as_it_lay(at, one.entry)
                continue
            # Silence before the first of it belongs to the guess.
            if not number and not one.needless and not self._is_legal(at, one.action):
                return False
            for action in self._with_silence(at, one, tray) or (None,):
                found = None if action is None else self._after(at, action, tray)
                if found is not None:
                    at, tray = found
                elif not one.needless:
                    return False
        return is_right(at, tray)

    def _keeps(
        self,
        guess: Guess,
        kept: Mind,
        is_right: Callable[[Position], bool],
        at: Position,
        tray: tuple[Throw, ...],
    ) -> bool:
        """Whether something is right, and no less of the table and the dice explained than was.

        Of dice that lie there more has to be: else they are for something that came after.
        """
        if len(tray) > max(0, len(kept.tray) - 1):
            return False
        shown = self._case.sights.units
        touched = {*changed(guess.before.belief, kept.belief), *changed(guess.before.belief, at)}
        return all(
            apart(kept.belief, shown, unit) or not apart(at, shown, unit) for unit in touched
        ) and is_right(at)

    def _as_it_lay(self, at: Position, entry: Entry) -> Position:
        """A drag against the rules: the units lie where they lay then."""
        for unit in entry.units if entry.path else ():
            there = entry.after.units.get(unit) if entry.after is not None else None
            if there is not None and unit in at.units:
                at = at.with_unit(replace(at.units[unit], cell=there.cell, box=there.box))
        return at

    def _with_silence(self, at: Position, one: _Since, tray: tuple[Throw, ...]) -> Unsaid:
        """An action, after what silence decides before it; nothing if it is not right then."""
        action = one.action
        assert action is not None
        if self._is_legal(at, action):
            return (action,)
        if one.needless:
            return ()
        units = [name for name in named(action) if name in at.units]
        unsaid = self._silent.until(
            at, action.side, partial(self._is_legal, action=action), tray, units
        )
        return () if unsaid is None else (*unsaid, action)

    def _is_legal(self, at: Position, action: Action) -> bool:
        try:
            return self._case.rules.check(at, action).legal
        except HexMarshalError:
            return False

    def _after(
        self, at: Position, action: Action, tray: tuple[Throw, ...]
    ) -> tuple[Position, tuple[Throw, ...]] | None:
        dice = LogDice(tray)
        try:
            after = self._case.rules.apply(at, action, dice).position
        except HexMarshalError:
            return None
        after = self._silent.unharmed(at, action, replace(after, generator=None))
        return after, dice.left

    # Doing it

    def _go_back(
        self, guess: Guess, kept: Mind, tray: tuple[Throw, ...], throws: tuple[Throw, ...]
    ) -> None:
        self._case.mind = replace(
            self._case.since(guess.before),
            said=kept.said,
            ahead=kept.ahead,
            tray=tray,
            guess=replace(guess, throws=throws),
            guessed=True,
        )

    def _redo(self, unspoken: Unspoken, found: Unsaid, since: tuple[_Since, ...], now: Now) -> bool:
        """Whether the guess and all since could be carried out."""
        case = self._case
        guess = case.mind.guess
        assert guess is not None
        case.mind.guess = replace(guess, length=len(found))
        first = since[0].entry if since else None
        unspoken.do(found, now if first is None else Now(first.first, first.player))
        case.guess(len(guess.before.entries))
        for one in since:
            if case.mind.pending is not None:
                return False
            entry, action = one.entry, one.action
            if action is None:
                case.mind.belief = self._as_it_lay(case.mind.belief, entry)
                if entry.path or any(map(case.apart, entry.units)):
                    case.believe(() if entry.path else entry.units)
                    case.add(replace(entry, after=case.mind.belief))
                continue
            *unsaid, last = self._with_silence(case.mind.belief, one, case.mind.tray) or (None,)
            if last is None:
                if not one.needless:
                    return False
                continue
            by = Now(entry.last, entry.player, entry.side)
            unspoken.do([silent for silent in unsaid if silent is not None], by)
            run = _run(entry, by) if entry.path else None
            self._runner.begin(last, by, entry.first, entry.what, run, unsaid=one.needless)
        return case.mind.pending is None


def _run(entry: Entry, by: Now) -> DragRun:
    return DragRun(entry.units, "", entry.path, entry.first, by)


def _about(one: _Since) -> Iterator[str]:
    yield from one.entry.units
    yield from one.entry.path
