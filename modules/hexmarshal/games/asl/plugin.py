"""The plugin: lines of sight for positions of Advanced Squad Leader, and nothing else yet."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError, RulesError
from hexmarshal.games.asl import declaration
from hexmarshal.games.asl.maps.atlas import Atlas, board_folder
from hexmarshal.games.asl.queries import sight_queries
from hexmarshal.rules.plugin import Game, GamePlugin, Offer, ScenarioInfo
from hexmarshal.rules.rulebook import Rulebook
from hexmarshal.rules.state.validate import POSITION_RULE
from hexmarshal.rules.values import FrozenMap, Value
from hexmarshal.rules.verdict import LEGAL, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hexmarshal.rules.action import Action
    from hexmarshal.rules.dice import Dice, Generator
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record
    from hexmarshal.rules.verdict import Answer, Applied, Outcome, Verdict

__all__ = ["AdvancedSquadLeader"]

HERE = Path(__file__).parent


class AdvancedSquadLeader(GamePlugin):
    """Sight on the boards of one folder: HEXMARSHAL_ASL_BOARDS, unless another is given."""

    def __init__(self, folder: Path | str | None = None) -> None:
        self._folder = None if folder is None else Path(folder)
        self._without_map: Position | None = None

    @cached_property
    def atlas(self) -> Atlas:
        """The maps that there are."""
        return Atlas(board_folder() if self._folder is None else self._folder)

    @cached_property
    def game(self) -> Game:
        """What the game declares."""
        return declaration.game()

    @cached_property
    def rulebook(self) -> Rulebook:
        """The rules of sight."""
        return Rulebook.load(HERE / "rulebook-sight.yaml")

    def scenarios(self) -> Sequence[ScenarioInfo]:
        """An empty map to put units on."""
        return [ScenarioInfo("table", "An empty map", "The option `map` names its boards.")]

    def setup(
        self, scenario: str, options: Mapping[str, Value], generator: Generator | None
    ) -> Position:
        """The map that the option `map` names, without units."""
        named = str(options.get("map", ""))
        if named:
            try:
                self.atlas.sight(named)
            except RulesError as error:
                error.place = replace(error.place, field="options.map")
                raise
        return replace(
            self.blank(),
            scenario=scenario,
            board=named,
            options=FrozenMap(options),
            generator=generator,
        )

    def has_cell(self, position: Position, cell: str) -> bool:
        """Whether the map has this hex; what is wrong with the map itself, `invariants` tell."""
        # A map that cannot be had is not looked for again for every unit.
        if position is not self._without_map:
            try:
                return cell.upper() in self.atlas.sight(position.board).board.grid.by_name
            except HexMarshalError:
                self._without_map = position
        return bool(cell)

    def invariants(self, position: Position) -> Iterator[Violation]:
        """A map that is not there, and units on levels that their hexes do not have."""
        if not position.board:
            return
        try:
            board = self.atlas.sight(position.board).board
            sight_queries.conditions_of(position)
        except HexMarshalError as error:
            yield Violation(POSITION_RULE, error.message, field=error.place.field or "board")
            return
        for unit in position.units.values():
            if not unit.cell:
                continue
            try:
                board.level(board.hex(unit.cell), unit.level)
            except HexMarshalError as error:
                field = f"units.{unit.id}.level"
                yield Violation(POSITION_RULE, error.message, "", (unit.cell,), (unit.id,), field)

    def query(self, position: Position, name: str, params: Record) -> Answer:
        """Who sees what."""
        sight = self.atlas.sight(position.board)
        if name == "sight":
            return sight_queries.sight_between(sight, position, params)
        return sight_queries.visible_from(sight, position, params)

    # What is not ruled yet

    def check(self, position: Position, action: Action) -> Verdict:
        """There are no actions, so that none is illegal."""
        del position, action
        return LEGAL

    def apply(self, position: Position, action: Action, dice: Dice) -> Applied:
        """There are no actions."""
        del position, dice
        raise RulesError(f"no action {action.kind!r}: only sight is ruled")

    def actions(self, position: Position, side: str) -> Iterator[Offer]:
        """None."""
        del position, side
        return iter(())

    def outcome(self, position: Position) -> Outcome | None:
        """Looking never ends a game."""
        del position
        return None
