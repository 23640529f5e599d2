"""A fault in a game's rules is a finding of its own, and the check goes on."""

from __future__ import annotations

from dataclasses import replace

import pytest
from crossroads_module import binding, module
from tutorial import Crossroads

from hexmarshal.referee.check.findings import Certainty, CheckReport, Status
from hexmarshal.referee.check.log_check import check_file
from hexmarshal.referee.interpret import interpreter
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.action import Action
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.state.pieces import Unit
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Applied, Verdict, Violation

MAKE = Crossroads().game.actions.make


class Faulty(Crossroads):
    """Fails where it is told to: in `check`, `apply` or `invariants`, for one unit."""

    def __init__(self, where: str, unit: str = "b1") -> None:
        super().__init__()
        self._where, self._unit = where, unit

    def _fail(self, where: str, action: Action) -> None:
        if where == self._where and self._unit in str(action):
            raise KeyError("a hole in the table")

    def check(self, position: Position, action: Action) -> Verdict:
        self._fail("check", action)
        return super().check(position, action)

    def apply(self, position: Position, action: Action, dice: Dice) -> Applied:
        self._fail("apply", action)
        return super().apply(position, action, dice)

    def invariants(self, position: Position) -> tuple[Violation, ...]:
        if self._where == "invariants":
            raise ZeroDivisionError
        return tuple(super().invariants(position))


def unit(id: str, cell: str) -> Unit:
    return Unit(id, "infantry", "blue" if id.startswith("b") else "red", cell, steps=2)


def start(phase: str = "move") -> Position:
    units = [unit("b1", "C2"), unit("b2", "A5"), unit("r1", "D2")]
    return replace(
        engine.start(Crossroads(), "meeting"),
        units=FrozenMap({u.id: u for u in units}),
        phase=phase,
        active=("blue",),
        turn=1,
    )


def checked(log: Recorder, plugin: Crossroads) -> CheckReport:
    return check_file(log.finish(), module(), binding(), plugin)


@pytest.mark.parametrize("where", ["check", "apply"])
def test_a_fault_on_a_drag_is_told_and_the_check_goes_on(where: str) -> None:
    log = Recorder(module(), binding(), Crossroads(), start())
    log.drag(["b1"], ["B2"])
    log.drag(["b2"], ["A4"])
    log.perform(MAKE("end_phase", "blue"))
    report = checked(log, Faulty(where))
    failed, *others = report.entries
    assert (failed.status, failed.certainty) == (Status.UNKNOWN, Certainty.CANNOT_TELL)
    assert failed.result == "the rules failed here: KeyError: 'a hole in the table'"
    assert failed.hint
    assert [entry.status for entry in others] == [Status.LEGAL, Status.LEGAL]
    assert report.position is not None
    assert report.position.unit("b1").cell == "B2"
    assert report.certain == 0


@pytest.mark.parametrize("where", ["check", "apply"])
def test_a_fault_on_an_announcement_is_told_and_the_check_goes_on(where: str) -> None:
    log = Recorder(module(), binding(), Crossroads(), start("combat"))
    log.perform(MAKE("attack", "blue", attackers=["b1"], target="r1"), Dice(given=[6]))
    log.perform(MAKE("end_phase", "blue"))
    report = checked(log, Faulty(where))
    assert report.entries[0].result.startswith("the rules failed here")
    assert report.certain == 0
    assert report.position is not None
    assert report.position.unit("r1").steps == 1


def test_what_follows_a_fault_in_the_same_phase_is_likely_at_most() -> None:
    log = Recorder(module(), binding(), Crossroads(), start())
    log.drag(["b1"], ["B2"])
    log.drag(["b2"], ["A4", "A3", "A2", "A1"])
    report = checked(log, Faulty("check"))
    assert [(e.status, e.certainty) for e in report.entries[1:]] == [
        (Status.VIOLATION, Certainty.LIKELY)
    ]


@pytest.mark.parametrize(("offers", "certainty"), [(20_000, "certain"), (1, "likely")])
def test_what_was_not_searched_to_the_end_is_likely_at_most(
    monkeypatch: pytest.MonkeyPatch, offers: int, certainty: str
) -> None:
    """Dragged straight to a far hex: certain only if no legal way leads there."""
    monkeypatch.setattr(interpreter, "_MOST_OFFERS", offers)
    log = Recorder(module(), binding(), Crossroads(), start())
    log.drag(["b2"], ["E1"])
    (entry,) = checked(log, Crossroads()).entries
    assert (entry.status, entry.certainty) == (Status.VIOLATION, certainty)


def test_a_fault_in_judging_the_position_is_told() -> None:
    log = Recorder(module(), binding(), Crossroads(), start())
    log.drag(["b2"], ["A4"])
    report = checked(log, Faulty("invariants"))
    assert [entry.status for entry in report.entries] == [Status.UNKNOWN, Status.LEGAL]
    assert report.entries[0].result == "the rules failed here: ZeroDivisionError"
