"""Keeps pages safe: nothing but our own script acts, and no other site speaks for the user."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["Safety"]

_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# A picture out of a stranger's module, opened by itself, can do nothing at all.
_PICTURE_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
_HEADERS: Final = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
_OWN_SITE: Final = frozenset({"", "same-origin", "none"})
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})


class Safety:
    """Refuses requests that another site made a browser send; puts a policy on every answer.

    On loopback only names of loopback are answered to, so that no name of a stranger's can be
    made to lead here.
    """

    def __init__(self, app: ASGIApp, *, loopback: bool) -> None:
        self._app, self._loopback = app, loopback

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        why = self._refused(headers, str(scope.get("scheme", "http")))
        policy = _PICTURE_POLICY if scope["path"].startswith("/pictures/") else _POLICY

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = MutableHeaders(scope=message)
                own.update({**_HEADERS, "content-security-policy": policy})
                own.setdefault("cache-control", "no-store")
            await send(message)

        app = PlainTextResponse(f"{why}\n", 403) if why else self._app
        await app(scope, receive, guarded)

    def _refused(self, headers: Headers, scheme: str) -> str:
        """Why a request is not answered; empty if it is."""
        host = headers.get("host", "")
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return "a host that cannot be read"
        if self._loopback and name not in _LOOPBACK:
            return f"{host!r} is no name of this machine: use 127.0.0.1"
        origin = headers.get("origin")
        if origin is not None and origin != f"{scheme}://{host}":
            return "a request from another site"
        if headers.get("sec-fetch-site", "") not in _OWN_SITE and not _opens_a_page(headers):
            return "a request from another site"
        return ""


def _opens_a_page(headers: Headers) -> bool:
    """Whether somebody follows a link to us, which shows a page and does nothing else."""
    return headers.get("sec-fetch-mode") == "navigate" and headers.get("origin") is None
