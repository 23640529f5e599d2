"""Another who was made ready in silence than was thought, if all since is right then as well."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.table_comparison import changed
from hexmarshal.referee.check.findings import ROLL, Certainty, Status
from hexmarshal.referee.drags.drag_actions import named
from hexmarshal.rules.codec import RECORD
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.frames.frame import settled
from hexmarshal.rules.values import EMPTY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.case.mind import Anchor, Mind
    from hexmarshal.referee.check.findings import Entry
    from hexmarshal.referee.drags.drag_run import Now
    from hexmarshal.referee.judge.action_runner import ActionRunner
    from hexmarshal.referee.silence.silent_decisions import SilentDecisions
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.frames.frame import Frame
    from hexmarshal.rules.state.position import Position

__all__ = ["DoersReady", "OthersReady"]

# So many others are tried instead of who was thought to be made ready.
_CHOICES: Final = 6


class _Chosen(NamedTuple):
    """As it would be now after another choice, and how things stood before and after entries.

    What is `dropped` nobody spoke of, would be wrong, and left nothing.
    """

    here: Position
    dropped: list[int]
    stood: dict[int, tuple[Position, Position]]


class OthersReady:
    """Finds another who may have been made ready.

    Two headquarters may command the units of an attack that nobody announced: which it was, the
    next attack tells.
    """

    def __init__(self, case: Case, silent: SilentDecisions) -> None:
        self._case, self._silent = case, silent

    def found(self) -> Iterator[Mind]:
        """What could be thought instead, with another made ready, and all since right as well."""
        case, kept = self._case, self._case.mind
        number = self._last_choice()
        if number is None:
            return
        chosen = kept.entries[number]
        start, used = chosen.before, case.action_of(chosen)
        if start is None:
            return
        try:
            offers = case.rules.offers(start, used.side, (used.kind,))
            others = [offer.action for offer in islice(offers, _CHOICES) if offer.action != used]
        except HexMarshalError:
            return
        for other in others:
            found = self._after_other(start, other, number + 1)
            if found is None:
                continue
            mind = kept.copy()
            mind.belief, dropped = found.here, found.dropped
            for at, (before, after) in found.stood.items():
                mind.entries[at] = replace(mind.entries[at], before=before, after=after)
            self._drop(mind, dropped)
            what = case.in_silence(other)
            units = tuple(unit for unit in named(other) if unit in start.units)
            mind.entries[number] = replace(
                chosen,
                what=what,
                action=RECORD.decode(other.to_json()),
                units=units,
                result="",
                certainty=Certainty.LIKELY,
            )
            yield mind

    def _last_choice(self) -> int | None:
        mind = self._case.mind
        here = mind.belief.turn, mind.belief.phase
        for number in sorted(mind.unsaid, reverse=True):
            entry = mind.entries[number]
            if (entry.turn, entry.phase) != here:
                return None
            if self._silent.makes_ready(self._case.action_of(entry)):
                return number
        return None

    def _drop(self, mind: Mind, dropped: Sequence[int]) -> None:
        """What was guessed for dice that left nothing was something else, nobody knows what.

        The last of those dice may be for what comes now.
        """
        for number in dropped:
            entry = mind.entries[number]
            what = f"dice that left nothing on the table: {', '.join(map(str, entry.dice))}"
            mind.entries[number] = replace(
                entry,
                what=what if entry.dice else entry.what,
                kind=ROLL if entry.dice else entry.kind,
                status=Status.UNKNOWN if entry.dice else Status.TAKEN_BACK,
                certainty=Certainty.CANNOT_TELL,
                action=EMPTY,
                units=(),
            )
        guess = mind.guess
        last = guess is not None and dropped and dropped[-1] >= len(guess.before.entries)
        if guess is not None and last and not mind.tray:
            mind.tray = (*guess.before.tray, *guess.throws)
        mind.unsaid -= {*dropped}

    def _after_other(self, start: Position, other: Action, first: int) -> _Chosen | None:
        """As it would be after another choice; None if something since were wrong then."""
        rules, mind = self._case.rules, self._case.mind
        dropped: list[int] = []
        stood: dict[int, tuple[Position, Position]] = {}
        free: dict[tuple[str, ...], tuple[Frame, ...]] = {}
        try:
            position = rules.apply(start, other, Dice(None, given=())).position
            if any(changed(start, position)):
                # It would show on the table.
                return None
            for number, entry in enumerate(mind.entries[first:], first):
                before = entry.before
                if not entry.action or before is None or self._did_not_happen(entry):
                    continue
                position = _with_pieces(position, before)
                action = self._case.action_of(entry)
                kinds = tuple(frame.kind for frame in position.frames)
                if number in mind.unsaid and not rules.check(position, action).legal:
                    # Nobody is held to what left nothing.
                    position = settled(position, free.get(kinds, position.frames))
                free.setdefault(kinds, position.frames)
                if not rules.check(position, action).legal:
                    shown = before if entry.after is None else entry.after
                    if number not in mind.unsaid or any(changed(before, shown)):
                        return None
                    dropped.append(number)
                    continue
                there = replace(position, generator=None)
                position = rules.apply(position, action, Dice(None, given=entry.dice)).position
                shown = before if entry.after is None else entry.after
                stood[number] = there, replace(_with_pieces(position, shown), generator=None)
        except HexMarshalError:
            return None
        here = replace(_with_pieces(position, mind.belief), generator=None)
        return _Chosen(here, dropped, stood)

    def _did_not_happen(self, entry: Entry) -> bool:
        """Whether it was taken back, or against the rules."""
        if entry.status is Status.TAKEN_BACK or entry.before is None:
            return True
        wrong = entry.status is Status.VIOLATION
        return wrong and not self._case.rules.check(entry.before, self._case.action_of(entry)).legal


class DoersReady:
    """Finds that he who acts was made ready himself, where silence was taken for that of others.

    A track that is moved up before anybody acts does not tell for whom.
    """

    def __init__(
        self,
        case: Case,
        runner: ActionRunner,
        made_ready: Callable[[Sequence[Entry]], frozenset[str]],
    ) -> None:
        """`made_ready` tells who was, by entries."""
        self._case, self._runner, self._made_ready = case, runner, made_ready

    def who_acts(self, anchor: Anchor, actions: Sequence[Action], now: Now) -> Anchor | None:
        """The anchor if he was made ready who does these; None if that is so, or cannot be."""
        case, kept, origin = self._case, self._case.mind, anchor.origin
        begun = None if origin is None else self._guessed(origin, anchor)
        if begun is None or origin is None:
            return None
        ready, units = case.action_of(begun), anchor.before.belief.units
        doers = [name for action in actions for name in named(action) if name in units]
        doers = [name for name in doers if units[name].side == ready.side]
        if not doers or not {*doers}.isdisjoint(begun.units):
            return None
        slot = next(name for name, value in ready.params.items() if value in begun.units)
        other = replace(ready, params=ready.params.set(slot, doers[0]))
        try:
            if not case.rules.check(origin.before.belief, other).legal:
                return None
        except HexMarshalError:
            return None
        case.mind = origin.before.copy()
        by, what = replace(now, side=ready.side), case.in_silence(other)
        self._runner.begin(other, by, origin.first, what, unsaid=True)
        case.guess(len(origin.before.entries))
        before, case.mind = case.mind, kept
        return replace(anchor, before=before, later=(), goes=(), origin=None, aside=None)

    def _guessed(self, origin: Anchor, anchor: Anchor) -> Entry | None:
        """Who was made ready in silence between two anchors, if nothing else was done there."""
        first, entries = len(origin.before.entries), anchor.before.entries
        if len(entries) != first + 1 or first not in anchor.before.unsaid:
            return None
        return entries[first] if self._made_ready(entries[first:]) else None


def _with_pieces(position: Position, shown: Position) -> Position:
    """What is decided in one position, with the pieces of another."""
    return replace(
        position, units=shown.units, markers=shown.markers, piles=shown.piles, tracks=shown.tracks
    )
