"""The plugin: the whole surface, each answer one call into the module that holds the rule."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from hexmarshal.errors import RulesError
from hexmarshal.rules.charts import Chart, ChartTable
from hexmarshal.rules.plugin import Game, GamePlugin, ScenarioInfo
from hexmarshal.rules.rulebook import Rulebook
from hexmarshal.rules.state.ledger import Ledger
from hexmarshal.rules.state.pieces import Unit
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Violation
from mygame import declaration
from mygame.queries.answers import answer
from mygame.rules import victory
from mygame.source import DATA, FOLDER
from mygame.state.situation import Play, Situation
from mygame.state.tables import Tables

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from hexmarshal.geometry.terrain.terrain_map import TerrainMap
    from hexmarshal.rules.dice import Dice, Generator
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record, Value
    from hexmarshal.rules.verdict import Answer, Outcome

__all__ = ["MyGame"]


class MyGame(GamePlugin):
    """My Game. A folder of a user's own data may stand in for the game's, file by file."""

    def __init__(self, folder: Path | str | None = None) -> None:
        self.data = DATA.source(folder)

    @cached_property
    def tables(self) -> Tables:
        """The tables and the map."""
        return Tables.load(self.data)

    @cached_property
    def game(self) -> Game:
        """What the plugin declares."""
        return declaration.game(self.tables)

    @cached_property
    def rulebook(self) -> Rulebook:
        """Every rule of the game."""
        return Rulebook.load(FOLDER / "rulebook.yaml")

    def scenarios(self) -> Sequence[ScenarioInfo]:
        """The scenarios of the data."""
        turns = self.tables.numbers["turns"]
        found = []
        for name in self.data.names("scenarios/*.yaml"):
            given = self.data.read(name)
            key = PurePosixPath(name).stem
            found.append(ScenarioInfo(key, given["title"], given.get("doc", ""), turns))
        return found

    def setup(
        self, scenario: str, options: Mapping[str, Value], generator: Generator | None
    ) -> Position:
        """The position at the start of a scenario."""
        file = f"scenarios/{scenario}.yaml"
        units = {}
        for unit, row in self.data.read(file)["units"].items():
            place = self.data.place(file, "units", unit)
            if row["type"] not in self.tables.types:
                raise RulesError(f"no type {row['type']!r}", place=place)
            if row["cell"] not in self.tables.terrain:
                raise RulesError(f"the map has no hex {row['cell']}", place=place)
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

    def situation(self, position: Position) -> Situation:
        """The position with the tables."""
        return Situation(position, self.tables)

    def ledger(self, position: Position, dice: Dice) -> Play:
        """A ledger with the tables."""
        return Play(Ledger(position, dice), self.tables)

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
