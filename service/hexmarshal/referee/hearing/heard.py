"""What was said, rolled and shown on the table since something began, to be judged again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.referee.case.mind import Mind
    from hexmarshal.referee.chat.told_apart import Part
    from hexmarshal.referee.drags.drag_run import Now
    from hexmarshal.referee.interpret.deed import Deed
    from hexmarshal.referee.interpret.log_dice import Throw
    from hexmarshal.rules.action import Action
    from hexmarshal.table.reading.bookkeeping import Item, Kept
    from hexmarshal.table.reading.sightings import UnitSighting

__all__ = [
    "Event",
    "Heard",
    "Rolled",
    "Said",
    "Seen",
]


@dataclass(frozen=True, slots=True)
class Said:
    """An announcement; `in_words` of one's own, with what others are taken to have answered."""

    action: Action
    now: Now
    in_words: tuple[Action, ...] | None = None

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
    `fights` were told in plain words, and read when it is known who was `turned` up for them.
    """

    start: Mind
    units: Mapping[str, UnitSighting]
    books: Mapping[Item, Kept]
    events: tuple[Event, ...] = ()
    together: bool = False
    denied: bool = False
    fights: tuple[Part, ...] = ()
    turned: frozenset[str] = frozenset()

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
