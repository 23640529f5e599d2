"""Every call of the API against a live server, the way a client uses it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import grpc
import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from hexmarshal.client import (
    AsyncClient,
    DiceNeededError,
    IllegalMoveError,
    InMatch,
    InvalidRequestError,
    ServiceError,
)
from hexmarshal.rules.action import Action
from hexmarshal.rules.dice import Given, RollRequest
from hexmarshal.rules.state.effects import apply_effects
from hexmarshal.rules.values import FrozenMap
from hexmarshal.v1 import game_service_pb2 as games
from hexmarshal.v1 import game_service_pb2_grpc, sight_service_pb2_grpc
from hexmarshal.v1 import match_service_pb2 as matches
from hexmarshal.v1 import sight_service_pb2 as sight
from hexmarshal.wire.effects import decode_effect
from hexmarshal.wire.positions import decode_position
from server import frontier


def act(kind, side="blue", **params):
    return Action(kind, side, FrozenMap(params))


@pytest.fixture(scope="module")
def position():
    return frontier.Frontier().setup("duel", {}, None)


@pytest.fixture
def channel(live):
    with grpc.insecure_channel(live.address) as one:
        yield one


# Games


def test_a_game_tells_its_sides_actions_rules_and_scenarios(client, channel):
    assert [game.key for game in client.games()] == ["frontier"]
    game = client.game("frontier")
    assert [action.name for action in game.actions] == list(frontier.ACTIONS)
    assert client.rule("frontier", "f-2").section == "2.0"
    stub = game_service_pb2_grpc.GameServiceStub(channel)
    first = stub.ListRules(games.ListRulesRequest(game="frontier", page_size=2))
    rest = stub.ListRules(
        games.ListRulesRequest(game="frontier", page_size=2, page_token=first.next_page_token)
    )
    assert [r.id for r in (*first.rules, *rest.rules)] == ["F-1", "F-2", "F-3"]
    assert not rest.next_page_token
    assert [scenario.key for scenario in client.scenarios("frontier")] == ["duel", "ruse"]


def test_a_scenario_gives_the_position_of_the_kernel(client, position):
    assert client.scenario("frontier", "duel") == position


# Rules


def test_a_move_is_checked_and_its_cost_told(client, position):
    verdict = client.check_move(position, "b00", ["0006", "0007"])
    assert verdict.legal
    assert verdict.cost.total == 2
    far = client.check_move(position, "b00", ["0009"])
    assert far.rules == ("F-1",)
    assert far.violations[0].section == "1.0"


def test_an_action_is_checked(client, position):
    assert client.check(position, act("fire", unit="b00", target="r00")).rules == ("F-2",)


def test_many_actions_are_checked_in_order_and_a_bad_one_spoils_none(client, position):
    asked = [act("move", unit=f"b{i:02}", path=(f"{i:02}06",)) for i in range(30)] * 3
    asked[7] = act("dance")
    found = list(client.check_all(position, asked, batch=16))
    assert len(found) == 90
    assert isinstance(found[7], ServiceError)
    assert found[7].status == "INVALID_ARGUMENT"
    assert all(v.legal for i, v in enumerate(found) if i != 7)


def test_legal_actions_come_in_pages_and_can_be_narrowed(client, position):
    every = list(client.actions(position))
    assert len(every) > 60
    own = list(client.actions(position, kinds=["move"], units=["b03"]))
    assert {o.action.text("unit") for o in own} == {"b03"}
    assert own[0].cost.total == 1


def test_an_action_is_resolved_with_dice_from_the_table(client, position):
    near = position.with_unit(
        *(u for u in position.units.values()),
    )
    target = position.unit("r00")
    from dataclasses import replace

    near = position.with_unit(replace(target, cell="0008"))
    done = client.resolve(near, act("fire", unit="b00", target="r00"), dice=[6, 5])
    assert done.resolutions[0].result == "hit"
    assert done.position.unit("r00").steps == 0
    assert [roll.value for roll in done.rolls] == [6, 5]
    assert apply_effects(near, done.effects) == done.position


def test_odds_are_exact(client, position):
    assert client.odds(position, unit="b00", target="r00")["hit"] == Fraction(5, 12)


def test_a_position_is_validated_with_every_fault(client, position):
    from dataclasses import replace

    assert client.validate(position).valid
    assert client.validate(position).digest == position.digest
    bad = position.with_unit(replace(position.unit("b00"), cell="9999", type="elephant"))
    answer = client.validate(bad)
    assert {v.field for v in answer.violations} == {"units.b00.cell", "units.b00.type"}


# Sight


def test_the_sight_calls_give_the_games_queries_as_fields(channel, position):
    from hexmarshal.client.requests import params, source

    stub = sight_service_pb2_grpc.SightServiceStub(channel)
    where = source(position)
    line = stub.LineOfSight(
        sight.LineOfSightRequest(**where, params=params({"from": "0005", "to": "0030"}))
    )
    assert line.visible
    assert list(line.trace) == ["0005", "0030"]
    assert line.blocked_by.list_value.values[0].string_value == "b00"
    seen = stub.VisibleCells(sight.VisibleCellsRequest(**where, params=params({"from": "0005"})))
    assert "0105" in seen.cells
    reach = stub.Reach(sight.ReachRequest(**where, params=params({"unit": "b00"})))
    assert [(c.cell, c.cost.int_value) for c in reach.cells] == [("0005", 1)]
    path = stub.FindPath(
        sight.FindPathRequest(**where, params=params({"unit": "b00", "to": "0006"}))
    )
    assert path.found
    assert path.cost.string_value == "3/2"
    assert stub.TraceSupply(
        sight.TraceSupplyRequest(**where, params=params({"unit": "b00"}))
    ).supplied


# Matches


def test_a_match_is_played_watched_undone_and_exported(client):
    match = client.create_match("frontier", "duel", seed="s", title="A duel")
    event = client.submit(match.id, 0, act("move", unit="b00", path=("0006",)), key="one")
    again = client.submit(match.id, 0, act("move", unit="b00", path=("0006",)), key="one")
    assert again == event
    client.submit(match.id, 1, act("draw"))
    client.submit(match.id, 2, act("plot", cell="1010"))
    undone = client.undo(match.id, 3)
    assert undone.action_undone.undone_version == 3
    with pytest.raises(IllegalMoveError) as caught:
        client.undo(match.id, 4)
    assert caught.value.reason == "UNDO_DICE"
    now = client.match(match.id)
    assert now.version == 4
    assert not now.position.markers
    client.submit(match.id, 4, act("resign"))
    events = list(client.watch(match.id))
    assert [e.version for e in events] == [1, 2, 3, 4, 5]
    replayed = client.match(match.id).position
    position = decode_position(match.position)
    for seen in events:
        position = apply_effects(position, [decode_effect(e) for e in seen.effects])
    assert position.units == decode_position(replayed).units
    lines = client.export(match.id).splitlines()
    assert len(lines) == 6
    assert match.id in [m.id for m in client.matches("frontier")]
    client.delete_match(match.id)
    assert match.id not in [m.id for m in client.matches("frontier")]


def test_the_game_record_of_a_match_replays_to_the_same_end(client):
    from hexmarshal.rules.playing.record import GameRecord, replay

    match = client.create_match("frontier", "duel", seed="again")
    for version, action in enumerate((act("draw"), act("omen"), act("pass"), act("omen", "red"))):
        client.submit(match.id, version, action)
    data = client.export(match.id, format=matches.EXPORT_FORMAT_GAME_RECORD)
    record = GameRecord.from_lines(data.decode().splitlines())
    *_, last = replay(frontier.Frontier(), record)
    assert last.digest == client.match(match.id).digest


def test_dice_rolled_at_the_table_belong_to_matches_without_a_generator(client):
    match = client.create_match("frontier", "duel", own_dice=True)
    event = client.submit(match.id, 0, act("omen"), dice=[4])
    assert [r.value for r in event.action_done.rolls] == [4] or event.action_done.redacted
    assert client.match(match.id).version == 1


def test_an_action_whose_dice_are_known_cannot_be_withdrawn(client):
    match = client.create_match("frontier", "duel", own_dice=True, undo=matches.UNDO_POLICY_FREE)
    fire = act("fire", unit="b00", target="b01")
    with pytest.raises(DiceNeededError) as caught:
        client.submit(match.id, 0, fire)
    asked = RollRequest("fire", (6, 6))
    assert (caught.value.request, caught.value.version) == (asked, 0)
    assert client.match(match.id).version == 0

    with pytest.raises(DiceNeededError) as caught:
        client.submit(match.id, 0, fire, dice=[6])
    assert (caught.value.request, caught.value.version) == (replace(asked, known=(6,)), 1)
    begun = next(iter(client.watch(match.id, 0, "red")))
    assert list(begun.action_begun.dice.dice.values) == [6]
    assert begun.action_begun.action.kind == "fire"
    assert not begun.action_begun.action.params.fields  # the other seat sees the kind alone

    for other, dice in ((act("omen"), [4]), (fire, [5, 5]), (fire, [])):
        with pytest.raises(IllegalMoveError) as refused:
            client.submit(match.id, 1, other, dice=dice)
        assert refused.value.reason == "DICE_KNOWN"
    event = client.submit(match.id, 1, fire, dice=[6, 5])
    assert [roll.value for roll in event.action_done.rolls] == [6, 5]
    # It was one action: the record has it once, and what is taken back is all of it.
    record = client.export(match.id, format=matches.EXPORT_FORMAT_GAME_RECORD).decode()
    assert len(record.splitlines()) == 2
    client.undo(match.id, 2, "blue")
    assert client.match(match.id).digest == match.digest
    client.submit(match.id, 3, act("omen"), dice=[4])


def test_dice_by_name_are_those_that_are_asked_for(client):
    match = client.create_match("frontier", "duel", own_dice=True)
    fire = act("fire", unit="b00", target="b01")
    with pytest.raises(InvalidRequestError) as refused:
        client.submit(match.id, 0, fire, dice=[Given(6, "morale"), Given(5, "fire")])
    assert refused.value.place.field == "dice.rolls[0].values[0]"
    with pytest.raises(InvalidRequestError, match="not used"):
        client.submit(match.id, 0, fire, dice=[Given(6, "fire")] * 3)
    event = client.submit(match.id, 0, fire, dice=[Given(6, "fire", 6), Given(5, "fire", 6)])
    assert [roll.value for roll in event.action_done.rolls] == [6, 5]


def test_a_match_can_be_asked_in_place_of_a_position(client):
    match = client.create_match("frontier", "duel", seed="q")
    assert client.check_move(InMatch(match.id, "blue"), "b00", ["0006"]).legal
    assert list(client.actions(InMatch(match.id, "blue")))
    assert client.ask(InMatch(match.id), "count").values["known"] == 60


def test_free_undo_gives_the_same_dice_again(client):
    match = client.create_match("frontier", "duel", seed="dice", undo=matches.UNDO_POLICY_FREE)
    first = client.submit(match.id, 0, act("draw"))
    client.undo(match.id, 1, "blue")
    second = client.submit(match.id, 2, act("draw"))
    assert first.action_done == second.action_done


# The rest


def test_health_and_reflection_answer(channel):
    health = health_pb2_grpc.HealthStub(channel)
    for name in ("", "hexmarshal.v1.RulesService"):
        status = health.Check(health_pb2.HealthCheckRequest(service=name)).status
        assert status == health_pb2.HealthCheckResponse.SERVING
    reflection = reflection_pb2_grpc.ServerReflectionStub(channel)

    def ask(**what):
        request = reflection_pb2.ServerReflectionRequest(**what)
        return next(iter(reflection.ServerReflectionInfo(iter([request]))))

    listed = ask(list_services="")
    names = {service.name for service in listed.list_services_response.service}
    assert {f"hexmarshal.v1.{n}Service" for n in ("Game", "Rules", "Sight", "Match")} <= names
    found = ask(file_containing_symbol="hexmarshal.v1.RulesService")
    files = [
        FileDescriptorProto.FromString(data)
        for data in found.file_descriptor_response.file_descriptor_proto
    ]
    assert "hexmarshal/v1/rules_service.proto" in [file.name for file in files]


def test_the_asynchronous_client_does_the_same(live, position):
    import asyncio

    async def session():
        async with AsyncClient(live.address) as client:
            assert [g.key for g in await client.games()] == ["frontier"]
            assert (await client.check_move(position, "b00", ["0006"])).legal
            match = await client.create_match("frontier", "duel", seed="a")
            await client.submit(match.id, 0, act("resign"))
            events = [event async for event in client.watch(match.id)]
            checks = [v async for v in client.check_all(position, [act("pass")] * 5, batch=2)]
            data = await client.export(match.id)
            return events, checks, data

    events, checks, data = asyncio.run(session())
    assert [e.version for e in events] == [1]
    assert len(checks) == 5
    assert data.count(b"\n") == 2


def test_what_is_not_known_about_a_request_does_not_break_it(channel):
    """A client of a newer version sends fields that this server does not know."""
    call = channel.unary_unary("/hexmarshal.v1.GameService/ListGames")
    assert games.ListGamesResponse.FromString(call(b"\xfa\x3e\x03new")).games
