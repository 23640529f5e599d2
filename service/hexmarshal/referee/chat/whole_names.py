"""Names as they stand: what a unit, a cell or a counter is called, whole or by its first words."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from hexmarshal.referee.chat.plain_words import WORD

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["handles", "numbered", "titled", "whole_names", "words_of"]

_ORDINAL: Final = re.compile(r"(\d+)(?:st|nd|rd|th)")
_NUMBER: Final = re.compile(r"0*(\d+)")
_SHORT_WORD: Final = 3
# So many words of what stands on a counter are looked at.
_TITLE: Final = 4
# So long is a list of numbers, with what joins them.
_LISTED: Final = 12
_JOINED: Final = frozenset({",", "and", "&", "+"})
# A single digit may be anything: a number of points, of steps, of attacks.
_SHORTEST: Final = 2


def words_of(text: str) -> list[str]:
    """The words of a line, in small letters."""
    return [word.lower() for word in WORD.findall(text)]


def whole_names(
    words: Sequence[str], known: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[int, str]]:
    """What is named, each with the place of its first word."""
    for at, (one, other) in enumerate(pairwise((*words, ""))):
        first, second = _plain(one), _plain(other)
        pairs = [(first, second)]
        behind = "".join(words[at + 2 : at + 3])
        if (first != one or len(first) >= _SHORTEST) and not behind.isdecimal():
            # The 2nd guards are not 2 guards; and rifle 03, tanks 01 are no tanks of number 3.
            pairs.append((second, first))
        called = (
            f"{name}-{of}"
            for a, b in pairs
            for name in (a, a.removesuffix("s"))
            for of in dict.fromkeys((b, _unled(b)))
        )
        titles = (" ".join((first, *words[at + 1 : at + n])) for n in range(2, _TITLE + 1))
        nouns = *_noun_behind(words, at), *_noun_before(words, at)
        listed = [f"{of}-{n}" for of in nouns for n in (first, _unled(first))]
        names = dict.fromkeys((first, *called, *titles, *listed))
        single = [word for word in names if word in known]
        # The 23rd is a formation where nobody alone is called so.
        together = [f"{first}th"] if first != one and not single else []
        for word in (*single, *together):
            yield from ((at, name) for name in known.get(word, ()))


def _noun_behind(words: Sequence[str], at: int) -> Iterator[str]:
    """What a list of numbers is of that begins here: 01, 02 and 03 tanks."""
    if not _plain(words[at]).isdecimal():
        return
    for number, word in enumerate(words[at + 1 : at + _LISTED]):
        if word not in _JOINED and not _plain(word).isdecimal():
            # The 01 tanks are the tanks of number 1; behind them may stand numbers of its own.
            own = "".join(words[at + number + 2 : at + number + 3]).isdecimal()
            if not own and (number or words[at].startswith("0")):
                yield from (word, word.removesuffix("s"))
            return


def _noun_before(words: Sequence[str], at: int) -> Iterator[str]:
    """What a list of numbers is of that goes on here: tanks 01, 02 and 03."""
    if not words[at].isdecimal():
        return
    for before, word in enumerate(reversed(words[max(0, at - _LISTED) : at])):
        if word not in _JOINED and not word.isdecimal():
            if before and words[at - before].isdecimal():
                yield from (word, word.removesuffix("s"))
            return


def _unled(number: str) -> str:
    """A number without the noughts before it."""
    return number.lstrip("0") or number


def _plain(word: str) -> str:
    found = _ORDINAL.fullmatch(word)
    return found[1] if found is not None else word


def handles(name: str) -> Iterator[str]:
    """What somebody may be called: by the whole name, or by what stands behind its first part."""
    low = name.lower()
    yield low
    _, _, last = low.partition("-")
    if len(last) >= _SHORTEST:
        yield last


def numbered(name: str, kind: str) -> Iterator[str]:
    """The 3rd rifles are rif-03, and the 10th tanks are su-10tk."""
    first, _, last = name.lower().partition("-")
    number = _NUMBER.match(last)
    if number is not None:
        yield from (f"{one}-{number[1]}" for one in (first, kind.lower().removesuffix("s")))


def titled(title: str) -> Iterator[str]:
    """The first words of what stands on a counter, two of them at least: 13 G guards, or 13G.

    Or any one of them that no other counter has: the HMG, the MG34.
    """
    words = words_of(title)
    some = words[:_TITLE]
    yield from (" ".join(some[:n]) for n in range(2, len(some) + 1))
    if words[0].isdecimal() and len("".join(words[1:2])) == 1:
        yield "".join(words[:2])
    yield from {word for word in words if not word.isdecimal() and len(word) >= _SHORT_WORD}
