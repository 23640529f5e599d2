"""Flags, values and markers that end by themselves, and nothing else with them."""

from __future__ import annotations

import pytest

from hexmarshal.rules.dice import Dice
from hexmarshal.rules.frames import Decider, Frame
from hexmarshal.rules.state.effects import Effect, MoveUnit, Proceed, PushFrame, apply_effects
from hexmarshal.rules.state.ledger import Ledger
from hexmarshal.rules.state.lifetimes import Lifetime, Until
from hexmarshal.rules.state.pieces import Marker, Unit
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import FrozenMap

LIFETIMES = (
    Lifetime(Until.PHASE, flags=frozenset({"fired"}), extras=("fought over",)),
    Lifetime(Until.PHASE, values=("began",), phases=("move",), own=True),
    Lifetime(Until.PLAYER_TURN, flags=frozenset({"pinned"}), markers=("fire",)),
    Lifetime(Until.TURN, flags=frozenset({"tired"})),
    Lifetime(Until.MOVED, flags=frozenset({"dug in", "fired"}), markers=("aim",)),
)
MARKS = frozenset({"fired", "pinned", "tired", "dug in", "broken"})
START = Position(
    "x",
    sides=("red", "blue"),
    phase="move",
    active=("red",),
    units=FrozenMap(
        {
            "r": Unit("r", "foot", "red", "A1", flags=MARKS, values=FrozenMap({"began": "A1"})),
            "b": Unit("b", "foot", "blue", "B1", flags=MARKS, values=FrozenMap({"began": "B1"})),
        }
    ),
    markers=FrozenMap(
        {
            "m1": Marker("m1", "fire", cell="A1"),
            "m2": Marker("m2", "aim", unit="r"),
            "m3": Marker("m3", "aim", unit="b"),
            "m4": Marker("m4", "wire", cell="A1"),
        }
    ),
    extras=FrozenMap({"fought over": ("A1",), "turns": 5}),
)


def _after(effect: Effect, start: Position = START) -> Position:
    ledger = Ledger(start, Dice(), LIFETIMES)
    ledger.do(effect)
    applied = ledger.close()
    assert apply_effects(start, applied.effects) == applied.position
    return applied.position


def _marks(position: Position) -> tuple[list[str], list[str], list[str]]:
    red, blue = position.unit("r"), position.unit("b")
    return sorted(MARKS - red.flags), sorted(MARKS - blue.flags), sorted(position.markers)


ALL = ["m1", "m2", "m3", "m4"]


@pytest.mark.parametrize(
    ("effect", "red", "blue", "markers"),
    [
        (Proceed(phase="fire"), ["fired"], ["fired"], ALL),
        (
            Proceed(phase="fire", active=("blue",)),
            ["fired", "pinned"],
            ["fired", "pinned"],
            ["m2", "m3", "m4"],
        ),
        (
            Proceed(turn=2, active=("blue",)),
            ["fired", "pinned", "tired"],
            ["fired", "pinned", "tired"],
            ["m2", "m3", "m4"],
        ),
        (Proceed(turn=2), ["fired", "tired"], ["fired", "tired"], ALL),
        # The same turn and phase, and who acts next in it, end nothing.
        (Proceed(turn=1, phase="move", active=("blue",)), [], [], ALL),
        (Proceed(state="x"), [], [], ALL),
        (MoveUnit("r", "A2"), ["dug in", "fired"], [], ["m1", "m3", "m4"]),
        (MoveUnit("r", "A1"), [], [], ALL),
    ],
    ids=str,
)
def test_what_ends(effect: Effect, red: list[str], blue: list[str], markers: list[str]) -> None:
    assert _marks(_after(effect)) == (red, blue, markers)


def test_values_of_one_side_end_with_its_phase_alone() -> None:
    after = _after(Proceed(phase="fire"))
    assert "began" not in after.unit("r").values
    assert after.unit("b").values["began"] == "B1"
    assert dict(after.extras) == {"turns": 5}
    late = _after(Proceed(phase="move"), Proceed(phase="fire").on(START))
    assert late.unit("r").values["began"] == "A1"


def test_a_decision_in_between_does_not_make_it_anothers_turn() -> None:
    asked = PushFrame(Frame("react", (Decider("blue"),))).on(START)
    assert _marks(_after(Proceed(phase="fire", active=("red",)), asked)) == (
        ["fired"],
        ["fired"],
        ALL,
    )


def test_without_lifetimes_nothing_ends() -> None:
    ledger = Ledger(START, Dice())
    ledger.do(Proceed(turn=2, phase="fire", active=("blue",)), MoveUnit("r", "A2"))
    assert _marks(ledger.position) == ([], [], ALL)
