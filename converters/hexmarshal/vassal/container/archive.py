"""VASSAL's zip archives: opened lazily, rewritten with every untouched entry kept byte for byte."""

from __future__ import annotations

import zlib
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from hexmarshal.errors import NotFoundError, OutputError, Place, VassalFormatError
from hexmarshal.vassal.container.atomic import write_atomically
from hexmarshal.vassal.container.kind import FileKind, kind_of
from hexmarshal.vassal.container.limits import Limits
from hexmarshal.vassal.container.source import BytesSource, FileSource, Source, Window
from hexmarshal.vassal.container.zipraw import (
    CENTRAL,
    DEFLATED,
    END,
    LOCAL,
    STORED,
    UTF8,
    Directory,
    Entry,
    check_name,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime

__all__ = ["Archive", "FileKind", "Limits", "build_archive"]


_COPY = 1 << 20
_FULL16, _FULL32 = 0xFFFF, 0xFFFFFFFF
_DOS_EPOCH = (0, 0x21)
_VERSION = 20
_LEVEL = 9


class Archive:
    """A zip archive that VASSAL wrote or could read: a module, extension, save, log or board.

    Nothing but the directory is read until it is asked for, and no file is held open.
    """

    def __init__(
        self, source: Source, limits: Limits | None = None, path: Path | None = None
    ) -> None:
        self._limits = limits or Limits.from_environment()
        directory = Directory.read(source, self._limits)
        self._source = source
        self._directory = directory
        self._entries = {e.name: e for e in directory.entries if not e.is_folder}
        self.path = path
        """The file, or None for an archive in memory."""

    @classmethod
    def open(cls, path: Path | str, limits: Limits | None = None) -> Archive:
        """Read the directory of the archive at `path` and check it."""
        source = FileSource.open(path if isinstance(path, Path) else Path(path))
        return cls(source, limits, source.path)

    @classmethod
    def from_bytes(
        cls, data: bytes, place: Place | None = None, limits: Limits | None = None
    ) -> Archive:
        """An archive in memory, such as a set-up inside a module."""
        return cls(BytesSource(data, place or Place()), limits)

    @classmethod
    def empty(cls) -> Archive:
        """An archive without entries, to be filled by `write`."""
        return cls.from_bytes(b"".join(build_archive({})))

    @property
    def place(self) -> Place:
        """What to call it in an error."""
        return self._source.place

    @property
    def source(self) -> Source:
        """The raw bytes."""
        return self._source

    @property
    def directory(self) -> Directory:
        """The zip directory, with what stands before and after the entries."""
        return self._directory

    @property
    def limits(self) -> Limits:
        """How much it may hold."""
        return self._limits

    @cached_property
    def kind(self) -> FileKind:
        """Module, extension or save, by content; a VassalFormatError for any other zip."""
        return kind_of(self)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Every entry in directory order, folders included."""
        return self._directory.entries

    def names(self) -> list[str]:
        """The names of all entries that are files, in directory order."""
        return list(self._entries)

    def has(self, name: str) -> bool:
        """Whether there is an entry of exactly this name."""
        return name in self._entries

    def size(self, name: str) -> int:
        """The inflated size of an entry as announced, without reading it."""
        return self._entry(name).size

    def read(self, name: str) -> bytes:
        """The content of an entry."""
        return self._entry(name).content(self._source)

    def read_all(self, names: Iterable[str]) -> Iterator[bytes]:
        """The contents of many entries in the order of the file, which is looked into seldom."""
        window = Window(self._source)
        for entry in sorted(map(self._entry, names), key=lambda entry: entry.start):
            yield entry.content(window)

    def head(self, name: str, most: int) -> bytes:
        """The first bytes of an entry's content, without reading all of it."""
        return self._entry(name).head(self._source, most)

    def nested(self, name: str) -> Archive:
        """An archive inside this one, such as the file of a predefined set-up."""
        place = self.place.inside(name)
        return Archive.from_bytes(self.read(name), place, self._limits)

    def write(
        self,
        target: Path | str,
        changes: Mapping[str, bytes | None] | None = None,
        *,
        force: bool = False,
        date: datetime | None = None,
    ) -> None:
        """Write this archive to `target` with `changes`; `None` removes an entry.

        What is not changed stays raw and in place; new entries come last. Without changes the
        result is the same file, byte for byte. `target` may be the file that was read: it is
        replaced whole or not at all. Another existing file needs `force`. Changed entries are
        dated 1980-01-01 unless `date` is given, so that the same content gives the same bytes.
        """
        chunks = self.chunks(changes or {}, date=date)
        write_atomically(Path(target), chunks, force=force, own=self.path)

    def to_bytes(
        self, changes: Mapping[str, bytes | None] | None = None, *, date: datetime | None = None
    ) -> bytes:
        """What `write` would write."""
        return b"".join(self.chunks(changes or {}, date=date))

    def chunks(
        self, changes: Mapping[str, bytes | None], *, date: datetime | None = None
    ) -> Iterator[bytes]:
        """The bytes of this archive with `changes`, piece by piece."""
        real = {name: data for name, data in changes.items() if not self._same(name, data)}
        if not real:
            yield from self._copy(0, self._source.size)
            return
        output = _Output(date, self._directory.prefix)
        yield from self._copy(0, self._directory.prefix)
        # By place in the file, which is where the raw bytes go; the directory keeps its own order.
        records: dict[str, bytes] = {}
        for entry in sorted(self._directory.entries, key=lambda e: e.start):
            if entry.name not in real:
                records[entry.name] = entry.moved(output.kept(entry))
                yield from self._copy(entry.start, entry.end - entry.start)
            elif (data := real[entry.name]) is not None:
                yield output.packed(entry.name, data, entry)
                records[entry.name] = output.records[-1]
        output.records = [records[e.name] for e in self._directory.entries if e.name in records]
        for name, data in real.items():
            if data is not None and name not in records:
                yield output.packed(name, data, None)
        yield output.directory(self._directory.comment)

    def _entry(self, name: str) -> Entry:
        try:
            return self._entries[name]
        except KeyError:
            raise NotFoundError(
                "no such entry in the archive", place=self.place.inside(name)
            ) from None

    def _same(self, name: str, data: bytes | None) -> bool:
        if data is None:
            self._entry(name)
            return False
        entry = self._entries.get(name)
        if entry is None or entry.size != len(data) or entry.crc != zlib.crc32(data):
            return False
        try:
            return entry.content(self._source) == data
        except VassalFormatError:
            return False

    def _copy(self, start: int, length: int) -> Iterator[bytes]:
        stop = start + length
        for at in range(start, stop, _COPY):
            yield self._source.read(at, min(_COPY, stop - at))


def build_archive(entries: Mapping[str, bytes], *, date: datetime | None = None) -> Iterator[bytes]:
    """The bytes of a new archive, piece by piece: the same entries always give the same bytes."""
    output = _Output(date, 0)
    for name, data in entries.items():
        yield output.packed(name, data, None)
    yield output.directory(b"")


class _Output:
    """Makes local entries and, at the end, the directory; `at` is where the next entry starts."""

    def __init__(self, date: datetime | None, prefix: int) -> None:
        self.at = prefix
        self.prefix = prefix
        self.records: list[bytes] = []
        self._stamp = _DOS_EPOCH if date is None else _dos_time(date)

    def packed(self, name: str, data: bytes, old: Entry | None) -> bytes:
        """A whole local entry; a replaced entry keeps the raw form of its name."""
        if old is None:
            check_name(name, Place())
            raw_name, flags, attributes = name.encode(), 0 if name.isascii() else UTF8, 0
        else:
            raw_name, flags = old.raw_name, old.flags & UTF8
            attributes = int.from_bytes(old.record[38:42], "little")
        packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
        body = packer.compress(data) + packer.flush()
        method = DEFLATED
        if len(body) >= len(data):
            body, method = data, STORED
        self._check_size(len(data), name)
        common = (_VERSION, flags, method, *self._stamp, zlib.crc32(data), len(body), len(data))
        local = LOCAL.pack(b"PK\x03\x04", *common, len(raw_name), 0) + raw_name + body
        offset = self.at - self.prefix
        self.records.append(
            CENTRAL.pack(
                b"PK\x01\x02", _VERSION, *common, len(raw_name), 0, 0, 0, 0, attributes, offset
            )
            + raw_name
        )
        self.at += len(local)
        return local

    def kept(self, entry: Entry) -> int:
        """Make room for an entry that is copied raw; how far it moves."""
        self._check_size(self.at, entry.name)
        shift = self.at - entry.start
        self.at += entry.end - entry.start
        return shift

    def directory(self, comment: bytes) -> bytes:
        """The central directory and the end record."""
        body = b"".join(self.records)
        count, offset = len(self.records), self.at - self.prefix
        if count >= _FULL16:
            raise OutputError(f"{count} entries are more than a VASSAL archive can hold")
        self._check_size(offset + len(body), "")
        return (
            body
            + END.pack(b"PK\x05\x06", 0, 0, count, count, len(body), offset, len(comment))
            + comment
        )

    def _check_size(self, size: int, name: str) -> None:
        if size >= _FULL32:
            raise OutputError(
                "more than the 4 GiB that an ordinary zip archive can hold",
                place=Place(entry=name or None),
            )


def _dos_time(date: datetime) -> tuple[int, int]:
    if not 1980 <= date.year <= 2107:
        raise OutputError(f"a zip archive cannot hold the year {date.year}")
    clock = date.hour << 11 | date.minute << 5 | date.second // 2
    return clock, (date.year - 1980) << 9 | date.month << 5 | date.day
