"""Taking an action back: which one, whether the match allows it, and what is left then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError
from hexmarshal.rules.state.disclosure import learnt
from hexmarshal.rules.state.effects import apply_effects
from hexmarshal.service.calls import statuses
from hexmarshal.v1 import match_service_pb2 as pb
from hexmarshal.wire.effects import decode_effect

if TYPE_CHECKING:
    from hexmarshal.rules.state.position import Position
    from hexmarshal.service.matches.match import Happening, HeldMatch

__all__ = ["undoable", "without"]


def undoable(held: HeldMatch, side: str, *, agreed: bool = False, until: int = 0) -> Happening:
    """The action that this side may take back: the newest that bears on what it may do.

    What others did under a seal since then stays, and does not show by being in the way. Where all
    have agreed, the policy of the match does not matter; `until` is the event with which that was
    proposed, after which the side may have done something under a seal.
    """
    policy = pb.UNDO_POLICY_FREE if agreed else held.row.undo
    if held.outcome is not None:
        raise statuses.precondition("MATCH_OVER", "the match is over")
    if policy == pb.UNDO_POLICY_NEVER:
        raise statuses.precondition("UNDO_NEVER", "in this match nothing is taken back")
    newest = held.standing_for(side, until)
    if newest is None:
        raise statuses.precondition("UNDO_NOTHING", "there is nothing to take back")
    last = held.event(newest)
    if _asks_in_secret(last.before, last.after, last.event.side):
        raise _may_be_answered()
    if policy == pb.UNDO_POLICY_FREE:
        return last
    if last.event.side != side:
        raise statuses.precondition("UNDO_NOT_YOURS", "the last action was not yours")
    if last.event.action_done.rolls or last.event.HasField("action_begun"):
        raise statuses.precondition("UNDO_DICE", "dice were rolled, or something was drawn")
    kind = held.plugin.game.actions.get(last.event.action_done.action.kind)
    sealed = kind is not None and kind.sealed is not None
    if learnt(last.before, last.after, knowing=side if sealed else ""):
        raise statuses.precondition("UNDO_LEARNT", "somebody learnt something by it")
    return last


def _may_be_answered() -> statuses.Refusal:
    text = "others were asked something by it, and may have answered in secret"
    return statuses.precondition("UNDO_ASKED", text)


def _asks_in_secret(before: Position, after: Position, side: str) -> bool:
    """Whether others are asked now what they were not asked before, and nobody sees who answers."""
    asked = {(frame.kind, one) for frame in before.frames if frame.sealed for one in frame.open}
    return any(
        one != side and (frame.kind, one) not in asked
        for frame in after.frames
        if frame.sealed
        for one in frame.open
    )


def without(held: HeldMatch, last: Happening) -> Position:
    """The position without this action, and with what was done upon it."""
    position = last.before
    try:
        for version in held.upon(last.event.version):
            later = held.recorded(version)
            position = apply_effects(position, map(decode_effect, later.effects))
    except HexMarshalError:
        raise _may_be_answered() from None
    return position
