"""Sight for whole maps as arrays: what is seen from a cell, all pairs, fields of fire."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

import numpy as np

from hexmarshal.errors import GeometryError, Place
from hexmarshal.geometry.lines import judge_lines
from hexmarshal.geometry.packed import PackedMap
from hexmarshal.geometry.sight import DEFAULT_RULE

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from numpy.typing import NDArray

    from hexmarshal.geometry.hexes import Hex
    from hexmarshal.geometry.rule import SightRule
    from hexmarshal.geometry.terrain import TerrainMap

__all__ = ["Field", "Pairs", "all_pairs", "field_of_fire", "sight_lines", "visible_from"]

T = TypeVar("T")


class Field(NamedTuple):
    """What one cell, or several together, see: arrays in the order of `cells`."""

    cells: tuple[Hex, ...]
    visible: NDArray[np.bool_]
    hindrance: NDArray[np.int64]

    def seen(self) -> frozenset[Hex]:
        """The cells that are seen."""
        return frozenset(self.cells[k] for k in np.flatnonzero(self.visible))


class Pairs(NamedTuple):
    """Who sees whom: square, symmetric arrays in the order of `cells`."""

    cells: tuple[Hex, ...]
    visible: NDArray[np.bool_]
    hindrance: NDArray[np.int64]


class _Bounded(Generic[T]):
    """The most recently used results; the map's version in the key makes stale ones unreachable."""

    def __init__(self, size: int) -> None:
        self._kept: OrderedDict[Hashable, T] = OrderedDict()
        self._size = size
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        made = make()
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)
        return made


_MAPS: _Bounded[PackedMap] = _Bounded(16)
_FIELDS: _Bounded[Field] = _Bounded(4096)
_PAIRS: _Bounded[Pairs] = _Bounded(8)


def sight_lines(
    terrain: TerrainMap,
    starts: Iterable[Hex],
    ends: Iterable[Hex],
    rule: SightRule = DEFAULT_RULE,
) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Blocked or not, and the hindrance, of each line from a start to the end beside it."""
    field = _packed(terrain)
    start = _positions(field, starts)
    end = _positions(field, ends)
    if len(start) != len(end):
        raise GeometryError(
            f"{len(start)} starts and {len(end)} ends make no lines", place=Place(field="ends")
        )
    return judge_lines(field, start, end, rule)


def visible_from(terrain: TerrainMap, cell: Hex, rule: SightRule = DEFAULT_RULE) -> Field:
    """What is seen from a cell, over the whole map."""
    field = _packed(terrain)
    (position,) = _positions(field, [cell])

    def make() -> Field:
        end = np.arange(len(field.hexes))
        judged = judge_lines(field, np.full(len(end), position), end, rule)
        return _fixed(Field(field.hexes, ~judged.blocked, judged.hindrance))

    return _FIELDS.get((terrain.version, cell, rule), make)


def all_pairs(terrain: TerrainMap, rule: SightRule = DEFAULT_RULE) -> Pairs:
    """Who sees whom, for every two cells of the map; each line is judged once."""
    field = _packed(terrain)

    def make() -> Pairs:
        count = len(field.hexes)
        start, end = np.triu_indices(count)
        judged = judge_lines(field, start, end, rule)
        visible = np.zeros((count, count), dtype=bool)
        hindrance = np.zeros((count, count), dtype=np.int64)
        for one, other in ((start, end), (end, start)):
            visible[one, other] = ~judged.blocked
            hindrance[one, other] = judged.hindrance
        return _fixed(Pairs(field.hexes, visible, hindrance))

    return _PAIRS.get((terrain.version, rule), make)


def field_of_fire(
    terrain: TerrainMap,
    cell: Hex,
    rule: SightRule = DEFAULT_RULE,
    *,
    reach: int | None = None,
    facing: int | None = None,
    degrees: int = 360,
    corner: bool = False,
) -> Field:
    """What is seen from a cell within a range and an arc (see `Hex.in_arc`)."""
    field = visible_from(terrain, cell, rule)
    if reach is not None and reach < 0:
        raise GeometryError(f"a range of {reach} cannot be", place=Place(field="reach"))
    covered = np.array(
        [
            (reach is None or cell.distance(other) <= reach)
            and (facing is None or cell.in_arc(other, facing, degrees, corner=corner))
            for other in field.cells
        ]
    )
    return Field(field.cells, field.visible & covered, field.hindrance)


def _packed(terrain: TerrainMap) -> PackedMap:
    return _MAPS.get(terrain.version, lambda: PackedMap(terrain.index))


def _positions(field: PackedMap, cells: Iterable[Hex]) -> NDArray[np.int64]:
    found = []
    for cell in cells:
        if cell not in field.position:
            raise GeometryError(f"{cell} is not on this map", place=Place(cell=str(cell)))
        found.append(field.position[cell])
    return np.array(found, dtype=np.int64)


F = TypeVar("F", Field, Pairs)


def _fixed(result: F) -> F:
    """Results are shared by the cache: nobody may write into them."""
    result.visible.flags.writeable = False
    result.hindrance.flags.writeable = False
    return result
