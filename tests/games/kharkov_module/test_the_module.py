"""The VASSAL module: names, pieces, set-ups and binding agree with the game's data."""

from __future__ import annotations

from dataclasses import replace

import pytest
from told_changes import pieces, told, untold

from hexmarshal.games.kharkov import Kharkov
from hexmarshal.games.kharkov.art.field import Field
from hexmarshal.games.kharkov.art.sheet import counter_sheet
from hexmarshal.games.kharkov.module import build_module
from hexmarshal.games.kharkov.rules.turn.sequence import PHASES
from hexmarshal.rules import engine
from hexmarshal.table.binding import Binding
from hexmarshal.table.reading import TableReader
from hexmarshal.vassal.components import DrawPile, TurnTracker, Zone
from hexmarshal.vassal.lint import check_module, open_subject
from hexmarshal.vassal.pieces.piece_names import properties_of
from hexmarshal.vassal.render import render_map
from hexmarshal.vassal.roundtrip import roundtrip
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.state.locator import ModuleLocator
from hexmarshal.vassal.traits import (
    DynamicProperty,
    Labeler,
    Layer,
    Mask,
    PropertyState,
    ReportState,
)
from hexmarshal.vassal.values import ctrl
from hexmarshal.vassal.values.evaluation import evaluate

SETUPS = {
    "campaign": "The-Kharkov-offensive.vsav",
    "training": "The-bridgehead-at-Staryi-Saltov.vsav",
}

POOLS = {"rifle": "rif-01", "cavalry": "cav-04", "tank": "tnk-01"}


@pytest.fixture(scope="module")
def binding(module):
    return Binding.inside(module)


def game(module, name):
    return SavedGame.from_archive(module.archive.nested(SETUPS[name])).state()


def units(state):
    """The pieces that are units, by the id that they carry."""
    found = {properties_of(p.piece).get("UnitId"): p for p in state.pieces.values()}
    return {unit: placed for unit, placed in found.items() if unit}


def layers(piece):
    return {at.trait.name: at for at in piece.each(Layer)}


def test_the_same_data_give_the_same_module(built, quickly_built):
    assert quickly_built(build_module).to_bytes() == built.to_bytes()


def test_every_hex_has_its_number_of_the_rules_in_the_module(module, source):
    locator = ModuleLocator.for_game(module, game(module, "campaign"))
    field = Field.load(source)
    for name, cell in field.hexes.items():
        x, y = (round(v) for v in field.centre(cell))
        assert locator.locate("Kharkov", x, y).name == name


@pytest.mark.parametrize("name", list(SETUPS))
def test_every_counter_of_a_scenario_stands_on_its_hex(module, source, name):
    scenario = source.read(f"scenarios/{name}.yaml", "scenario")
    state = game(module, name)
    locator = ModuleLocator.for_game(module, state)
    found = {u: locator.locate(p.map, p.x, p.y).name for u, p in units(state).items()}
    for unit, where in scenario["units"].items():
        assert found[unit] == (where["cell"] if isinstance(where, dict) else where)
    for army, row in scenario.get("reserves", {}).items():
        assert found[row["marker"]] == row["hex"]
        assert {found[unit] for unit in row["units"]} == {f"Reserve {army}"}
    for row in scenario["arrivals"]:
        side = "Soviet" if row["entry"] == "east_edge" else "Axis"
        assert {found[unit] for unit in row["units"]} == {f"{side} arrivals {row['turn']}"}


def test_steps_lost_before_the_game_show(module):
    placed = units(game(module, "training"))
    assert layers(placed["inf-297"].piece)["Step"].state.level == 2
    assert layers(placed["inf-294"].piece)["Step"].state.level == 1


def test_nobody_can_look_under_an_unrevealed_unit(module):
    placed = units(game(module, "campaign")).values()
    hidden = [p.piece for p in placed if properties_of(p.piece)["UnitType"] in POOLS]
    assert len(hidden) == 39 + 18 + 35
    for piece in hidden:
        assert piece.first(Mask).state.owner == "nobody"
        assert properties_of(piece)["Face"] == "0"


def test_a_revealed_unit_is_told_with_a_verb(module):
    """Its menu names no such command any more when the line is written."""
    key = ctrl("R")
    for unit in POOLS.values():
        piece = units(game(module, "campaign"))[unit].piece
        told = [at.trait.format.text for at in piece.each(ReportState) if key in at.trait.keys.keys]
        assert told == ["$location$: $newPieceName$ is revealed *"]


def test_the_binding_names_what_the_module_has(module, binding):
    maps = {of_map.name: of_map for of_map in module.maps()}
    zones = {zone.name for zone in maps["Reserves and tracks"].each(Zone)}
    assert binding.map.name in maps
    for box in binding.boxes:
        assert any(box.at.fullmatch(zone) for zone in zones), box.at
    for spot in binding.spots():
        assert any(spot.at.fullmatch(zone) for zone in zones), spot.at
    decks = {pile.name for pile in module.each(DrawPile)}
    assert {pile.deck for pile in binding.piles} == decks
    (tracker,) = module.each(TurnTracker)
    assert binding.turn.tracker == tracker.name


def test_the_phases_of_the_binding_are_those_of_the_rules(binding):
    known = {phase.key for phase in PHASES if not phase.key.startswith("setup")}
    assert {shown.phase for shown in binding.turn.phases.values() if shown} == known


@pytest.mark.parametrize("name", list(SETUPS))
def test_a_set_up_reads_straight_into_the_position_of_its_scenario(module, binding, name):
    plugin = Kharkov()
    state = game(module, name)
    started = engine.start(plugin, name, None)
    reading = TableReader(module, binding, plugin, state).read(state, started)
    assert reading.notes == ()
    assert (reading.position.phase, reading.position.turn) == (started.phase, started.turn)
    assert reading.position.tracks == started.tracks
    for pile, left in started.piles.items():
        assert sorted(reading.position.pile(pile).cards) == sorted(left.cards)
    assert set(reading.position.units) == set(started.units)
    for unit, expected in started.units.items():
        # Stacks have an order on the table, and who is out of supply is for the rules to say.
        found = replace(reading.position.units[unit], rank=expected.rank)
        assert replace(found, flags=found.flags | (expected.flags & {"unsupplied"})) == expected


def test_a_revealed_unit_reads_as_what_was_drawn(module, binding):
    state = game(module, "campaign")
    placed = units(state)["tnk-01"]
    (face,) = (at for at in placed.piece.each(DynamicProperty) if at.trait.name == "Face")
    piece = placed.piece.with_state(face.index, PropertyState(value="6"))
    state.table.add(placed.with_state(piece.state_text))
    reading = TableReader(module, binding, Kharkov(), state).read(state, None)
    drawn = reading.position.units["tnk-01"]
    assert (drawn.type, drawn.values["ladder"], drawn.steps) == ("motorised", ("2-3-11",), 1)


def test_the_linter_finds_nothing(vmod):
    assert list(check_module(open_subject(vmod))) == []


def test_the_file_is_decoded_and_written_back_byte_for_byte(vmod):
    assert roundtrip(vmod).identical


def test_a_set_up_can_be_drawn(module):
    pytest.importorskip("PIL")
    drawn = render_map(module, game(module, "campaign"), scale=0.25)
    assert drawn.image.size == (638, 637)
    assert (drawn.drawn, drawn.hidden, drawn.missing) == (102, 0, ())


def test_the_sheet_of_counters_shows_pictures_of_the_module(module):
    svg = counter_sheet(lambda name: module.archive.read(f"images/{name}.png"))
    assert svg.count("<image") > 60


def test_every_key_is_told_by_what_it_came_to(module):
    assert untold(module) == set()
    found = {properties_of(piece).get("UnitId"): piece for piece in pieces(module)}
    assert told(found["hq-28"], ctrl("F"), Active_Level="2")[0].endswith(": active *")
    assert told(found["rif-01"], ctrl("U"), Disrupted_Level="1")[0].endswith("Disrupted no more *")
    assert told(found["reg-01"], ctrl("F"), Strength_Level="2")[0].endswith(": 1-8 *")


def plate(piece, above=0):
    """What a counter bears below so many others of its stack."""
    known = {**properties_of(piece), "StackPos": str(above + 1)}
    return evaluate(piece.first(Labeler).state.text, known.get)


def test_counters_bear_the_names_of_announcements(module):
    for piece in pieces(module):
        if unit := properties_of(piece).get("UnitId"):
            assert plate(piece) == unit
            assert piece.name.startswith(f"{unit} ")
