"""The VASSAL module: names, pieces, set-ups and binding agree with the game's data."""

from __future__ import annotations

import pytest
import yaml

from hexmarshal.games.kharkov.art.field import Field
from hexmarshal.games.kharkov.art.sheet import counter_sheet
from hexmarshal.games.kharkov.vassal import build_module
from hexmarshal.games.kharkov.vassal.binding import BINDING
from hexmarshal.vassal.components import DrawPile, TurnTracker, Zone
from hexmarshal.vassal.lint import check_module, open_subject
from hexmarshal.vassal.locator import ModuleLocator
from hexmarshal.vassal.piece_names import properties_of
from hexmarshal.vassal.pieces import parse_add
from hexmarshal.vassal.render import render_map
from hexmarshal.vassal.roundtrip import roundtrip
from hexmarshal.vassal.savegame import SavedGame
from hexmarshal.vassal.traits import Layer, Mask

SETUPS = {
    "campaign": "The-Kharkov-offensive.vsav",
    "training": "The-bridgehead-at-Staryi-Saltov.vsav",
}

POOLS = {"rifle": "rif-01", "cavalry": "cav-04", "tank": "tnk-01"}


@pytest.fixture(scope="module")
def binding(module):
    return yaml.safe_load(module.archive.read(BINDING))


def game(module, name):
    return SavedGame.from_archive(module.archive.nested(SETUPS[name])).state()


def units(state):
    """The pieces that are units, by the id that they carry."""
    found = {properties_of(p.piece).get("UnitId"): p for p in state.pieces.values()}
    return {unit: placed for unit, placed in found.items() if unit}


def layers(piece):
    return {at.trait.name: at for at in piece.each(Layer)}


def test_the_same_data_give_the_same_module(built):
    assert build_module().to_bytes() == built.to_bytes()


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


def test_the_binding_names_what_the_module_has(module, binding):
    maps = {of_map.name: of_map for of_map in module.maps()}
    assert binding["board"]["map"] in maps
    zones = {zone.name for zone in maps[binding["boxes"]["map"]].each(Zone)}
    assert set(binding["boxes"]["zones"]) <= zones
    decks = {pile.name for pile in module.each(DrawPile)}
    assert {row["deck"] for row in binding["piles"].values()} == decks
    (tracker,) = module.each(TurnTracker)
    assert binding["turn"]["tracker"] == tracker.name
    shown = {name for slot in module.slots() for name in layers(parse_add(slot.text.strip()))}
    assert {"Step", "Active", "Strength", "Strongpoint", "Displaced"} <= shown


def test_the_phases_of_the_binding_are_those_of_the_rules(binding):
    from hexmarshal.games.kharkov.sequence import PHASES

    known = {phase.key for phase in PHASES}
    assert set(binding["turn"]["phases"].values()) == {k for k in known if "setup" not in k}


def test_faces_of_the_binding_are_those_of_the_counters(module, binding):
    placed = units(game(module, "campaign"))
    for pool, unit in POOLS.items():
        images = layers(placed[unit].piece)["Face"].trait.images
        listed = binding["values"]["ladder"][pool]
        assert images[0] == ""
        for number, image in enumerate(images[1:], 1):
            row = listed[str(number)]
            (printed,) = row["ladder"] if isinstance(row, dict) else row
            assert image.endswith(f"-{printed}.png")


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
