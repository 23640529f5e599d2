"""The examples of the book as others wrote them down: each is staged, and answered as it says.

The cases of book.yaml stage them, since the pictures that show the hexes are not in the text; what
is expected is read from the examples themselves, through vocabulary.yaml.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tow_ground import game
from tow_vocabulary import WORDS

from hexmarshal.rules.cases import doing
from hexmarshal.rules.cases.conformance import load_cases, run_case, situation

BOOK = Path(__file__).parents[2] / "conformance/traces_of_war/book.yaml"
NUMBERS = [f"{n:03}" for n in range(1, 36)]


@pytest.fixture(scope="module")
def examples(corpus: Path) -> dict[str, Mapping[str, Any]]:
    """The examples, where they lie beside the corpus of real files."""
    file = corpus.parent / "rules/traces_of_war/examples.json"
    if not file.is_file():
        pytest.skip("no examples lie beside the corpus of real files")
    return {row["id"]: row for row in json.loads(file.read_text("utf-8"))}


def _outcomes(number: str) -> dict[str, tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """What comes of each case that stages an example, by the name of its variant."""
    found = {}
    for case in load_cases(BOOK).cases:
        if not case.id.startswith(f"TOW-EX-{number}"):
            continue
        assert run_case(game(), case).ok, case.id
        body, start = case.body, situation(game(), case)
        if "query" in body:
            got = doing.ask(game(), start, body).got
        elif "offers" in body:
            got = {"actions": doing.offered(game(), start, body["offers"])}
        elif "action" in body:
            got = doing.judge(game(), start, body).got
            if body.get("dice"):
                got = doing.act(game(), start, body).got
        else:
            got = {}
        found[case.id[len("TOW-EX-000") :].lstrip("-")] = got, body
    return found


def _at(got: Mapping[str, Any], path: str) -> Any:
    for name in path.split("."):
        got = got.get(name) if isinstance(got, Mapping) else None  # type: ignore[assignment]
    return got


def _same(field: str, wanted: Any, found: Any, got: Mapping[str, Any]) -> bool:
    match field:
        case "cost":
            return Fraction(str(found)) == Fraction(str(wanted))
        case "column":
            # Before the ground where the example speaks of the ratio alone.
            return wanted in (str(found).rstrip("+"), str(got.get("base_column")).rstrip("+"))
        case "shifts":
            return sum(m["amount"] for m in found if m["to"] == "column") == wanted
        case "blocked_in":
            return wanted in found
        case "reason":
            return any(v["rule"] in WORDS["reasons"][wanted] for v in found)
        case "options":
            lost = [Counter(action["units"]) for action in found]
            return {
                frozenset(Counter({n: 2 - k for n, k in o.items()}).items()) for o in wanted
            } == {frozenset({**dict.fromkeys(wanted[0], 0), **one}.items()) for one in lost}
    return bool(found == wanted)


@pytest.mark.parametrize("number", NUMBERS)
def test_an_example_comes_out_as_it_says(
    number: str, examples: Mapping[str, Mapping[str, Any]]
) -> None:
    row = examples[f"TOW-EX-{number}"]
    outcomes = _outcomes(number)
    assert outcomes
    if row["kind"] == "reinforcement":
        _arrives(row, outcomes[""][1])
        return
    for field, wanted in row["expected"].items():
        if field in WORDS["remarks"]:
            continue
        if field in WORDS["variants"]:
            legal = wanted["legal"] if isinstance(wanted, Mapping) else bool(wanted)
            assert outcomes[WORDS["variants"][field]][0]["legal"] is legal, field
            continue
        path = WORDS["expected"][field]
        answers = [(got, _at(got, path)) for got, _ in outcomes.values()]
        given = [(got, found) for got, found in answers if found is not None]
        assert given, field
        assert any(_same(field, wanted, found, got) for got, found in given), (field, given)


def _arrives(row: Mapping[str, Any], body: Mapping[str, Any]) -> None:
    """The script of the case has run: it brings the counter with the draw, in the way expected."""
    counter = body["position"]["units"]["n"]["values"]
    assert counter["arrival"] == row["situation"]["printed_number"] == row["expected"]["draw"]
    assert body["script"][0]["frames"][0]["about"]["draw"] == row["expected"]["draw"]
    kind = "place" if row["expected"]["mode"] == "placement" else "replace"
    assert body["script"][-1]["action"]["kind"] == kind


def test_every_example_is_staged() -> None:
    staged = {case.id[7:10] for case in load_cases(BOOK).cases if case.id.startswith("TOW-EX-")}
    assert staged == {*NUMBERS}
