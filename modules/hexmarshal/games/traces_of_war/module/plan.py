"""What the module is made of: map, counters, markers, cup and hands, sheet, charts, pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.traces_of_war.art import sheet
from hexmarshal.games.traces_of_war.art.charts import CHARTS
from hexmarshal.games.traces_of_war.art.map import map_sheet
from hexmarshal.games.traces_of_war.module.guide import pages
from hexmarshal.games.traces_of_war.module.pieces import markers, units
from hexmarshal.games.traces_of_war.module.set_up_notes import notes
from hexmarshal.games.traces_of_war.module.table import hands, piles, spreads, table_sheet
from hexmarshal.games.traces_of_war.plugin import TracesOfWar
from hexmarshal.games.traces_of_war.state.kinds import AXIS, HQ, SOVIET
from hexmarshal.games.traces_of_war.state.situation import ORDER
from hexmarshal.kit.module import Plan, Speech, board_of, build

if TYPE_CHECKING:
    from pathlib import Path

    from hexmarshal.vassal.builder import ModuleBuilder

__all__ = ["build_module", "plan"]

_BOARD: Final = "ukraine"


def build_module(folder: Path | str | None = None) -> ModuleBuilder:
    """The module, from our data or from a folder of a user's own."""
    plugin = TracesOfWar(folder)
    return build(plugin, plan(plugin))


_FIGHTS: Final = f'UnitType != "{HQ}"'
_ORDERED: Final = rf'CountLocation("{{MarkerKind == \"{ORDER}\"}}")'
# At a headquarters it is activated; OKH's units and Supreme Command orders are the Axis'.
_SAID_AT: Final = {
    "activate_hq": f'UnitType == "{HQ}"',
    "okh_command": f'UnitSide == "{AXIS}" && {_FIGHTS}',
    "attack": _FIGHTS,
    "take_losses": _FIGHTS,
    "replace": f'UnitSide == "{SOVIET}" && {_FIGHTS}',
    "land": f'UnitSide == "{SOVIET}"',
    "lift_order": f'UnitSide == "{AXIS}" && {_ORDERED} > 0',
}


def plan(plugin: TracesOfWar) -> Plan:
    """The module as the kit wants to know it."""
    board = plugin.boards[_BOARD]
    data = plugin.data.read(f"boards/{_BOARD}/map.yaml", "map")
    return Plan(
        boards=(board_of(board.map, _BOARD, name=board.title, svg=map_sheet(board.map, data)),),
        units=units(plugin),
        markers=markers(),
        sheet=table_sheet(plugin.tables),
        piles=piles(plugin.tables),
        spreads=spreads(),
        hands=hands(),
        title="Traces of War",
        version="1.2",
        description="Ukraine, August 1943 to March 1944; map and counters are our own",
        charts=CHARTS,
        pages=dict(pages()),
        before=("setup", "opening"),
        by_side=False,
        last_turn=len(sheet.MONTHS),
        advance="",
        laid=("draw", "choose_tokens", "throw_in", "interrupt"),
        drags=("move", "advance", "retreat", "deploy", "place", "relocate"),
        speech=Speech(said_at=_SAID_AT, aimed=("attack",), clicked={"attack": ""}),
        notes=lambda one: notes(_victory(plugin, one.key), one.turns),
        scenarios=tuple(
            one.key
            for one in plugin.scenarios()
            if plugin.data.read(f"scenarios/{one.key}.yaml")["board"] == _BOARD
        ),
    )


def _victory(plugin: TracesOfWar, scenario: str) -> str:
    return str(plugin.data.read(f"scenarios/{scenario}.yaml")["victory"])
