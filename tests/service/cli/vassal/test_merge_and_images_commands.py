"""`hexmarshal merge` and `hexmarshal images` as a user meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hexmarshal.cli.main import run
from hexmarshal.errors import ExitCode
from hexmarshal.vassal.module import Module
from tests.converters.vassal.small_modules import SOUND, changed, picture, slot
from tests.converters.vassal.tools.test_merge import GREEN, extended


@pytest.fixture
def module(tmp_path: Path) -> Path:
    path = tmp_path / "small.vmod"
    path.write_bytes(SOUND)
    return path


@pytest.fixture
def part(tmp_path: Path) -> Path:
    path = tmp_path / "green.vmdx"
    path.write_bytes(extended(GREEN).to_bytes())
    return path


def test_merge_writes_a_sound_module_and_says_what_it_did(module, part, tmp_path, capsys):
    target = tmp_path / "all.vmod"
    assert run(["merge", str(module), str(part), "-o", str(target)]) == ExitCode.OK
    out = capsys.readouterr().out
    assert "put PieceSlot 'Green' into Counters > Units" in out
    assert "1 component, 1 gpid, 1 file" in out
    assert run(["lint", str(target)]) == ExitCode.OK
    assert module.read_bytes() == SOUND


def test_merge_as_json(module, part, tmp_path, capsys):
    target = tmp_path / "all.vmod"
    run(["merge", str(module), str(part), "-o", str(target), "--json"])
    (told,) = json.loads(capsys.readouterr().out)["merged"]
    assert told["files"] == {"images/green.svg": "images/green.svg"}
    assert list(told["gpids"]) == ["a1b:7"]


def test_merge_refuses_bad_input_and_writes_nothing(module, part, tmp_path):
    target = tmp_path / "all.vmod"
    bad = tmp_path / "bad.vmdx"
    bad.write_bytes(b"no zip")
    assert run(["merge", str(module), str(bad), "-o", str(target)]) == ExitCode.BAD_INPUT
    assert run(["merge", str(module), str(module), "-o", str(target)]) == ExitCode.BAD_INPUT
    assert run(["merge", str(part), str(part), "-o", str(target)]) == ExitCode.USAGE
    args = ["merge", str(module), str(part), "-o", str(target), "--on-collision", "guess"]
    assert run(args) == ExitCode.USAGE
    assert not target.exists()
    assert run(["merge", str(module), str(part), "-o", str(module)]) == ExitCode.OUTPUT
    assert module.read_bytes() == SOUND


def test_images_are_listed(module, capsys):
    assert run(["images", str(module)]) == ExitCode.OK
    out = capsys.readouterr().out
    assert "red.svg" in out
    assert "48x48" in out
    assert out.splitlines()[-1].startswith("4 images, ")


def test_images_as_json_with_unused_and_missing(tmp_path, capsys):
    def edit(module: Module) -> None:
        module.changes["images/idle.svg"] = picture()
        slot(module, "Ace").text = slot(module, "Ace").text.replace("blue.svg", "gone.svg")

    path = tmp_path / "m.vmod"
    path.write_bytes(changed(edit).to_bytes())
    run(["images", str(path), "--json"])
    told = json.loads(capsys.readouterr().out)
    assert [i["name"] for i in told["images"] if i["unused"]] == ["idle.svg"]
    assert told["missing"] == {"gone.svg": 1}
    run(["images", str(path), "--unused", "--json"])
    assert [i["name"] for i in json.loads(capsys.readouterr().out)["images"]] == ["idle.svg"]
    run(["images", str(path), "--missing"])
    assert capsys.readouterr().out.splitlines()[0] == "missing: gone.svg (named by 1)"


def test_images_are_extracted_and_not_overwritten(module, tmp_path):
    folder = tmp_path / "out"
    assert run(["images", str(module), "--extract", str(folder)]) == ExitCode.OK
    assert (folder / "red.svg").read_bytes() == picture()
    assert run(["images", str(module), "--extract", str(folder)]) == ExitCode.OUTPUT
    assert run(["images", str(module), "--extract", str(folder), "--force"]) == ExitCode.OK


def test_images_are_renamed_by_name_and_by_table(module, tmp_path, capsys):
    table = tmp_path / "names.csv"
    table.write_text('from,to\nblue.svg,"sub/azure, light.svg"\n')
    target = tmp_path / "new.vmod"
    args = ["--rename", "red.svg", "crimson.svg", "--rename-map", str(table), "-o", str(target)]
    assert run(["images", str(module), *args]) == ExitCode.OK
    assert "images/red.svg -> images/crimson.svg" in capsys.readouterr().out
    assert run(["lint", str(target)]) == ExitCode.OK
    assert Module.open(target).has("images/sub/azure, light.svg")
    assert module.read_bytes() == SOUND


def test_a_table_of_names_may_have_semicolons_and_a_mark_at_its_beginning(module, tmp_path, capsys):
    table = tmp_path / "namen.csv"
    table.write_bytes("\ufefffrom;to\r\nred.svg;röt.svg\r\n".encode())
    target = tmp_path / "new.vmod"
    asked = ["images", str(module), "--rename-map", str(table), "-o", str(target)]
    assert run(asked) == ExitCode.OK
    assert capsys.readouterr().out.endswith(f"written: {target}\n")
    assert Module.open(target).has("images/röt.svg")


def test_an_image_that_is_not_there_is_told_with_the_file(module, tmp_path, capsys):
    asked = ["images", str(module), "--rename", "no.svg", "x.svg", "-o", str(tmp_path / "n.vmod")]
    assert run(asked) == ExitCode.NOT_FOUND
    assert f"error: {module}, entry images/no.svg: no such image" in capsys.readouterr().err


def test_renaming_in_place_needs_force(module):
    args = ["images", str(module), "--rename", "red.svg", "crimson.svg"]
    assert run(args) == ExitCode.USAGE
    assert module.read_bytes() == SOUND
    assert run([*args, "--force", "--json"]) == ExitCode.OK
    assert Module.open(module).has("images/crimson.svg")


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["--rename", "gone.svg", "x.svg"], ExitCode.NOT_FOUND),
        (["--rename", "red.svg", "blue.svg"], ExitCode.USAGE),
        (["--rename-map", "TABLE"], ExitCode.BAD_INPUT),
        (["--rename-map", "gone.csv"], ExitCode.NOT_FOUND),
    ],
)
def test_what_cannot_be_renamed(module, tmp_path, args, code):
    table = tmp_path / "bad.csv"
    table.write_text("one,two,three\n")
    target = tmp_path / "new.vmod"
    args = [str(table) if a == "TABLE" else a for a in args]
    assert run(["images", str(module), *args, "-o", str(target)]) == code
    assert not target.exists()


def test_a_build_file_alone_has_no_images(module, tmp_path):
    bare = tmp_path / "buildFile.xml"
    bare.write_bytes(Module.open(module).document.to_bytes())
    assert run(["images", str(bare)]) == ExitCode.USAGE


def test_images_are_listed_with_every_place_that_names_them(module, capsys):
    assert run(["images", str(module), "--where"]) == ExitCode.OK
    out = capsys.readouterr().out
    assert "chart.svg:\n  " in out
    assert "Counters / Units / Blue: piece" in out
    run(["images", str(module), "--json"])
    told = {each["name"]: each for each in json.loads(capsys.readouterr().out)["images"]}
    blue = told["blue.svg"]
    assert blue["uses"] == len(blue["places"]) >= 2
    assert "Start.vsav" in told["red.svg"]["places"]
