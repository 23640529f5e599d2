"""Seats are claimed, and only their owners see them; what players agree on around the table."""

from __future__ import annotations

import json
import threading
from itertools import count

import pytest
from google.protobuf.duration_pb2 import Duration

from hexmarshal.cli.main import run
from hexmarshal.client import InMatch, ServiceError
from hexmarshal.rules.action import Action
from hexmarshal.rules.playing.audit import commitment, sealed
from hexmarshal.rules.values import FrozenMap
from hexmarshal.service.lobby import invitations
from hexmarshal.v1 import match_service_pb2 as pb
from hexmarshal.v1 import match_terms_pb2 as terms
from server.conftest import serving

NUMBERS = count(1)


class Club:
    """People with clients of one server."""

    def __init__(self, live) -> None:
        self.live = live
        self.base = next(NUMBERS)

    def name(self, who: str) -> str:
        return f"{who} {self.base}"

    def __getitem__(self, who: str):
        key = f"_{who}"
        if key not in self.__dict__:
            role = {"judge": "director", "reader": "reader"}.get(who, "player")
            self.__dict__[key] = self.live.client(self.live.token(self.name(who), role))
        return self.__dict__[key]

    def match(self, *players: str, **more) -> str:
        """A duel that ann made; those named have seats, blue first."""
        seats = {side: self.name(who) for side, who in zip(("blue", "red"), players, strict=False)}
        return self["ann"].create_match("frontier", "duel", seats=seats, **more).id


@pytest.fixture
def people(club):
    return Club(club)


def refused(work, reason: str) -> str:
    with pytest.raises(ServiceError) as caught:
        work()
    assert caught.value.reason == reason, caught.value
    return str(caught.value)


def passed(client, match: str, side: str, version: int = 0):
    return client.submit(match, version, Action("pass", side))


# Seats


def test_an_open_seat_shows_nobody_its_secrets_and_is_played_by_nobody(people):
    match = people.match("ann")
    for who in ("bob", "ann"):
        at = people[who]
        refused(lambda at=at: at.match(match, "red"), "WRONG_SEAT")
        refused(lambda at=at: at.check(InMatch(match, "red"), Action("pass", "red")), "WRONG_SEAT")
        refused(lambda at=at: list(at.watch(match, side="red")), "WRONG_SEAT")
        refused(lambda at=at: at.export(match, "red"), "WRONG_SEAT")
        refused(lambda at=at: list(at.events(match, side="red")), "WRONG_SEAT")
        refused(lambda at=at: passed(at, match, "red"), "WRONG_SEAT")
    refused(lambda: people["bob"].match(match), "WRONG_SEAT")


def test_whoever_joins_owns_the_seat_and_nobody_else_sees_it(people):
    match = people.match("ann")
    assert match in [m.id for m in people["bob"].open_matches("frontier")]
    found = people["bob"].join(match)
    assert (found.position.viewer, found.state) == ("red", terms.MATCH_STATE_PLAYING)
    assert [seat.player for seat in found.seats] == [people.name("ann"), people.name("bob")]
    # Repeated, it is the same again, and nothing happens twice.
    assert people["bob"].join(match, "red").version == found.version == 1
    refused(lambda: people["eve"].join(match), "SEAT_TAKEN")
    refused(lambda: people["eve"].join(match, "red"), "SEAT_TAKEN")
    refused(lambda: people["ann"].match(match, "red"), "WRONG_SEAT")
    assert match not in [m.id for m in people["eve"].open_matches()]
    assert match in [m.id for m in people["bob"].matches()]
    event = next(people["ann"].watch(match))
    assert (event.side, event.seat_taken.player) == ("red", people.name("bob"))


def test_a_join_leaves_decisions_as_they_were(people):
    match = people.match("ann")
    people["bob"].join(match)
    assert passed(people["ann"], match, "blue", 0).version == 2
    assert passed(people["bob"], match, "red", 2).version == 3


def test_of_many_who_want_one_seat_one_gets_it(people):
    match = people.match("ann")
    clients = [people[f"p{i}"] for i in range(6)]
    got: list[str] = []
    refusals: list[str] = []

    def want(i: int) -> None:
        try:
            clients[i].join(match)
            got.append(f"p{i}")
        except ServiceError as error:
            refusals.append(error.reason)

    threads = [threading.Thread(target=want, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == 1
    assert refusals == ["SEAT_TAKEN"] * 5
    assert people["ann"].match(match).seats[1].player == people.name(got[0])


def test_an_invitation_opens_a_seat_that_is_not_for_all(people, monkeypatch):
    match = people.match("ann", access=terms.ACCESS_INVITED)
    refused(lambda: people["bob"].join(match), "NOT_INVITED")
    assert match not in [m.id for m in people["bob"].open_matches()]
    refused(lambda: people["bob"].invite(match), "WRONG_SEAT")
    invitation = people["ann"].invite(match)
    assert "red" not in invitation
    assert match not in invitation
    refused(lambda: people["bob"].join(invitation=invitation[:-4] + "AAA="), "INVALID_FIELD")
    refused(lambda: people["bob"].join(match, "blue", invitation=invitation), "INVALID_FIELD")
    refused(lambda: people["reader"].join(invitation=invitation), "ROLE")
    assert people["bob"].join(invitation=invitation).position.viewer == "red"
    refused(lambda: people["eve"].join(invitation=invitation), "SEAT_TAKEN")
    refused(lambda: people["ann"].invite(match), "SEAT_TAKEN")
    monkeypatch.setattr(invitations, "GOOD_SECONDS", -10)
    other = people.match("ann", access=terms.ACCESS_INVITED)
    late = people["ann"].invite(other, "red")
    assert "no longer good" in refused(lambda: people["bob"].join(invitation=late), "INVALID_FIELD")


def test_a_seat_may_be_left_before_play_begins(people):
    match = people.match("ann")
    people["bob"].join(match)
    people["bob"].leave(match)
    refused(lambda: people["bob"].match(match), "WRONG_SEAT")
    refused(lambda: people["judge"].leave(match, "red"), "WRONG_SEAT")
    with people.live.client(people.live.token(people.name("root"), "admin")) as root:
        refused(lambda: root.leave(match, "red"), "SEAT_OPEN")
    people["eve"].join(match)
    passed(people["ann"], match, "blue", 3)
    refused(lambda: people["eve"].leave(match), "MATCH_BEGUN")


def test_who_has_seen_a_side_can_play_no_other(people):
    match = people.match("ann")
    refused(lambda: people["ann"].join(match, "red"), "SEAT_KNOWN")
    people["bob"].join(match, "red")
    people["bob"].leave(match)
    people["ann"].leave(match)
    # Bob knows what red knows, and ann what blue does.
    refused(lambda: people["bob"].join(match, "blue"), "SEAT_KNOWN")
    refused(lambda: people["ann"].join(match, "red"), "SEAT_KNOWN")
    assert people["bob"].join(match, "red").position.viewer == "red"
    both = people.match("ann", "ann")
    refused(lambda: people["ann"].leave(both, "red"), "SEAT_KNOWN")


def test_who_looks_on_sees_what_all_know_and_only_if_the_match_is_public(people):
    match = people.match("ann", "bob", audience=terms.AUDIENCE_PUBLIC)
    people["ann"].submit(match, 0, Action("plot", "blue", FrozenMap({"cell": "1111"})))
    seen = people["reader"].match(match)
    assert seen.position.viewer == "*"
    assert not seen.position.knowledge
    ids = {unit.id for unit in people["judge"].match(match).position.units}
    hidden = ids - {unit.id for unit in people["ann"].match(match).position.units}
    hidden |= ids - {unit.id for unit in people["bob"].match(match).position.units}
    assert hidden
    assert not hidden & {unit.id for unit in seen.position.units}
    assert "1111" not in str(seen)
    assert "1111" not in str(list(people["reader"].events(match)))
    assert b"1111" not in people["reader"].export(match)
    refused(lambda: passed(people["eve"], match, "blue", 1), "WRONG_SEAT")
    refused(lambda: people["eve"].check(InMatch(match), Action("pass", "blue")), "WRONG_SEAT")
    refused(lambda: list(people["eve"].actions(InMatch(match), side="blue")), "WRONG_SEAT")


def test_nobody_removes_a_match_that_others_play(people):
    match = people.match("ann", "bob")
    passed(people["ann"], match, "blue")
    refused(lambda: people["ann"].delete_match(match), "MATCH_GOES_ON")
    people["ann"].resign(match)
    people["ann"].delete_match(match)


def test_a_scenario_hides_from_players_what_it_hides(people):
    whole = people["judge"].scenario("frontier", "duel", seed="any")
    for who in ("ann", "reader"):
        for seed in ("", "any"):
            seen = people[who].scenario("frontier", "duel", seed=seed)
            assert seen.viewer == "*"
            assert not seen.knowledge
            assert not [u for u in seen.units if whole.units[u].seen_by is not None]
            masked = [u for u in seen.units if whole.units[u].known_to is not None]
            assert all(seen.units[u].type != whole.units[u].type for u in masked)
    assert len(whole.units) > len(seen.units)


# Agreeing and ending


def test_resigning_ends_a_match_for_all(people):
    match = people.match("ann", "bob")
    passed(people["ann"], match, "blue")
    event = people["ann"].resign(match)
    assert event.ended.ending == terms.ENDING_RESIGNED
    watched = people["bob"].watch(match)
    assert [e.WhichOneof("what") for e in watched] == ["action_done", "ended"]
    found = people["bob"].match(match)
    assert list(found.outcome.winners) == ["red"]
    assert found.state == terms.MATCH_STATE_ENDED
    refused(lambda: passed(people["bob"], match, "red", 2), "MATCH_OVER")
    refused(lambda: people["bob"].undo(match, 2), "MATCH_OVER")
    refused(lambda: people["bob"].resign(match), "MATCH_OVER")
    refused(lambda: people["ann"].propose(match, terms.PROPOSAL_DRAW), "MATCH_OVER")


def test_a_draw_is_agreed_on_or_not(people):
    match = people.match("ann", "bob")
    draw = terms.PROPOSAL_DRAW
    people["ann"].propose(match, draw)
    assert people["bob"].match(match).proposal.waiting == ["red"]
    refused(lambda: people["ann"].answer(match, draw, accept=True), "NO_PROPOSAL")
    refused(lambda: people["bob"].propose(match, draw), "PROPOSAL_OPEN")
    adjourn = terms.PROPOSAL_ADJOURN
    refused(lambda: people["bob"].answer(match, adjourn, accept=True), "NO_PROPOSAL")
    assert not people["bob"].answer(match, draw, accept=False).answered.accepted
    people["ann"].propose(match, draw)
    # With an action the offer lapses.
    passed(people["ann"], match, "blue", 3)
    refused(lambda: people["bob"].answer(match, draw, accept=True), "NO_PROPOSAL")
    people["bob"].propose(match, draw)
    assert people["ann"].answer(match, draw, accept=True).ended.ending == terms.ENDING_DRAW
    assert list(people["ann"].match(match).outcome.winners) == []


def test_a_take_back_is_agreed_on_although_dice_were_rolled(people):
    match = people.match("ann", "bob", undo=pb.UNDO_POLICY_NEVER)
    before = people["ann"].match(match).digest
    people["ann"].submit(match, 0, Action("omen", "blue"))
    refused(lambda: people["ann"].undo(match, 1), "UNDO_NEVER")
    back = terms.PROPOSAL_TAKE_BACK
    people["ann"].propose(match, back)
    event = people["bob"].answer(match, back, accept=True)
    assert event.action_undone.agreed
    assert event.action_undone.undone_version == 1
    assert people["ann"].match(match).digest == before
    refused(lambda: people["ann"].propose(match, back), "UNDO_NOTHING")


def test_a_match_that_rests_is_not_played_and_its_clocks_stand_still(people):
    clock = terms.TimeControl(main=Duration(seconds=3600))
    match = people.match("ann", "bob", time_control=clock)
    running = [c.side for c in people["ann"].match(match).clocks if c.running]
    assert running == ["blue"]
    people["ann"].propose(match, terms.PROPOSAL_ADJOURN)
    people["bob"].answer(match, terms.PROPOSAL_ADJOURN, accept=True)
    found = people["ann"].match(match)
    assert found.state == terms.MATCH_STATE_ADJOURNED
    assert not [c for c in found.clocks if c.running]
    refused(lambda: passed(people["ann"], match, "blue", 2), "ADJOURNED")
    refused(lambda: people["bob"].propose(match, terms.PROPOSAL_ADJOURN), "ADJOURNED")
    people["bob"].propose(match, terms.PROPOSAL_RESUME)
    people["ann"].answer(match, terms.PROPOSAL_RESUME, accept=True)
    passed(people["ann"], match, "blue", 4)
    refused(lambda: people["bob"].propose(match, terms.PROPOSAL_RESUME), "NOT_ADJOURNED")


def test_who_runs_out_of_time_loses(people):
    clock = terms.TimeControl(main=Duration(nanos=1000), increment=Duration(seconds=1))
    match = people.match("ann", "bob", time_control=clock)
    assert people["bob"].match(match).clocks[0].left == Duration()
    refused(lambda: people["ann"].claim_time(match), "TIME_LEFT")
    event = people["bob"].claim_time(match)
    assert (event.side, event.ended.ending) == ("blue", terms.ENDING_TIME)
    late = people.match("ann", "bob", time_control=clock)
    refused(lambda: passed(people["ann"], late, "blue"), "TIME_UP")
    assert list(people["bob"].match(late).outcome.winners) == ["red"]
    slow = terms.TimeControl(main=Duration(seconds=60), increment=Duration(seconds=30))
    calm = people.match("ann", "bob", time_control=slow)
    passed(people["ann"], calm, "blue")
    blue, red = people["ann"].match(calm).clocks
    assert 60 < blue.left.seconds <= 90
    assert (blue.running, red.running) == (False, True)


def test_bad_terms_are_refused(people):
    for more in (
        {"access": 7},
        {"audience": 9},
        {"after_end": -1},
        {"time_control": terms.TimeControl()},
        {"time_control": terms.TimeControl(main=Duration(seconds=-5))},
        {"time_control": terms.TimeControl(main=Duration(seconds=10**12))},
    ):
        refused(lambda more=more: people.match("ann", **more), "INVALID_FIELD")


# Dice


def test_nobody_can_foresee_the_dice_and_all_can_check_them(people):
    match = people.match("ann", "bob")
    whole = people["judge"].match(match)
    promised = people["ann"].match(match).dice
    assert whole.dice == promised
    assert (promised.practice, promised.seed, len(promised.commitment)) == (False, "", 64)
    assert not whole.position.HasField("generator")
    refused(
        lambda: people["judge"].export(match, format=pb.EXPORT_FORMAT_GAME_RECORD), "DICE_NOT_TOLD"
    )
    assert b"generator" not in people["judge"].export(match)
    refused(lambda: people["judge"].resolve(InMatch(match), Action("omen", "blue")), "NEEDS_DICE")
    people["ann"].submit(match, 0, Action("omen", "blue"))
    people["bob"].resign(match)
    told = people["ann"].match(match).dice
    assert told.commitment == promised.commitment == commitment(told.seed)


def test_a_chosen_seed_makes_a_match_practice_for_all_to_see(people):
    match = people.match("ann", seed="I know it all")
    found = next(m for m in people["bob"].open_matches() if m.id == match)
    assert found.dice.practice
    assert people["bob"].join(match).dice == terms.MatchDice(practice=True)


def test_after_the_end_a_match_tells_what_its_terms_say(people):
    everything = people.match("ann", "bob", after_end=terms.AFTER_END_EVERYTHING)
    refused(lambda: people["ann"].match(everything, whole=True), "NOT_TOLD")
    people["bob"].resign(everything)
    assert people["ann"].match(everything, whole=True).position.viewer == ""
    refused(lambda: people["eve"].match(everything, whole=True), "WRONG_SEAT")
    assert people["ann"].match(everything).position.viewer == "blue"
    nothing = people.match("ann", "bob", after_end=terms.AFTER_END_NOTHING)
    people["bob"].resign(nothing)
    assert people["ann"].match(nothing).dice.seed == ""
    dice = people.match("ann", "bob")
    people["bob"].resign(dice)
    refused(lambda: people["ann"].match(dice, whole=True), "NOT_TOLD")
    refused(lambda: people["ann"].export(dice, format=pb.EXPORT_FORMAT_AUDIT), "ROLE")


# Auditing


@pytest.fixture
def exported(people, tmp_path):
    """The file of a match with dice, a draw, refusals and a take-back."""
    match = people.match("ann", "bob", after_end=terms.AFTER_END_EVERYTHING)
    people["ann"].submit(match, 0, Action("omen", "blue"))
    refused(
        lambda: people["ann"].submit(
            match, 1, Action("move", "blue", FrozenMap({"unit": "b00", "path": ("3030",)}))
        ),
        "ILLEGAL_ACTION",
    )
    refused(lambda: passed(people["bob"], match, "red", 1), "ILLEGAL_ACTION")
    people["ann"].submit(match, 1, Action("draw", "blue"))
    passed(people["ann"], match, "blue", 2)
    people["ann"].undo(match, 3)
    people["ann"].submit(match, 4, Action("omen", "blue"))
    people["ann"].propose(match, terms.PROPOSAL_TAKE_BACK)
    people["bob"].answer(match, terms.PROPOSAL_TAKE_BACK, accept=True)
    people["bob"].resign(match)
    file = tmp_path / "match.jsonl"
    whole = {"format": pb.EXPORT_FORMAT_AUDIT, "whole": True}
    file.write_bytes(people["ann"].export(match, **whole))
    return file


def audited(file, capsys) -> tuple[int, dict]:
    code = run(["audit", str(file), "--plugin", "tests/service/server/frontier:Frontier", "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_anybody_checks_a_finished_match_again_from_its_file(exported, capsys):
    code, found = audited(exported, capsys)
    assert (code, found["findings"]) == (0, [])
    assert (found["actions"], found["refused"]) == (4, 2)
    assert found["dice"] >= 3
    run(["audit", str(exported), "--plugin", "tests/service/server/frontier:Frontier"])
    assert "all of it holds" in capsys.readouterr().out


def _changed(line: int, change):
    def forge(documents: list[dict]) -> None:
        change(documents[line])

    return forge


def swapped(documents: list[dict]) -> None:
    """Two events in the other order, their numbers put right."""
    first, second = documents[1], documents[2]
    first["event"], second["event"] = second["event"], first["event"]
    documents[1:3] = [second, first]


def other_refusal(lines: list[str]) -> None:
    """Another action, which the same rules may refuse."""
    document = json.loads(lines[-2])
    document["action"]["kind"] = "draw" if document["action"]["kind"] != "draw" else "omen"
    lines[-2] = json.dumps(document, separators=(",", ":"))


@pytest.mark.parametrize(
    ("forge", "text"),
    [
        (_changed(0, lambda d: d.update(seed="mine")), "not the one that was promised"),
        (_changed(0, lambda d: d.update(commitment=commitment("other"))), "promised"),
        (_changed(0, lambda d: d.update(seed="m", commitment=commitment("m"))), "the position"),
        (_changed(1, lambda d: d["dice"].__setitem__(0, d["dice"][0] % 6 + 1)), "the dice are"),
        (_changed(2, lambda d: d.update(digest="0" * 64)), "not the one that was recorded"),
        (_changed(3, lambda d: d.update(action={"kind": "pass", "side": "red"})), "cannot be done"),
        (_changed(3, lambda d: d.update(action={"kind": "nix"})), "cannot be done"),
        (_changed(4, lambda d: d.update(undone=2)), "not the one that was recorded"),
        (_changed(-1, lambda d: d.update(rules=["X-1"])), "refused by X-1"),
        (_changed(-1, lambda d: d.update(rules=7)), "cannot be judged again"),
        (_changed(-1, lambda d: d.update(refused=99)), "a version that there is not"),
        (lambda documents: documents.pop(2), "is missing"),
        (swapped, ""),
    ],
)
def test_a_file_that_was_tampered_with_is_found_out(exported, capsys, forge, text):
    """Also by somebody who knows to put the hash at its end right again."""
    documents = [json.loads(line) for line in exported.read_text().splitlines()[:-1]]
    forge(documents)
    exported.write_text("\n".join(sealed(map(json.dumps, documents))))
    code, found = audited(exported, capsys)
    assert code == 1
    assert any(text in one["text"] for one in found["findings"])


@pytest.mark.parametrize(
    ("forge", "text"),
    [
        (lambda lines: lines.pop(), "cut off"),
        (lambda lines: lines.__delitem__(slice(-3, None)), "cut off"),
        (lambda lines: lines.pop(-2), "not"),
        (lambda lines: lines.insert(-1, lines[-2]), "not"),
        (lambda lines: lines.append(lines[1]), "cut off"),
        (lambda lines: lines.__setitem__(0, lines[0].replace("blue", "gold", 1)), "changed"),
        (lambda lines: lines.__setitem__(1, lines[1].replace("ann", "eve", 1)), "changed"),
        (other_refusal, "changed"),
    ],
)
def test_a_file_is_whole_or_found_out(exported, capsys, forge, text):
    """What cannot be done again, such as names and the last refusals, is held by a hash."""
    lines = exported.read_text().splitlines()
    before = list(lines)
    forge(lines)
    assert lines != before
    exported.write_text("\n".join(lines))
    code, found = audited(exported, capsys)
    assert code == 1
    assert any(text in one["text"] for one in found["findings"])


def test_a_file_that_is_no_match_is_a_clear_error(tmp_path, capsys):
    for text in ("", "{}", "not json", "[]", '{"audit": 9}'):
        file = tmp_path / "file"
        file.write_text(text)
        assert run(["audit", str(file)]) == 3
        assert "file" in capsys.readouterr().err
    assert run(["audit", str(tmp_path / "none")]) == 4


# Quotas


def test_what_is_stored_of_a_match_is_bounded():
    with serving(max_match_bytes=1 << 16) as live, live.client() as client:
        match = client.create_match("frontier", "duel").id

        def play() -> None:
            for version in range(100_000):
                passed(client, match, ("blue", "red")[version % 2], version)

        with pytest.raises(ServiceError) as caught:
            play()
        assert caught.value.metadata["limit"] == "match_bytes"


def test_matches_in_memory_are_bounded_by_what_they_hold():
    with serving(max_held_bytes=1 << 20) as live, live.client() as client:
        ids = [client.create_match("frontier", "duel").id for _ in range(30)]
        shelf = live.server.matches.shelf
        weights = {match: held.weight for match, held in shelf._held.items()}
        assert list(weights) == ids[-len(weights) :]
        assert (1 << 20) - max(weights.values()) < sum(weights.values()) <= 1 << 20
        assert all(client.match(one).id == one for one in ids)
        assert shelf._weight == sum(held.weight for held in shelf._held.values())


def test_a_page_of_events_goes_on_where_the_last_one_ended(people):
    match = people.match("ann", "bob")
    for version in range(7):
        side = ("blue", "red")[version % 2]
        passed(people[("ann", "bob")[version % 2]], match, side, version)
    from hexmarshal.client.requests import Request

    def page(token: str, **more):
        request = pb.ListEventsRequest(match=match, page_size=3, page_token=token, **more)
        return people["ann"].call(
            Request("MatchService/ListEvents", request, pb.ListEventsResponse, lambda r: r)
        )

    pages = [page("")]
    while pages[-1].next_page_token:
        pages.append(page(pages[-1].next_page_token))
    assert [[e.version for e in one.events] for one in pages] == [[1, 2, 3], [4, 5, 6], [7]]
    assert [e.version for e in people["bob"].events(match, 5)] == [6, 7]
    refused(lambda: list(people["ann"].events(match, 99)), "INVALID_FIELD")
