"""A caller's bucket: it fills with time, and never beyond its brim."""

from __future__ import annotations

import pytest

from hexmarshal.service import limits
from hexmarshal.service.calls.statuses import Refusal
from hexmarshal.service.settings import Settings


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
