"""Statuses as the Connect protocol tells them: a code, a message, details, an HTTP status."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

from google.protobuf import descriptor_pool, json_format
from google.protobuf.message_factory import GetMessageClass
from google.rpc.status_pb2 import Status
from grpc import StatusCode
from starlette.responses import Response

from hexmarshal.service.calls import statuses

if TYPE_CHECKING:
    from collections.abc import Mapping

    from google.protobuf.any_pb2 import Any as AnyMessage

    from hexmarshal.service.calls.statuses import Refusal
    from hexmarshal.web.connect.context import Aborted

__all__ = ["aborted_of", "error_body", "error_response", "refused"]

# As the protocol's table has it.
HTTP: Mapping[StatusCode, int] = {
    StatusCode.CANCELLED: 499,
    StatusCode.UNKNOWN: 500,
    StatusCode.INVALID_ARGUMENT: 400,
    StatusCode.DEADLINE_EXCEEDED: 504,
    StatusCode.NOT_FOUND: 404,
    StatusCode.ALREADY_EXISTS: 409,
    StatusCode.PERMISSION_DENIED: 403,
    StatusCode.RESOURCE_EXHAUSTED: 429,
    StatusCode.FAILED_PRECONDITION: 400,
    StatusCode.ABORTED: 409,
    StatusCode.OUT_OF_RANGE: 400,
    StatusCode.UNIMPLEMENTED: 501,
    StatusCode.INTERNAL: 500,
    StatusCode.UNAVAILABLE: 503,
    StatusCode.DATA_LOSS: 500,
    StatusCode.UNAUTHENTICATED: 401,
}
_CODES = {StatusCode.CANCELLED: "canceled"}  # as the protocol spells it


def refused(refusal: Refusal) -> Aborted:
    """A refusal of the pages' own, as if a call had given it."""
    from hexmarshal.web.connect.context import Aborted

    return Aborted(refusal.code, refusal.message, refusal.status())


def aborted_of(field: str, text: str) -> Aborted:
    """A request that does not make sense."""
    return refused(statuses.invalid(field, text))


def error_body(error: Aborted) -> dict[str, Any]:
    """The JSON of an error."""
    body: dict[str, Any] = {
        "code": _CODES.get(error.code, error.code.name.lower()),
        "message": error.message,
    }
    details = [_detail(each) for each in Status.FromString(error.details).details]
    if details:
        body["details"] = details
    return body


def _detail(packed: AnyMessage) -> dict[str, Any]:
    name = packed.type_url.rpartition("/")[2]
    value = base64.b64encode(packed.value).decode().rstrip("=")
    told: dict[str, Any] = {"type": name, "value": value}
    message = descriptor_pool.Default().FindMessageTypeByName(name)
    shown = GetMessageClass(message).FromString(packed.value)
    told["debug"] = json_format.MessageToDict(shown)
    return told


def error_response(error: Aborted) -> Response:
    """The HTTP response of an error."""
    text = json.dumps(error_body(error), ensure_ascii=False)
    headers = {"www-authenticate": "Bearer"} if error.code is StatusCode.UNAUTHENTICATED else None
    return Response(text, HTTP.get(error.code, 500), headers, "application/json")
