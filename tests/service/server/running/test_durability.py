"""What was acknowledged survives `kill -9` at any moment; the rest is there wholly or not at all.

HEXMARSHAL_KILLS sets how often something is killed; tests/bench/service/kills.py does it hundreds
of times.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from server import kills, postgres

KILLS = int(os.environ.get("HEXMARSHAL_KILLS", "8"))


def test_nothing_acknowledged_is_lost_however_often_server_and_workers_are_killed(tmp_path):
    assert "none lost" in kills.of_server_and_workers(tmp_path / "matches.sqlite3", KILLS)


def test_nothing_is_lost_when_the_database_is_killed_and_frozen_too():
    pytest.importorskip("psycopg")
    binaries = postgres.binaries()
    if binaries is None:
        pytest.skip("no PostgreSQL here: apt-get install postgresql")
    assert "none lost" in kills.of_everything(binaries, max(4, KILLS // 3))


@pytest.mark.parametrize("position", range(0, 4000, 571))
def test_a_log_that_was_cut_off_anywhere_gives_a_whole_match(tmp_path, position):
    """Power fails while SQLite writes: the file is there up to some byte."""
    import asyncio
    import shutil

    from hexmarshal.service.store import EventRow, open_store

    from .test_store import match

    original, copy = tmp_path / "a.sqlite3", tmp_path / "b.sqlite3"

    async def write() -> None:
        store = open_store(str(original))
        await store.open()
        await store.create_match(match())
        for version in range(1, 6):
            await store.append("m", EventRow(version, bytes([version]) * 500))
        shutil.copy(original, copy)
        log = Path(f"{original}-wal").read_bytes()
        Path(f"{copy}-wal").write_bytes(log[: len(log) - position])
        await store.close()

    async def read() -> tuple[int | None, list[EventRow]]:
        store = open_store(str(copy))
        await store.open()
        try:
            return await store.head("m"), await store.events("m", 0)
        finally:
            await store.close()

    asyncio.run(write())
    head, events = asyncio.run(read())
    assert [event.version for event in events] == list(range(1, (head or 0) + 1))
    assert all(event.data == bytes([event.version]) * 500 for event in events)
    if position == 0:
        assert head == 5
