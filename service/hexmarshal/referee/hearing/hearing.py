"""The hearing: hands to the judge what happens, and has it judged again with the dice otherwise."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
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
    swapped,
)
from hexmarshal.referee.hearing.heard import Heard, Rolled, Said, Seen
from hexmarshal.referee.hearing.withdrawn import Withdrawn
from hexmarshal.referee.interpret.log_dice import LogDice
from hexmarshal.referee.results.marks import Marks

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.case.mind import Mind
    from hexmarshal.referee.case.mind import Rolled as RolledFor
    from hexmarshal.referee.drags.drag_run import Now
    from hexmarshal.referee.hearing.heard import Event
    from hexmarshal.referee.interpret.log_dice import Throw
    from hexmarshal.referee.judge.judge import Judge
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.reading.turn_tracker import Moment

__all__ = ["Hearing"]

# So many actions announced together are looked at, and so many ways to give them their dice.
_MOST_SAID: Final = 4
_MOST_WAYS: Final = 40
# So many questions are answered by silence before the dice of an action are rolled.
_MOST_ANSWERS: Final = 4


class Hearing:
    """Keeps what happens since an announcement or a roll, until something else begins.

    Dice do not say what they are for. Those of one action, rolled one by one, may be for its rolls
    in any order, and those of actions that were announced together for any of them: the order of
    the rules and of the announcements comes first, and others where less is wrong with them.
    """

    def __init__(self, case: Case, judge: Judge, drags: Collection[str]) -> None:
        """`drags` are the kinds that dragging can be: those show."""
        self._case, self._judge = case, judge
        self._marks, self._withdrawn = Marks(case), Withdrawn(case, judge, drags)
        self._heard: Heard | None = None

    @property
    def kept(self) -> Heard | None:
        """What is to be given back when a step is undone."""
        return self._heard

    def restore(self, kept: Heard | None) -> None:
        """A step was undone."""
        self._heard = kept

    # What happens

    def announce(self, action: Action, now: Now) -> None:
        """A player said what is done."""
        said = Said(action, now)
        if self._withdrawn.by(action, self._heard):
            self._heard = None
        if self._is_together(action):
            self._add(said)
        else:
            self._begin(said)

    def unreadable(self, what: str, why: HexMarshalError, now: Now) -> None:
        """A player said something that cannot be taken for an action."""
        self._end(partial(self._judge.unreadable, what, why, now))

    def roll(self, throws: Iterable[Throw]) -> None:
        """Dice were rolled."""
        rolled = Rolled(tuple(throws))
        if self._heard is None or self._has_dice(self._heard):
            self._begin(rolled)
        else:
            self._add(rolled)

    def hear_late(self, late: Callable[[tuple[Throw, ...]], tuple[Throw, ...]]) -> None:
        """Something else follows: what was told right behind dice was of those."""
        told = self._judge.hear_late(late)
        if self._heard is not None and told:
            self._heard = self._heard.with_dice(told)

    def deny(self, now: Now) -> None:
        """A player said that something is not so; if it was what he announced, nothing follows."""
        heard = self._heard
        if heard is not None and heard.said and heard.said[-1].now.player == now.player:
            self._heard = replace(heard, denied=True)

    def _take_back(self) -> None:
        heard = self._heard
        if heard is not None and heard.denied and self._withdrawn.is_undone(heard):
            self._heard = None

    def watch(self, seen: Seen) -> None:
        """Something happened on the table, or nothing in this step."""
        if seen.deeds or seen.books or seen.handed_over or seen.cards:
            self._take_back()
        if self._heard is None:
            self._do(seen)
        else:
            self._add(seen)

    def clock(self, before: Moment | None, moment: Moment, now: Now) -> None:
        """The turn tracker was moved."""
        self._end(partial(self._judge.clock, before, moment, now))

    def finish(self) -> None:
        """The log has ended: where it did with the dice, there was no time for any result."""
        heard = self._heard
        self._end(self._judge.finish)
        self._withdrawn.for_cards()
        if heard is None:
            return
        entries, first = self._case.mind.entries, len(heard.start.entries)
        self._withdrawn.at_the_end(heard, first)
        if not heard.together or self._has_results(heard):
            return
        for number in range(first, len(entries)):
            if entries[number].status is Status.VIOLATION and entries[number].dice:
                entries[number] = replace(
                    entries[number], status=Status.LEGAL, violations=(), right=""
                )

    # Said together

    def _is_together(self, action: Action) -> bool:
        """Whether it is announced before the results of another of its kind were carried out."""
        heard = self._heard
        said = heard.said if heard is not None else ()
        if heard is None or not said or len(said) >= _MOST_SAID:
            return False
        names = {*named(action)}
        if any(
            (one.action.kind, one.action.side) != (action.kind, action.side)
            or not names.isdisjoint(named(one.action))
            for one in said
        ):
            return False
        dues = [self._due(heard.start.belief, one) for one in (*(s.action for s in said), action)]
        if not all(dues) or self._has_results(heard):
            return False
        if heard.together:
            return True
        mind, first = self._case.mind, len(heard.start.entries)
        begun = mind.entries[first] if len(mind.entries) > first else None
        if begun is None or begun.status is not Status.LEGAL or self._judge.is_legal(action):
            return False
        if not (mind.belief.state or mind.pending or mind.owed):
            return False
        self._go_back(heard)
        self._heard = replace(heard, together=True)
        return True

    def _has_results(self, heard: Heard) -> bool:
        """Whether anything was done with units but turning them up."""
        here = heard.start.belief
        return any(
            deed.cells or not self._marks.is_revealed(deed.unit, here) for deed in heard.deeds
        )

    def _due(self, here: Position, action: Action) -> int:
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

    def _has_dice(self, heard: Heard) -> bool:
        """Whether the dice for what was announced are there."""
        mind = self._case.mind
        waits = heard.together or mind.pending is not None
        return not waits and mind.rolled is not heard.start.rolled

    # Judged at once, and judged again

    def _begin(self, event: Said | Rolled) -> None:
        units, books = self._case.sights.units.copy(), self._case.sights.books.copy()
        start = self._end(partial(self._do, event))
        self._heard = Heard(start, units, books, (event,))

    def _add(self, event: Event) -> None:
        heard = self._heard
        assert heard is not None
        self._heard = replace(heard, events=(*heard.events, event))
        if not heard.together:
            self._do(event)
        elif isinstance(event, Seen):
            self._judge.seen.see(event.deeds, event.books)

    def _do(self, event: Event) -> None:
        match event:
            case Said():
                self._judge.announce(event.action, event.now)
            case Rolled():
                self._judge.roll(event.throws)
            case Seen():
                self._look(event)

    def _look(self, seen: Seen) -> None:
        judge, deeds, now = self._judge, seen.deeds, seen.now
        books = judge.seen.without_left_behind(deeds, seen.books)
        some = deeds or books or seen.handed_over or seen.cards
        if some and judge.explains(
            deeds, books, now, handed_over=seen.handed_over, cards=seen.cards
        ):
            judge.rest()
            return
        if deeds:
            judge.observe(deeds, now)
        elif seen.touched:
            judge.see_draws(now)
        if books:
            judge.observe_books(books, now)
        judge.rest()

    def _end(self, begin: Callable[[], None]) -> Mind:
        """Something else begins; returns what was thought right before it."""
        self._take_back()
        heard, self._heard = self._heard, None
        case = self._case
        rolled = case.mind.rolled
        if heard is not None and heard.together:
            self._replay(heard, in_turn(heard, self._concerned(heard), self._dues(heard)))
        before = case.mind.copy()
        begin()
        wrong = (0, 0) if heard is None else _wrong(case.mind, len(heard.start.entries))
        if heard is None or not any(wrong):
            return before
        after, ended = case.mind, self._judge.moves.ended
        found = self._unsaid(heard, begin)
        if heard.deeds and (found is None or found.wrong >= wrong):
            # What nobody began to carry out is not undone by other dice.
            case.mind = after
            found = self._otherwise(heard, None if rolled is heard.start.rolled else rolled, begin)
        if found is None or found.wrong >= wrong:
            case.mind, self._judge.moves.ended = after, ended
            return before
        case.mind = found.after
        return found.before

    def _unsaid(self, heard: Heard, begin: Callable[[], None]) -> _Thought | None:
        """What was done, where it was said otherwise, and no dice were rolled for that."""
        taken_back = self._withdrawn.done_otherwise(heard)
        if taken_back is None:
            return None
        self._replay(heard, [event for event in heard.events if not isinstance(event, Said)])
        self._case.mind.entries.append(taken_back)
        before = self._case.mind.copy()
        begin()
        return _Thought(_wrong(self._case.mind, len(heard.start.entries)), before, self._case.mind)

    def _otherwise(
        self, heard: Heard, rolled: RolledFor | None, begin: Callable[[], None]
    ) -> _Thought | None:
        """The way with other dice with which the least is wrong."""
        best: _Thought | None = None
        ways = self._dealt(heard, begin) if heard.together else swapped(heard, rolled)
        for way, events in ways:
            self._replay(way, events)
            before = self._case.mind.copy()
            begin()
            wrong = _wrong(self._case.mind, len(heard.start.entries))
            if best is None or wrong < best.wrong:
                best = _Thought(wrong, before, self._case.mind)
            if not any(wrong):
                break
        return best

    def _replay(self, heard: Heard, events: Sequence[Event]) -> None:
        """Think again of what happened, from the start."""
        case, sights = self._case, self._case.sights
        shown = sights.units, sights.books
        self._go_back(heard)
        # If a phase has ended in this step, it did not end before.
        self._judge.moves.ended = None
        sights.units, sights.books = {**heard.units}, {**heard.books}
        for event in events:
            case.mind.step = event.step
            self._do(event)
        sights.units, sights.books = shown

    def _go_back(self, heard: Heard) -> None:
        kept = self._case.mind
        self._case.mind = heard.start.copy()
        self._case.mind.step = kept.step

    # Dice of actions that were announced together

    def _dues(self, heard: Heard) -> list[int]:
        return [self._due(heard.start.belief, said.action) for said in heard.said]

    def _concerned(self, heard: Heard) -> list[frozenset[str]]:
        """For each announcement those who take part: who is named, or lies in a cell that is."""
        here = heard.start.belief
        found = []
        for said in heard.said:
            names = {*named(said.action)}
            there = {u.id for u in here.units.values() if u.id in names or u.cell in names}
            found.append(frozenset(there))
        return found

    def _dealt(
        self, heard: Heard, begin: Callable[[], None]
    ) -> Iterator[tuple[Heard, Sequence[Event]]]:
        """The dice given to the actions so that what came of each fits, as far as it can."""
        dues, concerned, throws = self._dues(heard), self._concerned(heard), heard.throws
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
                tried[at, places] = not any(_wrong(self._case.mind, len(heard.start.entries)))
            return tried[at, places]

        free = not is_rolled_each(heard, dues)
        for dealt in deals(dues, fits, free=free):
            values = [throws[place].value for places in dealt for place in places]
            way = heard.with_dice(reordered(throws, values))
            yield way, in_turn(way, concerned, dues)


class _Thought(NamedTuple):
    """What is thought with other dice, before something else began and after; how much is wrong."""

    wrong: tuple[int, int]
    before: Mind
    after: Mind


def _wrong(mind: Mind, first: int) -> tuple[int, int]:
    """How much is wrong since an entry, and how much nobody can tell."""
    status = [entry.status for entry in mind.entries[first:]]
    return status.count(Status.VIOLATION), status.count(Status.UNKNOWN)
