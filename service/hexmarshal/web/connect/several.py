"""Several questions to the rules in one request, where a refusal is an answer like any other.

A page asks the odds of a dozen targets at once, some of which turn out to be none.
"""

from __future__ import annotations

import asyncio
import json
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from google.protobuf import json_format
from google.protobuf.message_factory import GetMessageClass
from starlette.responses import JSONResponse
from starlette.routing import Route

from hexmarshal.service.calls.statuses import Refusal
from hexmarshal.web.connect.calls import filled
from hexmarshal.web.connect.context import Aborted
from hexmarshal.web.connect.errors import aborted_of, error_body, refused

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from hexmarshal.web.connect.calls import Calls

__all__ = ["Several"]

_MOST: Final = 32
_SERVICES: Final = ("RulesService/", "SightService/")


class Several:
    """Asks the rules, and nothing else: none of these calls changes anything."""

    def __init__(self, calls: Calls, most_bytes: int) -> None:
        self._calls, self._most = calls, most_bytes

    def route(self) -> Route:
        """POST /several [{"call": "RulesService/Query", "message": {...}}, ...]."""
        return Route("/several", self._answers, methods=["POST"])

    async def _answers(self, request: Request) -> Response:
        body = await self._calls.body(request, "several", self._most)
        try:
            key = ("", "JSON to several", str(len(body).bit_length()))
            asked: Any = await self._calls.here.do(key, partial(json.loads, body))
        except (ValueError, RecursionError):
            raise aborted_of("", "not JSON") from None
        if not isinstance(asked, list) or len(asked) > _MOST:
            raise aborted_of("", f"not a list of at most {_MOST} questions")
        return JSONResponse(await asyncio.gather(*(self._one(request, one) for one in asked)))

    async def _one(self, request: Request, asked: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
        try:
            name = asked.get("call") if isinstance(asked, dict) else None
            method = self._calls.method(name) if isinstance(name, str) else None
            if method is None or not name.startswith(_SERVICES):  # type: ignore[union-attr]
                raise aborted_of("call", f"no question to the rules: {name!r}")
            message = GetMessageClass(method.input_type)()
            given = asked.get("message", {})
            try:
                # How much is in it is seen by reading it.
                await self._calls.here.apart(partial(filled, message, given, "message"))
            except Refusal as refusal:
                raise refused(refusal) from None
            answer = await self._calls.unary(request, str(name), message)
            key = ("", f"JSON of {method.output_type.name}", str(answer.ByteSize().bit_length()))
            told = partial(json_format.MessageToDict, answer)
            return {"answer": await self._calls.here.do(key, told)}
        except Aborted as error:
            return {"error": error_body(error)}
