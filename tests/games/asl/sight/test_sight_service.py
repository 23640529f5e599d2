"""Sight in positions: the plugin, asked directly and through a server."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from pathlib import Path

import grpc
import pytest
from asl_canvas import Canvas

from hexmarshal.client import Client, InMatch, InvalidRequestError
from hexmarshal.client.requests import params, source
from hexmarshal.errors import RulesError
from hexmarshal.games.asl.maps.atlas import VARIABLE
from hexmarshal.games.asl.plugin import AdvancedSquadLeader
from hexmarshal.rules import engine
from hexmarshal.rules.plugins.registry import Registry
from hexmarshal.rules.state.pieces import Marker, Unit
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.state.validate import problems
from hexmarshal.rules.values import FrozenMap
from hexmarshal.service.server import Server
from hexmarshal.service.settings import Settings
from hexmarshal.v1 import sight_service_pb2 as sight
from hexmarshal.v1 import sight_service_pb2_grpc


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    boards = tmp_path_factory.mktemp("boards")
    Canvas(name="bdA").fill("Grain", "E2").spot("Woods", "C3").write(boards)
    house = Canvas(name="bdB").band("Stone Building, 2 Level", 0, "E3", "E4", wide=22)
    house.write(boards)
    bd01 = Canvas(17, 10, "bd01")
    bd01.band("Stone Building, 1 Level", 0, "K5", "J5", wide=12).write(boards)
    whole = (boards / "bdA").read_bytes()
    (boards / "bdBroken").write_bytes(whole[: len(whole) // 2])
    (boards.parent / "secret").write_bytes(whole)
    return boards


@pytest.fixture(scope="module")
def asl(folder, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HEXMARSHAL_CACHE", "")
        patch.setenv(VARIABLE, str(folder))
        yield AdvancedSquadLeader()


def table(asl: AdvancedSquadLeader, board: str = "bdA", **options: object) -> Position:
    return engine.start(asl, "table", {"map": board, **options})


def ask(asl: AdvancedSquadLeader, position: Position, query: str, **params: object) -> dict:
    name, values = asl.game.queries.decode({"name": query, **params})
    return engine.ask(asl, position, name, values).to_json()


def test_an_answer_tells_the_hexes_the_rule_and_the_place(asl):
    answer = ask(asl, table(asl), "sight", **{"from": "C1", "to": "C5"})
    assert answer["visible"] is False
    assert answer["trace"] == ["C1", "C2", "C3", "C4", "C5"]
    assert answer["blocked_by"] == {
        "rule": "ASL-LOS-6",
        "section": "A6.2",
        "cell": "C3",
        "text": "terrain is higher than both ends",
    }
    assert {step["rule"] for step in answer["steps"]} == {"ASL-LOS-6"}


def test_the_way_back_is_the_same_way(asl):
    there = ask(asl, table(asl), "sight", **{"from": "E1", "to": "E5"})
    back = ask(asl, table(asl), "sight", **{"from": "E5", "to": "E1"})
    assert (there["visible"], there["hindrance"], there["at"]) == (True, 1, "E2")
    assert (back["visible"], back["hindrance"], back["at"]) == (True, 1, "E2")
    assert there["trace"] == back["trace"][::-1]


def test_units_look_from_where_they_are(asl):
    position = table(asl, "bdB").with_unit(
        Unit("squad", "personnel", "attacker", "E3", level=2),
        Unit("scout", "personnel", "attacker", "E1", values=FrozenMap({"vertex": 3})),
    )
    answer = ask(asl, position, "sight", unit="squad", to="E4")
    assert answer["blocked_by"]["rule"] == "ASL-BLDG-4"
    assert ask(asl, position, "sight", unit="scout", target="squad")["visible"]


def test_smoke_vehicles_weather_and_night_count(asl):
    smoke = Marker("m1", "smoke", cell="E3", values=FrozenMap({"hindrance": 1}))
    position = table(asl, weather=1)
    position = replace(
        position.with_unit(Unit("tank", "vehicle", "defender", "E4")),
        markers=FrozenMap({"m1": smoke}),
    )
    answer = ask(asl, position, "sight", **{"from": "E1", "to": "E5"})
    assert (answer["visible"], answer["hindrance"]) == (True, 4)
    more = position.markers.merged(
        {
            "m2": Marker("m2", "wreck", cell="E3"),
            "m3": Marker("m3", "smoke", cell="E3", values=FrozenMap({"hindrance": 1})),
        }
    )
    six = ask(asl, replace(position, markers=more), "sight", **{"from": "E1", "to": "E5"})
    assert six["blocked_by"]["rule"] == "ASL-LOS-11"
    dark = ask(asl, table(asl, night=2), "sight", **{"from": "E1", "to": "E5"})
    assert dark["blocked_by"]["rule"] == "ASL-NVR-1"


def test_artillery_mist_fog_and_alpine_hills_count(asl):
    line = {"from": "E1", "to": "E5"}
    plain = ask(asl, table(asl), "sight", **line)["hindrance"]
    shells = Marker("m1", "shelling", cell="E3")
    position = replace(table(asl, mist=2, fog=1), markers=FrozenMap({"m1": shells}))
    assert ask(asl, position, "sight", **line)["hindrance"] == plain + 3
    assert ask(asl, table(asl, fog=1, fog_level=-1), "sight", **line)["hindrance"] == plain
    assert ask(asl, table(asl, alpine=True), "sight", **line)["visible"]


def test_at_night_one_may_be_seen_and_not_see(asl):
    flash = Marker("m1", "gunflash", cell="E5")
    position = replace(table(asl, night=2), markers=FrozenMap({"m1": flash}))
    assert ask(asl, position, "sight", **{"from": "E1", "to": "E5"})["visible"]
    assert not ask(asl, position, "sight", **{"from": "E5", "to": "E1"})["visible"]
    tank = Unit("tank", "vehicle", "defender", "E4", values=FrozenMap({"moving": "tracks"}))
    position = table(asl, night=2).with_unit(tank)
    assert ask(asl, position, "sight", **{"from": "E1", "to": "E4"})["visible"]
    assert not ask(asl, position, "sight", **{"from": "E4", "to": "E1"})["visible"]


def test_what_is_visible_is_what_each_line_says(asl):
    position = table(asl)
    found = ask(asl, position, "visible", **{"from": "E1"})
    assert found["hindered"]["E5"] == 1
    for cell in ("C3", "C4", "D5", "H3", "B6"):
        one = ask(asl, position, "sight", **{"from": "E1", "to": cell})
        assert one["visible"] == (cell in found["cells"])


def test_cropped_joined_and_turned_boards_are_one_map(asl):
    part = table(asl, "bdA@A-E")
    assert ask(asl, part, "sight", **{"from": "C1", "to": "C5"})["blocked_by"]["cell"] == "C3"
    with pytest.raises(RulesError, match="G3"):
        ask(asl, part, "sight", **{"from": "C1", "to": "G3"})
    position = table(asl, "bdA+bdB@flip")
    answer = ask(asl, position, "sight", **{"from": "bdA:C1", "to": "bdA:C5"})
    assert answer["blocked_by"]["cell"] == "bdA:C3"
    assert ask(asl, position, "sight", **{"from": "bdA:H3", "to": "bdB:H3"})["range"] == 2


@pytest.mark.parametrize(
    ("board", "message"),
    [
        ("bdC", "there is no board bdC"),
        ("../secret", "is not a map"),
        ("/etc/passwd", "is not a map"),
        ("bdBroken", "bdBroken: "),
        ("bdA@F-B", "bdA"),
        ("bdA@ZZ-ZZ", "no column ZZ"),
        ("bdA@twice", "changed by 'twice' in no way"),
        ("+".join(["bdA"] * 13), "more than 12"),
        ("", "is not a map"),
    ],
)
def test_only_boards_of_the_folder_can_be_named(asl, folder, board, message):
    position = replace(table(asl), board=board)
    with pytest.raises(RulesError, match=message) as caught:
        ask(asl, position, "sight", **{"from": "E1", "to": "E5"})
    assert caught.value.place.field == "board"
    assert str(folder) not in str(caught.value)


def test_without_a_folder_there_are_no_boards(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    plugin = AdvancedSquadLeader()
    assert engine.start(plugin, "table").board == ""
    with pytest.raises(RulesError, match="no boards here") as caught:
        engine.start(plugin, "table", {"map": "bdA"})
    assert VARIABLE in caught.value.hint
    assert caught.value.place.field == "options.map"


def test_what_is_wrong_with_a_position_is_said(asl):
    def said(position: Position) -> list[tuple[str, str]]:
        return [(found.field, found.text) for found in problems(asl, position)]

    position = table(asl, "bdB")
    assert said(position) == []
    high = position.with_unit(Unit("u", "personnel", "attacker", "E3", level=4))
    assert said(high) == [("units.u.level", "hex E3 of bdB has no level 4")]
    off = position.with_unit(Unit("u", "personnel", "attacker", "Z9"))
    assert [field for field, _ in said(off)] == ["units.u.cell"]
    assert said(replace(position, board="bdC")) == [("board", "there is no board bdC")]
    smoke = Marker("m", "smoke", cell="E3", values=FrozenMap({"hindrance": 0}))
    assert said(replace(position, markers=FrozenMap({"m": smoke})))[0][0] == "markers.m.values"


@pytest.mark.parametrize(
    ("params", "field"),
    [
        ({"from": "E1"}, "to"),
        ({"to": "E1"}, "from"),
        ({"from": "Z1", "to": "E1"}, "from"),
        ({"from": "E1", "to": "E5", "to_vertex": 6}, "to_vertex"),
        ({"from": "E1", "to": "E5", "to_level": 2}, "to_level"),
        ({"from": "E1", "from_level": 2**63 - 1, "to": "E5"}, "from_level"),
    ],
)
def test_a_wrong_question_names_its_field(asl, params, field):
    with pytest.raises(RulesError) as caught:
        ask(asl, table(asl), "sight", **params)
    assert caught.value.place.field == field


@pytest.mark.parametrize(
    ("kind", "level", "values"),
    [
        ("smoke", 0, {"hindrance": True}),
        ("smoke", 0, {"hindrance": "thick"}),
        ("smoke", 0, {"hindrance": 2**62}),
        ("smoke", 0, {"rises": 2**62}),
        ("smoke", 2**62, {}),
        ("shelling", 0, {"hindrance": 2**62}),
    ],
)
def test_a_marker_that_cannot_be_is_named(asl, kind, level, values):
    marker = Marker("m", kind, cell="E3", level=level, values=FrozenMap(values))
    position = replace(table(asl), markers=FrozenMap({"m": marker}))
    with pytest.raises(RulesError) as caught:
        ask(asl, position, "sight", **{"from": "E1", "to": "E5"})
    assert caught.value.place.field == "markers.m.values"


def test_an_option_that_cannot_be_is_named(asl):
    for option in ("weather", "night"):
        position = replace(table(asl), options=FrozenMap({option: 2**62}))
        with pytest.raises(RulesError) as caught:
            ask(asl, position, "sight", **{"from": "E1", "to": "E5"})
        assert caught.value.place.field == f"options.{option}"


def test_a_map_that_cannot_be_had_is_looked_for_a_few_times_not_once_a_unit(folder, monkeypatch):
    plugin = AdvancedSquadLeader(folder)
    asked = []
    find = plugin.atlas._sight
    monkeypatch.setattr(plugin.atlas, "_sight", lambda name: asked.append(name) or find(name))
    units = {f"u{n}": Unit(f"u{n}", "personnel", "attacker", "E3") for n in range(50)}
    position = replace(table(plugin), board="bdA@I-A", units=FrozenMap(units))
    assert problems(plugin, position)
    assert len(asked) < 5


def test_a_name_that_is_too_long_is_not_told_in_full(asl):
    with pytest.raises(RulesError, match="is not a map") as caught:
        ask(asl, replace(table(asl), board="?" * 9000), "sight", **{"from": "E1", "to": "E5"})
    assert len(str(caught.value)) < 200


def test_maps_are_kept_as_long_as_there_is_room(folder):
    atlas = AdvancedSquadLeader(folder).atlas
    first = atlas.sight("bdA")
    assert atlas.sight("bdA") is first
    wide = "+".join(["bdA"] * 8)
    atlas.sight(wide)
    assert atlas.sight("bdA") is first
    atlas.sight(f"{wide}@flip")
    assert atlas.sight("bdA") is first
    assert atlas.sight(wide) is not None
    assert sum(count for _, count in atlas._kept.values()) <= 16


def test_nothing_but_sight_is_offered(asl):
    position = table(asl)
    assert list(engine.offers(asl, position, "attacker")) == []
    assert engine.outcome(asl, position) is None
    assert not any("look" in kind.phases for kind in asl.game.actions.values())


@pytest.fixture(scope="module")
def address(asl):
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    games = Registry()
    games.add(asl)
    settings = Settings(listen="127.0.0.1:0", ephemeral=True, workers=0, log_calls="none")
    server = Server(settings, games)
    try:
        asyncio.run_coroutine_threadsafe(server.start(), loop).result(30)
        yield f"127.0.0.1:{server.port}"
        asyncio.run_coroutine_threadsafe(server.stop(0.2), loop).result(30)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


def test_a_server_answers_lines_of_sight_and_fields_of_view(asl, address):
    where = source(table(asl))
    with grpc.insecure_channel(address) as channel:
        stub = sight_service_pb2_grpc.SightServiceStub(channel)
        line = stub.LineOfSight(
            sight.LineOfSightRequest(**where, params=params({"from": "C1", "to": "C5"}))
        )
        seen = stub.VisibleCells(sight.VisibleCellsRequest(**where, params=params({"from": "E1"})))
    assert not line.visible
    assert list(line.trace) == ["C1", "C2", "C3", "C4", "C5"]
    reason = line.blocked_by.record_value.fields
    assert (reason["section"].string_value, reason["cell"].string_value) == ("A6.2", "C3")
    assert [step.rule for step in line.answer.steps] == ["ASL-LOS-6", "ASL-LOS-6"]
    assert "E5" in seen.cells
    assert "B4" not in seen.cells


def test_a_client_asks_refuses_and_is_told_why(asl, address):
    with Client(address) as client:
        assert [game.key for game in client.games()] == ["asl"]
        position = client.scenario("asl", "table", options={"map": "bdA"})
        answer = client.ask(position, "sight", **{"from": "E1", "to": "E5"})
        assert answer.values["hindrance"] == 1
        with pytest.raises(InvalidRequestError, match="is not a map"):
            client.ask(replace(position, board="../secret"), "sight", **{"from": "E1", "to": "E5"})
        assert not client.validate(replace(position, board="bdC")).valid
        match = client.create_match("asl", "table", options={"map": "bdA"}, seed="s")
        again = client.ask(InMatch(match.id), "sight", **{"from": "E1", "to": "E5"})
        assert again.values == answer.values


def test_the_page_about_positions_is_true(asl, address, capsys):
    page = (Path(__file__).parents[4] / "docs" / "games" / "asl.md").read_text("utf-8")
    game = asl.game
    words = [VARIABLE, *(query.name for query in game.queries.values())]
    words += [kind.key for kind in (*game.unit_types[:2], *game.markers)]
    words += [option.param.name for option in game.options]
    assert [word for word in words if f"`{word}`" not in page and f" {word}=" not in page] == []
    code = page.partition("```python\n")[2].partition("```")[0]
    exec(code.replace("localhost:50051", address), {})
    assert "True 0 K5 level 1 to M7, range 3: clear" in capsys.readouterr().out
