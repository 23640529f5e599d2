"""The boards of a CyberBoard box, painted as it paints them, with a grid of VASSAL's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hexmarshal.vassal.builder import hex_grid, square_grid
from hexmarshal.vassal.imports.bitmaps import pillow, png
from hexmarshal.vassal.imports.cyberboard.drawings import NO_COLOUR, read_drawing
from hexmarshal.vassal.imports.cyberboard.tiles import NO_TILE, rgb
from hexmarshal.vassal.imports.model import BoxMap

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

    from hexmarshal.vassal.components import Grid
    from hexmarshal.vassal.imports.cyberboard.stream import Stream
    from hexmarshal.vassal.imports.cyberboard.tiles import Tiles

__all__ = ["read_boards"]

RECT, BRICK_ROWS, BRICK_COLUMNS, HEX_FLAT, HEX_POINTED = range(5)
_LARGEST: Final = 30_000
_LINES: Final = (110, 110, 110)


@dataclass(frozen=True, slots=True)
class _Cell:
    """The form of a cell: its kind, whether even columns or rows are the shifted ones, corners."""

    kind: int
    stagger: int
    width: int
    height: int
    corners: tuple[tuple[int, int], ...]

    @classmethod
    def read(cls, stream: Stream) -> _Cell:
        kind, stagger = stream.word(), stream.word()
        _, _, right, bottom = (stream.short() for _ in range(4))
        corners = stream.points(7 if kind in {HEX_FLAT, HEX_POINTED} else 5)
        if kind > HEX_POINTED or right <= 0 or bottom <= 0:
            raise stream.fail(f"a cell of a form that is not known: {kind}, {right} x {bottom}")
        found = cls(kind, stagger & 1, right, bottom, tuple(corners))
        if min(found.pitch) <= 0:
            raise stream.fail("a cell without extent")
        return found

    @property
    def pitch(self) -> tuple[int, int]:
        """How far columns and rows are apart."""
        if self.kind == HEX_FLAT:
            return self.corners[2][0], self.corners[4][1]
        if self.kind == HEX_POINTED:
            return self.corners[2][0], self.corners[3][1]
        return self.width, self.height

    def corner(self, row: int, column: int) -> tuple[int, int]:
        """The top left of a cell's rectangle."""
        across, down = self.pitch
        x, y = column * across, row * down
        if self.kind in {BRICK_ROWS, HEX_POINTED} and (row ^ self.stagger) & 1:
            x += self.corners[1][0] if self.kind == HEX_POINTED else self.width // 2
        if self.kind in {BRICK_COLUMNS, HEX_FLAT} and (column ^ self.stagger) & 1:
            y += self.corners[3][1] if self.kind == HEX_FLAT else self.height // 2
        return x, y

    def extent(self, rows: int, columns: int) -> tuple[int, int]:
        """The size of a board of so many cells."""
        across, down = self.pitch
        width, height = columns * across, rows * down
        if self.kind == HEX_FLAT:
            return width + self.corners[1][0], height + self.corners[3][1]
        if self.kind == HEX_POINTED:
            return width + self.corners[1][0], height + self.corners[0][1]
        if self.kind == BRICK_ROWS:
            return width + self.width // 2, height
        return (width, height + self.height // 2) if self.kind == BRICK_COLUMNS else (width, height)


def read_boards(stream: Stream, tiles: Tiles, version: int) -> list[BoxMap]:
    """The board manager with all boards, each as one picture."""
    stream.word()
    stream.take(8)
    stream.skip_words(1)
    stream.font()
    stream.skip_words(4)
    return [_board(stream, tiles, version) for _ in range(stream.word())]


def _board(stream: Stream, tiles: Tiles, version: int) -> BoxMap:
    stream.word()
    by_scale = bool(stream.word())
    stream.word()
    stream.take(16)
    stream.short()
    ground = stream.dword()
    name = stream.text()
    below = read_drawing(stream, tiles, version) if stream.word() else []
    bordered, lines_on_top = stream.word(), stream.word()
    stream.skip_words(4)
    array = _Array.read(stream, version) if stream.word() else None
    above = read_drawing(stream, tiles, version) if stream.word() else []
    if array is None:
        return BoxMap(name, size=(1000, 800))
    size = array.form.extent(array.rows, array.columns)
    if not all(0 < length <= _LARGEST for length in size):
        raise stream.fail(f"a board of {size[0]} x {size[1]} pixels")
    from PIL.ImageDraw import Draw

    colour = (255, 255, 255) if ground == NO_COLOUR else rgb(ground)
    board: Image = pillow().new("RGBA", size, (*colour, 255))
    pen = Draw(board)
    below, above = (
        [drawing for drawing in drawings if drawing.shown(by_scale=by_scale)]
        for drawings in (below, above)
    )
    for drawing in below:
        if not drawing.last:
            drawing.paint(board, pen)
    array.paint(board, pen, tiles)
    if bordered and not lines_on_top:
        array.paint_lines(pen)
    for drawing in above:
        if not drawing.last:
            drawing.paint(board, pen)
    if bordered and lines_on_top:
        array.paint_lines(pen)
    for drawing in above:
        if drawing.last:
            drawing.paint(board, pen)
    return BoxMap(name, png(board.convert("RGB")), grid=array.grid())


@dataclass(frozen=True, slots=True)
class _Array:
    """The cells of a board: a tile, a colour or nothing each, and how they are named."""

    rows: int
    columns: int
    offsets: tuple[int, int]
    inverted: tuple[bool, bool]
    style: int
    frame: int
    form: _Cell
    cells: tuple[int, ...]

    @classmethod
    def read(cls, stream: Stream, _version: int) -> _Array:
        stream.skip_words(4)
        offsets = stream.short(), stream.short()
        inverted = bool(stream.word()), bool(stream.word())
        rows, columns = stream.word(), stream.word()
        stream.word()
        style = stream.word()
        stream.word()
        frame = stream.dword()
        form = _Cell.read(stream)
        _Cell.read(stream)
        _Cell.read(stream)
        raw = stream.take(4 * rows * columns)
        cells = tuple(int.from_bytes(raw[i : i + 4], "little") for i in range(0, len(raw), 4))
        return cls(rows, columns, offsets, inverted, style, frame, form, cells)

    def paint(self, board: Image, pen: ImageDraw, tiles: Tiles) -> None:
        """Tiles and colours; a tile has 0xFFFF in its upper half."""
        for at, cell in enumerate(self.cells):
            corner = self.form.corner(*divmod(at, self.columns))
            if cell >> 16 == 0xFFFF and cell & 0xFFFF != NO_TILE:
                picture = tiles.picture(cell & 0xFFFF)
                if picture is not None:
                    board.alpha_composite(picture, corner)
            elif cell >> 24 == 0:
                pen.polygon(self._outline(corner), rgb(cell))

    def paint_lines(self, pen: ImageDraw) -> None:
        """The borders of all cells."""
        colour = _LINES if self.frame == NO_COLOUR else rgb(self.frame)
        for at in range(len(self.cells)):
            pen.line(self._outline(self.form.corner(*divmod(at, self.columns))), colour, 1)

    def _outline(self, corner: tuple[int, int]) -> list[tuple[int, int]]:
        return [(corner[0] + x, corner[1] + y) for x, y in self.form.corners]

    def grid(self) -> Grid:
        """The same cells for VASSAL, whose odd columns are the shifted ones."""
        form = self.form
        across, down = form.pitch
        x, y = form.width // 2, form.height // 2
        if form.kind == RECT:
            names = self._numbering(0, 0)
            return square_grid(width=across, height=down, origin=(x, y), numbering=names)
        # Where the even ones are shifted, counting begins one column, or row, before the board.
        before = form.stagger
        if form.kind in {HEX_FLAT, BRICK_COLUMNS}:
            names = self._numbering(before, 0)
            origin = x - before * across, y
            return hex_grid(width=across, height=down, origin=origin, numbering=names)
        names = _exchanged(self._numbering(0, before))
        origin = y - before * down, x
        return hex_grid(width=down, height=across, origin=origin, sideways=True, numbering=names)

    def _numbering(self, columns_before: int, rows_before: int) -> dict[str, str]:
        """CyberBoard's styles: `r, c`, `c, r`, 0101 and A1, by rows or by columns."""
        by_columns = self.style in {1, 3, 5}
        letters = self.style in {4, 5}
        first_digits = "0" if letters or self.style < 2 else "1"
        rows, columns = self.offsets
        return {
            "first": "H" if by_columns else "V",
            "sep": ", " if self.style < 2 else "",
            "hType": "A" if letters and by_columns else "N",
            "vType": "A" if letters and not by_columns else "N",
            "hLeading": first_digits,
            "vLeading": first_digits,
            "hOff": str(columns + 1 - columns_before - (1 if letters and by_columns else 0)),
            "vOff": str(rows + 1 - rows_before - (1 if letters and not by_columns else 0)),
            "hDescend": "true" if self.inverted[1] else "false",
            "vDescend": "true" if self.inverted[0] else "false",
            "stagger": "false",
        }


def _exchanged(numbering: dict[str, str]) -> dict[str, str]:
    """For a grid that lies sideways: what VASSAL counts first there are rows."""
    other = {"h": "v", "v": "h"}
    found = {
        other[name[0]] + name[1:] if name[:1] in other else name: value
        for name, value in numbering.items()
    }
    return {**found, "first": "V" if numbering["first"] == "H" else "H"}
