"""Units named together by what they are: `the tanks`, `all three tanks`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position

__all__ = ["groups_of", "named_by_groups"]

_COUNTS: Final = {
    **{word: n for n, word in enumerate(("two", "three", "four", "five", "six"), 2)},
    **{str(n): n for n in range(2, 10)},
    "both": 2,
}
_SEVERAL: Final = 2
# Shorter words may mean anything.
_WORD: Final = re.compile(r"[^\W\d_]{4,}")


def groups_of(position: Position, titles: Mapping[str, str]) -> Mapping[str, tuple[Unit, ...]]:
    """The units on the map by words for many of them: by their type, and as their counters say."""
    found: dict[str, tuple[Unit, ...]] = {}
    for unit in position.units.values():
        if unit.cell:
            words = {unit.type.lower(), *_WORD.findall(titles.get(unit.id, "").lower())}
            for word in {f"{word.removesuffix('s')}s" for word in words}:
                found[word] = (*found.get(word, ()), unit)
    return {word: units for word, units in found.items() if len(units) >= _SEVERAL}


def named_by_groups(
    words: Sequence[str], groups: Mapping[str, tuple[Unit, ...]]
) -> Iterator[tuple[int, str]]:
    """Who is named so, each with the place of the word: all of a type in one place or in number."""
    for at, word in enumerate(words):
        # Tanks 01 and 03 are not all of them.
        numbered = "".join(words[at + 1 : at + 2]).isdecimal()
        units = () if numbered else groups.get(word, ())
        count = _COUNTS.get(words[at - 1], 0) if at else 0
        sides, cells = {one.side for one in units}, {one.cell for one in units}
        if count and count != len(units):
            here = [cell for cell in cells if sum(one.cell == cell for one in units) == count]
            units = tuple(one for one in units if one.cell in here)
            cells = {*here}
        if len(sides) == 1 and (len(cells) == 1 or count == len(units)):
            yield from ((at, one.id) for one in units)
