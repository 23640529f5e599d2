"""How the cost of work grows with its size: for hostile input that must not take quadratic time."""

from __future__ import annotations

import time
from collections.abc import Callable

TIMES = 8
# Work in proportion costs 8 times as much, quadratic work 64 times.
LINEAR = 32


def growth(work: Callable[[int], object], size: int) -> float:
    """What work of eight times this size costs, measured in the cost of work of this size."""
    return _cost(work, size * TIMES) / _cost(work, size)


def _cost(work: Callable[[int], object], size: int) -> float:
    costs = []
    for _ in range(3):
        start = time.process_time()
        work(size)
        costs.append(time.process_time() - start)
    return max(min(costs), 1e-4)  # too short to be told from nothing
