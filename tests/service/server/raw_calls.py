"""Raw calls of the service, and what a refusal holds, unpacked."""

from __future__ import annotations

import grpc
import pytest
from google.rpc import error_details_pb2 as details
from google.rpc.status_pb2 import Status

from hexmarshal.rules.action import Action
from hexmarshal.rules.values import FrozenMap
from hexmarshal.v1 import match_service_pb2 as matches
from hexmarshal.v1 import rules_service_pb2 as rules
from hexmarshal.v1 import verdict_pb2
from hexmarshal.wire.positions import encode_position
from hexmarshal.wire.verdicts import encode_action

from .frontier import Frontier


class Refused:
    """A refusal with its details unpacked."""

    def __init__(self, error: grpc.RpcError) -> None:
        self.code = error.code().name
        self.message = error.details()
        self.trailing = dict(error.trailing_metadata())
        self.details: dict[str, object] = {}
        if data := self.trailing.get("grpc-status-details-bin"):
            status = Status.FromString(data)
            assert status.code == error.code().value[0]
            assert status.message == self.message
            for packed in status.details:
                for kind in KINDS:
                    message = kind()
                    if packed.Unpack(message):
                        self.details[kind.DESCRIPTOR.name] = message

    @property
    def reason(self) -> str:
        info = self.details["ErrorInfo"]
        assert info.domain == "hexmarshal.v1"
        return info.reason

    @property
    def fields(self) -> list[str]:
        return [v.field for v in self.details["BadRequest"].field_violations]


KINDS = (
    details.ErrorInfo,
    details.BadRequest,
    details.ResourceInfo,
    details.PreconditionFailure,
    details.QuotaFailure,
    details.RetryInfo,
    verdict_pb2.Verdict,
    verdict_pb2.RollRequest,
)


def call(live, method: str, request, *, token: str = "", timeout: float = 20, **metadata) -> bytes:
    data = request if isinstance(request, bytes) else request.SerializeToString()
    header = {"authorization": f"Bearer {token}"} if token else {}
    header |= {key.replace("_", "-"): value for key, value in metadata.items()}
    with grpc.insecure_channel(live.address) as channel:
        return channel.unary_unary(f"/hexmarshal.v1.{method}")(
            data, timeout=timeout, metadata=tuple(header.items())
        )


def refused(live, method: str, request, **options) -> Refused:
    with pytest.raises(grpc.RpcError) as caught:
        call(live, method, request, **options)
    return Refused(caught.value)


START = Frontier().setup("duel", {}, None)


def check(action: Action, position=START) -> rules.CheckActionRequest:
    return rules.CheckActionRequest(
        position=encode_position(position), action=encode_action(action)
    )


def act(kind: str, side: str = "blue", **params) -> Action:
    return Action(kind, side, FrozenMap(params))


def submit(match: str, version: int, action: Action, key: str = "") -> matches.SubmitActionRequest:
    return matches.SubmitActionRequest(
        match=match, version=version, action=encode_action(action), idempotency_key=key
    )
