"""A drag that may go on with the next step, until something else begins."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol

from hexmarshal.referee.case.mind import Otherwise
from hexmarshal.referee.drags.drag_run import DragRun
from hexmarshal.referee.drags.early_drags import EarlyDrags
from hexmarshal.referee.drags.put_back import PutBack
from hexmarshal.referee.interpret.deed import Deed, only_marks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hexmarshal.referee.drags.drag_run import Now
    from hexmarshal.referee.judge.court import Court
    from hexmarshal.rules.state.position import Position

__all__ = ["DragUnderWay"]


class _Close(Protocol):
    def __call__(self, *, keep: bool) -> None: ...


class DragUnderWay:
    """Keeps the drag that is in mind, and has it judged when it is over."""

    def __init__(self, court: Court, close: _Close) -> None:
        """`close` judges what went before, and may keep the dice."""
        self._court, self._case, self._close = court, court.case, close
        self.early = EarlyDrags(court.case, court.runner.results, self.judge_alone)
        self._put_back = PutBack(court.case, court.runner.results)
        self._lay: Mapping[str, tuple[str, ...]] = {}

    def begin(self, source: str, group: list[Deed], now: Now) -> None:
        """Units were dragged, and what went before is over."""
        units = tuple(sorted(deed.unit for deed in group))
        cells = group[0].cells
        if self._court.announced.is_on_its_way(units, cells):
            return
        self._give_up_before(group)
        # Dice that lie there may be for what this is the result of.
        self._close(keep=self._court.is_by_things)
        if not self._put_back.is_so(units, cells[-1]):
            self._case.mind.run = DragRun(units, source, cells, now.step, now)
            self._court.unspoken.guesses.look()
            self._lay = self._case.sights.piles() if self._court.is_by_things else {}

    def leaves_for_early(self, deed: Deed, now: Now) -> bool:
        """Whether a unit is dragged out of the way of others who went there too early."""
        sights = self._case.sights.units

        def do(start: str) -> None:
            cells = deed.cells[-1:]
            self._case.mind.run = DragRun((deed.unit,), start, cells, now.step, now)
            self.judge_alone()

        if not deed.cells or deed.after is None or deed.unit not in self._case.mind.owed:
            return False
        before = sights.get(deed.unit)
        sights[deed.unit] = deed.after
        found = self.early.waits_for_loser(deed.unit, do)
        if not found and before is not None:
            sights[deed.unit] = before
        return found

    def _give_up_before(self, group: Sequence[Deed]) -> None:
        """What was announced and is not done: go on from the table as it was before a drag."""
        shown = self._case.sights.units
        now = {deed.unit: shown[deed.unit] for deed in group if deed.unit in shown}
        shown.update({deed.unit: deed.before for deed in group if deed.before is not None})
        try:
            self._court.runner.give_up_waiting()
        finally:
            shown.update(now)

    def turns(self, run: DragRun, deeds: Sequence[Deed]) -> bool:
        """Whether who was dragged is only turned, or turned over, where he is."""
        return run.turns(deeds) or self._court.dragged.turns_over(run, deeds)

    def begin_go(self, deeds: Sequence[Deed], now: Now) -> None:
        """Units of one side act: perhaps it has its go, and nobody moved the marker."""
        units = self._case.mind.belief.units
        sides = {units[d.unit].side for d in deeds if d.unit in units and self._acts(d)}
        if len(sides) == 1:
            self._court.window.marker.forget(sides.pop(), now)

    def _acts(self, deed: Deed) -> bool:
        """Whether a unit is dragged, or shown as one that was made ready to act."""
        return bool(deed.cells) or (only_marks(deed) and self._court.unspoken.shows_ready(deed))

    def end(self) -> None:
        """Judge a drag that is over, if it is all that was done since rules and table agreed."""
        case = self._case
        if case.mind.run is None or (case.mind.anchor and case.mind.anchor.spoken):
            return
        kept = case.mind
        case.mind = kept.copy()
        self.judge()
        if not self._court.window.settle():
            self._court.window.let_be(kept)

    def judge(self) -> None:
        """Judge it: something else begins."""
        before = self._case.mind
        run = before.run
        if run is None:
            return
        before = before.copy()

        def do() -> None:
            self._case.mind.run = run
            self.judge_alone()

        if not self.early.waits(run.units, do):
            self.judge_alone()
            self.early.note(before)
            self._court.exchanged.note(before, run.units)

    def judge_alone(self) -> None:
        """Judge it as it is, whatever it might have waited for."""
        case, mind = self._case, self._case.mind
        run, mind.run = mind.run, None
        if run is None or self._court.exchanged.is_second_half(run.units, run.now):
            return
        if self._court.routes.exact(run.start, run.cells):
            # Whatever follows of it: this is the way that they went.
            self._court.window.anchors.went(run)
        deeds = [Deed(u, None, case.sights.units.get(u), run.cells) for u in run.units]
        if self._came_late(run, deeds):
            return
        explains = self._court.unspoken.explains
        if not explains(mind.belief, deeds) and self._court.late_results.drag(run, deeds):
            return
        self._court.tracker.catch_up(fits=self._court.unspoken.explains(mind.belief, deeds))
        first = mind.belief.units.get(run.units[0])
        self._court.tracker.leave_behind(
            "" if first is None else first.side,
            lambda position: self._belongs_in(position, run, deeds),
            run.now,
            run.units,
        )
        then = case.mind.belief
        if not self._court.together.goes_on(run, deeds):
            self._court.dragged.judge(run, deeds)
        now = case.mind.belief
        ended = (now.turn, now.phase) != (then.turn, then.phase)
        self._court.together.join()
        self._court.tracker.catch_up(fits=True)
        if not ended:
            # What lies there may have been laid while others were asked.
            self._court.laid.read(run.now)

    def _belongs_in(self, position: Position, run: DragRun, deeds: Sequence[Deed]) -> bool:
        """Whether a drag tells that a phase has begun; what is wrong in that one too does not."""
        court = self._court
        if not court.unspoken.is_dragged_in_time(position, deeds):
            return False
        if court.dragged.is_right_soon(position, deeds):
            return True
        explains = partial(court.unspoken.explains, deeds=deeds)
        about = (*run.units, run.start, *run.cells)
        return explains(position) or court.unspoken.guesses.finds(position, explains, about)

    def _came_late(self, run: DragRun, deeds: Sequence[Deed]) -> bool:
        """Whether it answers what was asked before the tracker moved on, and is right only so.

        Then it is done, and the tracker followed after it.
        """
        case, explains = self._case, self._court.unspoken.explains
        late = case.fork(Otherwise.STILL_ASKED)
        if late is None or late.again is None or explains(case.mind.belief, deeds):
            return False
        if not explains(late.before.belief, deeds):
            return False
        case.mind = case.since(late.before)
        self._court.dragged.judge(run, deeds)
        late.again()
        self._court.window.close()
        return True

    def judge_before_draw(self) -> None:
        """Whoever was dragged before cards were drawn, had no token that was drawn only now."""
        sights = self._case.sights
        if self._case.mind.run is None or not self._court.is_by_things:
            return
        if self._lay != sights.piles():
            piles, sights.piles = sights.piles, lambda: self._lay
            try:
                self.judge()
            finally:
                sights.piles = piles
