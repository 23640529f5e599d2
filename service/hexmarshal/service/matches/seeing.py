"""From where a caller sees a match, and the match as a message from there."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from hexmarshal.rules import engine
from hexmarshal.rules.state.view import NOBODY
from hexmarshal.service.auth import Role
from hexmarshal.service.calls import statuses
from hexmarshal.service.lobby.terms import Terms
from hexmarshal.service.matches.match_cache import timestamp
from hexmarshal.v1 import match_service_pb2 as pb
from hexmarshal.v1 import match_terms_pb2 as terms_pb
from hexmarshal.wire.positions import encode_position
from hexmarshal.wire.verdicts import encode_outcome

if TYPE_CHECKING:
    from hexmarshal.rules.state.position import Position
    from hexmarshal.service.auth import Caller
    from hexmarshal.service.matches.match import HeldMatch
    from hexmarshal.service.store import MatchRow

__all__ = ["listed", "own_seat", "seat_of", "seen_position", "whole_message"]


def seat_of(
    caller: Caller, held: HeldMatch, side: str, field: str = "side", *, whole: bool = False
) -> str:
    """The side from which the caller sees a match; '' for the whole truth, NOBODY for an onlooker.

    `whole` asks for everything: for directors, and for others once the match has told all.
    """
    if side and side not in held.sides:
        raise statuses.invalid(field, f"no side {side!r}; the sides are: {', '.join(held.sides)}")
    if whole and side:
        raise statuses.invalid("whole", "everything is seen from no side")
    if caller.may(Role.DIRECTOR):
        return side
    own = caller.sides(held.row)
    if side and side not in own:
        raise statuses.denied(f"you have no seat for {side!r} in this match")
    public = held.table.terms.audience == terms_pb.AUDIENCE_PUBLIC
    if not own and not public:
        raise statuses.denied("you have no seat in this match")
    if whole:
        told = held.table.terms.after_end == terms_pb.AFTER_END_EVERYTHING
        if held.outcome is None or not told:
            when = "when it has ended" if told else "not even when it has ended"
            raise statuses.precondition("NOT_TOLD", f"this match tells everything {when}")
        return ""
    if side:
        return side
    if len(own) > 1:
        raise statuses.invalid(field, f"you hold several seats, say which: {', '.join(own)}")
    return own[0] if own else NOBODY


def own_seat(caller: Caller, held: HeldMatch, side: str) -> str:
    """The side that the caller plays, for what only players do."""
    if side and side not in held.sides:
        raise statuses.invalid("side", f"no side {side!r}; the sides are: {', '.join(held.sides)}")
    own = caller.sides(held.row)
    if side:
        if side not in own:
            raise statuses.denied(f"you have no seat for {side!r} in this match")
        return side
    if not own:
        raise statuses.denied("you have no seat in this match")
    if len(own) > 1:
        raise statuses.invalid("side", f"you hold several seats, say which: {', '.join(own)}")
    return own[0]


def seen_position(held: HeldMatch, side: str) -> Position:
    """The position from a seat; whole, without the dice to come, for no side."""
    return engine.seen(held.plugin, held.position, side) if side else held.whole


def _message(row: MatchRow, terms: Terms, version: int) -> pb.Match:
    return pb.Match(
        id=row.id,
        game=row.game,
        scenario=row.scenario,
        title=row.title,
        seats=[pb.Seat(side=side, player=player) for side, player in row.seats],
        undo=pb.UndoPolicy.Name(row.undo),  # type: ignore[arg-type]
        version=version,
        create_time=timestamp(row.created_at),
        access=terms_pb.Access.Name(terms.access),  # type: ignore[arg-type]
        audience=terms_pb.Audience.Name(terms.audience),  # type: ignore[arg-type]
        after_end=terms_pb.AfterEnd.Name(terms.after_end),  # type: ignore[arg-type]
        dice=terms_pb.MatchDice(
            own_dice=row.seed is None, practice=terms.practice, commitment=terms.commitment
        ),
        time_control=terms.time_control(),
    )


def listed(caller: Caller, row: MatchRow) -> pb.Match:
    """A match in a list, its version as the caller's seat counts, that which was told least."""
    version = row.version
    if not caller.may(Role.DIRECTOR):
        missed = dict(row.behind)
        seats = caller.sides(row) or [NOBODY]
        version -= max((missed.get(side, 0) for side in seats), default=0)
    message = _message(row, Terms.of(row), version)
    if row.ended_at is not None:
        message.state = terms_pb.MATCH_STATE_ENDED
    elif any(not player for _, player in row.seats):
        message.state = terms_pb.MATCH_STATE_SEATING
    return message


def whole_message(held: HeldMatch, side: str) -> pb.Match:
    """A match from a seat, with all that stands on the table."""
    position, terms, table = seen_position(held, side), held.table.terms, held.table
    message = _message(held.row, terms, held.versions.newest(side))
    message.position.CopyFrom(encode_position(position))
    message.digest = position.digest
    message.state = table.state
    if table.clocks is not None:
        message.clocks.extend(table.clocks.messages(time.time_ns() // 1000))
    if table.offer is not None:
        message.proposal.CopyFrom(table.offer.message())
    if held.outcome is not None:
        message.outcome.CopyFrom(encode_outcome(held.outcome))
        if terms.after_end != terms_pb.AFTER_END_NOTHING or not side:
            message.dice.seed = held.row.seed or ""
    return message
