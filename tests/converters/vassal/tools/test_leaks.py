"""No layer of a scrubbed file holds a player's id: each is opened here without the converter."""

from __future__ import annotations

import html
import io
import re
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from saved_games import ANN, BOB, MAP, a_game, concealment, piece, unit
from small_modules import sound_module

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal import sequence
from hexmarshal.vassal.commands import game, tree
from hexmarshal.vassal.commands.codec import Command
from hexmarshal.vassal.commands.piece import AddPiece
from hexmarshal.vassal.commands.registry import decode
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.diff import diff_modules
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.privacy.owners import owner_ids
from hexmarshal.vassal.privacy.scrubbing import scrub_file
from hexmarshal.vassal.privacy.secrets import find_user_ids, scrub
from hexmarshal.vassal.saves.logwriter import LogWriter
from hexmarshal.vassal.saves.savedata import save_entries
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.search import Sought, find_in_module
from hexmarshal.vassal.textform import pack, unpack
from hexmarshal.vassal.threeway import Account, merge_modules

PW = "geheim;7/8"


def layers(data: bytes) -> list[str]:
    """Every text in a file: entries of zips in zips, plain and deobfuscated, escapes taken off."""
    if data.startswith(b"PK\x03\x04"):
        with zipfile.ZipFile(io.BytesIO(data)) as found:
            inner = [layers(found.read(name)) for name in found.namelist()]
            own = [found.comment.decode("latin-1"), *found.namelist()]
            return own + [text for texts in inner for text in texts]
    if data.startswith(b"!VCSK"):
        raw = bytes.fromhex(data[5:].decode())
        data = bytes(byte ^ raw[0] for byte in raw[1:])
    text = data.decode("utf-8", "replace")
    return [text, text.replace("\\", ""), html.unescape(text)]


def folder_layers(folder: Path) -> list[str]:
    files = [f for f in folder.rglob("*") if f.is_file() and f.name != "secrets.json"]
    return [text for file in files for text in layers(file.read_bytes())]


def holding(texts: list[str], *ids: str) -> list[str]:
    bare = {*ids, *(user.replace("\\", "") for user in ids)}
    return [user for user in bare if any(user in text for text in texts)]


def saved(*commands: Command) -> SavedGame:
    children = [tree(command) for command in (*commands, game.EndSave())]
    return SavedGame.from_text(tree(game.BeginSave(), children).encode())


def placing(inner: AddPiece) -> AddPiece:
    marker = "+/" + sequence.join(["null", inner.type, inner.state], "/")
    return piece(("placemark;" + sequence.join(["Place", "80,130", marker, "null"], ";"), ""))


ONLY_PLACES = {
    "concealment": concealment(PW),
    "concealment in a marker": placing(concealment(PW)),
    "mask in a marker": placing(piece(("conceal;C;q;ge", sequence.join([PW], ";")))),
    "artillery": decode("OBA/+/0/" + sequence.escape(sequence.join([PW, "Ger", "1"], ","), "/")),
    "notes": decode("INFO\tAxis\tAxis\t1\t?\t?\t?\t?\t\t" + PW + "\tmy note"),
    "newer notes": decode("INFO\tAxis\tAxis\t1\t?\t?\t?\t?\tA\t?\tall\t" + PW + "\tmy note"),
    "double blind": decode(f"DOUBLE_BLIND:Ann:{PW}:{PW}-DB"),
}


@pytest.mark.parametrize("command", ONLY_PLACES.values(), ids=ONLY_PLACES.keys())
def test_an_id_is_found_where_vasl_keeps_it(command: Command):
    assert PW in find_user_ids(saved(command).root)
    assert not holding(layers(scrub(saved(command)).to_bytes()), PW)


ELSEWHERE = {
    "type of an unknown trait": piece((f"mystery;a;{PW};b", "")),
    "state of an unknown trait": piece(("mystery;a", f"x_{PW}_y")),
    "deep in an unknown trait": piece(
        ("mystery;" + sequence.join(["a", sequence.join(["b", PW], "/")], ";"), "")
    ),
    "stock type": piece((f"report;75,130;$name$ was here {PW};", "")),
    "marker": piece(("mark;Owner", PW)),
    "chat": decode(f"CHAT<Ann> - it is {PW}!"),
    "global property": game.SetGlobalProperty("Weather", f"by{PW}", "Module"),
    "board": game.ChooseBoards(MAP, (game.BoardChoice(PW),)),
    "unknown command": decode(f"OWN\tx\t{PW}\ty"),
    "logged": decode(f"LOG\tOWN\tx\t{PW}"),
    "name of a seat": game.TakeSeat("other-id", f"Ann {PW}", "Red"),
}


@pytest.mark.parametrize("command", ELSEWHERE.values(), ids=ELSEWHERE.keys())
def test_a_known_id_survives_nowhere(command: Command):
    file = saved(game.TakeSeat(PW, "Ann", "Red"), command)
    assert not holding(layers(scrub(file).to_bytes()), PW)


def test_ids_in_notes_of_before_and_after_the_booby_traps_are_told_apart():
    for fields in ("\t ? \t ? \t ? \t ? \t\tnobody1\tx", "\t?\t?\t?\t?\tA\t\tplain\tnobody1\tx"):
        assert find_user_ids(saved(decode(f"INFO\tAxis\tAxis\t1{fields}")).root) == ["nobody1"]
    plain = "INFO\tAxis\tAxis\t1\t ? \t ? \t ? \t ? \tall of it is notes"
    assert find_user_ids(saved(decode(plain)).root) == []


@given(
    st.text(st.characters(codec="utf-8", exclude_characters="\x1b\\'\x00"), min_size=6, max_size=12)
    .map(str.strip)
    .filter(lambda user: len(user) >= 6 and not re.fullmatch(r"[0-9.,:+-]+", user))
)
def test_whatever_the_password_no_layer_of_a_scrubbed_save_holds_it(user: str):
    words = "".join(re.findall(r"[\w.]+", saved(concealment("X"), unit("2")).text)) + "player-1"
    if any(part in words for part in (user, user.strip("'"))):
        return
    file = saved(
        concealment(user),
        unit("2", hidden=user),
        placing(concealment(user)),
        piece((f"mystery;{sequence.join(['a', user], ';')}", user)),
    )
    text = scrub(file).text
    assert not holding([text, text.replace("\\", "")], user)


def test_a_password_that_is_a_word_of_the_format_breaks_no_file():
    for user in ("piece", "PLAYER", "begin_save", "concealment", "emb2", "player"):
        file = saved(game.TakeSeat(user, "Ann", "Red"), concealment(user), unit("2", hidden=user))
        clean = scrub(file)
        assert not clean.state().problems
        assert [*clean.state().pieces] == ["1", "2"]
        assert find_user_ids(clean.root) != [user]
        assert len(find_user_ids(clean.root)) == 1


def test_a_password_that_is_a_number_moves_no_piece():
    file = saved(game.TakeSeat("10", "Ann", "Red"), unit("1", hidden="10"))
    named = saved(game.TakeSeat("1945", "Ann", "Red"), unit("1", 1945, 1945, hidden="1945"))
    for each in (file, named):
        clean = scrub(each)
        assert clean.state().pieces["1"].x == each.state().pieces["1"].x
        assert find_user_ids(clean.root) == ["player-1"]


def test_comment_and_other_entries_beside_a_save_are_cleaned(tmp_path: Path):
    entries = save_entries("Game", "1", description=f"mine is {ANN} & {BOB}")
    entries["notes.txt"] = f"{ANN} again".encode()
    path, clean = tmp_path / "a.vsav", tmp_path / "b.vsav"
    SavedGame.from_state(a_game(unit("1", hidden=BOB)), entries=entries).save(path)
    assert holding(layers(path.read_bytes()), ANN, BOB)
    assert scrub_file(path, clean).replaced == 2
    assert not holding(layers(clean.read_bytes()), ANN, BOB)


def test_an_id_in_the_comment_of_the_zip_is_refused(tmp_path: Path):
    path = tmp_path / "a.vsav"
    SavedGame.from_state(a_game()).save(path)
    with zipfile.ZipFile(path, "a") as archive:
        archive.comment = f"for {ANN}".encode()
    with pytest.raises(VassalFormatError, match="part of the archive's comment"):
        scrub_file(path, tmp_path / "b.vsav")
    assert not (tmp_path / "b.vsav").exists()


def a_leaky_module(path: Path) -> Path:
    module = sound_module()
    slot = next(iter(module.slots()))
    inner = placing(concealment(PW))
    slot.text = "+/" + sequence.join(["null", inner.type, inner.state], "/")
    module.changes["Setup.vsav"] = SavedGame.from_state(a_game(concealment(ANN))).to_bytes()
    module.save(path, force=True)
    return path


def test_a_module_is_cleaned_in_its_definitions_and_set_ups(tmp_path: Path):
    path, clean = a_leaky_module(tmp_path / "a.vmod"), tmp_path / "b.vmod"
    assert sorted(holding(layers(path.read_bytes()), PW, ANN, BOB)) == sorted([PW, ANN, BOB])
    assert scrub_file(path, clean).replaced == 3
    assert not holding(layers(clean.read_bytes()), PW, ANN, BOB)
    assert [c.tag for c in Module.open(clean).walk()] == [c.tag for c in Module.open(path).walk()]


def defining(*users: str, file: str = "") -> Module:
    """The small module with concealment counters of these users, one inside of a marker."""
    module = sound_module()
    module.path = Path(file or "a.vmod")
    slots = list(module.slots())
    for slot, user, around in zip(slots, users, (lambda each: each, placing), strict=False):
        made = around(concealment(user))
        slot.text = "+/" + sequence.join(["null", made.type, made.state], "/")
    return module


def test_what_is_told_of_a_module_names_no_id_of_its_definitions():
    base, ours, theirs = (
        defining(f"{who}-one", f"{who}-two") for who in ("bases", "oursx", "theirs")
    )
    told = [repr(diff_modules(base, ours).as_dict())]
    told += [str(hit) for hit in find_in_module(base, Sought("text", "ge"))]
    assert any("concealment;" in line for line in told[1:])
    account = Account()
    merge_modules(base, ours, theirs, account)
    assert account.conflicts
    told += map(str, account.conflicts)
    ids = [f"{who}-{n}" for who in ("bases", "oursx", "theirs") for n in ("one", "two")]
    assert not holding(told, *ids)
    assert "bases-one" in repr(diff_modules(base, theirs, show_secrets=True).as_dict())


def test_an_owner_is_told_in_a_definition_that_is_damaged():
    whole = placing(concealment(PW)).type
    for damage in (("placemark;", "plcmark;"), ("/null/", "/null//"), ("\t", "\t\t")):
        piece = whole.replace(*damage)
        assert piece != whole
        assert owner_ids(piece, "")[:1] in ([PW], [PW.split(";")[0]])


def test_an_unpacked_save_shows_no_id_and_comes_back_exactly(tmp_path: Path):
    path, folder, again = tmp_path / "a.vsav", tmp_path / "a", tmp_path / "b.vsav"
    entries = save_entries("Game", "1", description=f"mine is {ANN}")
    unknown = piece((f"mystery;{ANN};b", ANN), id="3")
    SavedGame.from_state(a_game(concealment(ANN), unknown), entries=entries).save(path)
    done = unpack(Archive.open(path), folder)
    assert any("mystery;" in note for note in done.notes)
    assert not holding(folder_layers(folder), ANN, BOB)
    pack(folder, again)
    assert again.read_bytes() == path.read_bytes()
    pack(folder, tmp_path / "c.vsav", scrub=True)
    assert not holding(layers((tmp_path / "c.vsav").read_bytes()), ANN, BOB)


def test_an_unpacked_module_says_that_its_definitions_hold_ids(tmp_path: Path):
    done = unpack(Archive.open(a_leaky_module(tmp_path / "a.vmod")), tmp_path / "a")
    assert any("user ids of 1 who edited the module" in note for note in done.notes)


def test_a_file_with_traits_of_a_modules_own_code_is_warned_of(tmp_path: Path):
    path = tmp_path / "a.vsav"
    SavedGame.from_state(a_game(piece(("mystery;x", "")))).save(path)
    done = scrub_file(path, tmp_path / "b.vsav")
    assert done.foreign_traits == ("mystery;",)
    assert any("mystery;" in warning for warning in done.warnings)
    SavedGame.from_state(a_game()).save(path, force=True)
    assert scrub_file(path, tmp_path / "c.vsav").warnings == []


def test_a_log_is_clean_in_its_steps(tmp_path: Path):
    log = LogWriter(a_game(concealment(ANN)))
    with log.step() as step:
        late = concealment("late-comer", id="7")
        step.add("7", late.type, late.state)
        step.chat("Ann", "late-comer is here")
    assert "late-comer" in find_user_ids(log.finish().root)
    path, clean = tmp_path / "a.vlog", tmp_path / "b.vlog"
    log.finish().save(path)
    scrub_file(path, clean)
    assert not holding(layers(clean.read_bytes()), ANN, BOB, "late-comer")


def test_no_real_file_keeps_an_id(corpus: Path, tmp_path: Path):
    seen: set[str] = set()
    for path in sorted(corpus.rglob("*.v*")):
        if path.suffix not in {".vsav", ".vlog"}:
            continue
        users = find_user_ids(SavedGame.open(path).root)
        scrub_file(path, tmp_path / "clean", force=True)
        assert not holding(layers((tmp_path / "clean").read_bytes()), *users), path.name
        seen |= set(users)
    assert {"dead42beef", "password", "rommel8"} <= seen
