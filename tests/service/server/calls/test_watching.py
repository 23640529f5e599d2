"""Many watch many matches: it costs nothing while nothing happens, and comes to an end."""

from __future__ import annotations

import threading
import time

import grpc
import pytest

from hexmarshal.client import ServiceError
from hexmarshal.v1 import rules_service_pb2 as rules
from hexmarshal.wire.positions import encode_position
from server.conftest import serving
from server.raw_calls import START, act


def until(true, seconds=20.0):
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it never came to be"
        time.sleep(0.02)


class Watcher:
    """Somebody who watches, in a thread of its own."""

    def __init__(self, client, match: str, after: int = 0) -> None:
        self.events = []
        self.error: ServiceError | None = None
        self._thread = threading.Thread(target=self._watch, args=(client, match, after))
        self._thread.start()

    def _watch(self, client, match: str, after: int) -> None:
        try:
            for event in client.watch(match, after):
                self.events.append(event.version)
        except ServiceError as error:
            self.error = error

    def ended(self) -> bool:
        self._thread.join(20)
        return not self._thread.is_alive()


def test_watching_asks_nothing_of_the_store_while_nothing_happens(where, monkeypatch):
    with serving(**where) as live, live.client() as client:
        made = [client.create_match("frontier", "duel").id for _ in range(3)]
        watchers = [Watcher(client, match) for match in made for _ in range(4)]
        until(lambda: live.server.matches.watchers == len(watchers))
        time.sleep(0.3)
        asked = []
        head = live.server.store.head
        monkeypatch.setattr(live.server.store, "head", lambda m: asked.append(m) or head(m))
        time.sleep(1.2)
        assert not asked
        client.submit(made[0], 0, act("pass"))
        until(lambda: sum(len(one.events) for one in watchers) == 4)
        assert set(asked) <= {made[0]}
        client.submit(made[0], 1, act("resign", "red"))
        assert all(one.ended() and one.events == [1, 2] for one in watchers[:4])


def test_a_watcher_hears_of_what_is_done_on_another_server(where):
    if where["ephemeral"]:
        pytest.skip("in memory there is no other server")
    with (
        serving(**where) as here,
        serving(**where) as there,
        here.client() as client,
        there.client() as other,
    ):
        match = client.create_match("frontier", "duel").id
        watcher = Watcher(client, match)
        until(lambda: here.server.matches.watchers == 1)
        for version in range(5):
            other.submit(match, version, act("pass", ("blue", "red")[version % 2]))
            if version % 2:
                assert client.match(match).version == version + 1
        until(lambda: watcher.events == [1, 2, 3, 4, 5])
        other.delete_match(match)
        assert watcher.ended()
        assert watcher.error.status == "NOT_FOUND"


def test_more_matches_may_be_watched_than_are_held():
    few = {"max_concurrent_calls": 8, "max_calls_per_caller": 8, "max_held_bytes": 1 << 20}
    with serving(**few) as live, live.client() as client:
        made = [client.create_match("frontier", "duel").id for _ in range(40)]
        watchers = [Watcher(client, match) for match in made]
        until(lambda: live.server.matches.watchers == len(watchers))
        assert live.server.matches.held <= 20
        for match in made[:20]:
            client.submit(match, 0, act("pass"))
        until(lambda: [one.events for one in watchers[:20]] == [[1]] * 20)
        assert client.games()
    assert all(one.ended() for one in watchers)


def test_watchers_have_limits_of_their_own_and_end():
    with (
        serving(max_watchers_per_caller=2, max_watch_seconds=0.8) as live,
        live.client() as client,
    ):
        match = client.create_match("frontier", "duel").id
        watchers = [Watcher(client, match) for _ in range(3)]
        assert all(one.ended() for one in watchers)
        found = sorted(one.error.status for one in watchers)
        assert found == ["DEADLINE_EXCEEDED", "DEADLINE_EXCEEDED", "RESOURCE_EXHAUSTED"]
        assert live.server.matches.watchers == 0


def test_a_stream_on_which_nothing_is_sent_ends():
    with serving(max_seconds=0.6) as live, grpc.insecure_channel(live.address) as channel:
        silent = threading.Event()

        def messages():
            request = rules.CheckActionsRequest(position=encode_position(START))
            yield request.SerializeToString()
            silent.wait(20)

        answers = channel.stream_stream("/hexmarshal.v1.RulesService/CheckActions")(messages())
        with pytest.raises(grpc.RpcError) as caught:
            list(answers)
        silent.set()
        assert caught.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED


def test_who_comes_late_is_told_all_and_the_telling_is_shared():
    with serving() as live, live.client() as client:
        match = client.create_match("frontier", "duel").id
        for version in range(100):
            client.submit(match, version, act("pass", ("blue", "red")[version % 2]))
        early = Watcher(client, match, 90)
        until(lambda: len(early.events) == 10)
        late = [Watcher(client, match) for _ in range(5)]
        until(lambda: all(one.events == list(range(1, 101)) for one in late))
        held = live.server.matches.shelf._held[match]
        assert list(held._told_to) == [""]
        client.submit(match, 100, act("resign"))
        assert all(one.ended() and one.events[-1] == 101 for one in (early, *late))
