"""What players changed on the table, and nothing asks for it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.mind import CARDS, Marked, Revealed
from hexmarshal.referee.case.table_comparison import apart, asked_about
from hexmarshal.referee.check.findings import Certainty, Status
from hexmarshal.referee.drags.drag_actions import named
from hexmarshal.referee.drags.drag_run import Now
from hexmarshal.referee.interpret.log_dice import LogDice
from hexmarshal.referee.results.result_words import (
    headed,
    right_by_lines,
    right_result,
    rule_of_result,
)
from hexmarshal.referee.results.sign_rules import broken_by_signs, ended_by_signs
from hexmarshal.rules.action import ParamType

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.results.pending_results import PendingResults
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.verdict import Verdict, Violation

__all__ = ["UnaskedChanges"]


class UnaskedChanges:
    """Tells of them: at once, or when the phase is over that may still ask for them."""

    def __init__(self, case: Case, results: PendingResults) -> None:
        self._case, self._results = case, results

    def note(self, units: Sequence[str], now: Now) -> None:
        """Units were changed on the table, and nothing asks for it.

        Players may mark a unit before the rules do: that shows when the phase ends.
        """
        case = self._case
        marked = [unit for unit in units if self._results.marks.is_only_marked(unit)]
        case.mind.marked |= dict.fromkeys(marked, Marked(now, then=case.mind.belief))
        revealed = [unit for unit in units if self._results.marks.is_revealed(unit)]
        case.mind.revealed += tuple(
            Revealed(unit, now, self._results.marks.as_revealed(unit)) for unit in revealed
        )
        case.believe(revealed)
        if revealed and case.mind.anchor is not None and case.mind.anchor.cards:
            # What they were turned up by has left its pile with that.
            case.believe_piles()
        units = [unit for unit in units if unit not in marked and unit not in revealed]
        # Who should be gone was told once: whatever is done with him comes of that.
        gone = [unit for unit in units if case.history.is_told_gone(unit)]
        case.believe(gone)
        units = [unit for unit in units if unit not in gone]
        if units:
            self._tell_unasked(units, now)

    def tell_marked(self, units: Iterable[str]) -> None:
        """Who was marked otherwise than the rules have it is so to the players: say so."""
        mind = self._case.mind
        by_step: dict[Marked, list[str]] = {}
        for unit in units:
            by_step.setdefault(mind.marked.pop(unit), []).append(unit)
        for one, marked in by_step.items():
            self._tell_marks(one, marked, ended=False)

    def _tell_marks(self, one: Marked, units: Sequence[str], *, ended: bool) -> None:
        if one.entry is not None:
            rest = [unit for unit in units if not self._is_left_on(one.entry, unit, ended=ended)]
            if rest:
                self._results.not_done(one.entry, rest, ended=ended, late=True)
            return
        over = one.then if one.over or ended else None
        refused = {unit: found for unit in units if (found := self._refused(unit, one.then))}
        for unit, (action, verdict) in refused.items():
            case = self._case
            what = f"{case.spoken(action)}, as its counter shows"
            case.add_change(what, one.now, (unit,), verdict.violations, over)
            self._believe((unit,))
        others = [unit for unit in units if unit not in refused]
        if others:
            self._tell_unasked(others, one.now, over)

    def _is_left_on(self, number: int, unit: str, *, ended: bool) -> bool:
        """Whether a unit bears a sign that the end of a phase took off; that is told now.

        Players take it off in a phase of the table that is none to the rules, and over by now.
        """
        case, entry = self._case, self._case.mind.entries[number]
        broken, lines = ended_by_signs(case, unit), case.differences(unit)
        if not (broken and entry.ends_phase and entry.status is Status.LEGAL) or entry.dice:
            return False
        if not (ended or any(map(case.history.was_told, lines))):
            side = case.mind.belief.units[unit].side
            case.add_change("; ".join(lines), Now(case.mind.step, "", side), (unit,), broken)
        case.believe((unit,))
        return True

    def _refused(self, unit: str, then: Position | None) -> tuple[Action, Verdict] | None:
        """The action about a unit that leaves it as it is marked, and was against the rules then.

        Not only because it was not the time for it, nor while something else was under way: then
        nobody knows what was meant.
        """
        rules, known = self._case.rules, None if then is None else then.units.get(unit)
        if then is None or known is None or then.state:
            return None
        for kind in rules.game.actions.values():
            required = [param for param in kind.params if param.required]
            if [param.type for param in required] != [ParamType.UNIT]:
                continue
            action = rules.game.actions.make(kind.name, known.side, **{required[0].name: unit})
            try:
                verdict = rules.check(then, action)
                if any(broken.rule == rules.game.turn_rule for broken in verdict.violations):
                    continue
                after = rules.apply(then, action, LogDice(())).position
            except HexMarshalError:
                continue
            if not verdict.legal and not apart(after, self._case.sights.units, unit):
                return action, verdict
        return None

    def settle_marks(self, *, ended: bool = False) -> None:
        """A phase is over: who was marked in the one before it, and nothing asked for it, is told.

        The next phase may begin by doing just this.
        """
        case, mind = self._case, self._case.mind
        marked, mind.marked = mind.marked, {}
        by_step: dict[Marked, list[str]] = {}
        for unit, one in marked.items():
            if not case.apart(unit) or not self._results.marks.is_only_marked(unit):
                continue
            if self._results.marks.is_reminder(unit):
                case.believe((unit,))
            elif case.history.may_wait(one.entry):
                mind.marked[unit] = one
            elif one.over or (ended and one.entry is None):
                by_step.setdefault(one, []).append(unit)
            elif not ended:
                mind.marked[unit] = replace(one, over=True)
        for one, units in by_step.items():
            self._tell_marks(one, units, ended=ended)

    def settle_revealed(self) -> None:
        """A phase is over: who was revealed in the one before it, and no dice were rolled since."""
        case, mind = self._case, self._case.mind
        fights = (e.last for e in mind.entries if e.dice and e.status is not Status.UNKNOWN)
        rolled = max(fights, default=0)
        revealed, mind.revealed = mind.revealed, ()
        for one in revealed:
            if not one.over:
                mind.revealed += (replace(one, over=True),)
            elif rolled < one.now.step:
                case.add_change(one.told, one.now, (one.unit,))

    def _tell_unasked(self, units: Sequence[str], now: Now, then: Position | None = None) -> None:
        case = self._case
        told = [line for unit in units for line in case.differences(unit)]
        cause = self.asking(units)
        result = self._result_of(units) if cause is None and then is None else None
        if result is not None:
            since = case.mind.entries[result:]
            rule = next((e.decided_by for e in reversed(since) if e.decided_by), "")
            right = next((e.result for e in reversed(since) if e.result), "")
            right = "; ".join(filter(None, (right, right_by_lines(told))))
            case.amend_result(result, told, Certainty.LIKELY, units, rule=rule, right=right)
            entry = case.mind.entries[result]
            case.mind.entries[result] = replace(entry, last=max(entry.last, now.step))
        elif cause is None:
            case.add_change("; ".join(told), now, units, broken_by_signs(case, units), then)
        elif not self._results.comes_of_violation(cause):
            # Of what was announced against the rules nobody knows what should come.
            self._done_in_part(cause, told, units, now)
        self._believe(units)

    def is_result(self, units: Sequence[str]) -> bool:
        """Whether dice were just rolled for what names units: this is taken for their result."""
        return self.asking(units) is None and self._result_of(units) is not None

    def _result_of(self, units: Sequence[str]) -> int | None:
        """The entry of the dice that were just rolled, if what was said they are for names units.

        Whoever has lost something then lost it by that, and should not have.
        """
        case, mind = self._case, self._case.mind
        number = None if mind.rolled is None else mind.rolled.entry
        if number is None or mind.rolled is None or mind.tray:
            return None
        entry = mind.entries[number]
        said = number not in mind.unsaid or any(throw.told for throw in mind.rolled.throws)
        later = range(number + 1, len(mind.entries))
        if self._have_suffered(number, units) and mind.unsaid.issuperset(later):
            # Who has paid for it already pays no more by anything else.
            return number
        if not said or not entry.dice or entry.status is not Status.LEGAL or entry.path:
            return None
        if not entry.action or not mind.unsaid.issuperset(later):
            return None
        aims = named(case.action_of(entry))
        return number if {*aims}.issuperset(units) else None

    def _have_suffered(self, number: int, units: Sequence[str]) -> bool:
        """Whether units have lost steps since dice, as their result says, and are where they were.

        Nobody goes on to another phase in between.
        """
        mind = self._case.mind
        entry = mind.entries[number]
        here = (mind.belief.turn, mind.belief.phase)
        if entry.before is None or entry.status is not Status.LEGAL or entry.path:
            return False
        if (entry.turn, entry.phase) != here or not entry.dice:
            return False
        old, new = entry.before.units, mind.belief.units
        return all(
            unit in old
            and unit in new
            and new[unit].steps < old[unit].steps
            and new[unit].cell == old[unit].cell
            for unit in units
        )

    def _believe(self, units: Sequence[str]) -> None:
        case = self._case
        case.believe(units)
        if not case.mind.owed:
            # Whatever made them do it, what follows may come of it too.
            case.mind.doubt = True

    def _done_in_part(
        self, number: int, told: Sequence[str], units: Sequence[str], now: Now
    ) -> None:
        """A result was carried out in part, or more than that: by the rule that asks for it."""
        case, mind = self._case, self._case.mind
        entry, belief = headed(case.rules.game, mind.entries, number), mind.belief
        lead = f"{entry.result} was carried out in part, or otherwise: "
        # What else is found of the same result is told in the same line.
        old = [v for v in entry.violations if v.text.startswith(lead)]
        lines = [line.removeprefix(lead) for line in (v.text for v in old)]
        rule = rule_of_result(case.rules.game, entry, units) or case.still_asked(belief, "").rule
        text = lead + "; ".join((*lines, *told))
        mind.entries[number] = replace(
            entry,
            last=max(entry.last, now.step),
            status=Status.VIOLATION,
            certainty=Certainty.LIKELY,
            violations=(
                *(v for v in entry.violations if v not in old),
                case.placed(old[0].rule if old else rule, text, units),
            ),
            right=entry.right or right_result(entry, entry.result, told),
            units=tuple(dict.fromkeys((*entry.units, *units))),
        )
        mind.strayed = (belief.turn, belief.phase)

    def asking(self, units: Sequence[str]) -> int | None:
        """The entry of which came what is asked now, if that is about all these units."""
        mind = self._case.mind
        if not mind.belief.state or mind.rolled is None:
            return None
        entry = mind.entries[mind.rolled.entry]
        here = (mind.belief.turn, mind.belief.phase)
        asked_by = self._case.history.asked_by
        asks = entry.result and asked_by is not None and asked_by <= mind.rolled.entry
        if not asks or (entry.turn, entry.phase) != here or entry.status is Status.UNKNOWN:
            return None
        return mind.rolled.entry if asked_about(mind.belief).issuperset(units) else None

    def misplaced_cards(self, step: int, before: Position | None = None) -> None:
        """Since a step cards went from pile to pile, and nothing asks for it.

        Whichever has left the pile that it was in `before` may lie here or there.
        """
        case, mind = self._case, self._case.mind
        first = mind.anchor is not None and CARDS not in mind.anchor.before.kept
        told = () if mind.doubt else case.misplaced_cards(before, first=first)
        if told:
            dealt = dict(self._dealt_otherwise())
            side = next(iter(dealt)) if len(dealt) == 1 else ""
            now = Now(step, "", side)
            case.add_change("; ".join(told), now, broken=tuple(dealt.values()))

    def _dealt_otherwise(self) -> Iterator[tuple[str, Violation]]:
        """Whose hand holds more cards than were dealt, by the rule by which that was done last."""
        case, shown = self._case, self._case.sights.piles()
        dealing = (entry for entry in reversed(case.mind.entries) if entry.drawn)
        for entry in dealing:
            before, after = entry.before, entry.after
            if before is None or after is None or before.piles is after.piles:
                continue
            for name, pile in after.piles.items():
                dealt = len(pile.cards) > len(before.pile(name).cards)
                most, seen = len(case.mind.belief.pile(name).cards), len(shown.get(name, ()))
                if dealt and pile.known_to and seen > most and entry.decided_by:
                    hand = case.sights.pile_title(name)
                    text = f"{hand} holds {seen} cards, and {most} by the rules"
                    yield pile.side, case.placed(entry.decided_by, text)
            return
