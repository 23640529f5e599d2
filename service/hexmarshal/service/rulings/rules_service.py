"""RulesService and SightService: find the position, and have the call answered."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Any, TypeAlias

from hexmarshal.rules.state.view import NOBODY
from hexmarshal.service.calls import statuses

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from hexmarshal.rules.state.position import Position
    from hexmarshal.service.calls.call import Call
    from hexmarshal.service.matches.match_service import MatchService
    from hexmarshal.service.rulings.routing import Rulings
    from hexmarshal.v1 import rules_service_pb2 as pb

__all__ = ["RulesService"]

# What is about actions of the seat that asks.
_ACTING = frozenset({"CheckMove", "CheckAction", "BatchCheckActions", "ListActions", "NextChoices"})
# A position, or its bytes if they are too many to be read here; and the seat it is seen from.
_Source: TypeAlias = "tuple[Position | bytes, str]"


class RulesService:
    """The calls of both services; all but the stream are the same but for their name."""

    def __init__(self, rulings: Rulings, matches: MatchService) -> None:
        self._rulings = rulings
        self._matches = matches

    def method(self, name: str) -> Callable[[Call, Any], Any]:
        """What answers the call of this name."""
        if name == "CheckActions":
            return self.check_actions

        async def answer(call: Call, request: Any) -> bytes:  # noqa: ANN401
            position, side = await self._source(call, request, acting=name in _ACTING)
            return await self._rulings.answer(call, name, position, side, request, call.raw)

        return answer

    async def _source(self, call: Call, request: Any, *, acting: bool) -> _Source:  # noqa: ANN401
        """The position that a request is about, and the seat from which it is seen."""
        if call.position is not None:
            return await self._rulings.read(call.position), ""
        if request.HasField("match"):
            found = await self._matches.view(call, request.match.match, request.match.side)
            if acting and found[1] == NOBODY:
                raise statuses.denied("you look on, and have no side to act for")
            return found
        raise statuses.invalid("position", "a position or a match is needed")

    async def check_actions(
        self, call: Call, requests: AsyncIterator[pb.CheckActionsRequest]
    ) -> AsyncIterator[bytes]:
        """CheckActions: the position once, then actions.

        Several messages are worked on at a time, so that all workers are busy; the answers keep
        their order.
        """
        source: _Source | None = None
        running: deque[asyncio.Task[bytes]] = deque()
        try:
            async for request in requests:
                if call.position is not None or request.HasField("match"):
                    source = await self._source(call, request, acting=True)
                    request.ClearField("match")
                elif source is None:
                    raise statuses.invalid(
                        "position", "the first message needs a position or a match"
                    )
                position, side = source
                answer = self._rulings.answer(
                    call, "CheckActions", position, side, request, call.raw
                )
                running.append(asyncio.create_task(answer))
                if len(running) > self._rulings.parallel:
                    yield await running.popleft()
            while running:
                yield await running.popleft()
        finally:
            for task in running:
                task.cancel()
