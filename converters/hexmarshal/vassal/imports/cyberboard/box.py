"""A whole CyberBoard box: header, names, tiles, boards, pieces and markers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal.imports.bitmaps import png
from hexmarshal.vassal.imports.cyberboard.boards import read_boards
from hexmarshal.vassal.imports.cyberboard.stream import Stream
from hexmarshal.vassal.imports.cyberboard.tiles import NO_TILE, read_tiles
from hexmarshal.vassal.imports.model import BoxPiece, BoxTray, GameBox

if TYPE_CHECKING:
    from hexmarshal.errors import Place
    from hexmarshal.vassal.imports.cyberboard.tiles import Tiles

__all__ = ["read_cyberboard"]

_SIGNATURE: Final = b"GBOX"
_FIRST: Final = 0x0200
_LAST: Final = (3, 90)
_BACK: Final = 1 << 16
_MARKER: Final = 0xF0000000


def read_cyberboard(data: bytes, place: Place) -> GameBox:
    """The box; boards are painted, pieces and markers cut from their sheets."""
    stream = Stream(data, place)
    if stream.take(4) != _SIGNATURE:
        raise VassalFormatError("not a game box of CyberBoard", place=place)
    major, minor = stream.byte(), stream.byte()
    version = major * 256 + minor
    if version < _FIRST or (major, minor) > _LAST:
        raise VassalFormatError(
            f"a box of file version {major}.{minor:02}; versions 2.00 to 3.90 are read",
            place=place,
            hint="save it with CyberBoard 3.10",
        )
    stream.take(2)
    stream.word()
    stream.take(12 + 16)
    author, title, description = stream.text(), stream.text(), stream.text()
    stream.take(16)
    stream.skip_words(6)
    names = _names(stream)
    tiles = read_tiles(stream, version)
    box = GameBox(title or "Game box", description)
    if author:
        box.description = f"{description} (by {author})".strip()
    box.maps = read_boards(stream, tiles, version)
    _pieces(stream, tiles, names, box)
    _markers(stream, tiles, names, box)
    box.dice.append((2, 6))
    box.notes.append("scenarios are files of their own (.gsn), which are not read")
    return box


def _names(stream: Stream) -> dict[int, str]:
    """The texts of pieces and markers, by what they belong to."""
    return {stream.dword(): stream.text() for _ in range(stream.dword())}


def _sets(stream: Stream, *, visible: bool) -> list[tuple[str, list[int]]]:
    found = []
    for _ in range(stream.word()):
        name = stream.text()
        if visible:
            stream.word()
        found.append((name, [stream.word() for _ in range(stream.count())]))
    return found


def _pieces(stream: Stream, tiles: Tiles, names: dict[int, str], box: GameBox) -> None:
    stream.skip_words(4)
    table = [(stream.word(), stream.word(), stream.word()) for _ in range(stream.word())]
    for title, members in _sets(stream, visible=False):
        tray = BoxTray(title)
        for at in members:
            front, back, _ = table[at] if at < len(table) else (NO_TILE, NO_TILE, 0)
            name = names.get(at) or names.get(at | _BACK) or f"{title} {len(tray.pieces) + 1}"
            _add(tray, tiles, name, (front, back), box)
        box.trays.append(tray)


def _markers(stream: Stream, tiles: Tiles, names: dict[int, str], box: GameBox) -> None:
    stream.skip_words(4)
    table = [(stream.word(), stream.word()) for _ in range(stream.word())]
    for title, members in _sets(stream, visible=True):
        tray = BoxTray(title)
        for at in members:
            tile = table[at][0] if at < len(table) else NO_TILE
            name = names.get(_MARKER | at) or f"{title} {len(tray.pieces) + 1}"
            _add(tray, tiles, name, (tile,), box)
        box.trays.append(tray)


def _add(tray: BoxTray, tiles: Tiles, name: str, sides: tuple[int, ...], box: GameBox) -> None:
    pictures = [tiles.picture(tile) for tile in sides if tile != NO_TILE]
    shown = tuple(png(picture) for picture in pictures if picture is not None)
    if shown:
        tray.pieces.append(
            BoxPiece(name.split("\n", maxsplit=1)[0].strip()[:80] or tray.name, shown)
        )
    else:
        box.notes.append(f"{tray.name}: {name} has no picture and was left out")
