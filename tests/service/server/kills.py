"""Plays matches while servers, workers and the database are killed, and looks what is left of them.

tests/bench/service/kills.py does it hundreds of times.
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
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from hexmarshal.client import Client, ConflictError, ServiceError
from hexmarshal.rules.action import Action
from hexmarshal.rules.playing.record import GameRecord, replay
from hexmarshal.rules.values import FrozenMap
from hexmarshal.v1 import match_service_pb2 as matches

from . import postgres
from .frontier import Frontier

PLAYERS = 4
HERE = Path(__file__).parent


class Servers:
    """One server at a time, killed and started again on the same store."""

    def __init__(self, store: Path | str, workers: int = 0) -> None:
        env = os.environ | {"HEXMARSHAL_PLUGINS": f"{HERE / 'frontier'}:Frontier"}
        self.store, self.workers = store, workers
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
        self.zygote.stdin.write(f"{self.workers} {self.store}\n")
        self.zygote.stdin.flush()
        self.pid, self.address = json.loads(self.zygote.stdout.readline())

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)

    def restart(self) -> None:
        self.kill()
        self.start()

    def kill_workers(self, chance: random.Random) -> None:
        """Some of its workers, or all."""
        tasks = Path(f"/proc/{self.pid}/task").glob("*/children")
        there = [int(pid) for one in tasks for pid in one.read_text().split()]
        for pid in chance.sample(there, chance.randint(1, len(there)) if there else 0):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

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
                    kind = ("omen", "draw", "ponder", "plot", "pass")[version % 5]
                    side = sides[version // 5 % 2]
                    if kind == "draw" and version > 60:
                        kind = "omen"
                    params = {"cell": f"{version % 40:02}{version % 37:02}"}
                    action = Action(kind, side, FrozenMap(params if kind == "plot" else {}))
                    try:
                        event = client.submit(self.match, version, action, key=f"{version} {kind}")
                    except ConflictError as conflict:
                        raise AssertionError(f"acknowledged and lost: {conflict}") from None
                    except ServiceError as error:
                        if error.status not in {"UNAVAILABLE", "DEADLINE_EXCEEDED"}:
                            raise
                        # Killed meanwhile: the same call again, which must not act twice.
                        self.retried += 1
                        time.sleep(0.01)
                        continue
                    version = event.version
                    self.acknowledged[version] = event.SerializeToString()


def acknowledged(players: list[Player]) -> int:
    return sum(len(player.acknowledged) for player in players)


def until(true: Callable[[], bool], seconds: float = 120.0) -> None:
    stop = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < stop, "nobody was answered any more"
        time.sleep(0.005)


def played(servers: Servers, blows: Mapping[str, Callable[[], None]], kills: int) -> str:
    """Play while one blow after the other falls; what came of it, or an AssertionError."""
    chance = random.Random(20)
    fallen = dict.fromkeys(blows, 0)
    servers.start()
    try:
        with Client(servers.address) as client:
            ids = [client.create_match("frontier", "duel", seed=str(i)).id for i in range(PLAYERS)]
        players = [Player(servers, match, i) for i, match in enumerate(ids)]
        for player in players:
            player.start()
        for number in range(kills):
            before = acknowledged(players)
            until(lambda: acknowledged(players) > before)  # noqa: B023 - at once
            time.sleep(chance.uniform(0.0, 0.2))
            name = list(blows)[number % len(blows)]
            blows[name]()
            fallen[name] += 1
        time.sleep(0.2)
        for player in players:
            player.stop.set()
        for player in players:
            player.join(60)
        assert [p.failure for p in players if p.failure] == []
        servers.restart()
        with Client(servers.address, timeout=60) as client:
            for player in players:
                check(client, player)
    finally:
        servers.close()
    done = acknowledged(players)
    retried = sum(player.retried for player in players)
    told = ", ".join(f"{count} of the {name}" for name, count in fallen.items())
    return f"killed {told}: {done} acknowledged actions, {retried} calls cut off, none lost"


def of_server_and_workers(store: Path | str, kills: int) -> str:
    """On SQLite."""
    servers, chance = Servers(store, workers=2), random.Random(21)
    blows = {"server": servers.restart, "workers": lambda: servers.kill_workers(chance)}
    return played(servers, blows, kills)


def of_everything(binaries: Path, kills: int) -> str:
    """On PostgreSQL, which is killed and frozen as well."""
    with postgres.database(binaries) as database:
        servers, chance = Servers(database.address, workers=2), random.Random(22)

        def crash() -> None:
            database.stop("immediate")
            database.start()

        def freeze() -> None:
            database.freeze()
            time.sleep(chance.uniform(0.2, 1.5))
            database.thaw()

        blows = {
            "server": servers.restart,
            "database": crash,
            "workers": lambda: servers.kill_workers(chance),
            "database, frozen": freeze,
        }
        return played(servers, blows, kills)


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
