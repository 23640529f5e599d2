"""The application that serves pages: our own files, pictures, and what the pages ask for."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import Response
from starlette.routing import Route

from hexmarshal.service.calls import statuses
from hexmarshal.service.calls.statuses import Refusal
from hexmarshal.service.log import LOG
from hexmarshal.web.connect.context import Aborted
from hexmarshal.web.connect.errors import error_response, refused
from hexmarshal.web.site.ahead import links_ahead
from hexmarshal.web.site.safety import Safety

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
    from importlib.resources.abc import Traversable

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


def site(
    routes: Sequence[BaseRoute],
    gallery: Gallery,
    *,
    first: str,
    loopback: bool,
    ahead: Sequence[str] = (),
) -> Starlette:
    """An application with these routes; `first` is the page at its root.

    `ahead` is what that page will ask for at once: a browser is told with the page itself.
    """
    everything = [
        *routes,
        Route("/pictures/{name}", _pictures(gallery), methods=["GET"]),
        *_static(first, ahead),
    ]
    return Starlette(
        routes=everything,
        middleware=[Middleware(Safety, loopback=loopback)],
        exception_handlers={
            Aborted: _aborted,
            Refusal: _refused,
            404: _missing,
            Exception: _bug,
        },
    )


async def _refused(_request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    return error_response(refused(error))


async def _aborted(_request: Request, error: Exception) -> Response:
    assert isinstance(error, Aborted)
    return error_response(error)


async def _missing(request: Request, _error: Exception) -> Response:
    """An address that leads nowhere: a page for people, a line for programs."""
    if "text/html" not in request.headers.get("accept", ""):
        return Response("Not Found", 404, media_type="text/plain")
    content = files("hexmarshal.web").joinpath("static", "missing.html").read_bytes()
    return Response(content, 404, media_type=_KINDS[".html"])


async def _bug(request: Request, error: Exception) -> Response:
    """Whatever nobody thought of: told as a bug, with nothing of it but in the log."""
    LOG.error("bug in a page", exc_info=error, extra={"fields": {"path": request.url.path}})
    return error_response(refused(statuses.internal()))


def _static(first: str, ahead: Sequence[str]) -> Iterable[Route]:
    """Every file of ours has a route of its own: no path of a request leads to a file."""
    contents = dict(_contents(files("hexmarshal.web").joinpath("static")))
    for name, content in sorted(contents.items()):
        suffix = f".{name.rpartition('.')[2]}"
        links = ""
        if suffix == ".html":
            links = links_ahead(name, contents, ahead if name == first else ())
        answer = _file(content, _KINDS[suffix], links)
        yield Route(f"/{name}", answer, methods=["GET"])
        if name == first:
            yield Route("/", answer, methods=["GET"])


def _contents(folder: Traversable, within: str = "") -> Iterator[tuple[str, bytes]]:
    """The files of a folder and of those in it, by their path."""
    for entry in folder.iterdir():
        name = f"{within}{entry.name}"
        if entry.is_dir():
            yield from _contents(entry, f"{name}/")
        elif f".{entry.name.rpartition('.')[2]}" in _KINDS:
            yield name, entry.read_bytes()


def _file(content: bytes, kind: str, links: str) -> Endpoint:
    headers = {"cache-control": "no-cache", **({"link": links} if links else {})}

    async def answer(_request: Request) -> Response:
        return Response(content, media_type=kind, headers=headers)

    return answer


def _pictures(gallery: Gallery) -> Endpoint:
    async def answer(request: Request) -> Response:
        found = await gallery.read(request.path_params["name"])
        if found is None:
            return Response("no such picture\n", 404, media_type="text/plain")
        return Response(found.data, media_type=found.kind, headers={"cache-control": _FOREVER})

    return answer
