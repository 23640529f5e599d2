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
    payload = _blocks(_inflate(data, place), place)
    if len(payload) < _SIZES.size:
        raise VassalFormatError("the sight data end before the board's size", place=place)
    columns, rows, width, height = _SIZES.unpack_from(payload)
    many = width * height > _MOST_PIXELS or columns * (rows + 1) > _MOST_HEXES
    if min(columns, rows, width, height) <= 0 or many:
        raise VassalFormatError(
            f"a board of {columns} x {rows} hexes and {width} x {height} pixels cannot be",
            place=place,
        )
    end = _SIZES.size + 2 * width * height
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


def _inflate(data: bytes, place: Place) -> bytes:
    engine = zlib.decompressobj(zlib.MAX_WBITS | 16)
    most = 2 * _MOST_PIXELS + (1 << 20)
    try:
        stream = engine.decompress(data, most)
    except zlib.error as error:
        raise VassalFormatError(f"damaged sight data: {error}", place=place) from error
    if not engine.eof:
        what = "larger than any board" if engine.unconsumed_tail else "cut short"
        raise VassalFormatError(f"the sight data are {what}", place=place)
    if not stream.startswith(_MAGIC):
        raise VassalFormatError("the sight data are not a Java object stream", place=place)
    return stream


def _blocks(stream: bytes, place: Place) -> bytes:
    parts = []
    at = len(_MAGIC)
    while at < len(stream):
        kind = stream[at]
        if kind == _LONG_BLOCK and at + 5 <= len(stream):
            length, at = int.from_bytes(stream[at + 1 : at + 5]), at + 5
        elif kind == _SHORT_BLOCK and at + 2 <= len(stream):
            length, at = stream[at + 1], at + 2
        else:
            raise VassalFormatError(
                f"byte {at} of the sight data opens no block of plain data", place=place
            )
        parts.append(stream[at : at + length])
        at += length
    return b"".join(parts)
