"""What comes of an action is a position that stands, and an account that names its dice."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hexmarshal.games.conflict_of_heroes import ConflictOfHeroes
from hexmarshal.rules import engine
from hexmarshal.rules.cases.conformance import Case, load_cases, situation
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.state import validate
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.verdict import Applied

COH = ConflictOfHeroes()
CASES = Path(__file__).parents[2] / "conformance" / "conflict_of_heroes"
FILES = sorted(file.relative_to(CASES).as_posix() for file in CASES.rglob("*.yaml"))


@cache
def cases_of(file: str) -> dict[str, Case]:
    return {case.id: case for case in load_cases(CASES / file).cases}


def performed(case: Case) -> Applied:
    action = COH.game.actions.decode(case.body["action"])
    position = situation(COH, case)
    dice = Dice(position.generator, given=case.body.get("dice"), picks=case.body.get("picks"))
    return engine.perform(COH, position, action, dice)


def carried_out(cases: dict[str, Case]) -> Iterator[tuple[str, Applied]]:
    """The actions of these cases that are carried out, in positions that stand themselves."""
    for name, case in cases.items():
        acts = "position" in case.body.get("expect", {}) and "action" in case.body
        if acts and not validate.problems(COH, situation(COH, case)):
            yield name, performed(case)


@pytest.mark.parametrize("file", FILES)
def test_every_position_that_a_case_leads_to_stands(file: str) -> None:
    for name, applied in carried_out(cases_of(file)):
        after = applied.position
        assert not validate.problems(COH, after), name
        assert Position.from_json(after.to_json()) == after, name


@pytest.mark.parametrize(
    ("file", "case", "dice"),
    [
        ("hits/rally.yaml", "success-shows-the-marker", [("rally", 6)] * 2),
        ("movement/digging.yaml", "points-for-the-mines", [("mines", 6)] * 2),
        ("turns/solitaire.yaml", "the-die-is-told", [("initiative", 6)]),
        ("turns/solitaire.yaml", "going-in-is-told", [("doctrine", 6)]),
        ("turns/solitaire.yaml", "two-on-a-one", [("doctrine", 6), ("attack", 6), ("attack", 6)]),
    ],
)
def test_an_account_names_its_dice(file: str, case: str, dice: list[tuple[str, int]]) -> None:
    rolls = performed(cases_of(file)[case]).rolls
    assert [(roll.label, roll.sides) for roll in rolls if not roll.pick] == dice


@pytest.mark.parametrize(
    ("file", "case", "picks"),
    [
        ("turns/objectives.yaml", "a-card-a-turn", [("card", 5)]),
        ("turns/objectives.yaml", "an-event-and-another-card", [("card", 3), ("card", 2)]),
        ("turns/solitaire.yaml", "a-decoy-is-told", [("cup", 4)]),
    ],
)
def test_an_account_names_what_was_drawn_from(
    file: str, case: str, picks: list[tuple[str, int]]
) -> None:
    rolls = performed(cases_of(file)[case]).rolls
    assert [(roll.label, roll.sides) for roll in rolls if roll.pick] == picks


@pytest.mark.parametrize(
    ("secret", "field"),
    [
        ({}, "about.unit"),
        ({"unit": 5}, "secret.unit"),
        ({"unit": "nobody"}, "secret.unit"),
        ({"unit": "a", "rest": ["9-Z99"]}, "secret.rest[0]"),
        ({"unit": "waits"}, "about.unit"),
    ],
)
def test_mines_that_somebody_unknown_is_in_are_an_error_with_its_field(
    secret: dict[str, Any], field: str
) -> None:
    mined = cases_of("movement/digging.yaml")["one-that-is-missed-is-not"]
    document: dict[str, Any] = situation(COH, mined).to_json()
    document["units"]["waits"] = {
        "type": "german_rifles_41",
        "side": "german",
        "box": "reinforcements",
    }
    document["frames"][-1]["secret"] = secret
    found = validate.problems(COH, Position.from_json(document))
    assert [violation.field for violation in found] == [f"frames[1].{field}"]
