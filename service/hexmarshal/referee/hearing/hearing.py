"""The hearing: hands to the judge what happens, and has it judged again with the dice otherwise."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from hexmarshal.referee.check.findings import Status
from hexmarshal.referee.drags.drag_actions import named
from hexmarshal.referee.hearing.dealt_dice import (
    in_turn,
    swapped,
)
from hexmarshal.referee.hearing.heard import Heard, Rolled, Said, Seen
from hexmarshal.referee.hearing.said_together import SaidTogether, Thought, wrong_since
from hexmarshal.referee.hearing.told_fights import ToldFights
from hexmarshal.referee.hearing.withdrawn import Withdrawn
from hexmarshal.referee.results.marks import Marks
from hexmarshal.referee.results.unpaid_results import may_be_paid

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from hexmarshal.errors import HexMarshalError
    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.case.mind import Mind
    from hexmarshal.referee.case.mind import Rolled as RolledFor
    from hexmarshal.referee.drags.drag_run import Now
    from hexmarshal.referee.hearing.heard import Event
    from hexmarshal.referee.interpret.log_dice import Throw
    from hexmarshal.referee.judge.judge import Judge
    from hexmarshal.rules.action import Action
    from hexmarshal.table.reading.turn_tracker import Moment

__all__ = ["Hearing"]

# So many actions announced together are looked at.
_MOST_SAID: Final = 4
# Of so many ways in which fights were told, the dice are given to them otherwise.
_MOST_DEALT: Final = 1


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
        self._fights, self._together = ToldFights(case), SaidTogether(case, self._replay)
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
        if self._is_of_fights(rolled):
            return
        if self._heard is None or self._heard.fights or self._has_dice(self._heard):
            self._begin(rolled)
        else:
            self._add(rolled)

    def hear_late(self, late: Callable[[tuple[Throw, ...]], tuple[Throw, ...]]) -> None:
        """Something else follows: what was told right behind dice was of those."""
        heard = self._heard
        if heard is not None and heard.fights:
            throws = heard.throws
            now = zip(throws, late(throws), strict=True)
            told: Mapping[Throw, Throw] = {old: new for old, new in now if new != old}
        else:
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
        if self._heard is not None and self._heard.fights and self._is_beside(self._heard, seen):
            self._end(self._from_here(seen))
        elif self._heard is None:
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

    # Told together in plain words

    def _is_of_fights(self, rolled: Rolled) -> bool:
        """Whether dice are rolled for one of several fights that were told; then it is kept."""
        heard, turned = self._heard, self._turned_up()
        if heard is not None and heard.fights:
            names = {name for part in heard.fights for name in (*part.names, *part.maybe)}
            if rolled.throws[0].again or {*rolled.throws[0].about} <= names:
                if len(heard.throws) >= self._fights.most_dice(heard) and self._has_results(heard):
                    return False
                self._add(rolled)
                return True
            more = () if self._has_results(heard) else self._fights.told(rolled.throws, turned, 1)
            told = {name for part in heard.fights for name in part.names}
            if more and told.isdisjoint(name for part in more for name in part.names):
                # Another is told before the results of those are carried out.
                self._heard = replace(heard, fights=(*heard.fights, *more))
                self._add(rolled)
                return True
        fights = self._fights.told(rolled.throws, turned)
        if fights:
            units, books = self._case.sights.units.copy(), self._case.sights.books.copy()
            start = self._end(lambda: None)
            events = (rolled,)
            self._heard = Heard(
                start, units, books, events, together=True, fights=fights, turned=turned
            )
        return bool(fights)

    def _turned_up(self) -> frozenset[str]:
        """Who was turned up since dice were rolled last."""
        mind = self._case.mind
        here, rolled = mind.belief, max((e.last for e in mind.entries if e.dice), default=0)
        known = {one.unit for one in mind.revealed if one.now.step > rolled}
        return frozenset(u for u in here.units if u in known or self._marks.is_revealed(u, here))

    def _is_beside(self, heard: Heard, seen: Seen) -> bool:
        """Whether units are dragged that have nothing to do with it."""
        return not {deed.unit for deed in seen.deeds if deed.cells} <= self._fights.about(heard)

    def _from_here(self, seen: Seen) -> Callable[[], None]:
        """What looks at a step, however often it is thought of again."""
        sights = self._case.sights
        units, books = sights.units.copy(), sights.books.copy()

        def look() -> None:
            sights.units, sights.books = {**units}, {**books}
            self._do(seen)

        return look

    def _end_fights(self, heard: Heard, begin: Callable[[], None]) -> Mind:
        """Judge them as what leaves the least that is wrong or that nobody can tell."""
        case, moves = self._case, self._judge.moves
        best: Thought | None = None
        ended = moves.ended
        for way, events in self._fought(heard, begin):
            self._replay(way, events)
            before = case.mind.copy()
            begin()
            wrong = sum(wrong_since(case.mind, len(heard.start.entries), may_be_paid(case)))
            if best is None or (wrong, 0) < best.wrong:
                best, ended = Thought((wrong, 0), before, case.mind), moves.ended
            if not wrong:
                break
        assert best is not None
        case.mind, moves.ended = best.after, ended
        return best.before

    def _fought(
        self, heard: Heard, begin: Callable[[], None]
    ) -> Iterator[tuple[Heard, Sequence[Event]]]:
        """The fights in their order, with the dice otherwise, and as if nobody had told them."""
        told = [replace(heard, events=(*s, *heard.events)) for s in self._fights.ways(heard)]
        for way in told:
            yield way, in_turn(way, self._together.concerned(way), self._together.dues(way))
        for way in told[:_MOST_DEALT]:
            yield from self._together.dealt(way, begin)
        yield heard, heard.events

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
        dues = [
            self._together.due(heard.start.belief, one)
            for one in (*(s.action for s in said), action)
        ]
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
            self._note_turned(event)

    def _note_turned(self, seen: Seen) -> None:
        heard = self._heard
        if heard is not None and heard.fights:
            here = heard.start.belief
            shown = (d.unit for d in seen.deeds if self._marks.is_revealed(d.unit, here))
            self._heard = replace(heard, turned=heard.turned | {*shown})

    def _do(self, event: Event) -> None:
        match event:
            case Said():
                self._judge.announce(event.action, event.now, event.in_words)
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
        if heard is not None and heard.fights:
            return self._end_fights(heard, begin)
        case = self._case
        rolled = case.mind.rolled
        if heard is not None and heard.together:
            self._replay(
                heard, in_turn(heard, self._together.concerned(heard), self._together.dues(heard))
            )
        before = case.mind.copy()
        begin()
        wrong = (0, 0) if heard is None else wrong_since(case.mind, len(heard.start.entries))
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

    def _unsaid(self, heard: Heard, begin: Callable[[], None]) -> Thought | None:
        """What was done, where it was said otherwise, and no dice were rolled for that."""
        taken_back = self._withdrawn.done_otherwise(heard)
        if taken_back is None:
            return None
        self._replay(heard, [event for event in heard.events if not isinstance(event, Said)])
        self._case.mind.entries.append(taken_back)
        before = self._case.mind.copy()
        begin()
        return Thought(
            wrong_since(self._case.mind, len(heard.start.entries)), before, self._case.mind
        )

    def _otherwise(
        self, heard: Heard, rolled: RolledFor | None, begin: Callable[[], None]
    ) -> Thought | None:
        """The way with other dice with which the least is wrong."""
        best: Thought | None = None
        ways = self._together.dealt(heard, begin) if heard.together else swapped(heard, rolled)
        for way, events in ways:
            self._replay(way, events)
            before = self._case.mind.copy()
            begin()
            wrong = wrong_since(self._case.mind, len(heard.start.entries))
            if best is None or wrong < best.wrong:
                best = Thought(wrong, before, self._case.mind)
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
