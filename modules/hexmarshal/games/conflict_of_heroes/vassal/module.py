"""Puts the module together: pictures, pieces, maps, windows, charts, set-ups, binding."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.errors import Place
from hexmarshal.games.conflict_of_heroes.art.charts import charts
from hexmarshal.games.conflict_of_heroes.art.sheet import SEATS
from hexmarshal.games.conflict_of_heroes.board import board, board_keys
from hexmarshal.games.conflict_of_heroes.plugin import ConflictOfHeroes
from hexmarshal.games.conflict_of_heroes.source import counters, works
from hexmarshal.games.conflict_of_heroes.vassal import pieces
from hexmarshal.games.conflict_of_heroes.vassal.binding import ENTRY, PHASES, binding
from hexmarshal.games.conflict_of_heroes.vassal.guide import GUIDE
from hexmarshal.games.conflict_of_heroes.vassal.pictures import chart_name, draw_all
from hexmarshal.games.conflict_of_heroes.vassal.setups import add_setups
from hexmarshal.games.conflict_of_heroes.vassal.table import main_map, own_hand
from hexmarshal.table.binding import Binding
from hexmarshal.vassal.builder import ModuleBuilder, counts, lists

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["build_module"]

_NAME: Final = "Conflict of Heroes"
_VERSION: Final = "1.0"
_KINDS: Final = {
    "Infantry": ("squad", "engineers", "at_team"),
    "Weapons": ("mg", "mortar", "gun"),
    "Vehicles": ("tank", "spg", "apc", "car"),
    "Transport": ("truck", "wagon"),
}


def build_module(folder: Path | str | None = None) -> ModuleBuilder:
    """The whole module, from our data or from a folder of a user's own."""
    plugin = ConflictOfHeroes(folder)
    module = ModuleBuilder(_NAME, version=_VERSION, description="Firefights in the East, 1941")
    module.sides(*SEATS.values())
    module.global_property("Firefight", "", "The firefight that this game was set up from")
    draw_all(module)
    pieces.define_prototypes(module)
    main_map(module, {key: board(key).map for key in board_keys()})
    for side in SEATS:
        own_hand(module, side)
    _palettes(module)
    module.turn_tracker(
        "Turn", counts("Turn"), lists("Phase", *PHASES), show="Turn $level1$: $level2$"
    )
    module.dice("2d6", count=2, sides=6)
    module.dice("1d6", count=1, sides=6)
    module.dice("3d6", count=3, sides=6)
    tabs = module.charts("Charts").tabs("Charts")
    for chart in charts():
        tabs.picture(chart.title, chart_name(chart))
    module.inventory("UnitSide")
    module.notes()
    module.help("How to play this module", GUIDE)
    bound = binding(_NAME)
    module.file(ENTRY, bound)
    add_setups(module, Binding.parse(bound, Place(entry=ENTRY)), plugin)
    return module


def _palettes(module: ModuleBuilder) -> None:
    tabs = module.palette("Counters").tabs("Counters")
    for side in ("german", "soviet"):
        kinds = tabs.tabs(side.capitalize())
        for title, wanted in _KINDS.items():
            shelf = kinds.panel(title, columns=6)
            for kind in counters().values():
                if kind.side == side and kind.kind in wanted:
                    shelf.counter(pieces.unit(kind))
    shelf = tabs.panel("Markers", columns=5)
    for thing in works().values():
        shelf.counter(pieces.works(thing))
    shelf.counter(pieces.smoke())
    shelf.counter(pieces.control())
    for side in SEATS:
        shelf.counter(pieces.barrage(side))
    for side in ("german", "soviet"):
        shelf.counter(pieces.coin(side))
