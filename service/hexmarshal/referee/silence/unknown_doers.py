"""Who did what nobody announced: often nothing tells, and then nobody is held to it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.rules.frames.frame import settled

if TYPE_CHECKING:
    from hexmarshal.referee.case.mind import Mind
    from hexmarshal.rules.state.position import Position

__all__ = ["as_if_by_others", "free_again"]


def free_again(mind: Mind, first: int) -> Position:
    """The position with nobody held to what was guessed by the entries from `first` on.

    The dice are explained, and left nothing on the table but cards: where the same is asked of the
    same side as before the guess, or before a part of it, things stand as they did then.
    """
    here = mind.belief
    for entry in mind.entries[first:]:
        if entry.before is not None:
            there = replace(entry.before, piles=here.piles)
            if there == replace(here, frames=there.frames):
                return there
    return here


def as_if_by_others(mind: Mind) -> Position | None:
    """The position with nobody held to all that was guessed last; None if nothing was.

    What came of it lies on the table. What it still asks is left, if it is not answered yet.
    """
    here, found = mind.belief, None
    kinds = tuple(frame.kind for frame in here.frames)
    for number in range(len(mind.entries) - 1, -1, -1):
        entry = mind.entries[number]
        before = entry.before
        if (entry.turn, entry.phase) != (here.turn, here.phase):
            break
        if before is None or not entry.action or entry.path:
            continue
        if number not in mind.unsaid or not before.frames:
            break
        there = tuple(frame.kind for frame in before.frames)
        if there == kinds[: len(there)] and before.frames != here.frames[: len(there)]:
            found = before.frames
    return None if found is None else settled(here, found)
