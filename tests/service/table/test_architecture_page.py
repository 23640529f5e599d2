"""The architecture page names files that are there; rooms stay small."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`([\w/]+/\w+(?:\.py)?)`", PAGE)))
MOST = 15


def test_the_page_names_files_at_all() -> None:
    assert len(NAMED) > 30


@pytest.mark.parametrize("name", NAMED)
def test_what_the_page_names_is_there(name: str) -> None:
    assert (ROOT / name).exists() or (ROOT / "service" / "hexmarshal" / name).exists()


@pytest.mark.parametrize("root", ["converters", "geometry", "modules", "service"])
def test_no_room_is_crowded(root: str) -> None:
    rooms: dict[Path, int] = {}
    for file in (ROOT / root).rglob("*.py"):
        rooms[file.parent] = rooms.get(file.parent, 0) + 1
    assert rooms
    assert {str(room): count for room, count in rooms.items() if count > MOST} == {}
