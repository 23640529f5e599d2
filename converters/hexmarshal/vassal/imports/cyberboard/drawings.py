"""The drawing lists of a board: rectangles, ellipses, lines, polygons, texts, tiles and bitmaps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from hexmarshal.vassal.imports.cyberboard.tiles import rgb, transparent

if TYPE_CHECKING:
    from collections.abc import Callable

    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

    from hexmarshal.vassal.imports.cyberboard.stream import Stream
    from hexmarshal.vassal.imports.cyberboard.tiles import Tiles

    Paint = Callable[[Image, ImageDraw], None]

__all__ = ["NO_COLOUR", "Drawing", "read_drawing"]

NO_COLOUR: Final = 0xFF000000
_SHAPES: Final = {0: "rectangle", 1: "ellipse"}
_FULL: Final = 1
_LAST: Final = 8


class Drawing(NamedTuple):
    """One object of a drawing list."""

    flags: int
    paint: Paint

    def shown(self, *, by_scale: bool) -> bool:
        """Whether it is seen at full size, on boards whose objects are chosen by scale."""
        return not by_scale or bool(self.flags & _FULL)

    @property
    def last(self) -> bool:
        """Whether it is painted above everything else."""
        return bool(self.flags & _LAST)


def read_drawing(stream: Stream, tiles: Tiles, version: int) -> list[Drawing]:
    """Every object of the list with what paints it."""
    found: list[Drawing] = []
    for _ in range(stream.word()):
        kind = stream.word()
        flags = stream.dword() if version >= 0x0200 else stream.word()
        left, top, right, bottom = (stream.short() for _ in range(4))
        found.append(Drawing(flags, _object(stream, tiles, kind, (left, top, right, bottom))))
    return found


def _object(stream: Stream, tiles: Tiles, kind: int, box: tuple[int, int, int, int]) -> Paint:
    if kind in _SHAPES:
        fill, line, width = _colour(stream), _colour(stream), stream.word()
        shape = _SHAPES[kind]
        return lambda _, pen: _shape(pen, shape, box, fill, line, width)
    if kind == 2:
        ends, line, width = stream.points(2), _colour(stream), stream.word()
        return lambda _, pen: None if line is None else pen.line(ends, line, max(1, width))
    if kind == 3:
        tile = stream.word()
        return lambda board, _: _paste(board, tiles.picture(tile), box[:2])
    if kind == 4:
        stream.word()
        colour, words = _colour(stream), stream.text()
        height = stream.font()[0] // 10 or 10
        return lambda _, pen: pen.text(box[:2], words, colour or (0, 0, 0), font_size=height)
    if kind == 5:
        fill, line, width = _colour(stream), _colour(stream), stream.word()
        corners = stream.points(stream.word())
        return lambda _, pen: _polygon(pen, corners, fill, line, width)
    if kind == 6:
        stream.word()
        bitmap = stream.bitmap()
        picture = None if bitmap is None else transparent(bitmap, tiles.clear)
        return lambda board, _: _paste(board, picture, box[:2])
    raise stream.fail(f"a drawing of a kind that is not known: {kind}")


def _colour(stream: Stream) -> tuple[int, int, int] | None:
    found = stream.dword()
    return None if found == NO_COLOUR else rgb(found)


def _shape(
    pen: ImageDraw,
    shape: str,
    box: tuple[int, int, int, int],
    fill: tuple[int, int, int] | None,
    line: tuple[int, int, int] | None,
    width: int,
) -> None:
    left, right = sorted((box[0], box[2]))
    top, bottom = sorted((box[1], box[3]))
    draw = pen.rectangle if shape == "rectangle" else pen.ellipse
    draw((left, top, max(left, right - 1), max(top, bottom - 1)), fill, line, max(1, width))


def _polygon(
    pen: ImageDraw,
    corners: list[tuple[int, int]],
    fill: tuple[int, int, int] | None,
    line: tuple[int, int, int] | None,
    width: int,
) -> None:
    if len(corners) < 2:
        return
    if fill is not None and len(corners) > 2:
        pen.polygon(corners, fill)
    if line is not None:
        pen.line(corners, line, max(1, width))


def _paste(board: Image, picture: Image | None, at: tuple[int, int]) -> None:
    if picture is None or at[0] >= board.width or at[1] >= board.height:
        return
    # What lies left of the board or above it is cut off.
    cut = max(0, -at[0]), max(0, -at[1])
    if cut[0] < picture.width and cut[1] < picture.height:
        board.alpha_composite(picture, (at[0] + cut[0], at[1] + cut[1]), cut)
