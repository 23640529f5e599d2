"""Every reason that an answer can give: its rule, its entry in the rulebook, and its place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from asl_canvas import Canvas

from hexmarshal.games.asl.sight.conditions import Conditions, Fog, Smoke
from hexmarshal.games.asl.sight.explain import explain
from hexmarshal.games.asl.sight.rules import citations
from hexmarshal.games.asl.sight.rules.citations import Cause
from hexmarshal.games.asl.sight.view import Sight, Spot
from hexmarshal.rules.rulebook import Rulebook, Status

RULEBOOK = Rulebook.load(Path(citations.__file__).parents[2] / "rulebook/rulebook-sight.yaml")


@dataclass(frozen=True)
class Situation:
    """A board, a line on it, and what must come of it."""

    cause: Cause
    rule: str
    at: str
    terrain: str
    line: tuple[Spot, Spot]
    paint: Callable[[Canvas], Canvas]
    conditions: Conditions = field(default_factory=Conditions)


def house(canvas: Canvas) -> Canvas:
    return canvas.band("Stone Building, 2 Level", 0, "E3", "E4", wide=22)


def bridge(canvas: Canvas) -> Canvas:
    """Beside the centre of its hex, so that the hex is a gully with a bridge over it."""
    canvas.band("Gully", -1, "B3", "C3", "D3", "E3", "F3", "G3", "H3", wide=16)
    canvas.band("Stone Bridge", 0, "D3", "D3", wide=8)
    return canvas.band("Gully", -1, "D3", "D3", wide=3)


ONE, FIVE = Spot("E1"), Spot("E5")

SITUATIONS = [
    Situation(Cause.CLEAR, "", "", "", (ONE, FIVE), lambda c: c),
    Situation(Cause.HIGHER, "A6.2", "E3", "Woods", (ONE, FIVE), lambda c: c.spot("Woods", "E3")),
    Situation(
        Cause.ADVANTAGE,
        "A6.2",
        "E3",
        "Woods",
        (ONE, Spot("E6")),
        lambda c: c.raise_to(1, "E1").spot("Woods", "E3"),
    ),
    Situation(
        Cause.HALF_LEVEL,
        "A6.21",
        "E3",
        "Stone Rubble",
        (ONE, FIVE),
        lambda c: c.fill("Stone Rubble", "E3"),
    ),
    Situation(
        Cause.GROUND, "B10.2", "E3", "Open Ground", (ONE, FIVE), lambda c: c.raise_to(1, "E3")
    ),
    Situation(
        Cause.PLATEAU,
        "B10.2",
        "E2",
        "Open Ground",
        (ONE, FIVE),
        lambda c: c.raise_to(1, "E1", "E2"),
    ),
    Situation(
        Cause.BLIND,
        "A6.4",
        "E3",
        "Woods",
        (ONE, Spot("E4")),
        lambda c: c.raise_to(2, "E1").spot("Woods", "E3"),
    ),
    Situation(
        Cause.CREST,
        "B10.23",
        "E6",
        "Open Ground",
        (ONE, Spot("E7")),
        lambda c: c.raise_to(2, "E1").raise_to(1, "E6"),
    ),
    Situation(
        Cause.CLIFF,
        "B11.21",
        "E3",
        "Cliff",
        (ONE, Spot("E4")),
        lambda c: c.raise_to(4, "E1").raise_to(2, "E3").side("Cliff", "E3", 3),
    ),
    Situation(Cause.WALL, "B9.2", "E2", "Wall", (ONE, FIVE), lambda c: c.side("Wall", "E3", 0)),
    Situation(
        Cause.BOCAGE, "B9.52", "E2", "Bocage", (ONE, FIVE), lambda c: c.side("Bocage", "E3", 0)
    ),
    Situation(
        Cause.PARTY_WALL,
        "B23.71",
        "E3",
        "Rowhouse Wall, 1 Level",
        (Spot("E3"), Spot("E4")),
        lambda c: house(c).side("Rowhouse Wall, 1 Level", "E3", 3),
    ),
    Situation(
        Cause.DEPRESSION,
        "A6.3",
        "E3",
        "Open Ground",
        (ONE, Spot("E4")),
        lambda c: c.band("Gully", -1, "B3", "C4", "D3", "E4", "F4"),
    ),
    Situation(
        Cause.BUILDING,
        "A6.8",
        "E3",
        "Stone Building, 2 Level",
        (Spot("E3", 2), Spot("E4")),
        house,
    ),
    Situation(
        Cause.TOTAL,
        "A6.7",
        "E2",
        "Grain",
        (ONE, Spot("E8")),
        lambda c: c.fill("Grain", *(f"E{n}" for n in range(2, 8))),
    ),
    Situation(Cause.NIGHT, "E1.1", "", "", (ONE, FIVE), lambda c: c, Conditions(night_range=3)),
    Situation(Cause.STAIRS, "B23.25", "E3", "", (Spot("E3", 2), Spot("E3")), house),
    Situation(Cause.BRIDGE, "B6.2", "D3", "", (Spot("D3", 1), Spot("D3")), bridge),
    Situation(
        Cause.HINDERED, "A6.7", "E3", "Grain", (ONE, FIVE), lambda c: c.fill("Grain", "E3", "E4")
    ),
    Situation(
        Cause.SMOKE,
        "A24.2",
        "E3",
        "",
        (ONE, FIVE),
        lambda c: c,
        Conditions(smoke={"E3": Smoke(2)}),
    ),
    Situation(
        Cause.VEHICLE, "D9.4", "E4", "", (ONE, FIVE), lambda c: c, Conditions(vehicles={"E4"})
    ),
    Situation(Cause.WEATHER, "E3.1", "", "", (ONE, FIVE), lambda c: c, Conditions(weather=1)),
    Situation(Cause.FOG, "E3.31", "", "", (ONE, FIVE), lambda c: c, Conditions(fog=Fog(0, 2))),
    Situation(
        Cause.SHELLING, "C1.57", "E3", "", (ONE, FIVE), lambda c: c, Conditions(shelling={"E3": 1})
    ),
    Situation(
        Cause.ALPINE,
        "B10.211",
        "E2",
        "Open Ground",
        (ONE, Spot("E3")),
        lambda c: c.raise_to(1, "E1", "E2", "E3"),
        Conditions(alpine=True),
    ),
    Situation(
        Cause.ENTRENCHED,
        "B27.2",
        "E1",
        "Wall",
        (ONE, FIVE),
        lambda c: c.side("Wall", "E1", 3),
        Conditions(entrenched=frozenset({"E1"})),
    ),
]


@pytest.mark.parametrize("case", SITUATIONS, ids=lambda case: case.cause.name)
def test_an_answer_names_its_rule_and_its_place(case):
    sight = Sight(case.paint(Canvas(9, 8)).board(), case.conditions)
    for line in (case.line, case.line[::-1]):
        answer = sight.answer(*line)
        assert (answer.cause, answer.rule, answer.at) == (case.cause, case.rule, case.at)
        assert answer.blocked is case.cause.blocks
        story = explain(sight, *line)
        assert story.answer == answer
        if case.terrain:
            mine = [item for item in story.items if item.hex == case.at]
            assert case.terrain in {item.terrain for item in mine}
            reached = Cause.HINDERED if case.cause is Cause.TOTAL else case.cause
            assert reached in {item.cause for item in mine}


def test_every_reason_has_its_situation():
    assert [s.cause for s in SITUATIONS].count(Cause.CLEAR) == 1
    assert {s.cause for s in SITUATIONS} == set(Cause)


@pytest.mark.parametrize("cause", Cause)
def test_every_reason_stands_in_the_rulebook(cause):
    rule = RULEBOOK.rule(cause.entry)
    assert rule.status is Status.IMPLEMENTED
    # A rule of the same chapter: B10.23 stands under hills or blind hexes, not under walls.
    assert not cause.rule or rule.section[0] in "ABCDE"
    assert cause.sentence


def test_the_story_tells_of_smoke_vehicles_and_weather():
    conditions = Conditions(
        smoke={"E3": Smoke(2)}, vehicles=frozenset({"E4"}), weather=1, night_range=9
    )
    sight = Sight(Canvas(9, 8).fill("Grain", "E2").board(), conditions)
    story = explain(sight, ONE, Spot("E6"))
    told = [(item.cause, item.hex, item.hindrance) for item in story.items]
    assert told == [
        (Cause.HINDERED, "E2", 1),
        (Cause.SMOKE, "E3", 2),
        (Cause.VEHICLE, "E4", 1),
        (Cause.WEATHER, "", 1),
    ]
    assert sum(item.hindrance for item in story.items) == story.answer.hindrance == 5
