"""What names tell: which type, side or phase is meant, and the names that a binding may use."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from hexmarshal.table.side_names import side_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.rules.plugin import Game

__all__ = ["best", "side_of", "sides_named", "vocabulary", "words"]

_WORDS: Final = re.compile(r"[^\W_]+")
_WIDE: Final = 96


def words(text: str) -> frozenset[str]:
    """The words of a name, in any script; numbers are words too."""
    return frozenset(_WORDS.findall(text.casefold()))


def best(found: frozenset[str], named: Iterable[tuple[str, str]]) -> str:
    """The key that shares most words, if only one does; numbers alone tell nothing.

    Of several it is the one that has no words besides.
    """
    scores = [(_shared(found & words(text)), key, words(text) <= found) for key, text in named]
    most = max((score for score, *_ in scores), default=(0, 0))
    keys = [(key, whole) for score, key, whole in scores if score == most]
    if len(keys) > 1:
        keys = [(key, whole) for key, whole in keys if whole]
    return keys[0][0] if most[0] and len(keys) == 1 else ""


def _shared(common: frozenset[str]) -> tuple[int, int]:
    numbers = sum(word.isdecimal() for word in common)
    return len(common) - numbers, numbers


def sides_named(game: Game) -> list[tuple[str, str]]:
    """The sides with all that people call them, in several languages."""
    found = {side.key: f"{side.key} {side.title}" for side in game.sides}
    for word, side in side_words(game).items():
        found[side] += f" {word}"
    return list(found.items())


def side_of(name: str, game: Game) -> str:
    """The side that a seat or a counter names, if only one does."""
    return best(words(name), sides_named(game))


def vocabulary(game: Game) -> Iterator[str]:
    """Comments with the names that a binding may use, as the rules spell them."""
    parts = (
        ("unit types", (kind.key for kind in game.unit_types)),
        ("flags of units (`flags`)", (flag.key for flag in game.flags or ())),
        ("values of units (`values`)", (value.name for value in game.attributes)),
        ("kinds of markers", (kind.key for kind in game.markers)),
        ("tracks", (track.key for track in game.tracks)),
        ("actions, for `drags`", (kind for kind in game.actions)),
    )
    for title, names in parts:
        text = ", ".join(names)
        yield from _listed(f"{title}: {text}") if text else ()


def _listed(text: str) -> Iterator[str]:
    line = "#"
    for word in text.split():
        if len(line) + len(word) >= _WIDE:
            yield line
            line = "#  "
        line += f" {word}"
    yield line
