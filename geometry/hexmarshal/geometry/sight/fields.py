"""Sight for whole maps as arrays: what is seen from a cell."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

import numpy as np

from hexmarshal.errors import GeometryError, Place
from hexmarshal.geometry.sight.line_batch import judge_lines
from hexmarshal.geometry.sight.line_of_sight import DEFAULT_RULE
from hexmarshal.geometry.sight.packed import PackedMap

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from numpy.typing import NDArray

    from hexmarshal.geometry.sight.sight_rule import SightRule
    from hexmarshal.geometry.terrain.terrain_map import TerrainMap

__all__ = ["Field", "packed_map", "visible_from"]

T = TypeVar("T")


class Field(NamedTuple):
    """What one cell sees: arrays in the order of `cells`."""

    cells: tuple[Hashable, ...]
    visible: NDArray[np.bool_]
    hindrance: NDArray[np.int64]

    def seen(self) -> frozenset[Hashable]:
        """The cells that are seen."""
        return frozenset(self.cells[k] for k in np.flatnonzero(self.visible))


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


def visible_from(terrain: TerrainMap, cell: Hashable, rule: SightRule = DEFAULT_RULE) -> Field:
    """What is seen from a cell, over the whole map."""
    field = packed_map(terrain)
    if cell not in field.position:
        raise GeometryError(f"{cell} is not on this map", place=Place(cell=str(cell)))
    position = field.position[cell]

    def make() -> Field:
        end = np.arange(len(field.cells_in_order))
        judged = judge_lines(field, np.full(len(end), position), end, rule)
        return _fixed(Field(field.cells_in_order, ~judged.blocked, judged.hindrance))

    return _FIELDS.get((terrain.version, cell, rule), make)


def packed_map(terrain: TerrainMap) -> PackedMap:
    """The map as arrays, for `judge_lines`; made once for each content."""
    if not terrain.tiling.repeats:
        raise GeometryError("arrays of sight are for maps of hexes or squares")
    return _MAPS.get(terrain.version, lambda: PackedMap(terrain.index))


def _fixed(field: Field) -> Field:
    """Results are shared by the cache: nobody may write into them."""
    field.visible.flags.writeable = False
    field.hindrance.flags.writeable = False
    return field
