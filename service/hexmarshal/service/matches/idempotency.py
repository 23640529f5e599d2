"""Calls that are repeated under one key: the same answer again, and nothing done twice."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.service.calls import statuses
from hexmarshal.service.lobby.terms import Terms
from hexmarshal.wire.verdicts import decode_action

if TYPE_CHECKING:
    from hexmarshal.service.calls.statuses import Refusal
    from hexmarshal.service.matches.match import Happening, HeldMatch
    from hexmarshal.service.store import MatchRow
    from hexmarshal.v1 import match_service_pb2 as pb

__all__ = ["check_key", "other_use", "repeated", "same_action", "same_match"]

LONGEST_KEY = 128


def check_key(key: str) -> None:
    """Refuse a key that is too long."""
    if len(key) > LONGEST_KEY:
        raise statuses.invalid("idempotency_key", f"is longer than {LONGEST_KEY} characters")


def repeated(held: HeldMatch, side: str, key: str) -> Happening:
    """What the side did under this key before."""
    version = held.version_of(side, key)
    assert version is not None
    return held.event(version)


def other_use() -> Refusal:
    """The key belongs to something else that the side did."""
    return statuses.invalid(
        "idempotency_key", "was used for something else in this match", reason="KEY_REUSED"
    )


def same_match(made: MatchRow, asked: MatchRow, *, seed: str) -> None:
    """Refuse a key under which its creator made another match than is asked for now."""
    head = (made.game, made.scenario, made.title, made.undo, made.options)
    now = (asked.game, asked.scenario, asked.title, asked.undo, asked.options)
    # Somebody may have taken since then a seat that was left open.
    taken = zip(made.seats, asked.seats, strict=False)
    seats = all(was == is_asked or not is_asked[1] for was, is_asked in taken)
    dice = made.seed == seed if seed else (made.seed is None) == (asked.seed is None)
    terms = replace(Terms.of(made), commitment="") == replace(Terms.of(asked), commitment="")
    if head != now or not (seats and dice and terms):
        raise statuses.invalid("idempotency_key", "was used for another match", reason="KEY_REUSED")


def same_action(happening: Happening, request: pb.SubmitActionRequest) -> Happening:
    """What was done before, if it is what is asked for now."""
    done = happening.event
    if not done.HasField("action_done"):
        raise other_use()
    if decode_action(done.action_done.action) != decode_action(request.action):
        raise other_use()
    return happening
