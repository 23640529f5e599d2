"""Tokens that players turn up: where the rules come to turn up the same."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from hexmarshal.referee.case.mind import TURNED_UP
from hexmarshal.referee.check.findings import Certainty, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.interpret.drag_run import Now
    from hexmarshal.referee.judge.action_runner import ActionRunner
    from hexmarshal.referee.silence.silent_decisions import SilentDecisions, Unsaid
    from hexmarshal.rules.action import Action
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
            if seen is not None and seen.unit == marker.unit and seen.known_to is None:
                yield marker

    def follow(self, now: Now) -> None:
        """Do in silence what leads to where the rules turn up a token that lies open.

        If another would have been turned up before it, and still lies face down, that is told.
        """
        case = self._case
        shown = case.sights.markers(case.mind.belief)
        for marker in tuple(self._open()):
            # Who lays one too many is told that: until it is turned up, nobody waits for it.
            wrong = [one for one in self._laid_wrongly(shown) if one.id != marker.id]
            aside = [one for one in wrong if (s := shown.get(one.id)) and s.known_to is not None]
            case.mind.belief = _with(
                case.mind.belief, *(replace(one, known_to=None) for one in aside)
            )
            before = case.mind.belief
            is_open = partial(_is_open, marker.id)
            unsaid = self._silent.until(before, marker.side, is_open, case.mind.tray)
            if unsaid is None and case.history.comes_of_violation:
                unsaid = self._leave_undone(marker.side, is_open)
            for action in unsaid or ():
                self._runner.begin(
                    action, now, now.step, f"in silence: {case.spoken(action)}", unsaid=True
                )
                case.mind.kept |= {TURNED_UP}
            skipped = [
                one.unit
                for one in before.markers.values()
                if one.known_to is not None
                and _is_open(one.id, case.mind.belief)
                and (seen := shown.get(one.id)) is not None
                and seen.known_to is not None
            ]
            own = any(one.id == marker.id for one in self._laid_wrongly(shown))
            if unsaid and skipped and not own:
                self._tell_skipped(unsaid[-1], marker.unit, skipped[0], now)
            there = case.mind.belief.markers
            case.mind.belief = _with(case.mind.belief, *(o for o in aside if o.id in there))

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

    def _tell_skipped(self, action: Action, unit: str, other: str, now: Now) -> None:
        case = self._case
        kind = case.rules.game.actions[action.kind]
        text = f"what lies on {unit} is turned up, and {other} comes before it"
        rule = kind.rules[0] if kind.rules else case.rules.game.turn_rule
        case.add(
            replace(
                case.entry(now, now.step, text, "change", Status.VIOLATION),
                violations=(case.placed(rule, text, (unit,)),),
                certainty=Certainty.LIKELY,
                right=f"first {other}",
                side=action.side,
                units=(unit,),
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
