"""What players owe the table after an action, and what they did there that nothing asks for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.referee.books.due_books import DueBooks
from hexmarshal.referee.case.mind import Late, Marked, Otherwise
from hexmarshal.referee.case.table_comparison import apart, changed, differences
from hexmarshal.referee.check.findings import Certainty, Status
from hexmarshal.referee.drags.drag_actions import named
from hexmarshal.referee.drags.drag_run import Now
from hexmarshal.referee.results.begun_guesses import is_owed_by_guess, was_left_lying
from hexmarshal.referee.results.by_table import ByTable
from hexmarshal.referee.results.late_units import LateUnits
from hexmarshal.referee.results.marks import Marks
from hexmarshal.referee.results.result_words import rule_of_result
from hexmarshal.referee.results.sign_rules import rule_of_signs
from hexmarshal.referee.results.unasked_changes import UnaskedChanges
from hexmarshal.referee.results.undrawn import tell_undrawn
from hexmarshal.referee.tokens.draw_search import draws_known, fitting_draws

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.check.findings import Entry
    from hexmarshal.referee.interpret.log_dice import LogDice
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.verdict import Applied

__all__ = ["PendingResults"]


def _never(_: Position) -> bool:
    return False


class PendingResults:
    """Units have to be right when the next thing begins, the books when the next phase does.

    Whatever is not done then, or done otherwise, is a wrong result; from there on the table is
    believed.
    """

    def __init__(
        self,
        case: Case,
        take: Callable[[int, Position, Action, LogDice, Applied], None],
        moves_on: Callable[[str, Entry], bool],
        is_sure: Callable[[int, Sequence[str]], bool],
        *,
        tokens: bool = False,
    ) -> None:
        """`take` carries an action out, `moves_on` tells whether a unit went on after an action.

        `is_sure` tells whether a result could not have been that which the table shows. With
        `tokens`, players lay such on units, and take them off when they are done with.
        """
        self._case = case
        self._take, self._moves_on, self._is_sure = take, moves_on, is_sure
        self.marks = Marks(case)
        self.books = DueBooks(case, tokens=tokens)
        self.by_table = ByTable(case, self)
        self.late = LateUnits(case, self.books)
        self.unasked = UnaskedChanges(case, self)

    def incur(self, number: int, before: Position, after: Position, now: Now) -> None:
        """The action of an entry was carried out: what the table does not show yet is owed."""
        case, mind = self._case, self._case.mind
        for unit in changed(before, after):
            if unit in mind.marked and self.marks.is_only_marked(unit):
                # It was marked before the rules do it, or will.
                mind.owed.pop(unit, None)
            elif case.apart(unit):
                if not self._still_waits(before, unit):
                    mind.owed[unit] = number
                if case.history.is_slight(number):
                    mind.slight |= {*case.differences(unit)}
            else:
                mind.owed.pop(unit, None)
        mind.marked = {unit: one for unit, one in mind.marked.items() if case.apart(unit)}
        self.books.incur(number, before, after, now)
        tell_undrawn(case)

    def _still_waits(self, before: Position, unit: str) -> bool:
        """Whether nothing differs but what the new turn brought about, and did so `before`."""
        case = self._case
        if not case.history.may_wait(case.mind.owed.get(unit)):
            return False
        old = differences(before, case.sights.units, unit, case.rules.game)
        return {*case.differences(unit)} <= {*old}

    def leave_refused(self) -> None:
        """Something else begins: what a refused action would have done to units nobody owes.

        They are as they lie there, with what lay on them; it may still be carried out late.
        """
        case, mind = self._case, self._case.mind
        for unit, number in tuple(mind.owed.items()):
            entry = mind.entries[number]
            if entry.status is not Status.VIOLATION or entry.result or not case.apart(unit):
                continue
            if not entry.dice:
                # What was only said, and not done, did not happen at all.
                continue
            del mind.owed[unit]
            mind.late[unit] = Late(mind.belief.units.get(unit), number, entry, mind.step)
            case.believe((unit,))
            there = mind.belief.units.get(unit)
            before = entry.before.markers.values() if entry.before and there and there.cell else ()
            for marker in before:
                known = mind.belief.markers.get(marker.id)
                if marker.unit == unit and (known is None or known.unit != unit):
                    markers = mind.belief.markers.set(marker.id, marker)
                    mind.belief = replace(mind.belief, markers=markers)

    @property
    def is_under_way(self) -> bool:
        """Whether all that is owed comes of actions that still ask for something."""
        mind = self._case.mind
        begun = (mind.entries[number].before for number in mind.owed.values())
        asked = len(mind.belief.frames)
        return bool(mind.owed) and all(at is not None and len(at.frames) < asked for at in begun)

    def lay_out(self, unit: str, step: int) -> bool:
        """Whether a unit is owed that was changed on the table in a step, which belongs to that."""
        mind = self._case.mind
        number = mind.owed.get(unit)
        if number is not None:
            mind.entries[number] = replace(mind.entries[number], laid_out=step)
        return number is not None

    def forgive(self, number: int) -> None:
        """The action of an entry did not happen after all."""
        mind = self._case.mind
        mind.owed = {unit: entry for unit, entry in mind.owed.items() if entry != number}
        # What was due before it is due again.
        before = {i: due.earlier if due.entry == number else due for i, due in mind.due.items()}
        mind.due = {
            item: replace(due, last=None) if due.entry is None and due.last == number else due
            for item, due in before.items()
            if due is not None
        }

    # Units

    def redraw(self, units: Iterable[str] = ()) -> None:
        """Look for draws by which the last action comes to what the table shows."""
        case, mind = self._case, self._case.mind
        done = mind.done
        if done is None or done.after is not mind.belief:
            return
        if mind.tray and not mind.owed and mind.tray[0].step > mind.entries[done.entry].last:
            # It was carried out; what is changed now came of the dice that were rolled since.
            return
        concerned = {*units, *mind.owed}
        found = fitting_draws(case.rules, case.books, done, case.sights, concerned)
        if found is None:
            return
        mind.owed.clear()
        self.forgive(done.entry)
        self._take(done.entry, done.before, done.action, *found)
        for unit in concerned:
            if case.apart(unit):
                mind.owed[unit] = done.entry

    def settle(
        self, *, ended: bool = False, late: bool = False, dragged: Sequence[str] = ()
    ) -> None:
        """Results that were not carried out, or wrongly: say so, and go on from the table.

        Where the log has `ended`, there may have been no time left for the last of it; where the
        tracker went on, it may still be carried out `late`. Where units lie that were `dragged` is
        judged by itself.
        """
        case, mind = self._case, self._case.mind
        self.drop_forced()
        if not (ended or mind.belief.state):
            self._tell_prices()
        done = mind.done
        # What lies on a unit may be what was drawn for it, and not what nobody could see.
        lying = mind.belief.markers
        unseen = {lying[name].unit for name in mind.unseen & lying.keys()}
        asked = done and {i.place for i, due in mind.due.items() if due.entry == done.entry}
        if mind.owed or asked or (done and any(i.place in unseen for i in mind.due)):
            self.redraw()
        if late:
            # What was owed in an earlier turn nobody carries out any more.
            turns = {unit: mind.entries[one.entry].turn for unit, one in mind.late.items()}
            mind.late = {u: one for u, one in mind.late.items() if turns[u] == mind.belief.turn}
        wrong: dict[int, list[str]] = {}
        for unit, number in tuple(mind.owed.items()):
            told = mind.entries[number]
            if self.marks.is_only_reminded(unit) and not self.marks.was_so_before(told, unit):
                mind.marked.setdefault(unit, Marked(Now(told.last, told.player, told.side)))
                continue
            if not case.apart(unit) or (unit in dragged and self._is_right_but_for_place(unit)):
                continue
            if self._was_placed(told, unit) and self._moves_on(unit, told):
                continue
            if self.marks.faces_freely(told, unit) or self.marks.shares_sign(unit):
                case.believe((unit,), dragged=dragged)
                continue
            by_itself = told.ends_phase or case.history.may_wait(number)
            if by_itself and self.marks.is_only_marked(unit, anywhere=unit in dragged):
                # What the end of a phase does to a unit, the next one may undo.
                mind.marked[unit] = Marked(Now(told.last, told.player, told.side), number)
            else:
                wrong.setdefault(number, []).append(unit)
        mind.owed = {}
        for number, units in wrong.items():
            if not self.by_table.explains_result(number, units):
                self.not_done(number, units, ended=ended, late=late, dragged=dragged)
        # What lies on a unit belongs to it, and is due when the unit is.
        known = mind.belief.units
        on_units = {item: due for item, due in mind.due.items() if item.place in known}
        on_units = {
            i: due for i, due in on_units.items() if not self.books.lapses.is_taken_early(i, due)
        }
        numbers = {due.entry for due in on_units.values() if due.entry is not None}
        before = {number: mind.entries[number] for number in numbers}
        self.books.settle(on_units, ended=ended)
        self.late.wait_for_marks(on_units, before)

    def _tell_prices(self) -> None:
        """Prices that were paid in part; who has points left by them is not as by the rules."""
        mind = self._case.mind
        for number in self.books.tell_prices():
            entry = mind.entries[number]
            owed = [unit for unit, by in mind.owed.items() if by == number]
            as_before = [unit for unit in owed if self.marks.was_so_before(entry, unit)]
            self._case.believe(as_before)
            mind.owed = {unit: by for unit, by in mind.owed.items() if unit not in as_before}

    def _was_placed(self, done: Entry, unit: str) -> bool:
        """Whether an action put a unit onto its cell, that was elsewhere before."""
        before = done.before.units.get(unit) if done.before is not None else None
        known = self._case.mind.belief.units.get(unit)
        placed = known is not None and (before is None or before.cell != known.cell)
        return placed and self._is_right_but_for_place(unit)

    def not_done(
        self,
        number: int,
        units: Sequence[str],
        *,
        ended: bool,
        late: bool,
        dragged: Sequence[str] = (),
    ) -> None:
        """Units are not as an entry leaves them: tell that, and go on from the table."""
        case, mind = self._case, self._case.mind
        entry = mind.entries[number]
        if all(self.marks.is_late(entry, unit) for unit in units):
            known = mind.belief.units
            mind.late.update({u: Late(known.get(u), number, entry, mind.step) for u in units})
            if not case.history.is_slight(number) or self.marks.is_paid(entry):
                self._leave_unmarked(entry, units)
            case.believe(units, dragged=dragged)
            return
        self._wrong_result(number, units, ended=ended, late=late)
        self.books.losses.leave(number, units)
        if mind.entries[number] is not entry:
            # Who fights all combats before he carries their results out does it later.
            known = mind.belief.units
            done = mind.done if mind.done is not None and mind.done.entry == number else None
            mind.late.update({u: Late(known.get(u), number, entry, mind.step, done) for u in units})
            self._leave_unmarked(entry, [unit for unit in units if unit in entry.units])
        case.believe(units, dragged=dragged)

    def _leave_unmarked(self, entry: Entry, units: Iterable[str]) -> None:
        """Remember units as they are by the rules that players forgot to mark."""
        mind = self._case.mind
        only = [unit for unit in units if self.marks.is_only_marked(unit)]
        mind.unmarked |= {unit: (entry.turn, mind.belief.units[unit]) for unit in only}

    def _is_right_but_for_place(self, unit: str) -> bool:
        known, seen = self._case.mind.belief.units.get(unit), self._case.sights.units.get(unit)
        return known is not None and seen is not None and not seen.contradicts(known)

    def _wrong_result(
        self, number: int, units: Sequence[str], *, ended: bool, late: bool = False
    ) -> None:
        case, entry = self._case, self._case.mind.entries[number]
        slight = frozenset() if case.history.is_slight(number) else case.mind.slight
        if case.history.is_slight(number):
            # Of what was only guessed, nobody owes more than he has begun to lay out.
            units = [unit for unit in units if is_owed_by_guess(case, entry, unit)]
        if entry.status is not Status.LEGAL or not units:
            return
        if (ended and case.history.has_no_time(entry)) or self.comes_of_violation(number):
            return
        told = [line for unit in units for line in case.differences(unit)]
        told = [line for line in told if line not in slight and not case.history.was_told(line)]
        if not told:
            return
        certainty = case.sure(entry.path, self._cells(units))
        if late or not self._draws_known(number):
            certainty = Certainty.LIKELY
        last = ended and number == len(case.mind.entries) - 1
        if last and all(self.marks.was_so_before(entry, unit) for unit in units):
            # Nobody has begun with it as the log ends: it may still be carried out.
            certainty = Certainty.LIKELY
        if not (
            self._elsewhere(units, but=self._on_the_way(entry))
            or (not entry.path and self._hurt_otherwise(units))
        ):
            # Signs and arrows players forget, and what shows by them alone may be right without.
            certainty = Certainty.LIKELY
        if case.mind.unsaid.intersection((number - 1, number)):
            # Only taken for this: it may have been something else, and so may what follows.
            certainty = Certainty.LIKELY
            case.mind.doubt = True
        if certainty is Certainty.CERTAIN and not self._is_sure(number, units):
            certainty = Certainty.LIKELY
        by_rule: dict[tuple[str, str], list[str]] = {}
        for unit in units:
            rules = rule_of_signs(case, unit), rule_of_result(case.rules.game, entry, (unit,))
            by_rule.setdefault(rules, []).append(unit)
        for (sign, _), some in by_rule.items():
            own = [line for unit in some for line in case.differences(unit) if line in told]
            if own:
                case.amend_result(number, own, certainty, some, sign=sign)
        case.mind.strayed = (case.mind.belief.turn, case.mind.belief.phase)

    def tell_left_lying(self, units: Iterable[str]) -> None:
        """Who is dragged on from where he should not lie any more: say so first."""
        mind = self._case.mind
        left = [u for u in units if u in mind.owed]
        if any(was_left_lying(self._case, mind.entries[mind.owed[u]], u) for u in left):
            self.settle()

    def comes_of_violation(self, number: int) -> bool:
        """Whether it was only decided in silence about what was announced against the rules."""
        mind = self._case.mind
        if not number or number not in mind.unsaid:
            return False
        before = mind.entries[number - 1]
        announced = before.kind in self._case.rules.game.actions and not before.path
        return announced and before.status is Status.VIOLATION

    def _elsewhere(self, units: Iterable[str], but: Collection[str] = ()) -> bool:
        """Whether some of them lie elsewhere than they should, `but` for some cells."""
        known, seen = self._case.mind.belief.units, self._case.sights.units
        return any(
            (unit in known) != (unit in seen)
            or (
                unit in known
                and not seen[unit].at_place_of(known[unit])
                and seen[unit].where.cell not in but
            )
            for unit in units
        )

    def _on_the_way(self, entry: Entry) -> frozenset[str]:
        """The cells that an action names: who lies there may have been stopped by something."""
        return frozenset(named(self._case.action_of(entry))) if entry.action else frozenset()

    def _hurt_otherwise(self, units: Iterable[str]) -> bool:
        """Whether some of them have lost more or less than they should."""
        known, seen = self._case.mind.belief.units, self._case.sights.units
        return any(
            right.of == "steps"
            for unit in units
            if unit in known and unit in seen
            for right, _ in seen[unit].against(known[unit])
        )

    def _draws_known(self, number: int) -> bool:
        done = self._case.mind.done
        return done is None or done.entry != number or draws_known(done, self._case.sights)

    def _cells(self, units: Iterable[str]) -> list[str]:
        known = self._case.mind.belief.units
        return [known[unit].cell for unit in units if unit in known]

    # Announced against the rules

    def drop_forced(self, follows: Callable[[Position], bool] = _never) -> None:
        """What was announced against the rules and not done on the table did not happen.

        Unless what `follows` is right only if it did.
        """
        case, mind = self._case, self._case.mind
        forced = case.fork(Otherwise.NOT_DONE)
        if forced is None:
            return
        before, after = forced.before.belief, mind.belief
        done = any(apart(before, case.sights.units, unit) for unit in forced.units)
        # What it lays on a unit may lie there.
        laid = (i for i in case.books.changed(before, after) if i.place in before.units)
        done = done or any(not case.item_apart(item) for item in laid)
        if not done and (forced.units or not follows(after) or follows(before)):
            mind.belief = before
            for unit in forced.units:
                mind.owed.pop(unit, None)
            for item in case.books.changed(before, after):
                mind.due.pop(item, None)
