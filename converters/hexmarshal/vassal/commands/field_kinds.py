"""Field kinds of commands: how one field goes between its text and its value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final

from hexmarshal.vassal import sequence

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "NULL",
    "FieldKind",
    "Flag",
    "HiddenNullable",
    "HiddenText",
    "Integer",
    "Integers",
    "Lines",
    "Nullable",
    "Rest",
    "SharedText",
    "SoftUserId",
    "Text",
    "UserId",
    "UserIds",
]

NULL: Final = "null"
_FLAGS: Final = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class FieldKind:
    """How one field goes between text and value; `secret` fields hold players' passwords.

    A `soft` secret may also be a plain name: it counts only if no roster knows it as one. A
    `shared` text is long and comes again and again: it is unescaped once and kept as one object.
    A `hidden` text may hold secrets somewhere inside: like a secret it is not shown in `repr`.
    A `loose` kind reads texts that it would write otherwise, so that each one must be tried.
    """

    name: str
    read: Callable[[str], Any] | None = None
    write: Callable[[Any], str] | None = None
    secret: bool = False
    soft: bool = False
    shared: bool = False
    hidden: bool = False
    loose: bool = False


@dataclass(frozen=True, slots=True)
class Rest:
    """A last field that takes all remaining elements."""

    name: str
    read: Callable[[list[str]], Any]
    write: Callable[[Any], list[str]]
    secret: bool = False
    soft: bool = False


def _read_integer(token: str) -> int:
    number = int(token) if len(token) <= 20 and token.isascii() else None
    if number is None or str(number) != token:
        raise ValueError
    return number


def _read_flag(token: str) -> bool:
    if token not in _FLAGS:
        raise ValueError
    return _FLAGS[token]


def _read_lines(token: str) -> str:
    return "\n".join(sequence.decode(token, "|"))


def _write_lines(text: str) -> str:
    return sequence.join(text.split("\n"), "|")


def _read_texts(tokens: list[str]) -> tuple[str, ...]:
    return () if tokens == [""] else tuple(tokens)


def _read_nullable_texts(tokens: list[str]) -> tuple[str, ...] | None:
    return None if tokens == [NULL] else _read_texts(tokens)


def _write_nullable_texts(values: tuple[str, ...] | None) -> list[str]:
    return [NULL] if values is None else list(values)


def _read_nullable(token: str) -> str | None:
    return None if token == NULL else token


def _write_nullable(value: str | None) -> str:
    return NULL if value is None else value


def _write_flag(value: object) -> str:
    return "true" if value else "false"


def _read_integers(tokens: list[str]) -> tuple[int, ...]:
    return tuple(_read_integer(token) for token in tokens)


def _write_integers(values: tuple[int, ...]) -> list[str]:
    return [str(value) for value in values]


Text = Annotated[str, FieldKind("text")]
HiddenText = Annotated[str, FieldKind("text", hidden=True)]
SharedText = Annotated[str, FieldKind("text", shared=True)]
UserId = Annotated[str, FieldKind("user id", secret=True)]
SoftUserId = Annotated[str, FieldKind("user id or name", secret=True, soft=True)]
Nullable = Annotated[str | None, FieldKind("text or null", _read_nullable, _write_nullable)]
HiddenNullable = Annotated[
    str | None, FieldKind("text or null", _read_nullable, _write_nullable, hidden=True)
]
Integer = Annotated[int, FieldKind("whole number", _read_integer, str)]
Flag = Annotated[bool, FieldKind("true or false", _read_flag, _write_flag)]
Lines = Annotated[str, FieldKind("lines", _read_lines, _write_lines, loose=True)]
UserIds = Annotated[
    "tuple[str, ...] | None",
    Rest("user ids", _read_nullable_texts, _write_nullable_texts, secret=True),
]
Integers = Annotated[tuple[int, ...], Rest("whole numbers", _read_integers, _write_integers)]
