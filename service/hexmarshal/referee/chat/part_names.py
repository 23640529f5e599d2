"""Names that tell a part alone, where that is plain: `25th Guards`, `the trench`, `smg on Maxim`.

The number on a counter with the words that its letters stand for; works that lie on one cell only;
a kind of which only the other side has one, where somebody aims at it, or it aims at somebody; and
`the same hex`, which is what the others aimed at.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from hexmarshal.referee.chat.plain_words import WORD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from hexmarshal.rules.state.position import Position

__all__ = [
    "Numbered",
    "by_number",
    "by_works",
    "corrected",
    "numbers_of",
    "of_the_other",
    "the_same",
    "works_of",
]

_NUMBER: Final = re.compile(r"0*(\d+)(st|nd|rd|th)?")
_LETTERED: Final = re.compile(r"0*(\d+)([a-z]*)")
_WORD: Final = re.compile(r"[^\W_]+")
_LISTED: Final = frozenset({",", "and", "&", "+"})
_POINTING: Final = frozenset({"the", "that", "this"})
_AIMING: Final = frozenset({"at", "on", "onto", "upon", "against", "vs", "versus", "into", "->"})
# Mortar at the Maxim. No, the bunker then.
_NO: Final = re.compile(r"(?i)[.!?;:,]\s*(?:no|oops|sorry|wait)\s*[,.!:]")
_SAME: Final = "same"
_PLACES: Final = frozenset({"hex", "cell", "target", "place", "spot", "one", "again"})
# Shorter words may mean anything.
_SHORTEST: Final = 3
# So many words behind a number tell whose it is, with a list of numbers between them.
_WORDS: Final = 3
_BETWEEN: Final = 12


class Numbered(NamedTuple):
    """A unit with the letters that stand behind its number on the counter, and what it is."""

    unit: str
    letters: str
    kind: frozenset[str]


def numbers_of(position: Position, titles: Mapping[str, str]) -> Mapping[str, tuple[Numbered, ...]]:
    """The units on the map by their numbers."""
    found: dict[str, tuple[Numbered, ...]] = {}
    for unit in position.units.values():
        if not (unit.cell or unit.held_by()):
            continue
        first, *rest = _WORD.findall(titles.get(unit.id, "").lower()) or [""]
        given = _LETTERED.fullmatch(first) or _LETTERED.fullmatch(unit.id.lower().partition("-")[2])
        if given is not None:
            kind = frozenset((*rest, *unit.type.lower().split("_")))
            one = Numbered(unit.id, given[2], kind)
            found[given[1]] = (*found.get(given[1], ()), one)
    return found


def by_number(
    words: Sequence[str], numbers: Mapping[str, tuple[Numbered, ...]]
) -> Iterator[tuple[int, str]]:
    """Who is named by number, each with the place of that: the 24th and 25th Guards.

    By the number alone, only if it is said as one, and nobody else has it.
    """
    for at, word in enumerate(words):
        number = _NUMBER.fullmatch(word)
        some = () if number is None else numbers.get(number[1], ())
        if number is None or not some:
            continue
        behind = [*_behind(words, at)]
        fitting = [one for one in some if _fits(one, behind)]
        if not fitting and number[2] and not _is_of_others(behind, numbers):
            fitting = [*some]
        if len(fitting) == 1:
            yield at, fitting[0].unit


def _behind(words: Sequence[str], at: int) -> Iterator[str]:
    """What stands behind a number, or behind the list of numbers that it begins."""
    rest = list(words[at + 1 : at + _BETWEEN])
    while rest and any(_NUMBER.fullmatch(word) for word in rest[: 1 + (rest[0] in _LISTED)]):
        rest.pop(0)
    if not any(word.isdecimal() for word in rest[1:2]):
        # Behind tanks 01 stands a number of their own.
        yield from rest[:_WORDS]


def _fits(one: Numbered, behind: Sequence[str]) -> bool:
    """Whether words are what the letters on a counter stand for, or else what it is."""
    left, named = one.letters, False
    for word in behind:
        if word in one.kind or word.removesuffix("s") in one.kind:
            named = True
        some = _abbreviated(left, word)
        if not some:
            break
        left = left[some:]
    return not left and (bool(one.letters) or named)


def _abbreviated(letters: str, word: str) -> int:
    """How many of these letters stand for a word, in their order, the first one for the first."""
    if not letters or not word.startswith(letters[0]):
        return 0
    count, at = 0, 0
    while count < len(letters) and (at := word.find(letters[count], at)) >= 0:
        count, at = count + 1, at + 1
    return count


def _is_of_others(behind: Sequence[str], numbers: Mapping[str, tuple[Numbered, ...]]) -> bool:
    """Whether such words are said of other units: the 25th tanks are no guards."""
    return any(_fits(one, behind) for some in numbers.values() for one in some)


def works_of(position: Position) -> Mapping[str, str]:
    """The one cell with works of each kind, by words for that."""
    found: dict[str, set[str]] = {}
    for marker in position.markers.values():
        if marker.cell and not marker.unit:
            found.setdefault(marker.kind.lower().replace("_", " "), set()).add(marker.cell)
    return {kind: next(iter(cells)) for kind, cells in found.items() if len(cells) == 1}


def by_works(words: Sequence[str], works: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    """The cells that are named by what was built there: the trench."""
    for at, word in enumerate(words):
        if word in works and at and words[at - 1] in _POINTING:
            yield at, works[word]


def of_the_other(
    words: Sequence[str],
    named: Iterable[tuple[int, str]],
    position: Position,
    titles: Mapping[str, str],
) -> Iterator[tuple[int, str]]:
    """Who is meant by a word for several, if one side alone has just one of those.

    Somebody of the other side has to be named, and one of them aims at the other.
    """
    units = position.units
    places = {at: name for at, name in named if name in units}
    sides = {units[name].side for name in places.values()}
    aims = [at for at, word in enumerate(words) if word in _AIMING]
    if len(sides) != 1 or not aims:
        return
    for at, word in enumerate(words):
        apart = any(min(at, other) < aim < max(at, other) for other in places for aim in aims)
        if at in places or len(word) < _SHORTEST or not apart:
            continue
        some = [
            unit.id
            for unit in units.values()
            if (unit.cell or unit.held_by()) and unit.side not in sides
            if {word, word.removesuffix("s")}.intersection(
                _WORD.findall(f"{titles.get(unit.id, '')} {unit.type}".lower().replace("_", " "))
            )
        ]
        if len(some) == 1:
            yield at, some[0]


def the_same(
    words: Sequence[str],
    named: Iterable[tuple[int, str]],
    before: Sequence[str],
    position: Position,
) -> Iterator[tuple[int, str]]:
    """Whom and what others aimed at, by what was named `before`: 161 and 282 then, same hex."""
    units = position.units
    places = [at for at, one in pairwise(words) if at == _SAME and one in _PLACES]
    sides = {units[name].side for _, name in named if name in units}
    if not places or len(sides) != 1:
        return
    at = words.index(_SAME)
    own = {units[name].cell for name in before if name in units and units[name].side in sides}
    for name in before if own else ():
        if units[name].side not in sides if name in units else name not in own:
            yield at, name


def corrected(
    text: str,
    found: Callable[[Sequence[str]], Iterable[tuple[int, str]]],
    position: Position,
) -> str:
    """What somebody said who names another aim in the same line: without the one before it."""
    no = [*_NO.finditer(text)]
    units = position.units
    first, rest = (text[: no[-1].start()], text[no[-1].end() :]) if no else ("", "")
    words = [*WORD.finditer(first)]
    named = sorted(found([word[0].lower() for word in words]))
    instead = {name for _, name in found([word.lower() for word in WORD.findall(rest)])}
    if not named or not instead or named[0][1] not in units:
        return text
    side = units[named[0][1]].side
    own = [name for _, name in named if name in units and units[name].side == side]
    aims = [at for at, name in named if name not in own]
    if not aims or any(name in units and units[name].side == side for name in instead):
        return text
    return f"{' '.join(own)} {first[: words[aims[0]].start()]} {rest}"
