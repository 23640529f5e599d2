"""The plugin: the whole surface, each answer one call into the module that holds the rule."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hexmarshal.kit.game import DataGame, ScenarioCard
from hexmarshal.rules.charts import Chart, ChartTable
from hexmarshal.rules.state.pieces import Unit
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Violation
from mygame import declaration
from mygame.queries.answers import answer
from mygame.rules import victory
from mygame.state.situation import Play, Situation
from mygame.state.source import DATA
from mygame.state.tables import Tables

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from hexmarshal.geometry.terrain.terrain_map import TerrainMap
    from hexmarshal.rules.dice import Dice, Generator
    from hexmarshal.rules.plugin import Game
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record, Value
    from hexmarshal.rules.verdict import Answer, Outcome

__all__ = ["MyGame"]


class MyGame(DataGame[ScenarioCard, Situation]):
    """My Game. A folder of a user's own data may stand in for the game's, file by file."""

    DATA = DATA

    @cached_property
    def tables(self) -> Tables:
        """The tables and the map."""
        return Tables.load(self.data)

    @cached_property
    def game(self) -> Game:
        """What the plugin declares."""
        return declaration.game(self.tables)

    def card(self, key: str, data: Mapping[str, Any]) -> ScenarioCard:
        """A scenario; all have the turns of the tables."""
        return ScenarioCard(key, {"turns": self.tables.numbers["turns"], **data}, self.data)

    def setup(
        self, scenario: str, options: Mapping[str, Value], generator: Generator | None
    ) -> Position:
        """The position at the start of a scenario."""
        card, units = self.cards[scenario], {}
        for unit, row in card.data["units"].items():
            if row["type"] not in self.tables.types:
                raise card.fail(f"no type {row['type']!r}", "units", unit)
            if row["cell"] not in self.tables.terrain:
                raise card.fail(f"the map has no hex {row['cell']}", "units", unit)
            steps = row.get("steps", self.tables.printed(row["type"], "steps"))
            units[unit] = Unit(unit, row["type"], row["side"], cell=row["cell"], steps=steps)
        return replace(
            self.blank(),
            scenario=scenario,
            options=FrozenMap(options),
            units=FrozenMap(units),
            generator=generator,
        )

    # What the table of actions gets

    def situated(self, position: Position) -> Situation:
        """The position with the tables."""
        return Situation(position, self.tables)

    def ledger(self, position: Position, dice: Dice) -> Play:
        """What actions are carried out in."""
        return Play(position, dice, self.game.lifetimes, self.situated)

    # The map

    def terrain_map(self, position: Position) -> TerrainMap:
        """The map in use."""
        del position
        return self.tables.map

    def neighbours(self, position: Position, cell: str) -> Iterable[str]:
        """The hexes around a hex."""
        del position
        return self.tables.cost[cell]

    def has_cell(self, position: Position, cell: str) -> bool:
        """Whether the map has this hex."""
        del position
        return cell in self.tables.terrain

    # The answers

    def query(self, position: Position, name: str, params: Record) -> Answer:
        """The answer to a question about the position."""
        return answer(self.situation(position), name, params)

    def outcome(self, position: Position) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return victory.outcome(self.situation(position))

    def invariants(self, position: Position) -> Iterator[Violation]:
        """What holds in every position that play can reach."""
        for cell, stack in position.occupied.items():
            if len(stack) > 1:
                ids = tuple(unit.id for unit in stack)
                yield Violation("MG-2", f"{cell} holds more than one unit", "", (cell,), ids)
        for unit in position.units.values():
            if not unit.cell:
                yield Violation("MG-2", f"{unit.id} stands in no hex", units=(unit.id,))

    def charts(self) -> Sequence[Chart]:
        """The tables that players look things up in, from the data that the rules use."""
        numbers: Mapping[str, Any] = self.tables.numbers
        columns = [numbers["results"][column] for column in numbers["columns"]]
        dice = ((str(die), *row) for die, row in enumerate(zip(*columns, strict=True), 1))
        results = ChartTable(("Die", *numbers["columns"]), tuple(dice))
        terrain = ChartTable(
            ("Terrain", "Movement points", "Attacks"),
            tuple(
                (row["title"], str(row["cost"]), str(row["shift"] or "-"))
                for row in numbers["terrain"].values()
            ),
            note=f"By road {numbers['road']} a hex.",
        )
        return (
            Chart("combat", "Combat results", (results,)),
            Chart("terrain", "Terrain effects", (terrain,)),
        )
