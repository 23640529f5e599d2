"""Takes requests apart at the level of the wire format, so that what is known is not decoded again.

A client that asks a hundred questions sends the same position a hundred times, or one in which a
single unit moved. The bytes of a position, and those of its units, are therefore the keys of a
cache: the same bytes always mean the same value, and comparing bytes costs almost nothing.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeVar

from google.protobuf.message import DecodeError

from hexmarshal.rules.values import FieldError, FrozenMap
from hexmarshal.v1 import position_pb2 as pb
from hexmarshal.wire.positions import decode_position, decode_unit

if TYPE_CHECKING:
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position

__all__ = ["Cache", "OversizeError", "PositionReader", "split"]

V = TypeVar("V")

_BYTES = 2  # the wire type of texts, messages and other things with a length
# How many markers, piles, tracks and cells a position may have for each unit that it may have.
FIELDS_PER_UNIT = 4
UNITS = pb.Position.UNITS_FIELD_NUMBER


class Cache(Generic[V]):
    """The values used last, up to a total size of their keys; for several threads.

    What is read out of bytes takes some twenty times their size.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._size = 0
        self._found: OrderedDict[bytes, V] = OrderedDict()
        self._turn = Lock()

    def get(self, key: bytes) -> V | None:
        """The value, if it is there."""
        with self._turn:
            value = self._found.get(key)
            if value is not None:
                self._found.move_to_end(key)
            return value

    def put(self, key: bytes, value: V) -> None:
        """Remember a value; the ones not used for longest go."""
        if len(key) > self._limit // 4:
            return
        with self._turn:
            if key not in self._found:
                self._size += len(key)
            self._found[key] = value
            while self._size > self._limit:
                old, _ = self._found.popitem(last=False)
                self._size -= len(old)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
        if shift > 63:
            raise DecodeError("a number of more than 64 bits")


def split(data: bytes, field: int, most: int) -> tuple[list[bytes], bytes]:
    """What stands in this field of a message, each occurrence, and the message without it.

    Raises OversizeError for a message of more than `most` fields: reading it would cost too much.
    """
    found: list[bytes] = []
    rest: list[bytes] = []
    wanted = field << 3 | _BYTES
    at, kept, end, left = 0, 0, len(data), most
    try:
        while at < end:
            start = at
            left -= 1
            if left < 0:
                raise OversizeError("fields", most)
            tag = data[at]
            if tag < 0x80:
                at += 1
            else:
                tag, at = _varint(data, at)
            kind = tag & 7
            if kind == _BYTES:
                size = data[at]
                if size < 0x80:
                    at += 1
                else:
                    size, at = _varint(data, at)
                stop = at + size
                if stop > end:
                    raise DecodeError("cut off")
                if tag == wanted:
                    found.append(data[at:stop])
                    if kept < start:
                        rest.append(data[kept:start])
                    kept = stop
                at = stop
            elif kind == 0:
                _, at = _varint(data, at)
            elif kind == 1:
                at += 8
            elif kind == 5:
                at += 4
            else:
                raise DecodeError("a group, of which no message of ours has any")
    except IndexError:
        raise DecodeError("cut off") from None
    if kept < end:
        rest.append(data[kept:])
    return found, b"".join(rest)


class PositionReader:
    """Positions from their bytes; what was read before is not read again."""

    def __init__(self, limit: int = 4 << 20, max_units: int = 10_000) -> None:
        self._positions: Cache[Position] = Cache(limit)
        self._units: Cache[Unit] = Cache(limit)
        self.max_units = max_units

    def known(self, data: bytes) -> Position | None:
        """The position, if it was read before."""
        return self._positions.get(data)

    def read(self, data: bytes) -> Position:
        """The position; raises DecodeError or FieldError."""
        position = self._positions.get(data)
        if position is None:
            position = self._read(data)
            position.remember("message", lambda: data)
            self._positions.put(data, position)
        return position

    def _read(self, data: bytes) -> Position:
        parts, rest = split(data, UNITS, self.max_units * FIELDS_PER_UNIT)
        if len(parts) > self.max_units:
            raise OversizeError("units", self.max_units)
        position = decode_position(pb.Position.FromString(rest))
        if not parts:
            return position
        units: dict[str, Unit] = {}
        known = self._units
        for i, part in enumerate(parts):
            unit = known.get(part)
            if unit is None:
                unit = decode_unit(pb.Unit.FromString(part))
                known.put(part, unit)
            if unit.id in units or not unit.id:
                problem = f"{unit.id!r} is there twice" if unit.id else "is missing"
                raise FieldError(problem, "units", i, "id")
            units[unit.id] = unit
        return replace(position, units=FrozenMap(units))


class OversizeError(Exception):
    """More than a message may have here."""

    def __init__(self, what: str, limit: int) -> None:
        super().__init__(f"more than {limit} {what}")
        self.what = what
