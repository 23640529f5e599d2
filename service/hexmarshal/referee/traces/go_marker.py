"""What tells that a go is over: the marker for whose go it is, what was ended, dice left open."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.referee.case.mind import ACTING, Anchor
from hexmarshal.referee.check.findings import ROLL, Status
from hexmarshal.referee.drags.drag_run import Now
from hexmarshal.referee.traces.anchor_keeper import HANDED_OVER

if TYPE_CHECKING:
    from collections.abc import Callable

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.case.mind import Mind
    from hexmarshal.referee.traces.anchor_keeper import AnchorKeeper

__all__ = ["GoMarker", "has_ended", "puzzles", "unhanded"]


def unhanded(anchor: Anchor, *, moved: bool) -> Anchor:
    """An anchor for those who forget to move the marker; without traces, if it was `moved`."""
    if HANDED_OVER in anchor.ignored or moved:
        return Anchor(anchor.before)
    return replace(anchor, ignored=anchor.ignored | {HANDED_OVER}, later=(), goes=())


def has_ended(mind: Mind, side: str) -> bool:
    """Whether the last thing done is that a side ended something, without a word."""
    last = len(mind.entries) - 1
    if last not in mind.unsaid or mind.entries[last].side != side:
        return False
    action = mind.entries[last].action
    return bool(action) and action.keys() <= {"kind", "side"}


def puzzles(anchor: Anchor, mind: Mind) -> bool:
    """Whether dice were rolled since an anchor that nothing explains: what follows may tell."""
    if anchor.spoken or not anchor.throws:
        return False
    since = mind.entries[len(anchor.before.entries) :]
    return any(e.kind == ROLL and e.status is Status.UNKNOWN for e in since)


class GoMarker:
    """The marker for whose go it is: moved, forgotten, or made good by who acts next."""

    def __init__(
        self,
        case: Case,
        anchors: AnchorKeeper,
        since: Callable[[Anchor, Now], bool],
        explained: Callable[[Now], bool],
    ) -> None:
        """`since` finds what was done since an anchor, `explained` in any way since the last."""
        self._case, self._anchors = case, anchors
        self._since, self._explained = since, explained

    @property
    def is_moved(self) -> bool:
        """Whether it was moved just now."""
        return self._case.sights.handed == self._case.mind.step

    @property
    def may_move(self) -> bool:
        """Whether anything was done in this phase that a go may end with.

        Who puts it to the side that begins may not move it again.
        """
        mind, here = self._case.mind, (self._case.mind.belief.turn, self._case.mind.belief.phase)
        done = any((entry.turn, entry.phase) == here for entry in mind.entries)
        return ACTING in mind.kept or done or bool(self._anchors.anchor().first)

    def hand_over(self) -> None:
        """It was moved."""
        self._case.mind.kept |= {ACTING}
        self._case.sights.handed = self._case.mind.step
        self._case.sights.hands.add(self._case.mind.step)
        self._anchors.change(lambda anchor: replace(anchor, ignored=anchor.ignored - {HANDED_OVER}))
        self._case.mind.anchor = replace(self._anchors.anchor(), handed=self._case.mind.step)

    def take_over(self, side: str, now: Now) -> None:
        """A side says what it does: so it has its go, and the marker was forgotten."""
        anchor, acting = self._anchors.anchor(), self._case.sights.acting()
        if not anchor.first or HANDED_OVER in anchor.ignored or acting in ("", side):
            return
        self._anchors.change(lambda one: replace(one, ignored=one.ignored | {HANDED_OVER}))
        self._explained(Now(max(anchor.first, now.step - 1), ""))

    def forget(self, side: str, now: Now) -> None:
        """A side drags units: if all before is explained so, it has its go, wherever the marker is.

        Whoever forgets to hand that over has acted all the same.
        """
        case, kept, anchor = self._case, self._case.mind, self._anchors.anchor()
        if not anchor.first or anchor.spoken or HANDED_OVER in anchor.ignored:
            return
        if case.acting in ("", side) or kept.belief.active == (side,):
            return
        free = unhanded(anchor, moved=self.is_moved)
        before = Now(max(anchor.first, now.step - 1), "")
        if self._since(free, before) and case.mind.belief.active != (side,):
            case.mind = kept
