"""The plugin: the whole surface, each answer one call into the module that holds the rule."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, cast

from hexmarshal.errors import Place, RulesError
from hexmarshal.games.kharkov import declaration
from hexmarshal.games.kharkov.queries import answers
from hexmarshal.games.kharkov.rules.combat import air
from hexmarshal.games.kharkov.rules.turn import sequence, setup, setup_check, victory
from hexmarshal.games.kharkov.state.board import Board
from hexmarshal.games.kharkov.state.execution import Play
from hexmarshal.games.kharkov.state.invariants import problems
from hexmarshal.games.kharkov.state.options import DEFAULTS
from hexmarshal.games.kharkov.state.roster import Roster, Scenario
from hexmarshal.games.kharkov.state.situation import AXIS, SOVIET, Situation
from hexmarshal.games.kharkov.state.source import DATA
from hexmarshal.games.kharkov.state.tables import Tables, printed
from hexmarshal.kit.game import Boards, DataGame
from hexmarshal.rules.copying import copied
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.state.view import knows, view
from hexmarshal.rules.values import FrozenMap, Value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from hexmarshal.geometry.terrain.terrain_map import TerrainMap
    from hexmarshal.rules.charts import Chart
    from hexmarshal.rules.dice import Generator
    from hexmarshal.rules.plugin import Game
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record
    from hexmarshal.rules.verdict import Answer, Outcome, Violation

__all__ = ["Kharkov"]

# So many starts of scenarios are kept.
STARTS = 8


class Kharkov(DataGame[Scenario, Situation]):
    """Kharkov. A folder of a user's own data may stand in for ours, file by file."""

    DATA = DATA
    CARD = Scenario
    FIRST_SCENARIOS = ("training", "campaign")

    def __init__(self, folder: Path | str | None = None) -> None:
        super().__init__(folder)
        self._rosters: dict[str, Roster] = {}
        self._starts: dict[tuple[str, Record], Position] = {}

    @cached_property
    def tables(self) -> Tables:
        """The tables of the book."""
        return Tables.load(self.data)

    @cached_property
    def game(self) -> Game:
        """What the game declares."""
        return declaration.game(self.tables, self.boards.keys)

    @cached_property
    def boards(self) -> Boards[Board]:
        """The maps that there are, the game's own first."""
        files = self.data.names("boards/*/map.yaml")
        return Boards(files, lambda key: Board.load(self.data, key), "kharkov")

    def charts(self) -> Sequence[Chart]:
        """The charts of the module, as data."""
        from hexmarshal.games.kharkov.art.charts import charts

        return tuple(charts(self.data))

    def _roster(self, scenario: Scenario) -> Roster:
        """The counters of a scenario, read when first asked for."""
        if scenario.key not in self._rosters:
            self._rosters[scenario.key] = Roster(self.data, scenario, self.tables)
        return self._rosters[scenario.key]

    def setup(
        self, scenario: str, options: Mapping[str, Value], generator: Generator | None
    ) -> Position:
        """The position at the start of a scenario; nothing in it is left to chance."""
        switches = FrozenMap(dict(options))
        if (scenario, switches) not in self._starts:
            if len(self._starts) >= STARTS:
                self._starts.clear()
            self._starts[scenario, switches] = self._set_up(scenario, switches)
        return copied(self._starts[scenario, switches], generator=generator)

    def _set_up(self, scenario: str, switches: Record) -> Position:
        chosen = self.cards[scenario]
        roster = self._roster(chosen)
        board = self.boards.of(chosen)
        free = bool(switches.get("free_setup")) or bool(chosen.data.get("free_setup"))
        awake = chosen.data.get("inactive_south") is False
        units = {u.id: self._ready(u, board, free=free, options=switches) for u in roster.units()}
        position = replace(
            self.blank(),
            scenario=scenario,
            board=board.key,
            options=switches,
            turn=int(chosen.data.get("first_turn", 1)),
            units=FrozenMap(units),
            piles=FrozenMap({pile.name: pile for pile in roster.piles()}),
            extras=FrozenMap({"south": 0} if awake else {}),
        )
        play = self.ledger(position, Dice(None))
        if free:
            return replace(position, phase="setup_axis", active=(AXIS,))
        setup.mark_southern(play)
        sequence.begin_turn(play)
        return play.position

    def _ready(self, unit: Unit, board: Board, *, free: bool, options: Mapping[str, Value]) -> Unit:
        if unit.cell and unit.cell not in board.hexes:
            raise RulesError(f"the map has no hex {unit.cell}", place=Place(unit=unit.id))
        if unit.type == "hq" and not (unit.side == AXIS and options.get("romanian_hq") == "start"):
            unit = replace(unit, flags=unit.flags | {"inactive"})  # KHA-10.31
        mine = unit.cell and unit.type != "reserve"
        if free and (mine or setup.picked(unit, board, self.tables)):
            ladder = unit.values.get("ladder") or self.tables.kinds[unit.type].ladder
            full = len(ladder) if isinstance(ladder, tuple) and ladder else unit.steps
            unit = replace(unit, cell="", box="deploy", steps=full)  # KHA-5.11
        return unit

    def blank(self) -> Position:
        """An empty map at the Soviet Movement Phase of turn 1."""
        empty = super().blank()
        return replace(empty, board=self.boards.keys[0], phase="soviet_movement", active=(SOVIET,))

    def has_cell(self, position: Position, cell: str) -> bool:
        """Whether the map in use has this hex."""
        return cell in self.boards[position.board].hexes

    # The situation and the play

    def situated(self, position: Position) -> Situation:
        """The position with its map and tables."""
        return Situation(position, self.boards[position.board], self.tables, DEFAULTS)

    def ledger(self, position: Position, dice: Dice) -> Play:
        """What effects work on: every change goes through it."""
        scenario = self.cards.get(position.scenario)
        return Play(position, dice, sequence.LIFETIMES, self.situated, scenario)

    def neighbours(self, position: Position, cell: str) -> Sequence[str]:
        """The hexes around a hex."""
        return self.boards[position.board].near.get(cell, ())

    # The answers

    def query(self, position: Position, name: str, params: Record) -> Answer:
        """The answer to a question about the position."""
        return answers.answer(self.situation(position), name, params)

    def outcome(self, position: Position) -> Outcome | None:
        """How the game ended, after its last turn."""
        scenario = self.cards.get(position.scenario)
        turns = scenario.turns if scenario else cast("int", self.tables.schedule["turns"])
        if position.turn <= turns:
            return None
        return position.remember("outcome", lambda: victory.outcome(self.situation(position)))

    def view(self, position: Position, side: str) -> Position:
        """Values under a mask stay hidden; what is plain to see on the table is not.

        The back of a counter shows its type and its movement allowance, and everybody has seen
        where it has moved or fought.
        """
        seen = view(position, side)
        units = position.units
        masked = [
            self._face(units[name], seen.units[name])
            for name in position.stacks.veiled
            if name in seen.units and not knows(side, units[name])
        ]
        return seen.with_unit(*masked) if masked else seen

    def _face(self, unit: Unit, masked: Unit) -> Unit:
        """The unit as it lies: nobody sees its name, its strength and its steps.

        Its type is plain, as far as the pool that it was laid out from tells it (KHA-12.0).
        """
        back = unit.face or self.tables.kinds[unit.type].pool or unit.type
        open_values = unit.values.without("ladder", "name")
        ladder = unit.values.get("ladder")
        if "move" not in open_values and isinstance(ladder, tuple) and ladder:
            open_values = open_values.set("move", printed(str(ladder[0]))[2])
        return replace(masked, type=back, flags=unit.flags, values=open_values)

    def completed(self, position: Position) -> Position:
        """With what no piece shows: the turn of supply by air, how far who was revealed moves."""
        units = position.units
        for unit in units.values():
            kind = self.tables.kinds.get(unit.type)
            if kind is not None and kind.pool and unit.values.get("ladder"):
                # KHA-12.0: its counter tells how far it moves.
                units = units.set(unit.id, replace(unit, values=unit.values.without("move")))
        return replace(position, units=units, markers=air.dated(position))

    def invariants(self, position: Position) -> Iterator[Violation]:
        """What is wrong with a position."""
        return problems(self.situation(position))

    def setup_violations(self, position: Position) -> Iterator[Violation]:
        """What is wrong with a position as a set-up."""
        unnamed = Scenario("", {}, self.data)
        scenario = self.cards.get(position.scenario, unnamed)
        roster = self._roster(scenario)
        by_the_book = bool(scenario.data.get("by_the_book"))
        return setup_check.violations(self.situation(position), roster, by_the_book=by_the_book)

    def terrain_map(self, position: Position) -> TerrainMap:
        """The map in use."""
        return self.situation(position).board.map
