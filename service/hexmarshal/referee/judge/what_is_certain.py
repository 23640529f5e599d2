"""Whether a violation is certain: only where nothing could make right what was done."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.other_worlds import OtherWorlds
from hexmarshal.referee.case.table_comparison import apart, asked_about
from hexmarshal.referee.check.findings import Certainty, Status
from hexmarshal.referee.drags.drag_actions import named
from hexmarshal.referee.drags.drag_run import DragRun, Now
from hexmarshal.referee.interpret.deed import Deed
from hexmarshal.referee.interpret.log_dice import LogDice
from hexmarshal.rules.action import ParamType
from hexmarshal.rules.values import thaw

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.check.findings import Entry
    from hexmarshal.referee.interpret.interpreter import Interpreter
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.verdict import Violation

__all__ = ["WhatIsCertain"]


class WhatIsCertain:
    """Looks for what nobody spoke of, and what would make an action right."""

    def __init__(
        self,
        case: Case,
        interpreter: Interpreter,
        *,
        silent_turns: bool = False,
        advance: str = "",
    ) -> None:
        """With `silent_turns`, whose turn it is may change without a trace on the table."""
        self._case, self._silent_turns = case, silent_turns
        self._interpreter = interpreter
        self._worlds = OtherWorlds(case, advance)

    def is_sure(
        self,
        before: Position,
        action: Action,
        violations: Sequence[Violation],
        run: DragRun | None = None,
    ) -> bool:
        """Whether nothing that nobody spoke of could make it right, nor what is in doubt.

        The tracker shows the phase; of decisions within it nothing on the table tells for certain
        which of them the players have before them. Whatever else is wrong may come of that.
        """
        return self._is_plain(before, action, violations) and not self._is_right_elsewhere(
            before, action, violations, run
        )

    def in_the_way(self, before: Position, action: Action, run: DragRun | None) -> Entry | None:
        """What was told of a unit before, if it would be right were that unit not there."""
        for told, world in self._worlds.without_told(before, _own(before, action, run)):
            if self._is_right_in(world, action, run):
                # What is wrong with it besides is not about where units are.
                return None if self._is_right_in(before, action, run) else told
        return None

    def drawn_otherwise(
        self, entry: Entry, action: Action, run: DragRun | None
    ) -> tuple[Entry, Position] | None:
        """The entry, and the position with other draws that nothing shows, if it is right then."""
        before = self._case.mind.belief
        held = self._with_other_cards(before, action, run)
        if held is not None:
            # Nobody but its owner saw what was drawn into the hand.
            return entry, held
        seen = self._but_for_unseen(before, action, run)
        if seen is None:
            return None
        # They see what was drawn, and hold it for no hindrance.
        names = {one.unit for one in before.markers.values() if one.id not in seen.markers}
        hint = f"nothing on the table shows what was drawn for {', '.join(sorted(names))}"
        unknown, certainty = Status.UNKNOWN, Certainty.CANNOT_TELL
        return replace(entry, status=unknown, certainty=certainty, hint=hint), seen

    def _but_for_unseen(
        self, before: Position, action: Action, run: DragRun | None
    ) -> Position | None:
        """Without what was drawn and nothing shows on those who act, if it is right then."""
        own = _own(before, action, run)
        here = (before.markers.get(name) for name in self._case.mind.unseen)
        unseen = [marker.id for marker in here if marker is not None and marker.unit in own]
        world = replace(before, markers=before.markers.without(*unseen)) if unseen else None
        return world if world is not None and self._is_right_in(world, action, run) else None

    def _with_other_cards(
        self, before: Position, action: Action, run: DragRun | None
    ) -> Position | None:
        """With another card in a hand of which nothing on the table tells, if it is right then."""
        shown, kinds = self._case.sights.piles(), {one.key for one in self._case.rules.game.markers}
        unseen = [
            p for p in before.piles.values() if p.name not in shown and p.known_to is not None
        ]
        decks = [p for p in unseen if not p.side and kinds.isdisjoint(p.cards)]
        drawn = [(deck, card) for deck in decks for card in dict.fromkeys(deck.cards)]
        for hand in unseen:
            if hand.side != action.side or not hand.cards:
                continue
            for deck, card in drawn:
                rest = [*deck.cards, hand.cards[0]]
                rest.remove(card)
                own = replace(hand, cards=(card, *hand.cards[1:]))
                piles = before.piles.set(hand.name, own)
                left = replace(deck, cards=tuple(rest))
                world = replace(before, piles=piles.set(deck.name, left))
                if self._is_right_in(world, action, run):
                    return world
        return None

    def doubt_before_tracker(self, last: int) -> None:
        """The tracker came to a new phase: what was done right before that may be of this one.

        `last` is the number of entries when it did.
        """
        case, mind = self._case, self._case.mind
        for number in range(last - 1, -1, -1):
            entry = mind.entries[number]
            if entry.ends_phase or number in mind.unsaid or entry.status is Status.TAKEN_BACK:
                continue
            if not entry.is_certain_violation or not entry.action or entry.before is None:
                break
            was = (entry.before.units.get(unit) for unit in entry.units)
            there = mind.belief.with_unit(*(unit for unit in was if unit is not None))
            now, starts = Now(entry.last, entry.player, entry.side), entry.before.units
            run = (
                DragRun(entry.units, starts[entry.units[0]].cell, entry.path, entry.first, now)
                if entry.path
                else None
            )
            if not self._is_right_in(there, case.action_of(entry), run):
                break
            mind.entries[number] = replace(entry, certainty=Certainty.LIKELY)

    def is_result_sure(self, number: int, units: Sequence[str]) -> bool:
        """Whether what was done with units is not the result of an entry in any other world."""
        case, mind = self._case, self._case.mind
        entry, rolled, done = mind.entries[number], mind.rolled, mind.done
        before = entry.before
        if before is None or not entry.action:
            return True
        action = case.action_of(entry)
        throws = rolled.throws if rolled is not None and rolled.entry == number else ()
        picks = done.picks if done is not None and done.entry == number else ()
        for world in self._worlds.beside(before, (), number):
            try:
                if not case.rules.check(world, action).legal:
                    continue
                after = case.rules.apply(world, action, LogDice(throws, picks)).position
            except HexMarshalError:
                continue
            if not any(apart(after, case.sights.units, unit) for unit in units):
                return False
        return True

    def _is_right_elsewhere(
        self,
        before: Position,
        action: Action,
        violations: Sequence[Violation],
        run: DragRun | None,
    ) -> bool:
        """Whether it would be right in a world that may have been as well."""
        turn = self._case.rules.game.turn_rule
        own = _own(before, action, run)
        if any(self._is_right_in(world, action, run) for world in self._worlds.beside(before, own)):
            return True
        if any(violation.rule == turn for violation in violations):
            # Out of phase and out of turn it is, whatever the phase before would allow.
            return False
        if any(
            self._is_right_in(world, action, run) for world in self._worlds.in_other_phases(before)
        ):
            return True
        return run is not None and any(
            not before.units[unit].cell and self._interpreter.may_enter(before, unit)
            for unit in own
        )

    def _is_right_in(self, world: Position, action: Action, run: DragRun | None) -> bool:
        """Whether an action is right there, or a drag in any way to take it."""
        try:
            if run is None:
                return self._case.rules.check(world, action).legal
            if any(unit not in world.units for unit in run.units):
                return False
            # From elsewhere they went another way.
            there = all(world.units[unit].cell == run.start for unit in run.units)
            cells = run.cells if there else run.cells[-1:]
            shown = self._case.sights.units
            deeds = [Deed(unit, None, shown.get(unit), cells) for unit in run.units]
            judged = self._interpreter.judged(world, deeds, self._case.mind.tray)
        except HexMarshalError:
            return False
        return judged is not None and judged.verdict.legal

    def _is_plain(self, before: Position, action: Action, violations: Sequence[Violation]) -> bool:
        """Whether nothing that nobody spoke of could make it right."""
        case, game = self._case, self._case.rules.game
        if case.history.comes_of_wrong_result or self._is_right_by_books(before, action):
            return False
        if self._is_right_otherwise(before, action):
            return False
        if any(item.place in named(action) and case.item_apart(item) for item in case.mind.due):
            # By what lies on them they may do it.
            return False
        if self._silent_turns and (
            case.misplaced_cards() or self._is_out_of_thread(before, action)
        ):
            # A card that lies elsewhere may let them, or it is their go all the same.
            return False
        if self._silent_turns and not _own(before, action, None):
            # What was left out may have been laid unseen, or lie there a moment later.
            return False
        if all(violation.rule != game.turn_rule for violation in violations):
            return not case.history.follows_assumption
        kind = game.actions.get(action.kind)
        answers = kind is not None and kind.states and "" not in kind.states
        return not (before.state or answers or self._silent_turns or case.history.has_strayed)

    def _is_out_of_thread(self, before: Position, action: Action) -> bool:
        """Whether others have their go by the rules, of which nobody can be sure any more."""
        own = {
            u for u in named(action) if u in before.units and before.units[u].side == action.side
        }
        return own.isdisjoint(asked_about(before)) and self._case.history.has_lost_thread

    def _is_right_by_books(self, before: Position, action: Action) -> bool:
        """Whether it would be right with the tracks and the signs as the table has them."""
        shown = self._case.by_books(before)
        if shown is before:
            return False
        try:
            return self._case.rules.check(shown, action).legal
        except HexMarshalError:
            return False

    def _is_right_otherwise(self, before: Position, action: Action) -> bool:
        """Whether it would be right with another choice than the one that silence stands for.

        Who says nothing of how he pays may mean any way to pay.
        """
        game = self._case.rules.game
        kind = game.actions.get(action.kind)
        for param in () if kind is None else kind.params:
            if param.required or param.type is not ParamType.CHOICE or param.name in action.params:
                continue
            for value in param.choices:
                given = {name: thaw(one) for name, one in action.params.items()}
                other = game.actions.make(action.kind, action.side, **given, **{param.name: value})
                try:
                    if self._case.rules.check(before, other).legal:
                        return True
                except HexMarshalError:
                    continue
        return False


def _own(before: Position, action: Action, run: DragRun | None) -> list[str]:
    """The units that are dragged, or named."""
    names = run.units if run is not None else tuple(named(action))
    return [name for name in dict.fromkeys(names) if name in before.units]
