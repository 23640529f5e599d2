"""Every command for VASSAL files meets every sort of bad file: one clear line, nothing harmed.

A planted password is sought in all that any command prints or writes, on good files and bad ones.
"""

from __future__ import annotations

import io
import json
import warnings
import zipfile
from functools import cache

import pytest

from hexmarshal.cli.main import run
from hexmarshal.errors import ExitCode
from hexmarshal.vassal.commands import CommandNode
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.container.obfuscation import Veil, obfuscate
from hexmarshal.vassal.saves.savegame import SavedGame
from tests.converters.vassal.small_modules import extension
from tests.converters.vassal.squad_game import PASSWORD, game_of, squad_game

SECRET = "s3cret"
assert SECRET in PASSWORD
BOMB = b"0" * (40 << 20)
SCAN = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="240"/>'
RECIPE = """\
recipe: 1
steps:
  - pieces: {name: Squad}
    do:
      - set_markers: {Strength: 5}
"""


def zipped(entries):
    out = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        warnings.simplefilter("ignore")  # of entries that come twice
        for name, data in entries:
            file.writestr(name, data)
    return out.getvalue()


@cache
def module_entries():
    archive = squad_game().archive()
    return {name: archive.read(name) for name in archive.names()}


@cache
def game():
    return game_of(squad_game())


def module(**changes):
    """The sound module with other entries; `xml` is what becomes of its build file."""
    entries = dict(module_entries())
    change = changes.pop("xml", None)
    if change is not None:
        entries["buildFile.xml"] = change(entries["buildFile.xml"])
    return zipped((entries | changes.pop("entries", {})).items())


def save(text=None, raw=None):
    return zipped([("savedGame", raw if text is None else obfuscate(text, Veil(0x41)))])


def encrypted(data):
    """With the flag of encryption set on every entry."""
    out = bytearray(data)
    for sign, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = out.find(sign)
        while at >= 0:
            out[at + flags] |= 1
            at = out.find(sign, at + 4)
    return bytes(out)


def with_prolog(prolog):
    return lambda data: data.replace(b"?>\n", b"?>\n" + prolog + b"\n", 1)


def with_first_squad(change):
    """The saved game with the command of its first squad changed."""
    done = []

    def walk(node):
        text = node.text
        if text.startswith("+/") and "Squad" in text and not done:
            text = change(text).rstrip("\\")
            done.append(text)
        return CommandNode(text, tuple(map(walk, node.children)))

    return game().with_root(walk(game().root)).to_bytes()


# Files that cannot be read at all, with words that the message must have.
HOPELESS = {
    "truncated.vmod": (lambda: module()[:-400], "cut short"),
    "truncated.vsav": (lambda: game().to_bytes()[:-40], "cut short"),
    "empty.vmod": (lambda: b"", "not a zip"),
    "text.vsav": (lambda: b"no zip at all", "not a zip"),
    "other.vmod": (lambda: zipped([("a.txt", b"a")]), "neither a VASSAL module"),
    "bomb.vmod": (lambda: module(entries={"images/big.png": BOMB}), "zip bomb"),
    "bomb.vsav": (lambda: save(raw=b"!VCSK00" + BOMB), "zip bomb"),
    "out.vmod": (lambda: module(entries={"../evil": b"x"}), "leads out of the archive"),
    "root.vmod": (lambda: module(entries={"/etc/evil": b"x"}), "leads out of the archive"),
    "twice.vmod": (
        lambda: zipped([*module_entries().items(), ("buildFile.xml", b"<x/>")]),
        "two entries of this name",
    ),
    "encrypted.vmod": (lambda: encrypted(module()), "encrypted"),
    "encrypted.vsav": (lambda: encrypted(game().to_bytes()), "encrypted"),
    "dtd.vmod": (
        lambda: module(xml=with_prolog(b'<!DOCTYPE x [<!ENTITY a "b">]>')),
        "line 2: has a document type definition",
    ),
    "external.vmod": (
        lambda: module(xml=with_prolog(b'<!DOCTYPE x SYSTEM "file:///etc/passwd">')),
        "line 2: has a document type definition",
    ),
    "attributes.vmod": (
        lambda: module(
            xml=lambda data: data.replace(
                b' name="', b" " + b" ".join(b'a%d="1"' % i for i in range(2000)) + b' name="', 1
            )
        ),
        "an element has 200",
    ),
    "unclosed.vmod": (lambda: module(xml=lambda data: data[:-5]), "broken XML"),
    "bytes.vmod": (
        lambda: module(xml=lambda data: data.replace(b"Squads", b"Sq\xff\xfe", 1)),
        "line 2: broken XML",
    ),
    "metadata.vmod": (lambda: module(entries={"moduledata": b"<data><"}), "moduledata, line 1"),
    "key.vsav": (
        lambda: save(raw=b"!VCSK42" + obfuscate(game().text, Veil(0x41))[7:]),
        "does not begin as a saved game does",
    ),
    "bytes.vsav": (lambda: save(raw=b"!VCSK00" + b"ff" * 40), "does not begin as a saved game"),
    "digits.vsav": (lambda: save(raw=b"!VCSK41zz00"), "hexadecimal digits"),
    "plain.vsav": (lambda: save(raw=b"some text"), "does not begin as a saved game"),
}
# Files of which one part is bad, with words that inspect must say of it.
DAMAGED = {
    "state.vsav": (
        lambda: with_first_squad(lambda text: text[: text.rindex("\t")]),
        "there is no state for 1 of the 9 traits",
    ),
    "command.vsav": (
        lambda: with_first_squad(lambda text: text[: len(text) // 2]),
        "AddPiece has no field state",
    ),
    "future.vsav": (
        lambda: save(game().text + f"\x1bPLAYER\t{PASSWORD}\tb\tc\td\te"),
        "TakeSeat has more fields than any version known",
    ),
    "future.vlog": (
        lambda: save(game().text + "\x1bLOG\tM/1/2/3/4/5/6/7/8/9/10/11/12"),
        "MovePiece has more fields than any version known",
    ),
    "slot.vmod": (
        lambda: module(xml=lambda data: data.replace(b"+/null/obs;", b"+/null", 1)),
        "not the definition of a piece",
    ),
}


def commands(file, tmp_path):
    """Each command with a file in every place that takes one, by name."""
    is_save = not file.endswith(".vmod")
    good = "good.vsav" if is_save else "good.vmod"
    out = str(tmp_path / "out")
    yield "inspect", ["inspect", file]
    yield "lint", ["lint", file]
    yield "diff from", ["diff", file, good]
    yield "diff to", ["diff", good, file]
    yield "unpack", ["unpack", file, out]
    yield "edit", ["edit", file, "recipe.yaml", "-o", out]
    yield "edit dry", ["edit", file, "recipe.yaml", "--dry-run"]
    yield "roundtrip", ["roundtrip", file]
    yield "scrub", ["scrub", file, "-o", out]
    yield "find", ["find", "good.vmod", file, "--text", "Squad"]
    yield "convert", ["convert", file, "--format", "3.8", "-o", out]
    yield "merge3", ["merge3", good, file, good, "-o", out]
    if is_save:
        yield "setup read", ["setup", "read", file, "--module", "good.vmod", "-o", f"{out}.yaml"]
        yield "extensions", ["extensions", file, "--module", "good.vmod"]
        yield "scale", ["scale", "good.vmod", file, "--by", "1/2", "-o", out]
        yield "remap", ["remap", "good.vmod", file, "--picture", "scan.svg", "-o", out]
        yield "move", ["move", "good.vmod", "n.vmdx", "--piece", "Squad", "--save", file, "-o", out]
        yield "refresh", ["refresh", file, "--module", "good.vmod", "-o", out]
        yield "render", ["render", file, "--module", "good.vmod", "-o", f"{out}.png"]
        yield "lint of a game", ["lint", file, "--module", "good.vmod"]
        yield "inspect places", ["inspect", file, "--module", "good.vmod"]
        return
    yield "lint fix", ["lint", file, "--fix", "-o", out]
    yield "refresh set-ups", ["refresh", file, "--setups", "-o", out]
    yield "refresh to", ["refresh", "good.vsav", "--module", file, "-o", out]
    yield "merge into", ["merge", file, "good.vmdx", "-o", out, "--any-module"]
    yield "images", ["images", file]
    yield "images extract", ["images", file, "--extract", out]
    yield "images rename", ["images", file, "--rename", "front.svg", "f.svg", "-o", out]
    yield "render", ["render", file, "-o", f"{out}.png"]
    yield "locate", ["locate", file, "10", "10"]
    yield "lint advice", ["lint", file, "--advice"]
    yield "scale", ["scale", file, "--by", "1/2", "-o", out]
    yield "remap", ["remap", file, "--picture", "scan.svg", "-o", out]
    yield "sheet", ["sheet", "list", file, "-o", f"{out}.csv"]
    yield "move", ["move", file, "n.vmdx", "--piece", "Truck", "-o", out]
    yield "enhance", ["enhance", file, "--unknown", "-o", out]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.vmod").write_bytes(module())
    (tmp_path / "good.vsav").write_bytes(game().to_bytes())
    (tmp_path / "good.vmdx").write_bytes(extension().to_bytes())
    (tmp_path / "recipe.yaml").write_text(RECIPE)
    (tmp_path / "scan.svg").write_text(SCAN)
    return tmp_path


def clear(folder):
    for path in sorted(folder.rglob("*"), key=lambda p: -len(p.parts)):
        if path.relative_to(folder).parts[0].startswith("out"):
            path.unlink() if path.is_file() else path.rmdir()


@pytest.mark.parametrize("name", HOPELESS)
def test_a_hopeless_file_is_exit_3_for_every_command(name, folder, capsys):
    make, words = HOPELESS[name]
    file = folder / f"bad-{name}"
    file.write_bytes(data := make())
    for title, argv in commands(file.name, folder):
        for flags in ([], ["--json"]):
            assert run([*argv, *flags]) == ExitCode.BAD_INPUT, title
            out, err = capsys.readouterr()
            assert file.name in out + err, title
            assert "Traceback" not in err
            if not flags:
                assert words in out + err, title
                assert len((out + err).splitlines()) <= 2, title
            elif title != "roundtrip":
                code = "too-big" if name.startswith("bomb") else "vassal-format"
                assert json.loads(err)["error"]["code"] == code, title
            assert not [p for p in folder.iterdir() if p.name.startswith("out")], title
    assert file.read_bytes() == data
    assert not (folder.parent / "evil").exists()


@pytest.mark.parametrize("name", DAMAGED)
def test_one_bad_part_is_told_and_hides_nothing(name, folder, capsys):
    make, words = DAMAGED[name]
    file = folder / f"bad-{name}"
    file.write_bytes(data := make())
    for title, argv in commands(file.name, folder):
        for flags in ([], ["--json"]):
            clear(folder)
            assert run([*argv, *flags]) in {ExitCode.OK, ExitCode.FINDINGS}, title
            out, err = capsys.readouterr()
            assert SECRET not in out + err, title
            if title.startswith(("inspect", "lint")) and title != "lint advice":
                assert words in out + err, title
            if title == "inspect" and flags:
                assert json.loads(out)["pieces"] >= 2
            if title in {"edit", "refresh"} and file.name.endswith(".vsav"):
                assert run(["roundtrip", "out" if title == "edit" else f"out/{file.name}"]) == 0
                capsys.readouterr()
    assert file.read_bytes() == data


@pytest.mark.parametrize("file", ["good.vmod", "good.vsav"])
def test_no_command_prints_a_password_of_a_good_file(file, folder, capsys):
    for title, argv in commands(file, folder):
        for flags in ([], ["--json"]):
            clear(folder)
            assert run([*argv, *flags]) in {ExitCode.OK, ExitCode.FINDINGS}, title
            out, err = capsys.readouterr()
            assert SECRET not in out + err, title


def test_a_password_is_in_no_file_that_is_for_sharing(folder, capsys):
    assert run(["scrub", "good.vmod", "-o", "out.vmod"]) == ExitCode.OK
    assert run(["unpack", "good.vmod", "out"]) == ExitCode.OK
    assert run(["pack", "out", "again.vmod", "--scrub"]) == ExitCode.OK
    assert run(["unpack", "again.vmod", "out-again"]) == ExitCode.OK
    ignored = (folder / "out" / ".gitignore").read_text().split()
    assert ignored == ["/secrets.json"]
    for path in (p for f in ("out", "out-again") for p in (folder / f).rglob("*") if p.is_file()):
        if path != folder / "out" / "secrets.json":
            assert SECRET.encode() not in path.read_bytes(), path
    assert SECRET in (folder / "out" / "secrets.json").read_text()
    for clean in ("out.vmod", "again.vmod"):
        nested = SavedGame.from_archive(Archive.open(folder / clean).nested("Start.vsav"))
        assert SECRET not in nested.text


def test_set_ups_that_cannot_be_searched_are_not_passed_as_scrubbed(folder, capsys):
    (folder / "bad.vmod").write_bytes(module(entries={"Start.vsav": save(raw=b"!VCSK00ffff")}))
    assert run(["scrub", "bad.vmod", "-o", "out.vmod"]) == ExitCode.BAD_INPUT
    told = capsys.readouterr().err
    assert "entry Start.vsav/savedGame: cannot be searched for user ids" in told
    assert not (folder / "out.vmod").exists()


def test_limits_can_be_raised_for_a_file_that_one_trusts(folder, monkeypatch, capsys):
    (folder / "big.vmod").write_bytes(module(entries={"images/big.png": BOMB}))
    assert run(["inspect", "big.vmod"]) == ExitCode.BAD_INPUT
    assert "HEXMARSHAL_LIMITS=ratio=" in capsys.readouterr().err
    monkeypatch.setenv("HEXMARSHAL_LIMITS", "ratio=2000")
    assert run(["inspect", "big.vmod"]) == ExitCode.OK
    monkeypatch.setenv("HEXMARSHAL_LIMITS", "entries=3")
    assert run(["inspect", "good.vmod"]) == ExitCode.BAD_INPUT
    monkeypatch.setenv("HEXMARSHAL_LIMITS", "ratio=many")
    assert run(["inspect", "good.vmod"]) == ExitCode.USAGE


@pytest.mark.parametrize(
    ("part", "words"),
    [("hexmarshal.json", "hexmarshal.json"), ("buildFile.xml", "line 2"), (None, "no such")],
)
def test_packing_a_damaged_folder_tells_which_file_and_writes_nothing(part, words, folder, capsys):
    run(["unpack", "good.vmod", "text"])
    if part is not None:
        (folder / "text" / part).write_bytes(b'<?xml version="1.0"?>\n{"broken": <')
    capsys.readouterr()
    code = run(["pack", "text" if part else "missing", "out.vmod"])
    err = capsys.readouterr().err
    assert code in {ExitCode.BAD_INPUT, ExitCode.NOT_FOUND}
    assert words in err
    assert not (folder / "out.vmod").exists()


@pytest.mark.parametrize("extension_data", [b"<data", b""])
def test_a_broken_extension_is_not_merged(extension_data, folder, capsys):
    (folder / "bad.vmdx").write_bytes(extension(files={"extensiondata": extension_data}).to_bytes())
    assert run(["merge", "good.vmod", "bad.vmdx", "-o", "out.vmod"]) == ExitCode.BAD_INPUT
    assert "bad.vmdx, entry extensiondata" in capsys.readouterr().err
    assert not (folder / "out.vmod").exists()


# Commands that write, each with an output that cannot be.
UNWRITABLE = (
    ["enhance", "good.vmod", "--unknown", "-o", "good.vmod"],
    ["scrub", "good.vsav", "-o", "good.vsav"],
    ["edit", "good.vmod", "recipe.yaml", "-o", "good.vmod"],
    ["scale", "good.vmod", "--by", "1/2", "-o", "good.vmod"],
    ["scale", "good.vmod", "good.vsav", "--by", "1/2", "-o", "good.vmod"],
    ["scale", "good.vmod", "good.vsav", "--by", "1/2", "-o", "good.vmod/sub"],
    ["remap", "good.vmod", "good.vsav", "--picture", "scan.svg", "-o", "scan.svg"],
    ["refresh", "good.vsav", "--module", "good.vmod", "-o", "good.vmod"],
    ["move", "good.vmod", "n.vmdx", "--piece", "Truck", "-o", "good.vmod"],
    ["merge3", "good.vmod", "good.vmod", "good.vmod", "-o", "good.vmod"],
    ["unpack", "good.vmod", "n" * 300],
    ["unpack", "good.vmod", "good.vsav"],
)


@pytest.mark.parametrize("argv", UNWRITABLE, ids=lambda argv: f"{argv[0]} {argv[-1][:12]}")
def test_an_output_that_cannot_be_is_exit_5_and_harms_nothing(argv, folder, capsys):
    before = {path: path.read_bytes() for path in folder.iterdir()}
    assert run(argv) == ExitCode.OUTPUT
    assert len(capsys.readouterr().err.splitlines()) <= 2
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize(
    ("argv", "meant"),
    [
        (["trace", "good.vmod", "--piece", "Sqaud", "--key", "F5"], "Squad"),
        (["render", "good.vmod", "--map", "Main Mpa", "-o", "out.png"], "Main Map"),
        (["locate", "good.vmod", "1", "1", "--map", "main map"], "Main Map"),
        (["move", "good.vmod", "n.vmdx", "--piece", "Trukc", "-o", "out"], "Truck"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else value,
)
def test_a_name_with_a_slip_is_answered_with_the_one_that_was_meant(argv, meant, folder, capsys):
    assert run(argv) == ExitCode.NOT_FOUND
    assert f"did you mean {meant}?" in capsys.readouterr().err
