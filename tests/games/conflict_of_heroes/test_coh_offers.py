"""The list of legal actions is sound, and on small positions complete against brute force."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest

from hexmarshal.games.conflict_of_heroes import ConflictOfHeroes
from hexmarshal.rules import engine
from hexmarshal.rules.action import Action
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import FrozenMap, Value

COH = ConflictOfHeroes()
CELLS = ("9-D03", "9-E02", "9-E03", "9-E04", "9-E05", "9-F03", "9-F04")
WAYS: tuple[dict[str, Value], ...] = (
    {"by": "ap"},
    {"by": "opportunity"},
    {"by": "command"},
    {"by": "card", "card": "02"},
)


def situation(**changes: object) -> Position:
    document: dict[str, object] = COH.blank().to_json()
    document["options"] = dict(engine.complete_options(COH, {}))
    document |= {
        "tracks": {"ap-german": 4, "cap-german": 2},
        "piles": {"hand-german": {"cards": ["02"], "side": "german", "known_to": ["german"]}},
        "units": {
            "a": {
                "type": "german_rifles_41",
                "side": "german",
                "cell": "9-E03",
                "facing": 2,
                "flags": ["active"],
            },
            "b": {"type": "german_engineers", "side": "german", "cell": "9-E02", "facing": 2},
            "s": {"type": "soviet_rifles_41", "side": "soviet", "cell": "9-E04", "facing": 5},
        },
    }
    return Position.from_json({**document, **changes})


HIT: dict[str, object] = {
    "kind": "foot-suppressed",
    "unit": "a",
    "side": "german",
    "known_to": ["german"],
    "face": "hit",
}
SITUATIONS = {
    "face to face": situation(),
    "hit, with a trench": situation(
        markers={"h": HIT, "t": {"kind": "trench", "cell": "9-E03"}},
    ),
    "nothing left": situation(
        tracks={"ap-german": 0, "cap-german": 0},
        piles={},
        units={
            "a": {"type": "german_rifles_41", "side": "german", "cell": "9-E03", "facing": 2},
            "s": {"type": "soviet_rifles_41", "side": "soviet", "cell": "9-E03", "facing": 5},
        },
    ),
}


def brute(position: Position) -> Iterator[tuple[str, dict[str, Value]]]:
    """Every action in the spelling of the list, legal or not, around the units."""
    own = [u.id for u in position.of_side("german")]
    foes = [u.id for u in position.of_side("soviet")]
    yield "pass", {}
    yield "finish", {}
    yield "quick_action", {}
    for by in ("ap", "command"):
        yield "stall", {"by": by}
    for unit in own:
        yield "activate", {"unit": unit}
    caps: list[dict[str, Value]] = [{}, {"cap": 1}, {"cap": 2}]
    for unit, way in product(own, WAYS):
        me: dict[str, Value] = {"unit": unit, **way}
        for facing in range(6):
            yield "pivot", {**me, "facing": facing}
            yield "shift", {**me, "facing": facing}
            for cell, inside in product(CELLS, ({}, {"occupy": True})):
                yield "move", {**me, "path": (cell,), "facing": facing, **inside}
        yield "leave", me
        yield "dig_in", {"units": (unit,), **way}
        for cell in CELLS:
            yield "hide", {"units": (unit,), "cells": (cell,), **way}
            yield "fire", {**me, "cell": cell, "mode": "smoke"}
        for cap in caps:
            yield "rally", {"units": (unit,), **way, **cap}
        others: list[dict[str, Value]] = [{}]
        others += [{"supporters": (o,)} for o in own if o != unit]
        for cap, arm, more in product(caps, ({}, {"mode": "flame"}), others):
            for cell in CELLS:
                yield "fire", {**me, "cell": cell, **cap, **arm, **more}
            for foe in foes:
                yield "close_combat", {**me, "target": foe, **cap, **arm, **more}


@pytest.mark.parametrize("name", SITUATIONS)
def test_offers_are_sound(name: str) -> None:
    position = SITUATIONS[name]
    count = 0
    for offer in engine.offers(COH, position, "german"):
        verdict = engine.check(COH, position, offer.action)
        assert verdict.legal, f"{offer.action}: {verdict.rules}"
        assert verdict.cost == offer.verdict.cost, offer.action
        count += 1
        if count > 2500:
            break
    assert count


@pytest.mark.parametrize("name", SITUATIONS)
def test_offers_are_complete_against_brute_force(name: str) -> None:
    position = SITUATIONS[name]
    simple = [
        o.action for o in engine.offers(COH, position, "german") if o.action.kind != "group_move"
    ]
    offered = set(simple)
    assert len(offered) == len(simple), "an action is offered twice"
    tried = 0
    for kind, params in brute(position):
        action = Action(kind, "german", FrozenMap(params))
        legal = COH.check(engine.view(COH, position, "german"), action).legal
        assert (action in offered) is legal, f"{action} is {'legal' if legal else 'not legal'}"
        tried += 1
    assert tried > 500


def test_group_moves_of_two_are_all_there() -> None:
    position = SITUATIONS["face to face"]
    position = replace(
        position,
        units=position.units.set("b", replace(position.unit("b"), cell="9-E03")),
    )
    offered = {
        o.action
        for o in engine.offers(COH, position, "german")
        if o.action.kind == "group_move" and o.action.text("by") == "ap"
    }
    around = ("9-D03", "9-D04", "9-E04", "9-F03", "9-E02", "9-D02")
    choices = [
        [FrozenMap[Value]({"unit": u, "path": (c,), "facing": f}) for c in around for f in range(6)]
        + [FrozenMap[Value]({"unit": u, "path": (), "facing": f}) for f in range(6)]
        for u in ("a", "b")
    ]
    for moves in product(*choices):
        action = Action("group_move", "german", FrozenMap({"moves": moves, "by": "ap"}))
        assert (action in offered) is COH.check(position, action).legal, str(action)


def test_the_actions_of_one_kind_are_those_of_the_whole_list() -> None:
    position = situation()
    whole = [offer.action for offer in engine.offers(COH, position, "german")]
    kinds = {action.kind for action in whole}
    assert {"move", "fire", "pass"} <= kinds
    for kind in kinds:
        some = [offer.action for offer in engine.offers(COH, position, "german", [kind])]
        assert some == [action for action in whole if action.kind == kind]
