"""Puts the module together: pictures, pieces, maps, windows, charts, set-ups, binding."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.conflict_of_heroes.art.charts import charts
from hexmarshal.games.conflict_of_heroes.art.sheet import SEATS
from hexmarshal.games.conflict_of_heroes.board import board, board_keys
from hexmarshal.games.conflict_of_heroes.source import cards, choose, counters, works
from hexmarshal.games.conflict_of_heroes.vassal import pieces
from hexmarshal.games.conflict_of_heroes.vassal.binding import ENTRY, PHASES, binding
from hexmarshal.games.conflict_of_heroes.vassal.guide import GUIDE
from hexmarshal.games.conflict_of_heroes.vassal.pictures import chart_name, draw_all
from hexmarshal.games.conflict_of_heroes.vassal.setups import Slots, add_setups
from hexmarshal.games.conflict_of_heroes.vassal.table import main_map, own_hand
from hexmarshal.vassal.builder import ModuleBuilder, counts, lists
from hexmarshal.vassal.components import DrawPile

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from hexmarshal.vassal.builder import MapBuilder
    from hexmarshal.vassal.components import PieceSlot

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
    choose(folder)
    module = ModuleBuilder(_NAME, version=_VERSION, description="Firefights in the East, 1941")
    module.sides(*SEATS.values())
    module.global_property("Firefight", "", "The firefight that this game was set up from")
    draw_all(module)
    pieces.define_prototypes(module)
    main = main_map(module, {key: board(key).map for key in board_keys()})
    hands = {side: own_hand(module, side) for side in SEATS}
    slots = _palettes(module, main)
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
    add_setups(module, main, hands, slots)
    module.file(ENTRY, binding(_NAME))
    return module


def _palettes(module: ModuleBuilder, main: MapBuilder) -> Slots:
    tabs = module.palette("Counters").tabs("Counters")
    units: dict[str, PieceSlot] = {}
    for side in ("german", "soviet"):
        kinds = tabs.tabs(side.capitalize())
        for title, wanted in _KINDS.items():
            shelf = kinds.panel(title, columns=6)
            for key, kind in counters().items():
                if kind.side == side and kind.kind in wanted:
                    units[key] = shelf.counter(pieces.unit(kind))
    shelf = tabs.panel("Markers", columns=5)
    built = {key: shelf.counter(pieces.works(thing)) for key, thing in works().items()}
    smoke = shelf.counter(pieces.smoke())
    control = shelf.counter(pieces.control())
    for side in SEATS:
        shelf.counter(pieces.barrage(side))
    for side in ("german", "soviet"):
        shelf.counter(pieces.coin(side))
    return Slots(units, built, _card_slots(main), smoke, control)


def _card_slots(main: MapBuilder) -> Mapping[str, PieceSlot]:
    """One slot of each card, out of the deck that holds them all."""
    pile = next(p for p in main.component.each(DrawPile) if p.name == pieces.DECKS["cards"])
    keys = [key for key, entry in cards().items() for _ in range(entry.copies)]
    return dict(zip(keys, pile.slots, strict=True))
