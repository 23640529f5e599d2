"""A game's data with a user's own in its place: files, changes, and what is wrong in them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from hexmarshal.cli.main import run
from hexmarshal.errors import NotFoundError, OutputError, RulesError
from hexmarshal.games.conflict_of_heroes import ConflictOfHeroes
from hexmarshal.games.conflict_of_heroes.state.source import DATA as FIREFIGHTS
from hexmarshal.games.kharkov import Kharkov
from hexmarshal.games.kharkov.state.source import DATA
from hexmarshal.kit.data import source
from hexmarshal.kit.data.report import play_problems, reports
from hexmarshal.kit.data.source import TERRAIN, GameData, variable
from hexmarshal.kit.data.template import write_template
from hexmarshal.rules import FrozenMap, engine
from hexmarshal.rules.plugins import registry
from hexmarshal.rules.rulebook import load_yaml


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch):
    for game in ("kharkov", "conflict_of_heroes"):
        monkeypatch.setenv(variable(game), "")
    yield
    registry.default.cache_clear()


def own(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    return file


def test_every_file_of_ours_is_of_a_kind_and_fits_its_schema():
    for data in (DATA, FIREFIGHTS):
        on_disk = {
            path.relative_to(data.folder).as_posix()
            for path in data.folder.rglob("*.yaml")
            if path.name != "schemas.yaml"
        }
        assert set(data.files()) == on_disk
        assert {data.kind(name) for name in on_disk} == set(data.kinds.values())
        assert set(data.schemas()) | {TERRAIN} >= set(data.kinds.values())
        assert list(data.source().problems()) == []


def test_a_change_leaves_the_rest_of_a_file_as_it_is(tmp_path):
    own(tmp_path, "rules/schedule.patch.yaml", "stacking: 7\nrail: {hexes: 3}\n")
    plugin, ours = Kharkov(tmp_path), DATA.source().read("rules/schedule.yaml")
    assert plugin.tables.schedule == {**ours, "stacking": 7, "rail": {**ours["rail"], "hexes": 3}}
    assert plugin.data.whose("rules/schedule.yaml") == "changed"


def test_a_null_takes_something_away(tmp_path):
    own(tmp_path, "rules/combat.patch.yaml", "morale: {4: null}\n")
    assert sorted(DATA.source(tmp_path).read("rules/combat.yaml")["morale"]) == [1, 2, 3]


def test_a_wrong_value_is_told_with_the_line_of_the_file_that_has_it(tmp_path):
    file = own(tmp_path, "rules/schedule.patch.yaml", "# mine\nrail:\n  hexes: many\n")
    with pytest.raises(RulesError) as caught:
        DATA.source(tmp_path).read("rules/schedule.yaml")
    place = caught.value.place
    assert (place.file, place.line, place.field) == (str(file), 3, "rail.hexes")
    assert "hexmarshal data kharkov --schema schedule" in caught.value.hint


def test_a_field_that_nobody_knows_is_told_with_its_line(tmp_path):
    text = (DATA.folder / "rules/schedule.yaml").read_text("utf-8") + "speed: 3\n"
    file = own(tmp_path, "rules/schedule.yaml", text)
    with pytest.raises(RulesError, match="speed") as caught:
        DATA.source(tmp_path).read("rules/schedule.yaml")
    assert caught.value.place.line == len(text.splitlines())
    assert caught.value.place.file == str(file)


def test_a_file_that_is_no_yaml_is_told_with_its_line(tmp_path):
    own(tmp_path, "counters.yaml", "counters:\n  a: [\n")
    (error,) = DATA.source(tmp_path).problems()
    assert "not YAML" in str(error)
    assert error.place.line is not None


def test_a_name_that_is_none_of_the_games_is_told_with_the_nearest(tmp_path):
    own(tmp_path, "rules/combats.yaml", "{}\n")
    (error,) = DATA.source(tmp_path).problems()
    assert isinstance(error, NotFoundError)
    assert error.hint == "did you mean rules/combat.yaml?"


def test_a_template_is_ours_until_something_is_changed(tmp_path):
    written = list(write_template(DATA, tmp_path))
    assert len(written) == len(DATA.files())
    source = DATA.source(tmp_path)
    assert {report.whose for report in reports(source)} == {"same"}
    file = tmp_path / "rules/units.yaml"
    file.write_text(file.read_text("utf-8").replace("Security", "Safety"), "utf-8")
    assert [r.name for r in reports(source) if r.whose == "yours"] == ["rules/units.yaml"]
    with pytest.raises(OutputError, match="there is a file already"):
        list(write_template(DATA, tmp_path))
    list(write_template(DATA, tmp_path, names=["rules/units.yaml"], force=True))
    assert {report.whose for report in reports(source)} == {"same"}


def test_what_is_invented_is_told():
    told = {report.name: report.invented for report in reports(FIREFIGHTS.source())}
    assert told["boards/1.yaml"] == "all of it"
    assert told["counters.yaml"].startswith("406 values in 50 rows")
    assert told["rules/terrain.yaml"] == ""


def test_a_folder_that_is_not_there_and_a_kind_without_a_schema_are_refused(tmp_path):
    with pytest.raises(NotFoundError, match="no such folder of kharkov data"):
        DATA.source(tmp_path / "nowhere")
    own(tmp_path, "schemas.yaml", "rules: {}\n")
    own(tmp_path, "units.yaml", "{}\n")
    with pytest.raises(RulesError, match="no schema of the kind 'units'"):
        GameData("mine", tmp_path, {"units.yaml": "units"}).source().read("units.yaml")


# On the command line


def test_the_command_shows_copies_and_checks(tmp_path, capsys):
    assert run(["data", "kharkov", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert {one["whose"] for one in shown["files"]} == {"ours"}
    folder = tmp_path / "mine"
    assert run(["data", "kharkov", "rules/combat.yaml", "--template", str(folder)]) == 0
    assert [p.name for p in folder.rglob("*.yaml")] == ["combat.yaml"]
    capsys.readouterr()
    assert run(["data", "kharkov", "--data", str(folder)]) == 0
    assert "nothing is wrong; 15 of 15 files are still ours" in capsys.readouterr().out
    own(folder, "rules/combat.patch.yaml", 'results: {"1-3": [A1]}\n')
    assert run(["data", "kharkov", "--data", str(folder)]) == 1
    told = capsys.readouterr().out
    assert "combat.patch.yaml, line 1, field results.1-3" in told


def test_a_set_up_that_cannot_be_is_told(tmp_path, capsys):
    own(tmp_path, "scenarios/exercise.patch.yaml", 'units: {inf-777: "0306"}\n')
    assert run(["data", "kharkov", "--data", str(tmp_path)]) == 1
    assert "no counter 'inf-777'" in capsys.readouterr().out


def test_a_schema_is_printed(capsys):
    assert run(["data", "kharkov", "--schema", "combat"]) == 0
    assert json.loads(capsys.readouterr().out)["required"] == ["columns", "results", "morale"]
    assert run(["data", "kharkov", "--schema", "soup"]) == 4
    assert run(["data", "asl", "--schema", "scenario"]) == 0


def test_commands_about_rules_take_a_users_data(tmp_path, capsys):
    own(tmp_path, "rules/schedule.patch.yaml", "turns: 1\n")
    own(tmp_path, "scenarios/exercise.patch.yaml", "turns: 1\n")
    words = ["play", "kharkov", "--scenario", "exercise", "--games", "1", "--seed", "1", "--json"]
    lengths = []
    for data in ([], ["--data", str(tmp_path)], ["--data", f"kharkov={tmp_path}"]):
        assert run([*words, *data]) == 0
        lengths.append(json.loads(capsys.readouterr().out)["actions"])
    assert lengths[1] == lengths[2] < lengths[0]
    assert run([*words, "--data", str(tmp_path / "nowhere")]) == 4
    assert run(["verify", "tests", "--data", str(tmp_path)]) == 2


def test_two_games_with_data_of_their_own_stand_beside_each_other(tmp_path):
    own(
        tmp_path,
        "counters.patch.yaml",
        "units: {german_rifles_41: {title: Grenadiers of mine, front: 15}}\n",
    )
    own(tmp_path, "scenarios/first_steps.patch.yaml", "title: My first steps\n")
    mine, ours = ConflictOfHeroes(tmp_path), ConflictOfHeroes()
    assert mine.scenarios()[0].title == "My first steps"
    assert ours.scenarios()[0].title == "First steps"
    for game, front in ((mine, 15), (ours, 12), (mine, 15)):
        asked = engine.ask(
            game, engine.start(game, "first_steps", seed=1), "values", FrozenMap({"unit": "g1"})
        )
        assert game.tables.counters["german_rifles_41"].front == front
        assert asked.to_json()["front"] == front
    titles = {kind.title for kind in mine.game.unit_types}
    assert "Grenadiers of mine" in titles
    assert list(play_problems(mine)) == []
    whose = {report.name: report.whose for report in reports(mine.data)}
    assert whose["counters.yaml"] == whose["scenarios/first_steps.yaml"] == "changed"


def test_a_file_is_read_once_until_it_changes_and_everybody_has_a_copy(tmp_path, monkeypatch):
    taken = []
    monkeypatch.setattr(source, "load_yaml", lambda file: taken.append(file) or load_yaml(file))
    file = own(tmp_path, "units.yaml", "kinds: {rifles: [2, 3]}")
    own(tmp_path, "schemas.yaml", "units: {required: [kinds]}")
    data = GameData("kept", tmp_path, {"units.yaml": "units"}).source()
    os.utime(file, (1, 1))
    first = data.read("units.yaml")
    first["kinds"]["rifles"].append(4)
    assert data.read("units.yaml") == {"kinds": {"rifles": [2, 3]}}
    assert taken.count(file) == 1
    file.write_text("kinds: {rifles: [5, 6]}", "utf-8")
    assert data.read("units.yaml") == {"kinds": {"rifles": [5, 6]}}
    # Written again at once, as long as before: nothing but its content tells.
    file.write_text("kinds: {rifles: [7, 8]}", "utf-8")
    assert data.read("units.yaml") == {"kinds": {"rifles": [7, 8]}}
    os.utime(file, (2, 2))
    file.write_text("other: 1", "utf-8")
    with pytest.raises(RulesError, match="'kinds' is a required property"):
        data.read("units.yaml")
