"""What play waits for, as a hostile client would write it: each is refused by its field."""

from __future__ import annotations

from typing import Any

import pytest

from hexmarshal.errors import RulesError
from hexmarshal.rules import engine
from hexmarshal.rules.plugins import registry
from hexmarshal.rules.state import validate
from hexmarshal.rules.state.position import Position

Document = dict[str, Any]
HOS, TOW, ASL = "heroes_of_stalingrad", "traces_of_war", "asl"


def _business(*agenda: Document) -> list[Document]:
    return [{"kind": "business", "agenda": list(agenda)}]


def _asked(kind: str, asked: str, /, **about: object) -> Document:
    return {"kind": kind, "deciders": [{"side": asked}], "about": about}


def _activation(**about: object) -> Document:
    usual: Document = {"side": "axis", "units": [], "mode": "combat_only", "segment": 1}
    return {
        "kind": "activation",
        "about": usual | {"moved": [], "fought": [], "targets": []} | about,
    }


def _battle(**about: object) -> list[Document]:
    usual: Document = {"side": "axis", "cell": "0218", "attackers": [], "origins": {}}
    battle = {"kind": "battle", "about": usual | {"stage": "roll"} | about}
    return [_activation(), _asked("combat", "axis"), battle, _asked("air_support", "axis")]


BUSINESS: Document = {"kind": "business"}
BLAST: Document = {"side": "german", "combat": {"infantry": 1}}
MOVING: Document = {
    "kind": "moving",
    "deciders": [{"side": "attacker"}],
    "about": {"units": ["r1"], "spent": 0, "here": 0, "steps": 0},
}
WAVE: Document = {"units": ["r1"], "grain": ["A1"], "spent": 0, "impulse": 0}
FRAMES: list[tuple[str, str, list[Document], str]] = [
    # an entry without what it is about, or with what makes no sense
    (HOS, "activation", _business({"kind": "assault_rolled", "dice": [1]}), "agenda[0].unit"),
    (
        HOS,
        "activation",
        _business({"kind": "suppress", "unit": "r1", "count": "x"}),
        "agenda[0].count",
    ),
    (
        HOS,
        "activation",
        _business({"kind": "demolish", "cells": [], "count": 10**12}),
        "agenda[0].count",
    ),
    (
        HOS,
        "activation",
        _business({"kind": "displace", "unit": "r1", "cause": "x"}),
        "agenda[0].cause",
    ),
    (HOS, "activation", _business({"kind": "explode", **BLAST, "corner": "x"}), "agenda[0].corner"),
    (HOS, "activation", _business({"kind": "explode", **BLAST}), "agenda[0].corner"),
    (
        HOS,
        "activation",
        _business({"kind": "located", "unit": "r1", "dice": [7]}),
        "agenda[0].dice[0]",
    ),
    # a decision without what it is about below it
    (HOS, "activation", [_asked("act", "german", unit="g1")], "frames[0].kind"),
    (
        HOS,
        "activation",
        [_asked("displace", "german", unit="g1", cells=[], cause="ram")],
        "frames[0].kind",
    ),
    (
        HOS,
        "activation",
        [BUSINESS, _asked("reroll", "german", purpose="fire", side="german", dice=[1])],
        "frames[1].about.dice",
    ),
    (
        HOS,
        "activation",
        [BUSINESS, _asked("grenade", "german", units=[], by="r1")],
        "frames[1].about.units",
    ),
    (HOS, "activation", [BUSINESS, BUSINESS], "frames[1].kind"),
    (
        HOS,
        "activation",
        [_asked("precedence", "german", side="german", unit="g1", source="special")],
        "frames[0].about.unit",
    ),
    (TOW, "selection", [_asked("selection", "soviet")], "knowledge.axis.chosen"),
    (TOW, "action", [_asked("mode", "axis")], "frames[0].kind"),
    (TOW, "action", [_activation(mode="x"), _asked("movement", "axis")], "frames[0].about.mode"),
    (TOW, "action", _battle(stage="x"), "frames[2].about.stage"),
    (TOW, "action", _battle(retreat=10**12), "frames[2].about.retreat"),
    (ASL, "movement", [_asked("first_fire", "defender", cell="A1", targets=[])], "frames[0].kind"),
    (ASL, "movement", [_asked("overrun", "defender", unit="r1", cost=1)], "frames[0].kind"),
    (ASL, "close_combat", [_asked("before_combat", "attacker", cell="A1")], "frames[0].kind"),
    (
        ASL,
        "movement",
        [_asked("wave", "attacker", **WAVE, waiting=["A1"])],
        "frames[0].about.waiting[0]",
    ),
    (
        ASL,
        "movement",
        [MOVING | {"about": MOVING["about"] | {"steps": 2**63 - 1}}],
        "frames[0].about.steps",
    ),
]


def _start(game: str, **changes: object) -> Position:
    plugin = registry.default().get(game)
    start = engine.start(plugin, seed="hostile").to_json()
    return Position.from_json({**start, "frames": [], **changes})


@pytest.mark.parametrize(("game", "phase", "frames", "field"), FRAMES)
def test_what_cannot_be_waited_for_is_refused_by_its_field(
    game: str, phase: str, frames: list[Document], field: str
) -> None:
    position = _start(game, phase=phase, state="", active=[], frames=frames)
    found = [problem.field for problem in validate.problems(registry.default().get(game), position)]
    assert [one for one in found if one.endswith(field)], found


LARGE = 2**63 - 1


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"turn": LARGE}, "turn"),
        ({"tracks": {"vp": LARGE}}, "tracks.vp"),
        ({"generator": {"seed": "x", "count": LARGE}}, "generator.count"),
    ],
)
def test_a_number_that_cannot_be_counted_up_is_refused(changes: Document, field: str) -> None:
    plugin = registry.default().get("kharkov")
    found = validate.problems(plugin, _start("kharkov", **changes))
    assert field in [problem.field for problem in found]


@pytest.mark.parametrize(
    ("game", "extras", "field"),
    [
        (HOS, {"tokens": {"german": {"bluff": 10**12}}}, "extras.tokens.german.bluff"),
        (HOS, {"objectives": {"mill": {"cells": ["0101"]}}}, "extras.objectives.mill.points"),
        (
            HOS,
            {"ended": {"winners": ["nobody"], "text": "", "rule": ""}},
            "extras.ended.winners[0]",
        ),
        (TOW, {"ended": {"winner": "axis"}}, "extras.ended.text"),
        (ASL, {"casualties": {"attacker": -1}}, "extras.casualties.attacker"),
        (ASL, {"attacks": [{"by": 5}]}, "extras.attacks[0].by"),
    ],
)
def test_what_a_game_keeps_is_refused_by_its_field(game: str, extras: Document, field: str) -> None:
    plugin = registry.default().get(game)
    kept = engine.start(plugin, seed="hostile").to_json()["extras"]
    assert isinstance(kept, dict)
    found = validate.problems(plugin, _start(game, extras={**kept, **extras}))
    assert field in [problem.field for problem in found]


@pytest.mark.parametrize(
    ("known", "field"),
    [
        ({}, "knowledge.axis.chosen"),
        ({"chosen": {"tokens": ["x"], "hand": []}}, "knowledge.axis.chosen.tokens[0]"),
        ({"chosen": {"tokens": ["supply"], "hand": []}}, "knowledge.axis.chosen.tokens"),
    ],
)
def test_who_has_chosen_has_said_what(known: Document, field: str) -> None:
    asked = [{"side": "soviet"}, {"side": "axis", "answered": True}]
    frames = [{"kind": "selection", "deciders": asked, "sealed": True}]
    position = _start(
        TOW, phase="selection", state="", active=[], frames=frames, knowledge={"axis": known}
    )
    found = validate.problems(registry.default().get(TOW), position)
    assert [problem.field for problem in found] == [field]


@pytest.mark.parametrize("game", ["kharkov", TOW])
def test_a_number_on_a_counter_has_few_digits(game: str) -> None:
    plugin = registry.default().get(game)
    start = engine.start(plugin, seed="hostile").to_json()
    units = start["units"]
    assert isinstance(units, dict)
    name, unit = next((n, u) for n, u in units.items() if "ladder" in u.get("values", {}))
    unit["values"]["ladder"] = ["9" * 5000 + step for step in unit["values"]["ladder"]]
    found = validate.problems(plugin, Position.from_json(start))
    assert found[0].field.startswith(f"units.{name}.values")


def test_nobody_directs_fire_who_is_no_leader_with_those_who_fire() -> None:
    plugin = registry.default().get(ASL)
    position = engine.start(plugin, "hill", seed="hostile")
    wanted = {"target": "H9", "firers": ["r1"], "leaders": ["r2"]}
    _, asked = plugin.game.queries.decode({"name": "attack", **wanted})
    with pytest.raises(RulesError, match="no leader") as refused:
        engine.ask(plugin, position, "attack", asked)
    assert refused.value.place.field == "leaders"
