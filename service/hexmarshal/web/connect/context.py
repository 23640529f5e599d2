"""An HTTP request as the service's calls see it: metadata, deadline, peer, and a way to refuse."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grpc import StatusCode
    from starlette.requests import Request

__all__ = ["Aborted", "WebContext"]

TIMEOUT = "connect-timeout-ms"
# The longest that the protocol lets a timeout be.
DIGITS = 10
_PASSED_ON = ("authorization", "x-request-id")


class Aborted(Exception):  # noqa: N818 - it is how a call ends, as in gRPC
    """A call that ended with a status; `details` is a google.rpc.Status."""

    def __init__(self, code: StatusCode, message: str, details: bytes) -> None:
        super().__init__(message)
        self.code, self.message, self.details = code, message, details


class WebContext:
    """What `Endpoint` asks of a gRPC context, answered from a request."""

    def __init__(self, request: Request) -> None:
        headers = request.headers
        self._metadata = tuple((k, headers[k]) for k in _PASSED_ON if k in headers)
        client = request.client
        self._peer = f"web:{client.host}:{client.port}" if client is not None else "web:?:0"
        self._ends: float | None = None
        timeout = headers.get(TIMEOUT, "")
        if timeout.isascii() and timeout.isdigit() and len(timeout) <= DIGITS:
            self._ends = time.monotonic() + int(timeout) / 1000
        self.trailing: dict[str, str | bytes] = {}

    def invocation_metadata(self) -> Sequence[tuple[str, str]]:
        """The headers that calls know."""
        return self._metadata

    def time_remaining(self) -> float | None:
        """Seconds until the caller's deadline."""
        return None if self._ends is None else self._ends - time.monotonic()

    def peer(self) -> str:
        """The machine that calls, with its port."""
        return self._peer

    def auth_context(self) -> None:
        """Certificates of browsers are not passed on to pages."""

    def set_trailing_metadata(self, trailing: Sequence[tuple[str, str | bytes]]) -> None:
        """Keep what a refusal tells besides its message."""
        self.trailing.update(trailing)

    async def abort(self, code: StatusCode, message: str) -> NoReturn:
        """End the call with a status."""
        details = self.trailing.get("grpc-status-details-bin", b"")
        raise Aborted(code, message, details if isinstance(details, bytes) else b"")
