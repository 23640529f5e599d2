"""The table of statuses in docs/service/api.md, row by row: each is provoked and read."""

from __future__ import annotations

import gc
import re
import threading
import time
from dataclasses import replace
from pathlib import Path
from types import FrameType

import grpc
import pytest

from hexmarshal.client import ServiceError
from hexmarshal.rules.action import Action
from hexmarshal.rules.plugins.registry import Registry
from hexmarshal.service.calls.request_reading import SMALL_BYTES
from hexmarshal.v1 import game_service_pb2 as games
from hexmarshal.v1 import match_service_pb2 as matches
from hexmarshal.v1 import position_pb2
from hexmarshal.v1 import rules_service_pb2 as rules
from hexmarshal.wire.positions import encode_position
from hexmarshal.wire.verdicts import encode_action
from server.conftest import serving
from server.frontier import Frontier
from server.raw_calls import START, Refused, act, call, check, refused, submit

DOC = Path(__file__).resolve().parents[4] / "docs" / "service" / "api.md"


def table() -> dict[str, set[str]]:
    """The codes and reasons that the page promises."""
    rows = re.findall(r"^\| `([A-Z_]+)` \|[^|]*\| ([^|]*) \|", DOC.read_text("utf-8"), re.MULTILINE)
    return {code: set(re.findall(r"`([A-Z_]+)`", reasons)) for code, reasons in rows}


@pytest.fixture(scope="module")
def match(live):
    request = matches.CreateMatchRequest(game="frontier", scenario="duel", seed="x")
    data = call(live, "MatchService/CreateMatch", request)
    return matches.CreateMatchResponse.FromString(data).match.id


# Refusals fit into the trailers of a call, whatever the request holds


LONG = ("x" * 9000, "\u017c\u00f3\u0142w" * 3000, "\n" * 9000, "a" * 200_000)


@pytest.mark.parametrize("name", LONG)
def test_names_of_any_length_are_refused_with_a_status(live, name):
    long_kind = refused(live, "RulesService/CheckAction", check(act(name)))
    assert (long_kind.code, long_kind.fields) == ("INVALID_ARGUMENT", ["action.kind"])
    long_cell = check(act("move", unit="b00", path=(name,)))
    assert refused(live, "RulesService/CheckAction", long_cell).code == "INVALID_ARGUMENT"
    game = refused(live, "GameService/GetGame", games.GetGameRequest(game=name))
    large = len(name.encode()) > SMALL_BYTES
    wanted = ("RESOURCE_EXHAUSTED", "LIMIT") if large else ("NOT_FOUND", "NOT_FOUND")
    assert (game.code, game.reason) == wanted
    assert large or " ... " in game.message


def test_so_many_problems_that_no_trailer_holds_them_are_told_in_part(live):
    units = [replace(u, cell="nowhere" * 30, type="nothing" * 30) for u in START.units.values()]
    position = START
    for unit in units:
        position = position.with_unit(unit)
    answer = refused(live, "RulesService/CheckAction", check(act("pass"), position))
    assert (answer.code, answer.reason) == ("INVALID_ARGUMENT", "INVALID_FIELD")
    assert answer.fields[0].startswith("position.units.")
    assert len(answer.fields) > 3


# INVALID_ARGUMENT


@pytest.mark.parametrize(
    ("request_", "fields"),
    [
        (check(act("dance")), ["action.kind"]),
        (check(act("move", unit="b00")), ["action.params.path"]),
        (check(act("move", unit="b00", path=("0006",), speed=1)), ["action.params.speed"]),
        (check(act("move", unit="nobody", path=("0006",))), ["action.params.unit"]),
        (check(act("move", unit="b00", path=("0006", "9999"))), ["action.params.path[1]"]),
        (check(act("move", "green", unit="b00", path=("0006",))), ["action.side"]),
        (check(act("pass", "")), ["action.side"]),
        (
            check(act("pass"), START.with_unit(replace(START.unit("b00"), cell="x", type="y"))),
            ["position.units.b00.cell", "position.units.b00.type"],
        ),
        (check(act("pass"), replace(START, viewer="red")), ["position.viewer"]),
        (rules.CheckActionRequest(action=encode_action(act("pass"))), ["position"]),
        (
            rules.CheckActionRequest(
                position=position_pb2.Position(
                    game="frontier", units=[position_pb2.Unit(id="a"), position_pb2.Unit(id="a")]
                )
            ),
            ["position.units[1].id"],
        ),
    ],
)
def test_invalid_argument_names_every_field(live, request_, fields):
    found = refused(live, "RulesService/CheckAction", request_)
    assert (found.code, found.reason) == ("INVALID_ARGUMENT", "INVALID_FIELD")
    assert found.fields == fields


def test_invalid_argument_for_what_is_no_message(live):
    for data in (b"\xff\xff\xff", b"\x0a\x7f", b"\x0a\x03\x0a\x7fx"):
        found = refused(live, "RulesService/CheckAction", data)
        assert (found.code, found.reason) == ("INVALID_ARGUMENT", "UNREADABLE")


def test_invalid_argument_for_a_key_that_was_used_for_something_else(live, match):
    call(live, "MatchService/SubmitAction", submit(match, 0, act("pass"), "k"))
    found = refused(live, "MatchService/SubmitAction", submit(match, 1, act("draw"), "k"))
    assert (found.code, found.reason) == ("INVALID_ARGUMENT", "KEY_REUSED")
    assert found.fields == ["idempotency_key"]


# NOT_FOUND


@pytest.mark.parametrize(
    ("method", "request_", "kind"),
    [
        ("GameService/GetGame", games.GetGameRequest(game="chess"), "game"),
        ("GameService/GetRule", games.GetRuleRequest(game="frontier", rule="Z"), "rule"),
        (
            "GameService/GetScenario",
            games.GetScenarioRequest(game="frontier", scenario="Z"),
            "scenario",
        ),
        ("MatchService/GetMatch", matches.GetMatchRequest(match="0"), "match"),
        (
            "RulesService/ValidatePosition",
            rules.ValidatePositionRequest(position=position_pb2.Position(game="chess")),
            "game",
        ),
    ],
)
def test_not_found_names_the_thing(live, method, request_, kind):
    found = refused(live, method, request_)
    assert (found.code, found.reason) == ("NOT_FOUND", "NOT_FOUND")
    assert found.details["ResourceInfo"].resource_type == kind


# FAILED_PRECONDITION


def test_failed_precondition_carries_the_rules_and_the_verdict(live):
    request = rules.ResolveActionRequest(
        position=encode_position(START),
        action=encode_action(act("move", unit="b00", path=("0020", "0021"))),
    )
    found = refused(live, "RulesService/ResolveAction", request)
    assert (found.code, found.reason) == ("FAILED_PRECONDITION", "ILLEGAL_ACTION")
    assert found.details["ErrorInfo"].metadata["rules"] == "F-1"
    assert [v.type for v in found.details["PreconditionFailure"].violations] == ["F-1"]
    assert not found.details["Verdict"].legal
    assert found.details["Verdict"].violations[0].section == "1.0"


def undo(live, policy: int, *actions: Action, side: str = "blue") -> Refused:
    request = matches.CreateMatchRequest(game="frontier", scenario="duel", seed="u", undo=policy)
    made = matches.CreateMatchResponse.FromString(call(live, "MatchService/CreateMatch", request))
    for version, action in enumerate(actions):
        call(live, "MatchService/SubmitAction", submit(made.match.id, version, action))
    asked = matches.UndoActionRequest(match=made.match.id, version=len(actions), side=side)
    return refused(live, "MatchService/UndoAction", asked)


def test_dice_are_asked_for_and_those_that_are_known_are_kept(live):
    request = matches.CreateMatchRequest(game="frontier", scenario="duel", own_dice=True)
    made = matches.CreateMatchResponse.FromString(call(live, "MatchService/CreateMatch", request))
    fire = submit(made.match.id, 0, act("fire", unit="b00", target="b01"))
    fire.dice.dice.values.append(6)
    found = refused(live, "MatchService/SubmitAction", fire)
    assert (found.code, found.reason) == ("INVALID_ARGUMENT", "NEEDS_DICE")
    assert found.fields == ["dice.dice.values[1]"]
    assert found.details["ErrorInfo"].metadata["version"] == "1"
    asked = found.details["RollRequest"]
    assert (asked.kind, list(asked.dice), list(asked.known)) == ("fire", [6, 6], [6])
    other = submit(made.match.id, 1, act("pass"))
    found = refused(live, "MatchService/SubmitAction", other)
    assert (found.code, found.reason) == ("FAILED_PRECONDITION", "DICE_KNOWN")
    undo = matches.UndoActionRequest(match=made.match.id, version=1, side="blue")
    assert refused(live, "MatchService/UndoAction", undo).reason == "UNDO_DICE"


@pytest.mark.parametrize(
    ("policy", "actions", "side", "reason"),
    [
        (matches.UNDO_POLICY_NEVER, [act("pass")], "blue", "UNDO_NEVER"),
        (matches.UNDO_POLICY_FREE, [], "blue", "UNDO_NOTHING"),
        (matches.UNDO_POLICY_OWN_LAST, [act("pass")], "red", "UNDO_NOT_YOURS"),
        (matches.UNDO_POLICY_OWN_LAST, [act("draw")], "blue", "UNDO_DICE"),
        (
            matches.UNDO_POLICY_OWN_LAST,
            [act("pass"), act("reveal", "red", unit="r29")],
            "red",
            "UNDO_LEARNT",
        ),
    ],
)
def test_failed_precondition_when_a_match_forbids_to_undo(live, policy, actions, side, reason):
    found = undo(live, policy, *actions, side=side)
    assert (found.code, found.reason) == ("FAILED_PRECONDITION", reason)


# ABORTED


def test_aborted_tells_the_version_of_now(live, match):
    data = call(live, "MatchService/GetMatch", matches.GetMatchRequest(match=match))
    now = matches.GetMatchResponse.FromString(data).match.version
    found = refused(live, "MatchService/SubmitAction", submit(match, 77, act("pass")))
    assert (found.code, found.reason) == ("ABORTED", "VERSION_CONFLICT")
    assert found.details["ErrorInfo"].metadata["version"] == str(now)
    asked = matches.UndoActionRequest(match=match, version=77, side="blue")
    assert refused(live, "MatchService/UndoAction", asked).code == "ABORTED"


# UNAUTHENTICATED and PERMISSION_DENIED


def test_unauthenticated_without_a_valid_token(club):
    request = games.ListGamesRequest()
    past = club.token("past", days=1e-9)
    for header in ({}, {"authorization": "Basic x"}, {"authorization": "Bearer hm_wrong"}):
        found = refused(club, "GameService/ListGames", request, **header)
        assert (found.code, found.reason) == ("UNAUTHENTICATED", "UNAUTHENTICATED")
    assert refused(club, "GameService/ListGames", request, token=past).code == "UNAUTHENTICATED"
    assert call(club, "GameService/ListGames", request, token=club.token("good"))


def test_a_revoked_token_is_refused_soon(club, monkeypatch):
    monkeypatch.setattr("hexmarshal.service.auth.REMEMBERED_SECONDS", 0.05)
    token = club.token("gone")
    call(club, "GameService/ListGames", games.ListGamesRequest(), token=token)
    assert club.do(club.server.store.remove_token("gone"))
    time.sleep(0.1)
    found = refused(club, "GameService/ListGames", games.ListGamesRequest(), token=token)
    assert found.code == "UNAUTHENTICATED"


def test_permission_denied_by_seat_role_and_owner(club):
    one, two = club.token("one"), club.token("two")
    reader = club.token("only reads", "reader")
    request = matches.CreateMatchRequest(
        game="frontier",
        scenario="duel",
        seats=[
            matches.Seat(side="blue", player="one"),
            matches.Seat(side="red", player="two"),
        ],
    )
    found = refused(club, "MatchService/CreateMatch", request, token=reader)
    assert (found.code, found.reason) == ("PERMISSION_DENIED", "ROLE")
    made = matches.CreateMatchResponse.FromString(
        call(club, "MatchService/CreateMatch", request, token=one)
    ).match.id
    wrong = [
        ("MatchService/SubmitAction", submit(made, 0, act("pass", "red")), one),
        ("MatchService/GetMatch", matches.GetMatchRequest(match=made, side="red"), one),
        ("MatchService/GetMatch", matches.GetMatchRequest(match=made), club.token("three")),
        ("MatchService/GetMatch", matches.GetMatchRequest(match=made), reader),
        ("MatchService/UndoAction", matches.UndoActionRequest(match=made, side="red"), one),
    ]
    for method, asked, token in wrong:
        found = refused(club, method, asked, token=token)
        assert (found.code, found.reason) == ("PERMISSION_DENIED", "WRONG_SEAT")
    found = refused(
        club, "MatchService/DeleteMatch", matches.DeleteMatchRequest(match=made), token=two
    )
    assert (found.code, found.reason) == ("PERMISSION_DENIED", "NOT_CREATOR")
    granted = club.token("guest", "reader", seats=[(made, "red")])
    assert call(club, "MatchService/GetMatch", matches.GetMatchRequest(match=made), token=granted)


# RESOURCE_EXHAUSTED


def hurry(live, times: int) -> None:
    for _ in range(times):
        with live.client() as client:
            client.games()


def test_resource_exhausted_by_size_number_and_rate():
    with serving(
        max_message_bytes=100_000, max_units=61, max_actions=3, rate=1.0, burst=6
    ) as small:
        one = position_pb2.Unit(id="x", type="foot", side="blue")
        many = encode_position(START)
        many.units.extend(position_pb2.Unit(id=f"x{i}", type="foot", side="blue") for i in range(2))
        request = rules.ValidatePositionRequest(position=many)
        found = refused(small, "RulesService/ValidatePosition", request)
        assert (found.code, found.reason) == ("RESOURCE_EXHAUSTED", "LIMIT")
        assert found.details["ErrorInfo"].metadata["limit"] == "position_units"
        batch = rules.BatchCheckActionsRequest(
            position=encode_position(START), actions=[encode_action(act("pass"))] * 4
        )
        found = refused(small, "RulesService/BatchCheckActions", batch)
        assert found.details["ErrorInfo"].metadata["limit"] == "actions"
        many.units.extend([one] * 20_000)
        request = rules.ValidatePositionRequest(position=many)
        assert refused(small, "RulesService/ValidatePosition", request).code == "RESOURCE_EXHAUSTED"
        # Each comes on a connection of its own, and is still the same caller's.
        with pytest.raises(ServiceError) as caught:
            hurry(small, 8)
        assert caught.value.status == "RESOURCE_EXHAUSTED"
        assert caught.value.metadata["limit"] == "rate"
        assert 0 < caught.value.retry_after <= 1


def test_resource_exhausted_by_too_long_a_stream():
    with serving(max_stream_messages=3) as short, short.client() as client:
        with pytest.raises(ServiceError) as caught:
            list(client.check_all(START, [act("pass")] * 10, batch=1))
        assert caught.value.status == "RESOURCE_EXHAUSTED"


def test_resource_exhausted_by_too_many_calls_at_once():
    with serving(max_calls_per_caller=2) as busy, grpc.insecure_channel(busy.address) as channel:
        silent = threading.Event()

        def nothing():
            silent.wait(20)
            yield from ()

        check = channel.stream_stream("/hexmarshal.v1.RulesService/CheckActions")
        streams = [check(nothing(), timeout=20) for _ in range(2)]
        while busy.server.limits.active < 2:
            time.sleep(0.01)
        found = refused(busy, "GameService/ListGames", games.ListGamesRequest())
        assert found.details["ErrorInfo"].metadata["limit"] == "calls_per_caller"
        silent.set()
        assert not any(list(stream) for stream in streams)


# UNIMPLEMENTED, UNAVAILABLE, INTERNAL


def test_unimplemented_for_a_query_that_the_game_does_not_have(live):
    request = rules.QueryRequest(position=encode_position(START), name="weather")
    found = refused(live, "RulesService/Query", request)
    assert (found.code, found.reason) == ("UNIMPLEMENTED", "UNIMPLEMENTED")


def test_unavailable_when_the_store_fails_and_the_match_is_unharmed():
    with serving() as ill, ill.client() as client:
        match = client.create_match("frontier", "duel")
        writer = ill.server.store._writer
        ill.server.store._writer.execute("PRAGMA query_only = ON")
        found = refused(ill, "MatchService/SubmitAction", submit(match.id, 0, act("pass")))
        assert (found.code, found.reason) == ("UNAVAILABLE", "STORE")
        assert "query_only" not in found.message
        writer.execute("PRAGMA query_only = OFF")
        client.submit(match.id, 0, act("pass"))


def test_unavailable_for_a_broken_plugin_while_others_are_served():
    class Broken:
        name, value, dist = "broken", "nowhere:Plugin", None

        def load(self):
            raise ImportError("no such thing")

    games_ = Registry([Broken()])
    games_.add(Frontier())
    with serving(games_) as live:
        found = refused(live, "GameService/GetGame", games.GetGameRequest(game="broken"))
        assert (found.code, found.reason) == ("UNAVAILABLE", "PLUGIN_BROKEN")
        with live.client() as client:
            listed = {game.key: game.problem for game in client.games()}
        assert listed["frontier"] == ""
        assert listed["broken"]


def test_unavailable_when_the_server_goes_down_under_a_watcher():
    with serving() as leaving, leaving.client() as client:
        match = client.create_match("frontier", "duel")
        client.submit(match.id, 0, act("pass"))
        events = client.watch(match.id)
        assert next(events).version == 1
        leaving.loop.call_soon_threadsafe(leaving.server.matches.close)
        with pytest.raises(ServiceError) as caught:
            next(events)
        assert (caught.value.status, caught.value.reason) == ("UNAVAILABLE", "UNAVAILABLE")


def test_internal_tells_the_caller_nothing_but_that_it_is_a_bug(live):
    request = rules.QueryRequest(position=encode_position(START), name="crash")
    found = refused(live, "RulesService/Query", request)
    assert (found.code, found.reason) == ("INTERNAL", "BUG")
    assert "secret" not in found.message
    assert "ZeroDivision" not in found.message
    assert found.trailing["x-request-id"]


def test_a_request_keeps_the_id_that_its_caller_gave(live):
    request = games.GetGameRequest(game="chess")
    found = refused(live, "GameService/GetGame", request, x_request_id="mine-1")
    assert found.trailing["x-request-id"] == "mine-1"
    found = refused(live, "GameService/GetGame", request, x_request_id="a b; c")
    assert found.trailing["x-request-id"] != "a b; c"


def test_every_row_of_the_table_is_tried():
    """Each code and reason of docs/service/api.md stands here, or in tests of a part of its own."""
    folder = Path(__file__).parent
    others = (
        folder / "test_api_lines.py",
        folder / "test_lobby.py",
        folder.parent / "secrecy" / "test_sealed.py",
        folder.parent / "running" / "test_workers.py",
        folder.parents[1] / "referee" / "files" / "test_conversion_calls.py",
    )
    here = "".join(path.read_text("utf-8") for path in (Path(__file__), *others))
    missing = [
        (code, reason)
        for code, reasons in table().items()
        for reason in reasons or {""}
        if f'"{code}"' not in here or f'"{reason}"' not in here
    ]
    assert len(table()) == 11
    assert not missing


def test_a_refused_call_leaves_nothing_behind_for_the_collector(live):
    """Or large requests stay for minutes: it comes seldom to a server."""
    big = b"\x0a" + bytes([0xFF, 0xFF, 0x1F]) + b"\0" * 0x7FFFF
    with grpc.insecure_channel(live.address) as channel:
        check = channel.unary_unary("/hexmarshal.v1.RulesService/CheckAction")
        gc.collect()
        gc.set_debug(gc.DEBUG_SAVEALL)
        try:
            for _ in range(3):
                with pytest.raises(grpc.RpcError):
                    check(big)
            gc.collect()
            kept = [f.f_code.co_qualname for f in gc.garbage if isinstance(f, FrameType)]
        finally:
            gc.set_debug(0)
            gc.garbage.clear()
    assert not [name for name in kept if name.endswith("answered")]


def test_nobody_is_waited_for_before_it_is_known_who_calls(club):
    """A call whose message never comes takes one of the caller's places, or none at all."""
    never = threading.Event()

    def nothing():
        never.wait(20)
        yield b""

    with grpc.insecure_channel(club.address) as channel:
        for method in ("RulesService/CheckAction", "MatchService/GetMatch"):
            asked = channel.stream_unary(f"/hexmarshal.v1.{method}").future(nothing())
            assert asked.exception(20).code() is grpc.StatusCode.UNAUTHENTICATED
        watch = channel.stream_stream("/hexmarshal.v1.MatchService/WatchMatch")(nothing())
        with pytest.raises(grpc.RpcError) as caught:
            next(watch)
        assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED
        never.set()


def test_a_call_without_its_message_is_no_bug_of_ours(live):
    with grpc.insecure_channel(live.address) as channel:
        asked = channel.stream_unary("/hexmarshal.v1.MatchService/GetMatch").future(iter(()))
        assert asked.exception(20).code() is grpc.StatusCode.INVALID_ARGUMENT
        watch = channel.stream_stream("/hexmarshal.v1.MatchService/WatchMatch")(iter(()))
        with pytest.raises(grpc.RpcError) as caught:
            next(watch)
        assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
