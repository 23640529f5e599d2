r"""The sequence encoding that every VASSAL string is made of: a list joined by one delimiter.

Only the delimiter is escaped (by a backslash), never the backslash itself, so a sequence has two
layers here: `split` and `str.join` are exact on any text, `encode` and `decode` speak of values.

>>> encode(["a", "b,c"], ",")
'a,b\\,c'
>>> decode(r"a,b\,c", ",")
['a', 'b,c']
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = [
    "SequenceReader",
    "decode",
    "encode",
    "escape",
    "is_representable",
    "join",
    "java_double",
    "java_int",
    "split",
    "unescape",
]

_INT: Final = re.compile(r"[+-]?[0-9]+")
_DOUBLE: Final = re.compile(
    r"[\x00-\x20]*([+-]?(?:NaN|Infinity|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?))"
    r"[dDfF]?[\x00-\x20]*"
)
_INT_DIGITS: Final = 10


def escape(token: str, delimiter: str) -> str:
    """One element as it stands between two delimiters."""
    if not token:
        return token
    body = token.replace(delimiter, "\\" + delimiter) if delimiter in token else token
    first = token[0]
    # A leading backslash would hide the delimiter before it, a quoted text would lose its quotes.
    if first == "\\" or (first == "'" and token[-1] == "'"):
        return f"'{body}'"
    return body


def unescape(part: str, delimiter: str) -> str:
    """The element that stands between two delimiters."""
    if delimiter in part:
        part = part.replace("\\" + delimiter, delimiter)
    if len(part) > 1 and part[0] == "'" and part[-1] == "'":
        return part[1:-1]
    return part


def encode(tokens: Iterable[str | None], delimiter: str) -> str | None:
    """A list as one text; an empty list has no value, a list of one empty text has the empty text.

    An element that ends in a backslash swallows the delimiter behind it, as in VASSAL itself:
    ask `is_representable` first where that matters.
    """
    parts = [escape(token, delimiter) if token else "" for token in tokens]
    return delimiter.join(parts) if parts else None


def join(tokens: Iterable[str | None], delimiter: str) -> str:
    """A list as one text, where an empty list is written as the empty text."""
    return encode(tokens, delimiter) or ""


def split(value: str, delimiter: str, start: int = 0) -> list[str]:
    """The parts between unescaped delimiters from `start`, exactly as written.

    A long text has few delimiters: going from one to the next beats splitting and joining.
    """
    if "\\" not in value:
        return value[start:].split(delimiter)
    parts: list[str] = []
    at = value.find(delimiter, start)
    while at >= 0:
        if at == start or value[at - 1] != "\\":
            parts.append(value[start:at])
            start = at + 1
        at = value.find(delimiter, at + 1)
    parts.append(value[start:])
    return parts


def decode(value: str | None, delimiter: str, start: int = 0) -> list[str]:
    """The elements of a text from `start`; no value has none, an empty text one empty element."""
    if value is None:
        return []
    escaped = "\\" in value
    parts = _unescaped(value, delimiter, start) if escaped else value[start:].split(delimiter)
    if "'" not in value:
        return parts
    return [
        part[1:-1] if len(part) > 1 and part[0] == "'" and part[-1] == "'" else part
        for part in parts
    ]


def _unescaped(value: str, delimiter: str, start: int) -> list[str]:
    """The elements with their quotes: going from delimiter to delimiter, as in `split`."""
    parts: list[str] = []
    inside: list[str] = []
    at = value.find(delimiter, start)
    while at >= 0:
        if value[at - 1] == "\\" and at > start:
            inside.append(value[start : at - 1])
        elif inside:
            parts.append(delimiter.join([*inside, value[start:at]]))
            inside.clear()
        else:
            parts.append(value[start:at])
        start = at + 1
        at = value.find(delimiter, start)
    parts.append(delimiter.join([*inside, value[start:]]) if inside else value[start:])
    return parts


def is_representable(tokens: Sequence[str | None]) -> bool:
    """Whether decoding what `encode` writes gives these elements back, for any delimiter."""
    return not any(
        token and token[-1] == "\\" and token[0] != "\\" for token in tokens[: len(tokens) - 1]
    )


def java_int(text: str) -> int | None:
    """What Java reads as a 32-bit integer, or None."""
    if len(text) < _INT_DIGITS and text.isdigit() and text.isascii():
        return int(text)
    if len(text) <= _INT_DIGITS + 1 and _INT.fullmatch(text):
        number = int(text)
        if -0x80000000 <= number <= 0x7FFFFFFF:
            return number
    return None


def java_double(text: str) -> float | None:
    """What Java reads as a decimal number (hexadecimal floats apart), or None."""
    found = _DOUBLE.fullmatch(text)
    return float(found[1]) if found else None


class SequenceReader:
    """Elements taken one by one as a typed value; a missing one gives the default.

    A number that does not parse gives the default too: that is how VASSAL reads old files.
    """

    __slots__ = ("_at", "_tokens")

    def __init__(self, value: str | None, delimiter: str) -> None:
        self._tokens = decode(value, delimiter)
        self._at = 0

    @property
    def has_more(self) -> bool:
        """Whether an element is left."""
        return self._at < len(self._tokens)

    def rest(self) -> list[str]:
        """All elements that are left."""
        left, self._at = self._tokens[self._at :], len(self._tokens)
        return left

    def text(self, default: str = "") -> str:
        """The element as it is."""
        if self._at >= len(self._tokens):
            return default
        self._at += 1
        return self._tokens[self._at - 1]

    def optional(self, default: str | None = None) -> str | None:
        """A colour or a key stroke: an empty element is none, whatever the default."""
        return (self.text() or None) if self.has_more else default

    def integer(self, default: int = 0) -> int:
        """A 32-bit integer."""
        number = java_int(self.text())
        return default if number is None else number

    def decimal(self, default: float = 0.0) -> float:
        """A decimal number."""
        number = java_double(self.text())
        return default if number is None else number

    def boolean(self, default: bool = False) -> bool:
        """Exactly `true` is true, anything else is false."""
        return self.text() == "true" if self.has_more else default

    def char(self, default: str = "") -> str:
        """The first character."""
        return self.text()[:1] or default

    def strings(self, *, at_least: int = 0) -> list[str | None]:
        """A nested list; an empty element has no members; padded with None."""
        token = self.text()
        found: list[str | None] = [*decode(token, ",")] if token else []
        return found + [None] * (at_least - len(found))
