"""The plugin: the whole surface, each answer one call into the module that holds the rule."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes import declaration
from hexmarshal.games.conflict_of_heroes.frames import FRAMES
from hexmarshal.games.conflict_of_heroes.queries import answers
from hexmarshal.games.conflict_of_heroes.rules.turn import setup, setup_check, solitaire, victory
from hexmarshal.games.conflict_of_heroes.state.board import Board
from hexmarshal.games.conflict_of_heroes.state.execution import Play
from hexmarshal.games.conflict_of_heroes.state.invariants import problems
from hexmarshal.games.conflict_of_heroes.state.scenarios import Firefight
from hexmarshal.games.conflict_of_heroes.state.situation import Situation
from hexmarshal.games.conflict_of_heroes.state.source import DATA
from hexmarshal.games.conflict_of_heroes.state.tables import Tables
from hexmarshal.kit.game import Boards, DataGame
from hexmarshal.rules.choosing.partial import Partial
from hexmarshal.rules.verdict import Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hexmarshal.geometry.terrain.terrain_map import TerrainMap
    from hexmarshal.rules.action import Action, ActionType
    from hexmarshal.rules.charts import Chart
    from hexmarshal.rules.dice import Dice, Generator
    from hexmarshal.rules.plugin import Check, Game
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record, Value
    from hexmarshal.rules.verdict import Answer, Outcome

__all__ = ["ConflictOfHeroes"]


DECISIONS = frozenset(FRAMES)
"""What is done only where it is asked for."""


class ConflictOfHeroes(DataGame[Firefight, Situation]):
    """Conflict of Heroes. A folder of a user's own data may stand in for ours, file by file."""

    DATA = DATA
    CARD = Firefight
    FIRST_SCENARIOS = ("first_steps", "the_crossing")

    @cached_property
    def tables(self) -> Tables:
        """The tables of the game."""
        return Tables(self.data)

    @cached_property
    def game(self) -> Game:
        """What the game declares."""
        return declaration.game(self.tables, self.boards)

    @cached_property
    def boards(self) -> Boards[Board]:
        """The boards that there are."""
        files = self.data.names("boards/*.yaml")
        return Boards(files, lambda key: Board.load(self.data, key, self.tables))

    def charts(self) -> Sequence[Chart]:
        """The charts of the module, as data."""
        from hexmarshal.games.conflict_of_heroes.art.charts import charts

        return tuple(charts(self.tables))

    # Scenarios

    def setup(
        self, scenario: str, options: Mapping[str, Value], generator: Generator | None
    ) -> Position:
        """The position at the start of a firefight."""
        plan = self.cards[scenario]
        board = self.boards.of(plan)
        ground = Situation(replace(self.blank(), board=board.key), board, self.tables)
        plan.check(ground)
        return setup.set_up(ground, plan, options, generator)

    def blank(self) -> Position:
        """An empty board in the middle of a turn: what cases build on."""
        return replace(
            super().blank(),
            board=self.boards.keys[-1],
            sides=declaration.SIDES[:2],
            phase="play",
            active=declaration.SIDES[:1],
        )

    # The map

    def has_cell(self, position: Position, cell: str) -> bool:
        """COH-1.0b: only whole hexes are on the map."""
        known = not position.board or position.board in self.boards.keys
        return known and cell in self.boards[position.board].hexes

    def neighbours(self, position: Position, cell: str) -> Sequence[str]:
        """The hexes around a hex."""
        return self.boards[position.board].neighbours.get(cell, ())

    def terrain_map(self, position: Position) -> TerrainMap:
        """The board in use."""
        return self.boards[position.board].map

    # The situation and the play

    def situated(self, position: Position) -> Situation:
        """The position with its board and tables."""
        return Situation(position, self.boards[position.board], self.tables)

    def ledger(self, position: Position, dice: Dice) -> Play:
        """What the rules write into."""
        return Play(position, dice, self.situated)

    def checker(self, position: Position, kind: ActionType) -> Check:
        """Every objection to actions of a kind, as far as their side can know."""
        check = super().checker(position, kind)
        if position.option("solo"):
            check = partial(_by_doctrine, self.situation(position), check)
        if kind.name in DECISIONS:
            check = partial(_where_asked, position, check)
        return check

    # The answers

    def query(self, position: Position, name: str, params: Record) -> Answer:
        """The answer to a question about the position."""
        return answers.answer(self.situation(position), name, params)

    def outcome(self, position: Position) -> Outcome | None:
        """How the firefight ended; None while it goes on."""
        return victory.outcome(position)

    def invariants(self, position: Position) -> Iterator[Violation]:
        """What is wrong with a position."""
        return problems(self.situation(position))

    def setup_violations(self, position: Position) -> Iterator[Violation]:
        """What is wrong with a position as a set-up."""
        return setup_check.violations(self.situation(position))


def _where_asked(position: Position, check: Check, action: Action) -> Verdict:
    """COH-2.2a: a decision is made where it is asked for."""
    asked = position.asked(action.side)
    if asked is None or asked.kind != action.kind:
        text = f"no {action.kind} of {action.side} is asked for"
        return Verdict((Violation("COH-2.2a", text),))
    return check(action)


def _by_doctrine(now: Situation, check: Check, action: Action) -> Verdict:
    """The doctrine looks at whole actions."""
    verdict = check(action)
    whole = not isinstance(action, Partial)
    return solitaire.with_doctrine(now, action, verdict) if whole else verdict
