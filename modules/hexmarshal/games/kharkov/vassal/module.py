"""Puts the module together: maps, counters, decks, trackers, charts, help and set-ups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hexmarshal.errors import Place
from hexmarshal.games.kharkov.art import boxes, markers
from hexmarshal.games.kharkov.art.charts import CHARTS, charts
from hexmarshal.games.kharkov.art.field import Field
from hexmarshal.games.kharkov.art.map import map_sheet
from hexmarshal.games.kharkov.plugin import Kharkov
from hexmarshal.games.kharkov.source import DATA, Source
from hexmarshal.games.kharkov.vassal import orders
from hexmarshal.games.kharkov.vassal.binding import BINDING, MAIN_MAP, PHASES, binding
from hexmarshal.games.kharkov.vassal.catalogue import Catalogue, Maker
from hexmarshal.games.kharkov.vassal.pages import pages
from hexmarshal.games.kharkov.vassal.pictures import Pictures
from hexmarshal.kit.drawing.charts import chart_svg
from hexmarshal.table.binding import Binding
from hexmarshal.table.set_ups import lay_set_up
from hexmarshal.vassal.builder import (
    Counter,
    ModuleBuilder,
    can_delete,
    counts,
    hex_grid,
    lists,
    zoned,
)
from hexmarshal.vassal.builder import markers as marked

if TYPE_CHECKING:
    from pathlib import Path

    from hexmarshal.vassal.builder import MapBuilder
    from hexmarshal.vassal.components import HexGrid

__all__ = ["build_module"]

_VERSION = "1.0"
_BOARD = "kharkov"
_SCENARIOS = ("campaign", "training")


def build_module(folder: Path | str | None = None) -> ModuleBuilder:
    """The module, from our data or from a folder of a user's own."""
    source = DATA.source(folder)
    field = Field.load(source, _BOARD)
    catalogue = Catalogue.load(source)
    scenarios = {k: source.read(f"scenarios/{k}.yaml", "scenario") for k in _SCENARIOS}
    title = field.map["title"]
    module = ModuleBuilder(title, version=_VERSION, description="The battle of May 1942")
    pictures = Pictures(module)
    module.sides("Axis", "Soviet")
    module.global_property(orders.DRAWN, "0", "The face that was drawn last")
    for title_of_page, html in pages():
        module.help(title_of_page, html)
    for name, draw in {**markers.SIGNS, **markers.MARKERS}.items():
        pictures.add(name, draw())
    for prototype in orders.prototypes():
        module.prototype(prototype)
    _main_map(module, field, pictures)
    sheet = _boxes_map(module, source, scenarios["campaign"], pictures)
    maker = Maker(catalogue, pictures)
    _decks(sheet, maker)
    _palettes(module, maker)
    phases = lists("Phase", *PHASES)
    module.turn_tracker(
        "Turn", counts("Turn", last=boxes.TURNS), phases, show="Turn $level1$: $level2$"
    )
    module.dice("1d6", count=1, sides=6)
    window = module.charts("Charts").tabs()
    for chart in charts(source):
        image = pictures.add(f"chart-{chart.key}", chart_svg(chart, CHARTS))
        window.picture(chart.title, image)
    module.notes()
    module.inventory("UnitSide", "UnitType")
    bound = binding(catalogue, title, _BOARD)
    module.file(BINDING, bound)
    plugin, table = Kharkov(folder), Binding.parse(bound, Place(entry=BINDING))
    for key, scenario in scenarios.items():
        setup = module.setup(scenario["title"], description=scenario.get("doc", ""))
        lay_set_up(setup, module, table, plugin, key)
        setup.save()
    return module


def _main_map(module: ModuleBuilder, field: Field, pictures: Pictures) -> None:
    main = module.map(MAIN_MAP, main=True, mark_moved=True).conveniences()
    image = pictures.add("map", map_sheet(field))
    main.board(field.map["title"], image=image, grid=_grid(field))


def _grid(field: Field) -> HexGrid:
    """The grid of the terrain file, so that the module and the rules use the same names."""
    grid: dict[str, Any] = field.grid["grid"]
    numbering: dict[str, Any] = field.grid.get("numbering") or {}
    return hex_grid(
        width=float(grid["dx"]),
        height=float(grid["dy"]),
        origin=(int(grid["x0"]), int(grid["y0"])),
        sideways=bool(grid.get("sideways", False)),
        numbering={name: _text(value) for name, value in numbering.items()},
    )


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _boxes_map(
    module: ModuleBuilder, source: Source, campaign: dict[str, Any], pictures: Pictures
) -> MapBuilder:
    made = module.map(orders.BOXES_MAP).conveniences()
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
        # Nobody may know the order: every draw is by chance.
        pile.set("shuffle", "Always")


def _palettes(module: ModuleBuilder, maker: Maker) -> None:
    tabs = module.palette("Counters").tabs()
    panels: dict[str, Any] = {}
    for _, panel, counter in maker.all():
        if panel not in panels:
            panels[panel] = tabs.panel(panel, columns=6)
        panels[panel].counter(counter)
    marks = tabs.panel("Markers", columns=6)
    for kind in markers.MARKERS:
        name = kind.replace("-", " ").capitalize()
        traits = (marked({"MarkerKind": kind}), can_delete())
        marks.counter(Counter(name, f"{kind}.png", traits, 56, 56))
