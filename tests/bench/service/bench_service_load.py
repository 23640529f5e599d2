"""The service under load: a hostile caller beside modest ones, and thousands who watch.

HEXMARSHAL_LOAD_SECONDS is how long the hostile caller goes on (30; 600 for the whole test).
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from statistics import median

import bench_service as service
import grpc
import grpc.aio
from ratio import Ratio

SECONDS = float(os.environ.get("HEXMARSHAL_LOAD_SECONDS", "30"))
MATCHES, WATCHERS = 1000, 5000
# Calm and attacked take turns, so many of each at most.
TURN_SECONDS, TURNS = 3.0, 12
CHECK = "/hexmarshal.v1.RulesService/CheckAction"
CHANNEL = (("grpc.max_send_message_length", -1), ("grpc.use_local_subchannel_pool", 1))


def _hostile_requests() -> list[tuple[str, bytes]]:
    """What one caller can ask for that costs much: far lists, huge positions, many names."""
    from hexmarshal.rules import engine
    from hexmarshal.rules.plugins.registry import default
    from hexmarshal.service.settings import Settings
    from hexmarshal.v1 import game_service_pb2, position_pb2
    from hexmarshal.v1 import rules_service_pb2 as pb
    from hexmarshal.wire import encode_position

    most = Settings().max_message_bytes - 1000
    start = encode_position(engine.start(default().get("kharkov"), "campaign", {}, "x"))
    far = pb.ListActionsRequest(position=start, side=start.active[0], page_size=1000)
    tracks = position_pb2.Position(game="kharkov")
    for i in range(most // 16):
        tracks.tracks[f"t{i}"] = i
    many = position_pb2.Position(game="kharkov")
    for i in range(5000):
        many.units.add(id=f"u{i}", type="x", side="axis", cell="0101").values.fields[
            "a"
        ].string_value = "b" * (most // 5000 - 60)
    naming = pb.CheckActionRequest(position=start)
    naming.action.kind, naming.action.side = "move", "axis"
    naming.action.params.fields["units"].list_value.values.extend(
        [naming.action.params.fields["none"]] * 100_000
    )
    scenario = game_service_pb2.GetScenarioRequest(game="traces_of_war", scenario="exercise")
    asked = [
        ("RulesService/ListActions", far),
        ("RulesService/ValidatePosition", pb.ValidatePositionRequest(position=tracks)),
        ("RulesService/ValidatePosition", pb.ValidatePositionRequest(position=many)),
        ("RulesService/CheckAction", naming),
        ("GameService/GetScenario", scenario),
    ]
    assert all(request.ByteSize() < most + 1000 for _, request in asked)
    return [(method, request.SerializeToString()) for method, request in asked]


async def _attack(address: str, token: str) -> None:
    """Ask for all of it, over and over, and cancel half of it at once."""
    asked = _hostile_requests()
    metadata = (("authorization", f"Bearer {token}"),)
    crowded = b"\x12\x00" * 400_000
    bomb = b"\x0a\xc0\x84\x3d" + bytes(1_000_000)
    async with grpc.aio.insecure_channel(address, options=CHANNEL) as channel:

        async def odd() -> None:
            """What makes no sense, expands, or never comes."""
            check = channel.unary_unary(CHECK)
            silent = channel.stream_stream("/hexmarshal.v1.RulesService/CheckActions")
            while True:
                half_open = silent(metadata=metadata, timeout=1)
                for data, packed, more in (
                    (b"\xff" * 1000, None, ()),
                    (crowded, None, ()),
                    (bomb, grpc.Compression.Gzip, ()),
                    (b"", None, (("x-filler", "x" * 6000),)),
                ):
                    with suppress(grpc.RpcError):
                        await check(
                            data, metadata=(*metadata, *more), timeout=20, compression=packed
                        )
                half_open.cancel()
                await asyncio.sleep(0)

        async def one(number: int) -> None:
            turn = number
            while True:
                method, data = asked[turn % len(asked)]
                call = channel.unary_unary(f"/hexmarshal.v1.{method}")(
                    data, metadata=metadata, timeout=20
                )
                if turn % 2:
                    await asyncio.sleep(0.02)
                    call.cancel()
                with suppress(grpc.RpcError, asyncio.CancelledError):
                    await call
                turn += 1
                await asyncio.sleep(0)

        await asyncio.gather(odd(), *(one(i) for i in range(12)))


async def _modest(address: str, token: str, data: bytes, seconds: float) -> list[float]:
    """The times of calls that somebody makes ten times a second."""
    metadata = (("authorization", f"Bearer {token}"),)
    times = []
    async with grpc.aio.insecure_channel(address, options=CHANNEL) as channel:
        check = channel.unary_unary(CHECK)
        stop = time.perf_counter() + seconds
        while (begin := time.perf_counter()) < stop:
            await check(data, metadata=metadata, timeout=20)
            times.append(time.perf_counter() - begin)
            await asyncio.sleep(0.02)
    return times


async def _warm(address: str, token: str, data: bytes) -> None:
    """Until the game is loaded: workers stand back, and on a busy machine that takes its time."""
    async with grpc.aio.insecure_channel(address, options=CHANNEL) as channel:
        check = channel.unary_unary(CHECK)
        for left in reversed(range(6)):
            try:
                await check(data, metadata=(("authorization", f"Bearer {token}"),), timeout=20)
            except grpc.RpcError:
                if not left:
                    raise
            else:
                return


def _p99(turns: list[list[float]]) -> float:
    """Of each turn, and of those the median: a busy spell of the machine falls into few of them."""
    return median(sorted(times)[int(len(times) * 0.99)] for times in turns)


def _memory(server: int) -> int:
    """What the server and its workers hold."""
    listed = Path(f"/proc/{server}/task").glob("*/children")
    pids = [server, *(int(pid) for one in listed for pid in one.read_text().split())]
    found = 0
    for pid in pids:
        with suppress(OSError):
            found += int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096
    return found


def _tokens(store: str) -> list[str]:
    from hexmarshal.service.auth import Role, new_token
    from hexmarshal.service.store import open_store

    async def make() -> list[str]:
        kept = open_store(store)
        await kept.open()
        made = [new_token(name, Role.PLAYER) for name in ("hostile", "ann", "bob", "cat")]
        for _, row in made:
            await kept.add_token(row)
        await kept.close()
        return [token for token, _ in made]

    return asyncio.run(make())


def hostile() -> Iterator[Ratio]:
    """Others' slowest calls beside a hostile caller, and what the server holds meanwhile.

    Calm and attacked by turns, so that what else the machine does is beside both. The attacker
    steps back behind the server, which a caller from elsewhere takes no processor from.
    """
    from bench_service_combat import _requests

    check, _ = _requests()
    with tempfile.TemporaryDirectory() as folder:
        store = f"{folder}/matches.sqlite3"
        bad, *good = _tokens(store)
        with service._service("--store", store, "--auth", "tokens", "--log-calls", "none") as (
            address,
            server,
        ):

            async def run() -> tuple[list[list[float]], list[list[float]], list[int]]:
                async def all_of(seconds: float) -> list[float]:
                    found = await asyncio.gather(
                        *(_modest(address, token, check, seconds) for token in good)
                    )
                    return [one for times in found for one in times]

                await _warm(address, good[0], check)
                await all_of(1)
                # In a process of its own: to attack costs something, too.
                attack = subprocess.Popen(
                    ["nice", "-n", "19", sys.executable, __file__, address, bad]
                )
                try:
                    await all_of(8)
                    calm: list[list[float]] = []
                    attacked: list[list[float]] = []
                    held: list[int] = []
                    end = time.monotonic() + SECONDS
                    while time.monotonic() < end:
                        attacked.append(await all_of(TURN_SECONDS))
                        held.append(_memory(server))
                        if len(calm) < TURNS:
                            attack.send_signal(signal.SIGSTOP)
                            await asyncio.sleep(2)
                            calm.append(await all_of(TURN_SECONDS))
                            attack.send_signal(signal.SIGCONT)
                            await all_of(1)
                finally:
                    attack.kill()
                    attack.wait()
                return calm, attacked[: max(TURNS, len(calm))], held

            calm, attacked, held = asyncio.run(run())
    yield Ratio("p99 of others beside a hostile caller, s", _p99(attacked), _p99(calm), 2)
    half = len(held) // 2
    yield Ratio(
        f"memory after {SECONDS:.0f} s of it, of server and workers, MiB",
        max(held[half:]) / 2**20,
        max(held[: half + 1]) / 2**20,
        1.25,
    )


@asynccontextmanager
async def _watching(address: str, matches: list[str]) -> AsyncIterator[list[int]]:
    """Thousands of streams; the list grows by one for each event that arrives."""
    from hexmarshal.v1 import match_service_pb2 as pb

    heard: list[int] = []
    channels = [grpc.aio.insecure_channel(address, options=CHANNEL) for _ in range(20)]

    async def one(number: int) -> None:
        request = pb.WatchMatchRequest(match=matches[number % MATCHES], after_version=0)
        call = channels[number % len(channels)].unary_stream(
            "/hexmarshal.v1.MatchService/WatchMatch"
        )(request.SerializeToString())
        async for _ in call:
            heard.append(number)  # noqa: PERF401 - as they come

    tasks = []
    for number in range(WATCHERS):
        tasks.append(asyncio.create_task(one(number)))
        if number % 100 == 0:
            await asyncio.sleep(0.05)
    await asyncio.sleep(5)
    try:
        yield heard
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for channel in channels:
            await channel.close()


def watchers() -> Iterator[Ratio]:
    """CheckAction beside 5,000 who watch 1,000 matches, in one of which something happens."""
    from bench_service_combat import _requests

    from hexmarshal.client import AsyncClient
    from hexmarshal.rules.action import Action

    check, _ = _requests()
    options = ("--log-calls", "none", "--max-watchers-per-caller", "10000", "--burst", "100000")
    with service._service("--ephemeral", *options) as (address, _):

        async def run() -> tuple[float, float, int]:
            idle = median(await _modest(address, "", check, 10))
            async with AsyncClient(address) as client:
                made = [await client.create_match("frontier", "duel") for _ in range(MATCHES)]
                ids = [match.id for match in made]
                async with _watching(address, ids) as heard:
                    times = asyncio.create_task(_modest(address, "", check, 10))
                    for number in range(10):
                        await client.submit(ids[number], 0, Action("pass", "blue"))
                        await asyncio.sleep(1)
                    found = median(await times)
                    for _ in range(300):
                        if len(heard) >= 50:
                            break
                        await asyncio.sleep(0.1)
                    return idle, found, len(heard)

        idle, busy, heard = asyncio.run(run())
    yield Ratio("p50 of CheckAction beside 5,000 watchers, s", busy, idle, 1.5)
    yield Ratio("events that watchers heard, of 50", heard, 50, 1, at_least=True)


def measure() -> Iterator[Ratio]:
    yield from watchers()
    yield from hostile()


if __name__ == "__main__":
    asyncio.run(_attack(*sys.argv[1:]))
