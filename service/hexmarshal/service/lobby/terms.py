"""What a match was made under: who may join and look on, what is told at its end, dice, time."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

from google.protobuf.duration_pb2 import Duration

from hexmarshal.rules.playing.audit import commitment
from hexmarshal.service.calls import statuses
from hexmarshal.v1 import match_service_pb2 as pb
from hexmarshal.v1 import match_terms_pb2 as terms_pb

if TYPE_CHECKING:
    from hexmarshal.service.store import MatchRow

__all__ = ["Terms", "duration", "terms_of"]

# A year of thought for one match is enough; more would not fit what counts it.
LONGEST_SECONDS = 366 * 86_400


@dataclass(frozen=True, slots=True)
class Terms:
    """As the store keeps them; times in microseconds, no `main` is as much time as one likes.

    `seated` says that all seats were taken from the start.
    """

    access: int = terms_pb.ACCESS_OPEN
    audience: int = terms_pb.AUDIENCE_PLAYERS
    after_end: int = terms_pb.AFTER_END_DICE
    practice: bool = False
    commitment: str = ""
    main: int = 0
    increment: int = 0
    seated: bool = True

    @classmethod
    def of(cls, row: MatchRow) -> Terms:
        """Those of a match; of one from before there were any, as they were then."""
        found: dict[str, Any] = json.loads(row.terms)
        known = {field.name for field in fields(cls)}
        return cls(**{name: value for name, value in found.items() if name in known})

    def to_json(self) -> str:
        """For the store."""
        return json.dumps(asdict(self), separators=(",", ":"))

    def time_control(self) -> terms_pb.TimeControl | None:
        """As a message; none without a clock."""
        if not self.main:
            return None
        return terms_pb.TimeControl(main=duration(self.main), increment=duration(self.increment))


def terms_of(request: pb.CreateMatchRequest, seed: str | None, *, seated: bool) -> Terms:
    """The terms that a request asks for, or a refusal."""
    for field, known in (
        ("access", terms_pb.Access),
        ("audience", terms_pb.Audience),
        ("after_end", terms_pb.AfterEnd),
    ):
        if getattr(request, field) not in known.values():
            raise statuses.invalid(field, "no such value")
    main = increment = 0
    if request.HasField("time_control"):
        main = _microseconds(request.time_control.main, "time_control.main")
        increment = _microseconds(request.time_control.increment, "time_control.increment")
        if not main:
            raise statuses.invalid("time_control.main", "must be more than nothing")
    practice = bool(request.seed) and not request.own_dice
    return Terms(
        access=request.access or terms_pb.ACCESS_OPEN,
        audience=request.audience or terms_pb.AUDIENCE_PLAYERS,
        after_end=request.after_end or terms_pb.AFTER_END_DICE,
        practice=practice,
        # Of a seed that somebody chose, a promise would tell whoever guesses it.
        commitment="" if practice or seed is None else commitment(seed),
        main=main,
        increment=increment,
        seated=seated,
    )


def duration(microseconds: int) -> Duration:
    """A time as a message."""
    found = Duration()
    found.FromMicroseconds(microseconds)
    return found


def _microseconds(time: Duration, field: str) -> int:
    if not 0 <= time.seconds <= LONGEST_SECONDS or not 0 <= time.nanos < 1_000_000_000:
        raise statuses.invalid(field, f"is not from 0 to {LONGEST_SECONDS} seconds")
    return time.seconds * 1_000_000 + time.nanos // 1000
