"""Overlays of VASL: pictures laid onto a board, whose colours tell terrain and elevation.

Overlays lie in archives beside the boards; what a board draws for a scenario of its own lies in
the board's archive. The shared metadata name the colours.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from lxml import etree

from hexmarshal.errors import NotFoundError, Place, VassalFormatError
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.images.picture_decoding import decoded_picture
from hexmarshal.vassal.vasl.catalogue import SHARED_METADATA, Category
from hexmarshal.vassal.vasl.hexes import ABSENT
from hexmarshal.vassal.vasl.terrain_changes import repainted

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

    from hexmarshal.vassal.vasl.board import Board
    from hexmarshal.vassal.vasl.catalogue import Catalogue

    Picture = npt.NDArray[np.uint8]

__all__ = [
    "LaidPicture",
    "Palette",
    "lay_picture",
    "overlay_of",
    "own_overlay",
    "own_rules",
    "palette_of",
]

FOLDER: Final = "overlays"
_UNKNOWN_LEVEL: Final = -99
_MOST_PIXELS: Final = 64_000_000
_HOLE: Final = 3
"""Holes up to twice as many pixels wide are dots and letters, not gaps."""
_REACH: Final = 12
"""So many pixels away a colour is looked for where grid lines, dots and names have been drawn."""
_LIKE: Final = {"be2": "be1", "be3": "be1", "be5": "be4", "be6": "be4", "oc2": "oc1", "oc4": "oc3"}
"""Overlays that VASL takes from the picture of another."""
_SAFE: Final = re.compile(r"[A-Za-z0-9_.]{1,40}")
_HEX: Final = re.compile(r"([A-Za-z]{1,2})([0-9]{1,2})")


@dataclass(frozen=True, slots=True)
class LaidPicture:
    """A picture and the pixel of the whole upright board that its first one covers."""

    pixels: Picture
    """Red, green, blue and opacity."""
    x: int
    y: int


class Palette(NamedTuple):
    """What colours stand for: sorted colours, and the terrain and elevation of each."""

    colours: npt.NDArray[np.int64]
    terrain: npt.NDArray[np.uint8]
    level: npt.NDArray[np.int16]

    def read(self, picture: Picture) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int16]]:
        """The terrain of every pixel, or ABSENT; and its elevation, or one that cannot be."""
        wide = picture.astype(np.int64)
        colours = (wide[..., 0] << 16) | (wide[..., 1] << 8) | wide[..., 2]
        at = np.clip(np.searchsorted(self.colours, colours), 0, self.colours.size - 1)
        known = (self.colours[at] == colours) & (picture[..., 3] > 0)
        terrain = np.where(known, self.terrain[at], ABSENT).astype(np.int16)
        return terrain, np.where(known, self.level[at], _UNKNOWN_LEVEL).astype(np.int16)


def palette_of(folder: Path, catalogue: Catalogue) -> Palette | None:
    """The colours of the boards in a folder; None without the shared metadata."""
    path = folder / SHARED_METADATA
    if not path.is_file():
        return None
    try:
        root = etree.fromstring(
            path.read_bytes(), etree.XMLParser(resolve_entities=False, no_network=True)
        )
    except (OSError, etree.XMLSyntaxError) as error:
        raise VassalFormatError(
            f"broken XML: {error}", place=Place(entry=SHARED_METADATA)
        ) from error
    found: dict[int, tuple[int, int]] = {}
    for element in root.iter("color"):
        colour = _colour(element)
        terrain = catalogue.by_name.get(str(element.attrib.get("terrain", "")))
        if colour is not None and terrain is not None:
            level = str(element.attrib.get("elevation", ""))
            known = re.fullmatch(r"-?[0-9]", level) is not None
            found.setdefault(colour, (terrain.code, int(level) if known else _UNKNOWN_LEVEL))
    if not found:
        return None
    order = sorted(found)
    return Palette(
        np.array(order, np.int64),
        np.array([found[colour][0] for colour in order], np.uint8),
        np.array([found[colour][1] for colour in order], np.int16),
    )


def _colour(element: etree._Element) -> int | None:
    try:
        red, green, blue = (int(str(element.attrib[name])) for name in ("red", "green", "blue"))
    except (KeyError, ValueError):
        return None
    return (red << 16) | (green << 8) | blue


def overlay_of(folder: Path, board: Board, name: str, first: str, second: str) -> LaidPicture:
    """An overlay by its name, laid onto two hexes of a board (onto one, if they are the same)."""
    like = _LIKE.get(name[:3].lower(), name[:3]) + name[3:]
    if _SAFE.fullmatch(name) is None:
        raise NotFoundError(f"there is no overlay {name[:40]!r}")
    archive = Archive.open(_archive(folder, like))
    turn = _turn(board, first, second)
    origins = _origins(archive, name)
    number = ord(turn) - ord("a")
    if number >= len(origins) or not origins[number].strip():
        raise VassalFormatError(f"the overlay {name} does not lie as {first} to {second}")
    entry = f"ovr{like}{turn}.gif"
    picture = decoded(archive.read(entry))
    at, before = point_of(board, first), point_of(board, origins[number])
    return LaidPicture(picture, at[0] - before[0], at[1] - before[1])


def _archive(folder: Path, name: str) -> Path:
    """The archive of a family of overlays: `ovrWD` has wd1, wd2, ..."""
    stem = name if name[0].isdigit() else name.rstrip("0123456789")
    for candidate in (folder / FOLDER / f"ovr{stem.upper()}", folder / FOLDER / f"ovr{stem}"):
        if candidate.is_file():
            return candidate
    raise NotFoundError(
        f"the overlay file ovr{stem.upper()} is missing",
        hint=f"VASL keeps overlays in the folder {FOLDER} beside its boards",
    )


def _turn(board: Board, first: str, second: str) -> str:
    """By which letter VASL calls the direction from the first hex to the second."""
    (x1, y1), (x2, y2) = point_of(board, first), point_of(board, second)
    if first.upper() == second.upper():
        return "a"
    if x1 == x2:
        return "d" if y1 < y2 else "a"
    if x1 > x2:
        return "f" if y1 > y2 else "e"
    return "b" if y1 > y2 else "c"


def _origins(archive: Archive, name: str) -> list[str]:
    """The hexes of a board that lie from its corner as hex 1 lies from the picture's, by turn."""
    text = archive.read("data").decode("utf-8", "replace")
    for line in text.splitlines():
        first, _, rest = line.strip().partition(" ")
        if first.lower() == name.lower() and rest.strip():
            return rest.strip().split(";")
    raise VassalFormatError(f"the overlay {name} does not say where it lies")


def point_of(board: Board, name: str) -> tuple[int, int]:
    """The pixel of a hex of the grid, even of one that the board itself does not have."""
    grid = board.grid
    found = grid.by_name.get(name.strip().upper())
    if found is not None:
        return int(grid.x[found] / grid.scale), int(grid.y[found] / grid.scale)
    parts = _HEX.fullmatch(name.strip())
    corner = grid.by_name.get("A1")
    if parts is None or corner is None:
        raise NotFoundError(f"there is no hex {name[:40]}", place=Place(cell=name[:40]))
    letters = parts[1].upper()
    column = ord(letters[0]) - ord("A") + 26 * (len(letters) - 1)
    half = (column % 2) / 2
    x = grid.x[corner] + column * grid.hex_width
    y = grid.y[corner] + (int(parts[2]) - 1 + half) * grid.hex_height
    return int(x / grid.scale), int(y / grid.scale)


def own_rules(archive: Archive) -> dict[str, tuple[str, int, int]]:
    """What a board draws for rules of its own: by rule the entry of the picture and its place."""
    from hexmarshal.vassal.vasl.metadata import ENTRY

    if not archive.has(ENTRY):
        return {}
    try:
        root = etree.fromstring(
            archive.read(ENTRY), etree.XMLParser(resolve_entities=False, no_network=True)
        )
    except etree.XMLSyntaxError:
        return {}
    found = {}
    for element in root.iter("overlaySSRule"):
        image = str(element.attrib.get("image", ""))
        places = [str(element.attrib.get(axis, "0")) for axis in ("x", "y")]
        if archive.has(image) and all(re.fullmatch(r"-?[0-9]{1,5}", place) for place in places):
            x, y = map(int, places)
            found[str(element.attrib.get("name", ""))] = (image, x, y)
    return found


def own_overlay(archive: Archive, rule: str) -> LaidPicture | None:
    """What a board draws for a rule of its own, if it does."""
    found = own_rules(archive).get(rule)
    return None if found is None else LaidPicture(decoded(archive.read(found[0])), *found[1:])


def decoded(data: bytes) -> Picture:
    """A picture as pixels."""
    try:
        return np.asarray(decoded_picture(data, "RGBA", most_pixels=_MOST_PIXELS))
    except VassalFormatError as why:
        raise VassalFormatError(f"of an overlay {why.message}") from why


def lay_picture(board: Board, laid: LaidPicture, palette: Palette, *, levels: bool = True) -> Board:
    """A whole upright board with a picture on it; without `levels` its elevations stay."""
    high, wide = board.pixels.terrain.shape
    top, left = max(0, laid.y), max(0, laid.x)
    bottom = min(high, laid.y + laid.pixels.shape[0])
    right = min(wide, laid.x + laid.pixels.shape[1])
    if top >= bottom or left >= right:
        return board
    picture = laid.pixels[top - laid.y : bottom - laid.y, left - laid.x : right - laid.x]
    window = (slice(top, bottom), slice(left, right))
    terrain, level = palette.read(picture)
    opaque = _closed(picture[..., 3] > 0)
    terrain = _filled(terrain, ABSENT, opaque)
    level = _filled(level, _UNKNOWN_LEVEL, opaque)
    covered = opaque & (terrain != ABSENT)
    painted, ground = board.pixels.terrain.copy(), board.pixels.elevation.copy()
    before = ground[window].copy()
    painted[window][covered] = terrain[covered].astype(np.uint8)
    if levels:
        sunk = np.zeros(256, np.bool_)
        by_code = board.catalogue.by_code
        sunk[[c for c, one in by_code.items() if one.category is Category.DEPRESSION]] = True
        known = np.where(level == _UNKNOWN_LEVEL, before, level)
        known = np.where(sunk[terrain], before - 1, known)
        ground[window][covered] = known[covered].astype(np.int8)
    return repainted(board, painted, ground)


def _closed(opaque: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """With small holes closed: the dots and names of hexes are left out of some pictures."""
    padded = np.pad(opaque, _HOLE)
    for _ in range(_HOLE):
        padded = padded | _beside(padded)
    for _ in range(_HOLE):
        padded = padded & ~_beside(~padded)
    inner = slice(_HOLE, -_HOLE)
    return np.asarray(padded[inner, inner] | opaque)


def _beside(flags: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Where one of the four pixels beside is set."""
    found = np.zeros_like(flags)
    found[1:] |= flags[:-1]
    found[:-1] |= flags[1:]
    found[:, 1:] |= flags[:, :-1]
    found[:, :-1] |= flags[:, 1:]
    return found


def _filled(
    values: npt.NDArray[np.int16], missing: int, wanted: npt.NDArray[np.bool_]
) -> npt.NDArray[np.int16]:
    """The values with holes filled from what lies next to them, ring by ring."""
    values = values.copy()
    for _ in range(_REACH):
        holes = wanted & (values == missing)
        if not holes.any():
            break
        before = values.copy()
        for axis, step in ((0, 1), (0, -1), (1, 1), (1, -1)):
            beside = np.full_like(before, missing)
            source = [slice(None), slice(None)]
            target = [slice(None), slice(None)]
            source[axis] = slice(None, -1) if step > 0 else slice(1, None)
            target[axis] = slice(1, None) if step > 0 else slice(None, -1)
            beside[tuple(target)] = before[tuple(source)]
            take = holes & (values == missing) & (beside != missing)
            values[take] = beside[take]
    return values
