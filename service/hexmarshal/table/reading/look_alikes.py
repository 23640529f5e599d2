"""Counters that look alike: which unit of the scenario each of them stands for.

Where nothing on a counter tells it from others of its kind, the binding calls it `{any}` unit of
its type and side. Which one it is tells the place where it lies when the game begins; from then on
the piece itself is known.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from hexmarshal.errors.counts import counted, some

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.reading.sightings import UnitSighting

__all__ = ["ANY", "LookAlikes", "fits"]

ANY: Final = "{any}"
"""The id of a unit that is any of its type and side."""
# So many units are named in one line.
_NAMED: Final = 6
_Kind = tuple[str, str]


class LookAlikes:
    """The names of such pieces; `guessed` are units that nothing but their order tells apart."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._free: dict[_Kind, list[str]] = {}
        self.guessed: tuple[str, ...] = ()

    @property
    def known(self) -> bool:
        """Whether there are such pieces."""
        return bool(self._names)

    def call(self, piece: str, unit: str) -> None:
        """Say which unit a piece is."""
        self._names[piece] = unit

    def name(self, piece: str, kind: _Kind) -> str:
        """The unit that a piece is: of one that comes new, the next that nobody is yet."""
        found = self._names.get(piece, "")
        if not found and self._free.get(kind):
            found = self._names[piece] = self._free[kind].pop(0)
        return found

    def tell_apart(self, alike: Sequence[UnitSighting], base: Position, others: set[str]) -> None:
        """Name those that have no name yet; `others` are units whose counters tell who they are."""
        taken = {*others, *self._names.values()}
        units: dict[_Kind, list[Unit]] = {}
        for unit in base.units.values():
            if unit.id not in taken:
                units.setdefault((unit.type, unit.side), []).append(unit)
        pieces: dict[_Kind, list[UnitSighting]] = {}
        for seen in alike:
            if seen.piece not in self._names:
                pieces.setdefault((seen.type, seen.side), []).append(seen)
        guessed: list[str] = []
        for kind, lying in pieces.items():
            guessed += self._of_kind(lying, units.get(kind, []))
        self._free = {kind: [unit.id for unit in left] for kind, left in units.items()}
        self.guessed = (*self.guessed, *guessed)

    def _of_kind(self, lying: list[UnitSighting], units: list[Unit]) -> Iterator[str]:
        """Name pieces of one kind; `units` keeps those that no piece is."""
        for judge in (_same, _at_place):
            for seen in list(lying):
                unit = next((unit for unit in units if judge(seen, unit)), None)
                if unit is not None:
                    self._names[seen.piece] = unit.id
                    lying.remove(seen)
                    units.remove(unit)
        several = len(units) > 1
        for seen in lying:
            if units:
                unit = units.pop(0)
                self._names[seen.piece] = unit.id
                if several:
                    yield unit.id

    def told(self, units: Mapping[str, Unit]) -> str:
        """In words: which unit is called what, of kinds that have several; empty if none has."""
        kinds = Counter((unit.type, unit.side) for unit in map(units.get, self._all()) if unit)
        alike = [
            unit
            for unit in map(units.get, self._all())
            if unit is not None and kinds[unit.type, unit.side] > 1
        ]
        where = (f"{unit.id} at {unit.cell or unit.box or 'no place'}" for unit in alike)
        text = "counters that look alike are told apart by where they lie: "
        return text + some(where, _NAMED) if alike else ""

    def doubt(self) -> str:
        """In words: which units nothing but the order of their counters tells apart."""
        many = counted(len(self.guessed), "unit that looks", "units that look")
        text = f"{many} like others lie elsewhere than known, and who is who is a guess: "
        return text + some(self.guessed, _NAMED) if self.guessed else ""

    def _all(self) -> list[str]:
        return sorted(self._names.values())

    def otherwise(self, known: LookAlikes) -> list[str]:
        """The units that another telling names otherwise."""
        return sorted(
            unit for piece, unit in known._names.items() if self._names.get(piece, unit) != unit
        )


def fits(alike: Iterable[UnitSighting], start: Position, others: set[str]) -> bool:
    """Whether the scenario has as many other units of each kind as look alike."""
    wanted = Counter((seen.type, seen.side) for seen in alike)
    left = (unit for unit in start.units.values() if unit.id not in others)
    return wanted <= Counter((unit.type, unit.side) for unit in left)


def _at_place(seen: UnitSighting, unit: Unit) -> bool:
    return seen.where.known and seen.at_place_of(unit)


def _same(seen: UnitSighting, unit: Unit) -> bool:
    return _at_place(seen, unit) and not seen.contradicts(unit)
