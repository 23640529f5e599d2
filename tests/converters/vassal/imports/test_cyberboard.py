"""Game boxes of CyberBoard, written here by what its public sources say of the file."""

from __future__ import annotations

import io
import struct
import zlib

import pytest
from PIL import Image

from hexmarshal.errors import Place, VassalFormatError
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.imports import build_box
from hexmarshal.vassal.imports.cyberboard import read_cyberboard
from hexmarshal.vassal.imports.cyberboard.tiles import Tiles
from hexmarshal.vassal.lint import Severity, check_module
from hexmarshal.vassal.lint.subject import ModuleSubject
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.state.pixels import PixelNamer

CLEAR = 0x00FF00FF
NONE = 0xFF000000
FLAT, POINTED, RECT = 3, 4, 0


def word(*numbers: int) -> bytes:
    return b"".join((n & 0xFFFF).to_bytes(2, "little") for n in numbers)


def dword(*numbers: int) -> bytes:
    return b"".join(n.to_bytes(4, "little") for n in numbers)


def text(words: str) -> bytes:
    raw = words.encode("cp1252")
    return bytes([len(raw)]) + raw if len(raw) < 255 else b"\xff" + word(len(raw)) + raw


FONT = word(100, 0, 0) + text("Arial")


def bitmap(colours: list[tuple[int, int, int]], size: int = 10, bits: int = 16) -> bytes:
    """Squares one below another, in sixteen bits with masks or in eight with a palette."""
    height = size * len(colours)
    rows = [colours[y // size] for y in range(height)][::-1]
    if bits == 16:
        kind, extra = 3, dword(0xF800, 0x7E0, 0x1F)
        pixels = [word(r >> 3 << 11 | g >> 2 << 5 | b >> 3) * size for r, g, b in rows]
    else:
        kind = 0
        extra = b"".join(bytes([b, g, r, 0]) for r, g, b in colours)
        extra = extra.ljust(1024, b"\0")
        pixels = [(bytes([colours.index(c)]) * size).ljust((size + 3) // 4 * 4) for c in rows]
    head = struct.pack("<IiiHHIIiiII", 40, size, height, 1, bits, kind, 0, 0, 0, 0, 0)
    raw = head + extra + b"".join(pixels)
    packed = zlib.compress(raw)
    return dword(len(raw) | 0x80000000, len(packed)) + packed


def cell(kind: int, size: int = 40) -> bytes:
    """A cell's form; hexes as CyberBoard works their corners out."""
    if kind == RECT:
        w = h = size
        corners = [(0, 0), (w, 0), (w, h), (0, h), (0, 0)]
    else:
        wide, face, leg = size - 1, size * 1000 // 1732, size * 1000 // 3464
        flat = [(0, wide // 2), (leg, 0), (leg + face, 0), (2 * leg + face, wide // 2)]
        flat += [(leg + face, wide), (leg, wide)]
        order = [1, 0, 5, 4, 3, 2]
        corners = flat if kind == FLAT else [flat[i][::-1] for i in order]
        corners = [*corners, corners[0]]
        w, h = max(x for x, _ in corners) + 1, max(y for _, y in corners) + 1
    return word(kind, 0, 0, 0, w, h) + b"".join(word(x, y) for x, y in corners)


def board(
    name: str, kind: int, cells: list[int], columns: int, style: int = 3, by_scale: int = 1
) -> bytes:
    rows = len(cells) // columns
    line = word(2) + dword(7) + word(0, 0, 50, 50) + word(0, 0, 50, 50) + dword(0xFF) + word(3)
    words = word(4) + dword(7) + word(5, 5, 50, 20) + word(0) + dword(0) + text("Hi") + FONT
    tile = word(3) + dword(7) + word(60, 60, 70, 70) + word(0)
    hidden = word(0) + dword(4) + word(0, 0, 500, 500) + dword(0xFF, 0xFF) + word(1)
    area = word(5) + dword(7) + word(0, 0, 9, 9) + dword(0x00FF00, NONE) + word(1, 3)
    area += word(70, 5, 90, 5, 80, 25)
    beyond = word(3) + dword(7) + word(-5, -5, 5, 5) + word(0)
    body = word(1, by_scale, 0) + dword(0, 0, 0, 0) + word(-1) + dword(0xC0D0E0) + text(name)
    body += word(1) + word(6) + line + words + tile + hidden + area + beyond
    body += word(1, 0) + word(0, 0, 0, 0) + word(1)
    body += word(0, 0, 0, 0) + word(0, 0, 0, 0) + word(rows, columns) + word(0, style, 1)
    body += dword(NONE) + cell(kind) * 3 + dword(*cells)
    return body + word(0)


def gbx(
    version: tuple[int, int] = (3, 10),
    kind: int = FLAT,
    style: int = 3,
    bits: int = 16,
    by_scale: int = 1,
) -> bytes:
    nothing = NONE
    cells = [0xFFFF0001, 0x0000FF, nothing, nothing, nothing, 0xFFFF0001]
    sheet = bitmap([(255, 0, 0), (0, 0, 255), (255, 0, 255)], bits=bits)
    head = b"GBOX" + bytes([*version, 3, 10]) + word(16) + dword(1, 2, 3) + bytes(16)
    head += text("Ann") + text("Skirmish") + text("A box") + bytes(16) + word(0, 1, 0, 0, 0, 0)
    names = dword(2, 0) + text("Tank") + dword(0xF0000000) + text("Smoke")
    spots = [word(0, at) if version >= (2, 91) else b"\0" + word(at) for at in (0, 10, 20)]
    none = word(0xFFFF, 0) if version >= (2, 91) else b"\xff" + word(0)
    tiles = dword(CLEAR, 0, 0xFFFFFF) + word(1) + FONT + word(0, 0, 0, 0) + word(3)
    tiles += b"".join(spot + none + dword(0) for spot in spots)
    tiles += word(1) + text("Set") + word(2, 0, 1) + word(1) + word(10, 10, 1) + sheet
    boards = word(2) + dword(0, 0) + word(1) + FONT + word(0, 0, 0, 0)
    boards += word(1) + board("Field", kind, cells, 3, style, by_scale)
    pieces = word(0, 0, 0, 0) + word(2) + word(0, 1, 0) + word(2, 0xFFFF, 0)
    pieces += word(1) + text("Units") + word(2, 0, 1)
    marks = word(0, 0, 0, 0) + word(1) + word(1, 0) + word(1) + text("Marks") + word(0) + word(1, 0)
    return head + names + tiles + boards + pieces + marks


def opened(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("RGBA")


@pytest.mark.parametrize("version", [(2, 0), (2, 91), (3, 10), (3, 90)])
@pytest.mark.parametrize("bits", [8, 16])
def test_pieces_and_markers_are_cut_from_their_sheets(version, bits):
    box = read_cyberboard(gbx(version, bits=bits), Place())
    assert (box.name, box.description) == ("Skirmish", "A box (by Ann)")
    units, marks = box.trays
    tank, clear = units.pieces
    assert tank.name == "Tank"
    assert [opened(side).getpixel((5, 5)) for side in tank.sides] == [
        (255, 0, 0, 255),
        (0, 0, 255, 255),
    ] or bits == 16
    assert opened(tank.sides[0]).size == (10, 10)
    assert opened(clear.sides[0]).getpixel((5, 5))[3] == 0, "its colour is the transparent one"
    assert [p.name for p in marks.pieces] == ["Smoke"]


def test_a_board_is_painted_layer_by_layer():
    (field,) = read_cyberboard(gbx(kind=RECT), Place()).maps
    board = opened(field.picture)
    assert board.size == (120, 80)
    assert board.getpixel((115, 50))[:3] == (0xE0, 0xD0, 0xC0), "the ground"
    assert board.getpixel((65, 65))[0] > 240, "the tile of the drawing"
    assert board.getpixel((50, 30))[:3] == (255, 0, 0), "the colour of a cell is over the line"
    assert board.getpixel((5, 5))[2] > 240, "the tile of a cell"


def test_drawings_of_small_scales_are_seen_where_scales_do_not_choose():
    (field,) = read_cyberboard(gbx(kind=RECT, by_scale=0), Place()).maps
    assert opened(field.picture).getpixel((115, 50))[:3] == (255, 0, 0)


@pytest.mark.parametrize(
    ("kind", "style", "names"),
    [
        (RECT, 0, ["1, 1", "1, 2", "2, 1"]),
        (RECT, 1, ["1, 1", "2, 1", "1, 2"]),
        (RECT, 2, ["0101", "0102", "0201"]),
        (RECT, 3, ["0101", "0201", "0102"]),
        (RECT, 4, ["A1", "A2", "B1"]),
        (RECT, 5, ["A1", "B1", "A2"]),
        (FLAT, 3, ["0101", "0201", "0102"]),
        (POINTED, 3, ["0101", "0201", "0102"]),
    ],
)
def test_cells_have_the_names_that_cyberboard_gives_them(kind, style, names):
    built = build_box(read_cyberboard(gbx(kind=kind, style=style), Place()))
    module = Module.from_archive(Archive.from_bytes(built.module.to_bytes()))
    namer = PixelNamer(module)
    # The middle of the first cell, of the next column and of the next row.
    middles = {
        RECT: [(20, 20), (60, 20), (20, 60)],
        FLAT: [(22, 19), (56, 38), (22, 58)],
        POINTED: [(19, 22), (58, 22), (38, 56)],
    }[kind]
    found = [namer.on_board("Field", "Field", *pixel).snapped_location for pixel in middles]
    assert found == names


def test_the_module_is_sound():
    built = build_box(read_cyberboard(gbx(), Place()))
    assert (built.maps, built.pieces) == (1, 3)
    module = Module.from_archive(Archive.from_bytes(built.module.to_bytes()))
    findings = check_module(ModuleSubject(module))
    assert not [f for f in findings if f.severity is Severity.ERROR]


def test_a_box_that_ends_anywhere_is_refused_and_never_crashes():
    data = gbx()
    read_cyberboard(data, Place())
    for end in range(4, len(data) - 1, 7):
        with pytest.raises(VassalFormatError):
            read_cyberboard(data[:end], Place(file="a.gbx"))


@pytest.mark.parametrize("at", range(40, 700, 23))
def test_a_damaged_box_is_read_or_refused(at):
    data = bytearray(gbx())
    data[at] ^= 0xFF
    refused = None
    try:
        read_cyberboard(bytes(data), Place(file="a.gbx"))
    except VassalFormatError as why:
        refused = why
    assert refused is None or refused.place.file == "a.gbx"


@pytest.mark.parametrize("size", [(0, 10), (10, 0), (-5, 10), (10, -5), (10, 50)])
def test_a_sheet_of_tiles_without_a_size_has_no_pictures(size):
    sheet = (*size, Image.new("RGB", (10, 40)))
    assert Tiles(places=[(0, 0)], sheets=[sheet]).picture(0) is None


@pytest.mark.parametrize("version", [(1, 0), (4, 0), (5, 0)])
def test_other_versions_are_refused_with_advice(version):
    with pytest.raises(VassalFormatError, match=r"versions 2\.00 to 3\.90") as refused:
        read_cyberboard(gbx((3, 10))[:4] + bytes(version) + gbx()[6:], Place())
    assert refused.value.hint
