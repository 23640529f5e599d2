"""Nobody learns what he may not know: not from a view, an account, an error or a list of offers."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from kernel_strategies import positions
from tutorial import Crossroads

from hexmarshal.errors import RulesError
from hexmarshal.rules import Dice, FrozenMap, Generator, Marker, Pile, Position, Unit, engine
from hexmarshal.rules.action import Action
from hexmarshal.rules.state.disclosure import Shown, shown
from hexmarshal.rules.state.effects import (
    AddMarker,
    AddUnit,
    ChangeUnit,
    MoveCards,
    MoveUnit,
    RemoveMarker,
    RemoveUnit,
    SetKnowledge,
    SetPile,
    apply_effects,
)
from hexmarshal.rules.state.ledger import Ledger
from hexmarshal.rules.state.view import view
from hexmarshal.rules.verdict import Applied, Resolution, Step

RED = frozenset({"red"})
SECRET = "SECRET"
TABLE = Position(
    "x",
    sides=("red", "blue"),
    units=FrozenMap(
        {
            "open": Unit("open", "inf", "red", cell="A1"),
            "unknown": Unit(
                "unknown",
                SECRET,
                "red",
                cell="A2",
                steps=3,
                flags=frozenset({SECRET}),
                values=FrozenMap({"v": SECRET}),
                known_to=RED,
                face="rifle?",
            ),
            "untried": Unit("untried", SECRET, "red", cell="A3", known_to=frozenset()),
            "SECRET-1": Unit("SECRET-1", "gun", "red", cell="A4", seen_by=RED),
            "SECRET-2": Unit("SECRET-2", "crew", "red", carrier="SECRET-1"),
        }
    ),
    markers=FrozenMap(
        {
            "order": Marker("order", SECRET, "red", unit="open", known_to=RED),
            "SECRET-3": Marker("SECRET-3", "plot", "red", cell="B3", seen_by=RED),
            "SECRET-4": Marker("SECRET-4", "hit", unit="SECRET-1"),
        }
    ),
    piles=FrozenMap(
        {
            "deck": Pile("deck", (SECRET, SECRET), known_to=frozenset()),
            "hand": Pile("hand", (SECRET,), "red", RED),
            "discard": Pile("discard", ("open card",)),
            "SECRET-5": Pile("SECRET-5", ("open card",), "red", RED, seen_by=RED),
        }
    ),
    knowledge=FrozenMap({"red": FrozenMap({"plan": SECRET}), "blue": FrozenMap({"plan": "mine"})}),
    generator=Generator(SECRET),
)


def text(document: object) -> str:
    return json.dumps(document)


def test_the_other_side_sees_no_secret() -> None:
    seen = view(TABLE, "blue")
    assert SECRET not in text(seen.to_json())
    assert seen.viewer == "blue"
    assert set(seen.units) == {"open", "unknown", "untried"}
    assert seen.unit("unknown").type == "rifle?"
    assert seen.unit("untried").type == "?"
    assert seen.pile("deck").cards == ("?", "?")
    assert seen.pile("discard").cards == ("open card",)
    assert "SECRET-5" not in seen.piles
    assert seen.knowledge == FrozenMap({"blue": FrozenMap({"plan": "mine"})})


def test_a_side_sees_its_own_but_not_what_nobody_knows() -> None:
    seen = view(TABLE, "red")
    assert seen.unit("unknown") == TABLE.unit("unknown")
    assert seen.unit("untried").type == "?"
    assert seen.pile("hand") == TABLE.pile("hand")
    assert seen.pile("deck").cards == ("?", "?")
    assert seen.generator is None


@given(positions())
def test_a_view_shows_only_what_is_there_and_is_stable(position: Position) -> None:
    seen = view(position, "red")
    assert set(seen.units) <= set(position.units)
    assert set(seen.markers) <= set(position.markers)
    assert seen.generator is None
    assert replace(view(seen, "red"), viewer="red") == seen


def test_an_account_is_read_without_the_others_secrets() -> None:
    ledger = Ledger(TABLE, Dice(picks=[1]))
    ledger.dice.pick(2, SECRET)
    ledger.do(
        MoveUnit("SECRET-1", "A5"),
        ChangeUnit("unknown", type=SECRET, values=FrozenMap({"v": SECRET}), steps=2),
        AddUnit("SECRET-5", Unit("SECRET-5", "inf", "red", cell="C1", seen_by=RED)),
        AddUnit("new", Unit("new", SECRET, "red", cell="C2", known_to=RED)),
        AddMarker("token", Marker("token", SECRET, "red", unit="open", known_to=RED)),
        RemoveMarker("SECRET-3"),
        RemoveUnit("SECRET-2"),
        SetKnowledge("red", FrozenMap({"plan": SECRET})),
        SetPile("SECRET-5", Pile("SECRET-5", ("one", "two"), "red", RED, RED)),
        MoveCards("SECRET-5", "deck", ("two",)),
        SetPile("deck", Pile("deck", (SECRET,), known_to=frozenset())),
        MoveCards("deck", "hand", (SECRET,)),
    )
    ledger.decide(Resolution("draw", SECRET, known_to=RED))
    drawn = tuple(roll for roll in ledger.dice.rolls if roll.pick)
    steps = (Step(SECRET, known_to=RED), Step("seen"))
    ledger.decide(Resolution("move", "moved", steps=steps, dice=drawn))
    applied = ledger.close()
    plan = Action("plan", "red", FrozenMap({"what": SECRET}))
    told = {side: _told(plan, applied, side) for side in ("red", "blue")}
    seen = view(applied.position, "blue")
    assert SECRET not in str(told["blue"])
    assert SECRET not in text(seen.to_json())
    assert [r.kind for r in told["blue"].resolutions] == ["move"]
    assert apply_effects(view(TABLE, "blue"), told["blue"].effects) == seen
    assert len(told["red"].resolutions) == 2
    assert told["red"].action == plan


def _told(action: Action, applied: Applied, side: str) -> Shown:
    before, after = view(TABLE, side), view(applied.position, side)
    return shown(action, applied.effects, applied.resolutions, applied.rolls, before, after)


def test_a_hidden_unit_changes_no_verdict_offer_or_answer() -> None:
    plugin = Crossroads()
    start = engine.start(plugin, seed=1)
    without = start.without_unit("r3")
    near = start.with_unit(replace(start.unit("r3"), cell="B3"))
    actions = plugin.game.actions
    action = actions.make("move", "blue", unit="b3", path=["B3"])
    assert engine.check(plugin, near, action) == engine.check(plugin, without, action)
    assert list(engine.offers(plugin, near, "blue")) == list(engine.offers(plugin, without, "blue"))
    params = FrozenMap({"unit": "b3"})
    assert engine.ask(plugin, near, "reach", params, "blue") == engine.ask(
        plugin, without, "reach", params, "blue"
    )
    errors = []
    for position, target in ((near, "r3"), (without, "r3")):
        attack = actions.make("attack", "blue", attackers=["b3"], target=target)
        with pytest.raises(RulesError) as caught:
            engine.check(plugin, position, attack)
        errors.append(caught.value.as_dict())
    assert errors[0] == errors[1]


def test_a_view_of_one_side_serves_no_other() -> None:
    plugin = Crossroads()
    seen = engine.view(plugin, engine.start(plugin, seed=1), "blue")
    with pytest.raises(RulesError, match="view of blue"):
        engine.view(plugin, seen, "red")
    with pytest.raises(RulesError, match="only the whole position"):
        engine.perform(plugin, seen, plugin.game.actions.make("end_phase", "blue"))
    assert engine.view(plugin, seen, "blue") is seen
