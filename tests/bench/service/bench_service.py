"""The rules service against bare RPCs and bare commits: what rules and matches cost on top.

Client, server and workers work side by side, so that the busiest sets the pace, or all of them
together where there are fewer cores: calls a second are counted by their time on the processor, so
that what else the machine does counts for nothing.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path

import grpc
import grpc.aio

# For those that run as scripts.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from ratio import Ratio

ROOT = Path(__file__).resolve().parents[3]
FRONTIER = ROOT / "tests" / "service" / "server" / "frontier"
CALLERS = 8
ECHO = """
import asyncio, grpc, grpc.aio, sys
async def main():
    server = grpc.aio.server()
    async def echo(request, context):
        return request[:int(sys.argv[1])]
    handler = grpc.unary_unary_rpc_method_handler(echo)
    handlers = grpc.method_handlers_generic_handler("bare", {"Echo": handler})
    server.add_generic_rpc_handlers((handlers,))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(port, flush=True)
    await server.wait_for_termination()
asyncio.run(main())
"""


class Pace:
    """How long a client, a server and its workers take for something, were they alone."""

    def __init__(self, server: int) -> None:
        workers = Path(f"/proc/{server}/task").glob("*/children")
        children = [int(pid) for listed in workers for pid in listed.read_text().split()]
        # The clock of a process's time on the processor, as clock_getcpuclockid(3) names it.
        self._clocks = [(~pid << 3) | 2 for pid in (os.getpid(), server, *children)]
        self._start = self._now()

    def _now(self) -> list[float]:
        return [time.clock_gettime(clock) for clock in self._clocks]

    def spent(self) -> float:
        """Seconds since this was made."""
        times = [now - start for now, start in zip(self._now(), self._start, strict=True)]
        return max(*times, sum(times) / (os.cpu_count() or 1))


@contextmanager
def _process(*command: str) -> Iterator[tuple[str, int]]:
    """A server in a process of its own: its first line, on either stream, and its id."""
    env = os.environ | {"HEXMARSHAL_PLUGINS": f"{FRONTIER}:Frontier"}
    process = subprocess.Popen(
        [sys.executable, *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().decode(), process.pid
    finally:
        process.terminate()
        process.wait(60)


@contextmanager
def _service(*options: str) -> Iterator[tuple[str, int]]:
    import json

    command = ("-m", "hexmarshal", "serve", "--listen", "127.0.0.1:0", "--rate", "0")
    with _process(*command, *options) as (line, server):
        yield json.loads(line)["address"], server


@contextmanager
def _echo(answer: int) -> Iterator[tuple[str, int]]:
    with _process("-c", ECHO, str(answer)) as (line, server):
        yield f"127.0.0.1:{line.strip()}", server


async def _drive(
    targets: dict[str, tuple[str, int, str, Callable[[], bytes]]], rounds: int, seconds: float
) -> dict[str, tuple[float, float]]:
    """For each target the calls a second of several callers, and the slowest time in a hundred.

    Turn by turn in short rounds, the best of which counts: a noisy neighbour hits all alike.
    """
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in targets}
    channels = {name: grpc.aio.insecure_channel(target[0]) for name, target in targets.items()}
    for _ in range(rounds):
        for name, (_, server, path, payload) in targets.items():
            call = channels[name].unary_unary(path)
            times: list[float] = []

            async def caller(stop: float) -> None:
                while (begin := time.perf_counter()) < stop:
                    await call(payload())  # noqa: B023 - it ends before the next round
                    times.append(time.perf_counter() - begin)  # noqa: B023

            pace = Pace(server)
            stop = time.perf_counter() + seconds
            await asyncio.gather(*(caller(stop) for _ in range(CALLERS)))
            times.sort()
            found[name].append((len(times) / pace.spent(), times[int(len(times) * 0.99)]))
    for channel in channels.values():
        await channel.close()
    return {
        name: (max(rate for rate, _ in runs), min(slow for _, slow in runs))
        for name, runs in found.items()
    }


def _requests() -> tuple[Callable[[], bytes], Callable[[], bytes], list[object], object]:
    """CheckMove requests: the same position each time; another one each time."""
    from hexmarshal.v1 import rules_service_pb2 as pb
    from hexmarshal.wire import encode_action, encode_position

    sys.path.insert(0, str(FRONTIER.parent))
    from frontier import Frontier

    from hexmarshal.rules.action import Action
    from hexmarshal.rules.values import FrozenMap

    start = Frontier().setup("duel", {}, None)
    moves = [(f"b{i:02}", f"{i:02}06") for i in range(30)]
    paths = [("06", "07", "08"), ("06", "07"), ("04", "03", "02"), ("04",), ("06", "08"), ("06",)]
    turn = count()

    def request(position: object) -> bytes:
        unit, cell = moves[next(turn) % 30]
        return pb.CheckMoveRequest(position=position, units=[unit], path=[cell]).SerializeToString()

    same = encode_position(start)
    fixed = [request(same) for _ in moves]
    another = [
        request(
            encode_position(
                replace(start.with_unit(replace(start.unit("r05"), rank=n)), turn=n + 1)
            )
        )
        for n in range(20_000)
    ]
    new = iter(another)
    fixed_turn = count()
    actions = [
        encode_action(
            Action("move", "blue", FrozenMap({"unit": u, "path": tuple(c[:2] + r for r in path)}))
        )
        for u, c in moves
        for path in paths
    ]
    return (lambda: fixed[next(fixed_turn) % 30]), (lambda: next(new)), actions, same


def unary() -> Iterator[Ratio]:
    same, another, actions, position = _requests()
    path = "/hexmarshal.v1.RulesService/CheckMove"
    with _service("--ephemeral") as (address, server):
        answer = asyncio.run(_one(address, path, same()))
        with _echo(len(answer)) as (bare, echo):
            targets = {
                "echo": (bare, echo, "/bare/Echo", same),
                "same": (address, server, path, same),
                "new": (address, server, path, another),
            }
            found = asyncio.run(_drive(targets, rounds=20, seconds=0.3))
        rate = {name: best for name, (best, _) in found.items()}
        slow = {name: tail for name, (_, tail) in found.items()}
        yield Ratio(
            "CheckMove, 60 units, calls/s, against echo",
            rate["same"],
            rate["echo"],
            0.5,
            at_least=True,
        )
        yield Ratio(
            "CheckMove, another position each time, calls/s, against echo",
            rate["new"],
            rate["echo"],
            0.2,
            at_least=True,
        )
        yield Ratio("CheckMove, p99 in s, against echo", slow["same"], slow["echo"], 2)
        checks = max(asyncio.run(_stream(address, server, position, actions)) for _ in range(12))
        yield Ratio(
            "CheckActions stream, checks/s, against CheckMove",
            checks,
            rate["same"],
            10,
            at_least=True,
        )


async def _one(address: str, path: str, data: bytes) -> bytes:
    async with grpc.aio.insecure_channel(address) as channel:
        return await channel.unary_unary(path)(data)


async def _stream(address: str, server: int, position: object, actions: list[object]) -> float:
    """Checks a second when the position is sent once and the actions in batches."""
    from hexmarshal.v1 import rules_service_pb2 as pb

    batch = [actions[i % len(actions)] for i in range(300)]
    first = pb.CheckActionsRequest(position=position, actions=batch).SerializeToString()
    later = pb.CheckActionsRequest(actions=batch).SerializeToString()
    rounds = 40

    async def requests() -> object:
        yield first
        for _ in range(rounds - 1):
            yield later

    async with grpc.aio.insecure_channel(address) as channel:
        call = channel.stream_stream("/hexmarshal.v1.RulesService/CheckActions")
        await channel.channel_ready()
        pace = Pace(server)
        done = 0
        async for answer in call(requests()):
            done += 1
            assert answer
        return done * len(batch) / pace.spent()


def durable() -> Iterator[Ratio]:
    """As many actions, by several players at once, as bare commits of one row, one by one.

    A disk has moods, each for a while: what counts is the middle one of several pairs.
    """
    name = "SubmitAction, durable, actions/s, against bare commits"
    with tempfile.TemporaryDirectory() as folder:
        pairs = []
        with _service("--store", f"{folder}/matches.sqlite3") as (address, _):
            for i in range(9):
                bare = _commits(Path(folder) / f"bare{i}.sqlite3", 400)
                ours = asyncio.run(_submit(address, 400))
                pairs.append(Ratio(name, ours, bare, 0.5, at_least=True))
    yield sorted(pairs, key=lambda pair: pair.value)[len(pairs) // 2]


def _commits(file: Path, number: int) -> float:
    """Single-row durable commits a second."""
    db = sqlite3.connect(file, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("CREATE TABLE events (id INTEGER PRIMARY KEY, data BLOB)")
    data = os.urandom(200)
    start = time.perf_counter()
    for _ in range(number):
        db.execute("INSERT INTO events (data) VALUES (?)", (data,))
    spent = time.perf_counter() - start
    db.close()
    return number / spent


async def _submit(address: str, number: int) -> float:
    """Actions a second of players in as many matches as there are callers."""
    from hexmarshal.client import AsyncClient
    from hexmarshal.rules.action import Action

    async with AsyncClient(address) as client:
        matches = [await client.create_match("frontier", "duel") for _ in range(CALLERS * 2)]

        async def player(id: str) -> None:
            for version in range(number // len(matches)):
                side = ("blue", "red")[version % 2]
                await client.submit(id, version, Action("pass", side))

        start = time.perf_counter()
        await asyncio.gather(*(player(match.id) for match in matches))
        return number // len(matches) * len(matches) / (time.perf_counter() - start)


def measure() -> Iterator[Ratio]:
    parts: tuple[Callable[[], Iterator[Ratio]], ...] = (unary, durable)
    for part in parts:
        yield from part()
