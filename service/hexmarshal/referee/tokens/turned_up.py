"""Tokens that players turn up: where the rules come to turn up the same."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from hexmarshal.referee.case.mind import TURNED_UP
from hexmarshal.referee.check.findings import Certainty, Status
from hexmarshal.referee.drags.drag_run import Now

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.check.findings import Entry
    from hexmarshal.referee.judge.action_runner import ActionRunner
    from hexmarshal.referee.silence.silent_decisions import SilentDecisions, Unsaid
    from hexmarshal.rules.state.pieces import Marker
    from hexmarshal.rules.state.position import Position

__all__ = ["TurnedUp"]

_MOST_SILENT: Final = 3


class TurnedUp:
    """Finds tokens that lie open, and does in silence what the rules turn them up by.

    A token that is turned up is the best evidence there is of who is activated.
    """

    def __init__(
        self, case: Case, runner: ActionRunner, silent: SilentDecisions, laid: Sequence[str]
    ) -> None:
        """`laid` are the kinds of action that laying a token is."""
        self._case, self._runner, self._silent = case, runner, silent
        self._laid = frozenset(laid)

    def is_any(self) -> bool:
        """Whether a token lies open that the rules still have face down."""
        return any(True for _ in self._open())

    def _open(self) -> Iterator[Marker]:
        belief = self._case.mind.belief
        hidden = [m for m in belief.markers.values() if m.unit and m.known_to is not None]
        shown = self._case.sights.markers(belief) if hidden else {}
        for marker in hidden:
            seen = shown.get(marker.id)
            same = seen is not None and (seen.unit, seen.values) == (marker.unit, marker.values)
            if seen is not None and same and seen.known_to is None:
                yield marker

    def follow(self, now: Now) -> None:
        """Do in silence what leads to where the rules turn up a token that lies open.

        If another would have been turned up before it, and still lies face down, that is told.
        """
        case = self._case
        shown = case.sights.markers(case.mind.belief)
        stuck = case.sights.covered()
        for marker in tuple(self._open()):
            covered = [
                one
                for one in case.mind.belief.markers.values()
                if one.unit and one.known_to is not None and one.id != marker.id
                if one.side not in stuck
                if (seen := shown.get(one.id)) is not None and seen.known_to is not None
            ]
            # Who lays one too many is told that: until it is turned up, nobody waits for it.
            wrong = {one.id for one in self._laid_wrongly(shown)}
            if self._turn_up(marker, [one for one in covered if one.id in wrong], covered, now):
                continue
            first = self._first_of(covered, marker.side)
            kept = case.mind
            case.mind = kept.copy()
            if not self._turn_up(marker, covered, covered, now):
                case.mind = kept
            elif first is not None and marker.id not in wrong:
                self._tell_skipped(case.mind.entries[-1], marker, first, now)

    def _turn_up(
        self, marker: Marker, aside: Sequence[Marker], covered: Sequence[Marker], now: Now
    ) -> bool:
        """Whether the rules come to turn up a token before any that lie face down.

        Those laid `aside` they do not turn up until then.
        """
        case, belief = self._case, self._case.mind.belief
        case.mind.belief = _with(belief, *(replace(one, known_to=None) for one in aside))
        is_open = partial(_is_open, marker.id)
        unsaid = self._silent.until(case.mind.belief, marker.side, is_open, case.mind.tray)
        if unsaid is None and case.history.comes_of_violation:
            unsaid = self._leave_undone(marker.side, is_open)
        left = {one.id for one in covered} - {one.id for one in aside}
        if unsaid is None or self._opens(unsaid, left):
            case.mind.belief = belief
            return False
        for action in unsaid:
            self._runner.begin(action, now, now.step, case.in_silence(action), unsaid=True)
            case.mind.kept |= {TURNED_UP}
        there = case.mind.belief.markers
        case.mind.belief = _with(case.mind.belief, *(one for one in aside if one.id in there))
        return True

    def _opens(self, unsaid: Unsaid, names: Collection[str]) -> bool:
        """Whether some of these tokens are turned up by what is done in silence."""
        at: Position | None = self._case.mind.belief
        for action in unsaid:
            at = None if at is None else self._silent.after(at, action, self._case.mind.tray)
        return at is not None and any(_is_open(name, at) for name in names)

    def _first_of(self, covered: Sequence[Marker], side: str) -> Marker | None:
        """Which of these tokens the rules turn up next, one of a side first."""
        belief, tray = self._case.mind.belief, self._case.mind.tray
        for one in sorted(covered, key=lambda marker: marker.side != side):

            def opens(at: Position, name: str = one.id) -> bool:
                return _is_open(name, at)

            unsaid = self._silent.until(belief, one.side, opens, tray)
            others = {marker.id for marker in covered} - {one.id}
            if unsaid is not None and not self._opens(unsaid, others):
                return one
        return None

    def _laid_wrongly(self, shown: Mapping[str, Marker]) -> Iterator[Marker]:
        """Tokens that were laid in this turn against the rules, or may be: of two alike, either."""
        mind = self._case.mind
        wrong = {
            unit
            for entry in mind.entries
            if entry.status is Status.VIOLATION and entry.turn == mind.belief.turn
            if entry.kind in self._laid
            for unit in entry.units
        }
        alike = {(m.kind, m.side, m.values) for m in shown.values() if m.unit in wrong}
        markers = mind.belief.markers.values() if alike else ()
        return (m for m in markers if m.unit and (m.kind, m.side, m.values) in alike)

    def _leave_undone(self, side: str, explains: Callable[[Position], bool]) -> Unsaid | None:
        """What silence leads to once what is asked only because of a violation is left undone."""
        mind = self._case.mind
        after: Position | None = mind.belief
        for _ in range(_MOST_SILENT):
            after = self._silent.past(after) if after is not None else None
            found = self._silent.until(after, side, explains, mind.tray) if after else None
            if after is not None and found is not None:
                mind.belief = after
                return found
        return None

    def _tell_skipped(self, by: Entry, marker: Marker, first: Marker, now: Now) -> None:
        """`first` comes before the one that was turned up `by` an entry."""
        case = self._case
        kind = case.rules.game.actions[by.kind]
        titles = (one.title for one in case.rules.game.markers if one.key == marker.kind)
        title = next(titles, marker.kind).lower()
        rule = kind.rules[0] if kind.rules else case.rules.game.turn_rule
        text = f"the {title} of {first.unit} comes before that of {marker.unit}"
        what = f"the {title} of {marker.unit} is turned up"
        entry = case.entry(
            Now(now.step, "", marker.side), now.step, what, "change", Status.VIOLATION
        )
        case.add(
            replace(
                entry,
                violations=(case.placed(rule, text, (marker.unit,)),),
                certainty=Certainty.LIKELY,
                right=f"first that of {first.unit}",
                units=(marker.unit,),
            )
        )


def _with(position: Position, *markers: Marker) -> Position:
    """A position with these markers as they are here."""
    for marker in markers:
        position = replace(position, markers=position.markers.set(marker.id, marker))
    return position


def _is_open(name: str, position: Position) -> bool:
    """Whether all sides know a marker."""
    marker = position.markers.get(name)
    return marker is not None and marker.known_to is None
