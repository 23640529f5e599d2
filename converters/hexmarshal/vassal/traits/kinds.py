"""Field kinds: how one field of a trait, a state or a deck is read from its text and written to it.

A declaration annotates each field with one of the names below (`command: Text = ""`). A kind takes
one part of the sequence; the shapes at the end take several.
"""

# ruff: noqa: ANN401 - the engine hands values of every type through one kind of door
from __future__ import annotations

import decimal
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias

from hexmarshal.vassal import sequence, values
from hexmarshal.vassal.sequence import java_double, java_int

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "Access",
    "Boolean",
    "Char",
    "Commands",
    "Counted",
    "CountedIds",
    "Decimal",
    "DeckIds",
    "Expr",
    "Format",
    "Image",
    "Images",
    "Integer",
    "Key",
    "Keys",
    "PartKind",
    "LastText",
    "Layer",
    "Levels",
    "Limits",
    "MapName",
    "MarkerSpec",
    "Omitted",
    "Outline",
    "OwnerOrNone",
    "Pairs",
    "Params",
    "PieceIds",
    "Points",
    "RawOwner",
    "RawOwnerOrNone",
    "RawText",
    "Shade",
    "Shape",
    "Sheet",
    "Sound",
    "StackIds",
    "Steps",
    "Strings",
    "Style",
    "Target",
    "Text",
    "Texts",
    "UpTo",
    "UserIds",
    "Verbatim",
    "java_text",
]


@dataclass(frozen=True, slots=True, eq=False)
class PartKind:
    """One part: `read(token, default)` and `write(value)`; the code is the one of the reference."""

    code: str
    read: Callable[[str, Any], Any]
    write: Callable[[Any], str]

    def take(self, parts: list[str], at: int, delimiter: str, default: Any) -> tuple[Any, int]:
        """The value of the part at `at`, and where the next field begins."""
        return self.read(sequence.unescape(parts[at], delimiter), default), at + 1

    def give(self, value: Any, delimiter: str) -> list[str]:
        """The parts that hold this value."""
        return [sequence.escape(self.write(value), delimiter)]


def java_text(number: float) -> str:
    """A decimal number as Java writes it: `64.0`, `0.3`, `1.0E-5`."""
    if not math.isfinite(number):
        return "NaN" if math.isnan(number) else f"{'-' if number < 0 else ''}Infinity"
    shortest = repr(number)
    if number == 0 or 1e-3 <= abs(number) < 1e7:
        return shortest
    mantissa, exponent = decimal.Decimal(shortest).as_tuple()[1:]
    digits = "".join(map(str, mantissa)).rstrip("0")
    power = len(mantissa) + int(exponent) - 1
    return f"{'-' if number < 0 else ''}{digits[0]}.{digits[1:] or '0'}E{power}"


def _integer(token: str, default: int) -> int:
    if len(token) < 10 and token.isdigit() and token.isascii():
        return int(token)
    number = java_int(token)
    return default if number is None else number


def _decimal(token: str, default: float) -> float:
    number = java_double(token)
    return default if number is None else number


def _strings(token: str, _: object) -> tuple[str, ...]:
    return tuple(sequence.decode(token, ",")) if token else ()


def _exact(code: str, cls: type[values.ExactText]) -> PartKind:
    # Most fields hold their default: sharing it keeps thousands of pieces small.
    return PartKind(
        code,
        lambda token, default: default if token == default.text else cls(token),
        lambda value: value.text,
    )


def _joined(texts: tuple[str, ...]) -> str:
    return sequence.join(texts, ",")


def _plain(code: str) -> PartKind:
    return PartKind(code, lambda token, _: token, str)


def _none_as(code: str, none: str) -> PartKind:
    return PartKind(
        code,
        lambda token, _: None if token == none else token,
        lambda value: none if value is None else value,
    )


_PIECE_ID: Final = _plain("PIECE")
_TEXT: Final = _plain("S")

Text: TypeAlias = Annotated[str, _TEXT]
Integer: TypeAlias = Annotated[int, PartKind("I", _integer, str)]
Decimal: TypeAlias = Annotated[float, PartKind("F", _decimal, java_text)]
Boolean: TypeAlias = Annotated[
    bool, PartKind("B", lambda text, _: text == "true", lambda value: "true" if value else "false")
]
Char: TypeAlias = Annotated[str, PartKind("CHAR", lambda token, default: token[:1] or default, str)]
Strings: TypeAlias = Annotated[tuple[str, ...], PartKind("A", _strings, _joined)]
Image: TypeAlias = Annotated[str, _plain("IMAGE")]
Images: TypeAlias = Annotated[tuple[str, ...], PartKind("IMAGES", _strings, _joined)]
Sound: TypeAlias = Annotated[values.FormattedText, _exact("SOUND", values.FormattedText)]
Key: TypeAlias = Annotated[values.KeyStroke, _exact("K", values.KeyStroke)]
Keys: TypeAlias = Annotated[values.KeyStrokes, _exact("KA", values.KeyStrokes)]
Shade: TypeAlias = Annotated[values.Colour, _exact("C", values.Colour)]
Format: TypeAlias = Annotated[values.FormattedText, _exact("FS", values.FormattedText)]
Expr: TypeAlias = Annotated[values.Expression, _exact("PE", values.Expression)]
Access: TypeAlias = Annotated[values.PieceAccess, _exact("ACCESS", values.PieceAccess)]
Target: TypeAlias = Annotated[values.GlobalCommandTarget, _exact("TGT", values.GlobalCommandTarget)]
Commands: TypeAlias = Annotated[values.PropertyCommands, _exact("PCL", values.PropertyCommands)]
Limits: TypeAlias = Annotated[values.Constraints, _exact("CONSTRAINTS", values.Constraints)]
Params: TypeAlias = Annotated[values.Parameters, _exact("PARAM", values.Parameters)]
Style: TypeAlias = Annotated[values.MaskStyle, _exact("STYLE", values.MaskStyle)]
Sheet: TypeAlias = Annotated[values.SheetFields, _exact("SHEET", values.SheetFields)]
MarkerSpec: TypeAlias = Annotated[str, _plain("MARKER")]
MapName: TypeAlias = Annotated[str | None, _none_as("MAP", "null")]
PieceIds: TypeAlias = Annotated[tuple[str, ...], PartKind("PIECES", _strings, _joined)]
# What identifies a player is that player's VASSAL password: never shown, found by these codes.
OwnerOrNone: TypeAlias = Annotated[str | None, _none_as("OWNER", "null")]
UserIds: TypeAlias = Annotated[str, _plain("OWNERS")]


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """A field of several parts, each of one kind; this base takes all that are left."""

    kind: PartKind = _TEXT
    code: str = "REST"

    def take(self, parts: list[str], at: int, delimiter: str, default: Any) -> tuple[Any, int]:
        """The members found from `at` on, and where the next field begins."""
        end = self.end(parts, at)
        read, unescape = self.kind.read, sequence.unescape
        found = tuple(read(unescape(part, delimiter), default) for part in parts[at:end])
        return found, end

    def end(self, parts: list[str], _at: int) -> int:
        """Where the members end."""
        return len(parts)

    def give(self, value: Any, delimiter: str) -> list[str]:
        """The parts that hold these members."""
        return [sequence.escape(self.kind.write(member), delimiter) for member in value]


@dataclass(frozen=True, slots=True, eq=False)
class UpTo(Shape):
    """Members up to the first part that begins with a mark."""

    code: str = "UPTO"
    mark: str = ""

    def end(self, parts: list[str], at: int) -> int:
        """The place of the mark, or the end."""
        return next(
            (i for i in range(at, len(parts)) if parts[i].startswith(self.mark)), len(parts)
        )


@dataclass(frozen=True, slots=True, eq=False)
class Counted(Shape):
    """A count, then that many members of `width` parts each (a tuple each if more than one)."""

    code: str = "COUNTED"
    width: int = 1

    def take(self, parts: list[str], at: int, delimiter: str, default: Any) -> tuple[Any, int]:
        """As many whole members as there are, if the count promises more."""
        if parts[at] == "0":
            return (), at + 1
        count = max(java_int(parts[at]) or 0, 0)
        count = min(count, (len(parts) - at - 1) // self.width)
        end = at + 1 + count * self.width
        read, unescape = self.kind.read, sequence.unescape
        found = [read(unescape(part, delimiter), default) for part in parts[at + 1 : end]]
        if self.width == 1:
            return tuple(found), end
        return tuple(zip(*(found[i :: self.width] for i in range(self.width)), strict=True)), end

    def give(self, value: Any, delimiter: str) -> list[str]:
        """The count and the members."""
        members = value if self.width == 1 else [text for member in value for text in member]
        # Named, because a slotted dataclass has no usable zero-argument super().
        return [str(len(value)), *Shape.give(self, members, delimiter)]


@dataclass(frozen=True, slots=True, eq=False)
class Omitted(Shape):
    """One part at the end that is left out when the value is empty."""

    code: str = "OMITTED"

    def take(self, parts: list[str], at: int, delimiter: str, default: Any) -> tuple[Any, int]:
        """As the kind alone."""
        return self.kind.take(parts, at, delimiter, default)

    def give(self, value: Any, delimiter: str) -> list[str]:
        """Nothing, or the one part."""
        return self.kind.give(value, delimiter) if value not in (None, "", ()) else []


@dataclass(frozen=True, slots=True, eq=False)
class Verbatim(Shape):
    """All that is left as one text that is neither split nor escaped; `none` stands for no value.

    A state without delimiters of its own is such a text, whatever a player's id or a label holds.
    """

    code: str = "RAW"
    none: str | None = None

    def take(self, parts: list[str], at: int, delimiter: str, _default: Any) -> tuple[Any, int]:
        """The rest as it stands."""
        text = delimiter.join(parts[at:])
        return (None if text == self.none else text), len(parts)

    def give(self, value: Any, _delimiter: str) -> list[str]:
        """The text as it is."""
        return [(self.none or "") if value is None else value]


def _layer(token: str, default: int | None) -> int | None:
    number = java_int(token[2:])
    return default if number is None else number


RawText: TypeAlias = Annotated[str, Verbatim()]
RawOwner: TypeAlias = Annotated[str, Verbatim(code="OWNER")]
RawOwnerOrNone: TypeAlias = Annotated[str | None, Verbatim(code="OWNER", none="null")]
Outline: TypeAlias = Annotated[str, Verbatim(code="OUTLINE")]
Levels: TypeAlias = Annotated[tuple[str, ...], Shape(code="LEVELS")]
Texts: TypeAlias = Annotated[tuple[str, ...], Shape()]
Pairs: TypeAlias = Annotated[tuple[tuple[str, str], ...], Counted(width=2)]
Points: TypeAlias = Annotated[
    tuple[tuple[int, int], ...], Counted(kind=PartKind("I", _integer, str), width=2)
]
Steps: TypeAlias = Annotated[tuple[str, ...], Counted()]
CountedIds: TypeAlias = Annotated[tuple[str, ...], Counted(kind=_PIECE_ID)]
StackIds: TypeAlias = Annotated[tuple[str, ...], UpTo(kind=_PIECE_ID, mark="@@")]
DeckIds: TypeAlias = Annotated[tuple[str, ...], Omitted(kind=PartKind("PIECES", _strings, _joined))]
LastText: TypeAlias = Annotated[str, Omitted()]
Layer: TypeAlias = Annotated[
    int | None, Omitted(kind=PartKind("LAYER", _layer, lambda value: f"@@{value}"))
]
