"""The service's calls as JSON over HTTP, by the Connect protocol, as curl would make them."""

from __future__ import annotations

import asyncio
import base64
import json
import struct
import time

import pytest
from google.rpc import error_details_pb2
from server.frontier import Frontier

from hexmarshal.rules.plugins.registry import Registry
from hexmarshal.v1 import game_service_pb2, match_service_pb2

from .conftest import match_site


@pytest.fixture(scope="module")
def site():
    games = Registry()
    games.add(Frontier())
    with match_site(games) as one:
        yield one


@pytest.fixture(scope="module")
def match(site):
    return site.match("frontier")


def test_a_unary_call_takes_and_gives_json(site):
    answer = site.call("GameService/ListGames", {})
    assert answer.status == 200
    assert answer.headers["content-type"] == "application/json"
    assert [game["key"] for game in answer.json()["games"]] == ["frontier"]


def test_a_unary_call_takes_and_gives_protobuf(site):
    asked = game_service_pb2.GetGameRequest(game="frontier").SerializeToString()
    answer = site.ask(
        "POST", "/hexmarshal.v1.GameService/GetGame", asked, content_type="application/proto"
    )
    assert answer.headers["content-type"] == "application/proto"
    assert game_service_pb2.GetGameResponse.FromString(answer.body).game.key == "frontier"


@pytest.mark.parametrize(
    ("name", "message", "status", "code"),
    [
        ("MatchService/GetMatch", {"match": "none"}, 404, "not_found"),
        ("GameService/ListRules", {"game": "frontier", "pageSize": -1}, 400, "invalid_argument"),
        ("GameService/GetGame", {"gaem": "frontier"}, 400, "invalid_argument"),
        ("GameService/GetGame", [], 400, "invalid_argument"),
        ("ConversionService/InspectModule", {}, 501, "unimplemented"),
    ],
)
def test_a_refusal_has_the_code_and_the_http_status_of_the_protocol(
    site, name, message, status, code
):
    answer = site.call(name, message)
    assert (answer.status, answer.json()["code"]) == (status, code)
    assert answer.json()["message"]


def test_a_refusal_carries_its_details_packed_and_readable(site):
    (resource, *_) = site.call("MatchService/GetMatch", {"match": "none"}).json()["details"]
    assert resource["type"] == "google.rpc.ResourceInfo"
    assert resource["debug"] == {"resourceType": "match", "resourceName": "none"}
    packed = base64.b64decode(resource["value"] + "==")
    assert error_details_pb2.ResourceInfo.FromString(packed).resource_name == "none"


def test_a_misspelt_field_is_named(site):
    assert "gaem" in site.call("GameService/GetGame", {"gaem": "frontier"}).json()["message"]


def test_json_that_is_nested_too_deeply_is_refused(site):
    deep = '{"params":' + '{"fields":{"a":{"recordValue":' * 200 + "{}" + "}}}" * 200 + "}"
    answer = site.ask(
        "POST", "/hexmarshal.v1.RulesService/NextChoices", deep, content_type="application/json"
    )
    assert answer.status == 400


@pytest.mark.parametrize(
    "headers",
    [
        {"content_type": "text/plain"},
        {"content_type": "application/grpc-web"},
        {},
    ],
)
def test_another_content_type_is_refused_with_the_ones_that_are_taken(site, headers):
    answer = site.ask("POST", "/hexmarshal.v1.GameService/ListGames", "{}", **headers)
    assert answer.status == 415
    assert "application/json" in answer.headers["accept-post"]


def test_compression_and_other_versions_of_the_protocol_are_refused(site):
    zipped = site.call("GameService/ListGames", {}, content_encoding="gzip")
    assert zipped.json()["code"] == "unimplemented"
    later = site.call("GameService/ListGames", {}, connect_protocol_version="2")
    assert later.json()["code"] == "invalid_argument"


def test_a_body_beyond_the_limit_is_refused_and_the_next_one_answered(site):
    answer = site.ask(
        "POST",
        "/hexmarshal.v1.RulesService/CheckAction",
        b" " * (site.server.settings.max_message_bytes + 10),
        content_type="application/json",
    )
    assert answer.json()["code"] == "resource_exhausted"
    assert site.call("GameService/ListGames", {}).status == 200


def test_what_is_no_call_has_its_limit_too(site, match):
    answer = site.ask("POST", f"/random/{match}", b" " * 5000, content_type="application/json")
    assert (answer.status, answer.json()["code"]) == (429, "resource_exhausted")


def test_a_deadline_counts(site, match):
    answer = site.call(
        "MatchService/GetMatch", {"match": match, "side": "red"}, connect_timeout_ms="0"
    )
    assert answer.status in {200, 504}
    assert site.call("GameService/ListGames", {}, connect_timeout_ms="x").status == 200


def test_calls_are_made_with_post_alone(site):
    assert site.ask("GET", "/hexmarshal.v1.GameService/ListGames").status == 405
    assert site.ask("POST", "/hexmarshal.v1.GameService/NoSuch", "{}").status == 404


def _envelopes(body: bytes):
    while body:
        flags, size = struct.unpack(">BI", body[:5])
        yield flags, body[5 : 5 + size]
        body = body[5 + size :]


def test_a_stream_of_answers_comes_in_envelopes_and_ends_with_how_it_ended(site, match):
    message = json.dumps({"match": match, "side": "red"}).encode()
    answer = site.ask(
        "POST",
        "/hexmarshal.v1.MatchService/ExportMatch",
        b"\0" + struct.pack(">I", len(message)) + message,
        content_type="application/connect+json",
    )
    *parts, (flags, end) = _envelopes(answer.body)
    assert (flags, json.loads(end)) == (2, {})
    chunks = [base64.b64decode(json.loads(part)["chunk"]) for _, part in parts]
    assert json.loads(b"".join(chunks).splitlines()[0])["match"]["id"] == match


def test_a_refused_stream_ends_with_the_error(site):
    message = match_service_pb2.ExportMatchRequest(match="none").SerializeToString()
    answer = site.ask(
        "POST",
        "/hexmarshal.v1.MatchService/ExportMatch",
        b"\0" + struct.pack(">I", len(message)) + message,
        content_type="application/connect+proto",
    )
    ((flags, end),) = _envelopes(answer.body)
    assert (flags, json.loads(end)["error"]["code"]) == (2, "not_found")


@pytest.mark.parametrize("body", [b"", b"\0", b"\1\0\0\0\0", b"\0\0\0\0\5ab"])
def test_a_broken_envelope_is_refused(site, body):
    answer = site.ask(
        "POST",
        "/hexmarshal.v1.MatchService/ExportMatch",
        body,
        content_type="application/connect+json",
    )
    assert answer.json()["code"] == "invalid_argument"


def test_tokens_hold_for_pages_as_for_grpc():
    games = Registry()
    games.add(Frontier())
    with match_site(games, auth="tokens") as site:
        ann, bob = site.token("ann"), site.token("bob")
        stranger = site.call("GameService/ListGames", {})
        assert (stranger.status, stranger.json()["code"]) == (401, "unauthenticated")
        known = {"authorization": f"Bearer {ann}"}
        made = site.call("MatchService/CreateMatch", {"game": "frontier"}, **known).json()
        match = made["match"]["id"]
        site.call("LobbyService/JoinMatch", {"match": match, "side": "red"}, **known)
        assert site.ask("GET", f"/table/{match}?side=red", **known).status == 200
        other = {"authorization": f"Bearer {bob}"}
        for path in (f"/table/{match}?side=red", f"/history/{match}?side=red"):
            assert site.ask("GET", path).status == 401
            assert site.ask("GET", path, **other).status == 403
        assert b"refused" in site.ask("GET", f"/events/{match}?side=red", **other).body
        drawn = site.ask("POST", f"/random/{match}", '{"side": "red"}', **other)
        assert drawn.status == 403


def test_a_table_shows_what_the_seat_sees_now_and_before(site):
    match = site.match("frontier")
    table = site.ask("GET", f"/table/{match}?side=blue")
    assert b"r29" not in table.body  # between the lines, seen by red alone
    assert b"r29" in site.ask("GET", f"/table/{match}?side=red").body
    start = table.json()["match"]["position"]
    (side,) = start["active"]
    asked = {"match": {"match": match, "side": side}, "side": side, "kinds": ["move"]}
    (offer, *_) = site.call("RulesService/ListActions", asked).json()["offers"]
    doing = {"match": match, "action": offer["action"]}
    assert site.call("MatchService/SubmitAction", doing).status == 200
    now = site.ask("GET", f"/table/{match}?side=blue").json()
    assert (now["version"], now["newest"]) == (1, 1)
    before = site.ask("GET", f"/table/{match}?side=blue&version=0").json()
    assert before["match"]["position"] == start
    assert b"r29" not in site.ask("GET", f"/history/{match}?side=blue").body
    for version in ("2", "-1", "x", "9" * 30):
        assert site.ask("GET", f"/table/{match}?side=blue&version={version}").status == 400


@pytest.mark.parametrize("body", ["", "[]", "{}", '{"side": 1}', '{"side": "nobody"}', "[" * 3000])
def test_the_random_player_refuses_what_it_cannot_understand(site, match, body):
    assert site.ask("POST", f"/random/{match}", body).status == 400


def test_several_questions_are_answered_at_once_and_refusals_are_answers(site, match):
    source = {"match": match, "side": "red"}
    asked = [
        {"call": "RulesService/NextChoices", "message": {"match": source, "side": "red"}},
        {"call": "RulesService/Query", "message": {"match": source, "name": "none"}},
        {"call": "MatchService/DeleteMatch", "message": {"match": match}},
        {"call": "RulesService/Query", "message": {"nmae": "x"}},
        {"call": "RulesService/CheckActions"},
        7,
    ]
    told = site.ask("POST", "/several", json.dumps(asked)).json()
    assert told[0]["answer"]["slot"] == "kind"
    assert [one.get("error", {}).get("code") for one in told[1:]] == [
        "unimplemented",
        *["invalid_argument"] * 4,
    ]
    assert site.call("MatchService/GetMatch", source).status == 200
    for body in ("", "{}", json.dumps([{}] * 33), "[" * 4000):
        assert site.ask("POST", "/several", body).status == 400


HALF = '"\\ud800"'


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/table/{match}?side=blue&version=--5", None),
        ("GET", "/events/{match}?side=blue&after=--5", None),
        ("POST", "/random/{match}", f'{{"side": {HALF}}}'),
        ("POST", "/hexmarshal.v1.GameService/GetGame", f"{{{HALF}: 1}}"),
        ("POST", "/hexmarshal.v1.GameService/GetGame", f'{{"game": {HALF}}}'),
    ],
)
def test_numbers_and_characters_that_are_none_are_the_callers_mistake(
    site, match, method, path, body
):
    answer = site.ask(method, path.format(match=match), body, content_type="application/json")
    assert answer.status == 400, answer.body


def test_a_question_with_half_a_character_is_refused_and_the_others_are_answered(site):
    call = "RulesService/Query"
    asked = f'[{{"call": "{call}", "message": {{{HALF}: 1}}}}, {{"call": "{call}", "message": 0}}]'
    told = site.ask("POST", "/several", asked).json()
    assert [one["error"]["code"] for one in told] == ["invalid_argument"] * 2


def test_who_sees_a_match_whole_has_its_history_though_actions_were_refused(site):
    match = site.match("frontier")
    seen = site.call("MatchService/GetMatch", {"match": match, "side": "blue"}).json()
    (side,) = seen["match"]["position"]["active"]
    asked = {"match": {"match": match, "side": side}, "side": side, "kinds": ["move"]}
    (offer, *_) = site.call("RulesService/ListActions", asked).json()["offers"]
    doing = {"match": match, "action": offer["action"]}
    assert site.call("MatchService/SubmitAction", doing).status == 200
    assert site.call("MatchService/SubmitAction", {**doing, "version": 1}).status == 400
    assert len(site.ask("GET", f"/history/{match}").json()) == 1
    assert site.ask("GET", f"/table/{match}?version=0").json()["version"] == 0


def test_who_looks_on_has_a_table_and_a_history():
    games = Registry()
    games.add(Frontier())
    with match_site(games, auth="tokens") as site:
        alice, eve = ({"authorization": f"Bearer {site.token(one)}"} for one in ("alice", "eve"))
        seats = [{"side": side, "player": "alice"} for side in ("blue", "red")]
        terms = {"game": "frontier", "seats": seats, "audience": "AUDIENCE_PUBLIC"}
        made = site.call("MatchService/CreateMatch", terms, **alice).json()
        match = made["match"]["id"]
        seen = {"match": match, "side": "blue"}
        now = site.call("MatchService/GetMatch", seen, **alice).json()["match"]
        (side,) = now["position"]["active"]
        doing = {"match": match, "action": {"kind": "draw", "side": side}}
        assert site.call("MatchService/SubmitAction", doing, **alice).status == 200
        assert len(site.ask("GET", f"/history/{match}", **eve).json()) == 1
        assert site.ask("GET", f"/table/{match}?version=0", **eve).json()["version"] == 0


def test_who_is_not_let_in_has_no_body_read():
    games = Registry()
    games.add(Frontier())
    with match_site(games, auth="tokens", max_seconds=0.5) as site:
        head = {"content_type": "application/json", "content_length": "100"}
        # The body never comes: who is no player is told so, others are waited for so long.
        for path in ("/hexmarshal.v1.GameService/GetGame", "/several", "/random/none"):
            assert site.ask("POST", path, **head).status == 401
            known = {"authorization": f"Bearer {site.token(path)}"}
            assert site.ask("POST", path, **head, **known).status == 504


def test_requests_and_pages_that_take_long_hold_up_nobody(site, match, monkeypatch):
    steps = []
    run = asyncio.Handle._run

    def timed(handle):
        before = time.thread_time()
        run(handle)
        steps.append(time.thread_time() - before)

    fields = ", ".join(f'"f{i}": {{"text": "{i}"}}' for i in range(20_000))
    body = f'{{"match": {{"match": "{match}"}}, "params": {{"fields": {{{fields}}}}}}}'
    paths = [("POST", f"/hexmarshal.v1.RulesService/{name}", body) for name in ("Query", "GetOdds")]
    paths += [("POST", "/several", f'[{{"call": "RulesService/Query", "message": {body}}}]')]
    json.loads(body)
    started = time.thread_time()
    json.loads(body)
    once = time.thread_time() - started
    monkeypatch.setattr(asyncio.Handle, "_run", timed)
    for method, path, sent in paths:
        site.ask(method, path, sent, content_type="application/json")
    # Read there it would take some times what Python's own reader of JSON takes.
    assert max(steps) < max(0.01, 2 * once)
