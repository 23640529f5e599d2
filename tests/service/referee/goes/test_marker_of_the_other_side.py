"""One plays both sides, and his marker for whose go it is shows the side that has just acted."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from coh_goes import activate, by_one, hand_over, pay, untouched

from hexmarshal.referee.check.findings import CheckReport
from hexmarshal.referee.check.shown_goes import ShownGoes
from hexmarshal.referee.samples.log_recorder import Recorder


def goes_on(log: Recorder, unit: str, cell: str, shown: str) -> None:
    """A unit that is active goes a hex further, and the marker is moved to a side."""
    side = log.position.units[unit].side
    log.drag([unit], [cell])
    pay(log, f"ap-{side}", 1)
    hand_over(log, shown)


def played() -> Recorder:
    """The Germans begin, and the marker is moved once before they do."""
    log = untouched()
    activate(log, "g3")
    hand_over(log, "soviet")
    goes_on(log, "g3", "1-F11", "german")
    activate(log, "s2")
    goes_on(log, "s2", "1-D09", "soviet")
    return log


def told_later(report: CheckReport) -> list[tuple[str, set[str]]]:
    """What is told once it is known that the marker shows the other side."""
    (known,) = [note.step for note in report.notes if "just acted" in note.note.text]
    wrong = [entry for entry in report.violations if entry.first > known]
    return [(entry.what, {v.rule for v in entry.violations}) for entry in wrong]


def test_a_marker_that_always_shows_the_other_side_is_told_once() -> None:
    log = played()
    goes_on(log, "g3", "1-E11", "german")
    goes_on(log, "s2", "1-D10", "soviet")
    goes_on(log, "g3", "1-E10", "german")
    rules = [rules for _, rules in told_later(by_one(log))]
    assert {"COH-2.2a"} not in rules


def test_what_else_is_wrong_is_told_beside_it() -> None:
    log = played()
    log.drag(["g4"], ["1-E12", "1-E11"])
    hand_over(log, "german")
    assert ("g4: 1-E13 -> 1-E12 -> 1-E11", {"COH-5.0c"}) in told_later(by_one(log))


def test_who_acts_once_out_of_turn_has_moved_the_marker_rightly() -> None:
    goes = ShownGoes(["german", "soviet"])
    goes.act("german")
    assert goes.hand_over("soviet") == "soviet"
    goes.act("german")
    goes.act("soviet")
    assert goes.hand_over("german") == "german", "once may be wrong otherwise"
    goes.act("german")
    assert goes.hand_over("soviet") == "soviet"
    for side, other in (("soviet", "german"), ("german", "soviet"), ("soviet", "german")):
        goes.act(side)
        assert goes.hand_over(side) in (side, other)
    assert goes.go.is_off
    # Passed on without a deed: as before.
    assert goes.hand_over("german") == "soviet"
