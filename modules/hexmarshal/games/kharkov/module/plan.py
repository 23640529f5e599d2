"""Puts the module together: maps, counters, decks, trackers, charts, help and set-ups."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from hexmarshal.games.kharkov.art import boxes, markers
from hexmarshal.games.kharkov.art.charts import CHARTS
from hexmarshal.games.kharkov.art.faces import SIZE
from hexmarshal.games.kharkov.art.field import Field
from hexmarshal.games.kharkov.art.map import map_sheet
from hexmarshal.games.kharkov.module import air, orders, recovery
from hexmarshal.games.kharkov.module.binding import DRAGS, MAIN_MAP, PHASES, SPOKEN, binding
from hexmarshal.games.kharkov.module.guide import pages
from hexmarshal.games.kharkov.module.pieces import Catalogue, Maker
from hexmarshal.games.kharkov.module.set_up_notes import notes
from hexmarshal.games.kharkov.plugin import Kharkov
from hexmarshal.kit.announcements import announcements
from hexmarshal.kit.module.boards import grid_of
from hexmarshal.kit.module.opening_view import add_view
from hexmarshal.kit.module.pictures import Pictures
from hexmarshal.kit.module.pieces.announcement_menus import EVERY_STEP, add_sayings, says
from hexmarshal.kit.module.pieces.piles import secret
from hexmarshal.kit.module.pieces.tones import tones
from hexmarshal.kit.module.pieces.traits import LISTED, taken_off
from hexmarshal.kit.module.setups import add_set_ups
from hexmarshal.kit.module.sheets import OVERVIEW
from hexmarshal.kit.module.solitaire import add_seats
from hexmarshal.kit.module.toolbar.charts import add_charts
from hexmarshal.kit.module.toolbar.hot_keys import add_hot_keys
from hexmarshal.kit.module.toolbar.trails import add_trails
from hexmarshal.kit.module.turn_marker import EACH_STEP, add_turn_key, goes_with_turn
from hexmarshal.kit.pages.guide import keys_page
from hexmarshal.vassal.builder import (
    Counter,
    ModuleBuilder,
    can_delete,
    counts,
    lists,
    zoned,
)
from hexmarshal.vassal.builder import markers as marked

if TYPE_CHECKING:
    from pathlib import Path

    from hexmarshal.games.kharkov.state.source import Source
    from hexmarshal.rules.plugin import ScenarioInfo
    from hexmarshal.vassal.builder import MapBuilder, SetupBuilder

__all__ = ["build_module"]

_VERSION = "1.3"
_BOARD = "kharkov"
_CAMPAIGN = "campaign"
_SEATS = ("Axis", "Soviet")
_TURN = "game-turn"
_AIR = {f"air-{side}": side for side in air.SIDES}
_TITLES = {
    f"vp-{side}-{worth}": f"{side.capitalize()} points x{worth}"
    for side in air.SIDES
    for worth in (1, 10)
}
_ASKED = {"attack": "Attack a hex..."}
"""KHA-15.31: a garrison alone in its hex is attacked, too, and nothing lies there."""
_WAYS = {"air": {"yes": "With an air point"}}


def build_module(folder: Path | str | None = None) -> ModuleBuilder:
    """The module, from our data or from a folder of a user's own."""
    plugin = Kharkov(folder)
    source = plugin.data
    field = Field.load(source, _BOARD)
    catalogue = Catalogue.load(source)
    campaign = source.read(f"scenarios/{_CAMPAIGN}.yaml")
    title = field.map["title"]
    module = ModuleBuilder(title, version=_VERSION, description="The battle of May 1942")
    pictures = Pictures(module)
    add_seats(module, _SEATS, pictures.icon("sides"))
    announced = announcements(plugin.game, {*DRAGS, "end_phase"} - SPOKEN, ways=_WAYS, asked=_ASKED)
    add_sayings(module, pictures, announced, keys=air.SAID, tones=tones(_SEATS))
    air.add_keys(module)
    add_turn_key(module, _TURN)
    module.global_property(orders.DRAWN, "0", "The face that was drawn last")
    for title_of_page, html in pages(plugin.game, announced):
        module.help(title_of_page, html)
    for name, draw in {**markers.SIGNS, **markers.MARKERS}.items():
        zoom = boxes.AIR_MARKER / SIZE if name in _AIR else 1.0
        pictures.add(name, draw(), zoom=zoom)
    speaks = says(pictures, announced, SIZE, orders.SPEECH, tones(_SEATS), orders.PLATE)
    for prototype in orders.prototypes(speaks):
        module.prototype(prototype)
    _main_map(module, field, pictures)
    sheet = _boxes_map(module, source, campaign, pictures)
    maker = Maker(catalogue, pictures)
    _decks(sheet, maker)
    _palettes(module, pictures, maker)
    phases = lists("Phase", *PHASES)
    wakes = source.read("rules/schedule.yaml", "schedule")["headquarters"]
    module.turn_tracker(
        "Turn",
        counts("Turn", last=boxes.TURNS),
        phases,
        show="Turn $level1$: $level2$",
        icon=pictures.icon("turn"),
        docked=True,
        hotkeys=(*EVERY_STEP, *EACH_STEP, *air.EACH_TURN, *recovery.add_keys(module, wakes)),
    )
    module.dice("1d6", count=1, sides=6)
    add_charts(module, pictures, plugin.charts(), CHARTS)
    module.notes()
    module.inventory(*LISTED)
    module.help("Keys of the toolbar", keys_page(add_hot_keys(module)))
    bound = binding(catalogue, title, _BOARD)
    scored = next(chart for chart in plugin.charts() if chart.key == "victory")
    add_set_ups(
        module,
        plugin,
        bound,
        _scenarios(plugin),
        more=partial(_tell_air, source),
        notes=lambda one: notes(source.read(f"scenarios/{one.key}.yaml"), scored),
    )
    return module


def _tell_air(source: Source, scenario: ScenarioInfo, setup: SetupBuilder) -> None:
    air.tell_points(source.read(f"scenarios/{scenario.key}.yaml")["air"], setup.state)


def _scenarios(plugin: Kharkov) -> list[ScenarioInfo]:
    """Those on the map of the module: the campaign, the training, and a user's own."""
    found = [
        one
        for one in plugin.scenarios()
        if plugin.data.read(f"scenarios/{one.key}.yaml")["board"] == _BOARD
    ]
    return sorted(found, key=lambda one: one.key != _CAMPAIGN)


def _main_map(module: ModuleBuilder, field: Field, pictures: Pictures) -> None:
    main = module.map(MAIN_MAP, main=True, mark_moved=True).conveniences()
    image = pictures.add("map", map_sheet(field))
    main.board(field.map["title"], image=image, grid=grid_of(field.terrain))
    add_view(module, main, pictures)
    add_trails(main, pictures)


def _boxes_map(
    module: ModuleBuilder, source: Source, campaign: dict[str, Any], pictures: Pictures
) -> MapBuilder:
    made = module.map(orders.BOXES_MAP, icon=pictures.icon("tracks")).conveniences(start=OVERVIEW)
    svg = boxes.box_sheet("RESERVES AND TRACKS", campaign["air"], _events(source))
    zones = [(box.name, box.corners, None) for box in boxes.BOXES.values()]
    made.board("Boxes", image=pictures.add("boxes", svg), grid=zoned(zones))
    return made


def _events(source: Source) -> dict[int, str]:
    """What each turn brings, for its box on the track."""
    schedule = source.read("rules/schedule.yaml", "schedule")
    found: dict[int, list[str]] = {}
    woken: dict[int, list[str]] = {}
    for army, turn in schedule["headquarters"].items():
        woken.setdefault(turn, []).append(army)
    for turn, armies in woken.items():
        found.setdefault(turn, []).append(f"HQ {', '.join(sorted(armies, key=int))} active")
    found.setdefault(schedule["southern_activation"], []).append("Southern sector active")
    for turn in schedule["no_mechanised_phase"]:
        found.setdefault(turn, []).append("No mechanised phase")
    return {turn: "\n".join(lines) for turn, lines in found.items()}


def _decks(sheet: MapBuilder, maker: Maker) -> None:
    board = sheet.component.boards[0]
    for pool, at in boxes.POOLS.items():
        own = maker.replacement_chits() if pool == "replacements" else maker.chits(pool)
        pile = sheet.deck(orders.deck_name(pool), board, at, own, size=(60, 60))
        secret(pile, is_open=False)


def _palettes(module: ModuleBuilder, pictures: Pictures, maker: Maker) -> None:
    tabs = module.palette("Counters", icon=pictures.icon("counters")).choice("Counters")
    panels: dict[str, Any] = {}
    for _, panel, counter in maker.all():
        if panel not in panels:
            panels[panel] = tabs.list(panel)
        panels[panel].counter(counter)
    marks = tabs.list("Markers")
    for kind in markers.MARKERS:
        if kind in _AIR:
            marks.counter(air.air_marker(_AIR[kind], f"{kind}.png"))
            continue
        name = _TITLES.get(kind) or kind.replace("-", " ").capitalize()
        goes = goes_with_turn("Turn", boxes.TURNS, in_zones=True) if kind == _TURN else ()
        traits = (marked({"MarkerKind": kind}), *goes, can_delete(), taken_off())
        marks.counter(Counter(name, f"{kind}.png", traits, 56, 56))
