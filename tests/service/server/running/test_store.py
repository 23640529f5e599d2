"""The same behaviour on SQLite, in memory and in PostgreSQL."""

from __future__ import annotations

import asyncio
import sqlite3
from dataclasses import replace

import grpc
import pytest

from hexmarshal.client import Client, ConflictError, ServiceError
from hexmarshal.errors import MissingExtraError
from hexmarshal.rules.action import Action
from hexmarshal.service.store import (
    Change,
    EventRow,
    MatchRow,
    StoreUnavailableError,
    TokenRow,
    VersionConflictError,
    open_store,
)
from hexmarshal.v1 import match_service_pb2 as pb
from server.conftest import serving


def match(id="m", **changes) -> MatchRow:
    row = MatchRow(
        id=id,
        game="g",
        scenario="s",
        title="Ein schöner Titel",
        seats=(("blue", "ann"), ("red", "")),
        undo=2,
        options="{}",
        seed="s",
        opening=b"\x00\xff",
        created_at=1,
        created_by="ann",
        key="",
    )
    return replace(row, **changes)


def in_store(where, work):
    async def run():
        store = open_store(where["store"], ephemeral=where.get("ephemeral", False))
        await store.open()
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(run())


def test_a_match_and_its_events_come_back_as_they_were(where):
    async def work(store):
        await store.create_match(match())
        first = EventRow(1, b"\x00one", drawn=3, key="k")
        second = EventRow(
            2, b"two", drawn=4, position=b"\xffwhole", untold=("red",), aside=("blue", "green")
        )
        await store.append("m", first)
        await store.append("m", second, Change(behind=(("red", 1),)))
        found = await store.match("m")
        grown = len(found.opening + b"\x00one" + b"two" + b"\xffwhole")
        assert found.changed_at > found.created_at
        later = {"changed_at": found.changed_at, "bytes": grown}
        assert found == replace(match(), version=2, behind=(("red", 1),), **later)
        assert await store.events("m", 0) == [first, second]
        assert await store.events("m", 1) == [second]
        assert await store.head("m") == 2
        assert await store.head("other") is None
        assert await store.match("other") is None

    in_store(where, work)


def test_a_version_is_taken_once_whoever_is_faster(where):
    async def work(store):
        await store.create_match(match())

        async def try_it(n):
            try:
                await store.append("m", EventRow(1, b"%d" % n))
            except VersionConflictError:
                return 0
            return 1

        assert sum(await asyncio.gather(*(try_it(n) for n in range(20)))) == 1
        with pytest.raises(VersionConflictError):
            await store.append("m", EventRow(3, b"gap"))
        with pytest.raises(VersionConflictError):
            await store.append("nowhere", EventRow(1, b""))
        await store.append("m", EventRow(2, b"", key="k"))
        with pytest.raises(VersionConflictError):
            await store.append("m", EventRow(3, b"", key="k"))
        assert await store.head("m") == 2

    in_store(where, work)


def test_a_key_makes_creation_idempotent_for_each_creator(where):
    async def work(store):
        first = await store.create_match(match("a", key="k"))
        again = await store.create_match(match("b", key="k"))
        other = await store.create_match(match("c", key="k", created_by="bob"))
        await store.create_match(match("d"))
        await store.create_match(match("e"))
        return first.id, again.id, other.id

    assert in_store(where, work) == ("a", "a", "c")


def test_matches_are_listed_newest_first_and_by_seat(where):
    async def work(store):
        for i in range(5):
            player = "ann" if i % 2 else "bob"
            await store.create_match(
                match(f"m{i}", created_at=i, seats=(("blue", player),), game="g" if i else "h")
            )
        await store.create_match(match("open", created_at=9, seats=(("blue", ""),), open=True))

        async def ids(**asked):
            wanted = {"player": None, "ids": (), "game": "", "after": "", "limit": 10} | asked
            return [row.id for row in await store.matches(**wanted)]

        assert await ids() == ["open", "m4", "m3", "m2", "m1", "m0"]
        assert await ids(limit=2, after="m4") == ["m3", "m2"]
        assert await ids(player="ann") == ["m3", "m1"]
        assert await ids(player="ann", ids=["m4"]) == ["m4", "m3", "m1"]
        assert await ids(player="ann", open=True) == ["open"]
        assert await ids(game="h") == ["m0"]

    in_store(where, work)


def test_a_match_that_is_removed_is_gone_with_its_events(where):
    async def work(store):
        await store.create_match(match())
        await store.append("m", EventRow(1, b""))
        assert await store.delete_match("m")
        assert not await store.delete_match("m")
        assert await store.events("m", 0) == []
        await store.create_match(match())

    in_store(where, work)


def test_what_was_refused_is_kept_up_to_a_number(where):
    async def work(store):
        await store.create_match(match())
        before = (await store.match("m")).bytes
        for n in range(5):
            await store.refuse("m", b"no %d" % n, 3)
        assert await store.refusals("m") == [b"no 0", b"no 1", b"no 2"]
        assert (await store.match("m")).bytes == before + 12
        await store.delete_match("m")
        assert await store.refusals("m") == []

    in_store(where, work)


def test_seats_and_ends_are_kept_with_their_event(where):
    async def work(store):
        await store.create_match(match(open=True))
        seats = (("blue", "ann"), ("red", "bob"))
        await store.append("m", EventRow(1, b""), Change(seats=seats))
        found = await store.match("m")
        assert (found.seats, found.open, found.ended_at) == (seats, False, None)
        mine = {"ids": (), "game": "", "after": "", "limit": 9}
        assert [row.id for row in await store.matches(player="bob", **mine)] == ["m"]
        with pytest.raises(VersionConflictError):
            await store.append("m", EventRow(1, b""), Change(seats=(("blue", ""), ("red", ""))))
        assert (await store.match("m")).seats == seats
        await store.append("m", EventRow(2, b""), Change(ended=True))
        ended = (await store.match("m")).ended_at
        assert ended
        assert await store.old_matches(ended + 1, unfinished=False) == ["m"]
        assert await store.old_matches(ended, unfinished=True) == []
        assert (await store.stored()).matches == (await store.made_by("ann")).matches == 1

    in_store(where, work)


def test_tokens_are_kept_by_hash(where):
    async def work(store):
        row = TokenRow("ann", "h", "player", (("m", "red"),), 1, 2)
        assert await store.add_token(row)
        assert not await store.add_token(replace(row, hash="other"))
        assert await store.token("h") == row
        assert await store.token("?") is None
        assert await store.tokens() == [row]
        assert await store.remove_token("ann")
        assert not await store.remove_token("ann")

    in_store(where, work)


def test_a_store_that_is_opened_again_is_not_made_anew(where):
    if where.get("ephemeral"):
        pytest.skip("memory forgets")

    async def fill(store):
        await store.create_match(match())

    async def look(store):
        return await store.head("m")

    in_store(where, fill)
    assert in_store(where, look) == 0


def test_a_whole_match_is_played_and_another_server_goes_on_with_it(where):
    def play(client: Client, id: str, versions: range) -> None:
        for version in versions:
            side = ("blue", "red")[version // 2 % 2]
            kind = ("omen", "pass")[version % 2]
            client.submit(id, version, Action(kind, side), key=f"v{version}")

    with serving(**where) as first, first.client() as one:
        held = one.create_match("frontier", "duel", seed="two servers").id
        play(one, held, range(4))
        if where.get("ephemeral"):
            return
        with serving(**where) as second, second.client() as two:
            play(two, held, range(4, 8))
            assert one.match(held).version == 8
            with pytest.raises(ConflictError):
                one.submit(held, 4, Action("pass", "blue"))
            assert one.match(held) == two.match(held)
            events = one.watch(held)
            assert [next(events).version for _ in range(8)] == list(range(1, 9))
            two.submit(held, 8, Action("resign", "blue"))
            assert next(events).version == 9
            assert list(events) == []


def test_two_servers_never_lose_an_update(where):
    if where.get("ephemeral"):
        pytest.skip("memory belongs to one server")
    from concurrent.futures import ThreadPoolExecutor

    with (
        serving(**where) as first,
        serving(**where) as second,
        first.client() as one,
        second.client() as two,
    ):
        held = one.create_match("frontier", "duel", seed="race").id

        def player(client: Client) -> int:
            done = 0
            while done < 15:
                now = client.match(held)
                try:
                    client.submit(held, now.version, Action("pass", now.position.active[0]))
                    done += 1
                except ServiceError as error:
                    if error.status not in {"ABORTED", "FAILED_PRECONDITION"}:
                        raise
            return done

        with ThreadPoolExecutor(4) as pool:
            done = sum(pool.map(player, (one, two, one, two)))
        assert one.match(held).version == two.match(held).version == done == 60
        assert one.match(held).position.turn == 31


def test_reading_a_match_while_it_is_played_counts_no_event_twice(where):
    import threading

    with serving(**where) as live, live.client() as client:
        held = client.create_match("frontier", "duel", seed="r").id
        stop = threading.Event()

        def read() -> None:
            while not stop.is_set():
                client.match(held)

        readers = [threading.Thread(target=read) for _ in range(3)]
        for reader in readers:
            reader.start()
        for version in range(40):
            client.submit(held, version, Action("pass", ("blue", "red")[version % 2]))
        stop.set()
        for reader in readers:
            reader.join()
        events = client.watch(held)
        assert [next(events).version for _ in range(40)] == list(range(1, 41))
        events.close()
        found = live.server.matches.shelf._held[held]
        assert found.standing == list(range(1, 41))


# What only one of them can get wrong


def test_many_writers_share_one_commit(tmp_path):
    async def work(store):
        for i in range(50):
            await store.create_match(match(f"m{i}"))
        before = store.commits
        await asyncio.gather(*(store.append(f"m{i}", EventRow(1, b"")) for i in range(50)))
        return store.commits - before

    assert in_store({"store": str(tmp_path / "s.sqlite3")}, work) < 25


def test_a_file_that_is_no_store_is_a_clear_error(tmp_path):
    bad = tmp_path / "bad.sqlite3"
    bad.write_bytes(b"This is not a database, it only looks like one." * 100)
    with pytest.raises(StoreUnavailableError) as caught:
        in_store({"store": str(bad)}, lambda _: None)
    assert caught.value.place.file == str(bad)
    with pytest.raises(StoreUnavailableError):
        in_store({"store": str(tmp_path / "no" / "such" / "folder")}, lambda _: None)
    with pytest.raises(StoreUnavailableError):
        in_store({"store": "postgresql://nobody@127.0.0.1:1/none"}, lambda _: None)


def test_a_store_of_a_newer_version_is_left_alone(tmp_path):
    file = tmp_path / "new.sqlite3"

    async def nothing(_store):
        pass

    in_store({"store": str(file)}, nothing)
    with sqlite3.connect(file) as db:
        db.execute("INSERT INTO migrations VALUES (99, 0)")
    db.close()
    with pytest.raises(StoreUnavailableError) as caught:
        in_store({"store": str(file)}, nothing)
    assert "newer" in str(caught.value)


def test_postgresql_without_its_driver_says_what_to_install(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.delitem(sys.modules, "hexmarshal.service.store.postgres", raising=False)
    with pytest.raises(MissingExtraError) as caught:
        open_store("postgresql://x")
    assert "hexmarshal[postgres]" in caught.value.hint


@pytest.mark.parametrize(
    ("method", "request_", "field"),
    [
        ("GetMatch", pb.GetMatchRequest(match="a\0"), "match"),
        ("ListMatches", pb.ListMatchesRequest(game="a\0"), "game"),
        ("ListMatches", pb.ListMatchesRequest(page_token="a\0"), "page_token"),
        ("DeleteMatch", pb.DeleteMatchRequest(match="a\0"), "match"),
        ("SubmitAction", pb.SubmitActionRequest(match="a\0"), "match"),
        ("SubmitAction", pb.SubmitActionRequest(idempotency_key="\0"), "idempotency_key"),
        ("UndoAction", pb.UndoActionRequest(match="a\0"), "match"),
        ("WatchMatch", pb.WatchMatchRequest(match="a\0"), "match"),
        ("ExportMatch", pb.ExportMatchRequest(match="a\0"), "match"),
        ("CreateMatch", pb.CreateMatchRequest(game="frontier", title="a\0"), "title"),
        ("CreateMatch", pb.CreateMatchRequest(game="frontier", seed="a\0"), "seed"),
        (
            "CreateMatch",
            pb.CreateMatchRequest(game="frontier", seats=[pb.Seat(), pb.Seat(player="\0")]),
            "seats[1].player",
        ),
    ],
)
def test_text_that_a_store_cannot_keep_is_refused(where, method, request_, field):
    path, data = f"/hexmarshal.v1.MatchService/{method}", request_.SerializeToString()
    with serving(**where) as live, grpc.insecure_channel(live.address) as channel:
        answers = channel.unary_stream(path)(data, timeout=20)
        with pytest.raises(grpc.RpcError) as caught:
            list(answers)
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert caught.value.details().startswith(field)


def test_an_action_is_not_written_upon_what_came_in_while_it_was_worked_out(tmp_path, monkeypatch):
    """Another server's event, read here by somebody who looks: the action is decided anew."""
    where = {"store": str(tmp_path / "matches.sqlite3"), "ephemeral": False}
    with (
        serving(**where) as first,
        serving(**where) as second,
        first.client() as one,
        second.client() as two,
    ):
        match = one.create_match("frontier", "duel").id
        playing = first.server.matches.playing
        perform = playing.rulings.perform

        async def slowly(*values):
            applied = await perform(*values)
            monkeypatch.undo()
            await asyncio.to_thread(two.submit, match, 0, Action("pass", "blue"))
            assert (await playing.shelf.current(match)).version == 1
            return applied

        monkeypatch.setattr(playing.rulings, "perform", slowly)
        with pytest.raises(ServiceError) as caught:
            one.submit(match, 0, Action("pass", "blue"))
        assert caught.value.status == "ABORTED"
        assert one.match(match).version == two.match(match).version == 1
        assert one.match(match).digest == two.match(match).digest
