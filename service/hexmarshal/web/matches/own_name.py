"""Tells a page by which name the server knows its user, for the seats of a new match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import JSONResponse
from starlette.routing import Route

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from hexmarshal.service.server import Server
    from hexmarshal.web.connect.calls import Calls

__all__ = ["OwnName"]


class OwnName:
    """Answers with the caller's own name; empty where people have none."""

    def __init__(self, calls: Calls, server: Server) -> None:
        self._calls, self._named = calls, server.endpoint.authenticator.required

    def route(self) -> Route:
        """GET /me."""
        return Route("/me", self._tell, methods=["GET"])

    async def _tell(self, request: Request) -> Response:
        caller = await self._calls.known(request, "me")
        return JSONResponse({"name": caller.name if self._named else ""})
