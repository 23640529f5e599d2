"""Drags by those who have just fought, where the result lets nobody go: told by its rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.referee.check.findings import Status
from hexmarshal.referee.drags.drag_actions import named
from hexmarshal.referee.results.result_words import cause_of, decided, rule_of_result
from hexmarshal.rules.verdict import Verdict

if TYPE_CHECKING:
    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.check.findings import Entry
    from hexmarshal.referee.drags.drag_run import DragRun
    from hexmarshal.referee.interpret.interpreter import Judged

__all__ = ["by_result", "wrong_result_before"]


def by_result(case: Case, judged: Judged, run: DragRun) -> Judged:
    """What is wrong with a drag, with the rule of the result of which it is no part.

    Who goes into the hex that he has attacked does not move, but advances.
    """
    mind, game = case.mind, case.rules.game
    broken = judged.verdict.violations
    if mind.rolled is None or not any(one.rule == game.turn_rule for one in broken):
        return judged
    number = mind.rolled.entry
    entry = mind.entries[number]
    cause = cause_of(mind.entries, number) or entry
    if (entry.turn, entry.phase) != (mind.belief.turn, mind.belief.phase) or not cause.action:
        return judged
    names, before = {*named(case.action_of(cause))}, cause.before
    there = {u.cell for u in before.units.values() if u.id in names} if before is not None else ()
    aims = (names | {*there}) - {run.start}
    if not {*run.units} <= names or run.cells[-1] not in aims or _was_asked(case, number):
        return judged
    result, _ = decided(game, entry.result)
    rule = rule_of_result(game, entry, run.units)
    if not rule or not any(_has_lost(entry, unit) for unit in run.units):
        return judged
    text = f"the result {result} lets nobody go to {run.cells[-1]}"
    others = (one for one in broken if one.rule != game.turn_rule)
    # He may have taken the result for another.
    verdict = Verdict((case.placed(rule, text, run.units), *others))
    return judged._replace(verdict=verdict, sure=False)


def wrong_result_before(case: Case, run: DragRun) -> Entry | None:
    """The result that was told as wrong, if those who fought follow the beaten after it.

    Players may have taken it for another one, after which they may.
    """
    mind = case.mind
    number = None if mind.rolled is None else mind.rolled.entry
    entry = None if number is None else mind.entries[number]
    if number is None or entry is None or entry.status is not Status.VIOLATION:
        return None
    cause = cause_of(mind.entries, number) or entry
    if (entry.turn, entry.phase) != (mind.belief.turn, mind.belief.phase) or not cause.action:
        return None
    names, before = {*named(case.action_of(cause))}, cause.before
    known = {} if before is None else before.units
    beaten = {known[n].cell if n in known else n for n in names - {*run.units}} - {run.start}
    still = {unit.cell for unit in mind.belief.units.values() if unit.id not in names}
    follows = {*run.units} <= names and run.cells[-1] in beaten - still
    return entry if follows else None


def _has_lost(entry: Entry, unit: str) -> bool:
    """Whether a unit has lost steps by the result: it is about him, too."""
    if entry.before is None or entry.after is None:
        return False
    old, new = entry.before.units.get(unit), entry.after.units.get(unit)
    return old is not None and new is not None and new.steps < old.steps


def _was_asked(case: Case, number: int) -> bool:
    """Whether those who fought were asked to go anywhere since the dice."""
    actions = case.rules.game.actions.values()
    asked = {one.before.state for one in case.mind.entries[number + 1 :] if one.before is not None}
    ways = (kind for kind in actions if not asked.isdisjoint(kind.states) and "" not in kind.states)
    return any(len(kind.params) > 1 for kind in ways)
