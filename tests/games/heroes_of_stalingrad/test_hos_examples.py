"""The examples of the book, read where they lie beside the project, and all of them run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hos_ground import acting, counter, game, position, printed

from hexmarshal.rules import engine
from hexmarshal.rules.cases.conformance import Case, load_cases, run_case
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.rulebook import load_yaml
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import FrozenMap

HERE = Path(__file__).parent
FILE = HERE.parents[3] / "shared/rules/heroes_of_stalingrad/examples.json"
WORDS: Any = load_yaml(HERE / "vocabulary.yaml")


@cache
def cases() -> Mapping[str, Case]:
    files = sorted((HERE.parents[1] / "conformance/heroes_of_stalingrad").rglob("*.yaml"))
    return {case.id: case for file in files for case in load_cases(file).cases}


def example(name: str) -> Mapping[str, Any]:
    if not FILE.exists():
        pytest.skip("the examples do not lie beside the project")
    rows = json.loads(FILE.read_text("utf-8"))
    found: Mapping[str, Any] = next(row for row in rows if row["id"] == name)
    return found


def ask(at: Position, query: str, **params: Any) -> Any:
    return engine.ask(game(), at, query, FrozenMap(params)).to_json()


def stars(row: Mapping[str, Any]) -> None:
    (count,) = row["situation"]["stars"].values()
    of = position({"r1": counter("russian", "0505", order=count)})
    answer = ask(of, "orders", of="russian")
    assert answer["tokens"] == row["expected"]["tokens"]
    assert len(answer["tokens"]) == row["expected"]["units_activatable"]


def tile_stars(row: Mapping[str, Any]) -> None:
    key = WORDS["tiles"][row["situation"]["tile"]]
    data = game().tables.recruitment_tiles[key]
    units = {
        f"g{n}": printed(found, f"05{n:02}", values={"group": "p"})
        for n, found in enumerate(data["counters"], 1)
    }
    army = {"german": {"p": {"tile": key}}}
    answer = ask(position(units, extras={"army": army}), "orders", of="german")
    assert len(answer["tokens"]) == row["expected"]["tokens"]


def offset(row: Mapping[str, Any]) -> None:
    values = {"tile": "foxhole", "across": [1, 1]}
    of = position({}, markers={"t": {"kind": "tile", "cell": "0705", "values": values}})
    near = game().neighbours(of, "t.00")
    assert len(near) == row["expected"]["from_complete_facing_cells"]
    # None of them is one of the four that it covers, nor one at its corners.
    assert not set(near) & {"0705", "0805", "0706", "0806", "0604", "0904", "0607", "0907"}


def no_value(row: Mapping[str, Any]) -> None:
    family = WORDS["colours"][row["situation"]["target"]["defence_colour"]]
    units = {
        "r1": counter(
            "russian", "0505", combat={family: row["situation"]["attacker"]["combat_yellow"]}
        ),
        "g1": counter("german", "0805", family=family),
    }
    action = game().game.actions.make("fire", "russian", unit="r1", target="g1")
    verdict = engine.check(game(), acting("r1", units), action)
    assert verdict.legal is row["expected"]["legal"]
    assert set(verdict.rules) & set(WORDS["reasons"][row["expected"]["reason"]])


def shot(row: Mapping[str, Any]) -> None:
    situation, expected = row["situation"], row["expected"]
    side = WORDS["sides"][situation["attacker"]["side"]]
    units = {
        "a": counter(side, "0505", combat={"infantry": situation["attacker"]["combat_infantry"]}),
        "t": counter("russian", "0805", defence=situation["target"]["defence"]),
    }
    army = {side: {"hq": {"tile": "armee_hq"}, "ammo": {"option": "ammo", "of": "hq", "slot": 0}}}
    terrain = {"bonus": {"infantry": situation["terrain_bonus"]}}
    of = acting("a", units, cells={"0805": {"terrain": terrain}}, extras={"army": army})
    count = situation["bonuses"]["Ammo"]
    action = game().game.actions.make("fire", side, unit="a", target="t", ammo=count)
    done = engine.perform(game(), of, action, Dice(given=[situation["die"]]))
    (fire,) = [r for r in done.resolutions if r.kind == "fire"]
    assert (fire.values["attack"], fire.values["defence"]) == (
        expected["attack_total"],
        expected["defence_total"],
    )
    assert (fire.result == "hit") is expected["success"]


def boris(row: Mapping[str, Any]) -> None:
    expected = row["expected"]
    face = game().tables.counters[WORDS["counters"][row["situation"]["unit"]["name"]]].faces[0]
    (weapon,) = face.weapons
    assert weapon.value("infantry") == expected["bonus_infantry"]
    assert weapon.value("light") == expected["bonus_light"]
    assert weapon.value("heavy") is None
    assert (face.defence["front"], face.move, face.loss) == (
        expected["needed"],
        expected["movement"],
        expected["step_loss"],
    )


def halftrack(row: Mapping[str, Any]) -> None:
    found = game().tables.counters[WORDS["counters"][row["situation"]["unit"]["name"]]]
    assert found.faces[0].defence["front"] == row["expected"]["needed"]
    assert found.faces[1].wreck


def panzer(row: Mapping[str, Any]) -> None:
    for facing, rear, side in ((6, "1005", "front"), (0, "0906", "side"), (2, "0805", "rear")):
        units = {
            "r1": counter("russian", "0505", combat={"heavy": 2}),
            "g1": printed("panzer_iii", "0905", footprint=[rear], facing=facing),
        }
        answer = ask(position(units), "odds", unit="r1", target="g1")
        assert answer["defence"] == row["expected"][side]


def burst(row: Mapping[str, Any]) -> None:
    cells = {"A": "0904", "B": "0905", "C": "0907", "D": "0912"}
    units = {"g1": printed("mg42", "0505"), **{n: counter("russian", c) for n, c in cells.items()}}
    of = acting("g1", units)
    make = game().game.actions.make
    legal = make("burst", "german", unit="g1", targets=row["expected"]["legal"])
    assert engine.check(game(), of, legal).legal
    for wrong in row["expected"]["illegal"]:
        wide = make("burst", "german", unit="g1", targets=[*row["expected"]["legal"], wrong])
        assert "HOS-5.19" in engine.check(game(), of, wide).rules


def assault(row: Mapping[str, Any]) -> None:
    mine, yours = row["situation"]["attacker"], row["situation"]["defender"]
    units = {
        "r1": counter("russian", "0505", combat={"infantry": mine["combat_infantry"]}, assault=0),
        "g1": counter("german", "0605", combat={"infantry": yours["combat_infantry"]}, assault=0),
    }
    terrain = {"bonus": {"infantry": yours["terrain_bonus"]}}
    extras = {"bonus": {"russian": "assault"}} if mine["card"] else {}
    of = acting("r1", units, cells={"0605": {"terrain": terrain}}, extras=extras)
    action = game().game.actions.make("move", "russian", unit="r1", path=["0605"], assault="g1")
    dice = Dice(given=[*mine["dice"], *yours["dice"]])
    done = engine.perform(game(), of, action, dice)
    (fight,) = [r for r in done.resolutions if r.kind == "assault" and r.strengths]
    assert fight.values["attack"] == row["expected"]["attacker_total"]
    assert fight.values["defence"] == row["expected"]["defender_total"]
    assert fight.result == row["expected"]["winner"]


def break_point(row: Mapping[str, Any]) -> None:
    situation = row["situation"]
    if "tile" in situation:
        data = game().tables.recruitment_tiles[WORDS["tiles"][situation["tile"]]]
    else:
        data = game().tables.recruitment_options[WORDS["options"][situation["option"]]]
    assert data["break"] == row["expected"]["at_destroyed"]


def markers(row: Mapping[str, Any]) -> None:
    key = WORDS["options"][row["situation"]["option"]]
    (count,) = game().tables.recruitment_options[key]["markers"].values()
    assert count == row["expected"]["markers"]


def grenade(row: Mapping[str, Any]) -> None:
    a, b = row["situation"]["A"], row["situation"]["B"]
    value = game().tables.combat_of("grenades")["infantry"]
    assert value is not None
    for of, hit in ((a, True), (b, False)):
        defence = of.get("defence_with_terrain", of.get("defence"))
        units = {
            "r1": counter("russian", "0505"),
            "g1": counter("german", "0705", defence=defence),
        }
        units["r1"]["values"]["group"] = "v"
        army = {
            "russian": {
                "v": {"tile": "volga_rifle_platoon"},
                "g": {"option": "grenades", "of": "v", "slot": 1},
            }
        }
        start = acting("r1", units, extras={"army": army})
        action = game().game.actions.make("grenade", "russian", unit="r1", corner="0605@SE")
        die = of["attack_total"] - value
        if not 1 <= die <= 6:  # the sum of the book needs a thrower with a Suppressed marker
            units["r1"]["values"]["suppressed"] = 1
            start = acting("r1", units, extras={"army": army})
            die += 2
        done = engine.perform(game(), start, action, Dice(given=[die]))
        (blast,) = [r for r in done.resolutions if r.kind == "blast"]
        assert blast.values["attack"] == of["attack_total"]
        assert (blast.result != "missed") is hit


def bluff(row: Mapping[str, Any]) -> None:
    army = {"german": {"hq": {"tile": "armee_hq"}, "b": {"option": "bluff", "of": "hq", "slot": 0}}}
    units = {"g1": printed("vollrath", "0505")}
    with_it = ask(position(units, extras={"army": army}), "orders", of="german")["bluff"]
    without = ask(position(units), "orders", of="german")["bluff"]
    assert with_it - without == row["expected"]["bluff_tokens"]


PLAYS = {
    name: globals()[name]
    for name in sorted({row["play"] for row in WORDS["examples"].values() if "play" in row})
}


@pytest.mark.parametrize("name", WORDS["examples"])
def test_an_example_of_the_book(name: str) -> None:
    row, how = example(name), WORDS["examples"][name]
    for case in how.get("cases", ()):
        result = run_case(game(), cases()[case])
        assert result.ok, result
    if "play" in how:
        PLAYS[how["play"]](row)


def test_no_example_is_left_out() -> None:
    if not FILE.exists():
        pytest.skip("the examples do not lie beside the project")
    rows = json.loads(FILE.read_text("utf-8"))
    assert {row["id"] for row in rows} == set(WORDS["examples"])
    assert {row["kind"] for row in rows} <= set(WORDS["kinds"])
