"""What a caller is told when a call cannot be answered: a gRPC code with details of google.rpc."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from google.protobuf.duration_pb2 import Duration
from google.rpc import error_details_pb2 as details
from grpc import StatusCode

from hexmarshal.errors import HexMarshalError, NotFoundError, Place
from hexmarshal.rules.dice import NeedsDiceError
from hexmarshal.rules.secrecy.free_sight import SightNotFreeError
from hexmarshal.rules.values import FieldError
from hexmarshal.rules.verdict import IllegalActionError
from hexmarshal.service.calls.trailers import packed, shortened
from hexmarshal.wire.verdicts import encode_request, encode_verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from google.protobuf.message import Message

    from hexmarshal.rules.verdict import Verdict, Violation

__all__ = [
    "CODES",
    "DOMAIN",
    "ILLEGAL",
    "NEEDS_DICE",
    "Refusal",
    "aborted",
    "denied",
    "exhausted",
    "expired",
    "illegal",
    "internal",
    "invalid",
    "invalid_fields",
    "needs_dice",
    "not_found",
    "precondition",
    "refusal_of",
    "unauthenticated",
    "unavailable",
    "unimplemented",
]

DOMAIN = "hexmarshal.v1"
NEEDS_DICE = "NEEDS_DICE"
ILLEGAL = "ILLEGAL_ACTION"
CODES: dict[int, StatusCode] = {code.value[0]: code for code in StatusCode}


@dataclass(slots=True)
class Refusal(Exception):  # noqa: N818 - it is not an error of ours
    """A call that is answered with a status other than OK."""

    code: StatusCode
    message: str
    details: tuple[Message, ...] = ()

    def __post_init__(self) -> None:
        """Keep the message as short as a trailer has to be."""
        self.message = shortened(self.message)

    @property
    def reason(self) -> str:
        """The machine-readable reason of its ErrorInfo."""
        return next((d.reason for d in self.details if isinstance(d, details.ErrorInfo)), "")

    @property
    def rules(self) -> list[str]:
        """The ids of the rules that forbid it."""
        for detail in self.details:
            if isinstance(detail, details.PreconditionFailure):
                return [str(violation.type) for violation in detail.violations]
        return []

    @property
    def field(self) -> str:
        """The first field that it names."""
        for detail in self.details:
            if isinstance(detail, details.BadRequest):
                return str(detail.field_violations[0].field)
        return ""

    def status(self) -> bytes:
        """As google.rpc.Status, for the trailing metadata."""
        return packed(self.code.value[0], self.message, self.details)


def _info(reason: str, **metadata: str) -> details.ErrorInfo:
    return details.ErrorInfo(reason=reason, domain=DOMAIN, metadata=metadata)


def invalid(field: str, text: str, *, reason: str = "INVALID_FIELD") -> Refusal:
    """One field that does not make sense."""
    return invalid_fields([(field, text)], reason=reason)


def invalid_fields(
    problems: Iterable[tuple[str, str]], *, reason: str = "INVALID_FIELD"
) -> Refusal:
    """Fields that do not make sense, each with its path."""
    found = list(problems)
    violations = [
        details.BadRequest.FieldViolation(field=field, description=text) for field, text in found
    ]
    field, text = found[0]
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    message = f"{field}: {text}{more}" if field else f"{text}{more}"
    return Refusal(
        StatusCode.INVALID_ARGUMENT,
        message,
        (details.BadRequest(field_violations=violations), _info(reason)),
    )


def needs_dice(error: NeedsDiceError, field: str) -> Refusal:
    """The rules ask for a roll: a question, which the same call with more dice answers."""
    asked = invalid(field, _text(error), reason=NEEDS_DICE)
    return Refusal(asked.code, asked.message, (*asked.details, encode_request(error.request)))


def not_found(kind: str, name: str, text: str = "") -> Refusal:
    """Something that is named and not there."""
    resource = details.ResourceInfo(resource_type=kind, resource_name=name)
    message = text or f"no {kind} {name!r}"
    return Refusal(StatusCode.NOT_FOUND, message, (resource, _info("NOT_FOUND", kind=kind)))


def illegal(verdict: Verdict) -> Refusal:
    """An action that the rules forbid."""
    found = verdict.violations
    failure = details.PreconditionFailure(violations=[_broken(v) for v in found])
    rules = ",".join(verdict.rules)
    return Refusal(
        StatusCode.FAILED_PRECONDITION,
        "; ".join(f"{v.rule}: {v.text}" for v in found),
        (failure, _info(ILLEGAL, rules=rules), encode_verdict(verdict)),
    )


def _broken(violation: Violation) -> details.PreconditionFailure.Violation:
    subject = ",".join((*violation.units, *violation.cells))
    return details.PreconditionFailure.Violation(
        type=violation.rule, subject=subject, description=violation.text
    )


def precondition(reason: str, text: str) -> Refusal:
    """Something that cannot be done now."""
    failure = details.PreconditionFailure(
        violations=[details.PreconditionFailure.Violation(type=reason, description=text)]
    )
    return Refusal(StatusCode.FAILED_PRECONDITION, text, (failure, _info(reason)))


def aborted(match: str, version: int, known: int) -> Refusal:
    """The match went on since the caller looked."""
    return Refusal(
        StatusCode.ABORTED,
        f"the match is at version {version}, not {known}: look again and decide anew",
        (_info("VERSION_CONFLICT", match=match, version=str(version)),),
    )


def unauthenticated(text: str) -> Refusal:
    """A caller that we do not know."""
    return Refusal(StatusCode.UNAUTHENTICATED, text, (_info("UNAUTHENTICATED"),))


def denied(text: str, *, reason: str = "WRONG_SEAT") -> Refusal:
    """A caller that we know, and that may not do this."""
    return Refusal(StatusCode.PERMISSION_DENIED, text, (_info(reason),))


def exhausted(what: str, text: str, *, retry_after: float = 0) -> Refusal:
    """Too much, too often, too many at once."""
    quota = details.QuotaFailure(
        violations=[details.QuotaFailure.Violation(subject=what, description=text)]
    )
    found: tuple[Message, ...] = (quota, _info("LIMIT", limit=what))
    if retry_after > 0:
        delay = Duration()
        delay.FromMilliseconds(max(1, round(retry_after * 1000)))
        found = (*found, details.RetryInfo(retry_delay=delay))
    return Refusal(StatusCode.RESOURCE_EXHAUSTED, text, found)


def expired() -> Refusal:
    """The caller's deadline, or ours, passed before there was an answer."""
    return Refusal(
        StatusCode.DEADLINE_EXCEEDED, "no answer before the deadline", (_info("DEADLINE"),)
    )


def unavailable(text: str, *, reason: str = "UNAVAILABLE") -> Refusal:
    """Something that should work again soon."""
    return Refusal(StatusCode.UNAVAILABLE, text, (_info(reason),))


def unimplemented(text: str) -> Refusal:
    """Something that this game, or this server, does not offer."""
    return Refusal(StatusCode.UNIMPLEMENTED, text, (_info("UNIMPLEMENTED"),))


def internal(game: str = "") -> Refusal:
    """A bug; what it was stands in the log, under the request's id."""
    where = f"in the rules of {game!r}" if game else "in the service"
    return Refusal(
        StatusCode.INTERNAL, f"a bug {where}; the log says more", (_info("BUG", game=game),)
    )


def _same(field: str) -> str:
    return field


def refusal_of(error: Exception, rename: Callable[[str], str] = _same) -> Refusal | None:
    """What an error of the kernel means to a caller; None for one that is a bug.

    `rename` turns the field that the kernel names into the path within the request.
    """
    match error:
        case Refusal():
            return error
        case IllegalActionError():
            return illegal(error.verdict)
        case NeedsDiceError():
            return needs_dice(error, rename(_field(error.place)))
        case FieldError():
            error = error.as_error("")
            return invalid(rename(_field(error.place)), error.message.removeprefix(": "))
        case SightNotFreeError():
            return precondition("SIGHT_NOT_FREE", _text(error))
        case NotFoundError():
            return not_found(error.place.field or "thing", error.place.unit or "", _text(error))
        case HexMarshalError():
            return invalid(rename(_field(error.place)), _text(error))
    return None


def _field(place: Place) -> str:
    return place.field or ""


def _text(error: HexMarshalError) -> str:
    return f"{error.message} ({error.hint})" if error.hint else error.message
