"""Every optional rule is a switch that the plugin lists, and cases try it on and off."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from hexmarshal.errors import RulesError
from hexmarshal.games.conflict_of_heroes import ConflictOfHeroes
from hexmarshal.rules import engine
from hexmarshal.rules.cases.conformance import Case, load_cases
from hexmarshal.rules.values import freeze

COH = ConflictOfHeroes()
SWITCHES = {option.param.name: option for option in COH.game.options}
CASES = Path(__file__).parents[2] / "conformance" / "conflict_of_heroes"


@cache
def cases() -> tuple[Case, ...]:
    return tuple(case for file in CASES.rglob("*.yaml") for case in load_cases(file).cases)


def test_the_rulebook_and_the_plugin_name_the_same_switches() -> None:
    named = {rule.switch for rule in COH.rulebook.values() if rule.switch}
    assert named == set(SWITCHES)


@pytest.mark.parametrize("name", SWITCHES)
def test_a_switch_names_rules_that_it_turns(name: str) -> None:
    turned = {rule.id for rule in COH.rulebook.values() if rule.switch == name}
    assert SWITCHES[name].rules
    assert set(SWITCHES[name].rules) <= turned


@pytest.mark.parametrize("name", SWITCHES)
def test_cases_try_a_switch_on_and_off(name: str) -> None:
    turned = {rule.id for rule in COH.rulebook.values() if rule.switch == name}
    tried = {
        freeze(case.body["options"][name])
        for case in cases()
        if turned & set(case.rules) and name in case.body.get("options", {})
    }
    default = freeze(SWITCHES[name].default)
    assert default in tried, f"no case says {name}: {default}"
    assert tried - {default}, f"no case turns {name} on"


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"variable_ap": "yes"}, "options.variable_ap"),
        ({"solo": "martian"}, "options.solo"),
        ({"players": 1}, "options.players"),
        ({"players": 9}, "options.players"),
        ({"order": "random"}, "options.order"),
        ({"house_rule": True}, "options.house_rule"),
    ],
)
def test_a_switch_that_is_none_is_an_error_with_its_field(
    options: dict[str, object], field: str
) -> None:
    with pytest.raises(RulesError) as caught:
        engine.start(COH, "drill", options)
    assert caught.value.place.field == field
