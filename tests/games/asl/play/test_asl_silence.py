"""The silent village: set up as its card says, played to its end, control that tells nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hexmarshal.games.asl.plugin import AdvancedSquadLeader
from hexmarshal.rules import engine
from hexmarshal.rules.action import Action
from hexmarshal.rules.dice import Dice, Generator
from hexmarshal.rules.playing.selfplay import play_game
from hexmarshal.rules.plugin import ScenarioInfo
from hexmarshal.rules.state.effects import ChangeUnit, MoveUnit, apply_effects
from hexmarshal.rules.state.pieces import Unit
from hexmarshal.rules.state.validate import problems
from hexmarshal.rules.values import FrozenMap


@pytest.fixture(scope="module")
def asl() -> AdvancedSquadLeader:
    return AdvancedSquadLeader()


def test_the_card_is_set_up_as_it_says(asl):
    """ASL-A12.12a, ASL-HIP-1: all in concealment terrain; the card says that somebody may hide."""
    position = engine.start(asl, "silence", None, "1")
    assert list(asl.setup_violations(position)) == []
    assert not problems(asl, position)
    assert position.option("hidden_units", default=False) is True
    seen = engine.view(asl, position, "attacker")
    assert "r8" not in seen.units
    assert {seen.unit(f"r{i}").type for i in (1, 2, 3, 4, 5, 6, 7, 11)} == {"concealed"}
    assert not {"r9", "r10"} & set(seen.units)


def test_the_open_and_the_broken_are_not_covered_at_set_up(asl):
    """ASL-A12.12a, ASL-HIP-1."""
    position = engine.start(asl, "silence", None, "1")
    moved = [MoveUnit("r1", "I3"), MoveUnit("r8", "J4"), ChangeUnit("r4", flags={"broken"})]
    found = {
        (fault.rule, fault.field)
        for fault in asl.setup_violations(apply_effects(position, moved))
        if fault.rule != "ASL-DEF-5"
    }
    assert found == {
        ("ASL-A12.12a", "units.r1.cell"),
        ("ASL-HIP-1", "units.r8.cell"),
        ("ASL-A12.12a", "units.r4.flags"),
    }


def test_a_random_game_ends_and_replays():
    """By a player who takes whatever comes, with everything concealed at the start."""
    played = play_game(AdvancedSquadLeader(), "44", scenario="silence", max_actions=200)
    assert [found.text for found in played.findings if found.kind != "no end"] == []


class InTheHouses(AdvancedSquadLeader):
    """The silent village where everybody has met: several close combats, prisoners, a "?"."""

    def scenarios(self):
        return [ScenarioInfo("met", "Everybody has met")]

    def setup(self, scenario, options, generator):
        start = super().setup("silence", options, generator)
        at = {"g1": "E5", "g7": "E5", "g2": "G4", "g3": "H8", "g4": "G8", "g5": "F8"}
        units = {n: replace(u, cell=at.get(n, u.cell)) for n, u in start.units.items()}
        own = {"flags": frozenset({"unarmed"}), "bonds": FrozenMap({"guards": ("g3",)})}
        units["p"] = Unit("p", "russian_2-2-6", "defender", **own)
        return replace(
            start,
            scenario=scenario,
            phase="close_combat",
            units=FrozenMap(units),
            generator=generator,
        )


def test_everybody_meets_and_every_position_is_in_order():
    """ASL-CC-4: close combat in five locations, whatever is chosen in it."""
    played = play_game(InTheHouses(), "3", scenario="met", check_replay=False, max_actions=90)
    assert [found.text for found in played.findings if found.kind != "no end"] == []
    kinds = [event.action["kind"] for event in played.record.events]
    assert kinds.count("close_combat") >= 5
    assert {"ready", "strike"} <= set(kinds)


@pytest.mark.parametrize("there", ["russian_4-4-7", "dummy", "leader_8-0"])
def test_control_tells_nothing_of_who_is_there(asl, there):
    """ASL-A12.12a, ASL-HIP-1: neither a "?" nor who hides changes who is told to control a hex."""
    start = engine.start(asl, "silence", None, "1")
    units = {
        name: unit for name, unit in start.units.items() if name in ("g1", "r1", "r4", "r9", "r11")
    }
    units["g1"] = replace(units["g1"], cell="K4")
    units["r1"] = replace(units["r1"], type=there, cell="G4")
    hidden = replace(units["r1"], id="z", cell="K4", level=1, flags=frozenset({"hidden"}))
    goal = FrozenMap({"hexes": ("G4", "K4"), "side": "attacker", "control": 1})
    position = replace(
        start,
        phase="advance",
        units=FrozenMap({**units, "z": hidden}),
        extras=FrozenMap({**start.extras, "victory": goal}),
    )
    action = Action("end_phase", "attacker")
    after = engine.perform(asl, position, action, Dice(Generator("1"))).position
    assert after.cells["K4"]["control"] == "attacker"
    assert after.cells.get("G4", {}).get("control") == start.cells.get("G4", {}).get("control")
