"""What a rules plugin is: what it answers about its game; `Game` is what it declares."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from hexmarshal.errors import RulesError
from hexmarshal.rules.action import Action
from hexmarshal.rules.copying import quick
from hexmarshal.rules.game import (
    Game,
    MarkerType,
    Named,
    Option,
    Phase,
    ScenarioInfo,
    ScenarioTerms,
    UnitType,
)
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.verdict import LEGAL

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from hexmarshal.geometry.terrain.terrain_map import TerrainMap
    from hexmarshal.rules.action import ActionType
    from hexmarshal.rules.charts import Chart
    from hexmarshal.rules.dice import Dice, Generator
    from hexmarshal.rules.frames.frame import Frame
    from hexmarshal.rules.rulebook import Rulebook
    from hexmarshal.rules.values import Record, Value
    from hexmarshal.rules.verdict import Answer, Applied, Outcome, Verdict, Violation

__all__ = [
    "Check",
    "Game",
    "GamePlugin",
    "MarkerType",
    "Named",
    "Offer",
    "Option",
    "Phase",
    "ScenarioInfo",
    "ScenarioTerms",
    "UnitType",
]


# What is said of actions of one kind on one position.
Check: TypeAlias = "Callable[[Action], Verdict]"
CheckOf: TypeAlias = "Callable[[str], Check]"


@quick
@dataclass(frozen=True, slots=True)
class Offer:
    """A legal action and its verdict, which carries the cost."""

    action: Action
    verdict: Verdict


def _legal(_: Action) -> Verdict:
    return LEGAL


class GamePlugin(ABC):
    """The rules of one game. All of it is pure: no files, no clock, no chance but the dice given.

    Callers go through `hexmarshal.rules.engine`, which checks that the position and the action are
    of this game and that every unit, cell and card named exists, and which hands `check`, `actions`
    and `query` only what the acting side knows: what they answer cannot betray a hidden unit.
    `apply` gets the whole truth, and only after `check` found the action legal.
    """

    @property
    @abstractmethod
    def game(self) -> Game:
        """What the plugin declares."""

    @property
    @abstractmethod
    def rulebook(self) -> Rulebook:
        """Every rule of the game."""

    @abstractmethod
    def scenarios(self) -> Sequence[ScenarioInfo]:
        """The scenarios that `setup` knows."""

    @abstractmethod
    def setup(
        self, scenario: str, options: Mapping[str, Value], generator: Generator | None
    ) -> Position:
        """The position at the start of a scenario; options are complete and checked."""

    def check(self, position: Position, action: Action) -> Verdict:
        """Whether the action is legal, all that is wrong with it, and what it costs.

        By the check of its kind. The action may be partial: see `hexmarshal.rules.choosing`.
        """
        return self.checker(position, self.game.actions[action.kind])(action)

    def checker(self, position: Position, kind: ActionType) -> Check:
        """The check of one kind of action on one position, for whoever checks many.

        A game with rules for several kinds alike puts them around it here.
        """
        if kind.check is None:
            return _legal
        return partial(kind.check, self.held_situation(position))

    def apply(self, position: Position, action: Action, dice: Dice) -> Applied:
        """What comes of a legal action, by the `apply` of its kind."""
        carry_out = self.game.actions[action.kind].apply
        if carry_out is None:
            raise RulesError(f"{self.game.title} does not say what {action.kind} does")
        ledger = self.ledger(position, dice)
        carry_out(ledger, action)
        applied: Applied = ledger.close()
        return applied

    def situation(self, position: Position) -> Any:  # noqa: ANN401 - a game's own
        """What the checks of the action table get: the position, or what a game puts around it."""
        return position

    # The last position and its situation: checks come many on one position.
    _last: tuple[Position | None, Any] = (None, None)

    def held_situation(self, position: Position) -> Any:  # noqa: ANN401
        """The same, made once for checks that follow each other on one position."""
        of, made = self._last
        if of is not position:
            made = self.situation(position)
            self._last = (position, made)
        return made

    # The last whole action that was judged, on which position, and the verdict.
    _judged: tuple[Position | None, Action | None, Verdict] = (None, None, LEGAL)

    def judged(self, position: Position, action: Action, check_of: CheckOf) -> Verdict:
        """What its check says of a whole action; of the one asked about last it is remembered."""
        of, done, verdict = self._judged
        if done is not action or of is not position:
            verdict = check_of(action.kind)(action)
            self._judged = (position, action, verdict)
        return verdict

    def ledger(self, position: Position, dice: Dice) -> Any:  # noqa: ANN401 - a game's own
        """What the table's `apply` get: a Ledger, or what a game puts around it, with `close`."""
        from hexmarshal.rules.state.ledger import Ledger

        return Ledger(position, dice, self.game.lifetimes)

    def actions(self, position: Position, side: str) -> Iterator[Offer]:
        """Every legal action of this side, lazily, always in the same order.

        By walking the choices of each slot; a game overrides it only if it knows better.
        """
        return self._walked(position, side, ())

    def actions_of(self, position: Position, side: str, kinds: Collection[str]) -> Iterator[Offer]:
        """Those of `actions` that are of these kinds."""
        if not self.lists_actions:
            return self._walked(position, side, kinds)
        return (offer for offer in self.actions(position, side) if offer.action.kind in kinds)

    @property
    def checks_by_itself(self) -> bool:
        """Whether the game asks more than the checker of the action's kind."""
        return type(self).check is not GamePlugin.check

    @property
    def lists_actions(self) -> bool:
        """Whether the game lists its actions by itself, and not by the walk."""
        return type(self).actions is not GamePlugin.actions

    def _walked(self, position: Position, side: str, kinds: Collection[str]) -> Iterator[Offer]:
        from hexmarshal.rules import engine

        stops = engine.walk(self, position, side, kinds).stops()
        return (stop.offer for stop in stops if stop.offer is not None)

    def cells(self, position: Position) -> Iterable[str] | None:
        """The cells of the map in use, for whoever chooses one; None: they cannot be listed."""
        terrain = self.terrain_map(position)
        return None if terrain is None else terrain.names.values()

    def neighbours(self, position: Position, cell: str) -> Iterable[str] | None:
        """The cells to which a path may go on; None: they cannot be listed."""
        terrain = self.terrain_map(position)
        if terrain is None:
            return None
        return [terrain.name(near) for near in terrain.neighbours(terrain.cell(cell))]

    @abstractmethod
    def query(self, position: Position, name: str, params: Record) -> Answer:
        """The answer to one of the declared queries."""

    @abstractmethod
    def outcome(self, position: Position) -> Outcome | None:
        """How the game ended; None while it goes on."""

    def view(self, position: Position, side: str) -> Position:
        """What this side knows; a game with secrets of its own kind overrides and extends it."""
        from hexmarshal.rules.state.view import view

        return view(position, side, self.game.unmasked)

    def invariants(self, position: Position) -> Iterator[Violation]:
        """What holds in every position that play can reach, and is broken in this one."""
        del position
        return iter(())

    def setup_violations(self, position: Position) -> Iterator[Violation]:
        """What is wrong with a position as a set-up, beyond what no position may be.

        Stacks too high, ground that does not admit a unit, units outside their set-up areas, more
        counters of a type than the game has.
        """
        del position
        return iter(())

    def silence(self, position: Position, frame: Frame, side: str) -> Action | None:
        """What stands for saying nothing to this frame; None if the side must answer.

        As the frame type declares; overridden where it depends on the position, which is the
        side's view.
        """
        del position
        kind = self.game.frames.get(frame.kind)
        if kind is None or kind.silence is None:
            return None
        return Action(kind.silence.kind, side, kind.silence.params)

    def opened(self, position: Position) -> Position:
        """A position read off a table, with what its phase begins by asking.

        A table shows the phase and nothing of what is asked in it: no decision is open in what
        comes here.
        """
        return position

    def completed(self, position: Position) -> Position:
        """A position read off a table, with what no piece shows: all cells of a long counter.

        It also takes up the markers that `on_table` lays out.
        """
        return position

    def on_table(self, position: Position) -> Position:
        """A position to be laid out on a table, with markers for what the game keeps besides."""
        return position

    def charts(self) -> Sequence[Chart]:
        """The tables that players look things up in, from the data that the rules use."""
        return ()

    def terrain_map(self, position: Position) -> TerrainMap | None:
        """The map in use, for pictures; None from a game that keeps its map in another way."""
        del position
        return None

    def has_cell(self, position: Position, cell: str) -> bool:
        """Whether the map in use has this cell; a plugin with a map says no to a misprint."""
        del position
        return bool(cell)

    def has_card(self, card: str) -> bool:
        """Whether the game has this card, wherever it lies.

        What a plugin owns to is judged by its rules; any other name is an error unless the side
        can see a card of that name.
        """
        del card
        return False

    def blank(self) -> Position:
        """An empty position of this game, at its beginning: what a conformance case builds on."""
        game = self.game
        first = game.phases[0]
        sides = tuple(side.key for side in game.sides)
        return Position(
            game=game.key,
            version=game.version,
            sides=sides,
            phase=first.key,
            active=first.sides[:1] or sides[:1],
        )
