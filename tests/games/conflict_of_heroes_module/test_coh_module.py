"""The VASSAL module: grid, pieces, secrets, set-ups and binding agree with the game's data."""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import PIL.Image
import pytest
from pressed_keys import named, pressed

from hexmarshal.games.conflict_of_heroes import ConflictOfHeroes
from hexmarshal.games.conflict_of_heroes.art.sheet import PAID, SEATS, SHEETS
from hexmarshal.games.conflict_of_heroes.module.pictures import SCALE
from hexmarshal.table.binding import Binding
from hexmarshal.table.binding.coverage import coverage
from hexmarshal.vassal.components import (
    DiceButton,
    DoActionButton,
    DrawPile,
    GlobalKeyCommand,
    Inventory,
    LosThread,
    PlayerHand,
    PlayerRoster,
    PredefinedSetup,
    TurnTracker,
)
from hexmarshal.vassal.lint import check_module, open_subject
from hexmarshal.vassal.pieces.piece import parse_add
from hexmarshal.vassal.pieces.prototypes import expand
from hexmarshal.vassal.render import render_map
from hexmarshal.vassal.roundtrip import roundtrip
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.state.locator import ModuleLocator
from hexmarshal.vassal.traits import (
    CounterGlobalKeyCommand,
    DynamicProperty,
    Hideable,
    Labeler,
    Layer,
    Marker,
    Mask,
    NonRectangular,
    ReportState,
    RestrictCommands,
    ReturnToDeck,
    RotateFixed,
    SendToLocation,
    TriggerAction,
)
from hexmarshal.vassal.values import KeyStroke, ctrl
from hexmarshal.vassal.values.evaluation import evaluate

COH = ConflictOfHeroes()
MAP = "Main Map"
SET_UPS = {
    "first_steps": "First-steps.vsav",
    "the_crossing": "The-crossing.vsav",
    "drill": "Drill.vsav",
    "four_hands": "Four-hands.vsav",
}
BOARDS = {"1": "first_steps", "9": "drill"}


def game(module, key):
    return SavedGame.from_archive(module.archive.nested(SET_UPS[key])).state()


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
    forces = COH.cards[key].data["forces"]
    return {n: (side, u) for side, f in forces.items() for n, u in f["units"].items()}


def test_the_same_data_give_the_same_bytes_in_another_process(vmod):
    code = (
        "import hashlib; from hexmarshal.games.conflict_of_heroes.module import build_module\n"
        "from quick_pictures import quick_pictures\n"
        "with quick_pictures(): print(hashlib.sha256(build_module().to_bytes()).hexdigest())"
    )
    other = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONHASHSEED": "7"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert other.stdout.strip() == hashlib.sha256(vmod.read_bytes()).hexdigest()


def test_every_firefight_has_a_set_up(module):
    assert set(SET_UPS) == set(COH.cards)
    shown = {s.name for s in module.each(PredefinedSetup) if s.get("file")}
    assert shown == {COH.cards[key].data["title"] for key in COH.cards}


@pytest.mark.parametrize("key", list(BOARDS))
def test_every_hex_has_the_name_that_the_book_gives_it(module, key):
    where = ModuleLocator.for_game(module, game(module, BOARDS[key]))
    terrain = COH.boards[key].map
    for cell, name in terrain.names.items():
        x, y = (round(v * SCALE) for v in terrain.layout.centre(cell))
        assert where.locate(MAP, x, y).name == name


@pytest.mark.parametrize("key", list(BOARDS))
def test_hexes_have_the_same_middle_on_the_picture_and_in_the_grid(module, key):
    where = ModuleLocator.for_game(module, game(module, BOARDS[key]))
    terrain = COH.boards[key].map
    for cell in terrain.names:
        x, y = (v * SCALE for v in terrain.layout.centre(cell))
        snapped = where.snap(MAP, round(x), round(y))
        assert abs(snapped[0] - x) <= 1.5
        assert abs(snapped[1] - y) <= 1.5


@pytest.mark.parametrize("key", list(SET_UPS))
def test_every_unit_of_a_firefight_lies_where_it_belongs(module, key):
    placed, plan = units(module, key), planned(key)
    assert set(placed) == set(plan)
    for name, (side, unit) in plan.items():
        found = placed[name]
        carrier = plan[unit["carrier"]][1] if "carrier" in unit else unit
        assert (found["UnitType"], found["UnitSide"]) == (unit["type"], side)
        assert found["at"] == carrier.get("cell", f"{SEATS[side]} reinforcements")
        assert found["hidden by"] == (SEATS[side] if unit.get("hidden") else None)
        assert found["Weapon"] == unit.get("weapon", "")
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


@pytest.mark.parametrize("key", list(SET_UPS))
def test_works_and_objectives_lie_in_their_hexes(module, key):
    plan, state = COH.cards[key].data, game(module, key)
    where = ModuleLocator.for_game(module, state)
    found = {
        (marks["MarkerKind"], where.locate(MAP, p.x, p.y).name): marks
        for p in state.pieces.values()
        if "MarkerKind" in (marks := seen(p.piece))
    }
    for name, marker in plan.get("markers", {}).items():
        marks = found[marker["kind"], marker["cell"]]
        assert (marks["MarkerId"], marks["MarkerSide"]) == (name, marker["side"])
        if marker.get("hidden"):
            assert marks["hidden by"] == marker["side"].capitalize()
        if "facing" in marker:
            assert marks["Facing_Facing"] == marker["facing"] + 1
    for cell, objective in plan["objectives"].items():
        level = {"": 1, "german": 2, "soviet": 3}[objective["control"]]
        assert found["control", cell]["Control_Level"] == level


@pytest.mark.parametrize("key", list(SET_UPS))
def test_tracks_begin_with_the_command_points_of_the_firefight(module, key):
    state = game(module, key)
    where = ModuleLocator.for_game(module, state)
    boxes = {
        marks["MarkerKind"]: where.locate(MAP, p.x, p.y).name
        for p in state.pieces.values()
        if "MarkerKind" in (marks := seen(p.piece)) and p.map == MAP
    }
    for side, force in COH.cards[key].data["forces"].items():
        box = f"{SEATS[side]} CAP {force['cap']}"
        assert boxes[f"cap-{side}"] == boxes[f"cap-start-{side}"] == box
        assert boxes[f"ap-{side}"] == f"{SEATS[side]} AP 0"
        assert boxes[f"vp-{side}"] == f"{SEATS[side]} VP 0"
    assert boxes["turn"] == "Turn 1"
    assert boxes["go"] == "German to act"


@pytest.mark.parametrize("kind", ["AP", "CAP"])
def test_a_unit_pays_with_the_marker_of_its_own_side_whoever_clicks(module, kind):
    state = game(module, "four_hands")
    prototypes = {name: found.text for name, found in module.prototypes().items()}
    tracks = [p.piece for p in state.pieces.values() if seen(p.piece).get("Track") == kind.lower()]
    assert len(tracks) == len(SEATS)
    for placed in units(module, "four_hands").values():
        traits = expand(state.pieces[placed["piece"]].piece, prototypes).piece.traits
        (pays,) = (t for t in traits if getattr(t, "command", "") == f"4 {kind}")
        price, payer, take = pressed(traits, pays.key, {})[1:]
        assert (price, payer) == ("price4", "setPayer")
        (trait,) = (
            t
            for t in traits
            if isinstance(t, CounterGlobalKeyCommand) and t.key.text.endswith(f",{take}")
        )
        assert not trait.suppress_single, "the marker tells what was paid, or that it cannot be"
        asked = trait.expression.text.replace("$UnitSide$", placed["UnitSide"])
        (marker,) = (p for p in tracks if evaluate(asked, seen(p).get) == "true")
        assert seen(marker)["MarkerKind"] == f"{kind.lower()}-{placed['UnitSide']}"
        answers = [t for t in marker.traits if getattr(t, "key", None) == trait.global_key]
        rich, poor = (t.expression.text for t in answers)
        assert (">= Price" in rich, "< Price" in poor) == (True, True)
        (gone,) = (
            at.trait for at in marker.each(SendToLocation) if named(at.trait.key) == "movePaid"
        )
        assert f'"{SEATS[placed["UnitSide"]]} {kind} "' in gone.region.text


def test_points_come_with_the_activation_and_go_when_the_unit_is_spent(module):
    prototypes = {name: found.text for name, found in module.prototypes().items()}
    squad = next(slot for slot in module.slots() if "Rifles" in slot.name)
    traits = expand(parse_add(squad.text.strip()), prototypes).piece.traits
    now = {"Active_Level": "2", "Status_Level": "1"}
    assert pressed(traits, ctrl("A"), now)[1:] == ["fillPoints"]
    assert pressed(traits, ctrl("A"), {**now, "Active_Level": "1"})[1:] == [], "the sign is off"
    assert pressed(traits, ctrl("F"), now)[1:] == [], "fresh again"
    spent = {**now, "Status_Level": "2"}
    assert pressed(traits, ctrl("F"), spent)[1:] == ["activeNoMore", "losePoints"]
    assert pressed(traits, ctrl("F"), {**spent, "Active_Level": "1"})[1:] == []
    # Who is destroyed lies among the losses without the sign, or the next pass would spend him.
    assert pressed(traits, ctrl("E"), now)[1:] == ["activeNoMore"]
    assert pressed(traits, ctrl("E"), {**now, "Active_Level": "1"})[1:] == []
    (active,) = (t for t in traits if isinstance(t, Layer) and t.name == "Active")
    assert named(active.reset_key) == "activeNoMore"
    for side in SEATS.values():
        marker = next(s for s in module.slots() if s.name == f"{side} AP")
        piece = parse_add(marker.text.strip())
        to = {named(t.key): t.region.text for t in piece.traits if isinstance(t, SendToLocation)}
        assert (to["fillTrack"], to["emptyTrack"]) == (f"{side} AP 7", f"{side} AP 0")


def test_cards_are_played_by_a_click_and_put_away(module):
    """COH-8.1a: what is played by itself is announced; what an action uses is named by that."""
    prototypes = {name: found.text for name, found in module.prototypes().items()}

    def traits(title):
        slot = next(slot for slot in module.slots() if slot.name == title)
        return expand(parse_add(slot.text.strip()), prototypes).piece.traits

    sniper = traits("Sniper")
    for way, facts in (("", {}), ("-unit", {"Parts": "s2"})):
        said = pressed(
            sniper, KeyStroke.named(f"say-play{way}"), {"ObscuredToOthers": "true", **facts}
        )
        assert f"tell-play{way}" in said
        assert "putCardAway" in said
    nobody = pressed(sniper, KeyStroke.named("say-play-unit"), {"Parts": ""})
    assert nobody[-1] == "tellRefused"
    lines = [t.format.text for t in sniper if isinstance(t, ReportState)]
    assert any(line.endswith("[play] $Card$ unit=$Parts$") for line in lines)
    menus = {t.command for t in traits("Command action") if isinstance(t, TriggerAction)}
    assert "Show and discard" in menus
    assert not any(t.command for t in traits("Scoring") if isinstance(t, TriggerAction))


def test_an_opportunity_action_that_is_said_uses_its_unit_up(module):
    prototypes = {name: found.text for name, found in module.prototypes().items()}
    squad = next(slot for slot in module.slots() if "Rifles" in slot.name)
    traits = expand(parse_add(squad.text.strip()), prototypes).piece.traits
    digs = KeyStroke.named("say-shift-opportunity")
    assert "useUpUnit" in pressed(traits, digs, {}), "whoever says it of himself"
    # A shot is said at its target: those who were marked for it, or were alone meant, are spent.
    shot = KeyStroke.named("hear-fire-opportunity")
    assert "after-opportunity" in pressed(traits, shot, {"Parts": "g1"})
    (uses,) = (
        t
        for t in traits
        if isinstance(t, CounterGlobalKeyCommand) and named(t.key) == "after-opportunity"
    )
    assert (named(uses.global_key), uses.suppress_single) == ("useUpUnit", False)
    for facts, spent in (
        ({"TakesPart_Level": "2", "Parts": "g1 g2", "UnitId": "g1"}, "true"),
        ({"TakesPart_Level": "1", "Parts": "g1", "UnitId": "g1"}, "true"),
        ({"TakesPart_Level": "1", "Parts": "g1 g2", "UnitId": "s1"}, "false"),
    ):
        assert evaluate(uses.expression.text, facts.get) == spent
    assert pressed(traits, uses.global_key, {"Status_Level": "1"})[1:] != []
    assert pressed(traits, uses.global_key, {"Status_Level": "2"})[1:] == [], "spent already"


def test_what_is_paid_all_the_time_lies_next_to_the_board(module):
    for track in SHEETS[0].tracks:
        if track.name.endswith("AP"):
            assert track.left + track.wide <= PAID, "in view beside the board at full size"


def test_what_is_said_at_the_table_is_done_to_the_counters(module):
    buttons = {b.name: [named(key) for key in b.hotkeys.keys] for b in module.each(DoActionButton)}
    assert buttons["Pass"] == ["finishActivation", "passedToNext"]
    assert buttons["End the activation"] == ["finishActivation"]
    assert buttons["Prepare the turn"] == ["freshenAll"]
    sent = {named(c.button_hotkey): c for c in module.each(GlobalKeyCommand)}
    whose = sent["finishActivation"].get("filter")
    assert "SideName == PlayerSide" in whose
    assert "to act" in whose, "of a player who speaks for the other side nothing is spent"
    squad = next(slot for slot in module.slots() if "Rifles" in slot.name)
    piece = parse_add(squad.text.strip())
    (status,) = (t for t in piece.traits if isinstance(t, Layer) and t.name == "Status")
    assert status.reset_key == sent["freshenAll"].key_command


def test_one_button_opens_the_hand_of_whoever_presses_it(module):
    (button,) = (b for b in module.each(DoActionButton) if b.name == "My hand")
    for hand in module.each(PlayerHand):
        assert (hand.get("buttonName"), hand.get("icon")) == ("", "")
        assert hand.get("hotkey") == button.hotkeys.keys[0].text


@pytest.mark.parametrize("key", list(SET_UPS))
def test_the_deck_holds_the_cards_of_the_firefight_and_no_others(module, key):
    state, plan = game(module, key), COH.cards[key].data
    deck = next(d for d in state.decks.values() if d.name == "Cards")
    held = Counter(seen(p.piece)["Card"] for p in state.members(deck.id))
    assert held == {str(card): count for card, count in plan.get("deck", {}).items()}


@pytest.mark.parametrize("key", list(SET_UPS))
def test_batteries_are_in_the_hand_of_their_side(module, key):
    state = game(module, key)
    where = ModuleLocator.for_game(module, state)
    for side, force in COH.cards[key].data["forces"].items():
        name = f"{SEATS[side]} hand"
        hand = {where.locate(name, p.x, p.y).name: seen(p.piece) for p in state.on_map(name)}
        batteries = enumerate(force.get("artillery", ()), 1)
        assert {place: found["Card"] for place, found in hand.items()} == {
            f"Battery {n}": card for n, card in batteries
        }


@pytest.mark.parametrize("key", list(SET_UPS))
def test_the_notes_tell_what_the_board_does_not_show(module, key):
    plan, notes = COH.cards[key].data, game(module, key).notes.scenario
    assert f"{plan['turns']} turns" in notes
    for cell, objective in plan["objectives"].items():
        assert f"{cell}: {objective['vp']} point" in notes
    for side, force in plan["forces"].items():
        assert f"{SEATS[side]}: {force['cap']} command points" in notes
        for name, unit in force["units"].items():
            assert (f"({name}) comes from turn" in notes) == ("arrives" in unit)
    drawn = [f for f in plan["forces"].values() if f.get("deal")]
    assert notes.count("before the first turn") == len(drawn)


def test_menus_leave_out_what_a_firefight_lacks(module):
    lacking = {
        key: {
            name
            for (_, name), value in game(module, key).properties.items()
            if name.startswith("No") and name != "NoPartners" and value == "true"
        }
        for key in SET_UPS
    }
    assert lacking["first_steps"] == {"NoArtillery", "NoMines", "NoObstacles", "NoVehicles"}
    assert lacking["the_crossing"] == set()
    assert "NoWorks" in lacking["drill"]
    gates = {b.name: b.get("propertyGate") for b in module.each(DoActionButton)}
    assert gates["Plot artillery"] == gates["Resolve artillery"] == "NoArtillery"
    assert (gates["Roll for mines"], gates["Pass"]) == ("NoMines", "")
    prototypes = {name: found.text for name, found in module.prototypes().items()}
    at, keys = {"Foot": "yes", "NoVehicles": "true", "NoWorks": "false"}, set()
    squad = next(slot for slot in module.slots() if "Rifles" in slot.name)
    for trait in expand(parse_add(squad.text.strip()), prototypes).piece.traits:
        if (
            isinstance(trait, RestrictCommands)
            and evaluate(trait.expression.text, at.get) == "true"
        ):
            keys |= {key.text for key in trait.keys.keys}
    assert {ctrl(key).text for key in "BXG"} <= keys
    assert ctrl("W").text not in keys


def test_the_inventory_groups_units_by_the_names_of_seats(module):
    (window,) = module.each(Inventory)
    assert window.get("groupBy") == "SideName"
    prototypes = {name: found.text for name, found in module.prototypes().items()}
    state, found = game(module, "four_hands"), set()
    for placed in units(module, "four_hands").values():
        piece = expand(state.pieces[placed["piece"]].piece, prototypes).piece
        (named,) = (t for t in piece.traits if getattr(t, "name", "") == "SideName")
        found.add(evaluate(named.expression, placed.get))
    assert found == set(SEATS.values())


def test_hit_pools_are_full_and_closed(module):
    state = game(module, "first_steps")
    for pool in ("foot", "vehicle"):
        deck = next(d for d in state.decks.values() if d.name == f"{pool.capitalize()} hits")
        kinds = Counter(seen(p.piece)["MarkerKind"] for p in state.members(deck.id))
        assert kinds == Counter(COH.tables.full_pools[pool])
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
    assert set(shelf) == set(COH.tables.counters)
    for key, piece in shelf.items():
        faces = next(at.trait.images for at in piece.each(Layer) if at.trait.name == "Status")
        assert [str(face) for face in faces] == [f"{key}.png", f"{key}-spent.png"]
        assert piece.first(RotateFixed).trait.facings == 6
        # The arrow turns below the counter, which stays upright and readable.
        order = [type(trait) for trait in piece.traits]
        assert order.index(RotateFixed) > max(i for i, t in enumerate(order) if t is Layer)


def test_a_counter_is_picked_upright_and_keeps_its_words_in_its_hex(module):
    """The arrow turns, not the box around a unit; a hex is a hundred pixels high."""
    prototypes = {name: found.text for name, found in module.prototypes().items()}
    slots = (slot for slot in module.slots() if "UnitType" in seen(parse_add(slot.text.strip())))
    for slot in slots:
        piece = expand(parse_add(slot.text.strip()), prototypes).piece
        # The outermost outline counts; signs and words would add themselves to an inner one.
        assert isinstance(piece.traits[0], NonRectangular)
        assert piece.traits[0].shape == "dM -36 -36 L 36 -36 L 36 36 L -36 36 Z"
        labels = [t for t in piece.traits if isinstance(t, Labeler)]
        assert [t.vertical_offset for t in labels] == [48, 36]
        assert {t.vertical_position for t in labels} == {"c"}


def test_players_find_sides_dice_hands_trackers_and_a_sight_thread(module):
    assert next(module.each(PlayerRoster)).sides == (*SEATS.values(), "Solitaire")
    assert {d.name for d in module.each(DiceButton)} == {"2d6", "1d6", "3d6"}
    assert {h.name for h in module.each(PlayerHand)} == {f"{s} hand" for s in SEATS.values()}
    assert [t.name for t in module.each(TurnTracker)] == ["Turn"]
    (board,) = (of_map for of_map in module.maps() if of_map.name == MAP)
    assert board.get("markMoved") == "Always", "or else no unit leaves a trail"
    assert len(list(module.each(LosThread))) == 1


def test_the_binding_covers_every_counter_and_names_nothing_that_the_module_lacks(module):
    found = coverage(module, Binding.inside(module), ConflictOfHeroes())
    assert found.problems == ()
    assert found.unknown == ()
    assert found.units == len(COH.tables.counters)


def test_nothing_changes_when_the_module_is_taken_apart_and_put_together(vmod):
    result = roundtrip(vmod)
    assert not result.difference
    assert result.traits.raw == result.components.raw == result.commands.raw == 0


def test_lint_finds_nothing(vmod):
    assert [*check_module(open_subject(vmod))] == []


@pytest.mark.parametrize("key", list(SET_UPS))
def test_a_set_up_can_be_drawn_and_keeps_its_secrets(module, key):
    drawn = render_map(module, game(module, key), MAP)
    plan = COH.cards[key].data
    board_width = {"1": 1623, "9": 1062}[plan["board"]]
    sheets = 2 if len(plan["forces"]) > 2 else 1
    assert drawn.image.size == (board_width + 700 * sheets, 1296)
    assert drawn.missing == ()
    hidden = [u for _, u in planned(key).values() if u.get("hidden")]
    hidden += [m for m in plan.get("markers", {}).values() if m.get("hidden")]
    assert drawn.hidden == len(hidden)
    shown = render_map(module, game(module, key), MAP, reveal=True)
    assert shown.drawn == drawn.drawn + len(hidden)


def test_an_onlooker_sees_the_back_of_the_deck(module):
    state = game(module, "first_steps")
    deck = next(d for d in state.decks.values() if d.name == "Cards")
    drawn = render_map(module, state, MAP).image.convert("RGB")
    back = PIL.Image.open(io.BytesIO(module.read("images/card-back.png"))).convert("RGB")
    # The cards below lift the top one, each by two pixels.
    lift = 2 * (min(len(deck.members), deck.deck.max_stack) - 1)
    for x, y in ((-50, -60), (40, 70), (0, -90)):
        at = (back.width // 2 + x, back.height // 2 + y)
        assert drawn.getpixel((deck.x + lift + x, deck.y - lift + y)) == back.getpixel(at)
