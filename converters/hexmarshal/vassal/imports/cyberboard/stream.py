"""The stream of numbers, texts and bitmaps that CyberBoard writes: little-endian, without names."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal.imports.bitmaps import pillow

if TYPE_CHECKING:
    from PIL.Image import Image

    from hexmarshal.errors import Place

__all__ = ["Font", "Stream"]

_LARGEST: Final = 512 << 20
_HEADER: Final = 40

Font = tuple[int, int, int, str]


class Stream:
    """Reads on; whatever does not fit is an error that names the byte."""

    def __init__(self, data: bytes, place: Place) -> None:
        self._data = data
        self._place = place
        self.at = 0

    def fail(self, what: str) -> VassalFormatError:
        """An error at this byte."""
        return VassalFormatError(f"{what} (byte {self.at})", place=self._place)

    def take(self, count: int) -> bytes:
        """So many bytes."""
        if count > len(self._data) - self.at:
            raise self.fail("the box ends too early")
        found = self._data[self.at : self.at + count]
        self.at += count
        return found

    def byte(self) -> int:
        """A byte."""
        return self.take(1)[0]

    def word(self) -> int:
        """Two bytes."""
        return int.from_bytes(self.take(2), "little")

    def short(self) -> int:
        """Two bytes with a sign."""
        return int.from_bytes(self.take(2), "little", signed=True)

    def dword(self) -> int:
        """Four bytes."""
        return int.from_bytes(self.take(4), "little")

    def count(self) -> int:
        """A number of elements: a word, or behind 0xFFFF a double word."""
        found = self.word()
        return self.dword() if found == 0xFFFF else found

    def text(self) -> str:
        """A text with its length before it; 0xFFFE says that its letters have two bytes."""
        length = self.byte()
        wide = False
        if length == 0xFF:
            length = self.word()
            if length == 0xFFFE:
                wide = True
                length = self.byte()
                if length == 0xFF:
                    length = self.word()
            if length == 0xFFFF:
                length = self.dword()
        raw = self.take(length * (2 if wide else 1))
        return raw.decode("utf-16-le" if wide else "cp1252", "replace")

    def font(self) -> Font:
        """Size, flags, family and name."""
        return self.word(), self.word(), self.word(), self.text()

    def skip_words(self, count: int) -> None:
        """Words that are reserved."""
        self.take(2 * count)

    def points(self, count: int) -> list[tuple[int, int]]:
        """Points of two shorts each."""
        return [(self.short(), self.short()) for _ in range(count)]

    def bitmap(self) -> Image | None:
        """A bitmap of Windows without its file header, mostly packed by zlib."""
        size = self.dword()
        if not size:
            return None
        if not size & 0x80000000:
            raw = self.take(size)
        else:
            size &= 0x7FFFFFFF
            packed = self.take(self.dword())
            if size > _LARGEST:
                raise self.fail("a bitmap larger than any real one")
            unpacker = zlib.decompressobj()
            try:
                raw = unpacker.decompress(packed, size)
            except zlib.error as why:
                raise self.fail(f"a bitmap is damaged: {why}") from why
            if len(raw) < size:
                raise self.fail("a bitmap is damaged: it ends too early")
        return self._decoded(raw)

    def _decoded(self, raw: bytes) -> Image:
        if len(raw) < _HEADER:
            raise self.fail("a bitmap without a header")
        head = struct.unpack_from("<IiiHHIIiiII", raw)
        size, width, height, _, bits, kind, _, _, _, colours, _ = head
        masks = 12 if kind == 3 and size == _HEADER else 0
        palette = 4 * (colours or (1 << bits)) if bits <= 8 else 4 * colours
        start = size + masks + palette
        stride = (width * bits + 31) // 32 * 4
        if not (0 < width < 40_000 and 0 < abs(height) < 40_000 and kind in {0, 3}):
            raise self.fail(f"a bitmap of {width} x {height}, {bits} bits, compression {kind}")
        if len(raw) - start < stride * abs(height):
            raise self.fail("a bitmap is damaged: it ends too early")
        turn = 1 if height < 0 else -1
        library = pillow()
        body = raw[start : start + stride * abs(height)]
        extent = width, abs(height)
        found: Image
        if bits == 16:
            # Green has six bits where the masks say so, and else five.
            green = struct.unpack_from("<I", raw, size + 4)[0] if kind == 3 else 0x3E0
            mode = "BGR;16" if green == 0x7E0 else "BGR;15"
            found = library.frombytes("RGB", extent, body, "raw", mode, stride, turn)
        elif bits in {24, 32}:
            mode = "BGR" if bits == 24 else "BGRX"
            found = library.frombytes("RGB", extent, body, "raw", mode, stride, turn)
        elif bits == 8:
            picture = library.frombytes("P", extent, body, "raw", "P", stride, turn)
            table = raw[size + masks : start]
            picture.putpalette(table, "BGRX")
            found = picture.convert("RGB")
        else:
            raise self.fail(f"a bitmap of {bits} bits a pixel")
        return found
