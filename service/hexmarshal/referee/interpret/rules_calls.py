"""The rules as the referee asks them: an answer, or an error that a person can read."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError
from hexmarshal.rules import engine
from hexmarshal.rules.plugin import GamePlugin
from hexmarshal.rules.state import validate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.rules.action import Action
    from hexmarshal.rules.dice import Dice
    from hexmarshal.rules.plugin import Offer
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record
    from hexmarshal.rules.verdict import Answer, Applied, Verdict, Violation

__all__ = ["Rules", "RulesFailedError", "answering"]


class RulesFailedError(HexMarshalError):
    """A game's plugin failed where it should have answered: no fault of a player."""

    code = "rules-failed"


@contextmanager
def answering() -> Iterator[None]:
    """What a plugin raises by mistake becomes a `RulesFailedError`; other errors pass."""
    try:
        yield
    except HexMarshalError:
        raise
    except Exception as error:
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise RulesFailedError(
            f"the rules failed here: {what}",
            hint="a fault of the game's plugin, not of the players: tell its author",
        ) from error


class Rules:
    """One game's plugin. A fault in it is an answer too: `RulesFailedError`."""

    def __init__(self, plugin: GamePlugin) -> None:
        self.plugin = plugin
        self.game = plugin.game

    def check(self, position: Position, action: Action) -> Verdict:
        """Whether an action is legal."""
        with answering():
            return engine.check(self.plugin, position, action)

    def opened(self, position: Position) -> Position:
        """The position with what its phase begins by asking."""
        with answering():
            return self.plugin.opened(position)

    def apply(self, position: Position, action: Action, dice: Dice) -> Applied:
        """What comes of an action, legal or not."""
        with answering():
            return self.plugin.apply(position, action, dice)

    def offers(self, position: Position, side: str) -> Iterator[Offer]:
        """Every legal action of a side."""
        with answering():
            yield from engine.offers(self.plugin, position, side)

    def silence(self, position: Position, side: str) -> Action | None:
        """What is done for a side that says nothing to what it is asked."""
        with answering():
            return engine.silence(self.plugin, position, side)

    def ask(self, position: Position, name: str, params: Record, side: str) -> Answer:
        """The answer to a query, as far as a side can know."""
        with answering():
            return engine.ask(self.plugin, position, name, params, side)

    @property
    def judges_set_ups(self) -> bool:
        """Whether the game has rules of its own about set-ups."""
        return type(self.plugin).setup_violations is not GamePlugin.setup_violations

    def set_up_problems(self, position: Position) -> tuple[Violation, ...]:
        """What is wrong with a position as a set-up, beyond what no position may be."""
        with answering():
            return tuple(self.plugin.setup_violations(position))

    def problems(self, position: Position) -> tuple[Violation, ...]:
        """Everything wrong with a position; names that are wrong do not hide what else is."""
        with answering():
            found = validate.problems(self.plugin, position)
        if not any(violation.rule == validate.POSITION_RULE for violation in found):
            return found
        try:
            with answering():
                return (*found, *self.plugin.invariants(position))
        except HexMarshalError:
            # Invariants may rely on the names being right.
            return found
