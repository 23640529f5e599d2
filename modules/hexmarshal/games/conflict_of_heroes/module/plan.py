"""Puts the module together: pictures, pieces, maps, windows, charts, set-ups, binding."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hexmarshal.games.conflict_of_heroes.art.charts import CHARTS
from hexmarshal.games.conflict_of_heroes.art.counters import SIZE
from hexmarshal.games.conflict_of_heroes.art.sheet import PAID, SEATS
from hexmarshal.games.conflict_of_heroes.module import (
    activation,
    cards,
    not_here,
    paid_moves,
    pieces,
    tracks,
)
from hexmarshal.games.conflict_of_heroes.module.binding import DRAGS, PHASES, binding
from hexmarshal.games.conflict_of_heroes.module.guide import GUIDE
from hexmarshal.games.conflict_of_heroes.module.maps import (
    MAP,
    board_size,
    boards_of,
    main_map,
    next_hex,
    own_hand,
)
from hexmarshal.games.conflict_of_heroes.module.pictures import draw_all
from hexmarshal.games.conflict_of_heroes.module.set_up_notes import notes
from hexmarshal.games.conflict_of_heroes.plugin import ConflictOfHeroes
from hexmarshal.kit.announcements import announcements
from hexmarshal.kit.module.phases import spoken_in
from hexmarshal.kit.module.pictures import Pictures
from hexmarshal.kit.module.pieces.announcement_menus import EVERY_STEP, add_sayings, says
from hexmarshal.kit.module.pieces.piles import add_hand_button, keep_places_secret
from hexmarshal.kit.module.pieces.tones import toned, tones
from hexmarshal.kit.module.pieces.traits import LISTED
from hexmarshal.kit.module.setups import add_set_ups, fitted
from hexmarshal.kit.module.solitaire import add_seats
from hexmarshal.kit.module.toolbar.charts import add_charts
from hexmarshal.kit.module.toolbar.hot_keys import add_hot_keys
from hexmarshal.kit.module.turn_marker import EACH_STEP
from hexmarshal.kit.pages.guide import announcements_page, keys_page
from hexmarshal.vassal.builder import ModuleBuilder, counts, lists
from hexmarshal.vassal.commands.game import BoardChoice

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from hexmarshal.games.conflict_of_heroes.state.tables import Tables
    from hexmarshal.rules.plugin import ScenarioInfo
    from hexmarshal.vassal.builder import SetupBuilder

__all__ = ["build_module"]

_NAME: Final = "Conflict of Heroes"
_VERSION: Final = "1.3"
_BEGINS: Final = "Who won the initiative"
_KINDS: Final = {
    "Infantry": ("squad", "engineers", "at_team"),
    "Weapons": ("mg", "mortar", "gun"),
    "Vehicles": ("tank", "spg", "apc", "car"),
    "Transport": ("truck", "wagon"),
}
_WAYS: Final = {"by": {"opportunity": "Opportunity action", "command": "Command action"}}
"""COH-2.2b: what is done otherwise than with the points of the active unit is said so."""
_PRESSED: Final = {
    "pass": (activation.FINISH, tracks.PASSED),
    "finish": (activation.FINISH,),
    "begin_turn": (activation.FRESHEN,),
}
"""What an announcement does to counters and markers."""


def build_module(folder: Path | str | None = None) -> ModuleBuilder:
    """The whole module, from our data or from a folder of a user's own."""
    plugin = ConflictOfHeroes(folder)
    module = ModuleBuilder(_NAME, version=_VERSION, description="Firefights in the East, 1941")
    pictures = Pictures(module)
    add_seats(module, SEATS.values(), pictures.icon("sides"), masked=True)
    module.global_property("Firefight", "", "The firefight that this game was set up from")
    not_here.define(module)
    most = plugin.tables.number("fire", "cap_per_roll")
    announced = (*announcements(plugin.game, {*DRAGS}, {"bid": most}, _WAYS), *cards.PLAYED)
    colours = tones(SEATS.values())
    begins = _who_begins(module, colours)
    add_sayings(module, pictures, announced, not_here.GATES, _PRESSED, others=begins, tones=colours)
    module.action_button(
        "End of my go",
        report=toned(colours, " has acted"),
        keys=[tracks.END_GO],
        icon=pictures.icon("go"),
    )
    paid_moves.add_switch(module, pictures, plugin)
    tracks.add_keys(module)
    activation.add_keys(module)
    draw_all(pictures, plugin.tables)
    timely = replace(activation.SPEECH, when=spoken_in(plugin.game, PHASES, ["Phase"]))
    land = {key: plugin.boards[key].map for key in plugin.boards.keys}
    speaks = says(pictures, announced, SIZE, timely, colours)
    pieces.define_prototypes(
        module, speaks, paid_moves.walks(plugin.tables, next_hex(land.values()))
    )
    cards.define_cards(module, timely, colours)
    main_map(module, pictures, land, plugin.tables)
    add_hand_button(module, pictures)
    for side in SEATS:
        hand = own_hand(module, pictures, side)
        keep_places_secret({hand.name: hand})
    _palettes(module, pictures, plugin.tables)
    module.turn_tracker(
        "Turn",
        counts("Turn"),
        lists("Phase", *PHASES),
        show="Turn $level1$: $level2$",
        icon=pictures.icon("turn"),
        docked=True,
        hotkeys=(*EVERY_STEP, *EACH_STEP),
    )
    module.dice("2d6", count=2, sides=6)
    module.dice("1d6", count=1, sides=6)
    module.dice("3d6", count=3, sides=6)
    add_charts(module, pictures, plugin.charts(), CHARTS)
    module.inventory(LISTED[0])
    module.notes()
    module.help("Keys of the toolbar", keys_page(add_hot_keys(module)))
    module.help("How to play this module", GUIDE)
    module.help("Announcements", announcements_page(plugin.game, announced, DRAGS))
    _add_firefights(module, plugin)
    return module


def _who_begins(module: ModuleBuilder, colours: Mapping[str, str]) -> Iterator[str]:
    """A menu that puts the marker of who acts to the winner of the initiative."""
    names = []
    for side, seat in SEATS.items():
        gate = not_here.NO_PARTNERS if side in not_here.PARTNERS else ""
        report = toned(colours, f": {seat} begins")
        names.append(f"{seat} begins")
        module.action_button(names[-1], report=report, gate=gate, keys=[tracks.begins(seat)])
    module.toolbar_menu(_BEGINS, names, tooltip=_BEGINS)
    yield _BEGINS


def _add_firefights(module: ModuleBuilder, plugin: ConflictOfHeroes) -> None:
    def menu(scenario: ScenarioInfo) -> str:
        return "Firefights" if plugin.cards[scenario.key].training else "Drills"

    def boards(scenario: ScenarioInfo) -> dict[str, tuple[BoardChoice, ...]]:
        given = plugin.cards[scenario.key]
        chosen = boards_of(str(given.data["board"]), given.forces)
        return {MAP: tuple(BoardChoice(name, column=i) for i, name in enumerate(chosen))}

    def brief(scenario: ScenarioInfo, setup: SetupBuilder) -> None:
        card = plugin.cards[scenario.key].data
        setup.state.notes.scenario = fitted(notes(card, plugin.tables))
        not_here.say_what_is_not_here(card, plugin.tables, setup.state)

    def beside(scenario: ScenarioInfo) -> int:
        key = str(plugin.cards[scenario.key].data["board"])
        return board_size(plugin.boards[key].map)[0] + PAID

    bound, listed = binding(_NAME, plugin), plugin.scenarios()
    add_set_ups(module, plugin, bound, listed, menu=menu, boards=boards, more=brief, beside=beside)


def _palettes(module: ModuleBuilder, pictures: Pictures, tables: Tables) -> None:
    tabs = module.palette("Counters", icon=pictures.icon("counters")).choice("Counters")
    for side in pieces.BOTH:
        for title, wanted in _KINDS.items():
            shelf = tabs.list(f"{side.capitalize()} {title.lower()}")
            for kind in tables.counters.values():
                if kind.side == side and kind.kind in wanted:
                    shelf.counter(pieces.unit(kind))
    shelf = tabs.list("Markers")
    for thing in tables.works.values():
        for side in ("",) if thing.fortification else pieces.BOTH:
            shelf.counter(pieces.works(thing, side))
    shelf.counter(pieces.smoke())
    shelf.counter(pieces.control())
    for side in SEATS:
        shelf.counter(pieces.barrage(side))
    for side in pieces.BOTH:
        shelf.counter(pieces.coin(side))
