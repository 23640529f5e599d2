"""The text form: byte for byte back, one trait a line, secrets apart, errors with their line."""

import io
import json
import os
import random
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from squad_game import PASSWORD, squad_game

from hexmarshal.errors import (
    HexMarshalError,
    NotFoundError,
    OutputError,
    Place,
    VassalFormatError,
)
from hexmarshal.vassal.commands.tree import parse
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.pieces.chain import encode_chain
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.textform import pack, packed_bytes, unpack
from hexmarshal.vassal.textform.commandlines import command_lines, read_commands
from hexmarshal.vassal.textform.filenames import FileNames
from hexmarshal.vassal.textform.pictures import read, show
from hexmarshal.vassal.textform.piecelines import (
    LineError,
    chain_lines,
    read_traits,
    trait_lines,
)
from hexmarshal.vassal.textform.xmlform import read_xml, xml_form

TEXT = st.text(st.characters(codec="utf-8"), max_size=12) | st.text(
    "\t\n\x10\x1b ;\\'␐␉␠:= e0", max_size=12
)


@pytest.fixture
def unpacked(tmp_path):
    """A module's text form, with the module's own bytes."""
    data = squad_game().to_bytes()
    folder = tmp_path / "text"
    unpack(Archive.from_bytes(data), folder)
    return folder, data


def lines_of(path):
    return path.read_text("utf-8").splitlines()


def replace_in(path, old, new):
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


# Lines


@given(TEXT)
def test_any_text_can_be_shown_on_one_line_and_read_again(text):
    shown = show(text)
    assert "\n" not in shown
    assert shown == shown.strip(" ")
    assert read(shown) == text


@given(st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=5))
def test_a_piece_comes_back_from_its_lines(pairs):
    types, states = (encode_chain(list(texts), "\t") for texts in zip(*pairs, strict=True))
    lines = trait_lines(types, states)
    if lines is not None:
        assert read_traits([line.strip(" ") for line in lines]) == (types, states)


@given(st.text("+/D-LOG\t\x1b\\';|=~! ab(nothing)", max_size=60))
def test_any_command_tree_comes_back_from_its_lines(text):
    tree = parse(text)
    again = read_commands([*command_lines(tree)])
    assert again.encode() == tree.encode() == text


def test_a_trait_stands_on_one_line_with_its_state():
    types = encode_chain(["mark;Side", "piece;;;a.png;Inf"], "\t")
    assert trait_lines(types, "Red\tnull;0;0;7") == [
        "mark;Side := Red",
        "piece;;;a.png;Inf := null;0;0;7",
    ]


@pytest.mark.parametrize(
    ("lines", "number", "said"),
    [
        (["begin_save", "   PLAYER"], 1, "indented"),
        (["begin_save", "    end_save"], 1, "indented"),
        (["begin_save", "end_save"], 1, "second command"),
        (["| piece;"], 0, "before any command"),
        (["begin_save", "  end_save", "      | piece;"], 2, "does not belong"),
        (["begin_save", "  D/1", "      ~ old"], 1, "without a new state"),
        (["begin_save", "  +/1", "      | a␐"], 2, "nothing follows"),
        (["begin_save", "  +/1", "      | a\\", "      | piece;"], 2, "backslash"),
        ([""], 0, "no command"),
    ],
)
def test_a_bad_line_is_named(lines, number, said):
    with pytest.raises(LineError, match=said) as error:
        read_commands(lines)
    assert error.value.index == number


# Whole files


def test_an_unpacked_module_packs_to_the_same_bytes(unpacked):
    folder, data = unpacked
    assert packed_bytes(folder) == data


def test_the_build_file_has_one_trait_a_line(unpacked):
    folder, _ = unpacked
    lines = [line.strip() for line in lines_of(folder / "buildFile.xml")]
    assert "mark;Side,Strength := Red,4" in lines
    assert 'name="Main Map"' in " ".join(lines) or 'mapName="Main Map"' in lines


def test_a_set_up_inside_a_module_is_unpacked_too(unpacked):
    folder, _ = unpacked
    lines = [line.strip() for line in lines_of(folder / "Start.vsav" / "savedGame.txt")]
    assert lines[0] == "begin_save"
    assert "| mark;Side,Strength := Red,4" in lines


def test_a_changed_trait_is_the_only_entry_that_changes(unpacked, tmp_path):
    folder, data = unpacked
    replace_in(
        folder / "buildFile.xml", "mark;Side,Strength := Red,4", "mark;Side,Strength := Red,5"
    )
    report = pack(folder, tmp_path / "new.vmod")
    assert report.changed == ["buildFile.xml"]
    old, new = Archive.from_bytes(data), Archive.open(tmp_path / "new.vmod")
    assert [n for n in old.names() if old.read(n) != new.read(n)] == ["buildFile.xml"]
    assert "Red,5" in new.read("buildFile.xml").decode()
    assert new.read("buildFile.xml") == old.read("buildFile.xml").replace(b"Red,4", b"Red,5")


def test_new_files_become_entries_and_missing_ones_go(unpacked, tmp_path):
    folder, _ = unpacked
    (folder / "images" / "new one.png").write_bytes(b"png")
    (folder / "images" / ".hidden").write_bytes(b"")
    (folder / "images" / "worn.svg").unlink()
    report = pack(folder, tmp_path / "new.vmod")
    assert (report.added, report.removed) == (["images/new one.png"], ["images/worn.svg"])
    assert "images/new one.png" in Archive.open(tmp_path / "new.vmod").names()


def test_what_is_packed_opens_as_a_module(unpacked, tmp_path):
    folder, _ = unpacked
    pack(folder, tmp_path / "new.vmod")
    assert [slot.name for slot in Module.open(tmp_path / "new.vmod").slots()][-1] == "Truck"


def test_unpacking_over_an_older_text_form_removes_only_what_it_named(unpacked):
    folder, _ = unpacked
    (folder / "notes.md").write_text("mine")
    newer = squad_game(version="2.0", setup=False).to_bytes()
    with pytest.raises(OutputError):
        unpack(Archive.from_bytes(newer), folder)
    unpack(Archive.from_bytes(newer), folder, force=True)
    assert not (folder / "Start.vsav" / "savedGame.txt").exists()
    assert (folder / "notes.md").read_text() == "mine"
    (folder / "notes.md").unlink()
    assert packed_bytes(folder) == newer


def test_a_failed_unpacking_leaves_nothing_behind(tmp_path):
    data = bytearray(squad_game().to_bytes())
    at = data.index(b"images/front.svg") + 20
    data[at] ^= 0xFF
    with pytest.raises(VassalFormatError):
        unpack(Archive.from_bytes(bytes(data)), tmp_path / "text")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("level", [1, 6, 9])
def test_other_tools_zips_come_back_too(tmp_path, level):
    source = squad_game().archive()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as zipped:
        zipped.mkdir("empty")
        for name in source.names():
            info = zipfile.ZipInfo(name, (2021, 5, 6, 7, 8, 10))
            info.compress_type = zipfile.ZIP_DEFLATED
            info.extra = b"\x99\x99\x02\x00ab"
            info.comment = b"hello"
            with zipped.open(info, "w") as entry:
                entry.write(source.read(name))
        zipped.comment = b"the whole"
    unpack(Archive.from_bytes(out.getvalue()), tmp_path / "text")
    assert packed_bytes(tmp_path / "text") == out.getvalue()


def test_data_that_no_zlib_level_packs_alike_is_kept(tmp_path):
    plain = squad_game(setup=False).to_bytes()
    noise = random.Random(1).randbytes(3000) + bytes(3000)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name in (source := Archive.from_bytes(plain)).names():
            zipped.writestr(name, source.read(name))
        # A strategy that zipfile cannot choose stands for another tool's deflate.
        zipped.writestr("images/noise.png", noise)
    data = bytearray(out.getvalue())
    import zlib

    packer = zlib.compressobj(9, zlib.DEFLATED, -15, 1, zlib.Z_HUFFMAN_ONLY)
    odd = packer.compress(noise) + packer.flush()
    entry = next(e for e in Archive.from_bytes(bytes(data)).entries if "noise" in e.name)
    head = entry.end - entry.packed
    central = data.index(entry.record)
    data[central + 20 : central + 24] = len(odd).to_bytes(4, "little")
    data[entry.start + 18 : entry.start + 22] = len(odd).to_bytes(4, "little")
    end = data.rindex(b"PK\x05\x06")
    data[end + 16 : end + 20] = (entry.end - entry.packed + len(odd)).to_bytes(4, "little")
    whole = bytes(data[:head] + odd + data[entry.end :])
    report = unpack(Archive.from_bytes(whole), tmp_path / "text")
    assert report.kept == 1
    assert packed_bytes(tmp_path / "text") == whole


def test_xml_that_is_in_no_style_of_the_engine_comes_back(tmp_path):
    odd = b"<?xml version='1.0'?>\r\n<a  b = 'x &lt; y'><!-- hi --><c/>\r\n\t<d></d></a>"
    form = xml_form(odd, Place())
    assert form is not None
    assert form.source == odd
    assert read_xml(form.text.encode(), form.style, form.source, Place()) == odd


# Names


def test_hostile_names_get_safe_files_and_come_back(tmp_path):
    names = [
        "images/CON.png", "images/a.png", "images/A.PNG", "images/what?.png", "images/dot.",
        "images/.gitignore", "images/caf\u00e9.png", "images/cafe\u0301.png", "hexmarshal.json",
        "secrets.json", "images/" + "x" * 200 + ".png", "images/a.png/inner", "images/b\\c.png",
    ]  # fmt: skip
    source = squad_game(setup=False).archive()
    data = source.to_bytes({name: name.encode() for name in names})
    folder = tmp_path / "text"
    unpack(Archive.from_bytes(data), folder)
    files = [p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()]
    assert len({f.casefold() for f in files}) == len(files)
    assert not [f for f in files if set(f) & set('?:*"<>|\\') or f.startswith("images/CON.")]
    assert packed_bytes(folder) == data


@given(st.lists(st.text("aAbé./CON?%~", min_size=1, max_size=8), max_size=12))
def test_no_two_entries_share_a_file(entries):
    names = FileNames()
    paths = [names.path(entry) for entry in dict.fromkeys(entries)]
    folded = [path.casefold() for path in paths]
    assert len(set(folded)) == len(folded)
    for path in folded:
        assert not any(other.startswith(path + "/") for other in folded)


# Secrets


def test_players_ids_stand_in_the_secrets_file_alone(unpacked):
    folder, _ = unpacked
    assert lines_of(folder / ".gitignore") == ["/secrets.json"]
    for file in folder.rglob("*"):
        if file.is_file() and file.name != "secrets.json":
            assert PASSWORD.encode() not in file.read_bytes()
            assert b"s3cret" not in file.read_bytes()
    secrets = json.loads((folder / "secrets.json").read_text())
    assert PASSWORD in secrets["players"]["Start.vsav/savedGame.txt"].values()
    if os.name == "posix":
        assert (folder / "secrets.json").stat().st_mode & 0o077 == 0


def test_no_checksum_of_a_secret_stands_in_a_manifest(unpacked):
    folder, _ = unpacked
    inner = json.loads((folder / "Start.vsav" / "hexmarshal.json").read_text())
    outer = json.loads((folder / "hexmarshal.json").read_text())
    save = next(e for e in inner["entries"] if e["name"] == "savedGame")
    setup = next(e for e in outer["entries"] if e["name"] == "Start.vsav")
    assert "exact" not in save
    assert "exact" not in setup


def test_without_the_secrets_packing_needs_to_be_told(unpacked, tmp_path):
    folder, _ = unpacked
    (folder / "secrets.json").unlink()
    with pytest.raises(NotFoundError, match=r"secrets\.json"):
        pack(folder, tmp_path / "new.vmod")
    assert not (tmp_path / "new.vmod").exists()
    report = pack(folder, tmp_path / "new.vmod", scrub=True)
    assert report.scrubbed
    saved = SavedGame.from_archive(Archive.open(tmp_path / "new.vmod").nested("Start.vsav"))
    assert [(s.user, s.name) for s in saved.state().seats.values()] == [("player-1", "Ann")]


def test_a_set_up_that_cannot_be_read_goes_with_the_secrets(tmp_path):
    source = squad_game(setup=False).archive()
    broken = b"".join([b"!VCSK00", b"zz"])
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as zipped:
        zipped.writestr("savedGame", broken)
    data = source.to_bytes({"bad.vsav": out.getvalue()})
    report = unpack(Archive.from_bytes(data), tmp_path / "text")
    assert "bad.vsav" in report.notes[0]
    assert not (tmp_path / "text" / "bad.vsav").exists()
    assert packed_bytes(tmp_path / "text") == data
    (tmp_path / "text" / "secrets.json").unlink()
    with pytest.raises(NotFoundError):
        packed_bytes(tmp_path / "text")


# Bad edits


def test_broken_xml_names_file_and_line(unpacked):
    folder, _ = unpacked
    replace_in(
        folder / "buildFile.xml", "<VASSAL.build.module.Chatter/>", "<VASSAL.build.module.Chatter>"
    )
    with pytest.raises(VassalFormatError) as error:
        packed_bytes(folder)
    assert error.value.place.file == str(folder.resolve() / "buildFile.xml")
    assert error.value.place.line


def test_a_bad_trait_names_file_and_line(unpacked):
    folder, _ = unpacked
    path = folder / "buildFile.xml"
    replace_in(path, "mark;Side,Strength := Red,4", "mark;Side := Red\\")
    number = next(i for i, line in enumerate(lines_of(path), 1) if "mark;Side := Red\\" in line)
    with pytest.raises(VassalFormatError, match="backslash") as error:
        packed_bytes(folder)
    assert error.value.place.line == number


def test_a_bad_line_of_a_save_names_file_and_line(unpacked):
    folder, _ = unpacked
    path = folder / "Start.vsav" / "savedGame.txt"
    path.write_text(path.read_text("utf-8") + "      | stray\n", "utf-8")
    with pytest.raises(VassalFormatError, match="does not belong") as error:
        packed_bytes(folder)
    assert error.value.place.line == len(lines_of(path))
    assert error.value.place.file == str(path.resolve())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"text_form": 1', '"text_form": 99'),
        ('"entries": [', '"entries": [ ,'),
        ('"name": "moduledata"', '"name": "../evil"'),
        ('"name": "moduledata"', '"name": 7'),
        ('"level": "9"', '"level": "fast"'),
        ('"date": "1980-01-01', '"date": "1890-01-01'),
        ('"name": "buildFile.xml"', '"name": "moduledata"'),
    ],
)
def test_a_manifest_that_makes_no_sense_is_refused(unpacked, old, new):
    folder, _ = unpacked
    replace_in(folder / "hexmarshal.json", old, new)
    with pytest.raises(VassalFormatError) as error:
        packed_bytes(folder)
    assert "hexmarshal.json" in str(error.value.place.file)


def test_a_link_out_of_the_folder_is_not_followed(unpacked, tmp_path):
    folder, _ = unpacked
    (tmp_path / "private").write_text("mine")
    (folder / "images" / "front.svg").unlink()
    (folder / "images" / "front.svg").symlink_to(tmp_path / "private")
    with pytest.raises(VassalFormatError, match="leads out"):
        packed_bytes(folder)


def test_windows_line_ends_do_no_harm(unpacked):
    folder, data = unpacked
    for name in ("buildFile.xml", "Start.vsav/savedGame.txt"):
        path = folder / name
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert packed_bytes(folder) == data


# Real files


def test_real_files_come_back_byte_for_byte(corpus, tmp_path):
    files = sorted(
        p for p in corpus.rglob("*.v*") if p.suffix in {".vmod", ".vmdx", ".vsav", ".vlog"}
    )
    for number, path in enumerate(files):
        folder = tmp_path / str(number)
        unpack(Archive.open(path), folder)
        assert packed_bytes(folder) == path.read_bytes(), path.name


def mangled(data, rng):
    """A file with a few bytes lost, doubled or changed."""
    data = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(data))
        match rng.randrange(4):
            case 0:
                data[at] = rng.randrange(256)
            case 1:
                del data[at : at + rng.randint(1, 20)]
            case 2:
                data[at:at] = rng.choice([b'"', b"\n", b"\\", b"[", b"null", b"-1", b" := "])
            case 3:
                data[at:at] = data[at : at + 50]
    return bytes(data)


def test_no_mangled_text_form_escapes_our_errors(unpacked):
    folder, _ = unpacked
    rng = random.Random(7)
    files = [p for p in sorted(folder.rglob("*")) if p.suffix in {".json", ".xml", ".txt"}]
    told = []
    for _ in range(150):
        file = rng.choice(files)
        whole = file.read_bytes()
        file.write_bytes(mangled(whole, rng))
        try:
            packed_bytes(folder)
        except HexMarshalError as error:
            told.append(str(error))
        finally:
            file.write_bytes(whole)
    assert len(told) > 50
    assert "s3cret" not in " ".join(told)


def test_a_flat_chain_of_a_hundred_thousand_traits_is_kept_as_it_stands():
    definition = "\t".join(["mark;A"] * 100_000 + ["piece;;;a.png;n"])
    assert trait_lines(definition, "\t".join(["x"] * 100_001)) is None
    assert chain_lines("\t".join(["x"] * 100_001)) is None
    with pytest.raises(LineError, match="more than the limit"):
        read_traits(["mark;A"] * 100_000)
