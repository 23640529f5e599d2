"""The plugin: the whole surface, each answer one call into the module that holds the rule."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes import declaration
from hexmarshal.games.conflict_of_heroes.frames import FRAMES
from hexmarshal.games.conflict_of_heroes.queries import answers
from hexmarshal.games.conflict_of_heroes.rules.turn import setup, setup_check, solitaire, victory
from hexmarshal.games.conflict_of_heroes.state import invariants, source
from hexmarshal.games.conflict_of_heroes.state.board import board, board_keys
from hexmarshal.games.conflict_of_heroes.state.execution import Play
from hexmarshal.games.conflict_of_heroes.state.situation import Situation
from hexmarshal.rules.choosing.partial import Partial
from hexmarshal.rules.plugin import Game, GamePlugin, ScenarioInfo
from hexmarshal.rules.rulebook import Rulebook
from hexmarshal.rules.verdict import Answer, Outcome, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from hexmarshal.geometry.terrain.terrain_map import TerrainMap
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.charts import Chart
    from hexmarshal.rules.dice import Dice, Generator
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record, Value

__all__ = ["ConflictOfHeroes"]


class ConflictOfHeroes(GamePlugin):
    """Conflict of Heroes. A folder of a user's own data may stand in for ours, file by file."""

    def __init__(self, folder: Path | str | None = None) -> None:
        self.data = source.choose(folder)

    @cached_property
    def game(self) -> Game:
        """What the plugin declares."""
        return declaration.game()

    @cached_property
    def rulebook(self) -> Rulebook:
        """Every rule of the game."""
        return Rulebook.load(source.FOLDER / "rulebook.yaml")

    def scenarios(self) -> Sequence[ScenarioInfo]:
        """The firefights."""
        found = []
        for key in source.firefights():
            plan = source.firefight(key)
            found.append(ScenarioInfo(key, plan["title"], plan.get("notes", ""), plan["turns"]))
        return found

    def charts(self) -> Sequence[Chart]:
        """The charts of the module, as data."""
        from hexmarshal.games.conflict_of_heroes.art.charts import charts

        return tuple(charts())

    def setup(
        self, scenario: str, options: Mapping[str, Value], generator: Generator | None
    ) -> Position:
        """The position at the start of a firefight."""
        return setup.set_up(self.blank(), scenario, options, generator)

    def blank(self) -> Position:
        """An empty board in the middle of a turn: what cases build on."""
        from hexmarshal.rules.state.position import Position

        return Position(
            game=declaration.KEY,
            version=declaration.VERSION,
            board=board_keys()[-1],
            sides=declaration.SIDES[:2],
            phase="play",
            active=declaration.SIDES[:1],
        )

    def has_cell(self, position: Position, cell: str) -> bool:
        """COH-1.0b: only whole hexes are on the map."""
        known = not position.board or position.board in board_keys()
        return known and cell in board(position.board).hexes

    def situation(self, position: Position) -> Situation:
        """What the checks read."""
        return Situation.of(position)

    def ledger(self, position: Position, dice: Dice) -> Play:
        """What effects work on."""
        return Play(position, dice)

    def neighbours(self, position: Position, cell: str) -> Sequence[str]:
        """The hexes around a hex."""
        return board(position.board).neighbours.get(cell, ())

    def check(self, position: Position, action: Action) -> Verdict:
        """Every objection to an action, as far as its side can know."""
        if action.kind in FRAMES:
            asked = position.asked(action.side)
            if asked is None or asked.kind != action.kind:
                text = f"no {action.kind} of {action.side} is asked for"
                return Verdict((Violation("COH-2.2a", text),))
        verdict = super().check(position, action)
        # The doctrine looks at whole actions.
        if position.option("solo") and not isinstance(action, Partial):
            return solitaire.with_doctrine(self.situation(position), action, verdict)
        return verdict

    def query(self, position: Position, name: str, params: Record) -> Answer:
        """The answer to one of the declared queries."""
        return answers.answer(position, name, params)

    def outcome(self, position: Position) -> Outcome | None:
        """How the firefight ended."""
        return victory.outcome(position)

    def invariants(self, position: Position) -> Iterator[Violation]:
        """What holds in every position that play can reach."""
        return invariants.invariants(position)

    def setup_violations(self, position: Position) -> Iterator[Violation]:
        """What is wrong with a position as a set-up."""
        return setup_check.violations(position)

    def terrain_map(self, position: Position) -> TerrainMap:
        """The board in use."""
        return board(position.board).map
