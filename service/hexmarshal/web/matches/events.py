"""What happens in a match, as server-sent events: one for each event that the seat is told of."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from google.protobuf import json_format
from starlette.responses import StreamingResponse
from starlette.routing import Route

from hexmarshal.v1 import match_service_pb2 as pb
from hexmarshal.web.connect.context import Aborted
from hexmarshal.web.connect.errors import error_body
from hexmarshal.web.matches.tables import whole_number

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator

    from starlette.requests import Request
    from starlette.responses import Response

    from hexmarshal.service.rulings.here import Here
    from hexmarshal.web.connect.calls import Calls

__all__ = ["Events"]

# A proxy, or a browser, may give up a stream in which nothing is said for long.
QUIET_SECONDS: Final = 15.0


class Events:
    """Watches matches for pages."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def route(self) -> Route:
        """GET /events/MATCH?side=SIDE&after=VERSION; `Last-Event-ID` goes before `after`."""
        return Route("/events/{match}", self._events, methods=["GET"])

    async def _events(self, request: Request) -> Response:
        last = request.headers.get("last-event-id", "")
        known = last.isascii() and last.isdigit()
        after = int(last[:12]) if known else whole_number(request, "after", -1)
        asked = pb.WatchMatchRequest(
            match=request.path_params["match"],
            side=request.query_params.get("side", ""),
            after_version=after,
        )
        answers = self._calls.stream(request, "MatchService/WatchMatch", asked)
        return StreamingResponse(
            _sent(answers, self._calls.here),
            media_type="text/event-stream",
            headers={"x-accel-buffering": "no"},
        )


async def _sent(answers: AsyncIterator[Any], here: Here) -> AsyncGenerator[str, None]:
    """The stream: hello, then events, with a word now and then while nothing happens."""
    said: asyncio.Queue[str] = asyncio.Queue(maxsize=64)
    # Whoever goes away ends this task, which lets go of the match by itself.
    telling = asyncio.create_task(_tell(answers, said, here))
    try:
        yield "retry: 1000\n: watching\n\n"
        while True:
            try:
                text = await asyncio.wait_for(said.get(), QUIET_SECONDS)
            except TimeoutError:
                text = ": still here\n\n"
            if not text:
                return
            yield text
    finally:
        telling.cancel()


async def _tell(answers: AsyncIterator[Any], said: asyncio.Queue[str], here: Here) -> None:
    """Put events into words; an empty one is the last."""
    try:
        async for answer in answers:
            key = ("", "an event of a page", str(answer.ByteSize().bit_length()))
            await said.put(await here.do(key, partial(_event, answer)))
        await said.put("event: end\ndata: {}\n\n")
    except Aborted as error:
        await said.put(f"event: refused\ndata: {_line(error_body(error))}\n\n")
    await said.put("")


def _event(answer: pb.WatchMatchResponse) -> str:
    told = json_format.MessageToDict(answer)
    return f"id: {answer.event.version}\nevent: happened\ndata: {_line(told)}\n\n"


def _line(document: object) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))
