"""The application that serves pages: our own files, pictures, and what the pages ask for."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import Response
from starlette.routing import Route

from hexmarshal.service.calls import statuses
from hexmarshal.service.log import LOG
from hexmarshal.web.connect.context import Aborted
from hexmarshal.web.connect.errors import error_response, refused
from hexmarshal.web.site.safety import Safety

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Sequence

    from starlette.requests import Request
    from starlette.routing import BaseRoute

    from hexmarshal.web.drawing.gallery import Gallery

    Endpoint = Callable[[Request], Awaitable[Response]]

__all__ = ["site"]

_KINDS: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_FOREVER: Final = "private, max-age=31536000, immutable"


def site(routes: Sequence[BaseRoute], gallery: Gallery, *, first: str, loopback: bool) -> Starlette:
    """An application with these routes; `first` is the page at its root."""
    everything = [
        *routes,
        Route("/pictures/{name}", _pictures(gallery), methods=["GET"]),
        *_static(first),
    ]
    return Starlette(
        routes=everything,
        middleware=[Middleware(Safety, loopback=loopback)],
        exception_handlers={Aborted: _aborted, Exception: _bug},
    )


async def _aborted(_request: Request, error: Exception) -> Response:
    assert isinstance(error, Aborted)
    return error_response(error)


async def _bug(request: Request, error: Exception) -> Response:
    """Whatever nobody thought of: told as a bug, with nothing of it but in the log."""
    LOG.error("bug in a page", exc_info=error, extra={"fields": {"path": request.url.path}})
    return error_response(refused(statuses.internal()))


def _static(first: str) -> Iterable[Route]:
    """Every file of ours has a route of its own: no path of a request leads to a file."""
    for entry in sorted(files("hexmarshal.web").joinpath("static").iterdir(), key=lambda e: e.name):
        suffix = f".{entry.name.rpartition('.')[2]}"
        if suffix in _KINDS:
            content = entry.read_bytes()
            yield Route(f"/{entry.name}", _file(content, _KINDS[suffix]), methods=["GET"])
            if entry.name == first:
                yield Route("/", _file(content, _KINDS[suffix]), methods=["GET"])


def _file(content: bytes, kind: str) -> Endpoint:
    async def answer(_request: Request) -> Response:
        return Response(content, media_type=kind, headers={"cache-control": "no-cache"})

    return answer


def _pictures(gallery: Gallery) -> Endpoint:
    async def answer(request: Request) -> Response:
        found = await gallery.read(request.path_params["name"])
        if found is None:
            return Response("no such picture\n", 404, media_type="text/plain")
        return Response(found.data, media_type=found.kind, headers={"cache-control": _FOREVER})

    return answer
