"""Dice that do not say what they are for: their orders, and how several actions may share them."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby, permutations
from typing import TYPE_CHECKING, Final

from hexmarshal.referee.hearing.heard import Rolled, Said, Seen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from hexmarshal.referee.case.mind import Rolled as RolledFor
    from hexmarshal.referee.hearing.heard import Event, Heard
    from hexmarshal.referee.interpret.log_dice import Throw

__all__ = [
    "alone",
    "by_steps",
    "deals",
    "in_turn",
    "is_rolled_each",
    "other_orders",
    "reordered",
    "swapped",
]

# So many dice of one action are put into other orders.
_MOST_DICE: Final = 3


def swapped(heard: Heard, rolled: RolledFor | None) -> Iterator[tuple[Heard, Sequence[Event]]]:
    """The dice of one action in all other orders."""
    for dice in other_orders(rolled.throws, rolled.alike) if rolled is not None else ():
        way = heard.with_dice(dice)
        yield way, way.events


def other_orders(
    throws: Sequence[Throw], alike: Sequence[object]
) -> Iterator[Mapping[Throw, Throw]]:
    """The dice of one action, rolled one by one, in all orders that may come to something else.

    They do not say what they are for; those of one roll of the log have the order in which it
    names them, and dice that are `alike` to the rules may be exchanged.
    """
    same = len({(throw.player, throw.side, throw.sides) for throw in throws}) == 1
    singly = len({throw.step for throw in throws}) == len(throws)
    if not same or not singly or len(throws) > _MOST_DICE:
        return
    parts = alike or range(len(throws))
    tried: set[object] = set()
    for values in permutations(throw.value for throw in throws):
        dealt = tuple(sorted(zip(map(str, parts), values, strict=True)))
        if tried and dealt not in tried:
            yield reordered(throws, values)
        tried.add(dealt)


def reordered(throws: Sequence[Throw], values: Sequence[int]) -> Mapping[Throw, Throw]:
    """Dice with other values, in the steps in which they were rolled."""
    return {throw: replace(throw, value=value) for throw, value in zip(throws, values, strict=True)}


def chances(dues: Sequence[int], at: int) -> Iterator[tuple[int, ...]]:
    """By their places: the dice that one of several actions may have had, the likeliest first.

    Who rolls for one after the other, in their order or not; or the first die of all, then the
    second of all. In each case now this and now that die first.
    """
    starts = [sum(dues[:i]) for i in range(len(dues))]
    whole = [tuple(range(start, start + due)) for start, due in zip(starts, dues, strict=True)]
    due, several = dues[at], len({*dues}) == 1
    in_rows = [
        tuple(i + row * len(dues) for row in range(due)) for i in range(len(dues) if several else 0)
    ]
    fitting = [one for one in whole if len(one) == due]
    own = [whole[at], *in_rows[at : at + 1]]
    found: dict[tuple[int, ...], None] = {}
    for one in (*own, *fitting, *in_rows):
        found |= dict.fromkeys(permutations(one) if due <= _MOST_DICE else (one,))
    yield from found


def by_steps(throws: Sequence[Throw]) -> Iterator[Rolled]:
    """Dice as they were rolled, step by step."""
    for _, some in groupby(throws, lambda throw: throw.step):
        yield Rolled(tuple(some))


def deals(
    dues: Sequence[int], fits: Callable[[int, tuple[int, ...]], bool], *, free: bool
) -> Iterator[list[tuple[int, ...]]]:
    """Ways to give each action its dice, by their places, such that all fit; then most of them.

    Unless they are `free` to be for any of them, each has its own, in some order.
    """
    own = [next(chances(dues, at)) for at in range(len(dues))]

    def further(dealt: list[tuple[int, ...]]) -> Iterator[list[tuple[int, ...]]]:
        at = len(dealt)
        if at == len(dues):
            yield dealt
            return
        used = {place for places in dealt for place in places}
        for places in chances(dues, at):
            allowed = free or {*places} == {*own[at]}
            if allowed and used.isdisjoint(places) and fits(at, places):
                yield from further([*dealt, places])

    yield from further([])
    # Where one was carried out wrongly, the others are right with dice of their own.
    yield [
        next((p for p in chances(dues, at) if {*p} == {*own[at]} and fits(at, p)), own[at])
        for at in range(len(dues))
    ]


def is_rolled_each(heard: Heard, dues: Sequence[int]) -> bool:
    """Whether each action had its dice rolled right behind its announcement."""
    counts: list[int] = []
    for event in heard.events:
        if isinstance(event, Said):
            counts.append(0)
        elif isinstance(event, Rolled):
            counts[-1] += len(event.throws)
    return counts == [*dues]


def alone(heard: Heard, at: int, units: frozenset[str]) -> tuple[Event, ...]:
    """One announcement, with what was seen of those who take part."""
    parts = (event.of(units) for event in heard.events if isinstance(event, Seen))
    return (heard.said[at], *(part for part in parts if part is not None))


def in_turn(
    heard: Heard, concerned: Sequence[frozenset[str]], dues: Sequence[int]
) -> tuple[Event, ...]:
    """One announcement after the other, each with its dice and what came of it."""
    found: list[Event] = []
    throws = heard.throws
    for at, due in enumerate(dues):
        said, *seen = alone(heard, at, concerned[at])
        found += (said, *by_steps(throws[:due]), *seen)
        throws = throws[due:]
    found += by_steps(throws)
    everybody = frozenset[str]().union(*concerned)
    rest = (e.of(everybody, others=True) for e in heard.events if isinstance(e, Seen))
    return (*found, *(part for part in rest if part is not None))
