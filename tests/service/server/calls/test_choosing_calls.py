"""NextChoices and the pages of ListActions, over the wire."""

from __future__ import annotations

import asyncio
import base64
import json

import pytest
from tutorial import Crossroads

from hexmarshal.cli.main import run
from hexmarshal.client import AsyncClient, InMatch, ServiceError
from hexmarshal.client.requests import Request
from hexmarshal.rules import engine
from hexmarshal.rules.choosing.choices import Begun
from hexmarshal.rules.plugins.registry import Registry
from hexmarshal.v1 import rules_service_pb2 as rules
from hexmarshal.wire.positions import encode_position
from server.conftest import serving

PLUGIN = Crossroads()
START = engine.start(PLUGIN, seed=1)


@pytest.fixture(scope="module")
def table():
    games = Registry()
    games.add(PLUGIN)
    with serving(games) as server:
        yield server


@pytest.fixture(scope="module")
def crossroads(table):
    with table.client() as client:
        yield client


def begun(**document: object) -> Begun:
    return Begun.decode(PLUGIN.game.actions, document)


def test_the_next_choice_is_that_of_the_kernel(crossroads) -> None:
    for kind, params in (("", {}), ("move", {}), ("move", {"unit": "b1", "path": ["B2"]})):
        asked = begun(**({"kind": kind} if kind else {}), **params)
        expected = engine.next_choices(PLUGIN, START, "blue", asked, reasons=True)
        assert crossroads.choices(START, kind, params, reasons=True) == expected
    assert not crossroads.choices(START, "move").refused


def test_both_clients_choose_alike(table, crossroads) -> None:
    async def choose():
        async with AsyncClient(table.address) as client:
            return await client.choices(START, "move", {"unit": "b3"}, slot="path")

    assert asyncio.run(choose()) == crossroads.choices(START, "move", {"unit": "b3"}, slot="path")


def test_in_a_match_a_seat_chooses_by_what_it_knows(crossroads) -> None:
    match = crossroads.create_match("tutorial", "meeting", seed="a")
    here = InMatch(match.id, "blue")
    found = crossroads.choices(here, "move", reasons=True)
    assert {r.value for r in found.refused} == {"r1", "r2"}  # r3 is hidden
    with pytest.raises(ServiceError) as caught:
        crossroads.choices(here, "move", {"unit": "r3"})
    assert caught.value.status == "INVALID_ARGUMENT"
    assert [field for field, _ in caught.value.fields] == ["params.unit"]
    crossroads.delete_match(match.id)


@pytest.mark.parametrize(
    ("kind", "params", "slot", "wrong"),
    [
        ("dance", {}, "", "kind"),
        ("", {"unit": "b1"}, "", "kind"),
        ("move", {"to": "B2"}, "", "params.to"),
        ("move", {"kind": "attack"}, "", "kind"),
        ("move", {"unit": 7}, "", "params.unit"),
        ("move", {}, "wings", "slot"),
    ],
)
def test_what_makes_no_sense_names_its_field(crossroads, kind, params, slot, wrong) -> None:
    with pytest.raises(ServiceError) as caught:
        crossroads.choices(START, kind, params, slot=slot)
    assert caught.value.status == "INVALID_ARGUMENT"
    assert [field for field, _ in caught.value.fields] == [wrong]


def pages(client, size: int) -> list[rules.ListActionsResponse]:
    found, token = [], ""
    while True:
        request = rules.ListActionsRequest(
            position=encode_position(START), page_size=size, page_token=token
        )
        method = "RulesService/ListActions"
        response = client.call(Request(method, request, rules.ListActionsResponse, lambda r: r))
        found.append(response)
        token = response.next_page_token
        if not token:
            return found


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_pages_hold_every_action_once(crossroads, size: int) -> None:
    whole = [offer.action for offer in crossroads.actions(START)]
    assert whole == [offer.action for offer in engine.offers(PLUGIN, START, "blue")]
    found = pages(crossroads, size)
    offers = [offer for response in found for offer in response.offers]
    assert len(offers) == len(whole)
    assert [o.action.params.fields["unit"].string_value for o in offers] == [
        action.text("unit") for action in whole
    ]


def token(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode()


@pytest.mark.parametrize(
    "bad",
    [
        "nonsense",
        token([]),
        token({}),
        token(["fly"]),
        token(["move", "b1", ["Z9"]]),
        token(["move", 1.5]),
        token([[[[]]]]),
        base64.urlsafe_b64encode(b"[" * 9000).decode(),
        "A" * 200_000,
    ],
)
def test_a_token_that_was_never_given_out_is_refused(crossroads, bad: str) -> None:
    request = rules.ListActionsRequest(position=encode_position(START), page_token=bad)
    call = Request("RulesService/ListActions", request, rules.ListActionsResponse, lambda r: r)
    with pytest.raises(ServiceError) as caught:
        crossroads.call(call)
    assert caught.value.status == "INVALID_ARGUMENT"
    assert [field for field, _ in caught.value.fields] == ["page_token"]


def test_the_command_asks_the_same(table, tmp_path, capsys) -> None:
    file = tmp_path / "p.json"
    file.write_text(json.dumps(START.to_json()))
    asked = ["call", "NextChoices", '{"kind": "move"}', "--address", table.address]
    assert run([*asked, "--position", str(file)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [choice["value"]["string_value"] for choice in told["choices"]] == ["b1", "b2", "b3"]
