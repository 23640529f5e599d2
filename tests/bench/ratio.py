"""One measured ratio: what ours costs against a bare cost of the same work in the same run."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Ratio", "best", "compare"]


@dataclass(frozen=True, slots=True)
class Ratio:
    """`ours / base`; the goal is `at most` or `at least` a bound."""

    name: str
    ours: float
    base: float
    bound: float
    at_least: bool = False
    unit: str = "s"

    @property
    def value(self) -> float:
        return self.ours / self.base if self.base else float("inf")

    @property
    def ok(self) -> bool:
        return self.value >= self.bound if self.at_least else self.value <= self.bound


def best(work: Callable[[], object], *, rounds: int = 5) -> float:
    """The shortest of several runs: noise only ever adds time."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def compare(
    name: str,
    ours: Callable[[], object],
    base: Callable[[], object],
    bound: float,
    *,
    rounds: int = 5,
) -> Ratio:
    """Time two pieces of work turn by turn, so that a noisy neighbour hits both."""
    fastest = [float("inf"), float("inf")]
    for _ in range(rounds):
        for i, work in enumerate((ours, base)):
            fastest[i] = min(fastest[i], best(work, rounds=1))
    return Ratio(name, fastest[0], fastest[1], bound)
