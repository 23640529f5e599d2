"""Recipes: what is selected, what each verb does, names followed, errors with their line."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from squad_game import PASSWORD, SQUAD, game_of, piece_named, squad_game, state_of

from hexmarshal.errors import BadInputError
from hexmarshal.vassal.builder import Counter, markers, number, prototype
from hexmarshal.vassal.commands.piece import ChangePiece
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.pieces.embedded import marker_piece
from hexmarshal.vassal.pieces.piece import Piece, format_add, parse_add
from hexmarshal.vassal.recipes import Recipe, edit_module, edit_saved, recipe_schema
from hexmarshal.vassal.recipes.property_names import in_expression, in_format
from hexmarshal.vassal.saves.logwriter import LogWriter
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.traits import (
    CalculatedProperty,
    Comment,
    CounterGlobalKeyCommand,
    Deck,
    DynamicProperty,
    Labeler,
    Layer,
    Marker,
    MovementMarkable,
    PlaceMarker,
    PropertyState,
    ReturnToDeck,
    RotateFixed,
    SendToLocation,
    stock_forms,
)
from hexmarshal.vassal.values import Expression, FormattedText, GlobalCommandTarget
from hexmarshal.vassal.xml.component_paths import ComponentPath


def recipe(*steps, **options):
    return Recipe.parse(json.dumps({"recipe": 1, "steps": list(steps), **options}))


def edited(*steps, module=None, **options):
    """The module after the steps, and what was done."""
    opened = Module.from_archive((module or squad_game()).archive())
    done = edit_module(opened, recipe(*steps, **options))
    return Module.from_archive(_packed(opened)), done


def _packed(module):
    from hexmarshal.vassal.container.archive import Archive

    return Archive.from_bytes(module.to_bytes())


def piece_of(module, name):
    return next(parse_add(s.text.strip()) for s in module.slots() if s.name == name)


def on(selector, *verbs):
    return {"pieces": selector, "do": list(verbs)}


SET = {"set_markers": {"Seen": "yes"}}


@pytest.mark.parametrize(
    ("selector", "names"),
    [
        ({"name": "Sq*"}, ["Squad"]),
        ({"name": "/S.*d|T.*/"}, ["Squad", "Truck"]),
        ({"name": ["Squad", "Ace"]}, ["Ace", "Squad"]),
        ({"prototype": "Unit"}, ["Squad", "Truck"]),
        ({"trait": "Layer"}, ["Squad"]),
        ({"trait": {"kind": "Layer", "where": {"name": "Steps"}}}, ["Squad"]),
        ({"trait": {"kind": "Layer", "where": {"name": "Other"}}}, []),
        ({"property": {"Side": "R*"}}, ["Squad"]),
        ({"property": {"Facing_Facing": 1}}, ["Squad", "Truck"]),
        ({"image": "back.svg"}, ["Squad", "Truck"]),
        ({"in": "DrawPile"}, ["Ace"]),
        ({"in": "PieceWindow[name=Counters]", "not": {"name": "Truck"}}, ["Squad"]),
        ({"gpid": ["1"]}, ["Ace"]),
    ],
)
def test_pieces_are_selected(selector, names):
    module, done = edited(on(selector, SET))
    seen = [s.name for s in module.slots() if "Seen" in s.text]
    assert seen == names
    assert len(done.changes) == len(names)


def test_a_piece_is_selected_by_its_component_path():
    module = Module.from_archive(squad_game().archive())
    path = str(ComponentPath.to(next(s for s in module.slots() if s.name == "Truck")))
    _, done = edited(on({"path": path}, SET))
    assert [change.where for change in done.changes] == ["Counters / Units / Truck"]


def test_a_trait_is_added_where_it_is_wanted():
    add = {"kind": "Comment", "fields": {"text": "hi"}}
    for at, index in (
        ("outermost", 0),
        ("innermost", -2),
        ({"before": "Layer"}, -4),
        ({"after": "Layer"}, -3),
    ):
        module, _ = edited(on({"name": "Squad"}, {"add_trait": {**add, "at": at}}))
        assert isinstance(piece_of(module, "Squad").traits[index], Comment), at


def test_a_new_layer_is_one_of_todays_with_named_fields_and_state():
    layer = {
        "kind": "Layer",
        "fields": {"name": "Hits", "images": ["worn.svg"], "increase_key": "Ctrl+Shift+H"},
        "state": {"level": -1},
    }
    module, _ = edited(on({"name": "Truck"}, {"add_trait": layer}))
    found = piece_of(module, "Truck").first(Layer)
    assert (found.trait.version, found.trait.images) == (1, ("worn.svg",))
    assert found.trait.increase_key.human() == "Ctrl+Shift+H"
    assert found.state.level == -1


def test_a_trait_is_changed_field_by_field():
    change = {
        "trait": "Layer",
        "set": {"loop": False, "images": {"replace": r"^(.*)\.svg$", "with": r"new-\1.svg"}},
        "state": {"level": 2},
    }
    module, done = edited(on({"name": "Squad"}, {"change_trait": change}))
    found = piece_of(module, "Squad").first(Layer)
    assert found.trait.images == ("new-front.svg", "new-back.svg")
    assert not found.trait.loop
    assert found.state.level == 2
    assert done.changes[0].what == (
        "Layer 'Steps': images from 'front.svg', 'back.svg' to 'new-front.svg', 'new-back.svg',"
        " loop from true to false, level from 1 to 2"
    )


def test_traits_and_markers_are_removed():
    verbs = ({"remove_trait": "MovementMarkable"}, {"remove_markers": ["Side"]})
    module, _ = edited(on({"name": "Squad"}, *verbs))
    squad = piece_of(module, "Squad")
    assert squad.first(MovementMarkable) is None
    assert squad.first(Marker).trait.names == ("Strength",)
    assert state_of(squad, Marker).values == ("4",)


def test_a_marker_is_set_where_it_is_and_added_where_it_is_not():
    module, done = edited(on({"name": "Squad"}, {"set_markers": {"Strength": 5, "Type": "Inf"}}))
    values = {
        name: value
        for found in piece_of(module, "Squad").each(Marker)
        for name, value in zip(found.trait.names, found.state.values, strict=True)
    }
    assert values == {"Side": "Red", "Strength": "5", "Type": "Inf"}
    assert done.changes[0].what == "marker Strength from '4' to '5'; add marker Type = Inf"


def test_prototypes_are_added_removed_and_changed():
    module, _ = edited(
        on({"name": "Squad"}, {"remove_prototype": "Unit"}, {"add_prototype": "Other"}),
        {
            "prototypes": {"name": "Unit"},
            "do": [{"change_trait": {"trait": "RotateFixed", "set": {"facings": 12}}}],
        },
    )
    assert piece_of(module, "Squad").prototypes == ("Other",)
    unit = parse_add(module.prototypes()["Unit"].text.strip())
    assert unit.first(RotateFixed).trait.facings == 12


def test_a_piece_gets_a_name_and_an_image_and_its_slot_follows():
    verbs = ({"set_name": {"replace": "Squ", "with": "Br"}}, {"set_image": "worn.svg"})
    module, _ = edited(on({"name": "Squad"}, *verbs))
    brad = piece_of(module, "Brad")
    assert (brad.name, brad.basic.image) == ("Brad", "worn.svg")


def test_attributes_of_components_are_set_replaced_and_removed():
    module, done = edited(
        {
            "components": "Map[name='Main Map']",
            "do": [{"set": {"edgeWidth": 20, "allowMultiple": True, "markMoved": None}}],
        },
        {"components": "Board", "do": [{"set": {"name": {"replace": "F", "with": "Battlef"}}}]},
        {"components": "DrawPile", "do": [{"remove": True}]},
    )
    assert module.maps()[0].edge_width == 20
    assert not module.maps()[0].has("markMoved")
    assert [c.name for c in module.query("Board")] == ["Battlefield"]
    assert not [*module.query("DrawPile")]
    assert [change.step for change in done.changes] == [1, 2, 3]


ALL = (
    on(
        {"name": "Squad"},
        {"add_trait": {"kind": "Comment", "fields": {"text": "x"}}},
        {"change_trait": {"trait": "Layer", "set": {"loop": False}}},
        {"remove_trait": "MovementMarkable"},
        {"set_markers": {"Side": "Blue", "New": "1"}},
        {"add_prototype": "Second"},
    ),
    {"components": "Map", "do": [{"set": {"edgeHeight": 5}}]},
    {"rename": {"prototypes": {"Unit": "Soldier"}, "maps": {"Main Map": "Front"}}},
)


def test_a_recipe_done_twice_changes_nothing_the_second_time():
    module, first = edited(*ALL)
    again = Module.from_archive(module.archive)
    done = edit_module(again, recipe(*ALL))
    assert first.changes
    assert (done.changes, done.idle) == ([], [1, 2, 3])
    assert again.to_bytes() == module.to_bytes()


def test_a_bad_piece_is_told_and_does_not_hide_the_others():
    module = Module.from_archive(squad_game().archive())
    slot = next(s for s in module.slots() if s.name == "Truck")
    slot.text = "+/null/cut short"
    done = edit_module(module, recipe(on({"name": "*"}, SET)))
    assert len(done.changes) == 2
    assert "Truck cannot be read" in done.problems[0]
    assert slot.text == "+/null/cut short"


# Names


def wired_game():
    """A squad whose traits name maps, decks, properties, images and other pieces."""
    inner = Counter("Wreck", "worn.svg", (prototype("Unit"),)).piece()
    steps = ("module.PieceWindow:Counters", "widget.ListWidget:Units", "widget.PieceSlot:Truck")
    path = "/".join(f"VASSAL.build.{step}" for step in steps)
    target = GlobalCommandTarget("COUNTER|true|MAP|Main Map||||0|0|Deck|true|Ammo|1|EQUALS||")
    return squad_game(
        squad=(
            *SQUAD,
            SendToLocation(command="Go", map=FormattedText("Main Map")),
            ReturnToDeck(command="Back", deck="Deck", version=2),
            PlaceMarker(command="Wreck", marker=format_add(inner)),
            PlaceMarker(command="Truck", marker=path),
            CounterGlobalKeyCommand(target=target, expression=Expression("Ammo > 2 && Side = Red")),
            CalculatedProperty(name="Low", expression="{Ammo < 2 || $Ammo$ == 7}"),
            CalculatedProperty(name="High", expression="Ammo > 5"),
        )
    )


def squad_after(**renames):
    module, done = edited({"rename": renames}, module=wired_game())
    saved = SavedGame.from_archive(module.archive.nested("Start.vsav"))
    return module, piece_of(module, "Squad"), saved, done


def test_a_renamed_prototype_is_followed_into_pieces_and_markers():
    module, squad, _, _ = squad_after(prototypes={"Unit": "Soldier"})
    assert [*module.prototypes()] == ["Soldier"]
    assert squad.prototypes == ("Soldier",)
    inner = [marker_piece(f.trait) for f in squad.each(PlaceMarker)]
    assert [p.prototypes for p in inner if p is not None] == [("Soldier",)]


def test_a_renamed_map_is_followed_into_traits_targets_and_set_ups():
    module, squad, saved, _ = squad_after(maps={"Main Map": "Front"})
    assert module.maps()[0].name == "Front"
    assert squad.first(SendToLocation).trait.map.text == "Front"
    target = squad.first(CounterGlobalKeyCommand).trait.target
    assert target.place["map"] == "Front"
    state = saved.state()
    assert [*state.boards] == ["Front"]
    assert {piece.map for piece in state.pieces.values()} == {"Front"}
    assert {stack.map for stack in state.stacks.values()} == {"Front"}


def test_a_renamed_deck_is_followed_into_traits_and_set_ups():
    _, squad, saved, _ = squad_after(decks={"Deck": "Pile"})
    assert squad.first(ReturnToDeck).trait.deck == "Pile"
    assert squad.first(CounterGlobalKeyCommand).trait.target.place["deck"] == "Pile"
    assert [deck.name for deck in saved.state().decks.values()] == ["Pile"]


def test_a_renamed_image_moves_and_is_followed_everywhere():
    module, squad, saved, _ = squad_after(images={"front.svg": "face.svg"})
    assert module.archive.has("images/face.svg")
    assert not module.archive.has("images/front.svg")
    assert squad.first(Layer).trait.images == ("face.svg", "back.svg")
    assert b"front.svg" not in module.document.to_bytes()
    assert "front.svg" not in saved.text


def test_two_images_can_change_places():
    _, squad, _, _ = squad_after(images={"front.svg": "back.svg", "back.svg": "front.svg"})
    assert squad.first(Layer).trait.images == ("back.svg", "front.svg")


def test_a_reference_to_a_missing_image_is_put_right():
    module = Module.from_archive(squad_game().archive())
    slot = next(s for s in module.slots() if s.name == "Truck")
    slot.text = slot.text.replace("back.svg", "lost.svg")
    edit_module(module, recipe({"rename": {"images": {"lost.svg": "worn.svg"}}}))
    assert piece_of(module, "Truck").basic.image == "worn.svg"


def test_images_are_renamed_in_bulk_by_a_pattern():
    renames = [{"replace": r"(.*)\.svg", "with": r"art/\1.svg"}]
    module, squad, _, _ = squad_after(images=renames)
    assert squad.first(Layer).trait.images == ("art/front.svg", "art/back.svg")
    names = [n for n in module.archive.names() if n.startswith("images/")]
    assert names
    assert all(name.startswith("images/art/") for name in names)


def test_a_renamed_property_is_followed_into_formats_and_expressions():
    _, squad, saved, _ = squad_after(properties={"Ammo": "Bullets"})
    assert squad.first(DynamicProperty).trait.name == "Bullets"
    command = squad.first(CounterGlobalKeyCommand).trait
    assert command.expression.text == "Bullets > 2 && Side = Red"
    assert command.target.comparison[0] == "Bullets"
    expressions = [found.trait.expression for found in squad.each(CalculatedProperty)]
    assert expressions == ["Bullets > 5", "{Bullets < 2 || $Bullets$ == 7}"]
    assert piece_named(saved, "Squad").first(DynamicProperty).trait.name == "Bullets"


def test_a_renamed_piece_is_followed_into_paths_markers_and_set_ups():
    module, squad, saved, _ = squad_after(pieces={"Truck": "Lorry", "Wreck": "Ruin"})
    specs = [found.trait.marker for found in squad.each(PlaceMarker)]
    assert any(spec.endswith("PieceSlot:Lorry") for spec in specs)
    assert [p.name for p in map(marker_piece, (f.trait for f in squad.each(PlaceMarker))) if p] == [
        "Ruin"
    ]
    assert {p.name for p in saved.state().pieces.values()} == {"Squad", "Lorry", "Ace"}
    assert "Lorry" in [slot.name for slot in module.slots()]


@pytest.mark.parametrize(
    "rename", [{"maps": {"Main Map": "Other"}}, {"images": {"front.svg": "back.svg"}}]
)
def test_a_name_that_is_taken_is_refused(rename):
    module = squad_game()
    module.map("Other")
    with pytest.raises(BadInputError, match="already"):
        edited({"rename": rename}, module=module)


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("$Old$ and $Older$", "$New$ and $Older$"),
        ("Old", "Old"),
        ("cost \\$Old$Old$", "cost \\$Old$New$"),
        ('{Old + "Old" + x.Old + GetProperty("Old") + Old()}',
         '{New + "Old" + x.Old + GetProperty("New") + Old()}'),
    ],
)  # fmt: skip
def test_a_property_is_renamed_only_where_it_is_one(text, after):
    assert in_format(text, lambda name: "New" if name == "Old" else name) == after


@given(st.text("ab$ {}()&|=<>\"'\\.", max_size=30))
def test_renaming_nothing_changes_nothing(text):
    assert in_format(text, lambda name: name) == text
    assert in_expression(text, lambda name: name) == text


# Set-ups and games


def test_set_ups_can_be_brought_up_to_the_changed_pieces():
    module, done = edited(
        on(
            {"name": "Squad"},
            {"change_trait": {"trait": "DynamicProperty", "state": {"value": "9"}}},
            {"add_trait": {"kind": "Comment", "fields": {"text": "x"}}},
        ),
        {"rename": {"properties": {"Ammo": "Bullets"}}},
        refresh_setups=True,
    )
    saved = SavedGame.from_archive(module.archive.nested("Start.vsav"))
    squad = piece_named(saved, "Squad")
    assert squad.first(Comment) is not None
    assert state_of(squad, DynamicProperty).value == "9"
    assert done.changes[-1].where == "Start.vsav"


def test_a_saved_game_is_edited_and_its_later_states_follow():
    game = game_of(squad_game())
    squad = piece_named(game, "Squad")
    spent = squad.with_state(squad.first(DynamicProperty).index, PropertyState(value="1"))
    writer = LogWriter(game)
    with writer.step() as step:
        step.command(ChangePiece(squad.id, spent.state_text, squad.state_text))
    steps = on(
        {"name": "Squad"},
        {"remove_trait": "MovementMarkable"},
        {"add_trait": {"kind": "Comment", "fields": {"text": "x"}}},
    )
    fresh, done = edit_saved(writer.finish(), recipe(steps))
    item = LogWriter(fresh).state.find(squad.id)
    after = Piece.parse(item.type, item.state)
    assert after.problem is None
    assert after.first(MovementMarkable) is None
    assert state_of(after, DynamicProperty).value == "1"
    assert state_of(after, Labeler).text == "note"
    assert len(done.changes) == 1


def test_no_report_tells_a_players_id():
    game = game_of(squad_game(squad=(markers({"Owner": PASSWORD}), number("Ammo"))))
    _, done = edit_saved(game, recipe(on({"name": "*"}, {"set_markers": {"Owner": "none"}})))
    assert done.changes
    assert PASSWORD not in repr(done)


def test_components_of_a_saved_game_are_a_mistake():
    step = {"components": "Map", "do": [{"remove": True}]}
    with pytest.raises(BadInputError, match="neither components"):
        edit_saved(game_of(squad_game()), recipe(step))


# Recipes themselves

HEAD = "recipe: 1\nsteps:\n"


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (HEAD + "  - pieces: {nme: x}\n    do: [{remove_trait: Layer}]", 3, "nme"),
        (HEAD + "  - pieces: {name: x}\n    do:\n      - add_trait: {kind: Layr}", 5, "Layr"),
        (HEAD + "  - pieces: {}\n    do:\n      - add_trait:\n          kind: Layer\n"
         "          fields: {imges: a}", 7, "imges"),
        (HEAD + "  - pieces: {}\n    do:\n      - change_trait: {trait: Layer, set: {lop: true}}",
         5, "no field 'lop'"),
        (HEAD + "  - pieces: {}\n    do:\n      - change_trait: {trait: Layer, set: {loop: 3}}",
         5, "true or false"),
        (HEAD + "  - pieces: {}\n    do:\n      - add_trait:\n          kind: Delete\n"
         "          fields: {key: Ctrl+Nonsense}", 7, "not a key"),
        (HEAD + "  - pieces: {}\n    do:\n      - add_trait:\n          kind: TriggerAction\n"
         "          fields: {expression: '{a b}'}", 7, "side by side"),
        (HEAD + "  - pieces: {name: '/(/'}\n    do: [{remove_trait: Layer}]", 3, "regular"),
        (HEAD + "  - pieces: {}\n    do: [{remove_trait: BasicPiece}]", 4, "basic piece"),
        (HEAD + "  - pieces: {}\n    do: [{set_name: {replace: a, with: '\\9'}}]", 4,
         "replacement"),
        (HEAD + "  - components: 'Map['\n    do: [{remove: true}]", 3, "query"),
        (HEAD + "  - nothing: 1", 3, "a step needs one of"),
        (HEAD + "  - pieces: [", 4, "not YAML"),
        ("recipe: 2\nsteps: [{rename: {maps: {a: b}}}]", 1, "1 was expected"),
        ("steps: []", 1, "missing|must not be empty"),
        ("", None, "must be a mapping"),
    ],
)  # fmt: skip
def test_a_bad_recipe_names_its_line(text, line, said):
    with pytest.raises(BadInputError, match=said) as error:
        Recipe.parse(text, "bad.yaml")
    assert error.value.place.file == "bad.yaml"
    if line is not None:
        assert error.value.place.line == line


def test_a_wrong_attribute_value_is_refused_with_its_line():
    step = {"components": "Map", "do": [{"set": {"edgeWidth": "wide"}}]}
    with pytest.raises(BadInputError, match="'wide' is not"):
        edited(step)


def test_the_schema_knows_every_trait_and_every_field():
    from jsonschema import Draft202012Validator

    schema = recipe_schema()
    Draft202012Validator.check_schema(schema)
    for forms in stock_forms().values():
        for cls in forms.values():
            if cls.__name__ not in {"BasicPiece", "Stack", "Deck"}:
                fields = schema["$defs"][f"add_{cls.__name__}"]["properties"]["fields"]
                assert set(fields["properties"]) == {s.name for s in cls.layout.fields}
    assert f"add_{Deck.__name__}" not in schema["$defs"]


def test_hundreds_of_pieces_are_edited_at_once():
    module = Module.from_archive(squad_game(setup=False).archive())
    slot = next(s for s in module.slots() if s.name == "Squad")
    for index in range(300):
        twin = slot.copy()
        twin.text = twin.text.replace("Squad", f"Squad {index}")
        slot.parent.append(twin)
    done = edit_module(module, recipe(on({"property": {"Side": "Red"}}, *ALL[0]["do"])))
    assert len(done.changes) == 301


def test_every_example_of_the_manual_is_a_recipe_and_every_verb_has_one():
    import re
    from pathlib import Path

    from hexmarshal.vassal.recipes.piece_edits import PIECE_VERBS

    page = Path(__file__).parents[4] / "docs" / "vassal" / "recipes.md"
    examples = re.findall(r"```yaml\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    for example in examples:
        assert Recipe.parse(example).steps
    together = "\n".join(examples)
    assert all(f"- {verb}:" in together for verb in (*PIECE_VERBS, "rename", "set", "remove"))


def carrier(*, inside="Smoke"):
    """A game whose units place a marker by their prototype, and that marker another."""
    deep = Counter("Fire", "back.svg", (markers({"Heat": "1"}),)).piece()
    inner = Counter(
        inside, "front.svg", (markers({"Heat": "0"}), PlaceMarker(marker=format_add(deep)))
    )
    places = PlaceMarker(command="Smoke", marker=format_add(inner.piece()), gpid="77")
    return squad_game(unit=(places,))


def test_steps_reach_pieces_inside_place_marker_traits():
    step = {"pieces": {"name": "Smoke"}, "do": [{"set_markers": {"Heat": "5"}}]}
    module, done = edited(step, module=carrier())
    (change,) = done.changes
    assert "in the marker Smoke" in change.what
    unit = parse_add(module.prototypes()["Unit"].text)
    smoke = marker_piece(unit.first(PlaceMarker).trait)
    assert state_of(smoke, Marker).values == ("5",)
    fire = marker_piece(smoke.first(PlaceMarker).trait)
    assert state_of(fire, Marker).values == ("1",)
    deeper = {"pieces": {"name": "Fire"}, "do": [{"set_markers": {"Heat": "9"}}]}
    module, done = edited(deeper, module=carrier())
    assert "in the marker Smoke: in the marker Fire" in done.changes[0].what


def test_steps_reach_markers_of_pieces_in_a_saved_game():
    step = {"pieces": {"name": "Smoke"}, "do": [{"set_markers": {"Heat": "5"}}]}
    saved, done = edit_saved(game_of(carrier()), recipe(step))
    assert {"in the marker Smoke" in change.what for change in done.changes} == {True}
    inside = marker_piece(piece_named(saved, "Squad").first(PlaceMarker).trait)
    assert state_of(inside, Marker).values == ("5",)


def test_steps_on_prototypes_leave_what_they_carry_alone():
    step = {"prototypes": {"name": "*"}, "do": [{"set_markers": {"Heat": "5"}}]}
    module, _ = edited(step, module=carrier())
    unit = parse_add(module.prototypes()["Unit"].text)
    assert state_of(marker_piece(unit.first(PlaceMarker).trait), Marker).values == ("0",)
