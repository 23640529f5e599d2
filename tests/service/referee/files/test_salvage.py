"""What is left of a log that was cut, wherever it was cut: whole steps, and never an exception."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from crossroads_module import binding, module
from hypothesis import given
from hypothesis import strategies as st
from tutorial import Crossroads

from hexmarshal.referee.check.check_inputs import check_path
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.plugins.registry import Registry
from hexmarshal.table.module_finder import Means
from hexmarshal.vassal.commands.tree import ESC
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.container.limits import Limits
from hexmarshal.vassal.saves.log import GameLog
from hexmarshal.vassal.saves.salvage import breaks_off, salvage
from hexmarshal.vassal.saves.savegame import SavedGame


@cache
def log() -> tuple[bytes, int]:
    made = Recorder(module(), binding(), Crossroads(), engine.start(Crossroads(), "meeting"))
    made.drag(["b1"], ["A1", "A2", "A1"])
    made.drag(["b2"], ["A3"])
    return made.finish().to_bytes(), made.steps


def steps(data: bytes, folder: Path) -> tuple[int, bool] | None:
    file = folder / "cut.vlog"
    file.write_bytes(data)
    found = salvage(file)
    if found is None:
        return None
    return sum(1 for _ in GameLog(found.saved).steps()), found.has_start


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("desk")


@given(part=st.floats(0, 1))
def test_a_cut_leaves_whole_steps_or_nothing(desk: Path, part: float) -> None:
    data, count = log()
    found = steps(data[: int(len(data) * part)], desk)
    assert found is None or 0 <= found[0] <= count
    assert found is None or found[1] or found[0] == 0


@given(data=st.data())
def test_any_damage_is_survived(desk: Path, data: st.DataObject) -> None:
    whole, count = log()
    at = data.draw(st.integers(0, len(whole) - 1))
    wrong = data.draw(st.binary(min_size=1, max_size=40))
    found = steps(whole[:at] + wrong + whole[at + len(wrong) :], desk)
    assert found is None or found[0] <= count + 1


def test_nothing_is_taken_from_a_game_that_is_damaged_in_its_middle(desk: Path) -> None:
    data, count = log()
    start = data.index(b"savedGame") + len(b"savedGame") + 16
    for at in range(start, data.index(b"PK", start), 31):
        flipped = data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :]
        assert steps(flipped, desk) is None
    assert steps(data[:-1], desk) == (count, True)


def test_the_later_the_cut_the_more_is_left(tmp_path: Path) -> None:
    data, count = log()
    left = [steps(data[:end], tmp_path) for end in range(0, len(data), 97)]
    numbers = [found[0] for found in left if found is not None]
    assert numbers == sorted(numbers)
    # The last step is given up until the packed game ends: nothing tells that it is whole.
    assert numbers[-1] == count


def test_no_more_is_inflated_than_the_limits_allow(tmp_path: Path) -> None:
    data, count = log()
    file = tmp_path / "cut.vlog"
    file.write_bytes(data[:-1])
    found = salvage(file)
    assert found is not None
    small = Limits(entry_size=len(found.saved.text))
    assert salvage(file, small) is None
    assert steps(data[:-1], tmp_path) == (count, True)


def test_a_file_that_is_not_there_gives_nothing(tmp_path: Path) -> None:
    assert salvage(tmp_path / "gone.vlog") is None


def test_half_of_what_a_file_says_about_itself_is_left_out(tmp_path: Path) -> None:
    data, _ = log()
    cut = data[: data.index(b"moduledata") + 60]
    file = tmp_path / "cut.vlog"
    file.write_bytes(cut)
    found = salvage(file)
    assert found is not None
    assert found.saved.entry("moduledata") is None


def test_a_log_whose_last_command_breaks_off_is_cut_short(tmp_path: Path) -> None:
    whole = SavedGame.from_archive(Archive.from_bytes(log()[0]))
    assert not breaks_off(whole)
    text, end = whole.root.encode(), len("/null/seat of Blue")
    for missing in (end, end + 4, end + 20):
        assert breaks_off(SavedGame.from_text(text[:-missing]))
    file = tmp_path / "cut.vlog"
    entries = {name: whole.entry(name) or b"" for name in ("moduledata", "savedata")}
    file.write_bytes(SavedGame.from_text(text[:-end], entries=entries).to_bytes())
    module().save(tmp_path / "module.vmod")
    games = Registry()
    games.add(Crossroads())
    report = check_path(file, Means(module=tmp_path / "module.vmod"), games)
    assert report.cut
    assert report.steps == log()[1] - 1


TURN = "LOG\tTURNTurns\t0|2;0;true;10;2\\;0\\;true,false"


@pytest.mark.parametrize("missing", [0, 1, 5, 8, 20])
def test_a_turn_that_is_shorter_than_others_breaks_off(missing: int) -> None:
    text = ESC.join(("begin_save", "end_save", TURN, TURN[: len(TURN) - missing]))
    assert breaks_off(SavedGame.from_text(text)) is bool(missing)
