"""Where an archive's bytes come from: a file on disk, read piece by piece, or bytes in memory."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from hexmarshal.errors import BadInputError, NotFoundError, Place, VassalFormatError

if TYPE_CHECKING:
    from pathlib import Path

_SMALL: Final = 1 << 17

__all__ = ["BytesSource", "FileSource", "Source", "Window", "read_file"]


class Source(Protocol):
    """Random access to the bytes of an archive."""

    @property
    def size(self) -> int:
        """How many bytes there are."""

    @property
    def place(self) -> Place:
        """What to call it in an error."""

    def read(self, offset: int, length: int) -> bytes:
        """Exactly `length` bytes from `offset`, or a VassalFormatError."""


@dataclass(frozen=True, slots=True)
class BytesSource:
    """An archive in memory, such as a set-up inside a module."""

    data: bytes
    place: Place

    @property
    def size(self) -> int:
        """How many bytes there are."""
        return len(self.data)

    def read(self, offset: int, length: int) -> bytes:
        """Exactly `length` bytes from `offset`."""
        return _whole(self.data[offset : offset + length], length, self.place)


@dataclass(frozen=True, slots=True)
class FileSource:
    """A file that is opened for each read, so that nothing is held and it may be replaced.

    A small one is read at once, when it is opened: that takes less than to open it again.
    """

    path: Path
    place: Place
    size: int
    stamp: tuple[int, int, int]
    kept: bytes | None = None

    @classmethod
    def open(cls, path: Path) -> FileSource:
        """Note size and time of the file; of a big one nothing is read yet."""
        try:
            size, *_ = stamp = _stamp(path.stat())
            kept = None
            if size <= _SMALL:
                with path.open("rb", buffering=0) as file:
                    kept = file.read(size)
        except OSError as why:
            raise _unreadable(path, why) from why
        return cls(path, Place(file=str(path)), size, stamp, kept)

    def read(self, offset: int, length: int) -> bytes:
        """Exactly `length` bytes from `offset`; refuses when the file is no longer the same."""
        try:
            if self.kept is not None:
                self._check(self.path.stat())
                data = self.kept[offset : offset + length]
            else:
                # Without a buffer, for it is one look only.
                with self.path.open("rb", buffering=0) as file:
                    self._check(os.fstat(file.fileno()))
                    file.seek(offset)
                    data = file.read(length)
        except OSError as why:
            raise _unreadable(self.path, why) from why
        return data if len(data) == length else _whole(data, length, self.place)

    def _check(self, found: os.stat_result) -> None:
        if _stamp(found) != self.stamp:
            raise VassalFormatError(
                "changed on disk after it was opened", place=self.place, hint="open it again"
            )


class Window:
    """Another source seen through a part of it that is kept: for small reads from front to back."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._start = 0
        self._kept = b""

    @property
    def place(self) -> Place:
        """What to call it in an error."""
        return self._source.place

    @property
    def size(self) -> int:
        """How many bytes there are."""
        return self._source.size

    def read(self, offset: int, length: int) -> bytes:
        """Exactly `length` bytes from `offset`."""
        at = offset - self._start
        if at < 0 or at + length > len(self._kept):
            self._start, at = offset, 0
            most = max(length, min(_SMALL, self.size - offset))
            self._kept = self._source.read(offset, most)
        return self._kept[at : at + length]


def read_file(path: Path) -> bytes:
    """All of a file, with our own errors."""
    try:
        return path.read_bytes()
    except OSError as why:
        raise _unreadable(path, why) from why


def _stamp(found: os.stat_result) -> tuple[int, int, int]:
    return found.st_size, found.st_mtime_ns, found.st_ino


def _whole(data: bytes, length: int, place: Place) -> bytes:
    if len(data) != length:
        raise VassalFormatError("the file ends too early", place=place)
    return data


def _unreadable(path: Path, why: OSError) -> BadInputError | NotFoundError:
    place = Place(file=str(path))
    if isinstance(why, FileNotFoundError):
        return NotFoundError("no such file", place=place)
    return BadInputError(f"cannot be read: {why.strerror or why}", place=place)
