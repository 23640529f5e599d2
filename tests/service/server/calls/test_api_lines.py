"""What clients of every game may rely on: names, exact numbers, sentences to translate."""

from __future__ import annotations

import grpc
import pytest
from grpc_reflection.v1alpha import reflection_pb2
from hypothesis import given
from hypothesis import strategies as st

from hexmarshal.client import InMatch, ServiceError
from hexmarshal.client.requests import Request
from hexmarshal.rules.action import Action
from hexmarshal.rules.plugins.registry import default
from hexmarshal.v1 import match_terms_pb2 as terms
from hexmarshal.v1 import sight_service_pb2 as sight
from hexmarshal.wire.positions import encode_position
from hexmarshal.wire.templates import templated
from server.conftest import serving


@pytest.fixture(scope="module")
def installed():
    with serving(default()) as live, live.client() as client:
        yield client


def line(client, position, **fields):
    request = sight.LineOfSightRequest(position=encode_position(position), **fields)
    return client.call(
        Request("SightService/LineOfSight", request, sight.LineOfSightResponse, lambda r: r)
    )


def test_from_and_to_mean_the_same_in_every_game(installed):
    start = installed.scenario("conflict_of_heroes", "first_steps")
    cells = sorted({unit.cell for unit in start.units.values() if unit.cell})[:2]
    own = installed.line_of_sight(start, cell=cells[0], target=cells[1])
    assert installed.line_of_sight(start, from_=cells[0], to=cells[1]) == own
    assert line(installed, start, **{"from": cells[0], "to": cells[1]}).trace == list(own.trace)
    with pytest.raises(ServiceError) as caught:
        line(installed, start, **{"from": cells[0], "to": "nowhere"})
    assert caught.value.status == "INVALID_ARGUMENT"
    with pytest.raises(ServiceError, match="has no such thing"):
        installed.line_of_sight(start, unit="x", to=cells[1])


def test_units_are_named_alike_and_costs_are_exact(installed):
    start = installed.scenario("kharkov", "exercise")
    unit = next(u for u in start.units.values() if u.cell and u.side in start.active)
    request = sight.ReachRequest(position=encode_position(start), units=[unit.id])
    found = installed.call(Request("SightService/Reach", request, sight.ReachResponse, lambda r: r))
    assert found.cells
    assert all(cell.HasField("amount") and cell.amount.denominator for cell in found.cells)
    assert installed.reach(start, unit=unit.id) == installed.reach(start, units=[unit.id])


def test_resolving_from_a_seat_says_what_to_do(club):
    ann = club.token("resolver")
    with club.client(ann) as client:
        match = client.create_match("frontier", "duel", seats={"blue": "resolver"}).id
        with pytest.raises(ServiceError, match="SubmitAction") as caught:
            client.resolve(InMatch(match), Action("omen", "blue"), dice=[3])
        assert caught.value.reason == "SEAT_VIEW"


def test_a_violation_can_be_said_in_another_language(client):
    position = client.scenario("frontier", "duel")
    request = position.with_unit(position.unit("b00"))
    from hexmarshal.v1 import rules_service_pb2 as rules
    from hexmarshal.wire.verdicts import encode_action

    asked = rules.CheckActionRequest(
        position=encode_position(request), action=encode_action(Action("pass", "red"))
    )
    verdict = client.call(
        Request("RulesService/CheckAction", asked, rules.CheckActionResponse, lambda r: r.verdict)
    )
    (broken,) = verdict.violations
    assert broken.rule
    assert broken.template.format(*broken.arguments) == broken.text


def test_what_differs_from_case_to_case_is_no_part_of_a_template():
    one = templated("unit b01 at 0506 has 3/2 left, not 4", ["b01", "0506"])
    other = templated("unit r7 at 1018 has 1 left, not -12", ["r7", "1018"])
    assert one[0] == other[0] == "unit {0} at {1} has {2} left, not {3}"
    assert other[1] == ["r7", "1018", "1", "-12"]


@given(st.text(max_size=60), st.lists(st.text(max_size=5), max_size=3))
def test_a_template_with_its_arguments_is_the_sentence(text, names):
    template, arguments = templated(text, names)
    assert template.format(*arguments) == text


@pytest.mark.parametrize("version", ["v1", "v1alpha"])
def test_reflection_answers_under_both_its_names(live, version):
    path = f"/grpc.reflection.{version}.ServerReflection/ServerReflectionInfo"
    request = reflection_pb2.ServerReflectionRequest(list_services="")
    with grpc.insecure_channel(live.address) as channel:
        call = channel.stream_stream(
            path,
            reflection_pb2.ServerReflectionRequest.SerializeToString,
            reflection_pb2.ServerReflectionResponse.FromString,
        )
        (found,) = call(iter([request]), timeout=10)
    names = {service.name for service in found.list_services_response.service}
    assert {"hexmarshal.v1.LobbyService", f"grpc.reflection.{version}.ServerReflection"} <= names


def test_a_ban_ends_what_somebody_has_open(club):
    import time

    from hexmarshal.service.store import BanRow

    token = club.token("rude")
    with club.client(token) as client:
        match = client.create_match("frontier", "duel", seats={"blue": "rude"}).id
        watching = client.watch(match)
        club.do(club.server.store.ban(BanRow("rude", "swearing", time.time_ns() // 1000)))
        with pytest.raises(ServiceError) as caught:
            list(watching)
        assert caught.value.status in {"UNAUTHENTICATED", "PERMISSION_DENIED"}
        with pytest.raises(ServiceError, match="swearing") as caught:
            client.games()
        assert caught.value.reason == "BANNED"
        assert club.do(club.server.store.unban("rude"))
        for _ in range(100):
            try:
                assert client.games()
                break
            except ServiceError:
                time.sleep(0.05)
        assert client.match(match).state == terms.MATCH_STATE_SEATING
