"""Hillocks: rises of half a level, each of one or more hexes side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hexmarshal.vassal.vasl.grid import NONE

if TYPE_CHECKING:
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]

__all__ = ["NO_HILLOCK", "hillocks_of"]

NO_HILLOCK = -1


def hillocks_of(on_hillock: Flags, neighbours: Ints) -> Ints:
    """For every hex the number of the hillock that it is part of, or NO_HILLOCK."""
    hillock = np.full(on_hillock.size, NO_HILLOCK, np.int64)
    for start in np.flatnonzero(on_hillock).tolist():
        if hillock[start] != NO_HILLOCK:
            continue
        waiting = [start]
        while waiting:
            index = waiting.pop()
            if hillock[index] != NO_HILLOCK:
                continue
            hillock[index] = start
            waiting += [n for n in neighbours[index].tolist() if n != NONE and on_hillock[n]]
    return hillock
