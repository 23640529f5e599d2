"""The plugin: everything declared, frames, flags, markers and knowledge too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from asl_trial import board, firing, moving
from asl_trial.board import SIDES, data
from hexmarshal.rules.action import (
    ActionTable,
    ActionType,
    Param,
    ParamType,
    QueryTable,
    QueryType,
)
from hexmarshal.rules.frames import FrameTable, FrameType, Silence
from hexmarshal.rules.frames.standing import standing_order
from hexmarshal.rules.plugin import (
    Game,
    GamePlugin,
    MarkerType,
    Named,
    Option,
    Phase,
    ScenarioInfo,
    UnitType,
)
from hexmarshal.rules.rulebook import Rulebook
from hexmarshal.rules.secrecy.concealment import CONCEALS
from hexmarshal.rules.state.lifetimes import Lifetime, Until
from hexmarshal.rules.state.pieces import Unit
from hexmarshal.rules.state.whereabouts import BondRole
from hexmarshal.rules.values import FrozenMap, Value
from hexmarshal.rules.verdict import Answer, Outcome

if TYPE_CHECKING:
    from hexmarshal.geometry.terrain.terrain_map import TerrainMap
    from hexmarshal.rules.dice import Generator
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record

UNIT = Param("unit", ParamType.UNIT, "the unit")
UNITS = Param("units", ParamType.UNITS, "the stack: units, or the counter over them")
TO = Param("to", ParamType.CELL, "the next hex")
CELL = Param("cell", ParamType.CELL, "the hex entered")
PHASES = tuple(f"move_{side}" for side in SIDES)

FRAMES = FrameTable(
    [
        FrameType(
            "moving",
            "Where does the stack go on?",
            (UNITS, Param("spent", ParamType.INT, "movement factors spent", minimum=0)),
            rules=("T-A4.1",),
            silence=Silence("stop"),
        ),
        FrameType(
            "first_fire",
            "Does the defender fire?",
            (CELL,),
            rules=("T-A8.1",),
            silence=Silence("hold_fire"),
        ),
    ]
)

ACTIONS = ActionTable(
    [
        ActionType(
            "move", "Move", (UNITS, TO), rules=("T-A4.1", "T-A4.12"), phases=PHASES,
            states=("",), check=moving.check, apply=moving.begin,
        ),
        ActionType(
            "step", "One hex more", (TO,), rules=("T-A4.1",), states=("moving",),
            check=moving.check_step, apply=moving.step,
        ),
        ActionType("stop", "Stop", rules=("T-A4.1",), states=("moving",), apply=moving.stop),
        ActionType(
            "fire",
            "First fire",
            (UNIT, Param("leader", ParamType.UNIT, "who directs it", required=False)),
            rules=("T-A7.3", "T-A8.1", "T-A8.3"),
            states=("first_fire",),
            check=firing.check,
            apply=firing.fire,
        ),
        ActionType(
            "hold_fire", "Hold fire", rules=("T-A8.1",), states=("first_fire",),
            apply=firing.hold_fire,
        ),
        ActionType(
            "end_phase", "End of the phase", rules=("T-A4.1",), states=("",),
            apply=moving.end_phase,
        ),
        standing_order(FRAMES, "first_fire", rules=("T-A8.1",)),
    ]
)  # fmt: skip


class Trial(GamePlugin):
    """Ten rules of Advanced Squad Leader."""

    @cached_property
    def game(self) -> Game:
        ends = frozenset({board.FIRST_FIRE, board.FINAL_FIRE, board.MOVED, board.PINNED})
        return Game(
            key="asl_trial",
            title="A trial before Advanced Squad Leader",
            version="1",
            sides=tuple(Named(side, side.title()) for side in SIDES),
            phases=tuple(
                Phase(key, f"{side.title()} movement", (side,))
                for key, side in zip(PHASES, SIDES, strict=True)
            ),
            actions=ACTIONS,
            queries=QueryTable(
                [
                    QueryType(
                        "sight",
                        "Line of sight",
                        (
                            Param("from", ParamType.CELL, "from where"),
                            Param("to", ParamType.CELL, "to where"),
                        ),
                        rules=("T-A6.11",),
                        by_sight=True,
                    )
                ]
            ),
            unit_types=tuple(UnitType(key, row["title"]) for key, row in data()["types"].items()),
            markers=(
                MarkerType(
                    "residual",
                    "Residual firepower",
                    params=(Param("fp", ParamType.INT, "firepower", minimum=1, maximum=12),),
                ),
            ),
            flags=tuple(Named(flag, flag.title()) for flag in (*sorted(ends), board.BROKEN)),
            lifetimes=(Lifetime(Until.PHASE, flags=ends, markers=("residual",), rule="T-A8.2"),),
            bonds=(CONCEALS, BondRole(board.POSSESSES, "Possesses")),
            options=(
                Option(
                    Param("free_sight", ParamType.BOOL, "sight may be checked before firing"),
                    default=False,
                    rules=("T-A6.11",),
                ),
            ),
            frames=FRAMES,
            extras=(),
            knowledge=(),
            turn_rule="T-A4.1",
            free_sight="free_sight",
        )

    @cached_property
    def rulebook(self) -> Rulebook:
        return Rulebook.load(board.FOLDER)

    def scenarios(self) -> Sequence[ScenarioInfo]:
        return [ScenarioInfo("lane", "The lane", turns=data()["turns"])]

    def setup(
        self, scenario: str, options: Mapping[str, Value], generator: Generator | None
    ) -> Position:
        units = {}
        for name, row in data()["units"].items():
            bonds = {CONCEALS.key: row.get("under"), board.POSSESSES: row.get("possessed")}
            units[name] = Unit(
                name,
                row["type"],
                row["side"],
                cell=row.get("cell", ""),
                steps=data()["types"][row["type"]].get("steps", 1),
                seen_by=frozenset({row["side"]}) if "under" in row else None,
                bonds=FrozenMap({role: (by,) for role, by in bonds.items() if by}),
            )
        start = replace(self.blank(), scenario=scenario, options=FrozenMap(options))
        return replace(start, units=FrozenMap(units), generator=generator)

    def terrain_map(self, position: Position) -> TerrainMap:
        return board.terrain()

    def has_cell(self, position: Position, cell: str) -> bool:
        return cell in board.terrain().names.values()

    def query(self, position: Position, name: str, params: Record) -> Answer:
        seen = board.sees(str(params["from"]), str(params["to"]))
        return Answer(FrozenMap({"visible": seen}))

    def outcome(self, position: Position) -> Outcome | None:
        if position.turn > data()["turns"]:
            return Outcome((), "the trial is over", "T-A4.1")
        return None
