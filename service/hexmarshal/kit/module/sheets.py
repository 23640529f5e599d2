"""The sheet beside the map as a window of the module: its boxes, tracks and what lies on them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.kit.drawing.boxes import RIM
from hexmarshal.kit.drawing.counters import SIZE
from hexmarshal.kit.module.binding_facts import kind, only
from hexmarshal.kit.module.turn_marker import add_turn_key, goes_with_turn
from hexmarshal.vassal.builder import Counter, does_not_stack, markers, regions, zoned

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hexmarshal.kit.drawing.boxes import Sheet
    from hexmarshal.kit.drawing.canvas import Canvas
    from hexmarshal.kit.module.workbench import Bench
    from hexmarshal.vassal.builder.counters import Equipped
    from hexmarshal.vassal.components import ZonedGrid

__all__ = ["OVERVIEW", "Lies", "Shown", "TableSheet", "add_sheet", "sheet_grid"]


OVERVIEW: Final = 5
"""The size that a sheet opens with, counted from the largest: all of it beside the map."""


@dataclass(frozen=True, slots=True)
class Lies:
    """What lying in a box of the sheet means: a box of the rules, for one side, with values."""

    box: str
    side: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    losses: bool = False
    """Eliminated units of the side are sent here by Ctrl+E."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A marker that shows a track of the rules by the numbered box in which it lies.

    Several of one track show its digits, the one of most `worth` first. An `aid` shows what only
    players keep count of, and is no track of the rules. `kind` is what the module calls the marker
    where a marker of the map has the name of the track.
    """

    track: str
    on: str
    svg: str
    start: int = 0
    worth: int = 1
    size: int = 44
    aid: bool = False
    kind: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSheet:
    """A sheet, and what its places mean."""

    sheet: Sheet
    boxes: Mapping[str, Lies] = field(default_factory=dict)
    tracks: tuple[Shown, ...] = ()
    turn: str = ""
    """The track that counts the turns; its marker is made by itself."""
    turn_svg: str = ""
    more: Callable[[Canvas], None] | None = None


def sheet_grid(sheet: Sheet) -> ZonedGrid:
    """Every box of a track as a place of its own, and the free boxes below them."""
    zones: list[tuple[str, Any, Any]] = []
    for track in sheet.tracks:
        places = {box.name: box.centre for _, box in track.boxes()}
        zones.append((track.name, track.corners, regions(places)))
    free = (*sheet.boxes, *sheet.piles)
    return zoned([*zones, *((box.name, box.corners, None) for box in free)])


def add_sheet(bench: Bench, given: TableSheet) -> None:
    """Make the window of a sheet, with its markers, and tell the binding what they show."""
    sheet = given.sheet
    made = bench.module.map(sheet.name, icon=bench.pictures.icon("tracks"))
    made.conveniences(start=OVERVIEW)
    bench.maps[sheet.name], bench.sheet_map = made, sheet.name
    image = bench.pictures.add(f"sheet-{_plain(sheet.name)}", sheet.svg(given.more, rim=RIM))
    board = made.board(sheet.name, image=image, grid=sheet_grid(sheet))
    for name, lies in given.boxes.items():
        row: dict[str, Any] = {"map": sheet.name, "at": only([name]), "box": lies.box}
        if lies.side:
            row["side"] = lies.side
        if lies.values:
            row["values"] = dict(lies.values)
        bench.facts.boxes.append(row)
        if lies.losses:
            bench.losses[lies.side] = name
    for shown in given.tracks:
        title = shown.on if shown.worth == 1 else f"{shown.on} x{shown.worth}"
        piece = _marker(bench, _kind(shown), title, shown.svg, shown.size)
        made.stack(f"{shown.track} {shown.worth}", board, f"{shown.on} {shown.start}", piece)
    _tell_tracks(bench, given)
    if given.turn:
        track = next(t for t in sheet.tracks if t.name == given.turn)
        goes = goes_with_turn(track.name, track.last)
        piece = _marker(bench, "turn", given.turn, given.turn_svg, SIZE, *goes)
        made.stack("Turn", board, f"{given.turn} {track.first}", piece)
        add_turn_key(bench.module, "turn")
        bench.turn_marker = True
        bench.facts.turn["marker"] = _spot("turn", sheet.name, given.turn)
        bench.facts.markers.append({**kind("turn"), "nothing": True})


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def _kind(shown: Shown) -> str:
    if shown.kind:
        return shown.kind
    return f"{shown.track}-{shown.worth}" if shown.worth != 1 else shown.track


def _marker(
    bench: Bench, of_kind: str, title: str, svg: str, size: int, *more: Equipped
) -> Counter:
    zoom = size / SIZE if f'width="{SIZE}"' in svg[:200] else 1.0
    image = bench.pictures.add(f"track-{of_kind}", svg, zoom=zoom)
    known = markers({"MarkerKind": of_kind})
    return Counter(title, image, (known, *more, does_not_stack()), size, size)


def _spot(of_kind: str, on_map: str, track: str) -> dict[str, Any]:
    return {**kind(of_kind), "map": on_map, "at": f"{only([track])} (?P<n>[0-9]+)"}


def _tell_tracks(bench: Bench, given: TableSheet) -> None:
    by_track: dict[str, list[Shown]] = {}
    for shown in given.tracks:
        by_track.setdefault(shown.track, []).append(shown)
    for track, shows in by_track.items():
        digits = [
            _spot(_kind(one), given.sheet.name, one.on)
            for one in sorted(shows, key=lambda one: -one.worth)
        ]
        if not all(one.aid for one in shows):
            bench.facts.tracks.append({"track": track, "digits": digits})
        for one in shows:
            bench.facts.markers.append({**kind(_kind(one)), "nothing": True})
