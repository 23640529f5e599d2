"""The plugin: the whole surface, each answer one call into the module that holds the rule."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from hexmarshal.errors import Place, RulesError
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
from hexmarshal.games.traces_of_war.state.roster import Roster, Scenario
from hexmarshal.games.traces_of_war.state.situation import Situation
from hexmarshal.games.traces_of_war.state.source import DATA
from hexmarshal.games.traces_of_war.state.tables import Tables
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.plugin import Game, GamePlugin, ScenarioInfo
from hexmarshal.rules.rulebook import Rulebook
from hexmarshal.rules.values import FrozenMap, Value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hexmarshal.geometry.terrain.terrain_map import TerrainMap
    from hexmarshal.rules.charts import Chart
    from hexmarshal.rules.dice import Generator
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record
    from hexmarshal.rules.verdict import Answer, Outcome, Violation

__all__ = ["TracesOfWar"]

HERE = Path(__file__).parent


class TracesOfWar(GamePlugin):
    """Traces of War. A folder of a user's own data may stand in for ours, file by file."""

    def __init__(self, folder: Path | str | None = None) -> None:
        self.data = DATA.source(folder)
        self._boards: dict[str, Board] = {}

    @cached_property
    def tables(self) -> Tables:
        """The tables of the game."""
        return Tables.load(self.data)

    @cached_property
    def game(self) -> Game:
        """What the game declares."""
        return declaration.game(self.tables, self.board_keys)

    @cached_property
    def rulebook(self) -> Rulebook:
        """Every rule of the book."""
        return Rulebook.load(HERE / "rulebook.yaml")

    @cached_property
    def board_keys(self) -> tuple[str, ...]:
        """The maps that there are, the game's own first."""
        found = [name.split("/")[1] for name in self.data.names("boards/*/map.yaml")]
        return tuple(sorted(found, key=lambda key: (key != "ukraine", key)))

    def board(self, key: str) -> Board:
        """A map, read when first asked for."""
        if key not in self._boards:
            if key not in self.board_keys:
                raise RulesError(f"no board {key!r}", place=Place(field="board"))
            self._boards[key] = Board.load(self.data, key, self.tables)
        return self._boards[key]

    # Scenarios

    def charts(self) -> Sequence[Chart]:
        """The charts of the module, as data."""
        from hexmarshal.games.traces_of_war.art.charts import charts

        return tuple(charts(self.tables))

    @cached_property
    def _scenarios(self) -> dict[str, Scenario]:
        found = {
            Path(name).stem: Scenario(Path(name).stem, self.data.read(name, "scenario"))
            for name in self.data.names("scenarios/*.yaml")
        }
        first = ("race", "campaign")
        order = sorted(found, key=lambda k: (first.index(k) if k in first else len(first), k))
        return {key: found[key] for key in order}

    def scenarios(self) -> Sequence[ScenarioInfo]:
        """The two scenarios of the book, and whatever else there is."""
        return [
            ScenarioInfo(s.key, s.data["title"], str(s.data.get("doc", "")), s.turns)
            for s in self._scenarios.values()
        ]

    def setup(
        self, scenario: str, options: Mapping[str, Value], generator: Generator | None
    ) -> Position:
        """TOW-3.0a: the position at the start of a scenario."""
        chosen = self._scenarios[scenario]
        board = self.board(chosen.data["board"])
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

    def _roster(self, scenario: Scenario, board: Board) -> Iterator[Unit]:
        for unit in Roster(self.data, scenario, self.tables).units():
            if unit.cell and unit.cell not in board.hexes:
                place = self.data.place(f"scenarios/{scenario.key}.yaml", "units", unit.id)
                raise RulesError(f"the map has no hex {unit.cell}", place=place)
            yield unit

    def blank(self) -> Position:
        """An empty plain in the Action Phase of turn 1, with all tokens where they begin."""
        return replace(
            super().blank(),
            board="plain" if "plain" in self.board_keys else self.board_keys[0],
            phase="action",
            state="draw",
            active=(AXIS,),
            sides=(SOVIET, AXIS),
            piles=FrozenMap({pile.name: pile for pile in first_piles(self.tables)}),
        )

    # The map

    def _board_of(self, position: Position) -> Board:
        return self.board(position.board or self.board_keys[0]).laid(position.cells)

    def has_cell(self, position: Position, cell: str) -> bool:
        """Whether the map in use has this hex, if only to say that it lies outside."""
        return cell in self.board(position.board or self.board_keys[0]).hexes

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
        return self.board(position.board or self.board_keys[0]).map

    # The situation and the play

    def situation(self, position: Position) -> Situation:
        """The position with its map and tables."""
        name = f"situation {id(self)}"
        return position.remember(
            name, lambda: Situation(position, self._board_of(position), self.tables)
        )

    def ledger(self, position: Position, dice: Dice) -> Play:
        """What the rules write into."""
        return Play(position, dice, (), self._board_of, self.tables)

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
        yield from problems(now, self.board(position.board or self.board_keys[0]))
        yield from stacking_faults(now)
