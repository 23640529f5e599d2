"""Serves an application at an address, in the loop that is running."""

from __future__ import annotations

import asyncio
import socket
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING

from hexmarshal.errors import MissingExtraError, UsageError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from starlette.types import ASGIApp

__all__ = ["bound", "listening", "require_web"]

DRAIN_SECONDS = 2


def require_web() -> None:
    """Refuse to go on without the libraries that serve pages."""
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError:
        raise MissingExtraError(
            "pages need Starlette and uvicorn", hint="pip install 'hexmarshal[web]'"
        ) from None


def bound(address: str) -> socket.socket:
    """A socket at HOST:PORT; port 0 is any that is free."""
    host, _, port = address.rpartition(":")
    host = host.strip("[]")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, int(port)))
    except (OSError, OverflowError) as error:
        made.close()
        why = error.strerror if isinstance(error, OSError) else "ports go up to 65535"
        raise UsageError(
            f"cannot serve pages on {address}: {why}",
            hint="the port may be in use already; port 0 takes one that is free",
        ) from None
    return made


@asynccontextmanager
async def listening(
    app: ASGIApp, where: socket.socket, cert: str = "", key: str = ""
) -> AsyncIterator[str]:
    """Serve while the context is open; gives the address of the first page."""
    import uvicorn

    class Quiet(uvicorn.Server):
        """Leaves signals to whoever runs it."""

        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            yield

    config = uvicorn.Config(
        app,
        log_config=None,
        log_level="critical",  # `site` tells what goes wrong; a cut line is no news
        access_log=False,
        lifespan="off",
        server_header=False,
        ssl_certfile=cert or None,
        ssl_keyfile=key or None,
        timeout_graceful_shutdown=DRAIN_SECONDS,
        ws="none",
        h11_max_incomplete_event_size=64 << 10,
    )
    server = Quiet(config)
    host, port = where.getsockname()[:2]
    named = f"[{host}]" if ":" in host else host
    task = asyncio.create_task(server.serve(sockets=[where]))
    while not server.started and not task.done():
        await asyncio.sleep(0.01)
    try:
        yield f"{'https' if cert else 'http'}://{named}:{port}/"
    finally:
        server.should_exit = True
        await task
