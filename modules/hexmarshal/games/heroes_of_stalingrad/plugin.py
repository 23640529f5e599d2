"""The plugin: the whole surface, each answer one call into the module that holds the rule."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexmarshal.games.heroes_of_stalingrad import declaration
from hexmarshal.games.heroes_of_stalingrad.queries.answers import answer
from hexmarshal.games.heroes_of_stalingrad.rules.army import deployment, victory
from hexmarshal.games.heroes_of_stalingrad.rules.cards.hand import first_piles
from hexmarshal.games.heroes_of_stalingrad.rules.sequence import turn
from hexmarshal.games.heroes_of_stalingrad.state.execution import Play
from hexmarshal.games.heroes_of_stalingrad.state.ground.ground import Ground
from hexmarshal.games.heroes_of_stalingrad.state.ground.tiles import laid
from hexmarshal.games.heroes_of_stalingrad.state.invariants import problems, setup_problems
from hexmarshal.games.heroes_of_stalingrad.state.kinds import AMBUSHED, INITIATIVE, RUSSIAN, SIDES
from hexmarshal.games.heroes_of_stalingrad.state.scenarios import Scenario
from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
from hexmarshal.games.heroes_of_stalingrad.state.source import DATA
from hexmarshal.games.heroes_of_stalingrad.state.table_markers import flipped, laid_out, taken_up
from hexmarshal.games.heroes_of_stalingrad.state.tables import Tables
from hexmarshal.geometry.lattice.footprints import Footprint
from hexmarshal.kit.game import Boards, DataGame
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.values import FrozenMap, Value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hexmarshal.games.heroes_of_stalingrad.state.counters import Counter
    from hexmarshal.games.heroes_of_stalingrad.state.ground.tiles import LaidTile
    from hexmarshal.geometry.terrain.terrain_map import TerrainMap
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.charts import Chart
    from hexmarshal.rules.dice import Generator
    from hexmarshal.rules.frames import Frame
    from hexmarshal.rules.plugin import Game
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record
    from hexmarshal.rules.verdict import Answer, Outcome, Violation

__all__ = ["HeroesOfStalingrad"]

HERE = Path(__file__).parent
KEPT = 64


class HeroesOfStalingrad(DataGame[Scenario, Situation]):
    """Heroes of Stalingrad. A folder of a user's own data may stand in for ours, file by file."""

    DATA = DATA
    FIRST_SCENARIOS = ("drill", "tractor_works", "railway", "free_battle")

    def __init__(self, folder: Path | str | None = None) -> None:
        super().__init__(folder)
        self._grounds: dict[tuple[str, tuple[LaidTile, ...], FrozenMap[Record]], Ground] = {}

    @cached_property
    def tables(self) -> Tables:
        """The tables of the game."""
        return Tables.load(self.data)

    @cached_property
    def game(self) -> Game:
        """What the game declares."""
        return declaration.game(self.tables, self.boards.keys)

    @cached_property
    def boards(self) -> Boards[TerrainMap]:
        """The boards as they are printed."""
        files = self.data.names("boards/*.yaml")
        return Boards(files, lambda key: self.data.terrain(f"boards/{key}.yaml"))

    def charts(self) -> Sequence[Chart]:
        """The charts of the module, as data."""
        from hexmarshal.games.heroes_of_stalingrad.art.charts import charts

        return tuple(charts(self.tables))

    # Scenarios

    def card(self, key: str, data: Mapping[str, Any]) -> Scenario:
        """A scenario file, checked against the rest of the data."""
        return Scenario(key, data, self.data, self.tables)

    def setup(
        self, scenario: str, options: Mapping[str, Value], generator: Generator | None
    ) -> Position:
        """The position at the start of a scenario."""
        chosen = self.cards[scenario]
        board = str(chosen.data["board"])
        markers = {marker.id: marker for marker in chosen.tiles()}
        bare = replace(
            super().blank(),
            scenario=scenario,
            board=board,
            options=FrozenMap(options),
            phase="setup",
            active=(),
            markers=FrozenMap(markers),
        )
        if board not in self.boards.keys:
            raise chosen.fail(f"there is no board {board!r}", "board")
        ground = self._ground_of(bare)
        chosen.check_ground(ground)
        dice = None if generator is None else Dice(generator)
        piles = [
            pile
            for side in SIDES
            for pile in first_piles(
                side,
                self.tables.deck(side),
                int((chosen.data.get("hand") or {}).get(side, 0)),
                dice,
            )
        ]
        position = replace(
            bare,
            units=FrozenMap({unit.id: unit for unit in chosen.units(ground)}),
            piles=FrozenMap({pile.name: pile for pile in piles}),
            extras=FrozenMap(chosen.extras()),
            tracks=FrozenMap({INITIATIVE: SIDES.index(chosen.data["initiative"]) + 1}),
            generator=generator if dice is None else dice.generator,
        )
        play = self.ledger(position, Dice(None))
        if "budget" in position.extras:
            first, second = play.now.in_order()
            play.ask("recruit", first, about={"then": (second,)})
        else:
            deployment.start(play)
        return play.position

    def blank(self) -> Position:
        """An empty field in the Activation Phase of turn 1, where the Russian reveals a token."""
        board = "field" if "field" in self.boards.keys else self.boards.keys[0]
        return replace(
            super().blank(),
            board=board,
            phase="activation",
            state="reveal",
            active=(RUSSIAN,),
            extras=FrozenMap({"initiative": RUSSIAN}),
        )

    # The board

    def _ground_of(self, position: Position) -> Ground:
        key = position.board or self.boards.keys[0]
        tiles = position.remember("laid tiles", lambda: tuple(laid(position.markers)))
        at = (key, tiles, position.cells)
        if at not in self._grounds:
            if len(self._grounds) >= KEPT:
                self._grounds.clear()
            self._grounds[at] = Ground(self.boards[key], self.tables, tiles, position.cells)
        return self._grounds[at]

    def has_cell(self, position: Position, cell: str) -> bool:
        """Whether there is such a cell, on the board or on a tile across it."""
        return self._ground_of(position).has(cell)

    def cells(self, position: Position) -> tuple[str, ...]:
        """The cells of the board with its tiles."""
        return self._ground_of(position).cells

    def neighbours(self, position: Position, cell: str) -> tuple[str, ...]:
        """The cells beside one."""
        return self._ground_of(position).near.get(cell, ())

    def terrain_map(self, position: Position) -> TerrainMap:
        """The board with its tiles, as a map."""
        return self._ground_of(position).map

    def opened(self, position: Position) -> Position:
        """With what its phase begins by asking: tokens to be revealed, reserves to be moved."""
        play = self.ledger(position, Dice(None))
        turn.ask(play)
        return play.position

    def completed(self, position: Position) -> Position:
        """With the rears of vehicles, the backs of counters and what markers tell of the armies."""
        ground, units = self._ground_of(position), position.units
        for unit in position.units.values():
            counter = self.tables.counters.get(unit.type)
            if counter is not None:
                whole = _whole(unit, counter, ground)
                units = units if whole is unit else units.set(unit.id, whole)
        if units is not position.units:
            position = replace(position, units=units)
        return flipped(self.situation(taken_up(position, self.tables)))

    def on_table(self, position: Position) -> Position:
        """HOS-8.6: with the recruitment tiles, and with what is left of their markers."""
        return position.remember("on table", lambda: laid_out(position, self.tables))

    def silence(self, position: Position, frame: Frame, side: str) -> Action | None:
        """As declared; and who says no more on the move ends it, where it may end."""
        if frame.kind != "step":
            return super().silence(position, frame, side)
        unit = position.units.get(frame.text("unit"))
        drives = unit is not None and self.tables.counters[unit.type].cells > 1
        kind, way = ("drive_on", "steps") if drives else ("go_on", "path")
        ends = self.game.actions.make(kind, side, **{way: ()})
        return ends if self.check(position, ends).legal else None

    # The situation and the play

    def situated(self, position: Position) -> Situation:
        """The position with its ground and tables."""
        return Situation(position, self._ground_of(position), self.tables)

    def ledger(self, position: Position, dice: Dice) -> Play:
        """What the rules write into."""
        return Play(position, dice, self.game.lifetimes, self.situated)

    # The answers

    def query(self, position: Position, name: str, params: Record) -> Answer:
        """The answer to a question about the position."""
        return answer(self.situation(position), name, params)

    def outcome(self, position: Position) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return position.remember("outcome", lambda: victory.outcome(self.situation(position)))

    def invariants(self, position: Position) -> Iterator[Violation]:
        """What is wrong with a position."""
        return problems(self.situation(position))

    def setup_violations(self, position: Position) -> Iterator[Violation]:
        """What is wrong with a position as a set-up."""
        return setup_problems(self.situation(position))


def _whole(unit: Unit, counter: Counter, ground: Ground) -> Unit:
    """HOS-4.4, HOS-5.2: with its rear where its front looks away from, and with its back."""
    face = AMBUSHED if any(face.has("ambush") for face in counter.faces) else unit.face
    footprint = unit.footprint
    square = ground.find(unit.cell) if unit.cell and counter.cells > 1 else None
    if square is not None:
        rear = ground.name(Footprint(square, (unit.facing or 0) % 8).rear)
        footprint = (rear,) if rear else ()
    if (unit.face, unit.footprint) == (face, footprint):
        return unit
    return replace(unit, face=face, footprint=footprint)
