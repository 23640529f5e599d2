"""Methods as gRPC calls them: one message or a stream of them, each way."""

from __future__ import annotations

import asyncio
import re
import time
from contextlib import aclosing
from functools import partial
from typing import TYPE_CHECKING, Any

import grpc

from hexmarshal.service.calls import statuses
from hexmarshal.service.calls.endpoint import Told, machine_of
from hexmarshal.service.calls.request_reading import POSITION_FIELD, Shape, read
from hexmarshal.v1 import position_pb2

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable

    from google.protobuf.descriptor import Descriptor, MethodDescriptor, ServiceDescriptor
    from google.protobuf.message import Message

    from hexmarshal.service.calls.call import Call
    from hexmarshal.service.calls.endpoint import Context, Endpoint
    from hexmarshal.service.tracing import Span

    # What brings the message of a call, once it is wanted.
    Receive = Callable[[], Awaitable[Any]]

__all__ = ["handlers", "snake"]

# What stays open while nothing happens, and so has limits of its own.
WATCH = "WatchMatch"


def snake(name: str) -> str:
    """`CheckMove` is answered by `check_move`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


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
    # without bounds, before we know who calls. Pages have it already, or say how it comes.
    made: Any
    if method.server_streaming:
        stream = _stream(endpoint, name, shape, function)
        made = grpc.stream_stream_rpc_method_handler(stream)
        return made._replace(unary_stream=lambda data, context: stream(_once(data), context))  # type: ignore[no-any-return]
    unary = _unary(endpoint, name, shape, function)

    async def received(requests: AsyncIterator[bytes], context: Context) -> bytes:
        del requests  # to walk through them costs more than to ask for the next one
        return await unary(context.read, context)

    def taken(sent: bytes | Receive, context: Context) -> Awaitable[bytes]:
        return unary(sent if callable(sent) else partial(_at_hand, sent), context)

    made = grpc.stream_unary_rpc_method_handler(received)
    return made._replace(unary_unary=taken)  # type: ignore[no-any-return]


def _unary(
    endpoint: Endpoint,
    name: str,
    shape: Shape,
    function: Callable[[Call, Any], Awaitable[Message | bytes]],
) -> Callable[[Receive, Context], Awaitable[bytes]]:
    async def answer(receive: Receive, context: Context) -> bytes:
        with endpoint.traced(name, context) as span:
            found = await answered(receive, context, span)
        if isinstance(found, Told):
            # gRPC keeps what is raised here, and so all that is at hand here, until the collector
            # comes, which it does seldom: the request must not be.
            await context.abort(found.code, found.message)
            raise AssertionError
        return found

    async def answered(receive: Receive, context: Context, span: Span) -> bytes | Told:
        started = time.perf_counter()
        call: Call | None = None
        try:
            deadline = endpoint.deadline(context)
            # Whatever it waits for: a store that does not answer must not hold it for longer.
            async with asyncio.timeout(deadline - time.monotonic()):
                call = await endpoint.begin(name, context, deadline)
                with endpoint.limits.call(call.account):
                    data = await receive()
                    if data is grpc.aio.EOF:
                        raise statuses.invalid("", "nothing was sent", reason="UNREADABLE")
                    request = await read(call, shape, data, endpoint.settings.max_actions)
                    response = await function(call, request)
            result = response if isinstance(response, bytes) else response.SerializeToString()
        except (asyncio.CancelledError, GeneratorExit):
            endpoint.done(span, call, name, "CANCELLED", started, "")
            raise
        except Exception as error:  # noqa: BLE001 - each becomes a status
            told = await endpoint.refuse(call, error, context, name)
            endpoint.done(
                span, call, name, told.code.name, started, told.message, machine_of(context)
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


async def _at_hand(data: bytes) -> bytes:
    return data


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

        async def coming() -> AsyncIterator[Any]:
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
                yield await read(known, shape, data, endpoint.settings.max_actions)

        limits = endpoint.limits
        counted = limits.watch(caller) if shape.watch else limits.call(caller)
        with counted, endpoint.authenticator.held_open(call):
            # Closed here and now: what a method holds is let go before the call counts as done.
            async with aclosing(function(call, coming())) as responses:
                async for response in responses:
                    yield response if isinstance(response, bytes) else response.SerializeToString()
    except (asyncio.CancelledError, GeneratorExit) as error:
        if call is None or not call.revoked or isinstance(error, GeneratorExit):
            endpoint.done(span, call, name, "CANCELLED", started, "")
            raise
        gone = statuses.unauthenticated("you are let in no longer, or not as before")
        told = await endpoint.refuse(call, gone, context, name)
        endpoint.done(span, call, name, told.code.name, started, told.message, machine_of(context))
    except Exception as error:  # noqa: BLE001 - each becomes a status
        told = await endpoint.refuse(call, error, context, name)
        endpoint.done(span, call, name, told.code.name, started, told.message, machine_of(context))
    if told is None:
        endpoint.done(span, call, name, "OK", started, "")
        return
    if call is not None:
        call.position = call.raw = None
    await context.abort(told.code, told.message)
