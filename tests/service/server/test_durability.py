"""What was acknowledged survives `kill -9` at any moment; the rest is there wholly or not at all.

HEXMARSHAL_KILLS sets how often the server is killed; a few times in CI, hundreds by hand.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from hexmarshal.client import Client, ConflictError, ServiceUnavailableError
from hexmarshal.rules.action import Action
from hexmarshal.rules.playing.record import GameRecord, replay
from hexmarshal.rules.values import FrozenMap
from hexmarshal.v1 import match_service_pb2 as matches

from . import postgres
from .frontier import Frontier

KILLS = int(os.environ.get("HEXMARSHAL_KILLS", "15"))
PLAYERS = 4
HERE = Path(__file__).parent


class Servers:
    """One server at a time, killed and started again on the same store."""

    def __init__(self, store: Path | str) -> None:
        env = os.environ | {"HEXMARSHAL_PLUGINS": f"{HERE / 'frontier'}:Frontier"}
        self.store = store
        self.zygote = subprocess.Popen(
            [sys.executable, HERE / "zygote.py"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=env,
        )
        self.pid = 0
        self.address = ""

    def start(self) -> None:
        self.zygote.stdin.write(f"{self.store}\n")
        self.zygote.stdin.flush()
        self.pid, self.address = json.loads(self.zygote.stdout.readline())

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)

    def close(self) -> None:
        self.kill()
        self.zygote.stdin.close()
        self.zygote.wait(10)
        self.zygote.stdout.close()


class Player(threading.Thread):
    """Plays a match against itself, whatever happens to the server."""

    def __init__(self, servers: Servers, match: str, seed: int) -> None:
        super().__init__()
        self.servers, self.match = servers, match
        self.random = random.Random(seed)
        self.acknowledged: dict[int, bytes] = {}
        self.retried = 0
        self.stop = threading.Event()
        self.failure: BaseException | None = None

    def run(self) -> None:
        try:
            self.play()
        except BaseException as error:
            self.failure = error

    def play(self) -> None:
        version, sides = 0, ("blue", "red")
        while not self.stop.is_set():
            address = self.servers.address
            with Client(address, timeout=5) as client:
                while not self.stop.is_set() and self.servers.address == address:
                    kind = ("omen", "draw", "omen", "plot", "pass")[version % 5]
                    side = sides[version // 5 % 2]
                    if kind == "draw" and version > 60:
                        kind = "omen"
                    params = {"cell": f"{version % 40:02}{version % 37:02}"}
                    action = Action(kind, side, FrozenMap(params if kind == "plot" else {}))
                    try:
                        event = client.submit(self.match, version, action, key=f"{version} {kind}")
                    except ServiceUnavailableError:
                        # Killed meanwhile: the same call again, which must not act twice.
                        self.retried += 1
                        time.sleep(0.01)
                        continue
                    except ConflictError as conflict:
                        raise AssertionError(f"acknowledged and lost: {conflict}") from None
                    version = event.version
                    self.acknowledged[version] = event.SerializeToString()


def test_nothing_acknowledged_is_lost_however_often_the_server_is_killed(tmp_path, capsys):
    played(Servers(tmp_path / "matches.sqlite3"), KILLS, capsys)


def test_nothing_is_lost_when_server_and_database_are_killed_in_turn(capsys):
    pytest.importorskip("psycopg")
    binaries = postgres.binaries()
    if binaries is None:
        pytest.skip("no PostgreSQL here: apt-get install postgresql")
    with postgres.database(binaries) as database:

        def crash() -> None:
            database.stop("immediate")
            database.start()

        played(Servers(database.address), max(2, KILLS // 8), capsys, crash)


def played(servers: Servers, kills: int, capsys, crash=None) -> None:
    """Play while the server, or the store by `crash`, is killed again and again."""
    chance = random.Random(20)
    servers.start()
    try:
        with Client(servers.address) as client:
            ids = [client.create_match("frontier", "duel", seed=str(i)).id for i in range(PLAYERS)]
        players = [Player(servers, match, i) for i, match in enumerate(ids)]
        for player in players:
            player.start()
        for number in range(kills):
            time.sleep(chance.uniform(0.02, 0.35))
            if crash is not None and number % 2:
                crash()
            else:
                servers.kill()
                servers.start()
        time.sleep(0.2)
        for player in players:
            player.stop.set()
        for player in players:
            player.join(20)
        assert [p.failure for p in players if p.failure] == []
        servers.kill()
        servers.start()
        with Client(servers.address) as client:
            for player in players:
                check(client, player)
    finally:
        servers.close()
    done = sum(len(player.acknowledged) for player in players)
    retried = sum(player.retried for player in players)
    with capsys.disabled():
        print(f"\n{kills} kills, {done} acknowledged actions, {retried} calls cut off, none lost")
    assert done > kills


def check(client: Client, player: Player) -> None:
    """All that was acknowledged is there, nothing twice, and a replay gives the same game."""
    newest = client.match(player.match)
    assert newest.version >= max(player.acknowledged)
    assert newest.version - max(player.acknowledged) <= 1
    data = client.export(player.match, format=matches.EXPORT_FORMAT_GAME_RECORD)
    record = GameRecord.from_lines(data.decode().splitlines())
    assert len(record.events) == newest.version
    *_, last = replay(Frontier(), record)
    assert last.digest == newest.digest
    events = client.watch(player.match, side="")
    for version in range(1, newest.version + 1):
        event = next(events)
        assert event.version == version
        known = player.acknowledged.get(version)
        if known is not None:
            told = matches.Event.FromString(known)
            assert told.time == event.time
            assert told.action_done.action == event.action_done.action
    events.close()


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
