"""One measured ratio: what ours costs against a bare cost of the same work in the same run."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Ratio", "compare", "spent"]

# Seconds of processor that any comparison takes at least.
ENOUGH = 2.0


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


def spent(work: Callable[[], object]) -> float:
    """Seconds of processor, in this process and in those that the work starts and waits for.

    Not of the clock, which also runs while others have the processor.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.process_time()
    work()
    here = time.process_time() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return here + after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def compare(
    name: str,
    ours: Callable[[], object],
    base: Callable[[], object],
    bound: float,
    *,
    rounds: int = 5,
) -> Ratio:
    """Time two pieces of work turn by turn; the shortest run of each counts, as noise only adds.

    Short work has more rounds than asked for: the noise of a busy machine hits it harder.
    """
    fastest = [float("inf"), float("inf")]
    total = 0.0
    while rounds > 0 or total < ENOUGH:
        rounds -= 1
        for i, work in enumerate((ours, base)):
            took = spent(work)
            fastest[i] = min(fastest[i], took)
            total += took
    return Ratio(name, fastest[0], fastest[1], bound)
