"""The plugin: the whole surface, each answer one call into the module that holds the rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from hexmarshal.rules.plugin import Game, GamePlugin, ScenarioInfo
from hexmarshal.rules.rulebook import Rulebook
from hexmarshal.rules.state.pieces import Unit
from hexmarshal.rules.values import FrozenMap, Value
from hexmarshal.rules.verdict import Answer, IllegalActionError, Outcome, Violation
from tutorial import board, combat, declaration, movement

if TYPE_CHECKING:
    from hexmarshal.rules.dice import Generator
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record


class Crossroads(GamePlugin):
    """Crossroads."""

    @cached_property
    def game(self) -> Game:
        return declaration.game()

    @cached_property
    def rulebook(self) -> Rulebook:
        return Rulebook.load(board.FOLDER)

    def scenarios(self) -> Sequence[ScenarioInfo]:
        turns = board.data()["turns"]
        return [
            ScenarioInfo(key, value["title"], turns=turns)
            for key, value in board.data()["scenarios"].items()
        ]

    def setup(
        self, scenario: str, options: Mapping[str, Value], generator: Generator | None
    ) -> Position:
        listed = board.data()["scenarios"][scenario]["units"]
        units = {
            name: Unit(
                name,
                type=value["type"],
                side=value["side"],
                cell=value["cell"],
                steps=board.printed(value["type"], "steps"),
                seen_by=frozenset({value["side"]}) if value.get("hidden") else None,
            )
            for name, value in listed.items()
        }
        return replace(
            self.blank(),
            scenario=scenario,
            options=FrozenMap(options),
            units=FrozenMap(units),
            generator=generator,
        )

    def has_cell(self, position: Position, cell: str) -> bool:
        return cell in board.hexes()

    def cells(self, position: Position) -> Iterable[str]:
        return board.hexes()

    def neighbours(self, position: Position, cell: str) -> Iterable[str]:
        return board.neighbours(cell)

    def query(self, position: Position, name: str, params: Record) -> Answer:
        match name:
            case "reach":
                found = movement.reach(position, position.unit(str(params["unit"])))
                costs = FrozenMap[Value]({cell: cost for cell, (cost, _) in found.items()})
                return Answer(FrozenMap({"cells": costs}))
            case "odds":
                attack = combat.planned(position, params)
                verdict = combat.check(position, attack)
                if not verdict.legal:
                    raise IllegalActionError(verdict)
                return combat.odds(position, attack)
            case "control":
                held = {board.crossroads(): self._holder(position)}
                return Answer(FrozenMap({"cells": FrozenMap[Value](held)}))
            case _:
                steps = {
                    side: sum(u.steps for u in position.of_side(side)) for side in position.sides
                }
                return Answer(FrozenMap({"scores": FrozenMap[Value](steps)}))

    def _holder(self, position: Position) -> str | None:
        return next((u.side for u in position.at(board.crossroads())), None)

    def outcome(self, position: Position) -> Outcome | None:
        """TUT-5."""
        alive = tuple(side for side in position.sides if position.of_side(side))
        if len(alive) == 1:
            return Outcome(alive, "the other side has no units left", "TUT-5")
        if position.turn > board.data()["turns"]:
            holder = self._holder(position)
            winners = (holder,) if holder else ()
            text = f"{holder} holds the crossroads" if holder else "nobody holds the crossroads"
            return Outcome(winners, text, "TUT-5")
        return None

    def invariants(self, position: Position) -> Iterator[Violation]:
        for cell, stack in position.occupied.items():
            if len(stack) > 1:
                ids = tuple(unit.id for unit in stack)
                yield Violation("TUT-2", f"{cell} holds more than one unit", "", (cell,), ids)
        for unit in position.units.values():
            if not unit.cell:
                yield Violation("TUT-2", f"{unit.id} is not on the map", units=(unit.id,))
            if not 1 <= unit.steps <= max(1, board.printed(unit.type, "steps")):
                yield Violation("TUT-3", f"{unit.id} has {unit.steps} steps", units=(unit.id,))
