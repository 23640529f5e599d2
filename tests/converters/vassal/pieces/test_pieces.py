"""Pieces: parsed lazily, read by trait, changed by copying, never lost."""

from __future__ import annotations

from dataclasses import replace

import pytest
from growth import LINEAR, growth
from hypothesis import given, settings
from hypothesis import strategies as st
from trait_strategies import ANY_TEXT, records, traits

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal import traits as t
from hexmarshal.vassal.pieces.embedded import marker_path, marker_piece, walk, with_marker
from hexmarshal.vassal.pieces.piece import Piece, PieceType, format_add, parse_add
from hexmarshal.vassal.pieces.piece_names import full_name, properties_of
from hexmarshal.vassal.values import FormattedText

TYPE = (
    "mark;Side\temb2;;128;A;;128;;;128;;;;1;false;0;0;a.png,b.png;+ (reduced),x;true;Step"
    "\\\tpiece;;;us.png;1st Army"
)
STATE = "Allied\t1\\\tMain;10;20;7;1;Old;3"


@pytest.fixture
def army() -> Piece:
    return Piece.parse(TYPE, STATE, "42")


def test_a_piece_knows_its_traits_and_states(army):
    assert [type(trait) for trait in army.traits] == [t.Marker, t.Layer, t.BasicPiece]
    assert army.states == (
        t.MarkerState(values=("Allied",)),
        t.LayerState(level=1),
        t.PieceState(map="Main", x=10, y=20, gpid="7", properties=(("Old", "3"),)),
    )
    assert army.problem is None
    assert army.encode() == (TYPE, STATE)


def test_name_and_place_are_known_without_decoding_the_traits():
    army = Piece(PieceType(TYPE), STATE, "42")
    assert (army.id, army.name, army.map, army.x, army.y, army.gpid) == (
        "42", "1st Army", "Main", 10, 20, "7",
    )  # fmt: skip
    assert army.type._traits == ()


def test_properties_and_names(army):
    properties = properties_of(army)
    assert properties["Side"] == "Allied"
    assert properties["Step_Level"] == "1"
    assert properties["Step_Image"] == "a.png"
    assert properties["BasicName"] == "1st Army"
    assert properties["PieceName"] == full_name(army) == "1st Army (reduced)"
    assert properties["Old"] == "3"
    labelled = army.with_trait(t.Labeler(name_format=FormattedText("$pieceName$: $label$")), "x;y")
    assert full_name(labelled) == "1st Army (reduced): x;y"
    assert full_name(army.with_state(1, t.LayerState(level=-1))) == "1st Army"


FOLLOWED = t.Layer(
    images=("a.png", "b.png", "c.png"),
    level_names=("", "+ (reduced)", "Wreck"),
    name="Steps",
    follow_property=True,
)


@pytest.mark.parametrize(
    ("asked", "state", "name"),
    [
        ("Step", 1, "Truck (reduced)"),
        ("{Step}", 1, "Truck (reduced)"),
        ("{If(Step > 1, 3, 1)}", 1, "Wreck"),
        ("{Step - 9}", 2, "Truck"),  # the engine never goes below the first level
        ("{Step + 9}", 1, "Wreck"),  # nor past the last
        ("Empty", 3, "Truck"),
        ("Side", 3, "Wreck"),  # no number: what the game last showed
        ("Nowhere", 2, "Truck (reduced)"),
        ("Step", -1, "Truck"),  # switched off
    ],
)
def test_a_layer_that_follows_a_property_names_the_level_that_it_gives(asked, state, name):
    around = {"Step": "2", "Empty": "", "Side": "Red"}.get
    truck = Piece.of([t.BasicPiece(name="Truck")]).with_trait(
        replace(FOLLOWED, property_name=asked), t.LayerState(level=state)
    )
    assert full_name(truck, around) == name


def test_a_label_that_says_nothing_still_counts_as_one():
    truck = Piece.of([t.BasicPiece(name="Truck")]).with_trait(
        t.TranslatableMessage(key="Said", message="here")
    )
    named = t.Labeler(name_format=FormattedText("$pieceName$ ($label$)"))
    assert full_name(truck.with_trait(named, "$Said$")) == "Truck (here)"
    assert full_name(truck.with_trait(named, "$Load$"), {"Load": ""}.get) == "Truck ()"
    assert full_name(truck.with_trait(named, "$Load$")) == "Truck"
    assert full_name(truck.with_trait(named, "")) == "Truck"


def test_pieces_of_one_type_share_it():
    assert Piece.parse(TYPE, STATE).type is Piece.parse(TYPE, "\t\\\tnull;0;0").type


def test_changed_copies(army):
    flipped = army.with_state(1, t.LayerState(level=2))
    assert flipped.state_text == STATE.replace("\t1", "\t2")
    assert army.state_text == STATE
    renamed = army.replace_trait(2, replace(army.basic, name="2nd Army"))
    assert renamed.type.text == TYPE.replace("1st", "2nd")
    more = army.insert(1, t.Comment(text="a\tb;c"))
    assert more.remove(1) == army
    assert [type(trait) for trait in more.traits][1] is t.Comment
    assert more.encode() == (more.type.text, more.state_text)
    assert army.insert(99, t.Comment()).basic == army.basic
    assert army.first(t.Layer).index == 1
    assert army.first(t.Mask) is None
    with pytest.raises(VassalFormatError, match="innermost"):
        army.remove(2)
    with pytest.raises(VassalFormatError, match="backslash"):
        army.with_state(0, "x\\")


def test_stacks_and_decks():
    stack = Piece.parse("stack", "Main;3;4;11;12;@@0", "9")
    assert stack.is_stack
    assert (stack.members, stack.map, stack.x, stack.name) == (("11", "12"), "Main", 3, "")
    deck = Piece.of([t.Deck(name="Draw")], [t.DeckState(map="M", pieces=("5",))])
    assert deck.is_deck
    assert (deck.name, deck.members) == ("Draw", ("5",))


def test_an_add_command_is_read_and_written():
    text = r"+/null/piece;;;a\/b.png;A\/B/null;0;0;12"
    piece = parse_add(text)
    assert (piece.name, piece.gpid) == ("A/B", "12")
    assert format_add(piece) == text
    for bad in ("", "+/", "+/1/piece;", "-/1", "+/a/b/c/d"):
        with pytest.raises(VassalFormatError):
            parse_add(bad)


def test_a_missing_state_is_a_problem_and_nothing_is_lost():
    piece = Piece.parse(TYPE, "Allied")
    assert piece.problem == "there is no state for 2 of the 3 traits"
    assert len(piece.states) == len(piece.traits) == 3
    assert piece.encode() == (TYPE, "Allied")
    with pytest.raises(VassalFormatError, match="cannot be changed"):
        piece.with_state(0, "x")


def test_a_piece_with_surplus_levels_is_kept_raw():
    piece = Piece.parse("mark;a\tmark;b\\\tpiece;;;;x\\\tpiece;;;;y", "v\tnull;0;0")
    assert "more than two parts" in piece.problem
    assert isinstance(piece.traits[0], t.RawTrait)
    assert piece.encode() == (piece.type.text, piece.state_text)


def test_the_representation_shows_no_state():
    hidden = Piece.of([t.Hideable(), t.BasicPiece(name="Spy")], [t.HiddenState(owner="s3cret")])
    assert "s3cret" not in repr(hidden)


@settings(max_examples=60)
@given(st.data())
def test_random_pieces_survive(data):
    classes = data.draw(st.lists(st.sampled_from(traits()), max_size=6))
    chain = [data.draw(records(cls)) for cls in classes]
    states = [data.draw(records(cls.state_type)) for cls in classes]
    try:
        piece = Piece.of([*chain, t.BasicPiece(name="x")], [*states, t.PieceState()])
    except VassalFormatError as why:
        assert "backslash" in why.message  # noqa: PT017
        return
    again = parse_add(format_add(piece))
    assert again.traits == piece.traits == (*chain, t.BasicPiece(name="x"))
    assert again.states == (*states, t.PieceState())
    assert again.encode() == (piece.type.text, piece.state_text)


@given(ANY_TEXT.map(lambda x: x * 2), ANY_TEXT.map(lambda x: x * 2))
def test_any_texts_make_a_piece_that_is_written_as_it_was(type_text, state):
    piece = Piece.parse(type_text, state)
    assert len(piece.traits) == len(piece.states)
    _ = (piece.name, piece.map, piece.x, piece.gpid, piece.members, repr(piece))
    properties_of(piece)
    if piece.problem is not None:
        assert piece.encode() == (type_text, state)


@given(ANY_TEXT)
def test_no_other_error_escapes(text):
    try:
        piece = parse_add("+/" + text)
    except VassalFormatError:
        return
    assert piece.problem is None or piece.encode() == (piece.type.text, piece.state_text)


@pytest.mark.parametrize("text", ["\t", "\\\t", "'\t", "\\"])
def test_a_hostile_piece_takes_linear_time(text):
    def parse(size: int) -> None:
        hostile = text * size + "\t'"
        _ = Piece.parse(hostile, hostile).states

    assert growth(parse, 4_000) < LINEAR


def test_markers_inside_markers():
    inner = Piece.of([t.PlaceMarker(marker="Tray/Slot:x"), t.BasicPiece(image="in.png")])
    outer = Piece.of(
        [with_marker(t.Replace(command="Flip"), inner), t.BasicPiece(name="out")],
    )
    assert [(depth, p.basic) for depth, p in walk(outer)] == [
        (0, t.BasicPiece(name="out")),
        (1, t.BasicPiece(image="in.png")),
    ]
    found = outer.first(t.PlaceMarker)
    assert marker_piece(found.trait) == inner
    assert marker_path(found.trait) is None
    assert marker_path(inner.first(t.PlaceMarker).trait) == "Tray/Slot:x"
    assert marker_piece(t.PlaceMarker(marker="+/broken")) is None
    assert parse_add(format_add(outer)) == outer
