"""What one seat must not know, it cannot find out: not by answers, refusals, odds or streams.

Two matches are played side by side that look the same to blue and differ in all of red's secrets:
where a hidden unit is, what a masked one is, the order of the deck, red's plan and plots. Whatever
blue asks must be answered the same in both, byte for byte.
"""

from __future__ import annotations

import json
import re

import grpc
import pytest

from hexmarshal.rules.action import Action
from hexmarshal.rules.values import FrozenMap
from hexmarshal.v1 import match_service_pb2 as matches
from hexmarshal.v1 import position_pb2
from hexmarshal.v1 import rules_service_pb2 as rules
from hexmarshal.v1 import sight_service_pb2 as sight
from hexmarshal.wire.values import encode_record
from hexmarshal.wire.verdicts import encode_action
from server.conftest import serving


def act(kind, side="blue", **params):
    return encode_action(Action(kind, side, FrozenMap(params)))


# What red does in secret; per match, so that the secrets differ.
RED = {
    "duel": (
        act("plot", "red", cell="1111"),
        act("draw", "red"),
        act("omen", "red"),
        act("move", "red", unit="r29", path=("1019",)),
        act("pass", "red"),
    ),
    "ruse": (
        act("plot", "red", cell="3333"),
        act("draw", "red"),
        act("omen", "red"),
        act("move", "red", unit="r29", path=("2021",)),
        act("pass", "red"),
    ),
}
SECRETS = (
    "1018",
    "1019",
    "2020",
    "2021",
    "1111",
    "3333",
    "hook",
    "feint",
    "dragoon",
    "card0",
    "card1",
)


class Table:
    """One match, seen by blue through the wire."""

    def __init__(self, live, scenario: str, tokens: dict[str, str]) -> None:
        self.live, self.scenario, self.tokens = live, scenario, tokens
        self.channel = grpc.insecure_channel(live.address)
        request = matches.CreateMatchRequest(
            game="frontier",
            scenario=scenario,
            seed=f"secret {scenario}",
            seats=[matches.Seat(side=side, player=side) for side in ("blue", "red")],
        )
        made = self.call("MatchService/CreateMatch", request, "blue")
        self.id = matches.CreateMatchResponse.FromString(made).match.id
        self.version = 0

    def call(self, method: str, request, side: str) -> bytes:
        return self.channel.unary_unary(f"/hexmarshal.v1.{method}")(
            request.SerializeToString(), metadata=self.header(side), timeout=20
        )

    def header(self, side: str):
        return (("authorization", f"Bearer {self.tokens[side]}"),)

    def submit(self, action, side: str) -> bytes:
        request = matches.SubmitActionRequest(match=self.id, version=self.version, action=action)
        answer = self.call("MatchService/SubmitAction", request, side)
        self.version += 1
        return answer

    def asks(self, method: str, request) -> bytes:
        """What blue gets, answer or refusal, without what differs between any two matches."""
        try:
            found = self.call(method, request, "blue")
        except grpc.RpcError as error:
            trailing = dict(error.trailing_metadata())
            status = trailing.get("grpc-status-details-bin", b"")
            found = f"{error.code()} {error.details()} ".encode() + status
        return self.neutral(found)

    def neutral(self, data: bytes) -> bytes:
        return data.replace(self.id.encode(), b"ID").replace(b"ruse", b"duel")

    def watched(self) -> list[matches.Event]:
        stream = self.channel.unary_stream("/hexmarshal.v1.MatchService/WatchMatch")(
            matches.WatchMatchRequest(match=self.id).SerializeToString(),
            metadata=self.header("blue"),
        )
        events = []
        for data in stream:
            event = matches.WatchMatchResponse.FromString(data).event
            events.append(event)
            if event.version == self.version:
                stream.cancel()
                return events
        return events

    def exported(self, side: str = "blue", format: int = 1) -> bytes:
        stream = self.channel.unary_stream("/hexmarshal.v1.MatchService/ExportMatch")(
            matches.ExportMatchRequest(match=self.id, format=format).SerializeToString(),
            metadata=self.header(side),
        )
        return b"".join(matches.ExportMatchResponse.FromString(data).chunk for data in stream)


@pytest.fixture(scope="module")
def tables():
    with serving(auth="tokens", metrics="127.0.0.1:0") as live:
        tokens = {side: live.token(side) for side in ("blue", "red")}
        both = [Table(live, scenario, tokens) for scenario in ("duel", "ruse")]
        for table in both:
            table.submit(act("pass"), "blue")
            for action in RED[table.scenario]:
                table.submit(action, "red")
        yield both
        for table in both:
            table.channel.close()


def record(**values):
    return encode_record(FrozenMap(values))


def questions(table: Table):
    """Everything that a curious blue might try."""
    here = {"match": position_pb2.MatchPosition(match=table.id)}
    yield "MatchService/ListMatches", matches.ListMatchesRequest()
    for unit in ("b10", "r28", "r29", "r00"):
        for path in (["1006"], ["1018"], ["2020"], ["1218"], ["1019", "1018"]):
            yield "RulesService/CheckMove", rules.CheckMoveRequest(**here, units=[unit], path=path)
        yield (
            "RulesService/CheckAction",
            rules.CheckActionRequest(**here, action=act("fire", unit="b10", target=unit)),
        )
        yield (
            "RulesService/GetOdds",
            rules.GetOddsRequest(**here, params=record(unit="b10", target=unit)),
        )
        yield "SightService/Reach", sight.ReachRequest(**here, params=record(unit=unit))
        yield (
            "RulesService/ResolveAction",
            rules.ResolveActionRequest(**here, action=act("fire", unit="b10", target=unit)),
        )
    for kinds in ([], ["move"], ["draw"]):
        yield "RulesService/ListActions", rules.ListActionsRequest(**here, kinds=kinds)
    yield "RulesService/ListActions", rules.ListActionsRequest(**here, side="red")
    for kind, given in (
        ("", {}),
        ("move", {}),
        ("move", {"unit": "b10"}),
        ("move", {"unit": "r29"}),
        ("fire", {"unit": "b10"}),
        ("plot", {}),
        ("reveal", {}),
    ):
        yield (
            "RulesService/NextChoices",
            rules.NextChoicesRequest(**here, kind=kind, params=record(**given), reasons=True),
        )
    yield "RulesService/NextChoices", rules.NextChoicesRequest(**here, side="red")
    for name in ("count", "crash"):
        yield "RulesService/Query", rules.QueryRequest(**here, name=name)
    for cell in ("1018", "2020", "1111", "3333"):
        params = record(**{"from": cell, "to": "0000"})
        yield "SightService/LineOfSight", sight.LineOfSightRequest(**here, params=params)
        yield (
            "SightService/VisibleCells",
            sight.VisibleCellsRequest(**here, params=record(**{"from": cell})),
        )
    yield "RulesService/ValidatePosition", rules.ValidatePositionRequest(**here)
    for card in ("card00", "card19"):
        for marker in ("m0", "m1"):
            yield (
                "RulesService/CheckAction",
                rules.CheckActionRequest(**here, action=act("reveal", unit=marker + card)),
            )
    yield (
        "RulesService/CheckAction",
        rules.CheckActionRequest(
            match=position_pb2.MatchPosition(match=table.id, side="red"), action=act("pass", "red")
        ),
    )
    yield (
        "MatchService/SubmitAction",
        matches.SubmitActionRequest(
            match=table.id, version=table.version, action=act("reveal", unit="r29")
        ),
    )
    yield (
        "MatchService/SubmitAction",
        matches.SubmitActionRequest(match=table.id, version=0, action=act("pass")),
    )
    yield (
        "MatchService/UndoAction",
        matches.UndoActionRequest(match=table.id, version=table.version),
    )


def test_every_question_is_answered_the_same_whatever_red_hides(tables):
    one, two = tables
    asked = 0
    for (method, first), (_, second) in zip(questions(one), questions(two), strict=True):
        if method == "MatchService/ListMatches":
            continue
        assert one.asks(method, first) == two.asks(method, second), (method, str(first))
        asked += 1
    assert asked > 45


def test_the_view_of_a_match_is_the_same_whatever_red_hides(tables):
    seen = []
    for table in tables:
        data = table.call("MatchService/GetMatch", matches.GetMatchRequest(match=table.id), "blue")
        match = matches.GetMatchResponse.FromString(data).match
        match.ClearField("create_time")
        assert match.position.viewer == "blue"
        assert not match.position.HasField("generator")
        seen.append(table.neutral(match.SerializeToString(deterministic=True)))
    assert seen[0] == seen[1]


def test_the_events_that_blue_watches_are_the_same_whatever_red_does_in_secret(tables):
    seen = []
    for table in tables:
        events = table.watched()
        for event in events:
            event.ClearField("time")
        seen.append([table.neutral(e.SerializeToString(deterministic=True)) for e in events])
    assert len(seen[0]) == 6
    assert seen[0] == seen[1]


def test_no_secret_stands_in_anything_that_blue_receives(tables):
    for table in tables:
        # Moments and ids have digits of their own.
        received = re.sub(rb'"(create_)?time":"[^"]*"', b"", table.exported())
        for event in table.watched():
            event.ClearField("time")
            received += event.SerializeToString()
        for method, request in questions(table):
            if method in {"RulesService/CheckMove", "SightService/LineOfSight"}:
                continue  # these echo the cells that blue named itself
            received += table.asks(method, request)
        text = (
            table.neutral(received)
            .decode("utf-8", "replace")
            .replace("card00", "")
            .replace("card19", "")
        )
        assert [secret for secret in SECRETS if secret in text] == []


def test_red_sees_its_own_secrets(tables):
    table = tables[0]
    text = table.exported("red").decode()
    assert "1019" in text
    assert "hook" in text
    assert '"omen"' in text


def test_the_whole_record_is_for_directors_only(tables):
    table = tables[0]
    with pytest.raises(grpc.RpcError) as caught:
        table.exported(format=matches.EXPORT_FORMAT_GAME_RECORD)
    assert caught.value.code() is grpc.StatusCode.PERMISSION_DENIED
    table.tokens["director"] = table.live.token("the director", "director")
    whole = table.exported("director", matches.EXPORT_FORMAT_GAME_RECORD)
    assert json.loads(whole.splitlines()[0])["seed"] == "secret duel"


def test_a_unit_that_is_found_is_told_from_then_on(tables):
    table = Table(tables[0].live, "duel", tables[0].tokens)
    table.submit(act("pass"), "blue")
    table.submit(act("reveal", "red", unit="r29"), "red")
    event = table.watched()[-1]
    assert event.effects[0].add_unit.unit.cell == "1018"
    assert event.action_done.redacted
    table.channel.close()


def test_metrics_name_methods_and_codes_and_nothing_of_a_match(tables):
    from urllib.request import urlopen

    server = tables[0].live.server
    with urlopen(f"http://127.0.0.1:{server.metrics.port}/metrics") as answer:
        lines = answer.read().decode().splitlines()
    text = "\n".join(line.rpartition(" ")[0] for line in lines)  # numbers are only numbers
    assert 'hexmarshal_calls_total{code="OK",method="MatchService/SubmitAction"}' in text
    assert "hexmarshal_held_matches" in text
    for secret in (*SECRETS, "r29", "blue", *(table.id for table in tables)):
        assert secret not in text
