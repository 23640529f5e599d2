"""What the engine holds for every game, seen on the tutorial game."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernel_strategies import json_values
from tutorial import Crossroads
from tutorial.board import hexes, neighbours

from hexmarshal.errors import NotFoundError, RulesError
from hexmarshal.rules import Action, Dice, FrozenMap, Position, engine
from hexmarshal.rules.state import validate
from hexmarshal.rules.verdict import IllegalActionError

PLUGIN = Crossroads()
START = engine.start(PLUGIN, seed=1)


def test_a_game_starts_from_its_first_scenario_with_all_options_set() -> None:
    assert START.scenario == "meeting"
    assert START.options == FrozenMap({"advance": False, "deep_woods": False})
    assert START.version == PLUGIN.game.version
    with pytest.raises(NotFoundError, match="no scenario 'nix'"):
        engine.start(PLUGIN, "nix")
    with pytest.raises(RulesError) as caught:
        engine.start(PLUGIN, options={"deep_woods": "yes"})
    assert caught.value.place.field == "options.deep_woods"
    with pytest.raises(RulesError, match="no such option"):
        engine.start(PLUGIN, options={"nix": 1})


@pytest.mark.parametrize(
    ("document", "field"),
    [
        (None, None),
        ({}, "kind"),
        ({"kind": "nix", "side": "blue"}, "kind"),
        ({"kind": "move"}, "side"),
        ({"kind": "move", "side": "blue"}, "unit"),
        ({"kind": "move", "side": "blue", "unit": "b1", "path": "B2"}, "path"),
        ({"kind": "move", "side": "blue", "unit": "b1", "path": ["B2", 3]}, "path[1]"),
        ({"kind": "move", "side": "blue", "unit": "b1", "path": [], "to": "B2"}, "to"),
    ],
)
def test_a_malformed_action_names_its_field(document: object, field: str | None) -> None:
    with pytest.raises(RulesError) as caught:
        PLUGIN.game.actions.decode(document)
    assert caught.value.place.field == field


@given(
    json_values | st.dictionaries(st.sampled_from(["kind", "side", "unit", "path"]), json_values)
)
def test_nonsense_for_an_action_is_an_error_and_never_a_crash(document: object) -> None:
    try:
        action = PLUGIN.game.actions.decode(document)
        engine.check(PLUGIN, START, action)
    except RulesError:
        pass


def test_an_action_survives_json() -> None:
    action = PLUGIN.game.actions.make("move", "blue", unit="b1", path=["B2"])
    assert PLUGIN.game.actions.decode(action.to_json()) == action
    assert str(action) == "blue: move path=B2 unit=b1"


def test_an_action_with_parts_reads_like_one() -> None:
    """Group moves hold a way for each of their units."""
    parts = (FrozenMap({"unit": "b1", "path": ("B2", "C2")}), FrozenMap({"unit": "b2"}))
    shown = str(Action("group_move", "blue", FrozenMap({"moves": parts})))
    assert shown == "blue: group_move moves=(path=B2,C2 unit=b1),(unit=b2)"


def test_performing_needs_a_legal_action_and_counts_the_generator_on() -> None:
    actions = PLUGIN.game.actions
    with pytest.raises(IllegalActionError, match="TUT-1") as caught:
        engine.perform(PLUGIN, START, actions.make("end_phase", "red"))
    assert caught.value.verdict.rules == ("TUT-1",)
    near = replace(START.with_unit(replace(START.unit("b3"), cell="F2")), phase="combat")
    attack = actions.make("attack", "blue", attackers=["b3"], target="r1")
    rolled = engine.perform(PLUGIN, near, attack)
    assert rolled.position.generator is not None
    assert rolled.position.generator.count == 1
    given_die = engine.perform(PLUGIN, near, attack, Dice(near.generator, given=[1]))
    assert given_die.position.generator == near.generator
    assert engine.perform(PLUGIN, near, attack).position == rolled.position


def test_a_position_of_another_game_is_refused() -> None:
    with pytest.raises(RulesError) as caught:
        engine.check(PLUGIN, Position("chess"), Action("end_phase", "blue"))
    assert caught.value.place.field == "game"


def test_offers_are_exactly_the_legal_actions_by_brute_force() -> None:
    """TUT-2, TUT-3: every destination by every path of up to four steps; every attack."""
    legal: set[tuple[str, str]] = set()
    for unit in START.of_side("blue"):
        paths: list[tuple[str, ...]] = [()]
        for _ in range(4):
            paths = [(*p, c) for p in paths for c in neighbours(p[-1] if p else unit.cell)]
            for path in paths:
                action = PLUGIN.game.actions.make("move", "blue", unit=unit.id, path=path)
                if engine.check(PLUGIN, START, action).legal:
                    legal.add((unit.id, path[-1]))
    offered = list(engine.offers(PLUGIN, START, "blue"))
    moves = {(o.action.text("unit"), o.action.texts("path")[-1]) for o in offered[:-1]}
    assert moves == legal
    assert all(engine.check(PLUGIN, START, o.action) == o.verdict for o in offered)


def test_offers_are_lazy() -> None:
    offers = engine.offers(PLUGIN, START, "blue")
    assert next(offers).verdict.legal
    assert list(engine.offers(PLUGIN, START, "red")) == []


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"phase": "lunch"}, "phase"),
        ({"state": "asleep"}, "state"),
        ({"active": ["green"]}, "active[0]"),
        ({"sides": []}, "sides"),
        ({"options": {"nix": 1}}, "options.nix"),
        ({"options": {"deep_woods": 1}}, "options.deep_woods"),
        ({"cells": {"Z9": {}}}, "cells.Z9"),
        ({"knowledge": {"green": {}}}, "knowledge.green"),
        ({"viewer": "green"}, "viewer"),
        ({"units": {"u": {"type": "blimp", "side": "red", "cell": "A1"}}}, "units.u.type"),
        ({"units": {"u": {"type": "tank", "side": "pink", "cell": "A1"}}}, "units.u.side"),
        ({"units": {"u": {"type": "tank", "side": "red", "cell": "Z9"}}}, "units.u.cell"),
        ({"units": {"u": {"type": "tank", "side": "red", "box": "b"}}}, "units.u.box"),
        ({"units": {"u": {"type": "tank", "side": "red", "carrier": "u"}}}, "units.u.carrier"),
        ({"units": {"u": {"type": "tank", "side": "red", "carrier": "v"}}}, "units.u.carrier"),
        (
            {"units": {"u": {"type": "tank", "side": "red", "cell": "A1", "carrier": "u"}}},
            "units.u",
        ),
        (
            {"units": {"u": {"type": "tank", "side": "red", "footprint": ["A1"]}}},
            "units.u.footprint",
        ),
        ({"units": {"u": {"type": "tank", "side": "red", "steps": -1}}}, "units.u.steps"),
        ({"units": {"u": {"type": "tank", "side": "red", "values": {"x": 1}}}}, "units.u.values.x"),
        ({"units": {"u": {"type": "tank", "side": "red", "seen_by": ["x"]}}}, "units.u.seen_by"),
        ({"units": {"u": {"type": "tank", "side": "red", "face": "x"}}}, "units.u.face"),
        ({"markers": {"m": {"kind": "fog"}}}, "markers.m.kind"),
        ({"markers": {"m": {"kind": "?", "unit": "x"}}}, "markers.m.unit"),
        ({"markers": {"m": {"kind": "?", "cell": "Z9"}}}, "markers.m.cell"),
        ({"piles": {"p": {"side": "x"}}}, "piles.p.side"),
    ],
)
def test_a_position_that_makes_no_sense_names_the_field(change: dict, field: str) -> None:
    position = Position.from_json({**PLUGIN.blank().to_json(), **change})
    assert field in {v.field for v in validate.problems(PLUGIN, position)}
    with pytest.raises(RulesError) as caught:
        validate.admit(PLUGIN, position)
    assert caught.value.place.field == field


def test_every_cell_pair_is_adjacent_both_ways() -> None:
    for a, b in product(hexes(), repeat=2):
        assert (a in neighbours(b)) is (b in neighbours(a))
