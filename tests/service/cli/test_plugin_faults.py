"""A plugin that fails is named, with the file it failed on: not taken for a bug of ours."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from tutorial import Crossroads

from hexmarshal.cli.main import run
from hexmarshal.rules.plugins import registry
from hexmarshal.rules.plugins.faults import PluginFailedError, fault_of

BROKEN = """
from tutorial import Crossroads

class Broken(Crossroads):
    def setup_violations(self, position):
        yield from ()
        raise KeyError("a hole in the table")

    def terrain_map(self, position):
        return 1 // 0

    def query(self, position, name, params):
        return name.oops
"""


@pytest.fixture(autouse=True)
def broken(tmp_path: Path, monkeypatch):
    (tmp_path / "broken_crossroads.py").write_text(BROKEN)
    monkeypatch.chdir(tmp_path)
    yield
    registry.default().add(Crossroads())
    sys.path.remove(str(tmp_path))
    del sys.modules["broken_crossroads"]


PLUGIN = ("--plugin", "./broken_crossroads.py:Broken")


def test_a_scenario_check_names_the_plugin_that_fails_and_the_scenario(capsys):
    assert run(["scenario", "check", "tutorial:meeting", *PLUGIN]) == 3
    told = capsys.readouterr().err
    assert told.startswith(
        "error: tutorial:meeting: the plugin 'tutorial' failed in setup_violations: "
        "KeyError: 'a hole in the table'\n"
    )
    assert "hint: a fault of the plugin (broken_crossroads.py, line 7)" in told


def test_so_does_a_picture(capsys):
    assert run(["scenario", "show", "tutorial:meeting", "-o", "map.svg", *PLUGIN]) == 3
    assert (
        "tutorial:meeting: the plugin 'tutorial' failed in terrain_map" in capsys.readouterr().err
    )
    assert not Path("map.svg").exists()


def test_any_other_command_names_the_plugin_too(capsys):
    assert run(["odds", "tutorial", "--query", "score", "--json", *PLUGIN]) == 3
    told = json.loads(capsys.readouterr().err)["error"]
    assert told["code"] == "plugin-failed"
    assert "the plugin 'tutorial' failed in query: AttributeError" in told["message"]


def test_the_plugin_itself_is_seen_with_debug():
    with pytest.raises(PluginFailedError) as failed:
        run(["scenario", "check", "tutorial:meeting", "--debug", *PLUGIN])
    assert isinstance(failed.value.__cause__, KeyError)


def test_an_exception_from_elsewhere_is_no_plugins_fault():
    with pytest.raises(ValueError) as elsewhere:
        json.loads("{")
    assert fault_of(elsewhere.value, [Crossroads()]) is None
    assert run(["games", *PLUGIN]) == 0
