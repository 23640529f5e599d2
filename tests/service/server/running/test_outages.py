"""PostgreSQL frozen, gone and back: calls end in time, health tells, the next call succeeds."""

from __future__ import annotations

import time

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from hexmarshal.client import ServiceError
from hexmarshal.rules.action import Action
from server import postgres
from server.conftest import serving

pytest.importorskip("psycopg")
BIN = postgres.binaries()
SERVING, NOT_SERVING = (
    health_pb2.HealthCheckResponse.SERVING,
    health_pb2.HealthCheckResponse.NOT_SERVING,
)
MATCHES, RULES = "hexmarshal.v1.MatchService", "hexmarshal.v1.RulesService"


@pytest.fixture(scope="module")
def database():
    if BIN is None:
        pytest.skip("no PostgreSQL here: apt-get install postgresql")
    with postgres.database(BIN) as found:
        yield found


@pytest.fixture
def live(database):
    with serving(store=database.address, ephemeral=False) as one:
        yield one


def health(live, *names: str) -> list[int]:
    with grpc.insecure_channel(live.address) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        return [
            stub.Check(health_pb2.HealthCheckRequest(service=name), timeout=5).status
            for name in names
        ]


def wait_for(live, name: str, status: int) -> None:
    """Until health says so; the test's own limit ends it otherwise."""
    for _ in range(200):
        if health(live, name) == [status]:
            return
        time.sleep(0.05)
    pytest.fail(f"{name} never was {status}")


def refused(client, work) -> str:
    with pytest.raises(ServiceError) as caught:
        work(client)
    return caught.value.status


def test_a_frozen_database_holds_no_call_beyond_its_deadline(database, live):
    with live.client(timeout=1.0) as client, live.client(timeout=20) as patient:
        match = client.create_match("frontier", "duel").id
        watching = patient.watch(match)
        database.freeze()
        try:
            for work in (
                lambda c: c.match(match),
                lambda c: c.submit(match, 0, Action("pass", "blue"), key="k"),
                lambda c: c.create_match("frontier", "duel"),
                lambda c: list(c.matches()),
            ):
                assert refused(client, work) in {"DEADLINE_EXCEEDED", "UNAVAILABLE"}
            # What needs no store is answered as ever.
            assert client.games()
            wait_for(live, MATCHES, NOT_SERVING)
            assert health(live, RULES, "", "liveness", "readiness") == [
                SERVING,
                SERVING,
                SERVING,
                NOT_SERVING,
            ]
        finally:
            database.thaw()
        # The same action under its key happens once, whether or not it was written before.
        assert patient.submit(match, 0, Action("pass", "blue"), key="k").version == 1
        assert next(watching).version == 1
        wait_for(live, MATCHES, SERVING)


def test_the_first_call_after_a_database_is_back_succeeds(database, live):
    with live.client(timeout=20) as client:
        match = client.create_match("frontier", "duel").id
        for version in range(2):
            # Every connection there is breaks.
            database.stop()
            assert refused(client, lambda c: c.match(match)) == "UNAVAILABLE"
            wait_for(live, MATCHES, NOT_SERVING)
            database.start()
            side = ("blue", "red")[version % 2]
            assert client.submit(match, version, Action("pass", side)).version == version + 1
        wait_for(live, "readiness", SERVING)


def test_a_database_that_restarts_between_two_calls_is_not_noticed(database, live):
    with live.client(timeout=20) as client:
        match = client.create_match("frontier", "duel").id
        client.submit(match, 0, Action("pass", "blue"))
        database.stop()
        database.start()
        assert client.submit(match, 1, Action("pass", "red")).version == 2
        assert client.match(match).version == 2
