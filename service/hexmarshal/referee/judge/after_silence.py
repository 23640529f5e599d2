"""Drags against the rules, judged after what was taken for done in silence: perhaps it was not."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from hexmarshal.referee.case.mind import Fork, Otherwise
from hexmarshal.referee.check.findings import Status
from hexmarshal.referee.drags.drag_run import DragRun, Now
from hexmarshal.referee.interpret.deed import Deed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.case.mind import Mind
    from hexmarshal.referee.check.findings import Entry
    from hexmarshal.referee.judge.action_runner import ActionRunner
    from hexmarshal.rules.state.position import Position

__all__ = ["AfterSilence"]

# So much may have been done since, and be done again.
_MOST: Final = 6


class AfterSilence:
    """Remembers the moment before silence, and goes back to it once what follows tells so.

    Whoever drags a unit elsewhere in the middle of what is asked may have ended that without a
    word; or he only moved it wrongly. What comes next may be right either way: the first thing
    that is right only one way decides.
    """

    def __init__(
        self,
        case: Case,
        runner: ActionRunner,
        again: Callable[[DragRun, Sequence[Deed]], bool],
    ) -> None:
        """`again` judges a drag as things stand; False if it cannot be."""
        self._case, self._runner, self._again = case, runner, again

    def note(self, before: Mind, run: DragRun, deeds: Sequence[Deed]) -> None:
        """A drag was against the rules, and so was told after what silence decided since."""
        mind = self._case.mind
        again = partial(self._again, run, tuple(deeds))
        mind.forks[Otherwise.NOT_AFTER_SILENCE] = Fork(
            before, mind.belief, again=again, entries=len(mind.entries)
        )

    def take_back(self, is_right: Callable[[Position], bool]) -> None:
        """Nothing was done in silence before it, if what follows is right only then."""
        if Otherwise.NOT_AFTER_SILENCE in self._case.mind.forks and not is_right(
            self._case.mind.belief
        ):
            self.takes_back(is_right)

    def takes_back(self, is_right: Callable[[Position], bool]) -> bool:
        """Whether something is right if nothing was done in silence; dice are still for it then."""
        case, kept = self._case, self._case.mind
        fork = kept.forks.get(Otherwise.NOT_AFTER_SILENCE)
        if fork is None or not case.go_back(fork):
            return False
        done = self._do_since(kept, fork)
        case.mind.tray = case.mind.tray or kept.tray
        if kept.guess is not None and case.mind.guess is not None:
            case.mind.guess = replace(case.mind.guess, throws=kept.guess.throws)
        if done and is_right(case.mind.belief):
            return True
        case.mind = kept
        return False

    def _do_since(self, kept: Mind, fork: Fork) -> bool:
        """Whether all that was done since the drag is right here as well; then it is done."""
        there, here = fork.after, kept.belief
        since = list(enumerate(kept.entries[fork.entries :], fork.entries))
        if there is None or len(since) > _MOST or kept.pending is not None:
            return False
        if (there.turn, there.phase) != (here.turn, here.phase):
            return False
        said = [entry for number, entry in since if number not in kept.unsaid]
        return all(map(self._done, said))

    def _done(self, entry: Entry) -> bool:
        case, by = self._case, Now(entry.last, entry.player, entry.side)
        if entry.status is Status.TAKEN_BACK:
            case.add(entry)
            return True
        known = entry.status in (Status.LEGAL, Status.VIOLATION)
        if not known or entry.dice or not entry.action or entry.before is None:
            return False
        number = len(case.mind.entries)
        if entry.path:
            first = entry.before.units.get(entry.units[0]) if entry.units else None
            start = "" if first is None else first.cell
            run = DragRun(entry.units, start, entry.path, entry.first, by)
            shown = case.sights.units
            deeds = [Deed(unit, None, shown.get(unit), run.cells) for unit in run.units]
            done = self._again(run, deeds)
        else:
            self._runner.begin(case.action_of(entry), by, entry.first, entry.what)
            done = case.mind.pending is None
        since = case.mind.entries[number:]
        wrong = [one for one in since if one.status is not Status.LEGAL]
        return done and bool(since) and (not wrong or entry.status is Status.VIOLATION)
