"""The `LOSData` entry of a VASL board: elevation and terrain of every pixel, stairways of hexes.

It is a gzip around a Java object stream that holds nothing but block data, big-endian: the size
in hexes, the size in pixels, then for each pixel column from left to right and each pixel of it
from the top one signed byte of elevation and one byte of terrain code, and last one byte a hex.
"""

from __future__ import annotations

import gzip
import struct
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hexmarshal.errors import Place, VassalFormatError

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["ENTRY", "LosData", "read_los_data", "write_los_data"]

ENTRY = "LOSData"

_MAGIC = b"\xac\xed\x00\x05"
_SHORT_BLOCK, _LONG_BLOCK = 0x77, 0x7A
_SIZES = struct.Struct(">4i")
_BLOCK = 1024
_MOST_PIXELS, _MOST_HEXES = 64_000_000, 50_000
_HEAD = 64
_OVERHEAD, _SPARE = 1.05, 1 << 16
"""Blocks of a kilobyte add half a percent; many more bytes than that hold no board."""
_FEW, _LEAST = 4096, 256
"""There may be a few small blocks, but not so many that the stream is made of them."""


@dataclass(frozen=True, slots=True, eq=False)
class LosData:
    """What the entry says; the arrays are indexed by row (y) first, then by column (x)."""

    columns: int
    rows: int
    elevation: npt.NDArray[np.int8]
    terrain: npt.NDArray[np.uint8]
    stairways: npt.NDArray[np.bool_]
    """One flag a hex, column after column; empty if the stream ends before them."""


def read_los_data(data: bytes, place: Place | None = None) -> LosData:
    """Decode the entry."""
    place = (place or Place()).within(Place(entry=ENTRY))
    stream = _Stream(data, place)
    head = stream.read(_HEAD)
    if not head.startswith(_MAGIC):
        raise VassalFormatError("the sight data are not a Java object stream", place=place)
    start = _blocks(head, place, _SIZES.size)
    if len(start) < _SIZES.size:
        raise VassalFormatError("the sight data end before the board's size", place=place)
    columns, rows, width, height = _SIZES.unpack_from(start)
    hexes = columns * (rows + 1)
    many = width * height > _MOST_PIXELS or hexes > _MOST_HEXES
    if min(columns, rows, width, height) <= 0 or many:
        raise VassalFormatError(
            f"a board of {columns} x {rows} hexes and {width} x {height} pixels cannot be",
            place=place,
        )
    end = _SIZES.size + 2 * width * height
    payload = _blocks(head + stream.rest(_SPARE + (end + hexes) * _OVERHEAD), place)
    if len(payload) < end:
        raise VassalFormatError(
            f"the sight data are cut short: {len(payload)} bytes of at least {end}", place=place
        )
    pixels = np.frombuffer(payload, np.uint8, 2 * width * height, _SIZES.size)
    pairs = pixels.reshape(width, height, 2)
    return LosData(
        columns,
        rows,
        np.ascontiguousarray(pairs[:, :, 0].T).view(np.int8),
        np.ascontiguousarray(pairs[:, :, 1].T),
        np.frombuffer(payload, np.uint8, -1, end) == 1,
    )


def write_los_data(los: LosData) -> bytes:
    """Encode the entry as VASL does, so that boards of one's own can be made and tried."""
    height, width = los.terrain.shape
    pairs = np.stack([los.elevation.view(np.uint8).T, los.terrain.T], axis=-1)
    payload = (
        _SIZES.pack(los.columns, los.rows, width, height)
        + pairs.tobytes()
        + los.stairways.astype(np.uint8).tobytes()
    )
    parts = [_MAGIC]
    for start in range(0, len(payload), _BLOCK):
        block = payload[start : start + _BLOCK]
        if len(block) < 256:
            parts += [bytes([_SHORT_BLOCK, len(block)]), block]
        else:
            parts += [bytes([_LONG_BLOCK]), len(block).to_bytes(4), block]
    return gzip.compress(b"".join(parts), mtime=0)


class _Stream:
    """What a gzip holds, as much of it as a board of that size can need."""

    def __init__(self, data: bytes, place: Place) -> None:
        self._engine = zlib.decompressobj(zlib.MAX_WBITS | 16)
        self._left, self._place = data, place

    def read(self, most: int) -> bytes:
        """The next bytes, at most so many."""
        try:
            part = self._engine.decompress(self._left, most)
        except zlib.error as error:
            raise VassalFormatError(f"damaged sight data: {error}", place=self._place) from error
        self._left = self._engine.unconsumed_tail
        if len(part) < most and not self._engine.eof:
            raise VassalFormatError("the sight data are cut short", place=self._place)
        return part

    def rest(self, most: float) -> bytes:
        """All that follows, which must be no more than that."""
        part = self.read(int(most))
        if not self._engine.eof:
            raise VassalFormatError("the sight data are larger than their board", place=self._place)
        return part


def _blocks(stream: bytes, place: Place, enough: int | None = None) -> bytearray:
    """What the blocks hold; of a stream that goes on, as much as is enough."""
    held, at = bytearray(), len(_MAGIC)
    most = _FEW + len(stream) // _LEAST
    while at < len(stream) and (enough is None or len(held) < enough):
        kind = stream[at]
        if kind == _LONG_BLOCK and at + 5 <= len(stream):
            length, at = int.from_bytes(stream[at + 1 : at + 5]), at + 5
        elif kind == _SHORT_BLOCK and at + 2 <= len(stream):
            length, at = stream[at + 1], at + 2
        else:
            raise VassalFormatError(
                f"byte {at} of the sight data opens no block of plain data", place=place
            )
        held += stream[at : at + length]
        at, most = at + length, most - 1
        if most < 0:
            raise VassalFormatError("the sight data are torn into small blocks", place=place)
    return held
