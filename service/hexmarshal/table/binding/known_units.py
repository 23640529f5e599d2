"""The units of a game's scenarios, found by what stands on a counter: numbers first, then words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from hexmarshal.table.binding.draft_names import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position

__all__ = ["KnownUnits"]

_PARTS: Final = re.compile(r"[0-9]+|[^\W\d_]+")
# What a number, or a word that is not only an initial, tells; less tells nobody who it is.
_TELLS: Final = 2
_INITIAL: Final = 2


class KnownUnits:
    """Units that are the same in every scenario that has them, by the words of their names."""

    def __init__(self, starts: Iterable[Position]) -> None:
        units: dict[str, Unit] = {}
        several: set[str] = set()
        for start in starts:
            for unit in start.units.values():
                first = units.setdefault(unit.id, unit)
                if (first.type, first.side) != (unit.type, unit.side):
                    several.add(unit.id)
        self.all = units
        self._words = {
            unit.id: (unit, _split(f"{unit.id} {' '.join(_texts(unit))}"))
            for unit in units.values()
            if unit.id not in several
        }

    def named(self, text: str, type: str, side: str) -> tuple[Unit, ...]:
        """Whom a text may mean: those that share most with it, and not more besides than others."""
        told = _split(text)
        best = _TELLS
        found: list[tuple[Unit, frozenset[str]]] = []
        for unit, own in self._words.values():
            if (type and unit.type != type) or (side and unit.side != side):
                continue
            weight = sum(map(_weight, told & own))
            if weight > best:
                best, found = weight, []
            if weight == best:
                found.append((unit, own))
        least = [unit for unit, own in found if not any(other < own for _, other in found)]
        return tuple(least)


def _texts(unit: Unit) -> Iterator[str]:
    """What is written on a counter."""
    return (value for value in unit.values.values() if isinstance(value, str))


def _split(text: str) -> frozenset[str]:
    """The words, and the numbers and letters of each; numbers without the zeros before them."""
    whole = words(text)
    parts = {part for word in whole for part in _PARTS.findall(word)}
    return frozenset(one.lstrip("0") if one.isdecimal() else one for one in {*whole, *parts})


def _weight(word: str) -> int:
    if any(map(str.isdecimal, word)):
        return _TELLS
    return _TELLS if len(word) > _INITIAL else 0
