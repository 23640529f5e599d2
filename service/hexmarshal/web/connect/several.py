"""Several questions to the rules in one request, where a refusal is an answer like any other.

A page asks the odds of a dozen targets at once, some of which turn out to be none.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any, Final

from google.protobuf import json_format
from google.protobuf.message_factory import GetMessageClass
from starlette.responses import JSONResponse
from starlette.routing import Route

from hexmarshal.web.connect.calls import DEEPEST, read_body
from hexmarshal.web.connect.context import Aborted
from hexmarshal.web.connect.errors import aborted_of, error_body

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
        try:
            asked: Any = json.loads(await read_body(request, self._most))
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
            try:
                given = asked.get("message", {})
                json_format.ParseDict(given, message, max_recursion_depth=DEEPEST)
            except (json_format.ParseError, TypeError, ValueError, RecursionError) as error:
                raise aborted_of("message", f"{error}") from None
            answer = await self._calls.unary(request, str(name), message)
            return {"answer": json_format.MessageToDict(answer)}
        except Aborted as error:
            return {"error": error_body(error)}
