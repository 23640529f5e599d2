"""The data: checked when read, replaceable file by file, and in step with the rulebook."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml
from kharkov_ground import game

from hexmarshal.errors import NotFoundError, RulesError
from hexmarshal.games.kharkov import Kharkov
from hexmarshal.games.kharkov.rules.movement import southern_sector
from hexmarshal.games.kharkov.rules.turn import setup, victory
from hexmarshal.games.kharkov.state import source
from hexmarshal.kit.data.source import variable
from hexmarshal.rules import engine
from hexmarshal.rules.cases.coverage import coverage_of
from hexmarshal.rules.rulebook import load_yaml

DATA = source.DATA.folder
VARIABLE = variable("kharkov")


def _own(tmp_path: Path, name: str, **changes: object) -> Kharkov:
    """A plugin with a user's folder that holds one changed file."""
    target = tmp_path / name
    target.parent.mkdir(parents=True)
    document = load_yaml(DATA / name) | changes
    target.write_text(yaml.safe_dump(document), "utf-8")
    return Kharkov(tmp_path)


def test_a_users_file_stands_in_for_ours(tmp_path: Path) -> None:
    changed = dict(load_yaml(DATA / "rules/schedule.yaml"), stacking=2)
    plugin = _own(tmp_path, "rules/schedule.yaml", **changed)
    assert plugin.tables.schedule["stacking"] == 2
    assert plugin.tables.combat == game().tables.combat


def test_a_users_scenario_is_one_more(tmp_path: Path) -> None:
    (tmp_path / "scenarios").mkdir()
    shutil.copy(DATA / "scenarios/exercise.yaml", tmp_path / "scenarios/mine.yaml")
    plugin = Kharkov(tmp_path)
    assert "mine" in [s.key for s in plugin.scenarios()]
    assert engine.start(plugin, "mine").units == engine.start(plugin, "exercise").units


def test_the_environment_may_name_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    assert Kharkov().tables.schedule == game().tables.schedule
    monkeypatch.setenv(VARIABLE, str(tmp_path / "nowhere"))
    with pytest.raises(NotFoundError):
        Kharkov()


def test_a_file_that_breaks_its_schema_is_refused_by_its_field(tmp_path: Path) -> None:
    plugin = _own(tmp_path, "rules/combat.yaml", results={"1-3": ["A1"]})
    with pytest.raises(RulesError) as error:
        _ = plugin.tables
    assert error.value.place.field == "results.1-3"
    assert str(error.value.place.file).endswith("combat.yaml")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"kharkov_roads": ["nowhere"]}, "kharkov_roads"),
        ({"kharkov": "Atlantis"}, "kharkov"),
        ({"cities": {"Grad": {"vp": 25, "hexes": {"0408": 2}}}}, "cities"),
        ({"cities": {"Grad": {"vp": 25, "hexes": {"9999": 2}}}}, "cities.Grad"),
    ],
)
def test_a_map_that_contradicts_itself_is_refused(
    tmp_path: Path, changes: dict[str, object], field: str
) -> None:
    plugin = _own(tmp_path, "boards/ground/map.yaml", **changes)
    with pytest.raises(RulesError) as error:
        plugin.boards["ground"]
    assert error.value.place.field == field


def test_a_front_that_skips_a_hex_is_refused(tmp_path: Path) -> None:
    front = load_yaml(DATA / "boards/ground/map.yaml")["front"]
    front["axis"]["1-2"].remove("0306")
    plugin = _own(tmp_path, "boards/ground/map.yaml", front=front)
    with pytest.raises(RulesError, match="0306"):
        plugin.boards["ground"]


def test_a_scenario_with_an_unknown_counter_is_refused(tmp_path: Path) -> None:
    plugin = _own(tmp_path, "scenarios/exercise.yaml", units={"inf-777": "0306"})
    with pytest.raises(RulesError) as error:
        engine.start(plugin, "exercise")
    assert error.value.place.unit == "inf-777"


def test_every_file_of_ours_fits_its_schema() -> None:
    for board in game().boards.keys:
        assert game().boards[board].hexes
    for scenario in game().scenarios():
        position = engine.start(game(), scenario.key, seed=1)
        assert list(game().invariants(position)) == []
    assert {"combat", "terrain", "map", "counters", "scenario"} <= set(source.DATA.schemas())


def test_the_campaign_has_the_forces_of_the_book() -> None:
    """KHA-5.2, KHA-5.3: by type and number, with reserves and reinforcements."""
    position = engine.start(game(), "campaign", seed=1)
    count = {
        kind: sum(u.type == kind for u in position.units.values()) for kind in game().tables.kinds
    }
    assert count["infantry"] == 24
    assert count["light"] == 4
    assert count["panzer"] + count["panzergrenadier"] == 18
    assert (count["rifle"], count["cavalry"], count["tank"]) == (39, 18, 35)
    assert count["guards"] == 3
    assert count["regiment"] == 15
    assert count["hq"] == 7


def test_the_campaign_begins_in_order() -> None:
    """KHA-5.15, KHA-17.24, KHA-6.54: both lines are closed, and the Axis front is continuous."""
    now = game().situation(engine.start(game(), "campaign", seed=1))
    assert [*setup.unfinished(now, "axis"), *setup.unfinished(now, "soviet")] == []
    assert victory.front_holds(now)
    assert southern_sector.front_given_up(now) == ()
    assert victory.totals(now)["soviet"] == 0


def test_every_rule_is_cited_and_tested() -> None:
    book = game().rulebook
    assert len(book) == 220
    switches = {option.param.name for option in game().game.options}
    assert {rule.switch for rule in book.values() if rule.switch} <= switches
    coverage = coverage_of(game())
    assert [p for p in coverage.problems() if "marked implemented" in p] == []
