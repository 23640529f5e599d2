"""Tells a page by which name the server knows its user, for the seats of a new match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.responses import JSONResponse
from starlette.routing import Route

from hexmarshal.service.calls.statuses import Refusal
from hexmarshal.web.connect.context import WebContext
from hexmarshal.web.connect.errors import refused

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from hexmarshal.service.server import Server

__all__ = ["OwnName"]


class OwnName:
    """Answers with the caller's own name; empty where people have none."""

    def __init__(self, server: Server) -> None:
        self._endpoint = server.endpoint

    def route(self) -> Route:
        """GET /me."""
        return Route("/me", self._tell, methods=["GET"])

    async def _tell(self, request: Request) -> Response:
        context: Any = WebContext(request)
        try:
            call = await self._endpoint.begin("me", context, self._endpoint.deadline(context))
        except Refusal as refusal:
            raise refused(refusal) from None
        named = self._endpoint.authenticator.required
        return JSONResponse({"name": call.caller.name if named else ""})
