"""In which order a report lists what was done: phase by phase, and by steps in each."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.referee.check.findings import Entry

__all__ = ["in_order_of_steps"]


def in_order_of_steps(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """What was told late stands where it was done.

    Who did something in silence that another thing asks for did it before that, though nothing
    showed it then; and a phase ends when all in it is done, though the tracker was early.
    """
    phases = {(one.turn, one.phase): n for n, one in reversed([*enumerate(entries)])}
    steps = [one.first for one in entries]
    for at in range(len(entries) - 2, -1, -1):
        one, following = entries[at], entries[at + 1]
        if one.how and steps[at + 1] < steps[at] <= following.last:
            steps[at] = steps[at + 1]
    keys = [
        (phases[one.turn, one.phase], one.ends_phase, step)
        for one, step in zip(entries, steps, strict=True)
    ]
    order = sorted(range(len(entries)), key=keys.__getitem__)
    return tuple(replace(entries[at], last=_last_of(entries[at])) for at in order)


def _last_of(entry: Entry) -> int:
    """The last step that belongs to it: with those in which its result was laid out."""
    return max(entry.last, entry.laid_out)
