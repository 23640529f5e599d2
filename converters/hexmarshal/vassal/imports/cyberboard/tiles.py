"""The tiles of a CyberBoard box: pictures of one size each, one below another on sheets."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from PIL.Image import Image

    from hexmarshal.vassal.imports.cyberboard.stream import Stream

__all__ = ["NO_TILE", "Tiles", "read_tiles", "rgb", "transparent"]

NO_TILE: Final = 0xFFFF
_NO_SHEET: Final = 0xFFFF


@dataclass(slots=True)
class Tiles:
    """Where each tile lies (sheet, and how far down), and the sheets."""

    clear: int = 0
    """The colour that is transparent."""
    places: list[tuple[int, int]] = field(default_factory=list)
    sheets: list[tuple[int, int, Image | None]] = field(default_factory=list)
    _cut: dict[int, Image | None] = field(default_factory=dict)

    def picture(self, tile: int) -> Image | None:
        """A tile at full size with its transparent parts; None if there is none."""
        if tile not in self._cut:
            self._cut[tile] = self._picture(tile)
        return self._cut[tile]

    def _picture(self, tile: int) -> Image | None:
        if tile >= len(self.places):
            return None
        sheet, offset = self.places[tile]
        if sheet >= len(self.sheets):
            return None
        width, height, picture = self.sheets[sheet]
        # A damaged sheet may say that its tiles have no size, or less.
        if picture is None or min(width, height) < 1 or offset + height > picture.height:
            return None
        return transparent(picture.crop((0, offset, width, offset + height)), self.clear)


def read_tiles(stream: Stream, version: int) -> Tiles:
    """The tile manager: colours, a table of tiles, named sets, and the sheets."""
    tiles = Tiles(clear=stream.dword())
    stream.take(8)
    stream.skip_words(1)
    stream.font()
    stream.skip_words(4)
    for _ in range(stream.word()):
        full = _location(stream, version)
        _location(stream, version)
        stream.dword()
        tiles.places.append(full)
    for _ in range(stream.word()):
        stream.text()
        stream.take(2 * stream.count())
    for _ in range(stream.word()):
        width, height = stream.short(), stream.short()
        tiles.sheets.append((width, height, stream.bitmap() if stream.word() else None))
    return tiles


def _location(stream: Stream, version: int) -> tuple[int, int]:
    sheet = stream.word() if version >= 0x025B else stream.byte()
    if version < 0x025B and sheet == 0xFF:
        sheet = _NO_SHEET
    return sheet, stream.word()


def rgb(colour: int) -> tuple[int, int, int]:
    """A colour of Windows: red in its lowest byte."""
    return colour & 255, colour >> 8 & 255, colour >> 16 & 255


def transparent(picture: Image, clear: int) -> Image:
    """With one colour made transparent, compared as precisely as sixteen bits tell colours."""
    import numpy as np
    from PIL import Image as Pillow

    pixels = np.array(picture.convert("RGBA"))
    red, green, blue = rgb(clear)
    same = (
        (pixels[..., 0] >> 3 == red >> 3)
        & (pixels[..., 1] >> 2 == green >> 2)
        & (pixels[..., 2] >> 3 == blue >> 3)
    )
    pixels[same] = 0
    return Pillow.fromarray(pixels, "RGBA")
