"""Whatever a client sends: a verdict, or an error that names the field, and nothing else."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

from hexmarshal.errors import HexMarshalError, RulesError
from hexmarshal.games.conflict_of_heroes import ConflictOfHeroes
from hexmarshal.rules import engine
from hexmarshal.rules.action import Action
from hexmarshal.rules.dice import Dice, Generator
from hexmarshal.rules.state import validate
from hexmarshal.rules.state.disclosure import Shown, shown
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.verdict import Applied

COH = ConflictOfHeroes()
WORDS: tuple[Any, ...] = (
    None, True, -1, 0, 3, 99, "", "g1", "s2", "nobody", "9-E04", "9-Z99", "02", "german", "martian",
    [], ["g1"], ["9-E04"], {}, {"g1": 2}, {"kind": "mines"}, [{"unit": "g1", "path": ["9-E04"]}],
    "hidden", "ap", "card", "smoke", "indirect", [{"kind": "obstacle", "side": "german"}],
)  # fmt: skip


def mangled(document: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """The same with something replaced somewhere."""
    changed = copy.deepcopy(document)
    here: Any = changed
    for _ in range(chance.randint(1, 4)):
        key = chance.choice(list(here)) if isinstance(here, dict) and here else None
        if key is None or not isinstance(here[key], dict) or chance.random() < 0.3:
            break
        here = here[key]
    if isinstance(here, dict):
        name = chance.choice([*here, "facing", "values", "cell", "frames", "state"])
        here[name] = chance.choice(WORDS)
    return changed


@pytest.mark.parametrize("seed", range(6))
def test_mangled_positions_and_actions_raise_nothing_else(seed: int) -> None:
    chance = random.Random(seed)
    start = engine.start(COH, "drill", None, seed)
    document = start.to_json() | {"phase": "play", "state": "", "active": ["german"]}
    kinds = list(COH.game.actions)
    for _ in range(250):
        try:
            position = Position.from_json(mangled(document, chance))
            validate.admit(COH, position)
        except HexMarshalError:
            position = Position.from_json(document)
        kind = COH.game.actions[chance.choice(kinds)]
        action: dict[str, Any] = {"kind": kind.name, "side": chance.choice(("german", "soviet"))}
        for param in kind.params:
            if param.required or chance.random() < 0.4:
                action[param.name] = chance.choice(WORDS)
        try:
            decoded = COH.game.actions.decode(action)
            verdict = engine.check(COH, position, decoded)
            if verdict.legal:
                engine.perform(COH, position, decoded, Dice(Generator("x")))
        except HexMarshalError:
            pass


@pytest.mark.parametrize("state", ["mines", "face", "obstacle", "plot", "barrage", "bid"])
def test_a_decision_that_nobody_asked_for_is_refused(state: str) -> None:
    start = engine.start(COH, "drill", None, 1)
    phase = "prep" if state in ("plot", "barrage", "bid") else "play"
    position = Position.from_json(start.to_json() | {"phase": phase, "state": state})
    needed: dict[str, dict[str, object]] = {
        "face": {"facing": 0},
        "obstacle": {"pay": True},
        "bid": {"cap": 0},
    }
    action = COH.game.actions.make(state, "german", **needed.get(state, {}))
    assert engine.check(COH, position, action).rules == ("COH-2.2a",)


MOVE = {"kind": "move", "side": "german", "unit": "nobody", "path": ["9-E04"]}


def ask(kind: str, about: object = None, side: str = "german") -> dict[str, object]:
    return {"kind": kind, "deciders": [{"side": side}], "about": about or {}}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"board": "77"}, "board"),
        ({"piles": {"deck": {"cards": ["00"]}}}, "piles.deck"),
        (
            {"units": {"g": {"type": "german_truck", "side": "german", "facing": 7}}},
            "units.g.facing",
        ),
        ({"units": {"g1": {"type": "tiger", "side": "german"}}}, "units.g1.type"),
        ({"tracks": {"cap-german": -1}}, "tracks.cap-german"),
        ({"sides": ["german"]}, "sides"),
        ({"markers": {"c": {"kind": "coin", "side": "soviet"}}}, "markers.c.cell"),
        ({"turn": 0}, "turn"),
        ({"turn": -3}, "turn"),
        ({"extras": {"queue": []}}, "extras.queue"),
        ({"frames": [ask("tea")]}, "frames[0].kind"),
        ({"frames": [ask("face", {"unit": "x"}), ask("tea")]}, "frames[1].kind"),
        ({"frames": [{"kind": "face"}]}, "frames[0].deciders"),
        ({"frames": [ask("bid")]}, "frames[0].kind"),  # not in the middle of a turn
        ({"frames": [ask("face", side="soviet2")]}, "frames[0].deciders[0].side"),
        ({"frames": [ask("face")]}, "frames[0].about.unit"),
        ({"frames": [ask("mines", {"unit": "x"})]}, "frames[0].about.unit"),
        ({"frames": [ask("mines")]}, "frames[0].about.unit"),
        ({"frames": [ask("mines", {"of": "x"})]}, "frames[0].about.of"),
        ({"frames": [ask("obstacle", {"action": MOVE, "cost": -1})]}, "frames[0].about.cost"),
        ({"frames": [ask("obstacle", {"cost": 1})]}, "frames[0].about.action"),
        ({"frames": [ask("obstacle", {"action": MOVE, "cost": 1})]}, "frames[0].about.action.unit"),
        ({"extras": {"draw": 3}}, "extras.draw"),
        ({"extras": {"draw": {"german": -1}}}, "extras.draw.german"),
        ({"extras": {"deal": {"german": "some"}}}, "extras.deal.german"),
        ({"extras": {"deal": {"martian": 1}}}, "extras.deal.martian"),
        ({"extras": {"bids": {"german": 3}}}, "extras.bids.german"),
        ({"extras": {"passers": ["german", "x"]}}, "extras.passers[1]"),
        ({"extras": {"passers": "german"}}, "extras.passers"),
        ({"extras": {"quick": {}}}, "extras.quick.side"),
        ({"extras": {"turns": 0}}, "extras.turns"),
        ({"extras": {"turns": True}}, "extras.turns"),
        ({"extras": {"victory_points": "ten"}}, "extras.victory_points"),
        ({"extras": {"over": 1}}, "extras.over"),
        ({"extras": {"last": []}}, "extras.last"),
        ({"extras": {"refused": "g1"}}, "extras.refused"),
        ({"extras": {"exits": {"german": "9-E01"}}}, "extras.exits.german"),
        ({"cells": {"9-E03": {"control": "german", "vp": "many"}}}, "cells.9-E03.vp"),
        ({"knowledge": {"german": {"activation": "six"}}}, "knowledge.german.activation"),
    ],
)  # fmt: skip
def test_a_position_that_cannot_be_is_named(change: dict[str, object], field: str) -> None:
    document = COH.blank().to_json() | change
    found = validate.problems(COH, Position.from_json(document))
    assert field in {violation.field for violation in found}


def test_a_deck_that_is_empty_ends_the_draw_however_many_are_wanted() -> None:
    many = 10**12
    document = COH.blank().to_json() | {
        "turn": 1,
        "phase": "prep",
        "state": "start",
        "options": dict(engine.complete_options(COH, {})),
        "extras": {"draw": {"german": many}, "deal": {"german": many, "soviet": many}},
        "piles": {"deck": {"cards": ["02", "event", "04"], "known_to": []}},
    }
    position = validate.admit(COH, Position.from_json(document))
    action = COH.game.actions.make("begin_turn", "german")
    applied = engine.perform(COH, position, action, Dice(Generator("x")))
    assert sorted(applied.position.pile("hand-german").cards) == ["02", "04"]
    assert applied.position.pile("deck").cards == ()


# Fire that may not be


def firefight() -> Position:
    """Rifles and a spent machine gun face a squad over three hexes of open road."""
    document: dict[str, Any] = COH.blank().to_json()
    document["options"] = dict(engine.complete_options(COH, {}))
    document |= {
        "tracks": {"ap-german": 7, "cap-german": 1},
        "units": {
            "a": _unit("german_rifles_41", "9-E03", 2, ["active"]),
            "b": _unit("german_lmg_34", "9-E03", 2, ["spent"]),
            "s": _unit("soviet_rifles_41", "9-E06", 5),
        },
    }
    return Position.from_json(document)


def with_unit(name: str, unit: dict[str, object]) -> Position:
    """The same firefight with one unit more, or another."""
    document: dict[str, Any] = firefight().to_json()
    return Position.from_json({**document, "units": {**document["units"], name: unit}})


def _unit(kind: str, cell: str, facing: int, flags: list[str] | None = None) -> dict[str, object]:
    side = kind.partition("_")[0]
    return {"type": kind, "side": side, "cell": cell, "facing": facing, "flags": flags or []}


FORBIDDEN: dict[str, tuple[dict[str, object], str, tuple[str, ...], str]] = {
    "without sight": ({"unit": "a", "cell": "9-B07"}, "COH-6.0a", ("9-E03", "9-B07"), ""),
    "out of arc": ({"unit": "a", "cell": "9-E01"}, "COH-6.1a", ("9-E01",), ""),
    "out of range": ({"unit": "x", "cell": "9-E08"}, "COH-7.7.1a", ("9-E08",), ""),
    "spent, without an activation": ({"unit": "b", "cell": "9-E06"}, "COH-2.2g", (), ""),
    "spent, without command points": (
        {"unit": "b", "cell": "9-E06", "by": "command"}, "COH-3.2.2a", (), "",
    ),
    "points that the pool lacks": (
        {"unit": "a", "cell": "9-E06", "cap": 2}, "COH-3.2.3a", (), "cap",
    ),
    "points for a roll that is none": (
        {"unit": "a", "cell": "9-E06", "cap": {"a": 1}}, "COH-3.2.3a", (), "cap",
    ),
    "points that are no numbers": (
        {"unit": "a", "cell": "9-E06", "cap": {"s": "two"}}, "COH-3.2.3a", (), "cap",
    ),
    "by an enemy": ({"unit": "s", "cell": "9-E03"}, "COH-2.2a", (), ""),
    "at one's own hex": ({"unit": "a", "cell": "9-E03"}, "COH-7.7.3a", ("9-E03",), ""),
}  # fmt: skip


@pytest.mark.parametrize("name", FORBIDDEN)
def test_fire_that_may_not_be_is_refused_with_rule_and_place(name: str) -> None:
    params, rule, cells, field = FORBIDDEN[name]
    position = with_unit("x", _unit("soviet_smg", "9-E01", 2) | {"side": "german"})
    action = COH.game.actions.decode({"kind": "fire", "side": "german", **params})
    verdict = engine.check(COH, position, action)
    found = [v for v in verdict.violations if v.rule == rule]
    assert found, f"{name}: {verdict.rules}"
    assert found[0].text
    assert found[0].cells == cells
    assert found[0].field == field
    with pytest.raises(engine.IllegalActionError):
        engine.perform(COH, position, action, Dice(Generator("x")))


def test_everything_that_is_wrong_is_said_at_once() -> None:
    position = with_unit("b", _unit("german_lmg_34", "9-C05", 0, ["spent"]))
    action = COH.game.actions.decode(
        {"kind": "fire", "side": "german", "unit": "b", "cell": "9-I05", "cap": 3}
    )
    verdict = engine.check(COH, position, action)
    assert {"COH-6.1a", "COH-6.0a", "COH-3.2.3a", "COH-2.2g"} <= set(verdict.rules)


BROKEN: list[tuple[dict[str, object], str]] = [
    ({"kind": "fire", "unit": "nobody", "cell": "9-E06"}, "unit"),
    ({"kind": "fire", "unit": "a", "cell": "9-Z99"}, "cell"),
    ({"kind": "fire", "unit": "a", "cell": 7}, "cell"),
    ({"kind": "fire", "unit": "a"}, "cell"),
    ({"kind": "fire", "unit": "a", "cell": "9-E06", "mode": "sideways"}, "mode"),
    ({"kind": "fire", "unit": "a", "cell": "9-E06", "supporters": "b"}, "supporters"),
    ({"kind": "fire", "unit": "a", "cell": "9-E06", "supporters": ["b", "ghost"]}, "supporters[1]"),
    ({"kind": "fire", "unit": "a", "cell": "9-E06", "thrown": ["ghost"]}, "thrown[0]"),
    ({"kind": "fire", "unit": "a", "cell": "9-E06", "observer": "9-Z99"}, "observer"),
    ({"kind": "fire", "unit": "a", "cell": "9-E06", "volley": True}, "volley"),
    ({"kind": "close_combat", "unit": "a", "target": "ghost"}, "target"),
    ({"kind": "close_combat", "unit": "a", "work": "ghost"}, "work"),
    ({"kind": "rally", "units": ["a", "ghost"]}, "units[1]"),
    ({"kind": "rally", "units": "a"}, "units"),
    ({"kind": "play", "card": "06", "unit": "ghost"}, "unit"),
    ({"kind": "play", "card": "41", "unit": "a", "marker": "ghost"}, "marker"),
    ({"kind": "play", "card": "13", "against": "martians"}, "against"),
    ({"kind": "load", "vehicle": "ghost", "units": ["a"]}, "vehicle"),
    ({"kind": "shift", "unit": "a", "facing": "north"}, "facing"),
    ({"kind": "bombard", "unit": "a"}, "kind"),
]


@pytest.mark.parametrize(("action", "field"), BROKEN)
def test_what_cannot_be_read_is_an_error_with_its_field(
    action: dict[str, object], field: str
) -> None:
    with pytest.raises(RulesError) as caught:
        engine.check(COH, firefight(), COH.game.actions.decode({"side": "german", **action}))
    assert caught.value.place.field == field
    assert caught.value.message


# Hidden units


def hiding_in(cell: str) -> Position:
    """The same firefight with a hidden squad somewhere."""
    hidden: dict[str, object] = {
        "type": "soviet_smg",
        "side": "soviet",
        "cell": cell,
        "seen_by": ["soviet"],
    }
    return with_unit("h", hidden)


def test_a_hidden_unit_is_refused_like_one_that_is_not_there() -> None:
    for kind, field in (("close_combat", "target"), ("play", "unit")):
        action = {"kind": kind, "side": "german", field: "h"}
        action |= {"card": "06"} if kind == "play" else {"unit": "a"}
        messages = []
        for position in (firefight(), hiding_in("9-F05"), hiding_in("9-D05")):
            with pytest.raises(RulesError) as caught:
                engine.check(COH, position, COH.game.actions.decode(action))
            messages.append((caught.value.message, caught.value.place.field, caught.value.hint))
        assert len(set(messages)) == 1
        assert messages[0][1] == field


@pytest.mark.parametrize("dice", [(1, 1), (4, 5)])
def test_a_miss_reads_the_same_whether_somebody_hides_there_or_not(dice: tuple[int, int]) -> None:
    action = COH.game.actions.decode(
        {"kind": "fire", "side": "german", "unit": "a", "cell": "9-F05", "cap": 1}
    )
    read = []
    for position in (hiding_in("9-F05"), hiding_in("9-D05")):
        before = engine.view(COH, position, "german")
        verdict = engine.check(COH, position, action)
        odds = engine.ask(COH, position, "odds", _shot("9-F05"), "german")
        applied = engine.perform(COH, position, action, Dice(None, given=dice))
        told = _told(action, applied, before, engine.view(COH, applied.position, "german"))
        read.append((verdict.to_json(), odds.to_json(), told))
    assert read[0] == read[1]
    assert "soviet_smg" not in str(read[0])


def _told(action: Action, applied: Applied, before: Position, after: Position) -> Shown:
    return shown(action, applied.effects, applied.resolutions, applied.rolls, before, after)


def _shot(cell: str) -> Any:
    return COH.game.queries.decode({"name": "odds", "unit": "a", "cell": cell})[1]


def test_the_list_of_actions_is_the_same_wherever_somebody_hides() -> None:
    listed = [
        [offer.action for offer in engine.offers(COH, position, "german")]
        for position in (firefight(), hiding_in("9-F05"), hiding_in("9-D05"))
    ]
    assert listed[0] == listed[1] == listed[2]


def test_a_hit_draws_a_marker_that_only_its_owner_reads() -> None:
    position = firefight()
    action = COH.game.actions.decode(
        {"kind": "fire", "side": "german", "unit": "a", "cell": "9-E06"}
    )
    applied = engine.perform(COH, position, action, Dice(None, given=[5, 5], picks=[6]))
    views = {side: engine.view(COH, applied.position, side) for side in ("german", "soviet")}
    accounts = {
        side: _told(action, applied, engine.view(COH, position, side), view)
        for side, view in views.items()
    }
    assert "foot-panicked" in str(views["soviet"].to_json())
    assert "Panicked" in str(accounts["soviet"])
    for told in (views["german"].to_json(), accounts["german"]):
        assert "anicked" not in str(told)
