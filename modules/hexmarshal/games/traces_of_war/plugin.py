"""The plugin: the whole surface, each answer one call into the module that holds the rule."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from hexmarshal.games.traces_of_war import declaration
from hexmarshal.games.traces_of_war.queries.answers import answer
from hexmarshal.games.traces_of_war.rules.ground.stacking import stacking_faults
from hexmarshal.games.traces_of_war.rules.sequence import setup, turn
from hexmarshal.games.traces_of_war.rules.victory import ending
from hexmarshal.games.traces_of_war.state.board import Board
from hexmarshal.games.traces_of_war.state.execution import Play
from hexmarshal.games.traces_of_war.state.invariants import problems
from hexmarshal.games.traces_of_war.state.kinds import AXIS, SOVIET
from hexmarshal.games.traces_of_war.state.piles import first_piles
from hexmarshal.games.traces_of_war.state.roster import Roster
from hexmarshal.games.traces_of_war.state.situation import Situation
from hexmarshal.games.traces_of_war.state.source import DATA
from hexmarshal.games.traces_of_war.state.tables import Tables
from hexmarshal.kit.game import Boards, DataGame, ScenarioCard
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.values import FrozenMap, Value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hexmarshal.geometry.terrain.terrain_map import TerrainMap
    from hexmarshal.rules.charts import Chart
    from hexmarshal.rules.dice import Generator
    from hexmarshal.rules.plugin import Game
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record
    from hexmarshal.rules.verdict import Answer, Outcome, Violation

__all__ = ["TracesOfWar"]


class TracesOfWar(DataGame[ScenarioCard, Situation]):
    """Traces of War. A folder of a user's own data may stand in for ours, file by file."""

    DATA = DATA
    FIRST_SCENARIOS = ("race", "campaign")

    @cached_property
    def tables(self) -> Tables:
        """The tables of the game."""
        return Tables.load(self.data)

    @cached_property
    def game(self) -> Game:
        """What the game declares."""
        return declaration.game(self.tables, self.boards.keys)

    @cached_property
    def boards(self) -> Boards[Board]:
        """The maps that there are, the game's own first."""
        files = self.data.names("boards/*/map.yaml")
        return Boards(files, lambda key: Board.load(self.data, key, self.tables), "ukraine")

    def charts(self) -> Sequence[Chart]:
        """The charts of the module, as data."""
        from hexmarshal.games.traces_of_war.art.charts import charts

        return tuple(charts(self.tables))

    # Scenarios

    def setup(
        self, scenario: str, options: Mapping[str, Value], generator: Generator | None
    ) -> Position:
        """TOW-3.0a: the position at the start of a scenario."""
        chosen = self.cards[scenario]
        board = self.boards.of(chosen)
        units = {unit.id: unit for unit in self._roster(chosen, board)}
        position = replace(
            self.blank(),
            scenario=scenario,
            board=board.key,
            options=FrozenMap(options),
            phase="setup",
            state="",
            active=(),
            units=FrozenMap(units),
            markers=FrozenMap({marker.id: marker for marker in setup.orders(board)}),
            extras=FrozenMap({"victory": chosen.data["victory"], "turns": chosen.turns}),
            generator=generator,
        )
        return self.opened(position)

    def opened(self, position: Position) -> Position:
        """With what its phase begins by asking: security divisions, tokens, the first draw."""
        play = self.ledger(position, Dice(None))
        turn.ask(play)
        return play.position

    def _roster(self, scenario: ScenarioCard, board: Board) -> Iterator[Unit]:
        for unit in Roster(self.data, scenario, self.tables).units():
            if unit.cell and unit.cell not in board.hexes:
                raise scenario.fail(f"the map has no hex {unit.cell}", "units", unit.id)
            yield unit

    def blank(self) -> Position:
        """An empty plain in the Action Phase of turn 1, with all tokens where they begin."""
        return replace(
            super().blank(),
            board="plain" if "plain" in self.boards.keys else self.boards.keys[0],
            phase="action",
            state="draw",
            active=(AXIS,),
            sides=(SOVIET, AXIS),
            piles=FrozenMap({pile.name: pile for pile in first_piles(self.tables)}),
        )

    # The map

    def _board_of(self, position: Position) -> Board:
        return self.boards[position.board].laid(position.cells)

    def has_cell(self, position: Position, cell: str) -> bool:
        """Whether the map in use has this hex, if only to say that it lies outside."""
        return cell in self.boards[position.board].hexes

    def has_card(self, card: str) -> bool:
        """Whether it is a token or an air marker: the rules say what may be done with it."""
        return card in self.tables.tokens or card in self.tables.air_markers

    def cells(self, position: Position) -> list[str]:
        """The hexes of the map in use."""
        return list(self._board_of(position).hexes)

    def neighbours(self, position: Position, cell: str) -> tuple[str, ...]:
        """The hexes beside one."""
        return self._board_of(position).near.get(cell, ())

    def terrain_map(self, position: Position) -> TerrainMap:
        """The map in use."""
        return self.boards[position.board].map

    # The situation and the play

    def situated(self, position: Position) -> Situation:
        """The position with its map and tables."""
        return Situation(position, self._board_of(position), self.tables)

    def ledger(self, position: Position, dice: Dice) -> Play:
        """What the rules write into."""
        return Play(position, dice, (), self.situated)

    # The answers

    def query(self, position: Position, name: str, params: Record) -> Answer:
        """The answer to a question about the position."""
        return answer(self.situation(position), name, params)

    def outcome(self, position: Position) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return position.remember("outcome", lambda: ending.outcome(self.situation(position)))

    def invariants(self, position: Position) -> Iterator[Violation]:
        """What is wrong with a position."""
        now = self.situation(position)
        yield from problems(now, self.boards[position.board])
        yield from stacking_faults(now)
