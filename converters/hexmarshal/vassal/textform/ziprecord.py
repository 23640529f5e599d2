"""How an entry lies in its zip: dates, flags and compression in words, enough to pack it alike.

Checksums and sizes are left out: they follow from the content. Whatever these fields do not bring
back exactly is kept verbatim beside them.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.errors import Place, VassalFormatError
from hexmarshal.vassal.container.zipraw import CENTRAL, DEFLATED, LOCAL, STORED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.vassal.container.source import Source
    from hexmarshal.vassal.container.zipraw import Entry

__all__ = ["RawEntry", "ZipRecord", "find_level", "pack_content", "raw_entry"]

_LOCAL_SIGN, _CENTRAL_SIGN = b"PK\x03\x04", b"PK\x01\x02"
_DESCRIPTOR_SIGN: Final = b"PK\x07\x08"
_DESCRIPTOR: Final = 8
_DATE: Final = re.compile(r"(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)")
_LEVEL: Final = re.compile(r"([0-9])(?:m([89]))?")
_CHUNK: Final = 1 << 18
# Java and Python use 6 or 9; the second number is zlib's memory level.
_LEVELS: Final = ("9", "6", "8", "7", "5", "4", "3", "2", "1", "9m9", "6m9")


@dataclass(frozen=True, slots=True)
class RawEntry:
    """The bytes of an entry as they lie in the file."""

    head: bytes
    body: bytes
    tail: bytes
    central: bytes


@dataclass(frozen=True, slots=True)
class ZipRecord:
    """Everything about an entry in a zip that does not follow from its name and content."""

    date: str = "1980-01-01 00:00:00"
    level: str = "9"
    """zlib's level (`6m9`: with memory level 9); `stored`; `kept` if no level brings it back."""
    made: int = 20
    needed: int = 20
    flags: int = 0
    internal: int = 0
    external: int = 0
    extra: str = ""
    local_extra: str = ""
    comment: str = ""
    descriptor: str = ""
    """`signed` or `bare` if checksum and sizes follow the data."""
    raw_name: str = ""

    @classmethod
    def of(cls, entry: Entry, raw: RawEntry, level: str) -> ZipRecord:
        """The record of an entry."""
        central = CENTRAL.unpack_from(entry.record)
        _, made, needed, flags, _, time, date, *_ = central
        names, extras, comments = central[10:13]
        end = CENTRAL.size + names
        local_names = LOCAL.unpack_from(raw.head)[9]
        own = entry.name.encode("utf-8", "surrogateescape")
        descriptor = ""
        if flags & _DESCRIPTOR:
            descriptor = "signed" if raw.tail[:4] == _DESCRIPTOR_SIGN else "bare"
        return cls(
            _date(date, time),
            level,
            made,
            needed,
            flags,
            central[14],
            central[15],
            entry.record[end : end + extras].hex(),
            raw.head[LOCAL.size + local_names :].hex(),
            entry.record[end + extras : end + extras + comments].hex(),
            descriptor,
            "" if own == entry.raw_name else entry.raw_name.hex(),
        )

    def as_dict(self) -> dict[str, Any]:
        """Only what is not usual."""
        usual = asdict(ZipRecord())
        return {k: v for k, v in asdict(self).items() if v != usual[k] or k in ("date", "level")}

    @classmethod
    def read(cls, found: Mapping[str, Any], place: Place) -> ZipRecord:
        """The record that a manifest says."""
        known = {f.name: f.type for f in fields(cls)}
        for name, value in found.items():
            wanted = int if known.get(name) == "int" else str
            if name not in known or not isinstance(value, wanted) or isinstance(value, bool):
                raise VassalFormatError(f"{name!r} is not what a zip record can say", place=place)
        record = cls(**found)
        try:
            _dos(record.date)
            for text in (record.extra, record.local_extra, record.comment, record.raw_name):
                bytes.fromhex(text)
            numbers = (record.made, record.needed, record.flags, record.internal)
            sound = all(0 <= n <= 0xFFFF for n in numbers) and 0 <= record.external <= 0xFFFFFFFF
        except ValueError as why:
            raise VassalFormatError(f"a zip record cannot be read: {why}", place=place) from None
        named = record.level in {"stored", "kept"} or _LEVEL.fullmatch(record.level)
        if not sound or not named or record.descriptor not in {"", "signed", "bare"}:
            raise VassalFormatError("a zip record holds a value that no zip can", place=place)
        return record

    def raw(self, name: str, content: bytes, body: bytes) -> RawEntry:
        """The entry with this content; its offset in the directory is left 0."""
        raw_name = bytes.fromhex(self.raw_name) or name.encode("utf-8", "surrogateescape")
        local_extra, extra = bytes.fromhex(self.local_extra), bytes.fromhex(self.extra)
        comment = bytes.fromhex(self.comment)
        method = STORED if self.level == "stored" else DEFLATED
        time, date = _dos(self.date)
        crc = zlib.crc32(content)
        sums = (crc, len(body), len(content))
        common = (self.needed, self.flags, method, time, date)
        head = LOCAL.pack(
            _LOCAL_SIGN,
            *common,
            *((0, 0, 0) if self.descriptor else sums),
            len(raw_name),
            len(local_extra),
        )
        tail = b""
        if self.descriptor:
            tail = b"".join(n.to_bytes(4, "little") for n in sums)
            tail = _DESCRIPTOR_SIGN + tail if self.descriptor == "signed" else tail
        lengths = (len(raw_name), len(extra), len(comment))
        central = CENTRAL.pack(
            _CENTRAL_SIGN, self.made, *common, *sums, *lengths, 0, self.internal, self.external, 0
        )
        return RawEntry(
            head + raw_name + local_extra, body, tail, central + raw_name + extra + comment
        )


def raw_entry(entry: Entry, source: Source) -> RawEntry:
    """The raw bytes of an entry, its offset in the directory set to 0."""
    body = entry.packed_bytes(source)
    *_, names, extras = LOCAL.unpack(source.read(entry.start, LOCAL.size))
    length = LOCAL.size + names + extras
    head = source.read(entry.start, length)
    at = entry.start + length + len(body)
    tail = source.read(at, entry.end - at)
    central = entry.record
    if entry.offset_at == (42, "<I"):
        central = central[:42] + bytes(4) + central[46:]
    return RawEntry(head, body, tail, central)


def pack_content(content: bytes, level: str) -> bytes:
    """The content as it lies in a zip."""
    if level == "stored":
        return content
    found = _LEVEL.fullmatch(level)
    number, memory = (int(found[1]), int(found[2] or 8)) if found else (9, 8)
    packer = zlib.compressobj(number, zlib.DEFLATED, -zlib.MAX_WBITS, memory)
    return packer.compress(content) + packer.flush()


def find_level(content: bytes, packed: bytes, likely: str) -> str | None:
    """The level that packs the content to the very same bytes, or None."""
    for level in dict.fromkeys((likely, *_LEVELS)):
        if level not in {"stored", "kept"} and _packs_alike(content, packed, level):
            return level
    return None


def _packs_alike(content: bytes, packed: bytes, level: str) -> bool:
    found = _LEVEL.fullmatch(level)
    assert found is not None
    packer = zlib.compressobj(int(found[1]), zlib.DEFLATED, -zlib.MAX_WBITS, int(found[2] or 8))
    at = 0
    # A wrong level shows early: most attempts read a small part only.
    for start in range(0, len(content), _CHUNK):
        out = packer.compress(content[start : start + _CHUNK])
        if packed[at : at + len(out)] != out:
            return False
        at += len(out)
    return packed[at:] == packer.flush()


def _date(date: int, time: int) -> str:
    return (
        f"{1980 + (date >> 9)}-{date >> 5 & 15:02}-{date & 31:02}"
        f" {time >> 11:02}:{time >> 5 & 63:02}:{(time & 31) * 2:02}"
    )


def _dos(text: str) -> tuple[int, int]:
    found = _DATE.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is not a date like 2024-05-31 12:30:00")
    year, month, day, hour, minute, second = map(int, found.groups())
    parts = (year - 1980, month, day, hour, minute, second // 2)
    highest = (127, 15, 31, 31, 63, 31)
    if not all(0 <= part <= most for part, most in zip(parts, highest, strict=True)):
        raise ValueError(f"a zip cannot hold the date {text!r}")
    year, month, day, hour, minute, second = parts
    return hour << 11 | minute << 5 | second, year << 9 | month << 5 | day
