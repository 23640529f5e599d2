"""Heavy calls go to worker processes; the event loop, deadlines and crashes there."""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import suppress
from pathlib import Path
from random import Random

import grpc
import pytest

from hexmarshal.client import Client, ServiceError, ServiceUnavailableError
from hexmarshal.rules import engine
from hexmarshal.rules.plugins import registry as registries
from hexmarshal.rules.plugins.registry import Registry
from hexmarshal.rules.values import FrozenMap
from hexmarshal.v1 import game_service_pb2 as games_pb
from hexmarshal.v1 import match_service_pb2 as matches
from hexmarshal.v1 import position_pb2
from hexmarshal.v1 import rules_service_pb2 as rules
from hexmarshal.wire.positions import encode_position
from hexmarshal.wire.values import encode_record
from hexmarshal.wire.verdicts import encode_action
from server.conftest import serving
from server.raw_calls import START, act, refused
from server.served import FRONTIER, served


@pytest.fixture(scope="module")
def games():
    """The game by the way that workers find it too: the environment that they inherit."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(registries.ENVIRONMENT, FRONTIER)
        yield Registry((), [FRONTIER])


@pytest.fixture(scope="module")
def live(games):
    with serving(games, workers=2, max_message_bytes=4 << 20) as one:
        yield one


def test_a_worker_gives_the_same_answer_as_the_server_itself(games, client):
    with serving(games, workers=0) as alone, alone.client() as other:
        assert list(client.actions(START)) == list(other.actions(START))
    assert client.odds(START, unit="b00", target="r00")["hit"] > 0
    with pytest.raises(ServiceError) as caught:
        client.ask(START, "reach", unit="nobody")
    assert (caught.value.status, caught.value.place.field) == ("INVALID_ARGUMENT", "params.unit")


def test_the_server_answers_others_while_a_worker_is_busy(client):
    busy = threading.Thread(target=lambda: client.ask(START, "slow", ms=1500))
    busy.start()
    time.sleep(0.3)
    assert client.games()
    assert busy.is_alive()
    busy.join()


def test_a_heavy_call_is_not_taken_for_cheap_because_one_was(client):
    for _ in range(5):
        client.ask(START, "slow", ms=0)
    busy = threading.Thread(target=lambda: client.ask(START, "slow", ms=1500))
    busy.start()
    time.sleep(0.3)
    assert client.games()
    assert busy.is_alive()
    busy.join()


def test_a_deadline_stops_the_work_in_the_worker(live):
    client = live.client(timeout=0.6)
    with client, pytest.raises(ServiceError) as caught:
        client.ask(START, "slow", ms=60_000)
    assert caught.value.status == "DEADLINE_EXCEEDED"
    # Both workers are free again long before the minute is over.
    deadline = time.monotonic() + 20
    while live.server.rulings.waiting and time.monotonic() < deadline:
        time.sleep(0.05)
    with live.client(timeout=20) as after:
        assert not after.ask(START, "slow", ms=10).values


def test_the_server_has_a_limit_of_its_own(games):
    with serving(games, max_seconds=0.5, workers=1) as hasty, hasty.client() as client:
        with pytest.raises(ServiceError) as caught:
            client.ask(START, "slow", ms=60_000)
        assert (caught.value.status, caught.value.reason) == ("DEADLINE_EXCEEDED", "DEADLINE")


def test_a_bug_in_a_plugin_is_internal_from_a_worker_too(client):
    with pytest.raises(ServiceError) as caught:
        client.ask(START, "crash")
    assert (caught.value.status, caught.value.reason) == ("INTERNAL", "BUG")
    assert "secret" not in str(caught.value)


def test_actions_of_matches_may_be_worked_out_by_workers(live, client):
    match = client.create_match("frontier", "duel", seed="w")
    key = ("frontier", "SubmitAction", "omen")
    live.server.rulings.here._costs[key] = 1.0
    first = client.submit(match.id, 0, act("omen"))
    live.server.rulings.here._costs[key] = 0.0
    other = client.create_match("frontier", "duel", seed="w")
    second = client.submit(other.id, 0, act("omen"))
    assert first.effects == second.effects
    assert client.match(match.id).digest == client.match(other.id).digest


def until(true, seconds=20.0):
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it never came to be"
        time.sleep(0.02)


def pool(live):
    return live.server.rulings.pool


def test_cancelled_work_stops_in_the_worker(live, client):
    client.ask(START, "slow", ms=1)
    before = set(pool(live).pids)
    request = rules.QueryRequest(
        position=encode_position(START),
        name="slow",
        params=encode_record(FrozenMap({"ms": 60_000})),
    )
    with grpc.insecure_channel(live.address) as channel:
        method = channel.unary_unary("/hexmarshal.v1.RulesService/Query")
        asked = [method.future(request.SerializeToString()) for _ in range(6)]
        until(lambda: pool(live).waiting == 6)
        for one in asked:
            one.cancel()
        until(lambda: not pool(live).waiting)
    # Stopped, and not by ending the processes: those are dear.
    assert before <= set(pool(live).pids)


MANY = tuple(f"b{i}" for i in range(258_000))


def test_what_is_too_large_is_not_read_on_the_event_loop(live, monkeypatch):
    """Neither parsed nor turned into objects: in the worker, or not at all."""
    seen = []
    read = live.server.rulings.reader.read
    monkeypatch.setattr(live.server.rulings.reader, "read", lambda d: seen.append(d) or read(d))
    tracks = encode_position(START)
    tracks.tracks.update({str(i): i for i in range(200_000)})
    naming = encode_action(act("fire", unit="b00", target=MANY))
    start = encode_position(START)
    for method, request, status in (
        ("RulesService/CheckAction", rules.CheckActionRequest(position=tracks), "EXHAUSTED"),
        (
            "RulesService/CheckAction",
            rules.CheckActionRequest(position=start, action=naming),
            "INVALID_ARGUMENT",
        ),
        (
            "RulesService/BatchCheckActions",
            rules.BatchCheckActionsRequest(position=tracks, actions=[naming]),
            "EXHAUSTED",
        ),
        (
            "RulesService/CheckAction",
            rules.CheckActionRequest(match=position_pb2.MatchPosition(match="x"), action=naming),
            "NOT_FOUND",
        ),
        ("MatchService/SubmitAction", matches.SubmitActionRequest(action=naming), "EXHAUSTED"),
        ("GameService/GetGame", games_pb.GetGameRequest(game="x" * 20_000), "EXHAUSTED"),
    ):
        assert status in refused(live, method, request).code
    with grpc.insecure_channel(live.address) as channel, pytest.raises(grpc.RpcError) as caught:
        channel.unary_unary("/hexmarshal.v1.RulesService/CheckAction")(b"\x98\x06\x01" * 100_000)
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert max(map(len, seen), default=0) < 100_000


def test_a_large_batch_is_answered_as_a_small_one(live, client):
    actions = [act("pass"), act("fire", unit="b00", target="r00")] * 1500
    found = list(client.check_all(START, actions))
    assert [verdict.legal for verdict in found[:2]] * 1500 == [v.legal for v in found]


def test_one_caller_leaves_a_worker_to_the_next(games):
    with (
        serving(games, workers=2, auth="tokens") as live,
        live.client(live.token("glutton")) as glutton,
        live.client(live.token("modest")) as modest,
    ):
        eaten = []
        eating = [
            threading.Thread(target=lambda: eaten.append(glutton.ask(START, "slow", ms=700)))
            for _ in range(5)
        ]
        for one in eating:
            one.start()
        until(lambda: pool(live).waiting == 5)
        modest.ask(START, "slow", ms=10)
        assert len(eaten) < 3
        for one in eating:
            one.join()
        assert len(eaten) == 5


def test_workers_may_die_in_any_order(games):
    chance = Random(7)
    with serving(games, workers=2) as live, live.client(timeout=20) as client:
        for _ in range(6):
            asking = [threading.Thread(target=_ask_slow, args=(client,)) for _ in range(4)]
            for one in asking:
                one.start()
            time.sleep(chance.random() / 4)
            there = pool(live).pids
            for pid in chance.sample(there, chance.randint(0, len(there))):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            for one in asking:
                one.join()
        until(lambda: _ask_slow(client), 20)
        assert not pool(live).waiting


def _ask_slow(client) -> bool:
    try:
        client.ask(START, "slow", ms=50)
    except ServiceError as error:
        if (error.status, error.reason) != ("UNAVAILABLE", "WORKER"):
            raise
        return False
    return True


def test_nothing_is_imported_from_the_folder_of_the_server(games, tmp_path, monkeypatch):
    for name in ("queue", "pickle", "struct", "sqlite3", "random"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'taken')!r}, 'w')\n")
    monkeypatch.chdir(tmp_path)
    with serving(games, workers=1) as live, live.client() as client:
        client.ask(START, "slow", ms=1)
    assert not (tmp_path / "taken").exists()


def test_a_game_whose_loading_a_deadline_interrupts_is_there_for_the_next_call():
    games = registries.default()
    start = engine.start(games.get("kharkov"), "training", {}, "a")
    with serving(games, workers=1) as live:
        for seconds in (0.3, 0.5, 0.7, 0.9):
            with live.client(timeout=seconds) as hasty, suppress(ServiceError):
                list(hasty.actions(start))
        with live.client(timeout=60) as patient:
            assert patient.choices(start)


def test_a_server_that_is_killed_leaves_no_workers(games):
    with served("--ephemeral", "--workers", "2") as (address, server):
        tasks = Path(f"/proc/{server.pid}/task")
        if not list(tasks.glob("*/children")):
            pytest.skip("the system does not tell who started whom")
        with Client(address) as client:
            client.ask(START, "slow", ms=1)
            busy = threading.Thread(target=_ask_long, args=(client,))
            busy.start()
            time.sleep(0.2)
            started = " ".join(one.read_text() for one in tasks.glob("*/children")).split()
            assert len(started) >= 2
            server.kill()
            busy.join()
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in started), 10)


def _ask_long(client) -> None:
    with suppress(ServiceUnavailableError):
        client.ask(START, "slow", ms=25_000)


def test_when_a_worker_dies_the_caller_may_try_again(live, client):
    client.ask(START, "slow", ms=1)
    for pid in live.server.rulings.pool.pids:
        os.kill(pid, signal.SIGKILL)
    found = []
    for _ in range(5):
        try:
            client.ask(START, "slow", ms=1)
            break
        except ServiceError as error:
            found.append((error.status, error.reason))
    else:
        pytest.fail("it never came back")
    assert set(found) <= {("UNAVAILABLE", "WORKER")}
