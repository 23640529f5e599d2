"""The plugin: sight and the firefight, each answer one call into the module that holds the rule."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError, RulesError
from hexmarshal.games.asl import declaration
from hexmarshal.games.asl.maps.atlas import Atlas, board_folder
from hexmarshal.games.asl.maps.hexes_and_terrain import terrain_of
from hexmarshal.games.asl.maps.paintings import Paintings
from hexmarshal.games.asl.queries import answers, sight_queries
from hexmarshal.games.asl.rules.concealment.setting_up import cover_faults
from hexmarshal.games.asl.rules.movement.stacking import setup_faults
from hexmarshal.games.asl.rules.sequence import control
from hexmarshal.games.asl.rules.sequence.aftermath import follow_up
from hexmarshal.games.asl.rules.sequence.turn import PHASES
from hexmarshal.games.asl.rules.snipers.whereabouts import places_for, sniper_of
from hexmarshal.games.asl.state.execution import Play
from hexmarshal.games.asl.state.ground import Ground
from hexmarshal.games.asl.state.invariants import problems
from hexmarshal.games.asl.state.scenarios import Scenario
from hexmarshal.games.asl.state.situation import SIDES, Situation
from hexmarshal.games.asl.state.source import DATA
from hexmarshal.games.asl.state.tables import Tables
from hexmarshal.games.asl.state.units import hiding
from hexmarshal.kit.game import DataGame
from hexmarshal.rules.plugin import ScenarioInfo
from hexmarshal.rules.state.validate import POSITION_RULE
from hexmarshal.rules.values import FrozenMap, Value
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hexmarshal.geometry.terrain.terrain_map import TerrainMap
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.dice import Dice, Generator
    from hexmarshal.rules.plugin import Game
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record
    from hexmarshal.rules.verdict import Answer, Applied, Outcome

__all__ = ["AdvancedSquadLeader"]

TABLE = "table"
"""The scenario of an empty map."""


class AdvancedSquadLeader(DataGame[Scenario, Situation]):
    """The game on boards of one folder, HEXMARSHAL_ASL_BOARDS or another, and on boards of ours."""

    DATA = DATA
    CARD = Scenario

    def __init__(self, folder: Path | str | None = None) -> None:
        super().__init__()
        self._folder = None if folder is None else Path(folder)
        self._without_map: Position | None = None
        self._grounds: dict[int, Ground] = {}

    @cached_property
    def tables(self) -> Tables:
        """The tables of the game."""
        return Tables(self.data)

    @cached_property
    def atlas(self) -> Atlas:
        """The maps that there are."""
        folder = board_folder() if self._folder is None else self._folder
        return Atlas(folder, Paintings(self.data))

    @cached_property
    def game(self) -> Game:
        """What the game declares."""
        return declaration.game(self.tables)

    # Scenarios

    def scenarios(self) -> Sequence[ScenarioInfo]:
        """The scenarios of the data, and an empty map to put units on."""
        table = ScenarioInfo(TABLE, "An empty map", "The option `map` names its boards.")
        return [*super().scenarios(), table]

    def setup(
        self, scenario: str, options: Mapping[str, Value], generator: Generator | None
    ) -> Position:
        """A scenario as its card has it; the table is the map of the option `map` alone."""
        if scenario != TABLE:
            return self._begin(self.cards[scenario], options, generator)
        named = str(options.get("map", ""))
        if named:
            self._sight(named, "options.map")
        return replace(
            self.blank(),
            scenario=scenario,
            board=named,
            options=FrozenMap({**options, "free_sight": True}),
            generator=generator,
        )

    def _sight(self, name: str, field: str) -> None:
        try:
            self.atlas.sight(name)
        except RulesError as error:
            error.place = replace(error.place, field=field)
            raise

    def _begin(
        self, scenario: Scenario, options: Mapping[str, Value], generator: Generator | None
    ) -> Position:
        named = str(options.get("map", "")) or str(scenario.data["boards"])
        self._sight(named, "boards")
        ground = self._ground_named(named)
        units = {unit.id: unit for unit in scenario.units(self.tables, ground)}
        changed = {**options, **scenario.data.get("options", {})}
        if scenario.hides:  # ASL-HIP-1
            changed["hidden_units"] = True
        return replace(
            self.blank(),
            scenario=scenario.key,
            board=named,
            options=FrozenMap(changed),
            phase=PHASES[0],
            active=(scenario.first,),
            units=FrozenMap(units),
            markers=scenario.markers(),
            cells=scenario.cells(),
            extras=scenario.extras(),
            generator=generator,
        )

    # The map

    def _ground_named(self, name: str) -> Ground:
        sight = self.atlas.sight(name)
        found = self._grounds.get(id(sight))
        if found is None or found.sight is not sight:
            if len(self._grounds) >= 16:
                self._grounds.clear()
            found = self._grounds[id(sight)] = Ground(sight, self.tables)
        return found

    def _ground_of(self, position: Position) -> Ground:
        return self._ground_named(position.board)

    def has_cell(self, position: Position, cell: str) -> bool:
        """Whether the map has this hex; what is wrong with the map itself, `invariants` tell.

        Where boards meet a hex has several names. In play it goes by the first one alone: units
        in one hex have to be in one cell.
        """
        # A map that cannot be had is not looked for again for every unit.
        if position is not self._without_map:
            try:
                if position.phase in PHASES:
                    return cell in self._ground_of(position).near
                return cell.upper() in self.atlas.sight(position.board).board.grid.by_name
            except HexMarshalError:
                self._without_map = position
        return bool(cell)

    def cells(self, position: Position) -> Sequence[str] | None:
        """The hexes of the map."""
        return self._ground_of(position).names if position.board else None

    def neighbours(self, position: Position, cell: str) -> Sequence[str] | None:
        """The hexes beside one."""
        return self._ground_of(position).near.get(cell, ()) if position.board else None

    def terrain_map(self, position: Position) -> TerrainMap | None:
        """The hexes of the map with their terrain, for pictures."""
        if not position.board:
            return None
        return terrain_of(self._ground_of(position))

    # The situation and the play

    def view(self, position: Position, side: str) -> Position:
        """What a side knows: concealed units are a "?" to the enemy, hidden ones are not there."""
        return hiding.view(position, side)

    def situated(self, position: Position) -> Situation:
        """The position with its ground and tables."""
        return Situation(position, self._ground_of(position), self.tables)

    def ledger(self, position: Position, dice: Dice) -> Play:
        """What the rules write into."""
        return Play(position, dice, self.game.lifetimes, self.situated)

    def apply(self, position: Position, action: Action, dice: Dice) -> Applied:
        """What comes of an action, and what follows from it before anybody else acts."""
        play = self.ledger(position, dice)
        carry_out = self.game.actions[action.kind].apply
        assert carry_out is not None, f"{action.kind} says what it does"
        carry_out(play, action)
        follow_up(play)
        return play.close()

    # The answers

    def query(self, position: Position, name: str, params: Record) -> Answer:
        """The answer to a question about the position."""
        if name in ("sight", "visible"):
            sight = self.atlas.sight(position.board)
            if name == "sight":
                return sight_queries.sight_between(sight, position, params)
            return sight_queries.visible_from(sight, position, params)
        return answers.answer(self.situation(position), name, params)

    def outcome(self, position: Position) -> Outcome | None:
        """How the game ended; looking never ends it."""
        if "victory" not in position.extras:
            return None
        return position.remember("outcome", lambda: control.outcome(self.situation(position)))

    def invariants(self, position: Position) -> Iterator[Violation]:
        """A map that is not there, levels that hexes do not have, weapons nobody could hold."""
        if not position.board:
            if position.phase in PHASES:
                yield Violation(POSITION_RULE, "without a map nothing is played", field="board")
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
        yield from problems(self.situation(position))

    def setup_violations(self, position: Position) -> Iterator[Violation]:
        """Stacks that are too high for a set-up, and units outside of their set-up areas."""
        if not position.board:
            return
        yield from setup_faults(self.situation(position))
        yield from cover_faults(self.situation(position))
        scenario = self.cards.get(position.scenario)
        if scenario is None:
            return
        for side in SIDES:
            marker = sniper_of(self.situation(position), side)
            if marker is not None and marker.cell not in places_for(self.situation(position), side):
                text = f"the sniper of {side} may not begin in {marker.cell}"
                field = f"markers.{marker.id}.cell"
                yield Violation("ASL-SAN-1", text, "", (marker.cell,), (), field)
        for name, area in scenario.areas().items():
            unit = position.units.get(name)
            if unit is not None and unit.cell and unit.cell not in area:
                text = f"{name} sets up in {', '.join(area)}, not in {unit.cell}"
                field = f"units.{name}.cell"
                yield Violation("ASL-DEF-5", text, "", (unit.cell,), (name,), field)
