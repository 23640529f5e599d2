"""Labels of rows and columns, and the location formats that put them together."""

from __future__ import annotations

import re
from dataclasses import dataclass
from string import ascii_uppercase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

__all__ = ["Axis", "LocationFormat"]

_MAX_NAME = 200
_MAX_DIGITS = 10


@dataclass(frozen=True, slots=True)
class Axis:
    """How the columns or the rows are labelled: digits with leading zeros, or repeated letters."""

    alphabetic: bool = False
    leading: int = 1
    offset: int = 1
    descending: bool = False

    def label(self, index: int) -> str:
        """The label of a column or row, counted without the offset."""
        value = index + self.offset
        sign, size = ("-" if value < 0 else ""), abs(value)
        if self.alphabetic:
            return sign + ascii_uppercase[size % 26] * (size // 26 + 1)
        return f"{sign}{size:0{max(self.leading, 0) + 1}d}"

    def index(self, label: str) -> int | None:
        """The column or row that a label stands for, or None if it is no label of this kind.

        Like the engine, it accepts more leading zeros than `label` would write.
        """
        body = label.removeprefix("-")
        if self.alphabetic:
            if not body or body[0] not in ascii_uppercase or body.strip(body[0]):
                return None
            size = 26 * (len(body) - 1) + ascii_uppercase.index(body[0])
        else:
            if not re.fullmatch(f"[0-9]{{{max(self.leading, 0) + 1},}}", body):
                return None
            if len(body.lstrip("0")) > _MAX_DIGITS:
                return None
            size = int(body)
        return (-size if body != label else size) - self.offset


@dataclass(frozen=True, slots=True)
class LocationFormat:
    """A text with `$property$` parts, as VASSAL writes it."""

    parts: tuple[tuple[str, bool], ...]
    """Pieces of text, each with whether it is the name of a property."""

    @classmethod
    def parse(cls, text: str) -> LocationFormat:
        """Split at every `$` without a backslash; the last piece is never a property."""
        tokens = [piece.replace("\\$", "$") for piece in re.split(r"(?<!\\)\$", text)]
        tokens = [t[1:-1] if len(t) > 1 and t[0] == t[-1] == "'" else t for t in tokens]
        last = len(tokens) - 1
        return cls(tuple((t, i % 2 == 1 and i < last) for i, t in enumerate(tokens) if t))

    def fill(self, values: Mapping[str, str], *, keep_unknown: bool) -> str:
        """The text with the properties put in; an unknown one leaves its bare name, or nothing."""
        return "".join(
            values.get(part, part if keep_unknown else "") if is_property else part
            for part, is_property in self.parts
        )

    def expanded(self, name: str, parts: tuple[tuple[str, bool], ...]) -> LocationFormat:
        """With one property replaced by a sequence of parts."""
        return LocationFormat(
            tuple(
                new
                for part, is_property in self.parts
                for new in (parts if is_property and part == name else ((part, is_property),))
            )
        )

    def readings(
        self, text: str, accepts: Mapping[str, Callable[[str], bool]]
    ) -> Iterator[dict[str, str]]:
        """Every way to read a filled-in text, each property as long as possible first.

        `accepts` says for each property what its value may look like; others count as empty.
        """
        if len(text) <= _MAX_NAME:
            wanted = tuple(p for p in self.parts if not p[1] or p[0] in accepts)
            yield from _readings(wanted, text, accepts, {})


def _readings(
    parts: tuple[tuple[str, bool], ...],
    text: str,
    accepts: Mapping[str, Callable[[str], bool]],
    known: dict[str, str],
) -> Iterator[dict[str, str]]:
    if not parts:
        if not text:
            yield known
        return
    (part, is_property), rest = parts[0], parts[1:]
    if not is_property or part in known:
        written = known[part] if is_property else part
        if text.startswith(written):
            yield from _readings(rest, text[len(written) :], accepts, known)
        return
    for end in range(len(text), -1, -1):
        if accepts[part](text[:end]):
            yield from _readings(rest, text[end:], accepts, {**known, part: text[:end]})
