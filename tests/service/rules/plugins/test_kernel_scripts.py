"""Scripts: each expectation can fail, a refusal changes nothing, a fault stays in its case."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tutorial import Crossroads

from hexmarshal.cli.main import run
from hexmarshal.errors import RulesError
from hexmarshal.rules.cases.conformance import CaseResult, load_cases, run_case
from hexmarshal.rules.plugin import GamePlugin
from hexmarshal.rules.plugins import registry

MOVE = "{kind: move, side: blue, unit: b1, path: [B2]}"


def result(tmp_path: Path, steps: str, plugin: GamePlugin | None = None) -> CaseResult:
    file = tmp_path / "script.yaml"
    file.write_text(
        "game: tutorial\n"
        "base: {scenario: meeting, seed: 1}\n"
        f"cases: [{{id: a, rules: [TUT-2], script: [{steps}]}}]\n"
    )
    (case,) = load_cases(file).cases
    return run_case(plugin or Crossroads(), case)


@pytest.mark.parametrize(
    "steps",
    [
        f"{{action: {MOVE}, expect: {{cost: 1, modifiers: [], strengths: []}}}}",
        f"{{action: {MOVE}, position: {{turn: 1, state: '', units: {{b1: {{cell: B2}}}}}}}}",
        "{action: {kind: move, side: blue, unit: zz, path: []}, expect: {error: {field: unit}}}",
        f"{{action: {MOVE}, expect: {{legal: true}}}}, {{action: {MOVE}, refuse: [TUT-2]}}",
        "{next: [{of: {side: blue, kind: move, unit: b1}, slot: path, contain: [B2], lack: [A3]}]}",
        "{offers: {blue: {contain: [{kind: move, unit: b1, path: [B2]}], lack: [{kind: attack}]}}}",
        "{query: {name: reach, unit: b1}, as: blue, expect: {cells: {B2: 1}}}",
        "{views: {blue: {units: {r3: null}}, red: {units: {r3: {steps: 1}}}}, outcome: null}",
    ],
)
def test_a_script_that_is_right_holds(tmp_path: Path, steps: str) -> None:
    assert result(tmp_path, steps).differences == ()


@pytest.mark.parametrize(
    ("steps", "says"),
    [
        (f"{{action: {MOVE}, expect: {{cost: 2}}}}", "step 1: cost: expected 2, got 1"),
        (f"{{action: {MOVE}, expect: {{effects: [{{cell: B3}}]}}}}", "effects[0]"),
        (f"{{action: {MOVE}, refuse: [TUT-2]}}", "and the action was done"),
        ("{action: {kind: end_phase, side: red}, refuse: [TUT-2]}", "got violations of TUT-1"),
        ("{action: {kind: end_phase, side: red}}", "expected to be done"),
        (f"{{action: {MOVE}}}, {{note: again, action: {MOVE}}}", "step 2 (again): action"),
        ("{position: {phase: combat}}", "position.phase"),
        ("{views: {blue: {units: {r3: {cell: D5}}}}}", "views.blue.units.r3"),
        ("{views: {red: {units: {r3: null}}}}", "views.red.units.r3"),
        ("{offers: {blue: {contain: [{kind: attack}]}}}", "offers.blue.contain"),
        ("{offers: {blue: {lack: [{kind: move, unit: b1}]}}}", "offers.blue.lack"),
        ("{offers: {blue: {count: 3}}}", "expected 3, got 40"),
        ("{next: [{of: {side: blue, kind: move}, contain: [r1]}]}", "contain 'r1'"),
        ("{next: [{of: {side: blue, kind: move}, lack: [b1]}]}", "lack 'b1'"),
        ("{next: [{of: {side: blue, kind: move}, exactly: [b1]}]}", "exactly ['b1']"),
        ("{next: [{of: {side: blue, kind: move}, slot: path}]}", "slot is unit"),
        ("{next: [{of: {side: blue, kind: move}, complete: true}]}", "complete is False"),
        ("{next: [{of: {side: blue, kind: nix}, complete: true}]}", "'nix' is not one of"),
        ("{outcome: blue}", "outcome"),
        ("{query: {name: reach, unit: b1}, expect: {cells: {B2: 9}}}", "cells.B2"),
        (f"{{action: {MOVE}, resolution: attack, expect: {{result: x}}}}", "no 'attack' number 1"),
    ],
)
def test_every_expectation_can_fail_and_names_the_step(
    tmp_path: Path, steps: str, says: str
) -> None:
    (first, *_) = result(tmp_path, steps).differences
    assert says in first


def test_a_script_ends_at_the_first_step_that_fails(tmp_path: Path) -> None:
    wrong = "{position: {phase: combat}}"
    assert len(result(tmp_path, f"{wrong}, {wrong}").differences) == 1


@pytest.mark.parametrize(
    "steps",
    [
        "",
        "{}",
        "{refuse: [TUT-2]}",
        f"{{action: {MOVE}, refuse: [TUT-2], expect: {{legal: false}}}}",
        "{dice: [1]}",
        "{action: {kind: move}}",
        "{offers: {blue: {}}}",
        "{next: [{of: {side: blue}}]}",
        "{query: {name: reach}, action: {kind: end_phase, side: blue}}",
        "{frobnicate: 1}",
    ],
)
def test_a_script_that_makes_no_sense_is_refused(tmp_path: Path, steps: str) -> None:
    with pytest.raises(RulesError) as caught:
        result(tmp_path, steps)
    assert str(caught.value.place.field).startswith("cases[0]")


class Fails(Crossroads):
    """One answer is broken: the rest of a run must not suffer."""

    def view(self, position, side):
        raise KeyError("x")


FAULTY = """
game: tutorial
base: {scenario: meeting, seed: 1}
cases:
  - {id: broken, rules: [TUT-2], view: blue, expect: {viewer: blue}}
  - {id: broken-script, rules: [TUT-2], script: [{views: {blue: {viewer: blue}}}]}
  - {id: whole, rules: [TUT-5], query: {name: score}, expect: {scores: {blue: 6}}}
"""


def test_a_plugin_that_fails_fails_its_case_and_the_others_go_on(tmp_path: Path, capsys) -> None:
    file = tmp_path / "faulty.yaml"
    file.write_text(FAULTY)
    broken, script, whole = (run_case(Fails(), case) for case in load_cases(file).cases)
    assert "failed in view: KeyError: 'x'" in broken.differences[0]
    assert "failed in view: KeyError: 'x'" in script.differences[0]
    assert whole.ok
    known = registry.default()
    known.add(Fails())
    try:
        assert run(["verify", "--json", str(file)]) == 1
    finally:
        known.add(Crossroads())
    told = json.loads(capsys.readouterr().out)
    assert (told["cases"], [case["id"] for case in told["failed"]]) == (
        3,
        ["broken", "broken-script"],
    )


TWO = """
game: tutorial
base:
  position: {phase: combat, units: {
    b1: {type: tank, side: blue, cell: D2, steps: 2}, r1: {type: infantry, side: red, cell: E3}}}
cases:
  - id: named
    rules: [TUT-3]
    action: {kind: attack, side: blue, attackers: [b1], target: r1}
    dice: [1]
    resolution: RESOLUTION
    expect: {result: "-", modifiers: [], dice: [1]}
"""


@pytest.mark.parametrize(
    ("named", "holds"),
    [
        ("attack", True),
        ("{kind: attack, nth: 1}", True),
        ("{kind: attack, nth: 2}", False),
        ("move", False),
    ],
)
def test_a_case_says_which_resolution_it_means(tmp_path: Path, named: str, holds: bool) -> None:
    file = tmp_path / "two.yaml"
    file.write_text(TWO.replace("RESOLUTION", named))
    (case,) = load_cases(file).cases
    assert run_case(Crossroads(), case).ok is holds


def test_the_examples_of_the_page_hold(tmp_path: Path) -> None:
    page = (Path(__file__).parents[4] / "docs" / "rules" / "cases.md").read_text("utf-8")
    case, script = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    file = tmp_path / "page.yaml"
    for text in (case, "game: tutorial\ncases:\n" + script):
        file.write_text(text)
        for one in load_cases(file).cases:
            assert run_case(Crossroads(), one).differences == ()
