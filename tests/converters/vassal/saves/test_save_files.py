"""Saves and logs as files: byte for byte, lazily, damaged, and as real engines wrote them."""

from __future__ import annotations

import contextlib
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from saved_games import ANN, a_game, unit

from hexmarshal.errors import HexMarshalError, NotFoundError, VassalFormatError
from hexmarshal.vassal.commands.piece import AddPiece
from hexmarshal.vassal.commands.registry import Broken, Nothing, Unknown
from hexmarshal.vassal.commands.table import LogEntry
from hexmarshal.vassal.commands.tree import CommandNode, parse
from hexmarshal.vassal.container.archive import Archive, build_archive
from hexmarshal.vassal.container.obfuscation import Veil, obfuscate
from hexmarshal.vassal.pieces.chain import encode_chain
from hexmarshal.vassal.pieces.glance import Shape, glance, glance_at_command, glances_of
from hexmarshal.vassal.pieces.piece import Piece
from hexmarshal.vassal.privacy.secrets import find_user_ids, scrub
from hexmarshal.vassal.saves.log import GameLog
from hexmarshal.vassal.saves.logwriter import LogWriter
from hexmarshal.vassal.saves.savegame import SavedGame


def packed(data: bytes) -> Archive:
    return Archive.from_bytes(b"".join(build_archive({"savedGame": data})))


def test_an_untouched_file_is_written_byte_for_byte(tmp_path: Path):
    SavedGame.from_state(a_game()).save(tmp_path / "a.vsav")
    saved = SavedGame.open(tmp_path / "a.vsav")
    assert saved.state() == a_game()
    saved.save(tmp_path / "b.vsav")
    assert (tmp_path / "b.vsav").read_bytes() == (tmp_path / "a.vsav").read_bytes()


def test_a_changed_tree_keeps_key_and_entries(tmp_path: Path):
    SavedGame.from_state(a_game(), key=0x5A, entries={"extra": b"kept"}).save(tmp_path / "a.vsav")
    saved = SavedGame.open(tmp_path / "a.vsav")
    changed = saved.with_root(saved.root.with_children([*saved.root.children, CommandNode("NEW")]))
    changed.save(tmp_path / "a.vsav")
    again = SavedGame.open(tmp_path / "a.vsav")
    assert again.text == saved.text + "\x1bNEW"
    assert again.veil == Veil(0x5A)
    assert again.entry("extra") == b"kept"


def test_glances_see_what_the_state_sees():
    saved = SavedGame.from_state(a_game())
    found = {g.id: g for g in saved.glances()}
    for piece in saved.state().pieces.values():
        seen = found[piece.id]
        assert (seen.map, seen.x, seen.y) == piece.own_place
        assert (seen.name, seen.gpid) == (piece.name, piece.gpid)
    assert found["9"].shape is Shape.STACK
    assert (found["8"].shape, found["8"].name) == (Shape.DECK, "Draw")


NASTY = st.text(st.sampled_from("ab'\\/;\t "), max_size=5).filter(lambda t: not t.endswith("\\"))


@given(
    st.lists(st.tuples(NASTY, NASTY), max_size=4),
    st.text("ab'/;\t", max_size=5),
    st.text("ab'/;\t", max_size=5),
)
def test_a_glance_agrees_with_the_typed_piece(traits, name: str, value: str):
    basic = "piece;;;i;" + name.replace(";", "\\;").replace("'", "")
    state = f"Main;3;-4;7;1;k;{value.replace(';', '').replace(chr(39), '')}"
    type_text = encode_chain([*(f"x;{t}" for t, _ in traits), basic], "\t")
    state_text = encode_chain([*(s for _, s in traits), state], "\t")
    piece = Piece.parse(type_text, state_text)
    for seen in (
        glance("1", type_text, state_text),
        glance_at_command(AddPiece("1", type_text, state_text).encode()),
    ):
        if piece.problem is None and not seen.problem:
            assert (seen.name, seen.map, seen.x, seen.y) == (
                piece.name,
                piece.map,
                piece.x,
                piece.y,
            )
            assert seen.gpid == piece.gpid == "7"


@given(st.lists(st.sampled_from(["+/1/stack/M;1;2", "'", "\\", "\x1b", "a"]), max_size=12))
def test_glances_without_a_tree_are_those_with_one(bits: list[str]):
    text = "begin_save\x1b" + "".join(bits)
    found = glances_of(text)
    added = [n.text for n in parse(text).walk() if n.text.startswith("+/")]
    assert found is None or found == [glance_at_command(each) for each in added]


def test_an_opened_file_is_glanced_at_without_a_tree(tmp_path: Path):
    SavedGame.from_state(a_game()).save(tmp_path / "a.vsav")
    lazy, full = SavedGame.open(tmp_path / "a.vsav"), SavedGame.open(tmp_path / "a.vsav")
    assert full.root
    assert list(lazy.glances()) == list(full.glances())


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "begin"),
        (b"!VCSK0", "hexadecimal"),
        (obfuscate("begin_save", Veil(1))[:-1], "hexadecimal"),
        (b"!VCSK02" + obfuscate("begin_save", Veil(1))[7:], "begin"),
        (b"\xff\xfe", "begin"),
    ],
)
def test_a_damaged_entry_is_refused_with_its_place(data: bytes, words: str):
    with pytest.raises(VassalFormatError, match=words) as caught:
        SavedGame.from_archive(packed(data)).state()
    assert caught.value.place.entry == "savedGame"


def test_what_is_no_saved_game_is_refused(tmp_path: Path):
    (tmp_path / "x.vsav").write_bytes(b"not a zip")
    with pytest.raises(VassalFormatError):
        SavedGame.open(tmp_path / "x.vsav")
    with pytest.raises(NotFoundError):
        SavedGame.open(tmp_path / "missing.vsav")
    archive = Archive.from_bytes(b"".join(build_archive({"buildFile.xml": b"<x/>"})))
    with pytest.raises(VassalFormatError, match="savedGame"):
        SavedGame.from_archive(archive)


def test_problems_name_their_command():
    saved = SavedGame.from_text("begin_save\x1b\x1bM/1/x\x1bPLAYER\tpw\x1bend_save")
    assert [(p.place.field, p.place.entry) for p in saved.problems()] == [
        ("command 3", "savedGame"),
        ("command 4", "savedGame"),
    ]
    assert not any("pw" in str(p) for p in saved.problems())


def use_everything(saved: SavedGame) -> None:
    """Whatever a tool might do with a file."""
    saved.state()
    list(saved.glances())
    list(saved.problems())
    for step in GameLog(saved).steps():
        repr(step)
    for command in saved.pieces():
        piece = Piece.parse(command.type, command.state)
        assert len(piece.traits) == len(piece.states)
    for turn in saved.state().turns.values():
        with contextlib.suppress(VassalFormatError):
            _ = turn.turn
    assert parse_again(saved) == saved.text
    scrub(saved).to_bytes()
    SavedGame.from_state(saved.state())


def parse_again(saved: SavedGame) -> str:
    return SavedGame.from_text(saved.text).text


def a_log_file() -> bytes:
    log = LogWriter(a_game())
    with log.step() as step:
        step.move("3", "Main Map", 1, 2, user=ANN)
        step.roll("2d6", [1, 2], "Ann")
    log.undo()
    return log.finish({"savedata": b"<data version='1'/>"}).to_bytes()


NOISE = [
    "\\",
    "\x1b",
    "\t",
    "/",
    ";",
    "'",
    "null",
    "+/",
    "LOG\t",
    "\\\x1b",
    "@@",
    "-1",
    "|",
    "\ud7ff",
]


@pytest.mark.parametrize("seed", range(40))
def test_mutated_text_never_breaks_anything_but_with_our_error(seed: int):
    random = Random(seed)
    text = SavedGame.from_archive(Archive.from_bytes(a_log_file())).text
    for _ in range(10):
        changed = text
        for _ in range(random.randrange(1, 6)):
            at = random.randrange(len(changed))
            end = at + random.choice([0, 0, 1, 3, 20])
            changed = changed[:at] + random.choice(["", *NOISE]) + changed[end:]
        with contextlib.suppress(HexMarshalError):
            use_everything(SavedGame.from_text(changed))


@pytest.mark.parametrize("seed", range(20))
def test_mutated_files_never_break_anything_but_with_our_error(seed: int):
    random = Random(seed)
    data = a_log_file()
    for _ in range(10):
        changed = bytearray(data)
        for _ in range(random.randrange(1, 4)):
            changed[random.randrange(len(changed))] = random.randrange(256)
        if random.random() < 0.3:
            del changed[random.randrange(len(changed)) :]
        with contextlib.suppress(HexMarshalError):
            use_everything(SavedGame.from_archive(Archive.from_bytes(bytes(changed))))


def test_many_pieces_in_a_hostile_stack_take_no_longer_than_usual():
    members = ";".join(["1"] * 50_000)
    text = f"begin_save\x1b{unit('1').encode()}\x1b+/9/stack/Main Map;1;1;{members}\x1bend_save"
    assert SavedGame.from_text(text).state().stacks["9"].members == ("1",)


def corpus_games(corpus: Path) -> list[Path]:
    return sorted([*corpus.glob("saves/*.vsav"), *corpus.glob("logs/*.vlog")])


def test_real_files_are_written_back_identically_and_are_typed(corpus: Path):
    files = corpus_games(corpus)
    assert len(files) >= 16
    stock = broken = 0
    for path in files:
        saved = SavedGame.open(path)
        assert saved.to_bytes() == path.read_bytes()
        again = SavedGame.from_text(saved.text)
        assert again.root == saved.root
        assert saved.archive is not None
        assert obfuscate(again.text, saved.veil) == saved.archive.read("savedGame")
        for node in saved.root.walk():
            command = node.command
            assert command.encode() == node.text
            while isinstance(command, LogEntry):
                command = command.logged
            broken += isinstance(command, Broken)
            stock += not isinstance(command, Unknown | Nothing)
    assert stock > 2000
    assert broken / stock <= 0.01


def test_real_games_load_replay_and_can_be_written_anew(corpus: Path):
    for path in corpus_games(corpus):
        saved = SavedGame.open(path)
        state = saved.state()
        assert not state.problems
        seen = {g.id: (g.map, g.x, g.y, g.name) for g in saved.glances()}
        for piece in state.pieces.values():
            assert seen[piece.id] == (*piece.own_place, piece.name)
        state.stacks_placed = True
        assert SavedGame.from_text(SavedGame.from_state(state).text).state() == state
        for step in GameLog(saved).steps():
            assert not step.problems


def test_real_logs_tell_their_dice(corpus: Path):
    steps = list(GameLog(SavedGame.open(corpus / "logs" / "3d6.vlog")).steps())
    assert [(r.name, r.dice) for s in steps for r in s.dice] == [
        ("IFT DR", (6, 6)),
        ("RS dr", (2,)),
        ("3d6", (3, 4, 1)),
        ("IFT DR", (6, 5)),
        ("TH DR", (6, 2)),
        ("3d6", (2, 4, 2)),
    ]


def test_real_files_can_be_scrubbed(corpus: Path):
    for path in corpus_games(corpus):
        saved = SavedGame.open(path)
        ids = set(find_user_ids(saved.root))
        clean = scrub(saved)
        assert not ids & set(find_user_ids(clean.root))
        assert clean.state().pieces.keys() == saved.state().pieces.keys()
