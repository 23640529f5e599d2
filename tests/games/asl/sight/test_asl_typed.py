"""Conditions as players type them."""

from __future__ import annotations

import pytest

from hexmarshal.errors import UsageError
from hexmarshal.games.asl.commands.condition_syntax import typed_conditions
from hexmarshal.games.asl.sight.conditions import Conditions, Fog, Smoke
from hexmarshal.games.asl.sight.rules.night import Lights, Wheels


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("alpine", Conditions(alpine=True)),
        ("mist=2", Conditions(mist=2)),
        ("fog=1:2", Conditions(fog=Fog(1, 2))),
        ("fog=-1:3", Conditions(fog=Fog(-1, 3))),
        ("shelling=k5", Conditions(shelling={"K5": 1})),
        ("shelling=K5:2", Conditions(shelling={"K5": 2})),
        ("shelling=bd01:K5", Conditions(shelling={"BD01:K5": 1})),
        ("shelling=bd01:K5:2", Conditions(shelling={"BD01:K5": 2})),
        ("lit=K5", Conditions(lights=Lights(lit=frozenset({"K5"})))),
        ("flash=bd01:K5", Conditions(lights=Lights(flashes=frozenset({"BD01:K5"})))),
        ("moving=K5:tracks", Conditions(lights=Lights(moving={"K5": Wheels.TRACKS}))),
        ("entrenched=K5", Conditions(entrenched=frozenset({"K5"}))),
        ("crest=K5", Conditions(crest=frozenset({"K5"}))),
    ],
)
def test_each_condition_is_typed_in_a_word(given, expected):
    assert typed_conditions((), (), 0, None, [given]) == expected


def test_conditions_add_up():
    found = typed_conditions(
        ["e3=1", "E3=2"], ["E4"], 1, 3, ["lit=A1", "lit=A2", "crest=B1", "crest=B2", "mist=1"]
    )
    assert found == Conditions(
        {"E3": Smoke(3)},
        frozenset({"E4"}),
        1,
        3,
        Lights(lit=frozenset({"A1", "A2"})),
        mist=1,
        crest=frozenset({"B1", "B2"}),
    )


@pytest.mark.parametrize(
    "given",
    [
        "",
        "rain",
        "mist",
        "mist=3",
        "fog=2",
        "fog=a:1",
        "fog=1:0",
        "fog=--1:1",
        "shelling",
        "shelling=K5:0",
        "lit",
        "lit=",
        "moving=K5",
        "moving=K5:wings",
        "alpine=1",
        "crest=",
    ],
)
def test_what_is_typed_wrong_is_told_with_what_there_is(given):
    with pytest.raises(UsageError) as told:
        typed_conditions((), (), 0, None, [given])
    assert "mist=1" in str(told.value.hint)
