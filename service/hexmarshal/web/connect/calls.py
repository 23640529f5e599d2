"""The service's calls over HTTP: through the same handlers as gRPC, so with the same checks.

Unary calls are a POST of JSON or protobuf; streams of answers come in envelopes of five bytes
and a message, as the protocol has it. Calls that upload files are gRPC's alone.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from google.protobuf import json_format
from google.protobuf.message import DecodeError
from google.protobuf.message_factory import GetMessageClass
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from hexmarshal.service.calls import statuses
from hexmarshal.web.connect.context import Aborted, WebContext
from hexmarshal.web.connect.errors import aborted_of, error_body, error_response, refused

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

    import grpc
    from google.protobuf.descriptor import MethodDescriptor
    from google.protobuf.message import Message
    from starlette.requests import Request

    from hexmarshal.service.server import Server

    Handler = grpc.RpcMethodHandler[Any, Any]

__all__ = ["Calls", "read_body"]

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
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise refused(statuses.exhausted("request_bytes", f"more than {most} bytes"))
        parts.append(part)
    return b"".join(parts)


class Calls:
    """All calls of a server that is started, by the name in their path."""

    def __init__(self, server: Server) -> None:
        from hexmarshal.service.server import SERVICES

        self._most = server.settings.max_message_bytes
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
        body = await read_body(request, self._most + _HEAD)
        context = WebContext(request)
        out = GetMessageClass(method.output_type)
        if not method.server_streaming:
            data = _read(method, body, form)
            answer = await _function(handler, "unary_unary")(data, context)
            return Response(_written(out.FromString(answer), form), media_type=kind)
        data = _read(method, _unwrapped(body), form)
        answers = _function(handler, "unary_stream")(data, context)
        return StreamingResponse(_enveloped(answers, out, form), media_type=kind)


def _function(handler: Handler, shape: str) -> Callable[[bytes, WebContext], Any]:
    found: Callable[[bytes, WebContext], Any] = getattr(handler, shape)
    return found


def _read(method: MethodDescriptor, body: bytes, form: str) -> bytes:
    """A request as protobuf; whatever is wrong with JSON is told with its place."""
    if form == PROTO:
        return body
    message = GetMessageClass(method.input_type)()
    try:
        json_format.Parse(body or b"{}", message, max_recursion_depth=DEEPEST)
    except (json_format.ParseError, UnicodeDecodeError, RecursionError, DecodeError) as error:
        raise aborted_of("", f"not a {method.input_type.full_name}: {error}") from None
    return message.SerializeToString()


def _written(message: Message, form: str) -> bytes:
    if form == PROTO:
        return message.SerializeToString()
    return json_format.MessageToJson(message, indent=None, ensure_ascii=False).encode()


def _unwrapped(body: bytes) -> bytes:
    """The one message of a request that comes in an envelope."""
    if len(body) < _HEAD or body[0] != 0 or int.from_bytes(body[1:_HEAD]) != len(body) - _HEAD:
        raise aborted_of("", "not one message in an envelope that is not compressed")
    return body[_HEAD:]


def _envelope(data: bytes, flags: int = 0) -> bytes:
    return bytes([flags]) + len(data).to_bytes(4) + data


async def _enveloped(
    answers: AsyncIterator[bytes], kind: type[Message], form: str
) -> AsyncIterator[bytes]:
    """The answers, and at the end how the call ended."""
    end: dict[str, Any] = {}
    try:
        async for answer in answers:
            yield _envelope(_written(kind.FromString(answer), form))
    except Aborted as error:
        end = {"error": error_body(error)}
    yield _envelope(json.dumps(end, ensure_ascii=False).encode(), _END)
