"""How a server fares with many.

`python tests/bench/service/players.py PLAYERS [SECONDS] [STORE ...]`:

Half as many matches as players, each watched from both seats, and an action in every match each
half minute. Watchers are in processes of their own. With a PostgreSQL address named more than once,
there is a server for each, and a match is played on one and watched on others, too.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import sys
import tempfile
import time
from contextlib import AsyncExitStack, ExitStack
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Event

import bench_service as service
import grpc
import grpc.aio
from bench_service_load import CHANNEL, _memory

from hexmarshal.client import AsyncClient, ServiceError
from hexmarshal.rules.action import Action

SECONDS_OF_A_TURN = 30
SIDES = ("blue", "red")
OPTIONS = ("--log-calls", "none", "--max-watchers-per-caller", "10000", "--rate", "0")
CHANNELS = 20
PROCESSES = 2


def _watch(addresses: list[str], matches: list[str], told: Queue[int], end: Event) -> None:
    """Watch each match from both seats, each on another server; then say how much was heard."""
    from hexmarshal.v1 import match_service_pb2 as pb

    async def run() -> int:
        heard = 0
        channels = [
            [grpc.aio.insecure_channel(address, options=CHANNEL) for _ in range(CHANNELS)]
            for address in addresses
        ]

        async def one(number: int, seat: int) -> None:
            nonlocal heard
            request = pb.WatchMatchRequest(match=matches[number], side=SIDES[seat])
            channel = channels[(number + seat) % len(channels)][number % CHANNELS]
            watch = channel.unary_stream("/hexmarshal.v1.MatchService/WatchMatch")
            async for _ in watch(request.SerializeToString()):
                heard += 1

        tasks = []
        for number in range(len(matches)):
            tasks += [asyncio.create_task(one(number, seat)) for seat in (0, 1)]
            if number % 50 == 0:
                await asyncio.sleep(0.1)
        await asyncio.sleep(5)
        told.put(sum(not task.done() for task in tasks))
        while not end.is_set():
            await asyncio.sleep(0.5)
        for task in tasks:
            task.cancel()
        return heard

    told.put(asyncio.run(run()))


async def _play(addresses: list[str], servers: list[int], players: int, seconds: float) -> str:
    clocks = [(~server << 3) | 2 for server in servers]  # of their time on the processor

    def spent() -> float:
        return sum(map(time.clock_gettime, clocks))

    async with AsyncExitStack() as opened:
        clients = [
            await opened.enter_async_context(AsyncClient(address, timeout=60))
            for address in addresses
        ]
        made = []
        for number in range(0, players // 2, 50):
            some = range(number, min(number + 50, players // 2))
            asked = (clients[i % len(clients)].create_match("frontier", "duel") for i in some)
            made += [match.id for match in await asyncio.gather(*asked)]
        told: Queue[int] = multiprocessing.Queue()
        end = multiprocessing.Event()
        shares = [made[i::PROCESSES] for i in range(PROCESSES)]
        watchers = [
            multiprocessing.Process(target=_watch, args=(addresses, share, told, end))
            for share in shares
        ]
        for process in watchers:
            process.start()
        watching = sum([await asyncio.to_thread(told.get) for _ in watchers])
        times: list[float] = []
        refused = 0
        rate = players / 2 / SECONDS_OF_A_TURN
        before, started = spent(), time.monotonic()

        async def act(number: int) -> None:
            nonlocal refused
            await asyncio.sleep(number / rate)
            turn, match = divmod(number, len(made))
            client = clients[match % len(clients)]
            begin = time.perf_counter()
            try:
                await client.submit(made[match], turn, Action("pass", SIDES[turn % 2]))
            except ServiceError:
                refused += 1
            else:
                times.append(time.perf_counter() - begin)

        await asyncio.gather(*(act(number) for number in range(int(rate * seconds))))
        took, busy = time.monotonic() - started, spent() - before
        await asyncio.sleep(2)
        end.set()
        heard = sum([await asyncio.to_thread(told.get) for _ in watchers])
    times.sort()
    half, most = times[len(times) // 2], times[int(len(times) * 0.99)]
    memory = ", ".join(f"{_memory(server) >> 20}" for server in servers)
    return (
        f"{players} players, {watching} watching: {len(times)} actions in {took:.0f} s, {refused}"
        f" refused; {heard} events heard of {2 * len(times)}; {busy / took:.1%} of a core;"
        f" SubmitAction p50 {half * 1e3:.1f} ms, p99 {most * 1e3:.1f} ms; {memory} MiB"
    )


def main(players: int, seconds: float = 60, *stores: str) -> None:
    """Print what was measured."""
    multiprocessing.set_start_method("spawn")
    with tempfile.TemporaryDirectory() as folder, ExitStack() as running:
        places = stores or (f"{folder}/matches.sqlite3",)
        begun = [
            running.enter_context(service._service("--store", place, *OPTIONS)) for place in places
        ]
        addresses, servers = [list(part) for part in zip(*begun, strict=True)]
        print(asyncio.run(_play(addresses, servers, players, seconds)), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), *map(float, sys.argv[2:3]), *sys.argv[3:])
