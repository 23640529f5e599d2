"""Changes of the table that one action leaves, which the rules refuse: it was done wrongly."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.mind import Otherwise
from hexmarshal.referee.case.table_comparison import apart, changed
from hexmarshal.referee.check.findings import IN_SILENCE
from hexmarshal.referee.interpret.log_dice import LogDice
from hexmarshal.rules.action import ParamType

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.drags.drag_run import Now
    from hexmarshal.referee.judge.action_runner import ActionRunner
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.verdict import Verdict

__all__ = ["RefusedChanges"]


class RefusedChanges:
    """Finds an action of one unit that takes units off the map, or puts them onto it.

    Who breaks down a division that may not do so takes it off the map, and lays its regiments:
    that is one thing done wrongly, and not several for nothing.
    """

    def __init__(self, case: Case, runner: ActionRunner) -> None:
        self._case, self._runner = case, runner

    def begin(self, units: Sequence[str], now: Now) -> bool:
        """Whether such an action changed units; then it is done, and told."""
        case, mind = self._case, self._case.mind
        if mind.belief.state or mind.tray or mind.pending is not None:
            return False
        for unit in units if len(units) == 1 else ():
            found = self._refused(unit)
            if found is None:
                continue
            action, verdict = found
            by = replace(now, side=now.side or action.side)
            what = f"{IN_SILENCE}: {case.spoken(action)}"
            self._runner.begin(action, by, now.step, what, known=verdict, sure=False)
            # It lies there: so it was done.
            case.mind.forks.pop(Otherwise.NOT_DONE, None)
            return True
        return False

    def _refused(self, unit: str) -> tuple[Action, Verdict] | None:
        """What leaves a unit as the table shows it, and others elsewhere, if it was refused."""
        case, here = self._case, self._case.mind.belief
        for action in self._actions(unit):
            try:
                verdict = case.rules.check(here, action)
                if any(one.rule == case.rules.game.turn_rule for one in verdict.violations):
                    continue
                after = case.rules.apply(here, action, LogDice(())).position
            except HexMarshalError:
                continue
            own = after.units.get(unit)
            gone = own is None or not own.cell
            others = [u for u in changed(here, after) if u != unit and u in after.units]
            if verdict.legal or not others or gone == (not here.units[unit].cell):
                continue
            if not apart(after, case.sights.units, unit):
                return action, verdict
        return None

    def _actions(self, unit: str) -> Iterator[Action]:
        """What is done with one unit: this one, or one that lies where this one lies now."""
        case, here = self._case, self._case.mind.belief
        known, seen = here.units.get(unit), case.sights.units.get(unit)
        if known is None or known.side not in here.active:
            return
        cell = seen.where.cell if seen is not None and not known.cell else ""
        there = [u.id for u in here.units.values() if cell and u.cell == cell]
        for kind in case.rules.game.actions.values():
            required = [param for param in kind.params if param.required]
            if [param.type for param in required] != [ParamType.UNIT]:
                continue
            for one in (unit, *there) if kind.fits(here.phase, here.state) else ():
                if here.units[one].side == known.side:
                    yield case.rules.game.actions.make(
                        kind.name, known.side, **{required[0].name: one}
                    )
