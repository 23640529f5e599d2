"""What tells that a go is over: the marker for whose go it is, what was ended, dice left open."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.referee.case.mind import Anchor
from hexmarshal.referee.check.findings import ROLL, Status
from hexmarshal.referee.traces.anchor_keeper import HANDED_OVER

if TYPE_CHECKING:
    from hexmarshal.referee.case.mind import Mind

__all__ = ["has_ended", "puzzles", "unhanded"]


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
