"""Actions that were announced together: how many dice each needs, and which may be its own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.check.findings import Status
from hexmarshal.referee.drags.drag_actions import named
from hexmarshal.referee.hearing.dealt_dice import (
    alone,
    by_steps,
    deals,
    in_turn,
    is_rolled_each,
    reordered,
)
from hexmarshal.referee.interpret.log_dice import LogDice

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.case.mind import Mind
    from hexmarshal.referee.hearing.heard import Event, Heard
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.position import Position

__all__ = ["SaidTogether", "Thought", "wrong_since"]

# So many ways to give actions their dice are looked at.
_MOST_WAYS: Final = 40
# So many questions are answered by silence before the dice of an action are rolled.
_MOST_ANSWERS: Final = 4


class SaidTogether:
    """Deals the dice that were rolled for several actions by what came of each."""

    def __init__(self, case: Case, replay: Callable[[Heard, Sequence[Event]], None]) -> None:
        """`replay` thinks again of what happened, from the start."""
        self._case, self._replay = case, replay

    def due(self, here: Position, action: Action) -> int:
        """How many dice are rolled for an action."""
        rules, dice = self._case.rules, LogDice((), assume=True)
        one: Action | None = action
        for _ in range(_MOST_ANSWERS):
            try:
                here = here if one is None else rules.apply(here, one, dice).position
            except HexMarshalError:
                return 0
            if dice.assumed or one is None:
                break
            said = (rules.silence(here, side) for side in here.active)
            one = next((answer for answer in said if answer is not None), None)
        return dice.assumed

    def dues(self, heard: Heard) -> list[int]:
        """How many dice each needs."""
        return [self.due(heard.start.belief, said.action) for said in heard.said]

    def concerned(self, heard: Heard) -> list[frozenset[str]]:
        """For each announcement those who take part: who is named, or lies in a cell that is."""
        here = heard.start.belief
        found = []
        for said in heard.said:
            names = {*named(said.action)}
            there = {u.id for u in here.units.values() if u.id in names or u.cell in names}
            found.append(frozenset(there))
        return found

    def dealt(
        self, heard: Heard, begin: Callable[[], None]
    ) -> Iterator[tuple[Heard, Sequence[Event]]]:
        """The dice given to the actions so that what came of each fits, as far as it can."""
        dues, concerned, throws = self.dues(heard), self.concerned(heard), heard.throws
        if sum(dues) != len(throws) or len({(t.player, t.side, t.sides) for t in throws}) > 1:
            return
        tried: dict[tuple[int, tuple[int, ...]], bool] = {}

        def fits(at: int, places: tuple[int, ...]) -> bool:
            if (at, places) not in tried:
                if len(tried) >= _MOST_WAYS:
                    return False
                one = replace(heard, events=alone(heard, at, concerned[at]))
                own = [throws[place] for place in places]
                self._replay(one, (one.said[0], *by_steps(own), *one.events[1:]))
                begin()
                tried[at, places] = not any(wrong_since(self._case.mind, len(heard.start.entries)))
            return tried[at, places]

        free = not is_rolled_each(heard, dues)
        for dealt in deals(dues, fits, free=free):
            values = [throws[place].value for places in dealt for place in places]
            way = heard.with_dice(reordered(throws, values))
            yield way, in_turn(way, concerned, dues)


class Thought(NamedTuple):
    """What is thought with other dice, before something else began and after; how much is wrong."""

    wrong: tuple[int, int]
    before: Mind
    after: Mind


def wrong_since(mind: Mind, first: int, but: Collection[int] = ()) -> tuple[int, int]:
    """How much is wrong since an entry, `but` for some, and how much nobody can tell."""
    status = [entry.status for n, entry in enumerate(mind.entries[first:], first) if n not in but]
    return status.count(Status.VIOLATION), status.count(Status.UNKNOWN)
