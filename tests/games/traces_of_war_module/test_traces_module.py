"""The VASSAL module: names, pieces, set-ups and binding agree with the game's data."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from told_changes import pieces, told, untold

from hexmarshal.games.traces_of_war import TracesOfWar
from hexmarshal.games.traces_of_war.art.charts import OURS
from hexmarshal.games.traces_of_war.art.counter_sheet import counter_sheet
from hexmarshal.games.traces_of_war.module import build_module
from hexmarshal.rules import engine
from hexmarshal.rules.state.pieces import Marker
from hexmarshal.rules.values import FrozenMap
from hexmarshal.table.binding import Binding
from hexmarshal.table.binding.coverage import coverage
from hexmarshal.table.placing import Placer
from hexmarshal.table.reading import TableReader
from hexmarshal.vassal.components import (
    CardSlot,
    DeckGlobalKeyCommand,
    DrawPile,
    GlobalKeyCommand,
    LayeredPieceCollection,
    Region,
    TurnGlobalHotkey,
    TurnTracker,
    Zone,
)
from hexmarshal.vassal.lint import check_module, open_subject
from hexmarshal.vassal.pieces.piece import parse_add
from hexmarshal.vassal.pieces.piece_names import properties_of
from hexmarshal.vassal.render import render_map
from hexmarshal.vassal.roundtrip import roundtrip
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.state.at_start import placed_copy
from hexmarshal.vassal.state.locator import ModuleLocator
from hexmarshal.vassal.traits import (
    Immobilized,
    Labeler,
    Layer,
    Mask,
    RestrictCommands,
    ReturnToDeck,
    SendToLocation,
)
from hexmarshal.vassal.values import ctrl
from hexmarshal.vassal.values.evaluation import evaluate

SETUPS = {"race": "Race-to-the-Dnipro.vsav", "campaign": "Traces-of-War.vsav"}
SHEET = "Command and tracks"


@pytest.fixture(scope="module")
def plugin():
    return TracesOfWar()


@pytest.fixture(scope="module")
def binding(module):
    return Binding.inside(module)


def game(module, name):
    return SavedGame.from_archive(module.archive.nested(SETUPS[name])).state()


def of(state, prop):
    """The pieces that carry a property, by what it says."""
    found = {properties_of(p.piece).get(prop): p for p in state.pieces.values()}
    return {value: placed for value, placed in found.items() if value}


def read(module, binding, plugin, state, base):
    return TableReader(module, binding, plugin, state).read(state, base)


def same(found, expected):
    """Positions alike in all that lies on the table; stacks have an order of their own."""
    assert (found.phase, found.turn) == (expected.phase, expected.turn)
    assert found.tracks == expected.tracks
    assert found.cells == expected.cells
    assert {m.id: m.cell for m in found.markers.values()} == {
        m.id: m.cell for m in expected.markers.values()
    }
    for pile in {*found.piles, *expected.piles}:
        assert sorted(found.pile(pile).cards) == sorted(expected.pile(pile).cards), pile
    assert set(found.units) == set(expected.units)
    for unit, known in expected.units.items():
        assert replace(found.units[unit], rank=known.rank) == known


def test_the_same_data_give_the_same_module(built, quickly_built):
    assert quickly_built(build_module).to_bytes() == built.to_bytes()


def test_every_hex_has_its_number_of_the_rules_in_the_module(module, plugin):
    locator = ModuleLocator.for_game(module, game(module, "campaign"))
    terrain = plugin.boards["ukraine"].map
    for cell, name in terrain.names.items():
        x, y = (round(v) for v in terrain.layout.centre(cell))
        assert locator.locate("Map", x, y).name == name


@pytest.mark.parametrize("name", list(SETUPS))
def test_every_counter_of_a_scenario_stands_on_its_hex(module, plugin, name):
    state = game(module, name)
    locator = ModuleLocator.for_game(module, state)
    found = {u: locator.locate(p.map, p.x, p.y).name for u, p in of(state, "UnitId").items()}
    scenario = plugin.data.read(f"scenarios/{name}.yaml", "scenario")
    for unit, cell in scenario["units"].items():
        assert found[unit] == cell
    for unit in scenario["security"]:
        assert found[unit] == "Security divisions"
    for unit, row in plugin.data.read("counters.yaml", "counters")["counters"].items():
        if "arrival" in row:
            assert found[unit] == f"Arrivals {row['arrival']}"


@pytest.mark.parametrize("name", list(SETUPS))
def test_a_set_up_reads_straight_into_the_position_of_its_scenario(module, binding, plugin, name):
    started = engine.start(plugin, name, None)
    reading = read(module, binding, plugin, game(module, name), started)
    assert reading.notes == ()
    same(reading.position, started)


def test_a_position_in_mid_game_is_written_and_read_back(module, binding, plugin):
    """Losses, status, control, tokens in all places, a converted front: nothing is lost."""
    started = engine.start(plugin, "campaign", None)
    at = started.units
    front = at["hq-vrnz"].values
    values = {**front, **front["ukrainian"]}
    del values["ukrainian"]
    changed = {
        "hq-vrnz": replace(at["hq-vrnz"], values=FrozenMap(values)),
        "de-17pz": replace(at["de-17pz"], steps=1, flags=frozenset({"isolated"})),
        "de-15": replace(at["de-15"], cell="1926", flags=frozenset({"out_of_supply"})),
        "su-66": replace(at["su-66"], cell="", box="eliminated"),
        "su-r1": replace(at["su-r1"], cell="2045", box=""),
    }
    cells = FrozenMap(
        {"2634": FrozenMap({"control": "soviet"}), "1826": FrozenMap({"crossing": "soviet"})}
    )
    piles = started.piles
    moves = {"cup": ("supply", "voronezh-1", "okh-1"), "axis-hand": ("pza1",), "drawn": ("a6",)}
    taken = {card for cards in moves.values() for card in cards}
    for name, pile in piles.items():
        left = tuple(card for card in pile.cards if card not in taken)
        piles = piles.set(name, replace(pile, cards=moves.get(name, left)))
    position = replace(
        started,
        turn=3,
        phase="action",
        units=FrozenMap({**at, **changed}),
        cells=cells,
        piles=piles,
        tracks=FrozenMap({**started.tracks, "draws": 2, "relocations-axis": 1}),
    )
    placer = Placer(module, binding, plugin, position)
    state = placer.place(position)
    assert placer.notes == []
    kinds = Counter(properties_of(p.piece).get("MarkerKind") for p in state.pieces.values())
    assert kinds["turn"] == kinds["draws"] == kinds["points"] == 1
    found = read(module, binding, plugin, state, started).position
    same(found, position)
    # What is asked no table shows: it is what the phase begins with.
    assert (found.state, found.active, found.frames) == ("draw", ("axis",), ())


def test_nobody_sees_the_tokens_in_a_pool_but_their_owner(module):
    cards = of(game(module, "campaign"), "Card")
    hidden = [p for p in cards.values() if p.map in ("Soviet hand", "Axis hand")]
    assert len(hidden) == 9 + 4
    for placed in hidden:
        mask = placed.piece.first(Mask)
        assert mask.trait.access.text == "side:"
        assert mask.state.owner == placed.map.removesuffix(" hand")


def test_the_chat_does_not_tell_from_which_place_of_a_pool_a_token_comes(built):
    maps = [one for one in built.build().maps() if one.boards]
    hands = [one for one in maps if one.name.endswith(" hand")]
    assert len(hands) == 2
    for one in maps:
        hand = one in hands
        assert ("$location$" in str(one.move_to_format)) is not hand
        assert ("$previousLocation$" in str(one.move_to_format)) is hand
        assert ("ocation$" in str(one.move_within_format)) is not hand


def test_an_order_to_hold_stays_in_its_city_and_lies_over_the_units(module):
    (layers,) = (m.child(LayeredPieceCollection) for m in module.maps() if m.name == "Map")
    order = layers.get("layerOrder").split(",")
    shared = {name: found.text for name, found in module.prototypes().items()}

    def lies(start):
        slot = next(slot for slot in module.slots() if slot.name.startswith(start))
        piece = placed_copy(slot, shared, "", (0, 0))
        layer = properties_of(piece).get(layers.get("property"), "")
        # What is in none of them is drawn over all.
        return order.index(layer) if layer in order else len(order), piece

    (unit, _), (hold, plate), (control, _) = map(lies, ("de-39", "Supreme", "Axis control"))
    assert control < unit < hold
    assert any(isinstance(trait, Immobilized) for trait in plate.traits), "in no stack"
    (face,) = (trait for trait in plate.traits if isinstance(trait, Layer))
    assert face.y_offset < 0, "what lies below it can be taken"


@pytest.mark.parametrize(
    ("before", "turn", "box"),
    [("Action Phase", "2", "Turn 1"), ("Set-up", "2", "Turn 2"), ("Set-up", "8", "Turn 8")],
)
def test_the_marker_of_the_turn_goes_with_the_tracker(module, before, turn, box):
    """The tracker keeps the first turn apart: from there on it counts from the second."""
    facts = {"Before": before, "Turn": turn, "MarkerKind": "turn"}
    pressed = {
        hot.hotkey
        for hot in module.each(TurnGlobalHotkey)
        if evaluate(str(hot.match), facts.get) == "true"
    }
    heard = {c.key_command for c in module.each(GlobalKeyCommand) if c.button_hotkey in pressed}
    marker = next(slot for slot in module.slots() if slot.name == "Turn")
    traits = placed_copy(marker, {}, "", (0, 0)).traits
    (goes,) = (t for t in traits if isinstance(t, SendToLocation) and t.key in heard)
    text = goes.region.text
    assert (evaluate(text, facts.get) if text.startswith("{") else text) == box


def test_cup_and_luftwaffe_box_are_opaque(module):
    piles = {pile.name: pile for pile in module.each(DrawPile)}
    assert set(piles) == {"Cup", "Played tokens", "Luftwaffe box"}
    for name in ("Cup", "Luftwaffe box"):
        assert piles[name].get("allowSelect") == "false"
        assert piles[name].get("shuffle") == "Always"
        assert piles[name].get("faceDown") == "Always"


def test_all_tokens_go_home_by_one_click_and_supply_into_the_cup(module, plugin):
    (recall,) = module.each(DeckGlobalKeyCommand)
    assert "Supply into the cup" in str(recall.report_format)
    homes = {}
    for pile in module.each(DrawPile):
        for slot in pile.slots:
            piece = parse_add(slot.text.strip())
            for at in (*piece.each(SendToLocation), *piece.each(ReturnToDeck)):
                sent = isinstance(at.trait, SendToLocation)
                if sent or at.trait.key == recall.key_command:
                    name = properties_of(piece)["Card"]
                    where = (at.trait.map, at.trait.region) if sent else (at.trait.deck_expression,)
                    homes[name] = tuple(map(str, where))
    assert set(homes) == set(plugin.tables.tokens)
    every = ("Axis", "Soviet", "anybody")
    for seat, called in (("Axis", ("Axis", "anybody")), ("Solitaire", every)):
        for home in every:
            facts = {"Home": home, "PlayerSide": seat}
            wanted = evaluate(str(recall.filter), facts.get) == "true"
            assert wanted == (home in called)
    assert homes["supply"] == ("Cup",)
    assert homes["pza1"] == ("Axis hand", "Pool 1")
    assert homes["stavka"] == ("Soviet hand", "Pool 11")
    assert len(set(homes.values())) == len(homes), "no two in one place"
    places = {region.name for region in module.each(Region)}
    assert {where[1] for where in homes.values() if len(where) > 1} <= places


def test_supply_goes_into_the_cup_with_the_tracker(module, binding):
    # The engine logs it before the tracker has moved on: at the end of the choice of tokens.
    (title,) = (t for t, shown in binding.turn.phases.items() if shown.phase == "action")
    (hotkey,) = (h for h in module.each(TurnGlobalHotkey) if title in str(h.match))
    (recall,) = (c for c in module.each(GlobalKeyCommand) if c.button_hotkey == hotkey.hotkey)
    assert recall.get("deckCount") == "-1", "it lies among the played tokens"
    lying = {"Home": "anybody", "DeckName": "Played tokens"}
    assert evaluate(recall.get("filter"), lying.get) == "true"
    for other in ({"Home": "Axis"}, {"DeckName": "Cup"}):
        assert evaluate(recall.get("filter"), {**lying, **other}.get) == "false"


def test_all_see_a_token_that_is_drawn_and_nobody_covers_it(module):
    decks = {deck.name: deck for deck in module.each(DrawPile)}
    assert (decks["Cup"].draw_face_up, decks["Luftwaffe box"].draw_face_up) == (True, False)
    (supply,) = (slot for slot in decks["Cup"].each(CardSlot) if slot.name == "Supply")
    traits = parse_add(supply.text.strip()).traits
    (shut,) = (t for t in traits if isinstance(t, RestrictCommands))
    open_one = {"Obscured": "false", "ObscuredToOthers": "false", "CurrentMap": SHEET}
    assert evaluate(shut.expression.text, open_one.get) == "true"
    for kept in ({"ObscuredToOthers": "true"}, {"CurrentMap": "Axis hand"}):
        assert evaluate(shut.expression.text, {**open_one, **kept}.get) == "false"


def test_there_is_a_place_for_every_token_of_a_turn(module):
    regions = {region.name for of_map in module.maps() for region in of_map.each(Region)}
    drawn = {name for name in regions if name.startswith("Drawn ")}
    assert drawn == {f"Drawn {n}" for n in range(1, 12)}


def test_the_binding_names_what_the_module_has(module, binding):
    maps = {of_map.name: of_map for of_map in module.maps()}
    zones = {zone.name for zone in maps[SHEET].each(Zone)}
    assert binding.map.name in maps
    for box in binding.boxes:
        assert any(box.at.fullmatch(zone) for zone in zones), box.at
    (tracker,) = module.each(TurnTracker)
    assert binding.turn.tracker == tracker.name


def test_what_players_keep_count_of_is_on_the_sheet_from_the_start(module):
    kinds = of(game(module, "race"), "MarkerKind")
    assert {"points", "tens", "crossings", "turn", "draws"} <= set(kinds)


def test_the_linter_finds_nothing(vmod):
    assert list(check_module(open_subject(vmod))) == []


def test_the_file_is_decoded_and_written_back_byte_for_byte(vmod):
    assert roundtrip(vmod).identical


def test_a_set_up_can_be_drawn(module):
    pytest.importorskip("PIL")
    drawn = render_map(module, game(module, "campaign"), scale=0.25)
    assert drawn.image.size == (841, 546)
    assert drawn.missing == ()
    assert drawn.drawn > 100


def test_every_cell_of_ours_is_marked_on_the_charts(plugin):
    charts = {chart.key: chart for chart in plugin.charts()}
    results = charts["crt"].tables[0]
    for row in results.rows:
        for head, text in zip(results.heads[1:], row[1:], strict=True):
            assert text.endswith(OURS) == (head not in ("5-1", "6-1")), (head, text)
    stavka = charts["crossings"].tables[1].rows[1]
    assert stavka[5:7] == ("0", "1")
    assert all(text.endswith(OURS) for text in stavka[7:])


def test_the_sheet_of_counters_shows_every_counter(plugin):
    rows = plugin.data.read("counters.yaml", "counters")["counters"]
    assert counter_sheet(plugin).count("<image") > sum(len(row["ladder"]) for row in rows.values())


@pytest.mark.parametrize(
    ("name", "wins", "scores"),
    [
        ("race", "50 points at the end of turn 4.", "Crossing point (not the bridgehead): 5, 5"),
        ("campaign", "65 points at the end of any turn.", "Major city: 8"),
    ],
)
def test_the_notes_tell_how_a_scenario_is_won(module, name, wins, scores):
    lines = game(module, name).notes.scenario.splitlines()
    assert f"The Soviets win with {wins}" in lines
    assert scores in lines


def test_the_bridgehead_on_the_map_is_another_piece_than_the_one_on_its_track(
    plugin, module, binding
):
    start = engine.start(plugin, "campaign")
    landed = Marker("bridgehead", "bridgehead", "soviet", "0739")
    position = replace(start, markers=start.markers.set("bridgehead", landed))
    position = position.with_track("bridgehead", 1)
    placer = Placer(module, binding, plugin, position)
    state = placer.place(position)
    assert placer.notes == []
    table = TableReader(module, binding, plugin, state)
    found = [m for m in table.read(state, start).position.markers.values() if m.kind != "order"]
    assert [(m.kind, m.side, m.cell) for m in found] == [("bridgehead", "soviet", "0739")]
    assert table.read(state, start).position.track("bridgehead") == 1
    assert coverage(module, binding, plugin).problems == ()


def test_every_key_is_told_by_what_it_came_to(module):
    assert untold(module) == set()
    found = {properties_of(piece).get("UnitId"): piece for piece in pieces(module)}
    for level, words in ((1, "supplied"), (2, "out of supply"), (3, "isolated")):
        line = told(found["su-130"], ctrl("S"), Supply_Level=str(level))
        assert line == [f"$location$: $oldPieceName$: {words} *"]
    front = told(found["hq-sth"], ctrl("F"), FrontSth_Level="2")
    assert front[0].endswith(": 4th Ukrainian Front *")


def plate(piece, above=0):
    """What a counter bears below so many others of its stack."""
    known = {**properties_of(piece), "StackPos": str(above + 1)}
    return evaluate(piece.first(Labeler).state.text, known.get)


def test_counters_bear_the_names_of_announcements(module):
    units = [p for p in pieces(module) if properties_of(p).get("UnitId")]
    assert units
    for piece in units:
        assert plate(piece) == properties_of(piece)["UnitId"]
        assert plate(piece, above=1) is None, "below another unit: only the engine can count them"
        assert piece.name.startswith(properties_of(piece)["UnitId"])
