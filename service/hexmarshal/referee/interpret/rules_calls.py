"""The rules as the referee asks them: an answer, or an error that a person can read."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError, Place, RulesError
from hexmarshal.referee.chat.announcements import read_call
from hexmarshal.referee.interpret.made_lists import MadeLists
from hexmarshal.rules import engine
from hexmarshal.rules.choosing.choices import Begun
from hexmarshal.rules.plugin import GamePlugin
from hexmarshal.rules.state import validate
from hexmarshal.rules.values import EMPTY, FrozenMap

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from hexmarshal.referee.chat.announcements import Call
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.dice import Dice
    from hexmarshal.rules.plugin import Offer
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record, Value
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


def _line(plugin: GamePlugin, kind: str, line: str | None) -> Call | None:
    """What silence means at a table, as its players would say it."""
    place = Place(field=f"silence.{kind}")
    known = list(plugin.game.frames)
    if kind not in known:
        hint = f"the game asks: {', '.join(known)}" if known else "the game asks nothing"
        raise RulesError(f"the game knows no decision {kind!r}", place=place, hint=hint)
    if line is None:
        return None
    try:
        call = read_call(line, plugin.game.actions)
        if call is not None:
            call.action(plugin.game.actions, plugin.game.sides[0].key)
    except HexMarshalError as error:
        raise RulesError(error.message, place=place, hint=error.hint) from None
    if call is None:
        raise RulesError(f"{line!r} announces nothing", place=place, hint="such as: [pass]")
    return call


class Rules:
    """One game's plugin. A fault in it is an answer too: `RulesFailedError`."""

    def __init__(self, plugin: GamePlugin, silence: Mapping[str, str | None] | None = None) -> None:
        self.plugin = plugin
        self.game = plugin.game
        self._made = MadeLists(plugin)
        self._silence = {kind: _line(plugin, kind, line) for kind, line in (silence or {}).items()}

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

    def offers(
        self,
        position: Position,
        side: str,
        kinds: Collection[str] = (),
        held: Mapping[str, Value] = EMPTY,
    ) -> Iterator[Offer]:
        """Every legal action of a side, or those of some kinds and with these values."""
        with answering():
            if held and self._made.are_made(kinds):
                yield from self._made.holding(position, side, kinds, FrozenMap(held))
            else:
                yield from engine.offers(self.plugin, position, side, kinds, FrozenMap(held))

    def beside(self, position: Position, cell: str) -> tuple[str, ...]:
        """The cells to which a path may go on from one, as far as the game lists them."""
        try:
            with answering():
                return tuple(self.plugin.neighbours(position, cell) or ())
        except HexMarshalError:
            return ()

    def silence(self, position: Position, side: str) -> Action | None:
        """What is done for a side that says nothing to what it is asked."""
        frame = position.asked(side)
        if frame is not None and frame.asks(side) and frame.kind in self._silence:
            call = self._silence[frame.kind]
            return None if call is None else call.action(self.game.actions, side)
        with answering():
            return engine.silence(self.plugin, position, side)

    def others(self, position: Position, action: Action, slot: str) -> tuple[Value, ...]:
        """What a side may choose for one slot of an action, the other slots as they are."""
        begun = Begun(action.kind, action.params.without(slot), slot)
        with answering():
            found = engine.next_choices(self.plugin, position, action.side, begun)
        return tuple(choice.value for choice in found.choices)

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
