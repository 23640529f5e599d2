"""Between gRPC and the methods: identity, limits, deadlines, statuses, logs, metrics."""

from __future__ import annotations

import os
import re
import time
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

import grpc

from hexmarshal.service.auth import digest_of
from hexmarshal.service.calls import statuses
from hexmarshal.service.calls.call import Call
from hexmarshal.service.calls.statuses import Refusal, refusal_of
from hexmarshal.service.log import LOG
from hexmarshal.service.rulings.here import ACCOUNT
from hexmarshal.service.rulings.routing import PluginBugError
from hexmarshal.service.store import StoreUnavailableError
from hexmarshal.service.tracing import NoTracing

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from hexmarshal.service.auth import Authenticator
    from hexmarshal.service.limits import Limits
    from hexmarshal.service.metrics import Metrics
    from hexmarshal.service.settings import Settings
    from hexmarshal.service.tracing import Span, Tracing

    Context = grpc.aio.ServicerContext[Any, Any]

__all__ = ["Context", "Endpoint", "Told", "machine_of"]

# How often the log says that the store does not answer.
STORE_LOG_SECONDS = 1.0
_REQUEST_ID = re.compile(r"[\w.:+/=-]{1,64}\Z", re.ASCII)
# Ids of calls must differ, also between servers; secret they need not be, and chance costs time.
_PROCESS = os.urandom(8).hex()
_NUMBERS = count(1)


class Told(NamedTuple):
    """The status with which a call ends."""

    code: grpc.StatusCode
    message: str


@dataclass(slots=True)
class Endpoint:
    """What all methods of a server share."""

    settings: Settings
    authenticator: Authenticator
    limits: Limits
    metrics: Metrics
    tracing: Tracing
    told_of_store: float = -1e9

    def deadline(self, context: Context, *, watch: bool = False) -> float:
        """Until when a call may take: by its own deadline, or by ours."""
        left = context.time_remaining()
        most = self.settings.max_watch_seconds if watch else self.settings.max_seconds
        return time.monotonic() + (most if left is None else min(left, most))

    async def begin(self, method: str, context: Context, deadline: float) -> Call:
        """The call, once the caller is known."""
        header: str | None = None
        request_id: str | None = None
        for key, value in context.invocation_metadata() or ():
            if key == "authorization" and isinstance(value, str):
                header = value
            elif key == "x-request-id" and isinstance(value, str) and _REQUEST_ID.match(value):
                request_id = value
        machine = machine_of(context)
        try:
            caller = await self.authenticator.caller(
                header, _certified(context), partial(self.limits.knock, machine)
            )
        except Refusal as refusal:
            if refusal.code is not grpc.StatusCode.RESOURCE_EXHAUSTED:
                self.limits.stranger(machine)
            raise
        number = request_id or f"{_PROCESS}-{next(_NUMBERS):x}"
        digest = digest_of(header) if self.authenticator.required else ""
        account = caller.name or machine
        ACCOUNT.set(account)
        return Call(method, caller, number, deadline, account=account, digest=digest)

    async def refuse(
        self, call: Call | None, error: Exception, context: Context, method: str
    ) -> Told:
        """What to tell the caller about an error; whatever is a bug goes to the log.

        Not the exception itself: who keeps that keeps all that was on the way to it, the request
        too, until the collector comes.
        """
        if isinstance(error, StoreUnavailableError):
            self._tell_of_store(error, _fields(call, method))
            refusal = statuses.unavailable("the store does not answer; try again", reason="STORE")
        elif isinstance(error, TimeoutError):
            refusal = statuses.expired()
        else:
            found = refusal_of(error)
            if isinstance(error, PluginBugError):
                bug = {"game": error.game, **_fields(call, method)}
                LOG.error("bug in the rules", exc_info=error.__cause__, extra={"fields": bug})
                found = statuses.internal(error.game)
            elif found is None:
                LOG.error(
                    "bug in %s", method, exc_info=error, extra={"fields": _fields(call, method)}
                )
                found = statuses.internal()
            refusal = found
        trailing: list[tuple[str, str | bytes]] = [("grpc-status-details-bin", refusal.status())]
        if call is not None:
            trailing.append(("x-request-id", call.request_id))
        context.set_trailing_metadata(tuple(trailing))
        return Told(refusal.code, refusal.message)

    def _tell_of_store(self, error: StoreUnavailableError, fields: dict[str, object]) -> None:
        """Log that it does not answer; not for every call that finds that out."""
        now = time.monotonic()
        if now >= self.told_of_store + STORE_LOG_SECONDS:
            self.told_of_store = now
            LOG.error("store: %s", error, extra={"fields": fields})

    def traced(self, method: str, context: Context) -> AbstractContextManager[Span]:
        """A span for as long as a call runs, under the trace that the caller names."""
        if isinstance(self.tracing, NoTracing):
            return self.tracing.call(method, {})
        found = context.invocation_metadata() or ()
        return self.tracing.call(method, {k: v for k, v in found if isinstance(v, str)})

    def done(
        self,
        span: Span,
        call: Call | None,
        method: str,
        code: str,
        started: float,
        message: str,
        peer: str = "",
    ) -> None:
        """Count the call, and log it if wanted; of strangers who knock too often, nothing."""
        seconds = time.perf_counter() - started
        self.metrics.called(method, code, seconds)
        span.ended(code, "" if call is None else call.request_id)
        if call is None and code == "RESOURCE_EXHAUSTED":
            return
        wanted = self.settings.log_calls
        if wanted == "all" or (wanted == "errors" and code != "OK"):
            fields = _fields(call, method) | {"code": code, "ms": round(seconds * 1000, 3)}
            if message:
                fields["status"] = message
            if call is None:
                fields["peer"] = peer
            LOG.info("call", extra={"fields": fields})


def machine_of(context: Context) -> str:
    """Where a call comes from, without the port."""
    return str(context.peer()).rpartition(":")[0]


def _certified(context: Context) -> list[str]:
    """Whom the certificate of the client is for; nobody without one."""
    found = context.auth_context() or {}
    if found.get("transport_security_type") != [b"ssl"]:
        return []
    names = [*found.get("x509_common_name", ()), *found.get("x509_subject_alternative_name", ())]
    return [bytes(name).decode("utf-8", "replace") for name in names]


def _fields(call: Call | None, method: str) -> dict[str, object]:
    if call is None:
        return {"method": method}
    return {"method": method, "request_id": call.request_id, "caller": call.caller.name}
