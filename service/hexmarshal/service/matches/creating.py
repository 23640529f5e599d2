"""A new match: what a request asks for, as a row of the store."""

from __future__ import annotations

import json
import secrets
import time
import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.rules import engine
from hexmarshal.rules.values import thaw
from hexmarshal.service.calls import statuses
from hexmarshal.service.calls.statuses import refusal_of
from hexmarshal.service.lobby.terms import terms_of
from hexmarshal.service.matches.idempotency import check_key
from hexmarshal.service.rulings import case_reading
from hexmarshal.service.store import MatchRow
from hexmarshal.v1 import match_service_pb2 as pb
from hexmarshal.v1 import match_terms_pb2 as terms_pb
from hexmarshal.v1 import position_pb2
from hexmarshal.wire.positions import encode_position
from hexmarshal.wire.values import decode_record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.rules.plugins.registry import Registry
    from hexmarshal.service.rulings.position_cache import PositionReader

__all__ = ["Asked", "new_match", "opened"]

LONGEST_TITLE = 200
LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class Asked:
    """What the opening of a match depends on."""

    game: str
    scenario: str
    options: str
    seed: str | None

    @classmethod
    def of(cls, request: pb.CreateMatchRequest) -> Asked:
        """Out of a request, with a seed if it names none; or a refusal."""
        check_key(request.idempotency_key)
        if len(request.title) > LONGEST_TITLE:
            raise statuses.invalid("title", f"is longer than {LONGEST_TITLE} characters")
        if request.undo not in pb.UndoPolicy.values():
            raise statuses.invalid("undo", "no such policy")
        options = {name: thaw(value) for name, value in decode_record(request.options).items()}
        seed = None if request.own_dice else request.seed or secrets.token_urlsafe(24)
        document = json.dumps(options, ensure_ascii=False)
        return cls(request.game, request.scenario, document, seed)


def opened(asked: Asked, registry: Registry, _: PositionReader) -> bytes:
    """The position with which a match begins."""
    plugin = case_reading.plugin_of(registry, asked.game, "game")
    try:
        opening = engine.start(plugin, asked.scenario, json.loads(asked.options), asked.seed)
    except Exception as error:
        refusal = refusal_of(error)
        if refusal is None:
            raise
        raise refusal from None
    return encode_position(opening).SerializeToString()


def new_match(asked: Asked, request: pb.CreateMatchRequest, data: bytes, creator: str) -> MatchRow:
    """The match that a request asks for, or a refusal."""
    opening, seed = position_pb2.Position.FromString(data), asked.seed
    seats = _seats(request, opening.sides)
    seated = all(player for _, player in seats)
    terms = terms_of(request, seed, seated=seated)
    return MatchRow(
        id=uuid.uuid4().hex,
        game=request.game,
        scenario=request.scenario or opening.scenario,
        title=request.title,
        seats=seats,
        undo=request.undo or pb.UNDO_POLICY_OWN_LAST,
        options=asked.options,
        seed=seed,
        opening=data,
        created_at=time.time_ns() // 1000,
        created_by=creator,
        key=request.idempotency_key,
        terms=terms.to_json(),
        open=not seated and terms.access == terms_pb.ACCESS_OPEN,
    )


def _seats(request: pb.CreateMatchRequest, sides: Iterable[str]) -> tuple[tuple[str, str], ...]:
    players = dict.fromkeys(sides, "")
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
