"""The VASSAL module: grid, pieces, secrets, set-ups and binding agree with the game's data."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections import Counter

import pytest
import yaml

from hexmarshal.games.conflict_of_heroes import source
from hexmarshal.games.conflict_of_heroes.board import board
from hexmarshal.games.conflict_of_heroes.vassal.binding import ENTRY
from hexmarshal.games.conflict_of_heroes.vassal.pictures import SCALE
from hexmarshal.vassal.components import (
    DiceButton,
    DrawPile,
    LosThread,
    PlayerHand,
    PlayerRoster,
    TurnTracker,
    Zone,
)
from hexmarshal.vassal.lint import check_module, open_subject
from hexmarshal.vassal.locator import ModuleLocator
from hexmarshal.vassal.pieces import parse_add
from hexmarshal.vassal.prototypes import expand
from hexmarshal.vassal.render import render_map
from hexmarshal.vassal.roundtrip import roundtrip
from hexmarshal.vassal.savegame import SavedGame
from hexmarshal.vassal.traits import (
    DynamicProperty,
    Hideable,
    Layer,
    Marker,
    Mask,
    ReturnToDeck,
    RotateFixed,
)

MAP = "Main Map"
TRAINING = {"first_steps": "First-steps.vsav", "the_crossing": "The-crossing.vsav"}


@pytest.fixture(scope="module")
def binding(module):
    return yaml.safe_load(module.archive.read(ENTRY))


def game(module, key):
    return SavedGame.from_archive(module.archive.nested(TRAINING[key])).state()


def seen(piece):
    """What VASSAL's properties say of a piece."""
    found = {}
    for at in piece.each(Marker):
        found |= dict(zip(at.trait.names, at.state.values, strict=True))
    for at in piece.each(DynamicProperty):
        found[at.trait.name] = at.state.value
    for at in piece.each(Layer):
        found[f"{at.trait.name}_Level"] = at.state.level
    for at in piece.each(RotateFixed):
        found[f"{at.trait.name}_Facing"] = at.state.facing + 1
    for at in piece.each(Hideable):
        found["hidden by"] = at.state.owner
    return found


def units(module, key):
    state = game(module, key)
    where = ModuleLocator.for_game(module, state)
    return {
        found["UnitId"]: {**found, "at": where.locate(MAP, p.x, p.y).name, "piece": p.id}
        for p in state.pieces.values()
        if "UnitId" in (found := seen(p.piece))
    }


def planned(key):
    forces = source.firefight(key)["forces"]
    return {n: (side, u) for side, f in forces.items() for n, u in f["units"].items()}


def test_the_same_data_give_the_same_bytes_in_another_process(vmod):
    code = (
        "import hashlib; from hexmarshal.games.conflict_of_heroes.vassal import build_module;"
        "print(hashlib.sha256(build_module().to_bytes()).hexdigest())"
    )
    other = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": "7"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert other.stdout.strip() == hashlib.sha256(vmod.read_bytes()).hexdigest()


def test_every_hex_has_the_name_that_the_book_gives_it(module):
    where = ModuleLocator.for_game(module, game(module, "first_steps"))
    terrain = board("1").map
    for cell, name in terrain.names.items():
        x, y = (round(v * SCALE) for v in terrain.layout.centre(cell))
        assert where.locate(MAP, x, y).name == name


def test_hexes_have_the_same_middle_on_the_picture_and_in_the_grid(module):
    where = ModuleLocator.for_game(module, game(module, "first_steps"))
    terrain = board("1").map
    for cell in terrain.names:
        x, y = (v * SCALE for v in terrain.layout.centre(cell))
        snapped = where.snap(MAP, round(x), round(y))
        assert abs(snapped[0] - x) <= 1.5
        assert abs(snapped[1] - y) <= 1.5


@pytest.mark.parametrize("key", list(TRAINING))
def test_every_unit_of_a_firefight_lies_where_it_belongs(module, key):
    placed, plan = units(module, key), planned(key)
    assert set(placed) == set(plan)
    for name, (side, unit) in plan.items():
        found = placed[name]
        carrier = plan[unit["carrier"]][1] if "carrier" in unit else unit
        assert (found["UnitType"], found["UnitSide"]) == (unit["type"], side)
        assert found["at"] == carrier.get("cell", f"{side.capitalize()} reinforcements")
        assert found["hidden by"] == (side.capitalize() if unit.get("hidden") else None)
        assert found["Status_Level"] == 1
        assert found["Aboard_Level"] == (2 if "carrier" in unit else 1)
        assert found["Works_Level"] == (2 if "fort" in unit else 1)
        if "facing" in carrier:
            assert found["Facing_Facing"] == carrier["facing"] + 1


def test_a_passenger_lies_directly_over_its_vehicle(module):
    state, placed = game(module, "the_crossing"), units(module, "the_crossing")
    riders = {n: u["carrier"] for n, (_, u) in planned("the_crossing").items() if "carrier" in u}
    assert riders
    for name, carrier in riders.items():
        assert state.table.below(placed[name]["piece"]) == placed[carrier]["piece"]


@pytest.mark.parametrize("key", list(TRAINING))
def test_works_and_objectives_lie_in_their_hexes(module, key):
    plan, state = source.firefight(key), game(module, key)
    where = ModuleLocator.for_game(module, state)
    found = {
        (marks["MarkerKind"], where.locate(MAP, p.x, p.y).name): marks
        for p in state.pieces.values()
        if "MarkerKind" in (marks := seen(p.piece))
    }
    for name, marker in plan["markers"].items():
        marks = found[marker["kind"], marker["cell"]]
        assert (marks["MarkerId"], marks["MarkerSide"]) == (name, marker["side"])
        if marker.get("hidden"):
            assert marks["hidden by"] == marker["side"].capitalize()
        if "facing" in marker:
            assert marks["Facing_Facing"] == marker["facing"] + 1
    for cell, objective in plan["objectives"].items():
        level = {"german": 2, "soviet": 3}[objective["control"]]
        assert found["control", cell]["Control_Level"] == level


@pytest.mark.parametrize("key", list(TRAINING))
def test_tracks_begin_with_the_command_points_of_the_firefight(module, key):
    state = game(module, key)
    where = ModuleLocator.for_game(module, state)
    boxes = {
        marks["MarkerKind"]: where.locate(MAP, p.x, p.y).name
        for p in state.pieces.values()
        if "MarkerKind" in (marks := seen(p.piece)) and p.map == MAP
    }
    for side, force in source.firefight(key)["forces"].items():
        box = f"{side.capitalize()} CAP {force['cap']}"
        assert boxes[f"cap-{side}"] == boxes[f"cap-start-{side}"] == box
        assert boxes[f"ap-{side}"] == f"{side.capitalize()} AP 0"
        assert boxes[f"vp-{side}"] == f"{side.capitalize()} VP 0"
    assert boxes["turn"] == "Turn 1"


@pytest.mark.parametrize("key", list(TRAINING))
def test_the_deck_holds_the_cards_of_the_firefight_and_no_others(module, key):
    state, plan = game(module, key), source.firefight(key)
    deck = next(d for d in state.decks.values() if d.name == "Cards")
    held = Counter(seen(p.piece)["Card"] for p in state.members(deck.id))
    assert held == {str(card): count for card, count in plan["deck"].items()}


def test_weapons_and_batteries_are_in_the_hand_of_their_side(module):
    for key in TRAINING:
        state = game(module, key)
        for side, force in source.firefight(key)["forces"].items():
            weapons = [u["weapon"] for u in force["units"].values() if "weapon" in u]
            hand = [seen(p.piece)["Card"] for p in state.on_map(f"{side.capitalize()} hand")]
            assert sorted(hand) == sorted([*force.get("artillery", ()), *weapons])


def test_hit_pools_are_full_and_closed(module):
    state = game(module, "first_steps")
    for pool in ("foot", "vehicle"):
        deck = next(d for d in state.decks.values() if d.name == f"{pool.capitalize()} hits")
        kinds = Counter(seen(p.piece)["MarkerKind"] for p in state.members(deck.id))
        assert kinds == Counter(source.hit_pool(pool))
        assert deck.face_down
        pile = next(p for p in module.each(DrawPile) if p.name == deck.name)
        assert (pile.shuffle, pile.allow_select, pile.draw_face_up) == ("Always", False, False)


def test_what_is_drawn_shows_its_back_to_the_other_side(module):
    backs = {}
    for pile in module.each(DrawPile):
        for slot in pile.slots:
            mask = parse_add(slot.text.strip()).first(Mask).trait
            assert str(mask.access) == "side:"
            backs.setdefault(pile.name, set()).add(str(mask.image))
    # One back for all of a pile: nothing can be told from it.
    assert {name: len(found) for name, found in backs.items()} == {
        "Foot hits": 1, "Vehicle hits": 1, "Cards": 1,
    }  # fmt: skip


def test_what_was_drawn_goes_back_to_its_own_pile(module):
    home = {"Foot hits": "Foot hits", "Vehicle hits": "Vehicle hits", "Cards": "Discard"}
    for pile in module.each(DrawPile):
        for slot in pile.slots:
            back = parse_add(slot.text.strip()).first(ReturnToDeck).trait
            assert (back.choose_deck, str(back.deck_expression)) == (False, home[pile.name])


def test_there_is_a_counter_of_every_type_that_turns_and_flips(module):
    prototypes = {name: found.text for name, found in module.prototypes().items()}
    shelf = {}
    for slot in module.slots():
        piece = expand(parse_add(slot.text.strip()), prototypes).piece
        if "UnitType" in (found := seen(piece)):
            shelf[found["UnitType"]] = piece
    assert set(shelf) == set(source.counters())
    for key, piece in shelf.items():
        faces = next(at.trait.images for at in piece.each(Layer) if at.trait.name == "Status")
        assert [str(face) for face in faces] == [f"{key}.png", f"{key}-spent.png"]
        assert piece.first(RotateFixed).trait.facings == 6
        # The arrow turns below the counter, which stays upright and readable.
        order = [type(trait) for trait in piece.traits]
        assert order.index(RotateFixed) > max(i for i, t in enumerate(order) if t is Layer)


def test_players_find_sides_dice_hands_trackers_and_a_sight_thread(module):
    assert next(module.each(PlayerRoster)).sides == ("German", "Soviet")
    assert {d.name for d in module.each(DiceButton)} == {"2d6", "1d6", "3d6"}
    assert {h.name for h in module.each(PlayerHand)} == {"German hand", "Soviet hand"}
    assert [t.name for t in module.each(TurnTracker)] == ["Turn"]
    assert len(list(module.each(LosThread))) == 1


def test_the_binding_names_nothing_that_the_module_lacks(module, binding):
    prototypes = {name: found.text for name, found in module.prototypes().items()}
    known = {"Firefight"}
    for slot in module.slots():
        known |= set(seen(expand(parse_add(slot.text.strip()), prototypes).piece))
    named = set()

    def walk(value):
        if isinstance(value, dict):
            if isinstance(value.get("property"), str):
                named.add(value["property"])
            for inner in value.values():
                walk(inner)

    walk(binding)
    named |= {v for v in binding["units"].values() if isinstance(v, str)}
    named |= {binding["markers"][part] for part in ("id", "kind", "side")}
    assert named <= known
    decks = {pile.name for pile in module.each(DrawPile)}
    maps = {m.name for m in module.maps()}
    zones = {zone.name for zone in module.each(Zone)}
    for pile in binding["piles"].values():
        assert pile.get("deck") in decks or pile.get("map") in maps
    assert set(binding["boxes"]["zones"]) <= zones
    assert {t["boxes"][:-2] for t in binding["markers"]["tracks"].values()} <= zones
    assert set(binding["scenario"]["titles"].values()) == set(TRAINING)


def test_nothing_changes_when_the_module_is_taken_apart_and_put_together(vmod):
    result = roundtrip(vmod)
    assert not result.difference
    assert result.traits.raw == result.components.raw == result.commands.raw == 0


def test_lint_finds_nothing(vmod):
    assert [*check_module(open_subject(vmod))] == []


@pytest.mark.parametrize("key", list(TRAINING))
def test_a_set_up_can_be_drawn_and_keeps_its_secrets(module, key):
    drawn = render_map(module, game(module, key), MAP)
    assert drawn.image.size == (1623 + 700, 1296)
    assert drawn.missing == ()
    plan = source.firefight(key)
    hidden = [u for _, u in planned(key).values() if u.get("hidden")]
    hidden += [m for m in plan["markers"].values() if m.get("hidden")]
    assert drawn.hidden == len(hidden)
    shown = render_map(module, game(module, key), MAP, reveal=True)
    assert shown.drawn == drawn.drawn + len(hidden)
