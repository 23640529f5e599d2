"""Heavy calls go to worker processes; the event loop, deadlines and crashes there."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from hexmarshal.client import ServiceError
from hexmarshal.rules.plugins import registry as registries
from hexmarshal.rules.plugins.registry import Registry

from .conftest import serving
from .test_statuses import START, act

FRONTIER = Path(__file__).parent / "frontier"


@pytest.fixture(scope="module")
def games():
    """The game by the way that workers find it too: the environment that they inherit."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(registries.ENVIRONMENT, f"{FRONTIER}:Frontier")
        yield Registry((), [f"{FRONTIER}:Frontier"])


@pytest.fixture(scope="module")
def live(games):
    with serving(games, workers=2) as one:
        yield one


def test_a_worker_gives_the_same_answer_as_the_server_itself(live, client):
    heavy = list(client.actions(START))
    live.server.rulings._costs = dict.fromkeys(live.server.rulings._costs, 0.0)
    assert list(client.actions(START)) == heavy
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
    live.server.rulings._costs[key] = 1.0
    first = client.submit(match.id, 0, act("omen"))
    live.server.rulings._costs[key] = 0.0
    other = client.create_match("frontier", "duel", seed="w")
    second = client.submit(other.id, 0, act("omen"))
    assert first.effects == second.effects
    assert client.match(match.id).digest == client.match(other.id).digest


def test_when_a_worker_dies_the_caller_may_try_again(live, client):
    client.ask(START, "slow", ms=1)
    for process in list(live.server.rulings._pool._processes.values()):
        os.kill(process.pid, signal.SIGKILL)
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
