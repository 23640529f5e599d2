"""Positions written as saves of VASL, read back; counters from modules of ours and, if one is
there, from a real one."""

from __future__ import annotations

import json

import pytest
from vasl_saves import Counter, board, leader, level, marker, module, squad, weapon

from hexmarshal.cli.main import run
from hexmarshal.errors import ExitCode
from hexmarshal.games.asl.plugin import AdvancedSquadLeader
from hexmarshal.games.asl.vasl.opening import open_table
from hexmarshal.games.asl.vasl.save_writer import board_choices, write_vasl_save
from hexmarshal.rules.state.pieces import Marker, Unit
from hexmarshal.rules.values import FrozenMap
from hexmarshal.vassal.module import Module


def supply() -> Module:
    """A few counters of each kind."""
    final = Counter("First Fire", " ")
    final.with_trait(layered("MS/Final", "Final Fire"), "-1")
    final.with_trait(layered("MS/First", "First Fire"), "1")
    return module(
        squad(),
        squad(half=True),
        squad("ge", "467 447", "247 237"),
        squad("ge", "467 447", "247 237", half=True),
        leader(),
        leader("ge"),
        weapon(),
        weapon("LMG"),
        weapon("LMG", "ge"),
        marker("DM"),
        marker("Pin", "MS/pin"),
        marker("Prep Fire", "MS/FirePrep"),
        final,
        level(1),
        Counter("?", "ru/ruqmark"),
        Counter("White +3 Smoke", "ML/Smk3"),
        Counter("2 FP", "MS/RFP02"),
        Counter("1S Foxhole", "ML/Foxhole"),
        Counter("RU Sniper", "ru/ruSniper"),
    )


def layered(image: str, name: str) -> str:
    from vasl_saves import layer

    return layer(image, name)


def unit(name, kind, side, cell="", *, of="", flags=(), **more):
    bonds = FrozenMap({"possesses": (of,)}) if of else FrozenMap({})
    values = FrozenMap({k: v for k, v in more.items() if k != "level"})
    at = int(more.get("level", 0))
    return Unit(
        name, kind, side, cell=cell, level=at, flags=frozenset(flags), values=values, bonds=bonds
    )


@pytest.fixture
def folder(tmp_path):
    board(tmp_path / "boards")
    board(tmp_path / "boards", "bdTwo")
    return tmp_path / "boards"


def position(plugin, name, units, markers=()):
    from dataclasses import replace

    return replace(
        plugin.blank(),
        scenario="table",
        board=name,
        phase="rally",
        active=("attacker",),
        units=FrozenMap({one.id: one for one in units}),
        markers=FrozenMap({one.id: one for one in markers}),
        extras=FrozenMap(
            {
                "phasing": "attacker",
                "first": "attacker",
                "attacker_nation": "german",
                "defender_nation": "russian",
                "attacker_elr": 3,
            }
        ),
    )


def all_kinds(at):
    """Units of every kind and state that the counters can show."""
    return [
        unit("a", "russian_4-5-8", "defender", at("E3")),
        unit("b", "russian_4-4-7", "defender", at("E3"), level=1),
        unit("c", "russian_mmg", "defender", of="b"),
        unit("d", "russian_lmg", "defender", of="a", flags=["malfunctioned"]),
        unit("e", "leader_8-1", "defender", at("E3"), level=1, nation="russian"),
        unit("f", "russian_2-2-6", "defender", at("F2"), flags=["broken", "dm"]),
        unit("g", "russian_4-2-6", "defender", at("F2"), flags=["broken"]),
        unit("h", "russian_4-5-8", "defender", at("F2"), flags=["pinned"]),
        unit("i", "russian_4-5-8", "defender", at("G3"), flags=["concealed"]),
        unit("j", "german_4-6-7", "attacker", at("B3"), flags=["prep_fire"]),
        unit("k", "german_4-4-7", "attacker", at("B3"), flags=["final_fire"]),
        unit("l", "german_lmg", "attacker", of="k", flags=["final_fire"]),
        unit("m", "german_2-3-7", "attacker", at("B3")),
        unit("n", "leader_9-1", "attacker", at("C4"), nation="german", entrenched=True),
        unit("o", "russian_lmg", "defender", at("H3")),
    ]


def told(found, names):
    """What a position says of units, by the names that they had."""
    return {
        names[one.id]: (
            one.type,
            one.side,
            one.cell,
            one.level,
            one.flags,
            tuple(names[h] for h in one.bonds.get("possesses", ())),
            one.values.get("entrenched", False),
        )
        for one in found.units.values()
        if one.id in names
    }


@pytest.mark.parametrize(
    ("name", "at"),
    [
        ("bdOne", str),
        ("bdOne@flip", str),
        ("bdTwo+bdOne@flip", "bdOne:{}".format),
        ("bdTwo@flip/bdOne@A-H", "bdOne:{}".format),
    ],
)
def test_what_is_written_is_read_again(folder, tmp_path, name, at):
    plugin = AdvancedSquadLeader(folder)
    before = position(plugin, name, all_kinds(at))
    written = write_vasl_save(before, plugin, supply(), folder)
    assert written.cannot == ()
    path = tmp_path / "game.vsav"
    written.saved.save(path)
    after = open_table(path, folder).position().position
    assert after.board == name
    names = {f"c{piece}": unit for unit, piece in written.pieces.items()}
    own = {one: one for one in before.units}
    assert told(after, names) == told(before, own)
    assert after.extras["attacker_nation"] == "german"


def test_markers_are_written_too(folder, tmp_path):
    plugin = AdvancedSquadLeader(folder)
    markers = [
        Marker("s", "smoke", cell="D3", values=FrozenMap({"hindrance": 3, "rises": 2})),
        Marker("r", "residual", cell="D4", values=FrozenMap({"fp": 2})),
        Marker("n", "sniper", "defender", cell="H3"),
        Marker("x", "gunflash", cell="H3"),
    ]
    units = [unit("a", "russian_4-5-8", "defender", "F2")]
    written = write_vasl_save(position(plugin, "bdOne", units, markers), plugin, supply(), folder)
    assert written.cannot == ("x: no counter of the module shows it",)
    path = tmp_path / "game.vsav"
    written.saved.save(path)
    after = open_table(path, folder).position().position
    found = {
        (m.kind, m.cell, m.values.get("hindrance"), m.values.get("fp"))
        for m in after.markers.values()
    }
    assert found == {
        ("smoke", "D3", 3, None),
        ("residual", "D4", None, 2),
        ("sniper", "H3", None, None),
    }


def test_what_the_module_lacks_is_told_and_the_rest_is_written(folder):
    plugin = AdvancedSquadLeader(folder)
    units = [
        unit("a", "russian_4-5-8", "defender", "F2", flags=["cx"]),
        unit("b", "finnish_6-4-8", "defender", "F2"),
        unit("c", "vehicle", "defender", "F2", counter="T-99"),
    ]
    written = write_vasl_save(position(plugin, "bdOne", units), plugin, supply(), folder)
    assert sorted(written.pieces) == ["a"]
    assert written.cannot == (
        "a: no marker of the module says cx",
        "b: the module has no counter finnish_6-4-8",
        "c: the module has no counter T-99",
    )


def test_the_same_position_gives_the_same_file(folder):
    plugin = AdvancedSquadLeader(folder)
    before = position(plugin, "bdOne", all_kinds(str))
    files = [write_vasl_save(before, plugin, supply(), folder).saved.to_bytes() for _ in range(2)]
    assert files[0] == files[1]


def test_boards_are_chosen_as_vasl_does(folder):
    one, two = board_choices("bdOne@flip+bdTwo@C-G", folder)
    assert (one.name, one.reversed, one.crop) == ("One", True, None)
    assert (two.column, two.row, two.crop) == (1, 0, (112, 0, 226, -1))


def test_the_command_writes_a_save_and_refuses_what_is_none(folder, tmp_path, capsys):
    plugin = AdvancedSquadLeader(folder)
    source, out = tmp_path / "now.json", tmp_path / "now.vsav"
    source.write_text(json.dumps(position(plugin, "bdOne", all_kinds(str)).to_json()))
    vmod = tmp_path / "VASL.vmod"
    supply().save(vmod)
    words = ["asl", "setup", str(source), "-o", str(out), "--module", str(vmod)]
    assert run([*words, "--board-dir", str(folder)]) == ExitCode.OK
    assert "15 units" in capsys.readouterr().out
    assert run([*words, "--board-dir", str(folder)]) == ExitCode.OUTPUT
    assert run(["asl", "fire", str(out), "B3", "E3", "--board-dir", str(folder), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["side"] == "attacker"
    assert answer["range"] == 3
    other = tmp_path / "other.vmod"
    Module.create("Chess").save(other)
    words[-1] = str(other)
    assert run([*words, "--board-dir", str(folder), "--force"]) != ExitCode.OK
    assert "not VASL" in capsys.readouterr().err


def tank() -> Counter:
    """A tank as VASL draws it: counter and turret turn, and their arcs stand in its name."""
    arcs = "+ {0}3,+ {0}4,+ {0}5,+ {0}6,+ {0}1,+ {0}2"
    one = Counter("T-34 M43", "ru/veh/T34")
    one.with_trait("rotate;6;88,130;90,130;CA cw;CA ccw;;;;;;;;true", "0")
    one.with_trait(layered(" , , , , , ", arcs.format("tca")), "1")
    one.with_trait(layered(" , , , , , ", arcs.format("vca")), "1")
    return one.with_trait("turr;ru/ruBU;ru/ruCE;S;A;r", "3\\;;false")


@pytest.mark.parametrize(("arc", "turret"), [(1, 1), (3, 5), (6, 2), (5, None)])
def test_where_a_vehicle_looks_is_written_and_read(folder, tmp_path, arc, turret):
    from dataclasses import replace

    from hexmarshal.vassal.traits import FacingState

    plugin = AdvancedSquadLeader(folder)
    values = {"counter": "T-34 M43", "nation": "russian"}
    if turret is not None and turret != arc:
        values["turret"] = turret
    vehicle = replace(unit("v", "vehicle", "attacker", "C2"), values=FrozenMap(values), facing=arc)
    written = write_vasl_save(position(plugin, "bdOne", [vehicle]), plugin, module(tank()), folder)
    assert written.cannot == ()
    path = tmp_path / "tank.vsav"
    written.saved.save(path)
    opened = open_table(path, folder)
    (counter,) = opened.table.counters
    assert (counter.cell, counter.face.cls, counter.face.facing) == ("C2", "vehicle", arc)
    assert counter.face.turret == (turret or arc)
    (read,) = opened.position().position.units.values()
    assert (read.facing, read.values.get("turret", arc)) == (arc, turret or arc)
    piece = next(iter(written.saved.state().pieces.values())).piece
    # The whole counter is turned from where it looks at side 3; the turret against the hull.
    turned = next(state for state in piece.states if isinstance(state, FacingState))
    assert turned.facing == (arc - 3) % 6
    ahead = ((turret or arc) - arc + 2) % 6 + 1
    assert any(text.startswith(f"{ahead}\\;") for text in piece.state_texts)


def test_a_counter_without_an_arc_says_that_it_cannot_look(folder):
    from dataclasses import replace

    plugin = AdvancedSquadLeader(folder)
    values = FrozenMap({"counter": "Boat", "nation": "russian"})
    boat = replace(unit("b", "vehicle", "attacker", "C2"), values=values, facing=2)
    made = module(Counter("Boat", "ru/veh/boat"))
    written = write_vasl_save(position(plugin, "bdOne", [boat]), plugin, made, folder)
    assert written.cannot == ("b: where Boat looks",)
