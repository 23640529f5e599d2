"""Between gRPC and the methods: identity, limits, deadlines, decoding, statuses, logs, metrics.

Requests come as bytes and are decoded here, because a message that gRPC itself fails to decode is
answered with INTERNAL, which would call the client's mistake a bug of ours.
"""

from __future__ import annotations

import asyncio
import os
import re
import time
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

import grpc
from google.protobuf.message import DecodeError

from hexmarshal.service.auth import digest_of
from hexmarshal.service.calls import statuses
from hexmarshal.service.calls.call import Call
from hexmarshal.service.calls.request_text import refuse_nul
from hexmarshal.service.calls.statuses import Refusal, refusal_of
from hexmarshal.service.log import LOG
from hexmarshal.service.rulings.here import ACCOUNT
from hexmarshal.service.rulings.position_cache import OversizeError, split
from hexmarshal.service.rulings.routing import PluginBugError
from hexmarshal.service.store import StoreUnavailableError
from hexmarshal.service.tracing import NoTracing
from hexmarshal.v1 import position_pb2

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
    from contextlib import AbstractContextManager

    from google.protobuf.descriptor import Descriptor, MethodDescriptor, ServiceDescriptor
    from google.protobuf.message import Message

    from hexmarshal.service.auth import Authenticator
    from hexmarshal.service.limits import Limits
    from hexmarshal.service.metrics import Metrics
    from hexmarshal.service.settings import Settings
    from hexmarshal.service.tracing import Span, Tracing

    Context = grpc.aio.ServicerContext[Any, Any]

__all__ = ["Endpoint", "handlers", "snake"]

POSITION_FIELD = 1
MATCH_FIELD = 2
# What a request may hold besides a position and actions.
FEW_FIELDS = 64
# What stays open while nothing happens, and so has limits of its own.
WATCH = "WatchMatch"
# The largest request about games and matches, which carries an action at most.
SMALL_BYTES = 16 << 10
# What is larger than this is not parsed here: the parser lets nobody else run meanwhile.
LARGE_BYTES = 64 << 10
# So many fields of a request are looked at before others get their turn.
INLINE_FIELDS = 1000
# How often the log says that the store does not answer.
STORE_LOG_SECONDS = 1.0
_REQUEST_ID = re.compile(r"[\w.:+/=-]{1,64}\Z", re.ASCII)
# Ids of calls must differ, also between servers; secret they need not be, and chance costs time.
_PROCESS = os.urandom(8).hex()
_NUMBERS = count(1)


def snake(name: str) -> str:
    """`CheckMove` is answered by `check_move`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


@dataclass(frozen=True, slots=True)
class Shape:
    """How a method's requests are read: with a position set aside, or in chunks of files."""

    kind: type[Message]
    split_off: bool
    chunks: bool
    watch: bool = False


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
        machine = _machine(context)
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

    async def read(self, call: Call, shape: Shape, data: bytes) -> Any:  # noqa: ANN401
        """The request, with its position set aside."""
        try:
            call.position, call.raw = None, None
            if not shape.split_off:
                if shape.chunks:
                    # The parser would take its time for many.
                    await self._cut(data, 0, FEW_FIELDS)
                elif len(data) > SMALL_BYTES:
                    raise OversizeError("bytes", SMALL_BYTES)
                request = shape.kind.FromString(data)
            else:
                request = await self._split(call, shape, data)
            refuse_nul(request, data)
        except OversizeError as error:
            raise statuses.exhausted(f"request_{error.what}", str(error)) from None
        except (DecodeError, RecursionError) as error:
            text = f"not a {shape.kind.DESCRIPTOR.full_name}: {error}"
            raise statuses.invalid("", text, reason="UNREADABLE") from None
        return request

    async def _split(self, call: Call, shape: Shape, data: bytes) -> Any:  # noqa: ANN401
        """The request without its position; only with its match if the rest is too large."""
        most = self.settings.max_actions + FEW_FIELDS
        big = len(data) > LARGE_BYTES
        found, rest = await self._cut(data, POSITION_FIELD, most)
        # Twice the same field means a merge of both, which the real parser knows to do.
        if len(found) == 1:
            call.position, data = found[0], rest
        elif found and big:
            raise OversizeError("positions", 1)
        if len(data) > LARGE_BYTES:
            found, call.raw = await self._cut(data, MATCH_FIELD, most)
            if sum(map(len, found)) > SMALL_BYTES:
                raise OversizeError("bytes in the match", SMALL_BYTES)
            part: Any = shape.kind()
            for match in found:
                part.match.MergeFromString(match)
            return part
        request: Any = shape.kind.FromString(data)
        if call.position is None and request.HasField("position"):
            call.position = request.position.SerializeToString()
        return request

    @staticmethod
    async def _cut(data: bytes, field: int, most: int) -> tuple[list[bytes], bytes]:
        """A field set apart; in a thread if there is much to look at."""
        if len(data) <= LARGE_BYTES:
            try:
                return split(data, field, min(most, INLINE_FIELDS))
            except OversizeError:
                if most <= INLINE_FIELDS:
                    raise
        return await asyncio.to_thread(split, data, field, most)

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


def _machine(context: Context) -> str:
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


def handlers(
    endpoint: Endpoint, service: ServiceDescriptor, find: Callable[[str], Any]
) -> dict[str, grpc.RpcMethodHandler[Any, Any]]:
    """The handlers of a service by method; `find` gives what answers a method of the proto."""
    return {m.name: _handler(endpoint, m, find(m.name)) for m in service.methods}


def _message_class(descriptor: Descriptor) -> type[Message]:
    from google.protobuf import message_factory

    return message_factory.GetMessageClass(descriptor)


def _handler(
    endpoint: Endpoint,
    method: MethodDescriptor,
    function: Any,  # noqa: ANN401 - one of three shapes, by the method
) -> grpc.RpcMethodHandler[Any, Any]:
    kind = _message_class(method.input_type)
    name = f"{method.containing_service.name}/{method.name}"
    position = method.input_type.fields_by_number.get(POSITION_FIELD)
    split_off = position is not None and position.message_type is position_pb2.Position.DESCRIPTOR
    shape = Shape(kind, split_off, method.client_streaming and not split_off, method.name == WATCH)
    if method.client_streaming:
        return grpc.stream_stream_rpc_method_handler(_duplex(endpoint, name, shape, function))
    # For gRPC, requests are streams here even if they hold one message: else it would wait for that
    # without bounds, before we know who calls. Others have the message already.
    made: Any
    if method.server_streaming:
        stream = _stream(endpoint, name, shape, function)
        made = grpc.stream_stream_rpc_method_handler(stream)
        return made._replace(unary_stream=lambda data, context: stream(_once(data), context))  # type: ignore[no-any-return]
    unary = _unary(endpoint, name, shape, function)
    made = grpc.stream_unary_rpc_method_handler(unary)
    return made._replace(unary_unary=lambda data, context: unary(_once(data), context))  # type: ignore[no-any-return]


def _unary(
    endpoint: Endpoint,
    name: str,
    shape: Shape,
    function: Callable[[Call, Any], Awaitable[Message | bytes]],
) -> Callable[[AsyncIterator[bytes], Context], Awaitable[bytes]]:
    async def answer(requests: AsyncIterator[bytes], context: Context) -> bytes:
        with endpoint.traced(name, context) as span:
            found = await answered(requests, context, span)
        if isinstance(found, Told):
            # gRPC keeps what is raised here, and so all that is at hand here, until the collector
            # comes, which it does seldom: the request must not be.
            await context.abort(found.code, found.message)
            raise AssertionError
        return found

    async def answered(
        requests: AsyncIterator[bytes], context: Context, span: Span
    ) -> bytes | Told:
        started = time.perf_counter()
        call: Call | None = None
        try:
            deadline = endpoint.deadline(context)
            # Whatever it waits for: a store that does not answer must not hold it for longer.
            async with asyncio.timeout(deadline - time.monotonic()):
                call = await endpoint.begin(name, context, deadline)
                with endpoint.limits.call(call.account):
                    request = await endpoint.read(call, shape, await _only(requests))
                    response = await function(call, request)
            result = response if isinstance(response, bytes) else response.SerializeToString()
        except (asyncio.CancelledError, GeneratorExit):
            endpoint.done(span, call, name, "CANCELLED", started, "")
            raise
        except Exception as error:  # noqa: BLE001 - each becomes a status
            told = await endpoint.refuse(call, error, context, name)
            endpoint.done(
                span, call, name, told.code.name, started, told.message, _machine(context)
            )
            return told
        endpoint.done(span, call, name, "OK", started, "")
        return result

    return answer


def _stream(
    endpoint: Endpoint,
    name: str,
    shape: Shape,
    function: Callable[[Call, Any], AsyncIterator[Message]],
) -> Callable[[AsyncIterator[bytes], Context], AsyncIterator[bytes]]:
    async def first(
        call: Call, requests: AsyncIterator[Any]
    ) -> AsyncGenerator[Message | bytes, None]:
        async for request in requests:
            async for response in function(call, request):
                yield response
            return
        raise statuses.invalid("", "nothing was sent", reason="UNREADABLE")

    return _duplex(endpoint, name, shape, first)


async def _once(data: bytes) -> AsyncIterator[bytes]:
    yield data


async def _only(requests: AsyncIterator[bytes]) -> bytes:
    """The one message of a call that has one."""
    async for data in requests:
        return data
    raise statuses.invalid("", "nothing was sent", reason="UNREADABLE")


def _duplex(
    endpoint: Endpoint,
    name: str,
    shape: Shape,
    function: Callable[[Call, AsyncIterator[Any]], AsyncGenerator[Message | bytes, None]],
) -> Callable[[AsyncIterator[bytes], Context], AsyncIterator[bytes]]:
    async def answer(requests: AsyncIterator[bytes], context: Context) -> AsyncIterator[bytes]:
        with endpoint.traced(name, context) as span:
            answers = _answers(endpoint, name, shape, function, requests, context, span)
            async for response in answers:
                yield response

    return answer


async def _answers(
    endpoint: Endpoint,
    name: str,
    shape: Shape,
    function: Callable[[Call, AsyncIterator[Any]], AsyncGenerator[Message | bytes, None]],
    requests: AsyncIterator[bytes],
    context: Context,
    span: Span,
) -> AsyncIterator[bytes]:
    started = time.perf_counter()
    call: Call | None = None
    told: Told | None = None
    try:
        deadline = endpoint.deadline(context, watch=shape.watch)
        call = await endpoint.begin(name, context, deadline)
        known = call
        call.task = asyncio.current_task()
        caller = call.account

        async def read() -> AsyncIterator[Any]:
            count = 0
            messages = aiter(requests)
            while True:
                # Somebody who sends nothing must not keep a place for ever.
                try:
                    async with asyncio.timeout(known.seconds_left):
                        data = await anext(messages)
                except StopAsyncIteration:
                    return
                count += 1
                if count > endpoint.settings.max_stream_messages:
                    most = endpoint.settings.max_stream_messages
                    raise statuses.exhausted("stream_messages", f"more than {most} messages")
                if count > 1:
                    endpoint.limits.spend(caller)
                yield await endpoint.read(known, shape, data)

        limits = endpoint.limits
        counted = limits.watch(caller) if shape.watch else limits.call(caller)
        with counted, endpoint.authenticator.held_open(call):
            # Closed here and now: what a method holds is let go before the call counts as done.
            async with aclosing(function(call, read())) as responses:
                async for response in responses:
                    yield response if isinstance(response, bytes) else response.SerializeToString()
    except (asyncio.CancelledError, GeneratorExit) as error:
        if call is None or not call.revoked or isinstance(error, GeneratorExit):
            endpoint.done(span, call, name, "CANCELLED", started, "")
            raise
        gone = statuses.unauthenticated("the token is no longer valid")
        told = await endpoint.refuse(call, gone, context, name)
        endpoint.done(span, call, name, told.code.name, started, told.message, _machine(context))
    except Exception as error:  # noqa: BLE001 - each becomes a status
        told = await endpoint.refuse(call, error, context, name)
        endpoint.done(span, call, name, told.code.name, started, told.message, _machine(context))
    if told is None:
        endpoint.done(span, call, name, "OK", started, "")
        return
    if call is not None:
        call.position = call.raw = None
    await context.abort(told.code, told.message)
