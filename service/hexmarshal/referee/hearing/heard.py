"""What was said, rolled and shown on the table since something began, to be judged again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby, permutations
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hexmarshal.referee.case.mind import Mind
    from hexmarshal.referee.drags.drag_run import Now
    from hexmarshal.referee.interpret.deed import Deed
    from hexmarshal.referee.interpret.log_dice import Throw
    from hexmarshal.rules.action import Action
    from hexmarshal.table.reading.bookkeeping import Item, Kept
    from hexmarshal.table.reading.piece_reader import UnitSighting

__all__ = [
    "Event",
    "Heard",
    "Rolled",
    "Said",
    "Seen",
    "by_steps",
    "chances",
    "other_orders",
    "reordered",
]

# So many dice of one action are put into other orders.
_MOST_DICE: Final = 3


@dataclass(frozen=True, slots=True)
class Said:
    """An announcement."""

    action: Action
    now: Now

    @property
    def step(self) -> int:
        """When it was."""
        return self.now.step


@dataclass(frozen=True, slots=True)
class Rolled:
    """Dice."""

    throws: tuple[Throw, ...]

    @property
    def step(self) -> int:
        """When it was."""
        return self.throws[0].step


@dataclass(frozen=True, slots=True)
class Seen:
    """What happened on the table in a step; `touched`: pieces were, at least in piles."""

    deeds: tuple[Deed, ...]
    books: Mapping[Item, Kept]
    now: Now
    handed_over: bool = False
    cards: bool = False
    touched: bool = False

    @property
    def step(self) -> int:
        """When it was."""
        return self.now.step

    def of(self, units: frozenset[str], *, others: bool = False) -> Seen | None:
        """The part of it about units, or about all `others` and the rest; None if there is none."""
        deeds = tuple(deed for deed in self.deeds if (deed.unit in units) is not others)
        if others:
            some = deeds or self.books or self.handed_over or self.cards
            touched = self.touched and (bool(some) or not self.deeds)
            return replace(self, deeds=deeds, touched=touched) if some or touched else None
        if not deeds:
            return None
        return replace(self, deeds=deeds, books={}, handed_over=False, cards=False)


Event = Said | Rolled | Seen


@dataclass(frozen=True, slots=True)
class Heard:
    """All since the moment of `start`, when the table showed `units` and `books`.

    `together`: actions were announced before the results of the first were carried out; nothing of
    it is judged then before something else begins. `denied`: it was said since that it is not so.
    """

    start: Mind
    units: Mapping[str, UnitSighting]
    books: Mapping[Item, Kept]
    events: tuple[Event, ...] = ()
    together: bool = False
    denied: bool = False

    @property
    def said(self) -> tuple[Said, ...]:
        """What was announced."""
        return tuple(event for event in self.events if isinstance(event, Said))

    @property
    def throws(self) -> tuple[Throw, ...]:
        """All dice that were rolled."""
        rolls = (event.throws for event in self.events if isinstance(event, Rolled))
        return tuple(throw for throws in rolls for throw in throws)

    @property
    def deeds(self) -> tuple[Deed, ...]:
        """All that was done with units."""
        seen = (event.deeds for event in self.events if isinstance(event, Seen))
        return tuple(deed for deeds in seen for deed in deeds)

    def with_dice(self, dice: Mapping[Throw, Throw]) -> Heard:
        """The same with other dice in place of some."""
        tray = tuple(dice.get(throw, throw) for throw in self.start.tray)
        events = (
            replace(event, throws=tuple(dice.get(throw, throw) for throw in event.throws))
            if isinstance(event, Rolled)
            else event
            for event in self.events
        )
        return replace(self, start=replace(self.start, tray=tray), events=tuple(events))


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
