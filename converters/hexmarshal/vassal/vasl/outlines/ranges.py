"""Many ranges of whole numbers at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]

__all__ = ["ranges"]


def ranges(starts: npt.NDArray[np.integer], counts: npt.NDArray[np.integer]) -> Ints:
    """The numbers from each start on, as many as its count says, one range after the other."""
    before = np.cumsum(counts) - counts
    total = int(before[-1] + counts[-1]) if counts.size else 0
    numbers: Ints = np.arange(total) + np.repeat(starts - before, counts)
    return numbers
