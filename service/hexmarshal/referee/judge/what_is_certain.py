"""Whether a violation is certain: only where nothing could make right what was done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.table_comparison import asked_about
from hexmarshal.referee.drags.drag_actions import named
from hexmarshal.rules.action import ParamType
from hexmarshal.rules.values import thaw

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.verdict import Violation

__all__ = ["WhatIsCertain"]


class WhatIsCertain:
    """Looks for what nobody spoke of, and what would make an action right."""

    def __init__(self, case: Case, *, silent_turns: bool = False) -> None:
        """With `silent_turns`, whose turn it is may change without a trace on the table."""
        self._case, self._silent_turns = case, silent_turns

    def is_sure(self, before: Position, action: Action, violations: Sequence[Violation]) -> bool:
        """Whether nothing that nobody spoke of could make it right.

        The tracker shows the phase; of decisions within it nothing on the table tells for certain
        which of them the players have before them. Whatever else is wrong may come of that.
        """
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
