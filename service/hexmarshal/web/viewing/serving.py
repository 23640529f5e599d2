"""Serves the page of one file on loopback, until a signal comes."""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress
from typing import TYPE_CHECKING

from hexmarshal.web.site.listening import bound, listening

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.applications import Starlette

    from hexmarshal.web.drawing.gallery import Gallery
    from hexmarshal.web.viewing.opening import View

__all__ = ["serve_view", "view_pages"]


def view_pages(view: View, gallery: Gallery) -> Starlette:
    """The application that shows a file."""
    from hexmarshal.web.site.pages import site

    ahead = tuple(view.ahead())
    return site(list(view.routes()), gallery, first=view.first, loopback=True, ahead=ahead)


async def serve_view(
    view: View, gallery: Gallery, address: str, told: Callable[[str], None]
) -> None:
    """Serve until SIGTERM or SIGINT; `told` hears the address once it can be opened."""
    where = bound(address)
    asked = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        with suppress(NotImplementedError):  # not on Windows
            loop.add_signal_handler(number, asked.set)
    view.begin()
    try:
        async with listening(view_pages(view, gallery), where) as url:
            told(url)
            await asked.wait()
    finally:
        view.close()
