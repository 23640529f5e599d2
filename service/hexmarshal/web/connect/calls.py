"""The service's calls over HTTP: through the same handlers as gRPC, so with the same checks.

Unary calls are a POST of JSON or protobuf; streams of answers come in envelopes of five bytes
and a message, as the protocol has it. Calls that upload files are gRPC's alone.
"""

from __future__ import annotations

import asyncio
import json
import time
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from google.protobuf import json_format
from google.protobuf.message_factory import GetMessageClass
from starlette.requests import ClientDisconnect
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from hexmarshal.service.calls import statuses
from hexmarshal.service.calls.endpoint import machine_of
from hexmarshal.service.calls.request_reading import SMALL_BYTES
from hexmarshal.service.calls.statuses import Refusal
from hexmarshal.web.connect.context import Aborted, WebContext
from hexmarshal.web.connect.errors import aborted_of, error_body, error_response, refused

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

    import grpc
    from google.protobuf.descriptor import MethodDescriptor
    from google.protobuf.message import Message
    from starlette.requests import Request

    from hexmarshal.service.auth import Caller
    from hexmarshal.service.rulings.here import Here
    from hexmarshal.service.server import Server

    Handler = grpc.RpcMethodHandler[Any, Any]

__all__ = ["Calls", "filled", "read_body"]

JSON: Final = "json"
PROTO: Final = "proto"
_UNARY: Final = {"application/json": JSON, "application/proto": PROTO}
_STREAM: Final = {"application/connect+json": JSON, "application/connect+proto": PROTO}
_END: Final = 2
_HEAD: Final = 5
DEEPEST: Final = 64
"""JSON nested more deeply than this is no request of ours."""


async def read_body(request: Request, most: int) -> bytes:
    """The body, unless it is larger than a message may be."""
    parts: list[bytes] = []
    size = 0
    try:
        async for part in request.stream():
            size += len(part)
            if size > most:
                raise statuses.exhausted("request_bytes", f"more than {most} bytes")
            parts.append(part)
    except ClientDisconnect:
        text = "the connection ended before the request did"
        raise statuses.invalid("", text, reason="UNREADABLE") from None
    return b"".join(parts)


class Calls:
    """All calls of a server that is started, by the name in their path."""

    def __init__(self, server: Server) -> None:
        from hexmarshal.service.server import SERVICES

        self._most = server.settings.max_message_bytes
        self._endpoint = server.endpoint
        self.here: Here = server.rulings.here
        self._methods: dict[str, tuple[MethodDescriptor, Handler]] = {
            f"{service.full_name}/{method.name}": (
                method,
                server.handlers[service.full_name][method.name],
            )
            for service in SERVICES
            for method in service.methods
        }

    def routes(self) -> Iterator[Route]:
        """One address a call."""
        for name, (method, handler) in self._methods.items():
            yield Route(f"/{name}", self._route(method, handler), methods=["POST"])

    def method(self, name: str) -> MethodDescriptor | None:
        """A unary call by its name, such as `RulesService/Query`; None if there is none."""
        found = self._methods.get(f"hexmarshal.v1.{name}")
        if found is None or found[0].client_streaming or found[0].server_streaming:
            return None
        return found[0]

    async def known(self, request: Request, name: str) -> Caller:
        """Who sent a request, for what is no call; the work that it takes is on their account."""
        context: Any = WebContext(request)
        started = time.perf_counter()
        try:
            deadline = self._endpoint.deadline(context)
            return (await self._endpoint.begin(name, context, deadline)).caller
        except Refusal as refusal:
            told, machine = refusal.code.name, machine_of(context)
            with self._endpoint.traced(name, context) as span:
                self._endpoint.done(span, None, name, told, started, refusal.message, machine)
            raise refused(refusal) from None

    async def body(self, request: Request, name: str, most: int) -> bytes:
        """What was sent with a request that is no call, once it is known who sends it."""
        await self.known(request, name)
        try:
            async with asyncio.timeout(self._endpoint.settings.max_seconds):
                return await read_body(request, most)
        except TimeoutError:
            raise refused(statuses.expired()) from None
        except Refusal as refusal:
            raise refused(refusal) from None

    async def unary(self, request: Request, name: str, message: Message) -> Any:  # noqa: ANN401
        """Make a unary call as whoever sent the request; its answer, or Aborted."""
        method, handler = self._methods[f"hexmarshal.v1.{name}"]
        answer = await _function(handler, "unary_unary")(
            message.SerializeToString(), WebContext(request)
        )
        return GetMessageClass(method.output_type).FromString(answer)

    async def stream(self, request: Request, name: str, message: Message) -> AsyncIterator[Any]:
        """The same for a call with a stream of answers."""
        method, handler = self._methods[f"hexmarshal.v1.{name}"]
        kind = GetMessageClass(method.output_type)
        answers = _function(handler, "unary_stream")(
            message.SerializeToString(), WebContext(request)
        )
        async for answer in answers:
            yield kind.FromString(answer)

    def _route(
        self, method: MethodDescriptor, handler: Handler
    ) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            try:
                return await self._answer(request, method, handler)
            except Aborted as error:
                return error_response(error)

        return answer

    async def _answer(
        self, request: Request, method: MethodDescriptor, handler: Handler
    ) -> Response:
        if method.client_streaming:
            raise refused(statuses.unimplemented(f"{method.name} takes a stream: use gRPC"))
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        forms = _STREAM if method.server_streaming else _UNARY
        form = forms.get(kind)
        if form is None:
            wanted = " or ".join(forms)
            return Response(f"the content type is {wanted}\n", 415, {"accept-post": wanted})
        encoding = request.headers.get(
            "connect-content-encoding" if method.server_streaming else "content-encoding", ""
        )
        if encoding not in {"", "identity"}:
            raise refused(statuses.unimplemented(f"no compression by {encoding!r}: use identity"))
        version = request.headers.get("connect-protocol-version", "1")
        if version != "1":
            raise aborted_of("", f"no version {version!r} of the Connect protocol: 1 is known")
        if not method.server_streaming:
            return await self._one(request, method, handler, form)
        # What asks for a stream is small.
        data = _unwrapped(await self.body(request, method.name, SMALL_BYTES + _HEAD))
        if form == JSON:
            try:
                data = _read(method, data)
            except Refusal as refusal:
                raise refused(refusal) from None
        answers = _function(handler, "unary_stream")(data, WebContext(request))
        out = GetMessageClass(method.output_type)
        return StreamingResponse(self._enveloped(answers, out, form), media_type=kind)

    async def _one(
        self, request: Request, method: MethodDescriptor, handler: Handler, form: str
    ) -> Response:
        async def receive() -> bytes:
            body = await read_body(request, self._most)
            if form == PROTO:
                return body
            key = ("", f"JSON to {method.name}", str(len(body).bit_length()))
            return await self.here.do(key, partial(_read, method, body))

        answer = await _function(handler, "unary_unary")(receive, WebContext(request))
        if form == PROTO:
            return Response(answer, media_type="application/proto")
        text = await self._in_json(answer, GetMessageClass(method.output_type))
        return Response(text, media_type="application/json")

    async def _in_json(self, answer: bytes, kind: type[Message]) -> bytes:
        key = ("", f"JSON of {kind.DESCRIPTOR.name}", str(len(answer).bit_length()))
        return await self.here.do(key, lambda: _written(kind.FromString(answer)))

    async def _enveloped(
        self, answers: AsyncIterator[bytes], kind: type[Message], form: str
    ) -> AsyncIterator[bytes]:
        """The answers, and at the end how the call ended."""
        end: dict[str, Any] = {}
        try:
            async for answer in answers:
                yield _envelope(await self._in_json(answer, kind) if form == JSON else answer)
        except Aborted as error:
            end = {"error": error_body(error)}
        yield _envelope(json.dumps(end, ensure_ascii=False).encode(), _END)


def _function(handler: Handler, shape: str) -> Callable[[Any, WebContext], Any]:
    found: Callable[[Any, WebContext], Any] = getattr(handler, shape)
    return found


def filled(message: Message, given: Any, field: str = "") -> Message:  # noqa: ANN401 - JSON
    """A message with what JSON says, read already or not; what is wrong is told with its place."""
    try:
        if isinstance(given, bytes):
            json_format.Parse(given or b"{}", message, max_recursion_depth=DEEPEST)
        else:
            json_format.ParseDict(given, message, max_recursion_depth=DEEPEST)
    except (json_format.ParseError, TypeError, ValueError, RecursionError) as error:
        why = str(error)
    except SystemError:  # half a character in the name of a field
        why = "a name that is no text"
    else:
        return message
    raise statuses.invalid(field, f"not a {message.DESCRIPTOR.full_name}: {why}")


def _read(method: MethodDescriptor, body: bytes) -> bytes:
    return filled(GetMessageClass(method.input_type)(), body).SerializeToString()


def _written(message: Message) -> bytes:
    return json_format.MessageToJson(message, indent=None, ensure_ascii=False).encode()


def _unwrapped(body: bytes) -> bytes:
    """The one message of a request that comes in an envelope."""
    if len(body) < _HEAD or body[0] != 0 or int.from_bytes(body[1:_HEAD]) != len(body) - _HEAD:
        raise aborted_of("", "not one message in an envelope that is not compressed")
    return body[_HEAD:]


def _envelope(data: bytes, flags: int = 0) -> bytes:
    return bytes([flags]) + len(data).to_bytes(4) + data
