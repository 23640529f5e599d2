"""What the service refuses, as exceptions that carry its details."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from google.rpc import error_details_pb2 as details
from google.rpc.status_pb2 import Status

from hexmarshal.errors import ExitCode, HexMarshalError, Place
from hexmarshal.rules.dice import RollRequest
from hexmarshal.rules.verdict import Verdict
from hexmarshal.v1 import verdict_pb2
from hexmarshal.wire.verdicts import decode_request, decode_verdict

if TYPE_CHECKING:
    import grpc

__all__ = [
    "ConflictError",
    "DiceNeededError",
    "IllegalMoveError",
    "InvalidRequestError",
    "NotPermittedError",
    "ServiceError",
    "ServiceNotFoundError",
    "ServiceUnavailableError",
    "error_of",
]


class ServiceError(HexMarshalError):
    """A call that was not answered with OK; `status` is the name of the gRPC code."""

    code: ClassVar[str] = "service"

    def __init__(
        self, message: str, *, status: str = "UNKNOWN", reason: str = "", place: Place | None = None
    ) -> None:
        super().__init__(message, place=place)
        self.status = status
        self.reason = reason
        self.fields: tuple[tuple[str, str], ...] = ()
        self.metadata: dict[str, str] = {}
        self.retry_after: float | None = None


class InvalidRequestError(ServiceError):
    """Something in the request does not make sense; `fields` says what."""

    code = "invalid-request"


class DiceNeededError(InvalidRequestError):
    """The rules ask for a roll; `request` says which. Call again with its values behind the others.

    In a match, an action of which dice are known can no longer be withdrawn: `version` is where the
    match is now, and 0 where nothing was known yet.
    """

    code = "dice-needed"
    request: RollRequest = RollRequest()

    @property
    def version(self) -> int:
        """The version of the match with which to go on; 0 if it did not change."""
        return int(self.metadata.get("version", "0"))


class ServiceNotFoundError(ServiceError):
    """A game, rule, scenario or match that is not there."""

    code = "service-not-found"
    exit_code = ExitCode.NOT_FOUND


class IllegalMoveError(ServiceError):
    """The rules, or those of the match, forbid it; `verdict` says why."""

    code = "refused"
    exit_code = ExitCode.FINDINGS
    verdict: Verdict = Verdict()

    @property
    def rules(self) -> tuple[str, ...]:
        """The ids of the rules that it breaks."""
        return self.verdict.rules


class ConflictError(ServiceError):
    """The match went on since the caller looked; `version` is where it is now."""

    code = "conflict"
    exit_code = ExitCode.FINDINGS

    @property
    def version(self) -> int:
        """The newest version."""
        return int(self.metadata.get("version", "0"))


class NotPermittedError(ServiceError):
    """No valid token, or not the right seat or role."""

    code = "not-permitted"


class ServiceUnavailableError(ServiceError):
    """The server cannot be reached, is overloaded, or did not answer in time."""

    code = "service-unavailable"
    exit_code = ExitCode.UNAVAILABLE


_KINDS: dict[str, type[ServiceError]] = {
    "INVALID_ARGUMENT": InvalidRequestError,
    "NOT_FOUND": ServiceNotFoundError,
    "FAILED_PRECONDITION": IllegalMoveError,
    "ABORTED": ConflictError,
    "UNAUTHENTICATED": NotPermittedError,
    "PERMISSION_DENIED": NotPermittedError,
    "UNAVAILABLE": ServiceUnavailableError,
    "RESOURCE_EXHAUSTED": ServiceUnavailableError,
    "DEADLINE_EXCEEDED": ServiceUnavailableError,
}


def error_of(error: grpc.RpcError) -> ServiceError:
    """The exception of a failed call."""
    code: grpc.StatusCode = error.code()
    kind = _KINDS.get(code.name, ServiceError)
    trailing: Any = error.trailing_metadata() or ()
    told = [
        Status.FromString(value)
        for key, value in trailing
        if key == "grpc-status-details-bin" and isinstance(value, bytes)
    ]
    if any(packed.Is(verdict_pb2.RollRequest.DESCRIPTOR) for s in told for packed in s.details):
        kind = DiceNeededError
    made = kind(str(error.details() or code.name), status=code.name)
    for status in told:
        _add_details(made, status)
    if code.name == "UNAVAILABLE" and not made.reason:
        # No server of ours said so: gRPC found nobody there, or somebody who speaks otherwise.
        made.message = f"no rules service answers: {made.message}"
        made.hint = "'hexmarshal serve' starts one; are address and TLS right?"
    return made


def _add_details(made: ServiceError, status: Status) -> None:
    for packed in status.details:
        info, bad = details.ErrorInfo(), details.BadRequest()
        retry, verdict = details.RetryInfo(), verdict_pb2.Verdict()
        roll = verdict_pb2.RollRequest()
        if packed.Unpack(info):
            made.reason = info.reason
            made.metadata = dict(info.metadata)
        elif packed.Unpack(bad):
            made.fields = tuple((v.field, v.description) for v in bad.field_violations)
            if made.fields and made.fields[0][0]:
                made.place = Place(field=made.fields[0][0])
                made.message = made.message.removeprefix(f"{made.fields[0][0]}: ")
        elif packed.Unpack(retry):
            made.retry_after = retry.retry_delay.ToMilliseconds() / 1000
        elif isinstance(made, DiceNeededError) and packed.Unpack(roll):
            made.request = decode_request(roll)
        elif isinstance(made, IllegalMoveError) and packed.Unpack(verdict):
            made.verdict = decode_verdict(verdict)
