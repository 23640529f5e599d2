"""A flat raster of numbers, and the runs of equal numbers in its rows."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Flags = npt.NDArray[np.bool_]

__all__ = ["Raster"]

Number = TypeVar("Number", np.int32, np.int64)


class Raster:
    """Numbers from 0, so many to a row."""

    def __init__(self, values: npt.NDArray[np.integer], stride: int) -> None:
        self.values, self.stride = values, stride
        self.bits = stride.bit_length()
        """So many bits of a packed number tell how far its run goes on."""

    @cached_property
    def turned(self) -> Raster:
        """The same with rows for columns."""
        rows = self.values.reshape(-1, self.stride)
        return Raster(np.ascontiguousarray(rows.T).ravel(), rows.shape[0])

    def only(self, kept: Flags) -> Raster:
        """The same with 0 for all numbers but those that are kept."""
        numbers = np.where(kept, np.arange(kept.size), 0).astype(self.values.dtype)
        return Raster(numbers.take(self.values), self.stride)

    @cached_property
    def starts(self) -> npt.NDArray[np.int32]:
        """Where each run begins."""
        fresh = np.empty(self.values.size, np.bool_)
        np.not_equal(self.values[1:], self.values[:-1], out=fresh[1:])
        fresh[:: self.stride] = True
        return np.flatnonzero(fresh).astype(np.int32)

    @cached_property
    def run(self) -> npt.NDArray[np.int32]:
        """The number of the run of each pixel."""
        return np.repeat(np.arange(self.starts.size, dtype=np.int32), self._lengths)

    @cached_property
    def value(self) -> npt.NDArray[np.integer]:
        """The number that each run shows."""
        return self.values.take(self.starts)

    @cached_property
    def packed(self) -> npt.NDArray[np.int32] | npt.NDArray[np.int64]:
        """For each pixel its number and, in the low bits, how many pixels are left of its run.

        Both are always asked for together, and one look into memory is cheaper than two.
        """
        most = (int(self.value.max(initial=0)) << self.bits) + self.values.size
        if most > np.iinfo(np.int32).max:
            return self._packed(np.int64)
        return self._packed(np.int32)

    def _packed(self, kind: type[Number]) -> npt.NDArray[Number]:
        ends: npt.NDArray[Number] = self.value.astype(kind) << kind(self.bits)
        ends += self.starts + self._lengths
        packed = np.repeat(ends, self._lengths)
        packed -= np.arange(packed.size, dtype=kind)
        return packed

    @cached_property
    def _lengths(self) -> npt.NDArray[np.int32]:
        return np.diff(self.starts, append=np.int32(self.values.size))
