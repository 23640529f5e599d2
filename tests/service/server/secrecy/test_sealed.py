"""Sealed actions, and versions that each seat counts for itself."""

from __future__ import annotations

import json
import sqlite3
from itertools import count

import pytest
from tutorial2 import Picket

from hexmarshal.client import InMatch
from hexmarshal.client.errors import (
    ConflictError,
    IllegalMoveError,
    InvalidRequestError,
    NotPermittedError,
    ServiceError,
)
from hexmarshal.rules.action import Action
from hexmarshal.rules.playing.record import GameRecord, replay
from hexmarshal.rules.plugins.registry import Registry
from hexmarshal.rules.values import FrozenMap
from hexmarshal.service.store import schema
from hexmarshal.v1 import match_service_pb2 as pb
from server.conftest import serving
from server.envelopes import Envelopes

NUMBERS = count()


def games() -> Registry:
    found = Registry()
    found.add(Envelopes())
    found.add(Picket())
    return found


@pytest.fixture(scope="module")
def live():
    with serving(games(), auth="tokens") as one:
        yield one


class Table:
    """A match of two players and a director, each with a client."""

    def __init__(self, live, scenario="sealed", undo="own_last", seats=("blue", "red"), **more):
        self.live = live
        names = ("blue", "red", "judge")
        base = f"{scenario} {next(NUMBERS)}"
        roles = {"judge": "director"}
        self.tokens = {n: live.token(f"{n} {base}", roles.get(n, "player")) for n in names}
        self.at = {n: live.client(self.tokens[n]) for n in names}
        made = self.at[more.pop("host", "judge")].create_match(
            "envelopes",
            scenario,
            seats={side: f"{side} {base}" for side in seats},
            undo=pb.UndoPolicy.Value(f"UNDO_POLICY_{undo.upper()}"),
            seed="practice: the judge may have the record at any time",
            **more,
        )
        self.id = made.id

    def version(self, side):
        return self.at[side].match(self.id).version

    def do(self, side, kind, version=None, key="", **params):
        known = self.version(side) if version is None else version
        action = Action(kind, side, FrozenMap(params))
        return self.at[side].submit(self.id, known, action, key=key)

    def undo(self, side, version=None):
        return self.at[side].undo(self.id, self.version(side) if version is None else version)

    def markers(self, side):
        return {marker.id for marker in self.at[side].match(self.id).position.markers}

    def lines(self, side):
        data = self.at[side].export(self.id)
        return [json.loads(line) for line in data.splitlines()][1:]


@pytest.fixture
def table(live):
    return Table(live)


def test_others_learn_nothing_of_a_silent_action(table):
    before = table.at["red"].match(table.id)
    event = table.do("blue", "order", unit="blue0")
    assert event.version == 1
    assert event.action_done.action.kind == "order"
    after = table.at["red"].match(table.id)
    assert after.SerializeToString(deterministic=True) == before.SerializeToString(
        deterministic=True
    )
    assert table.lines("red") == []
    assert [m.version for m in table.at["red"].matches() if m.id == table.id] == [0]
    assert [m.version for m in table.at["blue"].matches() if m.id == table.id] == [1]
    assert table.version("judge") == 1


def test_others_learn_that_something_sealed_was_done_where_it_is_counted(table):
    table.do("blue", "card", face="ambush")
    (line,) = table.lines("red")
    event = line["event"]
    assert event["action_sealed"] == {}
    assert event["side"] == "blue"
    assert "action_done" not in event
    assert "ambush" not in json.dumps(event)
    assert event["version"] == "1"


def test_an_order_of_one_side_does_not_make_the_others_fail(table):
    seen = table.version("red")
    table.do("blue", "order", unit="blue0")
    table.do("blue", "card", face="ambush")
    table.do("blue", "ready")
    assert table.do("red", "order", seen, unit="red0").version == seen + 2  # the card was told
    # What all see makes a decision stale: it must be looked at anew.
    table.do("blue", "shout", unit="blue1")
    with pytest.raises(ConflictError) as caught:
        table.do("red", "order", seen + 2, unit="red1")
    assert caught.value.version == seen + 3


def test_who_is_ready_where_all_may_know_does_not_make_others_fail(live):
    table = Table(live, "open")
    table.do("blue", "ready")
    (line,) = table.lines("red")
    assert line["event"]["action_done"]["action"]["kind"] == "ready"
    assert table.do("red", "order", 0, unit="red0").version == 2


def test_the_last_answer_opens_all_orders_and_is_told(table):
    table.do("blue", "order", unit="blue0")
    table.do("blue", "ready")
    assert table.version("red") == 0
    table.do("red", "order", unit="red2")
    last = table.do("red", "ready")
    assert last.version == 2
    assert len(last.action_done.rolls) == 1
    told = table.lines("blue")[-1]["event"]
    assert told["version"] == "3"
    assert told["action_done"]["action"]["kind"] == "ready"
    went = {e["add_unit"]["id"] for e in told["effects"] if "add_unit" in e}
    assert went == {"blue0", "red2"}


def test_watchers_get_what_they_are_told_and_count_it(table):
    table.do("blue", "order", unit="blue0")
    table.do("blue", "card", face="one")
    table.do("blue", "order", unit="blue1")
    table.do("red", "shout", unit="red0")
    watching = table.at["red"].watch(table.id)
    assert [next(watching).version for _ in range(2)] == [1, 2]
    watching = table.at["red"].watch(table.id, 1)
    assert next(watching).action_done.action.kind == "shout"
    with pytest.raises(InvalidRequestError, match="version 2"):
        next(table.at["red"].watch(table.id, 3))


def test_a_version_from_the_future_is_refused_and_tells_only_what_the_seat_counts(table):
    table.do("blue", "order", unit="blue0")
    with pytest.raises(ConflictError) as caught:
        table.do("red", "order", 7, unit="red0")
    assert caught.value.version == 0


def test_keys_of_one_side_tell_the_other_nothing(table):
    table.do("blue", "order", key="k", unit="blue0")
    assert table.do("red", "order", key="k", unit="red0").version == 1
    again = table.do("red", "order", 0, key="k", unit="red0")
    assert again.version == 1
    assert table.version("red") == 1
    with pytest.raises(InvalidRequestError, match="used for something else"):
        table.do("red", "order", 1, key="k", unit="red1")


def test_undo_reaches_below_what_others_did_under_a_seal(table):
    table.do("blue", "order", unit="blue0")
    table.do("red", "order", unit="red0")
    table.do("red", "card", face="mine")
    undone = table.undo("blue")
    assert undone.action_undone.undone_version == 1
    assert table.markers("judge") == {"order red0", "card 0"}
    assert table.markers("blue") == {"card 0"}
    # Red is not told of the undo of what it was not told of.
    assert table.version("red") == 2
    with pytest.raises(ServiceError, match="nothing to take back"):
        table.undo("blue")
    # The record holds what still stands, and replays.
    data = table.at["judge"].export(table.id, format=pb.EXPORT_FORMAT_GAME_RECORD)
    record = GameRecord.from_lines(data.decode().splitlines())
    assert [event.action["kind"] for event in record.events] == ["order", "card"]
    *_, end = replay(Envelopes(), record)
    assert set(end.markers) == {"order red0", "card 0"}


def test_undo_says_the_same_whether_or_not_others_did_something(live):
    said = []
    for busy in (False, True):
        table = Table(live)
        if busy:
            table.do("blue", "order", unit="blue0")
        with pytest.raises(ServiceError) as caught:
            table.undo("red")
        said.append(str(caught.value))
    assert said[0] == said[1]


@pytest.mark.parametrize("undo", ["own_last", "free"])
def test_what_asks_others_in_secret_is_not_taken_back_whether_they_answered_or_not(live, undo):
    said = []
    for answered in (False, True):
        table = Table(live, undo=undo)
        table.do("blue", "council")
        if answered:
            table.do("red", "come")
        with pytest.raises(ServiceError) as caught:
            table.undo("blue")
        said.append((caught.value.reason, str(caught.value)))
    assert said[0] == said[1]
    assert said[0][0] == "UNDO_ASKED"


def test_sight_that_is_not_free_is_refused_to_seats_and_told_to_the_director(live):
    names = ("blue", "red", "judge")
    roles = {"judge": "director"}
    at = {n: live.client(live.token(f"{n} at night", roles.get(n, "player"))) for n in names}
    seats = {side: f"{side} at night" for side in names[:2]}
    made = at["judge"].create_match("picket", "raid", options={"free_sight": False}, seats=seats)
    ends = {"from_": "0102", "to": "0104"}
    with pytest.raises(ServiceError) as caught:
        at["blue"].ask(InMatch(made.id), "sight", **ends)
    assert caught.value.reason == "SIGHT_NOT_FREE"
    assert caught.value.status == "FAILED_PRECONDITION"
    assert at["judge"].ask(InMatch(made.id), "sight", **ends).values["visible"] is True


def test_a_sealed_action_that_rolls_dice_is_refused(table):
    with pytest.raises(InvalidRequestError, match="sealed and rolled dice"):
        table.do("blue", "cheat")
    assert table.version("blue") == 0


def test_an_order_for_what_is_not_ones_own_is_refused(table):
    with pytest.raises(IllegalMoveError, match="not yours"):
        table.do("blue", "order", unit="red0")
    with pytest.raises(InvalidRequestError, match="no unit"):
        table.do("blue", "order", unit="nobody")


def test_a_director_counts_all_events(table):
    table.do("blue", "order", unit="blue0")
    judge = table.live.client(table.live.token(f"chief {table.id}", "admin"))
    action = Action("order", "red", FrozenMap({"unit": "red0"}))
    assert judge.submit(table.id, 1, action, whole=True).version == 2
    action = Action("order", "red", FrozenMap({"unit": "red1"}))
    assert judge.submit(table.id, 1, action).version == 2
    with pytest.raises(NotPermittedError):
        table.at["red"].submit(table.id, 3, action, whole=True)


def test_a_match_goes_on_as_it_was_after_a_restart(tmp_path):
    path = str(tmp_path / "matches.db")
    with serving(games(), store=path, ephemeral=False) as live, live.client() as client:
        match = client.create_match("envelopes", "sealed").id
        client.submit(match, 0, Action("order", "blue", FrozenMap({"unit": "blue0"})))
        client.submit(match, 0, Action("card", "red", FrozenMap({"face": "x"})))
    with serving(games(), store=path, ephemeral=False) as live, live.client() as client:
        assert client.match(match, "blue").version == 2
        assert client.match(match, "red").version == 1
        assert client.match(match).version == 2
        event = client.submit(match, 1, Action("order", "red", FrozenMap({"unit": "red0"})))
        assert event.version == 2


def test_what_another_server_was_told_in_secret_does_not_make_ours_fail(tmp_path):
    path = str(tmp_path / "matches.db")
    with (
        serving(games(), store=path, ephemeral=False) as one,
        serving(games(), store=path, ephemeral=False) as two,
        one.client() as here,
        two.client() as there,
    ):
        match = here.create_match("envelopes", "sealed").id
        assert there.match(match, "red").version == 0
        here.submit(match, 0, Action("order", "blue", FrozenMap({"unit": "blue0"})))
        # The other server still has the match as it was, and finds out when it writes.
        event = there.submit(match, 0, Action("order", "red", FrozenMap({"unit": "red0"})))
        assert event.version == 1
        here.submit(match, 1, Action("shout", "blue", FrozenMap({"unit": "blue1"})))
        with pytest.raises(ConflictError) as caught:
            there.submit(match, 1, Action("order", "red", FrozenMap({"unit": "red1"})))
        assert caught.value.version == 2
        assert here.match(match).version == 3


@pytest.mark.parametrize("side", ["blue", "red"])
def test_where_undo_is_free_others_secrets_still_stay(live, side):
    table = Table(live, undo="free")
    table.do("blue", "shout", unit="blue1")
    table.do("red", "order", unit="red0")
    if side == "red":
        table.undo("red")  # its own order is the newest that it knows of
    table.undo(side)
    left = {"order red0"} if side == "blue" else set()
    assert table.markers("judge") == left
    said = table.at["judge"].match(table.id).position.units
    assert not [unit for unit in said if unit.id == "blue1" and unit.values.fields]


def test_matches_of_before_keep_their_numbers(tmp_path):
    path = tmp_path / "matches.db"
    order = Action("order", "blue", FrozenMap({"unit": "blue0"}))
    with serving(games(), store=str(path), ephemeral=False) as live, live.client() as client:
        match = client.create_match("envelopes", "sealed").id
        client.submit(match, 0, order, key="k")
    # As it was written before seats counted for themselves.
    with sqlite3.connect(path) as db:
        db.execute("UPDATE events SET idempotency_key = 'k'")
        for table, column in (("matches", "behind"), ("events", "untold"), ("events", "aside")):
            db.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
        added = ("terms", "open", "bytes", "changed_at", "ended_at")
        db.execute("DROP INDEX matches_by_open")
        db.execute("DROP INDEX matches_by_change")
        for column in added:
            db.execute(f"ALTER TABLE matches DROP COLUMN {column}")
        for table in ("secrets", "refusals", "bans"):
            db.execute(f"DROP TABLE {table}")
        db.execute("DELETE FROM migrations WHERE version > 1")
    assert len(schema.MIGRATIONS) == 4
    with serving(games(), store=str(path), ephemeral=False) as live, live.client() as client:
        assert client.match(match, "red").version == client.match(match, "blue").version == 1
        assert client.submit(match, 0, order, key="k").version == 1
        event = client.submit(match, 1, Action("order", "red", FrozenMap({"unit": "red0"})))
        assert event.version == 2
