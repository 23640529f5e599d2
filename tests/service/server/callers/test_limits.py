"""What one caller may: a bucket that fills with time, so many calls at once, seats of his own."""

from __future__ import annotations

import pytest

from hexmarshal.service import limits
from hexmarshal.service.auth import Caller, Role
from hexmarshal.service.calls.statuses import Refusal
from hexmarshal.service.settings import Settings
from hexmarshal.service.store.base import MatchRow


@pytest.fixture
def clock(monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(limits.time, "monotonic", lambda: now[0])
    return now


def calls(bucket: limits.Limits, caller: str) -> int:
    made = 0
    while made < 1000:
        try:
            bucket.spend(caller)
        except Refusal:
            break
        made += 1
    return made


def test_whoever_waits_long_has_no_more_than_the_burst(clock):
    bucket = limits.Limits(Settings(rate=2.0, burst=6))
    assert calls(bucket, "eager") == 6
    clock[0] += 3600.0
    assert calls(bucket, "eager") == 6


def test_new_calls_come_at_the_rate(clock):
    bucket = limits.Limits(Settings(rate=2.0, burst=6))
    calls(bucket, "eager")
    clock[0] += 1.5
    assert calls(bucket, "eager") == 3
    assert calls(bucket, "other") == 6


def test_as_many_at_once_as_are_allowed_and_not_one_more(clock):
    settings = Settings(
        rate=0.0,
        max_concurrent_calls=3,
        max_calls_per_caller=2,
        max_watchers=3,
        max_watchers_per_caller=2,
    )
    for begun in ("call", "watch"):
        bucket = limits.Limits(settings)
        open_ones = [getattr(bucket, begun)(name) for name in ("ann", "ann", "bob")]
        for one in open_ones[:2]:
            one.__enter__()
        with pytest.raises(Refusal, match="of yours"), getattr(bucket, begun)("ann"):
            pass
        open_ones[2].__enter__()
        with pytest.raises(Refusal, match="too many"), getattr(bucket, begun)("bob"):
            pass
        for one in open_ones:
            one.__exit__(None, None, None)
        with getattr(bucket, begun)("ann"), getattr(bucket, begun)("ann"):
            pass


def test_who_is_let_in_has_lost_nothing_of_what_strangers_may_try(clock):
    bucket = limits.Limits(Settings())
    for _ in range(200):
        with bucket.knock("machine"):
            pass
    for _ in range(int(limits.STRANGERS_BURST)):
        bucket.stranger("machine")
    with pytest.raises(Refusal, match="without a token"):
        bucket.stranger("machine")
    clock[0] += 1 / limits.STRANGERS_RATE
    bucket.stranger("machine")
    with pytest.raises(Refusal, match="without a token"):
        bucket.stranger("machine")


def test_who_is_calling_is_not_forgotten_for_others(clock, monkeypatch):
    monkeypatch.setattr(limits, "REMEMBERED_CALLERS", 1)
    bucket = limits.Limits(Settings(rate=1.0, burst=1, max_calls_per_caller=1))
    with bucket.call("ann"):
        bucket.spend("bob")
        with pytest.raises(Refusal, match="of yours"), bucket.call("ann"):
            pass


@pytest.mark.parametrize(
    ("role", "granted", "sides"),
    [
        (Role.READER, (), []),
        (Role.READER, (("m1", "blue"), ("m2", "red")), ["blue"]),
        (Role.PLAYER, (), ["red"]),
        (Role.PLAYER, (("m1", "blue"),), ["red", "blue"]),
        (Role.ADMIN, (), ["red", "blue", "green"]),
    ],
)
def test_a_seat_is_played_by_its_player_or_by_whom_the_token_names(role, granted, sides):
    seats = (("red", "ann"), ("blue", "bob"), ("green", ""))
    match = MatchRow("m1", "frontier", "duel", "", seats, 0, "{}", None, b"", 0, "ann", "")
    assert Caller("ann", role, frozenset(granted)).sides(match) == sides
    assert Caller("", Role.PLAYER).sides(match) == []
