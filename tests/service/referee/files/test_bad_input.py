"""Files that are not what they should be: each is told with its step and a hint, and read on."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from crossroads_module import BINDING, UNITS, binding, builder, module
from tutorial import Crossroads

from hexmarshal.errors import HexMarshalError, VassalFormatError
from hexmarshal.referee.check.check_inputs import check_path
from hexmarshal.referee.check.findings import Certainty, CheckReport, Status
from hexmarshal.referee.check.log_check import check_file
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.plugins.registry import Registry
from hexmarshal.table.binding import Binding
from hexmarshal.table.module_finder import Means
from hexmarshal.table.module_readers import reader_for
from hexmarshal.table.reading import POSITION_ENTRY, Note
from hexmarshal.vassal.builder import ModuleBuilder
from hexmarshal.vassal.container.limits import TooBigError
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.saves.logwriter import LogWriter
from hexmarshal.vassal.saves.ownership import OtherModuleError
from hexmarshal.vassal.saves.savedata import save_entries
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.state.at_start import new_game

PLUGIN = Crossroads()
MAKE = PLUGIN.game.actions.make


@pytest.fixture(scope="module")
def registry() -> Registry:
    made = Registry(())
    made.add(PLUGIN)
    return made


def recorded(wrong: bool = True) -> Recorder:
    """A log of six steps: a right move, one too far, and the end of the phase."""
    log = Recorder(module(), binding(), PLUGIN, engine.start(PLUGIN, "meeting"))
    log.drag(["b1"], ["A1"])
    if wrong:
        log.drag(["b2"], ["B1", "C1", "D1", "E1"])
    log.perform(MAKE("end_phase", "blue"))
    return log


@pytest.fixture(scope="module")
def data() -> bytes:
    return recorded().finish().to_bytes()


@pytest.fixture(scope="module")
def vmod(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return builder().save(tmp_path_factory.mktemp("module") / "crossroads.vmod")


def checked(
    folder: Path,
    data: bytes,
    registry: Registry,
    module: Path | None,
    name: str = "game.vlog",
    *,
    any_module: bool = False,
) -> CheckReport:
    file = folder / name
    file.write_bytes(data)
    return check_path(file, Means(module=module, any_module=any_module), registry)


def note(report: CheckReport, code: str) -> tuple[int, Note]:
    (found,) = (n for n in report.notes if n.note.code == code)
    assert found.note.text
    assert found.note.hint
    return found.step, found.note


def repacked(data: bytes, **changed: bytes) -> bytes:
    """The same archive with some entries otherwise; empty ones are left out."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            content = changed.get(name.rpartition("/")[2].partition(".")[0], old.read(name))
            if content:
                new.writestr(name, content)
    return out.getvalue()


def saved_game(data: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.read("savedGame")


# No log at all


@pytest.mark.parametrize("content", [b"", b"a letter", b"\x89PNG\r\n\x1a\n" + b"0" * 99])
def test_what_is_no_archive_is_refused_with_its_name(
    tmp_path: Path, registry: Registry, vmod: Path, content: bytes
) -> None:
    with pytest.raises(HexMarshalError, match="not a zip archive") as caught:
        checked(tmp_path, content, registry, vmod)
    assert caught.value.place.file == str(tmp_path / "game.vlog")
    assert ".vlog" in caught.value.hint


def test_a_module_is_no_log(tmp_path: Path, registry: Registry, vmod: Path) -> None:
    with pytest.raises(HexMarshalError, match="no entry savedGame") as caught:
        checked(tmp_path, vmod.read_bytes(), registry, vmod)
    assert caught.value.hint


# Cut short


@pytest.mark.parametrize("part", [0.5, 0.9, 0.99])
def test_of_a_file_cut_in_the_middle_the_whole_part_is_checked(
    tmp_path: Path, registry: Registry, vmod: Path, data: bytes, part: float
) -> None:
    game = saved_game(data)
    # A little entry after the game: the cut goes through the game or behind it.
    report = checked(tmp_path, data[: int(len(data) * part)], registry, vmod)
    step, told = note(report, "damaged")
    assert 0 < step == report.steps < 7
    assert "cut short" in told.text
    assert report.entries[0].status is Status.LEGAL
    assert game.startswith(b"!VCSK")


@pytest.mark.parametrize("lost", [1, 199, 301])
def test_of_a_game_cut_in_the_middle_the_whole_part_is_checked(
    tmp_path: Path, registry: Registry, vmod: Path, data: bytes, lost: int
) -> None:
    report = checked(tmp_path, repacked(data, savedGame=saved_game(data)[:-lost]), registry, vmod)
    assert report.kind == "log"
    assert report.entries[0].status is Status.LEGAL
    assert any(n.note.code == "damaged" for n in report.notes)


@pytest.mark.parametrize("part", [0.2, 0.201, 0.5])
def test_a_start_that_is_cut_is_refused(
    tmp_path: Path, registry: Registry, vmod: Path, data: bytes, part: float
) -> None:
    game = saved_game(data)
    cut = repacked(data, savedGame=game[: int(len(game) * part)])
    with pytest.raises(VassalFormatError, match="not even the position at the start") as caught:
        checked(tmp_path, cut, registry, vmod)
    assert caught.value.hint


def test_a_game_of_which_nothing_is_left_is_refused(
    tmp_path: Path, registry: Registry, vmod: Path, data: bytes
) -> None:
    with pytest.raises(HexMarshalError) as caught:
        checked(tmp_path, repacked(data, savedGame=b"!VCSK00"), registry, vmod)
    assert caught.value.hint


def test_what_holds_more_than_it_may_is_not_read_at_all(
    tmp_path: Path, registry: Registry, vmod: Path, data: bytes
) -> None:
    bomb = io.BytesIO(data)
    with zipfile.ZipFile(bomb, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("more", bytes(40 << 20))
    with pytest.raises(TooBigError, match="as in a zip bomb") as caught:
        checked(tmp_path, bomb.getvalue(), registry, vmod)
    assert caught.value.place.file == str(tmp_path / "game.vlog")
    assert "HEXMARSHAL_LIMITS" in caught.value.hint


def test_a_game_is_read_without_what_its_file_says_about_itself(
    tmp_path: Path, registry: Registry, vmod: Path, data: bytes
) -> None:
    report = checked(tmp_path, repacked(data, moduledata=b"<data"), registry, vmod)
    step, told = note(report, "damaged")
    assert (step, report.cut) == (0, False)
    assert "moduledata" in told.text
    assert [entry.status for entry in report.entries] == ["legal", "violation", "legal"]


# The wrong module, or none


def test_a_log_without_its_module_is_read_and_told_as_unbound(
    tmp_path: Path, registry: Registry, data: bytes
) -> None:
    report = checked(tmp_path, data, registry, None)
    assert (report.bound, report.steps, report.entries) == (False, 6, ())
    _, told = note(report, "no module")
    assert "'Crossroads'" in told.text
    assert "--module" in told.hint


def test_a_module_beside_the_log_is_found_by_its_name(
    tmp_path: Path, registry: Registry, vmod: Path, data: bytes
) -> None:
    (tmp_path / "any name.vmod").write_bytes(vmod.read_bytes())
    (tmp_path / "broken.vmod").write_bytes(b"no module")
    assert checked(tmp_path, data, registry, None).bound


def test_a_module_that_is_not_there_is_an_error(
    tmp_path: Path, registry: Registry, data: bytes
) -> None:
    with pytest.raises(HexMarshalError, match="no such file"):
        checked(tmp_path, data, registry, tmp_path / "gone.vmod")


def test_a_module_without_a_binding_leaves_the_log_unbound(
    tmp_path: Path, registry: Registry, data: bytes
) -> None:
    plain = ModuleBuilder("Crossroads", version="1")
    plain.map("Map", main=True)
    report = checked(tmp_path, data, registry, plain.save(tmp_path / "plain.vmod"))
    assert not report.bound
    _, told = note(report, "no binding")
    assert "hexmarshal binding new" in told.hint
    other = ModuleBuilder("Chess", version="1")
    other.map("Map", main=True)
    chess = other.save(tmp_path / "chess.vmod")
    report = checked(tmp_path, data, registry, chess, any_module=True)
    _, told = note(report, "other module")
    assert "'Chess'" in told.text


def test_a_log_of_another_module_is_told(tmp_path: Path, registry: Registry, data: bytes) -> None:
    other = builder(name="Roundabout")
    vmod = other.save(tmp_path / "other.vmod")
    with pytest.raises(OtherModuleError, match="'Crossroads', not of 'Roundabout'") as refused:
        checked(tmp_path, data, registry, vmod)
    assert "--any-module" in refused.value.hint
    report = checked(tmp_path, data, registry, vmod, any_module=True)
    _, told = note(report, "other module")
    assert told.text == "saved with the module 'Crossroads', read with 'Roundabout'"
    found = list(report.violations)
    assert found
    assert {entry.certainty for entry in found} == {Certainty.LIKELY}


def test_a_log_of_another_module_without_one_known_piece_is_unbound(
    tmp_path: Path, registry: Registry, vmod: Path
) -> None:
    plain = ModuleBuilder("Chess", version="1")
    plain.map("Board", main=True)
    chess = Module.from_archive(plain.archive())
    log = LogWriter(SavedGame.from_state(new_game(chess), entries=save_entries("Chess", "1")))
    with log.step() as step:
        step.chat("White", "e4")
    written = log.finish().to_bytes()
    with pytest.raises(OtherModuleError, match="'Chess'"):
        checked(tmp_path, written, registry, vmod)
    report = checked(tmp_path, written, registry, vmod, any_module=True)
    assert (report.bound, report.steps) == (False, 1)
    assert "'Chess'" in note(report, "other module")[1].text


def test_a_log_of_another_game_is_told_and_left_unbound(
    tmp_path: Path, registry: Registry, vmod: Path, data: bytes
) -> None:
    position = b'{"game": "chess"}'
    other = repacked(data, position=position)
    with pytest.raises(OtherModuleError, match="a position of 'chess'"):
        checked(tmp_path, other, registry, vmod)
    report = checked(tmp_path, other, registry, vmod, any_module=True)
    _, told = note(report, "other module")
    assert "a position of 'chess', not of 'tutorial'" in told.text
    assert (report.bound, report.steps) == (False, 6)


def test_a_position_beside_the_table_that_is_damaged_is_left_out(
    tmp_path: Path, registry: Registry, vmod: Path, data: bytes
) -> None:
    report = checked(tmp_path, repacked(data, position=b"{"), registry, vmod)
    _, told = note(report, "position")
    assert "not JSON" in told.text
    assert [entry.status for entry in report.entries] == ["legal", "violation", "legal"]


def test_a_module_version_that_moved_gpids_is_told(registry: Registry) -> None:
    turned = dict(reversed(UNITS.items()))
    newer = Module.from_archive(builder(turned, version="2").archive())
    saved = recorded().finish()
    report = check_file(saved, newer, binding(), PLUGIN)
    assert note(report, "module version")[1].text == (
        "saved with version 1 of the module, read with 2"
    )
    assert "another name than its counter" in note(report, "gpid")[1].text
    # The binding finds units by a property, so that all can be checked as before.
    assert [(e.status.value, e.certainty.value) for e in report.entries] == [
        ("legal", "certain"),
        ("violation", "certain"),
        ("legal", "certain"),
    ]


def test_units_told_by_a_gpid_that_moved_give_no_certain_finding() -> None:
    by_gpid = [
        {"match": {"gpid": [slot.gpid]}, "id": unit, "type": UNITS[unit][1], "side": UNITS[unit][0]}
        for slot in module().slots()
        if (unit := slot.name.split()[1])
    ]
    bound = Binding.load({**BINDING, "units": by_gpid})
    newer = Module.from_archive(builder(dict(reversed(UNITS.items()))).archive())
    report = check_file(recorded().finish(), newer, bound, PLUGIN)
    assert {entry.certainty for entry in report.violations} == {Certainty.LIKELY}


# What the binding does not cover


def test_pieces_unknown_to_the_binding_are_told_and_the_rest_is_checked() -> None:
    match = {"property": {"UnitId": "b.*|r[^1]"}}
    bound = Binding.load({**BINDING, "units": [{**BINDING["units"][0], "match": match}]})
    log = recorded()
    log.show(log.position.without_unit("r2"))
    report = check_file(log.finish(), module(), bound, PLUGIN)
    step, told = note(report, "unbound")
    assert (step, told.text) == (0, "1 piece 'infantry r1' unknown to the binding")
    assert [entry.status for entry in report.entries][:2] == [Status.LEGAL, Status.VIOLATION]


def test_a_finding_beside_an_unknown_piece_is_likely_at_most() -> None:
    match = {"property": {"UnitId": "b1|r.*"}}
    bound = Binding.load({**BINDING, "units": [{**BINDING["units"][0], "match": match}]})
    start = engine.start(PLUGIN, "meeting")
    where = start.unit("b1").cell
    start = start.with_unit(replace(start.unit("b2"), cell="C1"))
    log = Recorder(module(), binding(), PLUGIN, start)
    log.drag(["b1"], ["B1", "C1", "D1", "E1"])
    report = check_file(log.finish(), module(), bound, PLUGIN)
    (entry,) = report.violations
    assert (entry.what.partition(" -> ")[0], entry.certainty) == (f"b1: {where}", "likely")


def test_a_piece_that_turns_up_unknown_is_told_with_its_step() -> None:
    log = recorded(wrong=False)
    steps = log.steps
    match = {"property": {"UnitId": "b.*|r[12]"}}
    bound = Binding.load({**BINDING, "units": [{**BINDING["units"][0], "match": match}]})
    log.show(log.position.with_unit(replace(log.position.unit("r1"), id="r4", cell="G1")))
    report = check_file(log.finish(), module(), bound, PLUGIN)
    unbound = [n for n in report.notes if n.note.code == "unbound" and n.step]
    assert [n.step for n in unbound] == [steps + 1]


def test_a_grid_without_names_is_told() -> None:
    nameless = Module.from_archive(builder(numbered=False).archive())
    report = check_file(recorded().finish(), nameless, binding(), PLUGIN)
    assert "enhance" in note(report, "grid")[1].hint
    places = [n for n in report.notes if n.note.code == "place"]
    assert places
    assert all("no cell and no box" in n.note.text and n.note.hint for n in places)
    assert report.certain == 0


def test_a_game_that_is_under_way_gives_likely_findings_only(
    tmp_path: Path, registry: Registry, vmod: Path
) -> None:
    start = engine.start(PLUGIN, "meeting").without_unit("r2")
    log = Recorder(module(), binding(), PLUGIN, start)
    log.drag(["b2"], ["B1", "C1", "D1", "E1"])
    data = repacked(log.finish().to_bytes(), position=b"")
    report = checked(tmp_path, data, registry, vmod)
    assert "under way" in note(report, "start")[1].text
    assert [entry.certainty for entry in report.violations] == [Certainty.LIKELY]


def test_a_log_as_vassal_writes_it_is_judged_for_certain_from_the_start_of_its_scenario(
    tmp_path: Path, registry: Registry, vmod: Path, data: bytes
) -> None:
    assert SavedGame.open(_written(tmp_path, data)).entry(POSITION_ENTRY)
    report = checked(tmp_path, repacked(data, position=b""), registry, vmod)
    assert [(e.status.value, e.certainty.value) for e in report.entries] == [
        ("legal", "certain"),
        ("violation", "certain"),
        ("legal", "certain"),
    ]


def _written(folder: Path, data: bytes) -> Path:
    path = folder / "whole.vlog"
    path.write_bytes(data)
    return path


# Real files


def test_real_logs_without_a_binding_are_read_by_a_game_or_told_as_unbound(
    corpus: Path, registry: Registry
) -> None:
    found = (path for path in corpus.rglob("*") if path.suffix.lower() == ".vlog")
    logs = sorted(path for path in found if not any(path.parent.glob("*.vmod")))
    assert logs
    for path in logs:
        report = check_path(path, Means(), registry)
        assert (report.kind, report.entries) == ("log", ())
        assert report.steps > 0
        assert report.bound == (reader_for(report.module) is not None)
        told = ("judged",) if report.bound else ("no module", "no binding")
        assert report.notes[0].note.code in told
