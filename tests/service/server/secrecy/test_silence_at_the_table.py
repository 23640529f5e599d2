"""What a side does in silence shows in nothing around the table: offers, clocks, seats, state."""

from __future__ import annotations

import time

import pytest
from google.protobuf.duration_pb2 import Duration

from hexmarshal.client.errors import ServiceError
from hexmarshal.v1 import match_terms_pb2 as terms
from server.conftest import serving
from server.secrecy.test_sealed import Table, games


@pytest.fixture(scope="module")
def live():
    with serving(games(), auth="tokens") as one:
        yield one


def test_an_offer_stays_when_something_is_done_in_silence(live):
    table = Table(live)
    table.at["red"].propose(table.id, terms.PROPOSAL_DRAW)
    table.do("blue", "order", unit="blue0")
    assert table.at["red"].match(table.id).proposal.proposal == terms.PROPOSAL_DRAW
    table.do("blue", "card", face="ambush")  # which all are told of
    assert not table.at["red"].match(table.id).HasField("proposal")


def test_what_was_agreed_on_is_taken_back_and_not_what_was_done_in_silence_since_then(live):
    table = Table(live, undo="never")
    shout = table.do("blue", "shout", unit="blue0")
    table.at["blue"].propose(table.id, terms.PROPOSAL_TAKE_BACK)
    table.do("blue", "order", unit="blue1")
    undone = table.at["red"].answer(table.id, terms.PROPOSAL_TAKE_BACK, accept=True)
    assert undone.action_undone.undone_version == shout.version
    assert table.markers("blue") == {"order blue1"}


def test_who_agrees_is_told_as_his_own_seat_sees_it(live):
    table = Table(live, undo="never")
    table.do("blue", "order", unit="blue0")  # which red does not count
    table.do("blue", "card", face="ambush")
    table.at["blue"].propose(table.id, terms.PROPOSAL_TAKE_BACK)
    undone = table.at["red"].answer(table.id, terms.PROPOSAL_TAKE_BACK, accept=True)
    assert undone.version == 3
    assert undone.action_undone.undone_version == 1
    assert "ambush" not in str(undone)
    assert undone == list(table.at["red"].events(table.id))[-1]


def test_who_claims_the_time_counts_as_his_own_seat_does(live):
    table = Table(live, time_control=terms.TimeControl(main=Duration(seconds=2)))
    table.do("blue", "order", unit="blue0")
    clocks = table.at["red"].match(table.id).clocks
    time.sleep(max(c.left.ToTimedelta().total_seconds() for c in clocks) + 0.05)
    assert table.at["red"].claim_time(table.id).version == 1


def test_no_time_is_given_back_for_what_is_done_in_silence(live):
    clock = terms.TimeControl(main=Duration(seconds=60), increment=Duration(seconds=1000))
    table = Table(live, time_control=clock)
    table.do("blue", "order", unit="blue0")
    table.do("blue", "ready")
    assert all(c.left.seconds <= 60 for c in table.at["red"].match(table.id).clocks)
    table.do("blue", "shout", unit="blue0")
    assert any(c.left.seconds > 900 for c in table.at["red"].match(table.id).clocks)


def test_seats_do_not_tell_whether_somebody_has_acted_in_silence(live):
    table = Table(live, seats=("blue",), host="blue")
    table.do("blue", "order", unit="blue0")
    red = table.at["red"]
    assert red.join(table.id).state == terms.MATCH_STATE_PLAYING
    red.leave(table.id)
    (found,) = [m for m in red.open_matches("envelopes") if m.id == table.id]
    assert found.version == 2  # joined, and left
    red.join(table.id)
    table.do("blue", "shout", unit="blue0")
    with pytest.raises(ServiceError) as caught:
        red.leave(table.id)
    assert caught.value.reason == "MATCH_BEGUN"


def test_who_made_a_match_may_remove_it_whatever_the_other_did_in_silence(live):
    table = Table(live, host="red")
    table.do("blue", "order", unit="blue0")
    table.at["red"].delete_match(table.id)
    table = Table(live, host="red")
    table.do("blue", "shout", unit="blue0")
    with pytest.raises(ServiceError) as caught:
        table.at["red"].delete_match(table.id)
    assert caught.value.reason == "MATCH_GOES_ON"


def test_a_match_with_an_open_seat_has_begun_when_all_are_told_so(live):
    table = Table(live, seats=("blue",), host="blue", audience=terms.AUDIENCE_PUBLIC)
    table.do("blue", "order", unit="blue0")
    assert table.at["red"].match(table.id).state == terms.MATCH_STATE_SEATING
    table.do("blue", "shout", unit="blue0")
    assert table.at["red"].match(table.id).state == terms.MATCH_STATE_PLAYING
