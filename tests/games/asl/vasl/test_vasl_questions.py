"""Questions on saves of VASL: what the players may know is told, and nothing besides."""

from __future__ import annotations

import json
import random

import pytest
from vasl_saves import Counter, Table, board, leader, squad, weapon

from hexmarshal.cli.main import run
from hexmarshal.errors import ExitCode
from hexmarshal.games.asl.vasl.boards.board_command import read_board_command
from hexmarshal.games.asl.vasl.boards.map_geometry import vasl_map

ONE = "0\t0\tOne\tVER\t1.0\t"
GERMANS = ("ge", "467 447", "247 237")
MASK = "ru/ruqmark.svg"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    board(tmp_path / "boards")
    monkeypatch.setenv("HEXMARSHAL_ASL_BOARDS", str(tmp_path / "boards"))
    return tmp_path / "boards"


@pytest.fixture
def at(folder):
    return vasl_map(read_board_command(f"bd\t{ONE}"), folder).point


def asl(capsys, *words):
    code = run(["asl", *map(str, words)])
    told = capsys.readouterr()
    return code, told.out, told.err


def game(at, target, *more):
    table = Table(ONE)
    table.stack(*at("B3"), squad(*GERMANS), weapon("LMG", "ge"), leader("ge"))
    table.stack(*at("B4"), *target)
    for cell, counters in more:
        table.stack(*at(cell), *counters)
    return table


def test_a_shot_is_told_with_sight_firers_and_odds(at, tmp_path, capsys):
    path = game(at, [squad(), squad(half=True)]).save(tmp_path / "game.vsav")
    code, out, _ = asl(capsys, "fire", path, "B3", "B4", "--json")
    found = json.loads(out)
    assert code == ExitCode.OK
    assert (found["range"], found["blocked"], found["side"]) == (1, False, "attacker")
    assert [f["name"] for f in found["firers"]] == ["4-6-7 squad", "LMG"]
    assert [t["name"] for t in found["targets"]] == ["4-5-8 squad", "2-4-8 half-squad"]
    # Point blank doubles both: (4 + 3) x 2 is the column of 12; the 9-1 directs.
    assert found["attack"]["resolution"]["column"] == "12"
    assert found["names"][found["targets"][0]["id"]] == "4-5-8 squad"
    assert found["leader"]
    fates = found["odds"]["units"]
    assert len(fates) == 2
    _, led, _ = asl(capsys, "fire", path, "B3", "B4")
    _, alone, _ = asl(capsys, "fire", path, "B3", "B4", "--no-leader")
    assert "directed by 9-1 leader" in led
    assert "directed" not in alone


def test_broken_men_do_not_fire_and_are_told_why(at, tmp_path, capsys):
    table = Table(ONE)
    table.stack(*at("B3"), squad(*GERMANS, broken=True))
    table.stack(*at("B4"), squad())
    _, out, _ = asl(capsys, "fire", table.save(tmp_path / "game.vsav"), "B3", "B4")
    assert "who can fire: nobody" in out
    assert "not 4-6-7 squad:" in out


@pytest.mark.parametrize("words", [("show",), ("show", "--json"), ("fire",), ("fire", "--json")])
def test_what_is_concealed_or_hidden_is_not_told(at, tmp_path, capsys, words):
    """Two games that differ only in what the enemy hides are told in the same words."""
    said = []
    for number, secret in enumerate(
        (
            [squad(), weapon(), Counter("?", MASK)],
            [squad(level=3), weapon("LMG"), Counter("?", MASK)],
        )
    ):
        hidden = [("C4", [squad(level=number + 1, hidden="someone")])]
        path = game(at, secret, *hidden).save(tmp_path / "game.vsav")
        more = [] if words[0] == "show" else ["B3", "B4"]
        code, out, _ = asl(capsys, words[0], path, *more, *words[1:])
        assert code == ExitCode.OK
        said.append(out)
    assert said[0] == said[1]
    assert "4-5-8" not in said[0]
    code, out, _ = asl(capsys, words[0], path, *more, *words[1:], "--reveal")
    assert "4-2-6" in out


def test_asking_from_the_hex_of_the_hidden_tells_nothing_of_them(at, tmp_path, capsys):
    secret = [squad(), weapon(), Counter("?", MASK)]
    path = game(at, secret, ("C4", [squad(hidden="someone")])).save(tmp_path / "game.vsav")
    for start in ("B4", "C4"):
        _, out, _ = asl(capsys, "fire", path, start, "B3")
        assert "4-5-8" not in out
        assert "MMG" not in out
        _, out, _ = asl(capsys, "fire", path, start, "B3", "--side", "defender")
        assert "4-5-8 squad" in out
    _, out, _ = asl(capsys, "fire", path, "B3", "B4", "--side", "attacker")
    assert "4-6-7 squad" in out
    assert "4-5-8" not in out
    code, _, err = asl(capsys, "fire", path, "B3", "B4", "--side", "referee")
    assert "no side 'referee'" in err
    assert code == ExitCode.BAD_INPUT


def test_the_position_that_is_written_keeps_secrets_unless_told(at, tmp_path, capsys):
    path = game(at, [squad(), Counter("?", MASK)]).save(tmp_path / "game.vsav")
    masked, whole = tmp_path / "masked.json", tmp_path / "whole.json"
    asl(capsys, "show", path, "--position", masked)
    asl(capsys, "show", path, "--position", whole, "--reveal")
    assert "russian_4-5-8" not in masked.read_text()
    assert "russian_4-5-8" in whole.read_text()


def test_pictures_are_drawn(at, tmp_path, capsys):
    path = game(at, [squad()]).save(tmp_path / "game.vsav")
    for words in (("show", path), ("fire", path, "B3", "B4"), ("fire", path, "B3", "D3")):
        out = tmp_path / "picture.svg"
        code, _, err = asl(capsys, *words, "--svg", out, "--force")
        assert (code, err) == (ExitCode.OK, "")
        assert out.read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("fire", "B3", "Z9"), ExitCode.NOT_FOUND, "no hex Z9"),
        (("fire", "B3", "B4", "--phase", "lunch"), ExitCode.BAD_INPUT, "nobody fires in 'lunch'"),
        (("fire", "B3", "B4", "--to-level", "7"), ExitCode.BAD_INPUT, "has no level 7"),
        (("show", "--svg", "a.txt"), ExitCode.USAGE, "a picture is"),
    ],
)
def test_bad_words_are_refused(at, tmp_path, capsys, words, code, said):
    path = game(at, [squad()]).save(tmp_path / "game.vsav")
    found, _, err = asl(capsys, words[0], path, *words[1:])
    assert said in err
    assert "Traceback" not in err
    assert found == code


def test_a_hex_may_be_written_as_vasl_does(folder, tmp_path, capsys):
    board(folder, "bdTwo")
    boards = f"{ONE}bd\t1\t0\tTwo\tVER\t1.0\t"
    point = vasl_map(read_board_command(f"bd\t{boards}"), folder).point
    table = Table(boards)
    table.stack(*point("bdTwo:C4"), squad(*GERMANS))
    path = table.save(tmp_path / "game.vsav")
    for typed in ("TwoC4", "bdTwo:C4", "bdTwoC4"):
        code, out, _ = asl(capsys, "fire", path, typed, "bdTwo:C5")
        assert code == ExitCode.OK
        assert out.startswith("bdTwo:C4 to bdTwo:C5, range 1")
    code, _, err = asl(capsys, "fire", path, "C4", "C5")
    assert code == ExitCode.USAGE
    assert "does not say on which board" in err


def test_a_log_is_shown_after_any_of_its_steps(at, tmp_path, capsys):
    table = Table(ONE)
    (one,) = table.stack(*at("B3"), squad(*GERMANS))
    (x, y), (a, b), (c, d) = at("B3"), at("B4"), at("C5")
    path = table.log(
        tmp_path / "game.vlog",
        f"M/{one}/Main Map/{a}/{b}/null/Main Map/{x}/{y}/null/bob",
        f"M/{one}/Main Map/{c}/{d}/null/Main Map/{a}/{b}/null/bob",
    )
    for words, cell in ((("--step", "0"), "B3"), (("--step", "1"), "B4"), ((), "C5")):
        _, out, _ = asl(capsys, "show", path, *words)
        assert f"{cell}: 4-6-7 squad" in out
    code, _, err = asl(capsys, "show", path, "--step", "9")
    assert (code, "no step 9" in err) == (ExitCode.USAGE, True)


def test_damaged_saves_never_end_in_a_traceback(at, tmp_path, capsys):
    whole = game(at, [squad(), weapon(), Counter("?", MASK)]).save(tmp_path / "game.vsav")
    data = whole.read_bytes()
    dice = random.Random(20)
    broken = tmp_path / "broken.vsav"
    for _ in range(25):
        bad = bytearray(data)
        for _ in range(dice.randint(1, 6)):
            bad[dice.randrange(len(bad))] = dice.randrange(256)
        broken.write_bytes(bytes(bad[: dice.randint(1, len(bad))] if dice.random() < 0.3 else bad))
        code, _, err = asl(capsys, "show", broken)
        assert code in (ExitCode.OK, ExitCode.BAD_INPUT, ExitCode.NOT_FOUND), err
        assert "Traceback" not in err


def test_damaged_texts_of_a_save_are_refused_or_read(at, folder, tmp_path, capsys):
    """Inside of the archive: the boards, the counters, the stacks changed at random."""
    from hexmarshal.errors import HexMarshalError
    from hexmarshal.games.asl.vasl.table_reader import read_table
    from hexmarshal.vassal.saves.savegame import SavedGame

    table = game(at, [squad(), weapon(), Counter("?", MASK)])
    text = SavedGame.from_state(table.state).text
    dice = random.Random(7)
    read = 0
    for _ in range(60):
        letters = list(text)
        for _ in range(dice.randint(1, 12)):
            letters[dice.randrange(20, len(letters))] = dice.choice("\t\\;,/0-9;aZ\x1b")
        try:
            state = SavedGame.from_text("".join(letters)).state()
            found = read_table(state, folder)
        except HexMarshalError:
            continue
        read += 1
        assert all(bool(c.cell) != bool(c.why) for c in found.counters)
    assert read > 0
