"""Takes known user ids out of texts, in whatever escaping they stand."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["NOBODY", "Redactor", "names_in"]

NOBODY: Final = ("", "null")
# A shorter id is replaced where it is known to be one, but not sought elsewhere.
_SEEKABLE: Final = 3
# A shorter id is sought as a word: inside of words it is more likely to be a part of them.
_DISTINCT: Final = 6
# Sequences escape their delimiter once a level: any number of backslashes may stand before one.
_DELIMITERS: Final = "\t;/,|:~\x1b"
_STEMS: Final = ("player-", "seat-", "anybody-", "q-")
_NAME: Final = re.compile(rf"(?:{'|'.join(_STEMS)})\d{{1,9}}")
_NUMBER: Final = re.compile(r"[0-9.,:+-]+")


def names_in(text: str) -> set[str]:
    """What looks like a replacement in a text already, so that none is used for two players."""
    return set(_NAME.findall(text))


class Redactor:
    """Replaces every known user id in a text by a name that tells nothing.

    An id of six letters or more is replaced wherever it stands; a shorter one where it is a word
    of its own; one of one or two letters only by `rename`, where it is known to be an id.
    """

    def __init__(self, ids: Iterable[str], taken: Iterable[str] = ()) -> None:
        users = [user for user in dict.fromkeys(ids) if user not in NOBODY]
        self._names = _names(users, {*taken, *users})
        sought = sorted((u for u in users if len(u) >= _SEEKABLE), key=lambda u: (-len(u), u))
        self._everywhere = _Search([u for u in sought if not _NUMBER.fullmatch(u)], self._names)
        self._in_prose = _Search(sought, self._names)

    @property
    def ids(self) -> frozenset[str]:
        """The ids that this redactor hides."""
        return frozenset(self._names)

    @property
    def unsought(self) -> int:
        """How many ids are too short, or too much like a number, to be sought everywhere."""
        return len(self._names) - len(self._everywhere)

    def rename(self, id: str) -> str:
        """The replacement of one id; what is no id stays."""
        return self._names.get(id, id)

    def __call__(self, text: str) -> str:
        """The text without any user id; for what people wrote or read."""
        return self._in_prose.replaced(text)

    def in_data(self, text: str) -> str:
        """The same for texts that hold coordinates and counts: ids that are numbers stay there."""
        return self._everywhere.replaced(text)

    def __repr__(self) -> str:
        return f"<Redactor of {len(self._names)} ids>"


class _Search:
    """One expression for some ids, longest first, with a quick look whether it is worth using."""

    def __init__(self, users: list[str], names: dict[str, str]) -> None:
        self._replacements = [names[user] for user in users]
        self._marks = [max(re.split(rf"[\\{_DELIMITERS}]", user), key=len) for user in users]
        parts = (f"({_form(user)})" for user in users)
        self._regex = re.compile("|".join(parts)) if users else None

    def __len__(self) -> int:
        return len(self._replacements)

    def replaced(self, text: str) -> str:
        """The text with every id replaced."""
        if self._regex is None or not any(mark in text for mark in self._marks):
            return text
        return self._regex.sub(lambda found: self._replacements[(found.lastindex or 1) - 1], text)


def _names(users: list[str], taken: set[str]) -> dict[str, str]:
    stem = next((s for s in _STEMS if not any(user in s for user in users)), _STEMS[-1])
    names: dict[str, str] = {}
    number = 0
    for user in users:
        number += 1
        while f"{stem}{number}" in taken:
            number += 1
        names[user] = f"{stem}{number}"
    return names


def _form(user: str) -> str:
    body = "".join(rf"\\*{re.escape(c)}" if c in _DELIMITERS else re.escape(c) for c in user)
    return _edge(user[0], user, "(?<!{})") + body + _edge(user[-1], user, "(?!{})")


def _edge(letter: str, user: str, look: str) -> str:
    """What must not stand beside an id: it would be a part of a longer word or number."""
    if len(user) < _DISTINCT and letter.isalnum():
        return look.format(r"[^\W_]")
    return look.format("[0-9]") if letter.isdigit() else ""
