"""All pictures of the module, drawn and put in under the names that pieces and boards use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.conflict_of_heroes.art import markers
from hexmarshal.games.conflict_of_heroes.art.board import board_svg
from hexmarshal.games.conflict_of_heroes.art.cards import (
    CARD,
    card_back_svg,
    card_svg,
    card_text,
)
from hexmarshal.games.conflict_of_heroes.art.counters import ARROW, counter_svg
from hexmarshal.games.conflict_of_heroes.art.hits import hit_back_svg, hit_svg
from hexmarshal.games.conflict_of_heroes.art.sheet import SHEETS, sheet_svg
from hexmarshal.kit.drawing.counters import arrow_svg
from hexmarshal.kit.module.pieces.piles import own_svg

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.conflict_of_heroes.art.sheet import ForceSheet
    from hexmarshal.games.conflict_of_heroes.state.tables import Tables
    from hexmarshal.geometry.terrain.terrain_map import TerrainMap
    from hexmarshal.kit.module.pictures import Pictures

__all__ = ["SCALE", "board_picture", "draw_all", "sheet_image"]

SCALE: Final = 1.5
"""Pixels of the module for one of the board's own: a counter fits into a hex at any turn."""
_HIT_SCALE: Final = 0.8
_WORKS_SCALE: Final = 94 / 66  # wider than the counters that lie on them
_TURNED_SCALE: Final = 78 / 66
_UNIT_SCALE: Final = 68 / 72  # the arrow below a counter must show in every direction


def draw_all(pictures: Pictures, tables: Tables) -> None:
    """Draw and put in everything but the boards and the charts."""
    for name, svg, zoom in (*_pieces(tables), *_cards(tables), *_markers(tables)):
        pictures.add(name, svg, zoom=zoom)


def board_picture(pictures: Pictures, key: str, map: TerrainMap) -> str:
    """Draw a board and put it in; returns the image's name."""
    return pictures.add(f"board-{key}", board_svg(map), zoom=SCALE)


def sheet_image(sheet: ForceSheet) -> str:
    """The image of a sheet, without its ending."""
    return f"sheet-{sheet.sides[0]}"


Drawn = tuple[str, str, float]


def _pieces(tables: Tables) -> Iterator[Drawn]:
    yield "arrow", arrow_svg(ARROW), 1
    yield "arrow-fixed", arrow_svg(ARROW, fixed=True), 1
    for key, kind in tables.counters.items():
        yield key, counter_svg(kind), _UNIT_SCALE
        yield f"{key}-spent", counter_svg(kind, spent=True), _UNIT_SCALE
    for key, hit in tables.hits.items():
        yield f"hit-{key}", hit_svg(hit), _HIT_SCALE
    for pool in ("foot", "vehicle"):
        yield f"hit-{pool}", hit_back_svg(pool), _HIT_SCALE


def _cards(tables: Tables) -> Iterator[Drawn]:
    for key, entry in tables.cards.items():
        yield f"card-{key}", card_svg(entry, card_text(tables, entry)), 1
    yield "card-back", card_back_svg(), 1
    yield "card-own", own_svg(*CARD), 1


def _markers(tables: Tables) -> Iterator[Drawn]:
    for sheet in SHEETS:
        yield sheet_image(sheet), sheet_svg(sheet), 1
    for key, thing in tables.works.items():
        turns = thing.defence_flank is not None
        yield f"works-{key}", markers.works_svg(thing), _TURNED_SCALE if turns else _WORKS_SCALE
    for points in (1, 2):
        yield f"smoke-{points}", markers.smoke_svg(points), 1
    for side in ("german", "soviet"):
        yield f"barrage-{side}", markers.barrage_svg(side), 1
        yield f"control-{side}", markers.control_svg(side), 1
        yield f"coin-{side}", markers.coin_svg(side), 1
        yield f"track-start-{side}", markers.start_svg(side), 1
        for kind in ("ap", "cap", "vp"):
            yield f"track-{kind}-{side}", markers.track_svg(kind.upper(), side), 1
    yield "barrage-smoke", markers.load_svg(), 1
    yield "control-none", markers.control_svg(""), 1
    yield "track-turn", markers.track_svg("TURN", ""), 1
    yield "track-go", markers.go_svg(), 1
    for state in markers.STATES:
        yield f"state-{state}", markers.state_svg(state), _UNIT_SCALE
