"""The plugin: the whole surface, each answer one call into the module that holds the rule."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes import (
    artillery,
    cardplay,
    combat,
    concealment,
    declaration,
    engineering,
    hiding,
    lineup,
    minefields,
    moves,
    offers,
    queries,
    rally,
    setup,
    shooting,
    solo,
    source,
    transport,
    turns,
    upkeep,
    victory,
)
from hexmarshal.games.conflict_of_heroes.board import board, board_keys
from hexmarshal.games.conflict_of_heroes.frames import FRAMES
from hexmarshal.games.conflict_of_heroes.scene import Scene
from hexmarshal.games.conflict_of_heroes.table import Table
from hexmarshal.rules.plugin import Game, GamePlugin, Offer, ScenarioInfo
from hexmarshal.rules.rulebook import Rulebook
from hexmarshal.rules.verdict import LEGAL, Answer, Outcome, Verdict, Violation

if TYPE_CHECKING:
    from pathlib import Path

    from hexmarshal.geometry.terrain.terrain_map import TerrainMap
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.charts import Chart
    from hexmarshal.rules.dice import Dice, Generator
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record, Value
    from hexmarshal.rules.verdict import Applied

__all__ = ["ConflictOfHeroes"]

Check = Callable[[Scene, "Action"], Verdict]
Apply = Callable[[Table, "Action"], None]


def _always(scene: Scene, action: Action) -> Verdict:
    del scene, action
    return LEGAL


RULES: Mapping[str, tuple[Check, Apply]] = {
    "begin_turn": (_always, turns.apply_begin),
    "plot": (artillery.check_plot, artillery.apply_plot),
    "barrage": (artillery.check_barrage, artillery.apply_barrage),
    "bid": (turns.check_bid, turns.apply_bid),
    "activate": (turns.check_activate, turns.apply_activate),
    "finish": (turns.check_finish, turns.apply_finish),
    "move": (moves.check_move, moves.apply_move),
    "pivot": (moves.check_move, moves.apply_move),
    "group_move": (moves.check_move, moves.apply_move),
    "fire": (shooting.check_fire, combat.apply_fire),
    "close_combat": (combat.check_close, combat.apply_close),
    "rally": (rally.check_rally, rally.apply_rally),
    "dig_in": (engineering.check_dig_in, engineering.apply_dig_in),
    "hide": (concealment.check_hide, concealment.apply_hide),
    "shift": (engineering.check_shift, engineering.apply_shift),
    "load": (transport.check_load, transport.apply_load),
    "unload": (transport.check_unload, transport.apply_unload),
    "leave": (moves.check_leave, moves.apply_leave),
    "play": (cardplay.check_play, cardplay.apply_play),
    "quick_action": (cardplay.check_quick, cardplay.apply_quick),
    "stall": (turns.check_stall, turns.apply_stall),
    "pass": (_always, turns.apply_pass),
    "face": (_always, hiding.apply_face),
    "mines": (minefields.check_mines, minefields.apply_mines),
    "obstacle": (moves.check_obstacle, moves.apply_obstacle),
}


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

    def check(self, position: Position, action: Action) -> Verdict:
        """Every objection to an action, as far as its side can know."""
        scene = Scene.of(position)
        asked = position.asked(action.side)
        if action.kind in FRAMES and (asked is None or asked.kind != action.kind):
            text = f"no {action.kind} of {action.side} is asked for"
            return Verdict((Violation("COH-2.2a", text),))
        verdict = RULES[action.kind][0](scene, action)
        return solo.with_doctrine(scene, action, verdict) if position.option("solo") else verdict

    def apply(self, position: Position, action: Action, dice: Dice) -> Applied:
        """What comes of a legal action."""
        table = Table(position, dice)
        RULES[action.kind][1](table, action)
        return table.close()

    def actions(self, position: Position, side: str) -> Iterator[Offer]:
        """Every legal action of this side."""
        return offers.all_offers(self, position, side)

    def actions_of(self, position: Position, side: str, kinds: Collection[str]) -> Iterator[Offer]:
        """The legal actions of these kinds."""
        return offers.all_offers(self, position, side, kinds)

    def query(self, position: Position, name: str, params: Record) -> Answer:
        """The answer to one of the declared queries."""
        return queries.answer(position, name, params)

    def outcome(self, position: Position) -> Outcome | None:
        """How the firefight ended."""
        return victory.outcome(position)

    def invariants(self, position: Position) -> Iterator[Violation]:
        """What holds in every position that play can reach."""
        return upkeep.invariants(position)

    def setup_violations(self, position: Position) -> Iterator[Violation]:
        """What is wrong with a position as a set-up."""
        return lineup.violations(position)

    def terrain_map(self, position: Position) -> TerrainMap:
        """The board in use."""
        return board(position.board).map
