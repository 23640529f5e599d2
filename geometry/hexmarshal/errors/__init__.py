"""The one error hierarchy: a stable code, a message for a person, the place and a hint."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import IntEnum
from typing import ClassVar

__all__ = [
    "BadInputError",
    "ExitCode",
    "GeometryError",
    "HexMarshalError",
    "MissingExtraError",
    "NotFoundError",
    "OutputError",
    "Place",
    "RulesError",
    "UsageError",
    "VassalFormatError",
]


class ExitCode(IntEnum):
    """What the `hexmarshal` command answers to the shell; the table in the README is this one."""

    OK = 0
    FINDINGS = 1
    USAGE = 2
    BAD_INPUT = 3
    NOT_FOUND = 4
    OUTPUT = 5
    UNAVAILABLE = 6
    BUG = 70
    INTERRUPTED = 130


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where something is wrong, from the outside (a file) to the inside (a hex or a unit).

    Of a workbook it is the sheet, the row by its number, and the column by its header.
    """

    file: str | None = None
    entry: str | None = None
    sheet: str | None = None
    line: int | None = None
    row: int | None = None
    column: str | None = None
    field: str | None = None
    cell: str | None = None
    unit: str | None = None

    def __str__(self) -> str:
        named = ((f.name, getattr(self, f.name)) for f in fields(self))
        parts = [str(v) if k == "file" else f"{k} {v}" for k, v in named if v is not None]
        return ", ".join(parts)

    def as_dict(self) -> dict[str, str | int]:
        """The known parts only, for JSON."""
        named = ((f.name, getattr(self, f.name)) for f in fields(self))
        return {k: v for k, v in named if v is not None}

    def within(self, outer: Place) -> Place:
        """This place with what it does not know taken from `outer`."""
        merged = {f.name: getattr(self, f.name) for f in fields(self)}
        for name, value in outer.as_dict().items():
            if merged[name] is None:
                merged[name] = value
        return Place(**merged)

    def inside(self, entry: str) -> Place:
        """The place of an entry of the archive that is here; it may lie in another one itself."""
        return Place(entry=f"{self.entry}/{entry}" if self.entry else entry).within(self)


class HexMarshalError(Exception):
    """Something a user can understand and mend. Anything else that escapes is a bug of ours."""

    code: ClassVar[str] = "error"
    exit_code: ClassVar[ExitCode] = ExitCode.BAD_INPUT

    def __init__(self, message: str, *, place: Place | None = None, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.place = place or Place()
        self.hint = hint

    def __str__(self) -> str:
        where = str(self.place)
        return f"{where}: {self.message}" if where else self.message

    def at(self, outer: Place) -> HexMarshalError:
        """Fill in what an outer layer knows about the place; returns self, to be raised again."""
        self.place = self.place.within(outer)
        return self

    def as_dict(self) -> dict[str, object]:
        """For `--json` and for status details."""
        return {
            "code": self.code,
            "message": self.message,
            "place": self.place.as_dict(),
            "hint": self.hint,
        }


class UsageError(HexMarshalError):
    """The command line or the call does not make sense."""

    code = "usage"
    exit_code = ExitCode.USAGE


class BadInputError(HexMarshalError):
    """A file or message that cannot be read as what it should be."""

    code = "bad-input"


class NotFoundError(HexMarshalError):
    """A file, game, rule, unit or hex that is not there."""

    code = "not-found"
    exit_code = ExitCode.NOT_FOUND


class OutputError(HexMarshalError):
    """The result cannot be written: it exists already, or the disk says no."""

    code = "output"
    exit_code = ExitCode.OUTPUT


class MissingExtraError(HexMarshalError):
    """An optional part of the distribution is not installed, or a service is not reachable."""

    code = "unavailable"
    exit_code = ExitCode.UNAVAILABLE


class GeometryError(BadInputError):
    """A grid, a cell, a shape or a cost that geometry cannot work with."""

    code = "geometry"


class VassalFormatError(BadInputError):
    """A VASSAL file that is damaged, hostile or of a kind that we do not know."""

    code = "vassal-format"


class RulesError(BadInputError):
    """A position, an action or a rulebook that breaks its schema."""

    code = "rules"
