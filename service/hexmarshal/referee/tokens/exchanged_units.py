"""One unit that takes the place of another: two changes of the table that are one action."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.mind import Fork, Otherwise
from hexmarshal.referee.case.table_comparison import apart
from hexmarshal.referee.check.findings import Status
from hexmarshal.referee.interpret.log_dice import LogDice
from hexmarshal.rules.action import ParamType

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.case.mind import Mind
    from hexmarshal.referee.drags.drag_run import Now
    from hexmarshal.referee.judge.action_runner import ActionRunner
    from hexmarshal.rules.action import Action, ActionType
    from hexmarshal.rules.verdict import Verdict

__all__ = ["ExchangedUnits"]


class ExchangedUnits:
    """Finds the action about two units that takes one away, and puts the other where it was.

    People do it in either order, and each half by itself would be against the rules.
    """

    def __init__(self, case: Case, runner: ActionRunner) -> None:
        self._case, self._runner = case, runner
        self._kinds: list[tuple[ActionType, str, str]] = []
        for kind in case.rules.game.actions.values():
            required = [param for param in kind.params if param.required]
            if [param.type for param in required] == [ParamType.UNIT, ParamType.UNIT]:
                self._kinds.append((kind, required[0].name, required[1].name))

    def note(self, before: Mind, units: Sequence[str]) -> None:
        """Something was done with units: if that is told, it may have been the first half."""
        mind = self._case.mind
        told = mind.entries[len(before.entries) :]
        wrong = any(e.status is Status.VIOLATION and e.units == (*units,) for e in told)
        if self._kinds and len(units) == 1 and wrong:
            fork = Fork(before, units=(*units,), entries=len(mind.entries))
            mind.forks[Otherwise.EXCHANGED] = fork

    def is_second_half(self, units: Sequence[str], now: Now) -> bool:
        """Whether what is done with units now is the other half of what was told last."""
        mind = self._case.mind
        fork = mind.forks.get(Otherwise.EXCHANGED)
        if fork is None or len(units) != 1:
            return False
        # Of what was done since, nobody said anything.
        since = range(fork.entries, len(mind.entries))
        return mind.unsaid.issuperset(since) and self._take(fork, units[0], now)

    def _take(self, fork: Fork, unit: str, now: Now) -> bool:
        """Do both halves as one, from before the first of them."""
        case, kept = self._case, self._case.mind
        case.mind = replace(case.since(fork.before), run=None)
        if unit != fork.units[0] and self._are_exchanged(unit, fork.units[0]):
            found = self._found(unit, fork.units[0])
            if found is not None:
                action, verdict = found
                self._runner.begin(
                    action, now, now.step, case.spoken(action), known=verdict, sure=False
                )
                return True
        case.mind = kept
        return False

    def _are_exchanged(self, *units: str) -> bool:
        """Whether one of two units of a side lies where the other was, which has gone."""
        known, shown = self._case.mind.belief.units, self._case.sights.units
        if any(unit not in known for unit in units):
            return False
        one, two = (known[unit] for unit in units)
        places = [shown[u].where.cell if u in shown else "" for u in units]
        return one.side == two.side and places in (["", one.cell], [two.cell, ""]) and any(places)

    def _found(self, *units: str) -> tuple[Action, Verdict] | None:
        """The action that leaves both as they lie, rather a right one."""
        game, wrong = self._case.rules.game, None
        for action, verdict in self._leaving(*units):
            if verdict.legal:
                return action, verdict
            if all(v.rule != game.turn_rule for v in verdict.violations):
                wrong = wrong or (action, verdict)
        return wrong

    def _leaving(self, *units: str) -> Iterator[tuple[Action, Verdict]]:
        rules, belief = self._case.rules, self._case.mind.belief
        for (kind, first, second), (a, b) in product(self._kinds, permutations(units)):
            if not kind.fits(belief.phase, belief.state):
                continue
            side = belief.units[a].side
            action = rules.game.actions.make(kind.name, side, **{first: a, second: b})
            try:
                verdict = rules.check(belief, action)
                after = rules.apply(belief, action, LogDice(())).position
            except HexMarshalError:
                continue
            if not any(apart(after, self._case.sights.units, unit) for unit in units):
                yield action, verdict
