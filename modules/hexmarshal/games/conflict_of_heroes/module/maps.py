"""The maps of the module: boards with the sheet beside them, hands, decks and pools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.conflict_of_heroes.art.cards import CARD
from hexmarshal.games.conflict_of_heroes.art.sheet import SEATS, SHEETS, ForceSheet
from hexmarshal.games.conflict_of_heroes.module import paid_moves, pieces, tracks
from hexmarshal.games.conflict_of_heroes.module.cards import card
from hexmarshal.games.conflict_of_heroes.module.pictures import (
    SCALE,
    board_picture,
    sheet_image,
)
from hexmarshal.games.conflict_of_heroes.module.pieces import MAP
from hexmarshal.kit.drawing.hands import hand_svg
from hexmarshal.kit.ground.plain import bounds
from hexmarshal.kit.module.opening_view import add_view
from hexmarshal.kit.module.pieces.following import add_following
from hexmarshal.kit.module.pieces.piles import OPEN_HAND, secret
from hexmarshal.kit.module.sheets import sheet_grid
from hexmarshal.kit.module.solitaire import SOLITAIRE
from hexmarshal.kit.module.toolbar.trails import add_trails
from hexmarshal.vassal.builder import hex_grid, regions
from hexmarshal.vassal.components import CounterDetailViewer, StackMetrics

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hexmarshal.games.conflict_of_heroes.state.tables import Tables
    from hexmarshal.geometry.terrain.terrain_map import TerrainMap
    from hexmarshal.kit.module.pictures import Pictures
    from hexmarshal.vassal.builder import Counter, MapBuilder, ModuleBuilder
    from hexmarshal.vassal.components import Board, HexGrid

__all__ = [
    "MAP",
    "board_grid",
    "board_name",
    "board_size",
    "boards_of",
    "hand_name",
    "main_map",
    "next_hex",
    "own_hand",
]

_CARDS: Final = 8
_BATTERIES: Final = 2
_CARD_STEP: Final = 160
_ARROW: Final = "30"
"""The edge of the window under the mouse, in which the arrow of a counter still shows."""


def board_name(key: str) -> str:
    """What the module calls a board."""
    return f"Board {key}"


def board_size(map: TerrainMap) -> tuple[int, int]:
    """A board's width and height in pixels of the module."""
    left, top, right, bottom = bounds(map)
    wide, high = right - left, bottom - top
    return round(wide * SCALE), round(high * SCALE)


def board_grid(key: str, map: TerrainMap) -> HexGrid:
    """The hexes of a board as VASSAL counts them, named as the book does."""
    layout = map.layout
    assert layout is not None
    return hex_grid(
        width=layout.pitch * SCALE,
        height=layout.breadth * SCALE,
        origin=(round(layout.x0 * SCALE), round(layout.y0 * SCALE)),
        numbering={
            "first": "V",
            "vType": "A",
            "vLeading": "0",
            "vOff": "0",
            "hType": "N",
            "hLeading": "1",
            "hOff": "1",
            "sep": "",
            "locationFormat": f"{key}-$gridLocation$",
        },
    )


def next_hex(boards: Iterable[TerrainMap]) -> int:
    """How far the next hex is away at most, in pixels; the one behind it is farther."""
    layouts = (land.layout for land in boards)
    return round(1.3 * SCALE * min(found.breadth for found in layouts if found))


def boards_of(board: str, sides: Iterable[str]) -> tuple[str, ...]:
    """The boards of a game, from the left: the map, and a sheet for every two forces."""
    playing = set(sides)
    return board_name(board), *(s.name for s in SHEETS if playing & set(s.sides))


def main_map(
    module: ModuleBuilder, pictures: Pictures, boards: Mapping[str, TerrainMap], tables: Tables
) -> MapBuilder:
    """The map that all is played on."""
    main = module.map(MAP, main=True, mark_moved=True).conveniences(start=3)
    metrics = main.component.child(StackMetrics)
    assert metrics is not None
    # Counters are large and their corners count: let more of each be seen.
    for name, value in (("unexSepX", "8"), ("unexSepY", "8"), ("exSepX", "30"), ("exSepY", "38")):
        metrics.set(name, value)
    viewer = main.component.child(CounterDetailViewer)
    assert viewer is not None
    viewer.set("borderWidth", _ARROW)
    for key, land in boards.items():
        picture = board_picture(pictures, key, land)
        main.board(board_name(key), image=picture, grid=board_grid(key, land))
    main.boards_in_a_row(*boards_of(next(iter(boards)), SHEETS[0].sides))
    main.layers("Layer", *pieces.ORDER)
    main.line_of_sight()
    add_view(module, main, pictures)
    add_trails(main, pictures)
    add_following(module, main)
    for places in SHEETS:
        image = f"{sheet_image(places)}.png"
        sheet = main.board(places.name, image=image, grid=sheet_grid(places))
        _starts(main, sheet, places)
        if places.piles:
            _piles(main, sheet, places, tables)
            main.stack("Turn", sheet, "Turn 1", tracks.track_marker("turn", ""))
            main.stack(
                "To act", sheet, f"{SEATS['german']} to act", tracks.go_marker(paid_moves.go_ends())
            )
    return main


def _piles(main: MapBuilder, sheet: Board, places: ForceSheet, tables: Tables) -> None:
    at = {box.name: box for box in places.piles}
    contents: dict[str, list[Counter]] = {
        # The last one lies on top.
        **{
            pieces.DECKS[pool]: [pieces.hit(tables.hits[key]) for key in keys[::-1]]
            for pool, keys in tables.full_pools.items()
        },
        pieces.DECKS["cards"]: [
            card(entry) for entry in tables.cards.values() for _ in range(entry.copies)
        ],
        pieces.DECKS["out"]: [],
    }
    for name, members in contents.items():
        box = at[name]
        is_open = name == pieces.DECKS["out"]
        pile = main.deck(
            name,
            sheet,
            box.centre,
            members,
            size=(box.wide, box.high),
            face_down=not is_open,
            shuffled=not is_open,
            reshuffle_from=pieces.DECKS["cards"] if is_open else "",
        )
        secret(pile, is_open=is_open)


def _starts(main: MapBuilder, sheet: Board, places: ForceSheet) -> None:
    """The markers that lie on the tracks in every game."""
    for side in places.sides:
        title = SEATS[side]
        for kind, box in (("start", "CAP 7"), ("cap", "CAP 7"), ("ap", "AP 0"), ("vp", "VP 0")):
            more = paid_moves.marker_goes(title) if kind == "ap" else ()
            marker = tracks.track_marker(kind, side, *more)
            main.stack(f"{title} {kind}", sheet, f"{title} {box}", marker)


def hand_name(side: str) -> str:
    """What the module calls the private window of a side."""
    return f"{SEATS[side]} hand"


def own_hand(module: ModuleBuilder, pictures: Pictures, side: str) -> MapBuilder:
    """The private window of a side: places for cards, and on the right for batteries."""
    count = _CARDS + _BATTERIES
    size = 20 + _CARD_STEP * count, 250
    names = [f"Hand {n}" for n in range(1, _CARDS + 1)]
    names += [f"Battery {n}" for n in range(1, _BATTERIES + 1)]
    places = {name: (90 + _CARD_STEP * i, 125) for i, name in enumerate(names)}
    at = list(places.values())
    rows = (("Cards", at[:_CARDS], CARD), ("Batteries", at[_CARDS:], CARD))
    ground = pictures.add("hand", hand_svg(size, rows))
    hand = module.hand(SEATS[side], SOLITAIRE, image=ground, key=OPEN_HAND)
    hand.component.boards[0].append(regions(places))
    return hand
