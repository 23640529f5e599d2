"""The zip container as it lies on disk: entries with their raw records, nothing interpreted twice.

The standard library's zipfile hides the raw bytes that a lossless rewrite must keep (local extra
fields, data descriptors, gaps, odd flags) and trusts headers; so the directory is read here.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, TypeAlias

from hexmarshal.errors import Place, VassalFormatError

if TYPE_CHECKING:
    from hexmarshal.vassal.container.limits import Limits
    from hexmarshal.vassal.container.source import Source

__all__ = [
    "CENTRAL",
    "DEFLATED",
    "Directory",
    "END",
    "Entry",
    "LOCAL",
    "STORED",
    "UTF8",
    "check_name",
]

LOCAL = struct.Struct("<4s5H3I2H")
CENTRAL = struct.Struct("<4s6H3I5H2I")
END = struct.Struct("<4s4H2IH")
_END64_LOCATOR = struct.Struct("<4sIQI")
_END64 = struct.Struct("<4sQ2H2I4Q")

STORED, DEFLATED = 0, 8
ENCRYPTED, UTF8 = 0x0001, 0x0800
_FULL16, _FULL32 = 0xFFFF, 0xFFFFFFFF
_HEAD = 64
_NEAR = 1 << 10
_MISTAKEN = (
    (b"version https://git-lfs", "only Git LFS's pointer to it: 'git lfs pull' fetches the file"),
    (b"<!doctype", "a web page: the download went wrong"),
    (b"<html", "a web page: the download went wrong"),
    (b"rar!", "a RAR archive: unpack it, the file is inside"),
    (b"7z\xbc\xaf", "a 7-Zip archive: unpack it, the file is inside"),
)
_ZIP64_EXTRA = 1
# A small entry is inflated in steps of a size that Python hands out again and again: bigger blocks
# come from the system each time, and to have them cleared takes longer than to fill them.
_STEP, _SMALL = 1 << 16, 1 << 20


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: what the central directory says, and the span of its raw bytes in the file."""

    name: str
    raw_name: bytes
    flags: int
    method: int
    crc: int
    packed: int
    size: int
    start: int
    """Offset of the local header in the file."""
    end: int
    """Where the next local header or the directory starts: a data descriptor is before it."""
    record: bytes
    """The central directory record, verbatim."""
    offset_at: tuple[int, str]
    """Where in the record the local header's offset stands, and its struct format."""

    @property
    def is_folder(self) -> bool:
        """Zip tools may note empty folders as entries of their own."""
        return self.name.endswith("/")

    def moved(self, shift: int) -> bytes:
        """The central record of this entry after its local header moved by `shift` bytes."""
        at, code = self.offset_at
        record = bytearray(self.record)
        (offset,) = struct.unpack_from(code, record, at)
        struct.pack_into(code, record, at, offset + shift)
        return bytes(record)

    def packed_bytes(self, source: Source, most: int | None = None) -> bytes:
        """The entry's data as stored; the local header must agree with the directory."""
        # Most often there is little else between its header and the next, and one look is enough.
        near = most is None and self.end - self.start - self.packed < _NEAR
        wanted = self.end - self.start if near else LOCAL.size + len(self.raw_name)
        raw = source.read(self.start, wanted)
        head = raw[: LOCAL.size + len(self.raw_name)]
        signature, *_, name_length, extra_length = LOCAL.unpack_from(head)
        if signature != b"PK\x03\x04":
            raise self._error("no entry where the directory says one is", source)
        if name_length != len(self.raw_name) or head[LOCAL.size :] != self.raw_name:
            raise self._error("named otherwise in its own header", source)
        data_at = self.start + LOCAL.size + name_length + extra_length
        if data_at + self.packed > self.end:
            raise self._error("runs into the next entry", source)
        if near:
            return raw[data_at - self.start : data_at - self.start + self.packed]
        return source.read(data_at, self.packed if most is None else min(most, self.packed))

    def head(self, source: Source, most: int) -> bytes:
        """The first bytes of the entry's data, up to `most`; nothing of it is verified."""
        data = self.packed_bytes(source, most)
        if self.method == STORED:
            return data
        if self.method != DEFLATED:
            raise self._unknown_method(source)
        try:
            return zlib.decompressobj(-zlib.MAX_WBITS).decompress(data, most)
        except zlib.error as why:
            raise self._error("damaged: cannot be inflated", source) from why

    def content(self, source: Source) -> bytes:
        """The entry's data, inflated no further than announced, its checksum verified."""
        data = self.packed_bytes(source)
        if self.method == DEFLATED:
            try:
                data = _inflate(data, self.size)
            except ValueError as why:
                raise self._error(str(why), source) from why
        elif self.method != STORED:
            raise self._unknown_method(source)
        if len(data) != self.size:
            raise self._error(f"holds {len(data)} bytes, not {self.size} as announced", source)
        if zlib.crc32(data) != self.crc:
            raise self._error("damaged: the checksum does not match", source)
        return data

    def _unknown_method(self, source: Source) -> VassalFormatError:
        return self._error(
            f"packed by method {self.method}, which neither VASSAL nor we can unpack",
            source,
            hint="repack the archive with ordinary deflate compression",
        )

    def _error(self, text: str, source: Source, hint: str = "") -> VassalFormatError:
        place = source.place.inside(self.name)
        return VassalFormatError(text, place=place, hint=hint)


# Where an entry starts, its fields before that and those after its end.
_Record: TypeAlias = tuple[
    int, tuple[str, bytes, int, int, int, int, int], tuple[bytes, tuple[int, str]]
]


@dataclass(frozen=True, slots=True)
class Directory:
    """The entries in directory order, and what stands before and after them."""

    entries: tuple[Entry, ...]
    prefix: int
    """Bytes before the archive proper; offsets inside it count from there."""
    comment: bytes

    @classmethod
    def read(cls, source: Source, limits: Limits) -> Directory:
        """Read and check the central directory: structure, names, limits; no entry's data."""
        count, at, raw, prefix, comment = _find_directory(source)
        limits.check_count(count, source.place)
        found = _records(raw, count, prefix, source.place)
        ends = dict(pairwise([*sorted(map(itemgetter(0), found)), at]))
        entries = tuple([Entry(*told, start, ends[start], *kept) for start, told, kept in found])
        _check(entries, limits, source.place)
        return cls(entries, prefix, comment)


def _instead(head: bytes) -> str:
    """What people have in place of the file that they meant, and what helps."""
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return next((hint for mark, hint in _MISTAKEN if start.startswith(mark)), "")


def _find_directory(source: Source) -> tuple[int, int, bytes, int, bytes]:
    """How many entries it tells of, its place and bytes, what precedes the archive, the comment."""
    size, place = source.size, source.place
    tail_at = max(0, size - END.size - _FULL16)
    tail = source.read(tail_at, size - tail_at)
    at = tail.rfind(b"PK\x05\x06")
    while at >= 0:
        if at + END.size <= len(tail):
            _, disk, cd_disk, _, count, length, offset, comment = END.unpack_from(tail, at)
            if at + END.size + comment == len(tail):
                break
        at = tail.rfind(b"PK\x05\x06", 0, at)
    else:
        head = source.read(0, min(_HEAD, size))
        if head.startswith(b"PK\x03\x04"):
            raise VassalFormatError(
                "cut short: the zip directory at its end is missing",
                place=place,
                hint="copy or download the file again",
            )
        text = "not a zip archive, so not a VASSAL file"
        raise VassalFormatError(text, place=place, hint=_instead(head))
    if disk or cd_disk:
        raise VassalFormatError("one part of a split zip archive", place=place)
    end_at = tail_at + at
    if count == _FULL16 or _FULL32 in (length, offset):
        count, length, offset, end_at = _zip64(source, end_at, (count, length, offset))
    prefix = end_at - length - offset
    if prefix < 0 or count * CENTRAL.size > length:
        raise VassalFormatError("damaged: the zip directory does not fit the file", place=place)
    start = end_at - length
    known = tail[start - tail_at : end_at - tail_at] if start >= tail_at else None
    raw = source.read(start, length) if known is None else known
    return count, start, raw, prefix, tail[at + END.size :]


def _zip64(source: Source, end_at: int, plain: tuple[int, int, int]) -> tuple[int, int, int, int]:
    at = end_at - _END64_LOCATOR.size
    if at < 0:
        return *plain, end_at
    signature, _, offset, _ = _END64_LOCATOR.unpack(source.read(at, _END64_LOCATOR.size))
    if signature != b"PK\x06\x07":
        return *plain, end_at
    # Bytes put before the archive shift it; without an extension the record ends at its locator.
    for record_at in (offset, at - _END64.size):
        if 0 <= record_at <= at - _END64.size:
            fields = _END64.unpack(source.read(record_at, _END64.size))
            if fields[0] == b"PK\x06\x06":
                return fields[7], fields[8], fields[9], record_at
    raise VassalFormatError("damaged: the zip64 directory is missing", place=source.place)


def _records(raw: bytes, count: int, prefix: int, place: Place) -> list[_Record]:
    """What the directory says of each entry; where one ends, only all of them together tell."""
    found: list[_Record] = []
    at = 0
    for _ in range(count):
        if at + CENTRAL.size > len(raw):
            raise VassalFormatError("damaged: the zip directory is cut short", place=place)
        sign, _, _, flags, method, _, _, crc, *rest = CENTRAL.unpack_from(raw, at)
        packed, size, names, extras, comments, *_, offset = rest
        name_at = at + CENTRAL.size
        stop = name_at + names + extras + comments
        if sign != b"PK\x01\x02" or stop > len(raw):
            raise VassalFormatError("damaged: the zip directory is not readable", place=place)
        where = (42, "<I")
        if _FULL32 in (packed, size, offset):
            extra = raw[name_at + names : name_at + names + extras]
            size, packed, offset, spot = _wide(extra, (size, packed, offset))
            where = (CENTRAL.size + names + spot, "<Q") if spot else where
        raw_name = raw[name_at : name_at + names]
        told = (_decode_name(raw_name), raw_name, flags, method, crc, packed, size)
        found.append((prefix + offset, told, (raw[at:stop], where)))
        at = stop
    return found


def _wide(extra: bytes, plain: tuple[int, int, int]) -> tuple[int, int, int, int]:
    """Size, packed size and offset with the zip64 extra field; and where in it the offset is."""
    values = list(plain)
    offset_at = 0
    at = 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<2H", extra, at)
        at += 4
        stop = min(at + length, len(extra))
        if kind == _ZIP64_EXTRA:
            for i, value in enumerate(values):
                if value == _FULL32 and at + 8 <= stop:
                    (values[i],) = struct.unpack_from("<Q", extra, at)
                    offset_at = at if i == 2 else offset_at
                    at += 8
            break
        at = stop
    return values[0], values[1], values[2], offset_at


def _decode_name(raw: bytes) -> str:
    # Java wrote UTF-8 long before it set the flag that says so.
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("cp437")


def check_name(name: str, place: Place) -> None:
    """Refuse a name that could lead out of the folder it is unpacked to."""
    parts = name.replace("\\", "/").split("/")
    if not name or "\0" in name or not parts[0] or ".." in parts or ":" in parts[0][1:2]:
        raise VassalFormatError(
            "an entry's name leads out of the archive",
            place=Place(entry=name.replace("\0", "\\0")).within(place),
        )


def _check(entries: tuple[Entry, ...], limits: Limits, place: Place) -> None:
    seen: set[str] = set()
    starts: set[int] = set()
    for entry in entries:
        check_name(entry.name, place)
        try:
            if entry.name in seen:
                raise VassalFormatError("there are two entries of this name")
            seen.add(entry.name)
            apart = entry.start not in starts
            starts.add(entry.start)
            if entry.flags & ENCRYPTED:
                raise VassalFormatError(
                    "encrypted", hint="VASSAL cannot open it either: repack it unencrypted"
                )
            room = entry.end - entry.start
            if not apart or room < LOCAL.size + len(entry.raw_name) + entry.packed:
                raise VassalFormatError("overlaps another entry, or lies outside the file")
            limits.check_entry(entry.size, entry.packed)
        except VassalFormatError as error:
            # Only now: a module has thousands of entries, and to say where takes longer than this.
            raise error.at(Place(entry=entry.name).within(place)) from None
    limits.check_total(sum(e.size for e in entries), place)


def _inflate(data: bytes, size: int) -> bytes:
    """The data, inflated; a ValueError says what is wrong with it."""
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
    # One byte more than announced is enough to know that the header lies.
    left = size + 1
    step = _STEP if size < _SMALL else left
    found: list[bytes] = []
    try:
        while left and (part := unpacker.decompress(data, min(step, left))):
            found.append(part)
            left -= len(part)
            data = unpacker.unconsumed_tail
    except zlib.error as why:
        raise ValueError("damaged: cannot be inflated") from why
    if not left:
        raise ValueError(f"inflates to more than the {size} bytes announced")
    if not unpacker.eof:
        raise ValueError("damaged: its packed data is cut short")
    return found[0] if len(found) == 1 else b"".join(found)
