"""The case before the referee: the game as the rules have it beside what the table shows."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hexmarshal.referee.case.habits import Habits
from hexmarshal.referee.case.history import History
from hexmarshal.referee.case.mind import ACTING, Mind, Otherwise
from hexmarshal.referee.case.table_comparison import apart, believing, differences
from hexmarshal.referee.chat.spoken_numbers import SpokenNumbers
from hexmarshal.referee.check.findings import (
    IN_SILENCE,
    ROLL,
    TABLE_RULE,
    Certainty,
    Entry,
    Status,
)
from hexmarshal.referee.interpret.words import side_title, spoken
from hexmarshal.referee.results.result_words import (
    headed,
    part_asked,
    right_by_lines,
    right_result,
    rule_of_result,
)
from hexmarshal.rules.values import thaw
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from hexmarshal.referee.case.mind import Fork, Sights
    from hexmarshal.referee.drags.drag_run import Now
    from hexmarshal.referee.interpret.rules_calls import Rules
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.reading.bookkeeping import Books, Item

__all__ = ["Case"]

# This phase and the one before it.
_RECENT: Final = 2

_UNASKED: Final = "nothing that was done asks for this"


class Case:
    """One log: the mind of the referee, the sights of the table, and what follows from both."""

    def __init__(
        self, rules: Rules, books: Books, position: Position, sights: Sights, *, sure: bool = True
    ) -> None:
        self.rules = rules
        self.books = books
        self.sights = sights
        self.mind = Mind(replace(position, generator=None))
        self.history = History(self)
        self.habits = Habits(self)
        self.numbers = SpokenNumbers(rules.game)
        self._sure_of_start = sure
        self._first_piles = sights.piles()

    # Undo

    def restore(self, kept: Mind, step: int) -> None:
        """Back to before a step; what was done in it or since stays in the list as taken back."""
        gone = [
            replace(entry, status=Status.TAKEN_BACK)
            for entry in self.mind.entries[len(kept.entries) :]
            if entry.last >= step
        ]
        self.mind = kept
        kept.entries += gone

    # What may have been another thing

    def fork(self, why: Otherwise) -> Fork | None:
        """Where to go back to, once; None if the game has gone on from what was thought."""
        fork = self.mind.forks.pop(why, None)
        gone_on = fork and fork.after is not None and fork.after is not self.mind.belief
        return None if gone_on else fork

    def since(self, before: Mind) -> Mind:
        """A moment to go back to, with what was seen of the table since."""
        seen, start = self.mind, before.copy()
        touched = {
            # What was done since is none of the things done.
            item: replace(due, last=None)
            for item, due in seen.due.items()
            if due.entry is None
        }
        return replace(
            start,
            anchor=seen.anchor,
            step=seen.step,
            kept=seen.kept,
            paid=seen.paid,
            due={**start.due, **touched},
        )

    def go_back(self, fork: Fork) -> bool:
        """Do again, as another thing, what was done then; False, and nothing, if it cannot be."""
        kept, self.mind = self.mind, self.since(fork.before)
        if fork.again is not None and fork.again():
            return True
        self.mind = kept
        return False

    def action_of(self, entry: Entry) -> Action:
        """The action that an entry is about."""
        return self.rules.game.actions.decode(thaw(entry.action))

    def spoken(self, action: Action) -> str:
        """An action in words: as its side would announce it."""
        return spoken(self.rules.game, action)

    def in_silence(self, action: Action) -> str:
        """The same, of one that nobody announced."""
        return f"{IN_SILENCE}: {self.spoken(action)}"

    # Table and rules side by side

    def differences(self, unit: str) -> tuple[str, ...]:
        """How the table shows a unit other than the rules have it, in words."""
        return differences(self.mind.belief, self.sights.units, unit, self.rules.game)

    def apart(self, unit: str) -> bool:
        """Whether table and rules differ about a unit."""
        return apart(self.mind.belief, self.sights.units, unit)

    def item_apart(self, item: Item) -> bool:
        """Whether table and rules differ about something in the books."""
        if item in self.sights.left:
            return False
        return self.books.apart(self.mind.belief, self.sights.books, item)

    def believe(self, units: Iterable[str], *, dragged: Collection[str] = ()) -> None:
        """Go on from what the table shows of these units, but where it has who was `dragged`."""
        self.mind.belief = believing(self.mind.belief, self.sights.units, units, dragged)

    def believe_items(self, items: Iterable[Item]) -> None:
        """Go on from what the table shows of these books."""
        self.mind.belief = self.books.believing(self.mind.belief, self.sights.books, items)

    def by_books(self, position: Position) -> Position:
        """A position with the tracks that players keep, and otherwise, as they have them.

        And with the signs on units that are not as the rules have them.
        """
        mind = self.mind
        signed = [unit for unit in mind.marked if self.apart(unit)]
        position = believing(position, self.sights.units, signed)
        kept = [item for item in mind.due if item.of == "track" and self.is_kept(item)]
        wrong = [item for item in kept if self.item_apart(item)]
        return self.books.believing(position, self.sights.books, wrong) if wrong else position

    def is_kept(self, item: Item) -> bool:
        """Whether the players were seen to keep it."""
        return (item.of, item.name) in self.mind.kept

    def believe_piles(self) -> None:
        """Go on from the cards that lie in the piles of the table."""
        self.mind.belief = self.with_piles(self.mind.belief)

    def with_piles(
        self, position: Position, lay: Mapping[str, tuple[str, ...]] | None = None
    ) -> Position:
        """A position with the cards that lie in the piles of the table, or `lay` there."""
        piles = position.piles
        for name, cards in (self.sights.piles() if lay is None else lay).items():
            pile = position.pile(name)
            if Counter(cards) != Counter(pile.cards):
                piles = piles.set(name, replace(pile, cards=cards))
        return position if piles is position.piles else replace(position, piles=piles)

    def misplaced_cards(
        self, before: Position | None = None, *, first: bool = False
    ) -> tuple[str, ...]:
        """In words: cards that lie in another pile of the table than the rules have them in.

        But those that by the rules have gone from where they were `before`, and on the table too.
        Who moves cards for the `first` time has not dealt any: of which those are that the rules
        have dealt nobody knows, but how many.
        """
        shown, belief, named = self.sights.piles(), self.mind.belief, self.sights.pile_title
        right = {name: belief.pile(name).cards for name in shown}
        known = {name: self._first_piles.get(name, ()) for name in shown} if first else right
        too_many: dict[str, list[str]] = {}
        for name, cards in shown.items():
            if first and len(cards) <= len(right[name]):
                continue
            for card in (Counter(cards) - Counter(known[name])).elements():
                too_many.setdefault(card, []).append(name)
        started = {} if before is None else {c: n for n in shown for c in before.pile(n).cards}
        return tuple(
            f"card {card} is in {named(name)} by the rules, and lies in {named(there)}"
            for name, cards in shown.items()
            for card in (Counter(known[name]) - Counter(cards)).elements()
            if too_many.get(card) and (there := too_many[card].pop())
            if started.get(card, name) in (name, there)
            if not self._is_other_draw(name, there)
        )

    def _is_other_draw(self, *names: str) -> bool:
        """Whether cards of a pile that lies face down were drawn, as many as by the rules.

        Which those are nobody can know before.
        """
        shown, piles = self.sights.piles(), [self.mind.belief.pile(name) for name in names]
        face_down = any(pile.known_to is not None and not pile.known_to for pile in piles)
        return face_down and all(len(pile.cards) == len(shown[pile.name]) for pile in piles)

    def released(self) -> Position | None:
        """As it would be if nobody answered what is asked any more; None if nothing is."""
        belief = self.mind.belief
        if not belief.state:
            return None
        for entry in reversed(self.mind.entries):
            for then in (entry.after, entry.before):
                if then is None or (then.turn, then.phase) != (belief.turn, belief.phase):
                    return None
                if not then.state:
                    free = replace(belief, state="", frames=(), active=then.active)
                    return None if self.rules.opened(free).state else free
        return None

    def asked_for(self, position: Position) -> str:
        """In words: what the rules ask for."""
        frames = self.rules.game.frames
        return frames[position.state].title if position.state in frames else position.state

    def still_asked(self, position: Position, text: str) -> Violation:
        """That something asked was not done, by the rule that asks for it."""
        game = self.rules.game
        frame = game.frames.get(position.state)
        part, rule = part_asked(game, position)
        if not rule:
            rule = frame.rules[0] if frame is not None and frame.rules else game.turn_rule
        by = " and ".join(side_title(game, side) for side in position.active)
        todo = self.asked_for(position) + (f" ({part})" if part else "")
        text = f"{text}, and this is still to be done{f' by {by}' if by else ''}: {todo}"
        return self.placed(rule, text)

    @property
    def acting(self) -> str:
        """The side with the marker for whose go it is; empty if these players do not move it."""
        return self.sights.acting() if ACTING in self.mind.kept else ""

    @property
    def acts_on(self) -> str:
        """The side that has done something since it got that marker, and others nothing after.

        Whoever did it against the rules may not have had his go with that.
        """
        entries, acting = self.mind.entries, self.acting
        last = entries[-1] if entries and acting else None
        if last is None or last.status is not Status.LEGAL or last.side != acting:
            return ""
        return acting if last.first >= self.sights.handed else ""

    # Entries

    def sure(self, *places: Iterable[str]) -> Certainty:
        """How sure a finding at these cells is: nothing may lie there that the binding misses."""
        if self.mind.doubt or self.mind.guessed or not self._sure_of_start:
            return Certainty.LIKELY
        if self._has_stray_dice():
            return Certainty.LIKELY
        strange = self.sights.strange()
        if strange and any(cell in strange for cells in places for cell in cells):
            return Certainty.LIKELY
        return Certainty.CERTAIN

    def _has_stray_dice(self) -> bool:
        """Whether dice of this turn or the last phase are a puzzle: this may have come of them."""
        turn = self.mind.belief.turn
        phases = {(turn, self.mind.belief.phase)}
        for entry in reversed(self.mind.entries):
            phases.add((entry.turn, entry.phase))
            if entry.turn != turn and len(phases) > _RECENT:
                return False
            if entry.kind == ROLL and entry.status is Status.UNKNOWN:
                return True
        return False

    def entry(self, now: Now, first: int, what: str, kind: str, status: Status) -> Entry:
        """An entry about what happens now."""
        at = self.mind.belief
        side = now.side or (at.active[0] if len(at.active) == 1 else "")
        return Entry(
            first, now.step, at.turn, at.phase, side, now.player, what, kind, status, before=at
        )

    def unknown(self, entry: Entry, why: str, hint: str = "") -> None:
        """Add an entry that cannot be judged, and say why."""
        self.add(
            replace(
                entry,
                status=Status.UNKNOWN,
                certainty=Certainty.CANNOT_TELL,
                result=why,
                hint=hint,
            )
        )

    def guess(self, first: int) -> None:
        """What was done without a word from an entry on is only the likeliest of what fits."""
        self.mind.guessed = True
        entries = self.mind.entries
        for number in range(first, len(entries)):
            if number in self.mind.unsaid and entries[number].status is Status.LEGAL:
                entries[number] = replace(entries[number], certainty=Certainty.LIKELY)

    def add(self, entry: Entry) -> int:
        """Put an entry into the list; returns its place."""
        done = entry if entry.after is not None else replace(entry, after=self.mind.belief)
        self.mind.entries.append(done)
        return len(self.mind.entries) - 1

    def placed(self, rule: str, text: str, units: Sequence[str] = ()) -> Violation:
        """A violation with the place of its rule in the book."""
        section = self.rules.plugin.rulebook.section(rule)
        return Violation(rule, text, section, units=tuple(units))

    def amend_result(
        self,
        number: int,
        told: Sequence[str],
        certainty: Certainty,
        units: Sequence[str] = (),
        *,
        rule: str = "",
        right: str = "",
        sign: str = "",
    ) -> None:
        """Make an entry that was legal a wrong result; `rule` and `right`, if those are known.

        `sign` is the rule of the signs on units, if those are all that is wrong.
        """
        entry = self.mind.entries[number]
        if units:
            entry = headed(self.rules.game, self.mind.entries, number)
        kind = self.rules.game.actions.get(entry.kind)
        # Of what the end of a phase does by itself, the last thing counted may be another.
        by_itself = entry.ends_phase and not entry.dice
        if not by_itself:
            by_part = rule_of_result(self.rules.game, entry, units)
            rule = sign or by_part or rule or entry.decided_by
        rule = rule or (kind.rules[0] if kind is not None and kind.rules else TABLE_RULE)
        right = right_by_lines(told) if sign else right
        text = f"the result was not carried out: {'; '.join(told)}"
        self.mind.entries[number] = replace(
            entry,
            status=Status.VIOLATION,
            certainty=certainty,
            violations=(*entry.violations, self.placed(rule, text, units)),
            right=entry.right
            or right
            or right_result(entry, "" if by_itself else entry.result, told),
            units=tuple(dict.fromkeys((*entry.units, *units))),
        )

    def add_change(
        self,
        what: str,
        now: Now,
        units: Sequence[str] = (),
        broken: Sequence[Violation] = (),
        then: Position | None = None,
    ) -> None:
        """Add an entry about something that was changed, and nothing asks for it.

        By the rules that are `broken`, if those are known; `then` is when it was done, if that is
        an earlier phase.
        """
        entry: Entry = self.entry(now, now.step, what, "change", Status.VIOLATION)
        at = self.mind.belief if then is None else then
        side = now.side or (at.active[0] if len(at.active) == 1 else "")
        self.add(
            replace(
                entry,
                turn=at.turn,
                phase=at.phase,
                side=side,
                violations=tuple(broken) or (self.placed(TABLE_RULE, _UNASKED, units),),
                certainty=Certainty.LIKELY,
                right=right_by_lines(what.split("; ")) or "as it was before",
                units=tuple(units),
            )
        )
