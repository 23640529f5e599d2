"""A new match: what a request asks for, as a row of the store."""

from __future__ import annotations

import json
import secrets
import time
import uuid
from typing import TYPE_CHECKING

from hexmarshal.rules import engine
from hexmarshal.rules.values import thaw
from hexmarshal.service.calls import statuses
from hexmarshal.service.calls.statuses import refusal_of
from hexmarshal.service.lobby.terms import terms_of
from hexmarshal.service.matches.idempotency import check_key
from hexmarshal.service.store import MatchRow
from hexmarshal.v1 import match_service_pb2 as pb
from hexmarshal.v1 import match_terms_pb2 as terms_pb
from hexmarshal.wire.positions import encode_position
from hexmarshal.wire.values import decode_record

if TYPE_CHECKING:
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.position import Position

__all__ = ["new_match"]

LONGEST_TITLE = 200
LONGEST_NAME = 200


def new_match(plugin: GamePlugin, request: pb.CreateMatchRequest, creator: str) -> MatchRow:
    """The match that a request asks for, or a refusal."""
    check_key(request.idempotency_key)
    if len(request.title) > LONGEST_TITLE:
        raise statuses.invalid("title", f"is longer than {LONGEST_TITLE} characters")
    if request.undo not in pb.UndoPolicy.values():
        raise statuses.invalid("undo", "no such policy")
    options = decode_record(request.options)
    given = {name: thaw(value) for name, value in options.items()}
    seed = None if request.own_dice else request.seed or secrets.token_urlsafe(24)
    try:
        opening = engine.start(plugin, request.scenario, given, seed)
    except Exception as error:
        refusal = refusal_of(error)
        if refusal is None:
            raise
        raise refusal from None
    seats = _seats(request, opening)
    seated = all(player for _, player in seats)
    terms = terms_of(request, seed, seated=seated)
    return MatchRow(
        id=uuid.uuid4().hex,
        game=request.game,
        scenario=request.scenario or opening.scenario,
        title=request.title,
        seats=seats,
        undo=request.undo or pb.UNDO_POLICY_OWN_LAST,
        options=json.dumps(given, ensure_ascii=False),
        seed=seed,
        opening=encode_position(opening).SerializeToString(),
        created_at=time.time_ns() // 1000,
        created_by=creator,
        key=request.idempotency_key,
        terms=terms.to_json(),
        open=not seated and terms.access == terms_pb.ACCESS_OPEN,
    )


def _seats(request: pb.CreateMatchRequest, opening: Position) -> tuple[tuple[str, str], ...]:
    players = dict.fromkeys(opening.sides, "")
    for i, seat in enumerate(request.seats):
        if seat.side not in players:
            known = ", ".join(players)
            raise statuses.invalid(f"seats[{i}].side", f"no side {seat.side!r}; there are: {known}")
        if players[seat.side]:
            raise statuses.invalid(f"seats[{i}].side", f"{seat.side!r} is there twice")
        if len(seat.player) > LONGEST_NAME:
            raise statuses.invalid(f"seats[{i}].player", f"is longer than {LONGEST_NAME}")
        players[seat.side] = seat.player
    return tuple(players.items())
