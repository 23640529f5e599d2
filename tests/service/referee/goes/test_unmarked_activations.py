"""Goes of players who never put a sign on who is active: the points on the track tell."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from coh_goes import hand_over, pay, untouched, without_a_word

from hexmarshal.referee.check.findings import CheckReport
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules.state.pieces import Unit
from hexmarshal.table.binding.facts import Fact
from hexmarshal.table.reading.piece_reader import UnitSighting, Where

ACTIVE = Unit("g3", "rifles", "german", flags=frozenset({"active"}))


def begin(log: Recorder, side: str, left: int) -> None:
    """Set the points of an activation that nobody marks to what is left of them."""
    log.show(log.position.with_track(f"ap-{side}", left))


def activated(report: CheckReport) -> list[str]:
    return [entry.units[0] for entry in report.entries if entry.kind == "activate"]


def test_points_left_on_the_track_are_an_activation_whether_or_not_a_sign_lies_there() -> None:
    log = untouched()
    log.drag(["g3"], ["1-F11"])
    begin(log, "german", 6)
    hand_over(log, "soviet")
    log.drag(["s2"], ["1-D09"])
    begin(log, "soviet", 6)
    hand_over(log, "german")
    log.drag(["g3"], ["1-E10"])
    pay(log, "ap-german", 1)
    hand_over(log, "soviet")
    log.drag(["s2"], ["1-D10"])
    pay(log, "ap-soviet", 1)
    hand_over(log, "german")
    report = without_a_word(log)
    assert list(report.violations) == []
    assert activated(report) == ["g3", "s2"]


def shows(active: bool, *, spent: bool = False) -> UnitSighting:
    facts = (Fact("flag", "active", active), Fact("flag", "spent", spent))
    return UnitSighting("g3", "rifles", "german", Where("", ""), facts, "piece")


def tells(steps: list[UnitSighting]) -> bool:
    """Whether the last of these sightings tells that the unit is not active."""
    seen = None
    for step in steps:
        seen = step.since(seen, {"active": "spent"})
    assert seen is not None
    return any(shown.name == "active" for _, shown in seen.against(ACTIVE))


def test_a_sign_tells_that_it_is_missing_only_where_it_lay_or_where_another_ends_it() -> None:
    bare, signed, over = shows(active=False), shows(active=True), shows(active=False, spent=True)
    assert not tells([bare, bare])
    assert tells([bare, signed, bare])
    assert tells([bare, signed, bare, bare])
    assert tells([bare, over])
    assert not tells([signed, over, bare])
