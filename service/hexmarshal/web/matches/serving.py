"""Serves the pages of matches beside a server, through the same handlers as its gRPC calls."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from hexmarshal.service.settings import is_local
from hexmarshal.web.site.listening import bound, listening, require_web

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.applications import Starlette

    from hexmarshal.service.server import Server

__all__ = ["match_pages", "pages_beside"]


def match_pages(server: Server) -> Starlette:
    """The application: calls, tables, events, and the pages that use them."""
    from hexmarshal.web.connect.calls import Calls
    from hexmarshal.web.connect.several import Several
    from hexmarshal.web.drawing.gallery import Gallery
    from hexmarshal.web.matches.events import Events
    from hexmarshal.web.matches.own_name import OwnName
    from hexmarshal.web.matches.random_seat import RandomSeat
    from hexmarshal.web.matches.tables import Tables
    from hexmarshal.web.site.pages import site

    calls, gallery = Calls(server), Gallery()
    routes = [
        *calls.routes(),
        *Tables(calls, server.registry, gallery).routes(),
        Events(calls).route(),
        OwnName(calls, server).route(),
        RandomSeat(calls, server.registry).route(),
        Several(calls, server.settings.max_message_bytes).route(),
    ]
    local = is_local(server.settings.web)
    return site(routes, gallery, first="matches.html", loopback=local)


@asynccontextmanager
async def pages_beside(server: Server) -> AsyncIterator[str]:
    """While a server runs: its pages, at the address of its settings."""
    require_web()
    settings = server.settings
    where = bound(settings.web)
    app = match_pages(server)
    async with listening(app, where, settings.tls_cert, settings.tls_key) as address:
        try:
            yield address
        finally:
            # Watchers go first, or their streams would be waited for.
            server.matches.close()
