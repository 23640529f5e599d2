"""Three orders of one list made into one, and three texts, line by line."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

__all__ = ["Run", "merge_orders", "runs"]

T = TypeVar("T", bound="Hashable")


def merge_orders(base: Sequence[T], ours: Sequence[T], theirs: Sequence[T]) -> tuple[list[T], bool]:
    """One order for all that ours and theirs have, and whether both changed the order of base.

    What is new on one side stands behind what it follows there.
    """
    by_ours, by_theirs = _reorders(base, ours), _reorders(base, theirs)
    both = set(ours) & set(theirs) & set(base)
    disagree = by_ours and by_theirs and _only(ours, both) != _only(theirs, both)
    first, second = (theirs, ours) if by_theirs and not by_ours else (ours, theirs)
    order = list(dict.fromkeys(first))
    known = set(order)
    for at, key in enumerate(second):
        if key in known:
            continue
        known.add(key)
        before = next((k for k in reversed(second[:at]) if k in known), None)
        order.insert(0 if before is None else order.index(before) + 1, key)
    return order, disagree


def _only(keys: Sequence[T], among: set[T]) -> list[T]:
    return [key for key in keys if key in among]


def _reorders(base: Sequence[T], changed: Sequence[T]) -> bool:
    both = set(base) & set(changed)
    return _only(base, both) != _only(changed, both)


@dataclass(frozen=True, slots=True)
class Run(Generic[T]):
    """A stretch of a text: the same for all, changed by one, or changed by both."""

    base: Sequence[T]
    ours: Sequence[T]
    theirs: Sequence[T]


def runs(base: Sequence[T], ours: Sequence[T], theirs: Sequence[T]) -> Iterator[Run[T]]:
    """The texts cut where all three agree."""
    at = at_ours = at_theirs = 0
    for start, start_ours, start_theirs, length in _agreed(base, ours, theirs):
        if start > at or start_ours > at_ours or start_theirs > at_theirs:
            yield Run(base[at:start], ours[at_ours:start_ours], theirs[at_theirs:start_theirs])
        same = base[start : start + length]
        if same:
            yield Run(same, same, same)
        at, at_ours, at_theirs = start + length, start_ours + length, start_theirs + length


def _agreed(
    base: Sequence[T], ours: Sequence[T], theirs: Sequence[T]
) -> Iterator[tuple[int, int, int, int]]:
    """Stretches of base that both sides keep, with where they stand; the last is empty."""
    first = SequenceMatcher(None, base, ours, autojunk=False).get_matching_blocks()
    second = SequenceMatcher(None, base, theirs, autojunk=False).get_matching_blocks()
    i = j = 0
    while i < len(first) and j < len(second):
        one, other = first[i], second[j]
        start = max(one.a, other.a)
        end = min(one.a + one.size, other.a + other.size)
        if start < end:
            yield start, one.b + start - one.a, other.b + start - other.a, end - start
        if one.a + one.size < other.a + other.size:
            i += 1
        else:
            j += 1
    yield len(base), len(ours), len(theirs), 0
