"""One call while it runs: who calls, under which id, and how long there is."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.service.calls.statuses import expired

if TYPE_CHECKING:
    import asyncio

    from hexmarshal.service.auth import Caller

__all__ = ["Call"]


@dataclass(slots=True, eq=False)
class Call:
    """What a method knows about its call besides the request.

    `position` holds the bytes of the position that the request carried: it is taken out of the
    request before that is decoded, because the same position tends to come again. `raw` is
    the rest of a request that is too large to be read here. `account`
    is whose share of limits and workers it takes; `digest` is that
    of the token, `task` what to end when the token is revoked.
    """

    method: str
    caller: Caller
    request_id: str
    deadline: float
    position: bytes | None = None
    raw: bytes | None = None
    account: str = ""
    digest: str = ""
    revoked: bool = False
    task: asyncio.Task[object] | None = None

    def revoke(self) -> None:
        """End the call: whoever makes it is let in no longer."""
        self.revoked = True
        if self.task is not None:
            self.task.cancel()

    @property
    def seconds_left(self) -> float:
        """Until the deadline; refuses the call when it has passed."""
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise expired()
        return left
