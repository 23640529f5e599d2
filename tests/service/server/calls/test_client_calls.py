"""The clients: each has every call, both have the same, and sight is asked in words of Python."""

from __future__ import annotations

import asyncio
import inspect
from fractions import Fraction
from pathlib import Path

import pytest

from hexmarshal.cli.main import run
from hexmarshal.client import (
    AsyncClient,
    Client,
    InMatch,
    ServiceError,
    ServiceUnavailableError,
    lobby,
    matches,
    requests,
    sight,
    synchronous,
)
from hexmarshal.errors import NotFoundError
from hexmarshal.rules import FrozenMap
from hexmarshal.v1 import (
    game_service_pb2,
    lobby_service_pb2,
    match_service_pb2,
    rules_service_pb2,
    sight_service_pb2,
)

MODULES = (requests, matches, sight, lobby, synchronous)
# One call of many checks serves all; what a combat does is part of what an action does.
TOLD_OTHERWISE = {"RulesService/BatchCheckActions", "RulesService/ResolveCombat"}


@pytest.fixture
def position(client):
    return client.scenario("frontier", "duel")


def test_a_line_of_sight_is_asked_for_from_a_place_to_a_place(client, position):
    line = client.line_of_sight(position, from_="0005", to="0030")
    assert line == sight.LineOfSight(True, ("0005", "0030"), ("b00",), line.answer)
    assert line.answer == client.ask(position, "sight", from_="0005", to="0030")


def test_visible_cells_reach_paths_and_supply_come_as_values(client, position):
    assert "0105" in client.visible_cells(position, from_="0005").cells
    assert client.reach(position, unit="b00").costs == FrozenMap({"0005": 1})
    path = client.find_path(position, unit="b00", to="0006")
    assert (path.found, path.cells, path.cost) == (True, ("0005", "0006"), Fraction(3, 2))
    assert client.trace_supply(position, unit="b00").supplied


def test_sight_can_be_asked_for_in_a_match(client):
    match = client.create_match("frontier", "duel", seed="s")
    seen = client.visible_cells(InMatch(match.id, side="blue"), from_="0005")
    assert seen.cells
    client.delete_match(match.id)


def test_a_parameter_that_the_query_lacks_is_named(client, position):
    with pytest.raises(ServiceError, match="to") as refused:
        client.line_of_sight(position, from_="0005")
    assert refused.value.status == "INVALID_ARGUMENT"


def test_asyncio_asks_the_same(live, client, position):
    async def session():
        async with AsyncClient(live.address) as other:
            rules = [rule async for rule in other.rules("frontier")]
            return rules, (
                await other.line_of_sight(position, from_="0005", to="0030"),
                await other.visible_cells(position, from_="0005"),
                await other.reach(position, unit="b00"),
                await other.find_path(position, unit="b00", to="0006"),
                await other.trace_supply(position, unit="b00"),
            )

    rules, answers = asyncio.run(session())
    assert rules == list(client.rules("frontier"))
    assert answers == (
        client.line_of_sight(position, from_="0005", to="0030"),
        client.visible_cells(position, from_="0005"),
        client.reach(position, unit="b00"),
        client.find_path(position, unit="b00", to="0006"),
        client.trace_supply(position, unit="b00"),
    )


def test_all_rules_of_a_game_are_listed_in_the_order_of_the_book(client):
    told = [rule.id for rule in client.rules("frontier")]
    assert told
    assert [client.rule("frontier", rule).id for rule in told] == told


def test_both_clients_have_the_same_methods_with_the_same_parameters():
    def methods(kind):
        return {
            name: [
                (p.name, p.kind, p.default) for p in inspect.signature(value).parameters.values()
            ]
            for name, value in vars(kind).items()
            if inspect.isfunction(value) and not name.startswith("_")
        }

    assert methods(Client) == methods(AsyncClient)


def test_there_is_a_request_for_every_call_of_the_api():
    services = (
        game_service_pb2,
        lobby_service_pb2,
        match_service_pb2,
        rules_service_pb2,
        sight_service_pb2,
    )
    calls = {
        f"{service.name}/{method.name}"
        for file in services
        for service in file.DESCRIPTOR.services_by_name.values()
        for method in service.methods
    }
    written = "".join(inspect.getsource(module) for module in MODULES)
    assert {call for call in calls if call not in written} == TOLD_OTHERWISE


def test_a_scenario_that_is_not_there_is_refused_with_those_that_are(client):
    with pytest.raises(ServiceError, match=r"no scenario 'nix' \(there are: duel"):
        client.scenario("frontier", "nix")


def test_a_match_begins_once_for_a_key(client):
    first = client.create_match("frontier", "duel", title="A duel", seed="s", key="once")
    assert client.create_match("frontier", "duel", title="A duel", seed="s", key="once") == first
    assert first.title == "A duel"
    client.delete_match(first.id)


def test_one_unit_and_one_cell_may_stand_alone(client, position):
    assert client.check_move(position, "b00", "0006") == client.check_move(
        position, ["b00"], ["0006"]
    )


@pytest.mark.parametrize("kind", [str, Path])
def test_a_file_that_is_not_there_is_told_before_anything_is_sent(client, tmp_path, kind):
    missing = kind(tmp_path / "no such save.vsav")
    with pytest.raises(NotFoundError, match=r"no such save.vsav: no such file"):
        client.read_position(missing, game="frontier")
    with pytest.raises(NotFoundError, match="no such file"):
        client.inspect_module(kind(tmp_path), game="frontier")


def test_a_file_may_be_named_by_text(client, tmp_path):
    letter = tmp_path / "a letter ü.vsav"
    letter.write_bytes(b"dear friend")
    with pytest.raises(ServiceError) as refused:
        client.read_position(str(letter), bytes(10), game="frontier")
    assert refused.value.status == "INVALID_ARGUMENT"


def test_an_address_where_nobody_answers_is_told_with_what_to_do(capsys):
    with (
        Client("127.0.0.1:1", timeout=20) as nobody,
        pytest.raises(ServiceUnavailableError) as told,
    ):
        nobody.games()
    assert told.value.message.startswith("no rules service answers: ")
    assert "hexmarshal serve" in told.value.hint
    assert run(["call", "ListGames", "--address", "127.0.0.1:1"]) == 6
    assert "hint: 'hexmarshal serve' starts one" in capsys.readouterr().err
