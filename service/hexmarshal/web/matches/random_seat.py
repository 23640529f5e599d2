"""Plays one action of a seat by chance, as an opponent for whoever has none."""

from __future__ import annotations

import json
import secrets
from functools import partial
from typing import TYPE_CHECKING, Any

from google.protobuf import json_format
from starlette.responses import JSONResponse
from starlette.routing import Route

from hexmarshal.rules.choosing.sampling import Sampler
from hexmarshal.rules.dice import Generator
from hexmarshal.service.calls import statuses
from hexmarshal.v1 import match_service_pb2 as pb
from hexmarshal.web.connect.errors import aborted_of, refused
from hexmarshal.wire.positions import decode_position
from hexmarshal.wire.verdicts import encode_action

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from hexmarshal.rules.action import Action
    from hexmarshal.rules.plugins.registry import Registry
    from hexmarshal.rules.state.position import Position
    from hexmarshal.web.connect.calls import Calls

__all__ = ["RandomSeat"]

_MOST_BYTES = 4096
_TRIES = 20


class RandomSeat:
    """Draws among the legal actions of a seat that the caller holds."""

    def __init__(self, calls: Calls, registry: Registry) -> None:
        self._calls, self._registry = calls, registry

    def route(self) -> Route:
        """POST /random/MATCH {"side": SIDE}."""
        return Route("/random/{match}", self._play, methods=["POST"])

    async def _play(self, request: Request) -> Response:
        side = _side(await self._calls.body(request, "random", _MOST_BYTES))
        asked = pb.GetMatchRequest(match=request.path_params["match"], side=side)
        match = (await self._calls.unary(request, "MatchService/GetMatch", asked)).match
        position = decode_position(match.position)
        if side not in position.active:
            raise refused(statuses.precondition("NOT_ASKED", f"nothing is asked of {side!r} now"))
        action = await self._calls.here.apart(partial(self._drawn, position, side))
        if action is None:
            raise refused(statuses.precondition("NO_ACTION", f"{side!r} has no legal action"))
        doing = pb.SubmitActionRequest(
            match=match.id,
            version=match.version,
            action=encode_action(action),
            idempotency_key=secrets.token_urlsafe(16),
        )
        done = await self._calls.unary(request, "MatchService/SubmitAction", doing)
        # What it was, each seat is told as far as it may know: by its own stream of events.
        return JSONResponse({"ended": json_format.MessageToDict(done.outcome)})

    def _drawn(self, position: Position, side: str) -> Action | None:
        plugin = self._registry.get(position.game)
        sampler = Sampler(plugin, Generator(secrets.token_urlsafe(16)), whole_paths=True)
        for _ in range(_TRIES):
            action = sampler.choose(position)
            if action is None or action.side == side:
                return action
        return None


def _side(body: bytes) -> str:
    try:
        document: Any = json.loads(body)
    except (ValueError, RecursionError):
        raise aborted_of("", "not JSON") from None
    side = document.get("side") if isinstance(document, dict) else None
    if not isinstance(side, str) or not side:
        raise aborted_of("side", "is missing")
    # JSON may have half a character in it, which no message can hold.
    return side.encode(errors="replace").decode()
