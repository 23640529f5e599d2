"""The plugin: each answer one call into the module that holds the rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from hexmarshal.rules.frames.effects import PushFrame
from hexmarshal.rules.frames.frame import Decider, Frame
from hexmarshal.rules.plugin import Game, GamePlugin, ScenarioInfo
from hexmarshal.rules.rulebook import Rulebook
from hexmarshal.rules.state.pieces import Unit
from hexmarshal.rules.values import FrozenMap, Value
from hexmarshal.rules.verdict import Answer, Outcome
from tutorial2 import board, declaration

if TYPE_CHECKING:
    from hexmarshal.geometry.terrain.terrain_map import TerrainMap
    from hexmarshal.rules.dice import Generator
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record


class Picket(GamePlugin):
    """Night picket."""

    @cached_property
    def game(self) -> Game:
        return declaration.game()

    @cached_property
    def rulebook(self) -> Rulebook:
        return Rulebook.load(board.FOLDER)

    def scenarios(self) -> Sequence[ScenarioInfo]:
        found = board.data()["scenarios"]
        return [ScenarioInfo(key, row["title"], turns=5) for key, row in found.items()]

    def setup(
        self, scenario: str, options: Mapping[str, Value], generator: Generator | None
    ) -> Position:
        units = {
            name: Unit(
                name,
                type=row["type"],
                side=row["side"],
                cell=row["cell"],
                seen_by=frozenset({row["side"]}) if row.get("hidden") else None,
            )
            for name, row in board.data()["scenarios"][scenario]["units"].items()
        }
        start = replace(
            self.blank(),
            scenario=scenario,
            options=FrozenMap(options),
            units=FrozenMap(units),
            active=board.SIDES,
            generator=generator,
        )
        deciders = tuple(Decider(side) for side in board.SIDES)
        return PushFrame(Frame("orders", deciders, sealed=True)).on(start)

    def terrain_map(self, position: Position) -> TerrainMap:
        return board.terrain()

    def has_cell(self, position: Position, cell: str) -> bool:
        return cell in board.terrain().names.values()

    def query(self, position: Position, name: str, params: Record) -> Answer:
        seen = board.sees(str(params["from"]), str(params["to"]))
        return Answer(FrozenMap({"visible": seen}))

    def outcome(self, position: Position) -> Outcome | None:
        """PIC-7."""
        for side in board.SIDES:
            if not position.viewer and not position.of_side(side):
                return Outcome((board.other(side),), f"{side} has no units left", "PIC-7")
        if position.turn <= board.data()["turns"]:
            return None
        held = any(unit.side == "blue" for unit in position.at(board.data()["mill"]))
        text = "Blue holds the mill" if held else "Blue does not hold the mill"
        return Outcome(("blue",) if held else ("red",), text, "PIC-7")
