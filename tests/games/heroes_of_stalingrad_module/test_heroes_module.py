"""The module of Heroes of Stalingrad: set-ups, counters, tokens, tiles, hands; lint and files."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import PIL.Image
import pytest

from hexmarshal.games.heroes_of_stalingrad import HeroesOfStalingrad
from hexmarshal.games.heroes_of_stalingrad.art.counter_sheet import counter_sheet
from hexmarshal.games.heroes_of_stalingrad.state.kinds import SIDES
from hexmarshal.kit.module.pieces.traits import GOES
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.state.pieces import Marker
from hexmarshal.rules.values import FrozenMap
from hexmarshal.table.binding import Binding
from hexmarshal.table.placing import Placer
from hexmarshal.table.reading import TableReader
from hexmarshal.table.reading.turn_tracker import Tracker
from hexmarshal.vassal.components import (
    DoActionButton,
    DrawPile,
    GlobalKeyCommand,
    GlobalOptions,
    Inventory,
    ListTurnLevel,
    PlayerHand,
    PlayerRoster,
    PredefinedSetup,
    StackMetrics,
    ToolbarMenu,
    TurnGlobalHotkey,
    TurnLevel,
    TurnTracker,
)
from hexmarshal.vassal.lint import check_module, open_subject
from hexmarshal.vassal.pieces.piece_names import properties_of
from hexmarshal.vassal.roundtrip import roundtrip
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.state.at_start import placed_copy
from hexmarshal.vassal.state.locator import ModuleLocator
from hexmarshal.vassal.traits import (
    BasicPiece,
    CounterGlobalKeyCommand,
    Delete,
    DynamicProperty,
    Layer,
    Mask,
    NonRectangular,
    ReportState,
    RestrictCommands,
    RotateFixed,
    SendToLocation,
    SetGlobalProperty,
    TriggerAction,
)
from hexmarshal.vassal.values import KeyStrokes, ctrl
from hexmarshal.vassal.values.evaluation import evaluate

SHOW = KeyStrokes.of(ctrl("P"))

SCENARIOS = ("drill", "tractor_works", "railway", "free_battle")


@pytest.fixture(scope="module")
def plugin():
    return HeroesOfStalingrad()


@pytest.fixture(scope="module")
def binding(module):
    return Binding.inside(module)


@pytest.fixture(scope="module")
def games(module):
    """The set-ups of the module, by the scenario that each names."""
    files = [setup.get("file") for setup in module.each(PredefinedSetup)]
    states = [SavedGame.from_archive(module.archive.nested(file)).state() for file in files]
    return {state.property_value("Scenario"): state for state in states}


def of(state, prop):
    """The pieces that carry a property, by what it says."""
    found = {properties_of(p.piece).get(prop): p for p in state.pieces.values()}
    return {value: placed for value, placed in found.items() if value}


def read(module, binding, plugin, state, base=None):
    return TableReader(module, binding, plugin, state).read(state, base)


def same(found, expected):
    """Positions alike in all that lies on the table; stacks have an order of their own."""
    assert (found.phase, found.turn, found.board) == (
        expected.phase,
        expected.turn,
        expected.board,
    )
    assert (found.tracks, found.cells) == (expected.tracks, expected.cells)
    assert dict(found.markers.items()) == dict(expected.markers.items())
    for pile in {*found.piles, *expected.piles}:
        assert sorted(found.pile(pile).cards) == sorted(expected.pile(pile).cards), pile
    assert set(found.units) == set(expected.units)
    for unit, known in expected.units.items():
        assert replace(found.units[unit], rank=known.rank) == known


def test_there_is_a_set_up_of_every_scenario(games):
    assert tuple(games) == SCENARIOS


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_set_up_reads_straight_into_the_position_of_its_scenario(
    module, binding, plugin, games, name
):
    started = engine.start(plugin, name, None)
    reading = read(module, binding, plugin, games[name])
    assert reading.notes == ()
    same(reading.position, started)


def test_a_vehicle_has_its_rear_behind_it_wherever_it_is_dragged(module, binding, plugin, games):
    state = games["railway"].copy()
    tank = of(state, "UnitId")["r5"]
    locator = ModuleLocator.for_game(module, state)
    x, y = locator.on("Map").pixel_named("1409")
    state.table.move(tank.id, "Map", x, y, tank.id)
    unit = read(module, binding, plugin, state).position.units["r5"]
    assert (unit.cell, unit.facing, unit.footprint) == ("1409", 6, ("1509",))


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_cell_has_its_name_of_the_rules_in_the_module(module, plugin, games, name):
    locator = ModuleLocator.for_game(module, games[name])
    terrain = plugin.terrain_map(engine.start(plugin, name))
    for cell in terrain.names.values():
        x, y = locator.on("Map").pixel_named(cell)
        assert locator.locate("Map", x, y).name == cell


def test_cells_of_a_tile_across_the_grid_lie_between_those_of_the_board(module, games):
    locator = ModuleLocator.for_game(module, games["tractor_works"]).on("Map")
    (left, _), (tile, _), (right, _) = map(locator.pixel_named, ("1110", "h1.00", "1310"))
    assert left < tile < right


def test_a_position_in_mid_game_is_written_and_read_back(module, binding, plugin):
    """Orders face down and open, damage, a passenger, a wreck, destruction, ruins, scores."""
    started = engine.start(plugin, "railway", None)
    at, own = started.units, frozenset(("russian",))
    units = {
        "r2": replace(at["r2"], cell="1605", box="", facing=3, steps=1),
        "r3": replace(at["r3"], box="destroyed"),
        "r5": replace(at["r5"], flags=frozenset(("damage_tracks", "activated"))),
        "g5": replace(at["g5"], steps=1),
        "g6": replace(at["g6"], carrier="", box="destroyed"),
        "g2": replace(at["g2"], cell="0307", box="", values=at["g2"].values.set("suppressed", 2)),
        "r10": replace(at["r10"], cell="1804", box="", facing=6),
    }
    house = started.markers["h1"]
    token = FrozenMap({"token": "3"})
    markers = {
        "h1": replace(house, values=house.values.set("ruins", ("west",))),
        "order-r2": Marker(
            "order-r2", "order", "russian", unit="r2", values=token, known_to=own, face="order"
        ),
        "order-g2": Marker(
            "order-g2", "order", "german", unit="g2", values=FrozenMap({"token": "bluff"}),
            face="order",
        ),
        "order-g6": Marker(
            "order-g6", "order", "german", box="spent", values=token,
            known_to=frozenset(("german",)), face="order",
        ),
        "destruction-h2.house": Marker(
            "destruction-h2.house", "destruction", cell="1307", values=FrozenMap({"points": 2})
        ),
    }  # fmt: skip
    position = replace(
        started,
        turn=3,
        phase="activation",
        units=FrozenMap({**at, **units}),
        markers=FrozenMap({**started.markers, **markers}),
        tracks=FrozenMap({**started.tracks, "score-german": 4, "special-russian": 1}),
    )
    placer = Placer(module, binding, plugin, position)
    state = placer.place(position)
    assert placer.notes == []
    found = read(module, binding, plugin, state, replace(position, markers=started.markers))
    spent = next(m for m in found.position.markers.values() if m.box == "spent")
    assert spent.values == token
    again = read(module, binding, plugin, state, position)
    assert again.notes == ()
    same(again.position, position)


def test_the_token_on_the_table_is_the_one_of_the_rules(module, binding, plugin):
    """Twelve tokens a side are twelve pieces: the right one is taken, not another relabelled."""
    position = engine.start(plugin, "drill", None)
    for side, unit, token in (("russian", "r3", "1"), ("russian", "r2", "2")):
        position = engine.perform(
            plugin,
            position,
            plugin.game.actions.make("order", side, unit=unit, token=token),
            Dice(None),
        ).position
    state = Placer(module, binding, plugin, position).place(position)
    pieces = of(state, "MarkerToken")
    assert set(pieces) == {"1", "2"}
    for token, placed in pieces.items():
        assert placed.piece.name == f"Russian order {token}"
        mask = placed.piece.first(Mask)
        assert (mask.trait.access.text, mask.state.owner) == ("side:", "Russian")


def test_order_tokens_lie_face_down_in_the_palette(module):
    """VASSAL reports what is taken from there: no number may be in the report."""
    found = []
    for slot in module.slots():
        piece = placed_copy(slot, {}, "", (0, 0))
        if properties_of(piece).get("MarkerKind") == "order":
            found.append(piece.name)
            assert piece.first(Mask).state.owner == piece.name.split()[0]
    assert len(found) == 24


def test_what_is_hidden_has_a_name_that_begins_a_line_of_chat(module):
    """VASSAL takes a question mark there for a colour, and leaves it out."""
    names = {}
    for slot in module.slots():
        piece = placed_copy(slot, {}, "", (0, 0))
        mask = piece.first(Mask)
        if mask is not None and "Card" not in (known := properties_of(piece)):
            names.setdefault(mask.trait.mask_name, set()).add(
                (known.get("UnitType") and "unit") or known["MarkerKind"]
            )
            (told,) = (at.trait for at in piece.each(ReportState) if at.trait.keys == SHOW)
            assert told.format.text == "$location$: $oldPieceName$ is now $newPieceName$ *"
            # It says nothing of a player who tries and may not look.
            kept = next(at.trait for at in piece.each(RestrictCommands) if at.trait.keys == SHOW)
            for seat, refused in (("German", "true"), ("Solitaire", "false")):
                facts = {"Obscured": "true", "PlayerSide": seat}
                assert evaluate(kept.expression.text, facts.get) == refused
                facts["Obscured"] = "false"
                assert evaluate(kept.expression.text, facts.get) == "false"
            order = [piece.traits.index(trait) for trait in (kept, told, mask.trait)]
            assert order == sorted(order)
    assert names == {
        "a hidden Russian unit": {"unit"},
        "a hidden German unit": {"unit"},
        "a hidden Russian order token": {"order"},
        "a hidden German order token": {"order"},
    }


def test_order_tokens_tell_whose_they_are_and_leave_values_free(module):
    """Turned up as well: the middle of each is the dark colour of its side."""
    colours = {}
    for slot in module.slots():
        piece = placed_copy(slot, {}, "", (0, 0))
        if properties_of(piece).get("MarkerKind") == "order":
            name = piece.first(BasicPiece).trait.image
            picture = PIL.Image.open(io.BytesIO(module.read(f"images/{name}"))).convert("RGBA")
            assert picture.width < 40
            counted = picture.getcolors(picture.width * picture.height)
            _, most = max((count, colour) for count, colour in counted if colour[3])
            colours.setdefault(piece.name.split()[0], set()).add(most)
    assert {side: len(found) for side, found in colours.items()} == {"Russian": 1, "German": 1}
    assert colours["Russian"].isdisjoint(colours["German"])


def test_tokens_of_the_turn_go_by_a_click_and_bluffs_with_the_tracker(module):
    sent = {c.button_hotkey: c for c in module.each(GlobalKeyCommand)}
    (button,) = (b for b in module.each(DoActionButton) if "order tokens" in b.name)
    (menu,) = (m for m in module.each(ToolbarMenu) if m.button_text == "Announce")
    assert button.name in menu.menu_items
    tokens, signs = (sent[key] for key in button.hotkeys.keys)
    assert (tokens.key_command, signs.key_command) == (GOES, ctrl("A"))
    (hotkey,) = (h for h in module.each(TurnGlobalHotkey) if "Reserve Phase" in str(h.match))
    bluffs = sent[hotkey.hotkey]
    for token, gone in (("bluff", "true"), ("special", "false")):
        facts = {"MarkerKind": "order", "MarkerToken": token}
        assert evaluate(tokens.get("filter"), facts.get) == "true"
        assert evaluate(bluffs.get("filter"), facts.get) == gone


def sets(trait, key):
    return any(command.key == key for command in trait.commands.commands)


def test_tokens_go_after_their_unit_also_face_down(module):
    shared = {name: found.text for name, found in module.prototypes().items()}
    (main,) = (m for m in module.maps() if m.name == "Map")
    slots = {slot.name: slot for slot in module.slots()}
    unit, token = (
        placed_copy(slots[name], shared, "", (0, 0)).traits
        for name in ("Rifle group", "Russian order 1")
    )
    (went,) = (
        t for t in unit if isinstance(t, TriggerAction) and t.key.text == main.get("moveKey")
    )
    (led,) = went.performed_keys.keys
    # The outermost is asked first: where it went is noted before anything is called.
    noting = [n for n, t in enumerate(unit) if isinstance(t, SetGlobalProperty) and sets(t, led)]
    calling = [n for n, t in enumerate(unit) if isinstance(t, CounterGlobalKeyCommand)]
    first, second = (n for n in calling if unit[n].key == led)
    assert max(noting) < first
    call, keep = unit[first], unit[second]
    heard = {t.key: t for t in token if isinstance(t, TriggerAction)}
    sent, noted = heard[call.global_key].performed_keys.keys
    (comes,) = (t for t in token if isinstance(t, SendToLocation) and t.key == sent)
    # What is outside of the mask hears keys whoever presses them; the outermost is the first.
    covered = next(n for n, t in enumerate(token) if isinstance(t, Mask))
    (gone,) = (t for t in token if isinstance(t, Delete) and t.key == GOES)
    assert token.index(comes) < covered
    assert token.index(gone) < covered
    assert 'MarkerSide == "$UnitSide$"' in call.expression.text, "each side's go after its own"
    # Who went along is known, and goes on with its unit also where another stands.
    alone = r'CountLocation("{UnitType != \"\"}") == 0'
    told = call.expression.text.replace(alone, "Units == 0").partition(" && (MarkerSide")[0] + "}"
    facts = {"Follows": "unit", "LeftFrom": "0404", "Leader": "r7", "LaidOn": "", "Units": "0"}
    for place, other, goes in (
        ("0404", {}, "true"),
        ("0405", {}, "false"),
        ("0404", {"Units": "1"}, "false"),
        ("0404", {"Units": "1", "LaidOn": "r7"}, "true"),
        ("0404", {"Units": "1", "LaidOn": "r2"}, "false"),
    ):
        assert evaluate(told, {**facts, **other, "LocationName": place}.get) == goes
    assert noted == keep.global_key
    (laid,) = (t for t in token if isinstance(t, DynamicProperty) and t.name == "LaidOn")
    assert {command.key for command in laid.commands.commands} >= {noted}
    # Where it is dragged by itself it lies for whoever stands there.
    (left,) = heard[went.key].performed_keys.keys
    assert left in {command.key for command in laid.commands.commands}


def test_a_vehicle_is_picked_where_it_is_drawn(module):
    """The picture turns about its front, and is empty ahead of it as far as it reaches behind."""
    slot = next(slot for slot in module.slots() if slot.name == "Panzer III")
    traits = placed_copy(slot, {}, "", (0, 0)).traits
    (box,) = (n for n, t in enumerate(traits) if isinstance(t, NonRectangular))
    (turns,) = (n for n, t in enumerate(traits) if isinstance(t, RotateFixed))
    assert turns < box, "it turns with the picture"
    picked = traits[box].shape.partition(" Z")[0]  # behind it only a dot, for stacks
    *_, lowest = sorted(float(y) for y in re.findall(r" -?[\d.]+ (-?[\d.]+)", picked))
    highest = min(float(y) for y in re.findall(r" -?[\d.]+ (-?[\d.]+)", picked))
    assert (highest, lowest) == (-34.5, 34.5 + 96)


def test_suppressed_goes_up_and_down_and_never_round(module):
    shared = {name: found.text for name, found in module.prototypes().items()}
    slot = next(slot for slot in module.slots() if "UnitType" in slot.text)
    traits = placed_copy(slot, shared, "", (0, 0)).traits
    (layer,) = (t for t in traits if isinstance(t, Layer) and t.name == "Suppressed")
    assert (layer.increase_key, layer.decrease_key, layer.loop) == (ctrl("U"), ctrl("I"), False)
    assert any(isinstance(t, ReportState) and ctrl("I") in t.keys.keys for t in traits)
    (own,) = (c for c in module.each(GlobalKeyCommand) if "Suppressed_Level > 1" in c.get("filter"))
    assert own.key_command == ctrl("I")
    for seat, level, gone in (
        ("German", "2", "true"),
        ("German", "1", "false"),
        ("Russian", "2", "false"),
    ):
        facts = {"Suppressed_Level": level, "SideName": seat, "PlayerSide": "German"}
        assert evaluate(own.get("filter"), facts.get) == gone


def test_menus_offer_what_the_counter_or_those_marked_can_do(module, plugin):
    shared = {name: found.text for name, found in module.prototypes().items()}
    slots = {slot.name: slot for slot in module.slots() if "UnitType" in slot.text}

    def restricted(name, key, *, timed=False):
        traits = placed_copy(slots[name], shared, "", (0, 0)).traits
        found = (
            str(t.expression)
            for t in traits
            if isinstance(t, RestrictCommands) and any(key in k.text for k in t.keys.keys)
        )
        return [text for text in found if ("Phase ==" in text) is timed]

    (snipes,) = restricted("Zaitsev", "say-snipe")
    assert r"TakesPart_Level == 2 && Abilities.contains(\"sniper\")" in snipes
    (orders,) = restricted("Zaitsev", "say-special_order")
    assert "CountLocation" in orders
    (grenades,) = restricted("Zaitsev", "say-grenade")
    assert "GrenadesLeft" in grenades
    # By the phases of the game's own actions: who fires is activated, or moves in reserve.
    for action, left_out_in in (("grenade", {"Order Phase"}), ("displace", set())):
        asked = restricted("Zaitsev", f"say-{action}", timed=True)
        for phase in ("Order Phase", "Activation Phase", "Reserve Phase"):
            facts = {"Phase": phase, "Before": "Set-up"}
            hidden = any(evaluate(text, facts.get) == "true" for text in asked)
            assert hidden == (phase in left_out_in)
    (scouted,) = (r for r in restricted("Zaitsev", ctrl("J").text) if "scout" in r)
    facts = properties_of(placed_copy(slots["Razvedchiki"], shared, "", (0, 0)))
    assert evaluate(scouted, facts.get) == "false"
    facts = properties_of(placed_copy(slots["Zaitsev"], shared, "", (0, 0)))
    assert evaluate(scouted, facts.get) == "true"
    disturbing = {
        counter.title
        for counter in plugin.tables.counters.values()
        for face in counter.faces
        if any(
            "disturbing" in one for one in (face.abilities, *(w.abilities for w in face.weapons))
        )
    }
    listed = {
        name
        for name in disturbing
        if "disturbing" in properties_of(placed_copy(slots[name], shared, "", (0, 0)))["Abilities"]
    }
    assert listed == disturbing != set()


def test_the_inventory_groups_units_by_words_for_players(module, plugin):
    (window,) = module.each(Inventory)
    listed = window.get("groupBy").split(",")
    groups = {}
    for slot in module.slots():
        known = properties_of(placed_copy(slot, {}, "", (0, 0)))
        if "UnitType" in known:
            groups[known["UnitType"]] = tuple(known[name] for name in listed)
    assert groups == {
        counter.key: (counter.side.capitalize(), counter.title)
        for counter in plugin.tables.counters.values()
    }


def test_setting_up_comes_once_and_the_tracker_shows_every_phase(module, binding, plugin):
    (component,) = module.each(TurnTracker)
    first, turns = component.each(TurnLevel, deep=False)
    assert (first.start, first.loop, first.loop_limit) == (1, True, 1)
    assert [level.entries for level in first.each(ListTurnLevel)] == [("Set-up",)]
    (phases,) = (level.entries for level in turns.each(ListTurnLevel))
    assert "Set-up" not in phases
    tracker = Tracker(binding.turn, module, plugin.game)
    state = SavedGame.from_archive(module.archive.nested("Drill.vsav")).state()
    start = engine.start(plugin, "drill", None)
    for turn, phase in ((1, "setup"), (1, "order"), (3, "activation"), (4, "reserve")):
        shown = tracker.write(replace(start, turn=turn, phase=phase))
        state.turns[tracker.key] = shown
        found = tracker.read(state)
        assert (found.turn, found.phase, found.known) == (turn, phase, True)
        assert found.order == tracker.order_of(replace(start, turn=turn, phase=phase))


def test_a_hand_lies_face_down_and_is_of_the_right_deck(module, binding, plugin):
    started = engine.start(plugin, "tractor_works", seed=5)
    state = Placer(module, binding, plugin, started).place(started)
    for side in SIDES:
        seat = side.capitalize()
        held = [p for p in state.pieces.values() if p.map == f"{seat} hand"]
        assert len(held) == len(started.pile(f"{side}-hand").cards) == 3
        for placed in held:
            assert properties_of(placed.piece)["CardSide"] == side
            assert placed.piece.first(Mask).state.owner == seat


def test_decks_are_opaque_and_discards_open(module):
    piles = {pile.name: pile for pile in module.each(DrawPile)}
    for seat in ("Russian", "German"):
        assert piles[f"{seat} deck"].get("allowSelect") == "false"
        assert piles[f"{seat} deck"].get("shuffle") == "Always"
        assert piles[f"{seat} discards"].get("allowSelect") == "true"


def test_a_tile_shows_how_it_lies(games):
    """Of the four layers of a tile only one shows anything: that of its shift across the grid."""
    tiles = of(games["tractor_works"], "Tile")
    for key, number, layer in (("cottage", "5", 1), ("copse", "2", 0), ("factory", "1", 0)):
        piece = tiles[key].piece
        assert properties_of(piece)["Lies"] == number
        layers = [
            (trait, state)
            for trait, state in zip(piece.traits, piece.states, strict=True)
            if isinstance(trait, Layer)
        ]
        shown = {trait.name: trait.images[state.level - 1] for trait, state in layers}
        turn = (int(number) - 1) % 4
        assert {k: v for k, v in shown.items() if v} == {f"Lies{layer}": f"tile-{key}-{turn}.png"}


def test_the_linter_finds_nothing(vmod):
    assert list(check_module(open_subject(vmod))) == []


def test_the_file_is_decoded_and_written_back_byte_for_byte(vmod):
    assert roundtrip(vmod).identical


def test_the_sheet_of_counters_shows_every_face(plugin):
    faces = sum(len(counter.faces) for counter in plugin.tables.counters.values())
    assert counter_sheet(plugin).count("<image") > faces


def test_who_plays_alone_has_a_seat_and_may_turn_up_all_that_is_covered(module):
    (roster,) = module.each(PlayerRoster)
    assert roster.sides == ("Russian", "German", "Solitaire")
    (options,) = module.each(GlobalOptions)
    assert options.get("nonOwnerUnmaskable") == "Always"
    for hand in module.each(PlayerHand):
        assert hand.get("side") == f"{hand.name.removesuffix(' hand')},Solitaire"


def test_the_notes_tell_how_a_scenario_is_won(games):
    lines = games["railway"].notes.scenario.splitlines()
    assert "Who has 12 points as a turn ends, and more than the other, wins." in lines
    assert "Cottage: 1 point (1307, 1407, 1308, 1408)" in lines
    assert "Initiative in turn 1: German" in lines
    assert any(line.startswith("Russian (r2, r3, ") for line in lines)
    assert any(line.startswith("  ") and line.endswith(", 1811") for line in lines), "broken"
    assert "Each side recruits an army of 250 points." in games["free_battle"].notes.scenario


def test_who_is_aboard_lies_on_the_vehicle_however_far_it_reaches(module):
    """The engine lays pieces of a stack by the corners of their shapes before they are turned."""
    (board,) = (of_map for of_map in module.maps() if of_map.name == "Map")
    metrics = board.child(StackMetrics)
    assert metrics.unexpanded_y < 0
    assert metrics.expanded_y < 0, "by their upper edges"
    corners = set()
    for slot in module.slots():
        for at in placed_copy(slot, {}, "", (0, 0)).each(NonRectangular):
            numbers = [float(word) for word in re.findall(r"-?[\d.]+", at.trait.shape)]
            corners.add((min(numbers[::2]), min(numbers[1::2])))
    arrow = next(name for name in module.archive.names() if re.search(r"/arrow-\d+\.png", name))
    half = int(re.findall(r"\d+", arrow)[-1]) / 2
    assert corners == {(-half, -half)}, "as those whose arrow turns below them"
