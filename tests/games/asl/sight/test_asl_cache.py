"""Boards made ready are kept by content, and a damaged or full cache never matters."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
import shapely
from asl_canvas import Canvas

from hexmarshal.errors import HexMarshalError
from hexmarshal.games.asl.maps import boards
from hexmarshal.games.asl.maps.board_cache import Cache, cache_folder, key_of
from hexmarshal.games.asl.maps.boards import board_path, load
from hexmarshal.games.asl.sight import Conditions, Spot
from hexmarshal.vassal.vasl.painting import Painting


def town(folder: Path, name: str = "bdTown") -> Path:
    canvas = Canvas(name=name).fill("Stone Building, 2 Level", "D3", "E3").spot("Woods", "F4")
    canvas.band("Gully", -1, "B2", "B3", "C4").side("Wall", "G3", 2).stairway("D3")
    return canvas.raise_to(2, "H2", "H3").write(folder)


def kept(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.npz"))


def test_a_board_from_the_cache_is_the_board(tmp_path, monkeypatch):
    path, cache = town(tmp_path), Cache(tmp_path / "cache")
    fresh = load(path, cache=cache)
    monkeypatch.setattr(boards, "read_board", None)
    again = load(path, cache=cache)
    assert again.board.grid.names == fresh.board.grid.names
    assert again.board.levels == fresh.board.levels
    for field in ("terrain", "elevation", "owner"):
        assert np.array_equal(
            getattr(again.board.pixels, field), getattr(fresh.board.pixels, field)
        )
    assert shapely.equals_exact(again.regions.polygons, fresh.regions.polygons, 0).all()
    assert again.regions.terrain.tolist() == fresh.regions.terrain.tolist()
    assert again.sight.table is not None
    for a, b in ((Spot("D3", 2), Spot("H3")), (Spot("A1"), Spot("G4", vertex=1))):
        assert again.sight.answer(a, b) == fresh.sight.answer(a, b)
    fog = Conditions(weather=1)
    assert again.sight.under(fog).answer(a, b) == fresh.sight.under(fog).answer(a, b)


def test_a_board_wider_than_two_bytes_can_count_comes_back_whole(tmp_path):
    path, cache = Painting(600, 1, "bdLong").write(tmp_path), Cache(tmp_path / "cache")
    fresh, again = load(path, cache=cache), load(path, cache=cache)
    assert shapely.total_bounds(fresh.regions.polygons).max() > np.iinfo(np.int16).max
    assert shapely.equals_exact(again.regions.polygons, fresh.regions.polygons, 0).all()
    assert np.array_equal(again.board.pixels.owner, fresh.board.pixels.owner)


def test_the_name_of_the_file_does_not_count_but_its_content_does(tmp_path):
    cache = Cache(tmp_path / "cache")
    path = town(tmp_path)
    load(path, cache=cache)
    copy = tmp_path / "bdCopy"
    copy.write_bytes(path.read_bytes())
    assert load(copy, cache=cache).board.name == "bdCopy"
    assert len(kept(tmp_path / "cache")) == 1
    Canvas(name="bdTown").fill("Woods", "D3").write(tmp_path)
    load(path, cache=cache)
    assert len(kept(tmp_path / "cache")) == 2


def test_another_version_of_the_rules_has_entries_of_its_own(tmp_path, monkeypatch):
    path, cache = town(tmp_path), Cache(tmp_path / "cache")
    load(path, cache=cache)
    monkeypatch.setattr(boards, "_code", lambda: b"newer")
    load(path, cache=cache)
    assert len(kept(tmp_path / "cache")) == 2


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 no archive", None])
def test_a_damaged_entry_is_made_anew(tmp_path, damage):
    path, cache = town(tmp_path), Cache(tmp_path / "cache")
    whole = load(path, cache=cache)
    (entry,) = kept(tmp_path / "cache")
    entry.write_bytes(entry.read_bytes()[:-3000] if damage is None else damage)
    again = load(path, cache=cache)
    line = (Spot("D3", 1), Spot("H3"))
    assert again.sight.answer(*line) == whole.sight.answer(*line)
    assert Cache(tmp_path / "cache").get(entry.name.removesuffix(".board.npz")) is not None


def test_what_was_not_used_for_longest_goes_first(tmp_path):
    cache = Cache(tmp_path, limit=3000)
    for number, key in enumerate(("one", "two", "three")):
        cache.put(key, {"a": np.zeros(100)})
        os.utime(tmp_path / f"{key}.board.npz", (number, number))
    cache.put("four", {"a": np.zeros(100)})
    assert cache.get("one") is None
    assert cache.get("four") is not None


def test_without_a_folder_nothing_is_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("HEXMARSHAL_CACHE", "")
    assert cache_folder() is None
    assert load(town(tmp_path)).board.name == "bdTown"
    monkeypatch.setenv("HEXMARSHAL_CACHE", str(tmp_path / "named"))
    assert cache_folder() == tmp_path / "named"
    load(town(tmp_path))
    assert kept(tmp_path / "named")


def test_a_cache_that_cannot_be_written_is_no_reason_to_fail(tmp_path):
    (tmp_path / "file").write_text("in the way")
    assert load(town(tmp_path), cache=Cache(tmp_path / "file")).board.name == "bdTown"


def test_keys_tell_parts_apart():
    assert key_of([b"ab", b"c"]) != key_of([b"a", b"bc"])


def test_boards_are_found_by_name_with_or_without_bd(tmp_path):
    path = town(tmp_path)
    assert board_path(tmp_path, "Town") == board_path(tmp_path, "bdTown") == path
    with pytest.raises(HexMarshalError, match="no board Village"):
        board_path(tmp_path, "Village")
