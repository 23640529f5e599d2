"""Every declared trait and state: read, written, changed, without losing a character."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from trait_strategies import ANY_TEXT, records, states, texts, traits

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal import traits as t
from hexmarshal.vassal.traits import base, decode_trait, stock_forms
from hexmarshal.vassal.traits.kinds import java_text
from hexmarshal.vassal.values import KeyStroke

ALL = [*traits(), *states()]
NAMES = [cls.__name__ for cls in ALL]
FEW = settings(max_examples=max(10, settings().max_examples // 5))


@pytest.mark.parametrize("cls", ALL, ids=NAMES)
@FEW
@given(data=st.data())
def test_a_record_survives_being_written_and_read(cls, data):
    record = data.draw(records(cls))
    again = cls.decode(record.encode())
    assert again == record
    assert again.encode() == record.encode()


@pytest.mark.parametrize("cls", ALL, ids=NAMES)
@FEW
@given(data=st.data())
def test_a_text_of_any_number_of_fields_is_written_as_it_was_read(cls, data):
    text = data.draw(texts(cls))
    assert cls.decode(text).encode() == text


@cache
def whole_texts(cls):
    return texts(cls).filter(lambda text: not text.endswith("\\"))


@pytest.mark.parametrize("cls", [cls for cls in ALL if cls.layout.fields])
@FEW
@given(data=st.data())
def test_a_changed_field_leaves_the_others_as_they_stood(cls, data):
    before = cls.decode(data.draw(whole_texts(cls)))
    other = data.draw(records(cls))
    name = data.draw(st.sampled_from([spec.name for spec in cls.layout.fields]))
    changed = replace(before, **{name: getattr(other, name)})
    again = cls.decode(changed.encode())
    index = [spec.name for spec in cls.layout.fields].index(name)
    if all(len(spec.code) < 5 for spec in cls.layout.fields[: index + 1]) and not cls.layout.raw:
        assert getattr(again, name) == getattr(other, name)
        kept = cls.layout.parts(before.source)[:index]
        assert cls.layout.parts(changed.encode())[: len(kept)] == kept


@given(ANY_TEXT)
def test_no_text_is_refused(text):
    for prefix in [*stock_forms(), ""]:
        assert decode_trait(prefix + text).encode() == prefix + text


def test_every_prefix_of_the_format_is_declared():
    known = """immob emb2 emb hide obs label table propertysheet rotate pivot nonRect2 nonRect mark
        locmsg restrict placemark replace report markmoved footprint return sendto prototype clone
        delete submenu menuSeparator translate AreaOfEffect globalkey macro PROP calcProp setprop
        setpieceprop hideCmd playSound button globalhotkey deselect mat matPiece basicName border
        attach locCommand cmt piece deck"""
    assert {f"{name};" for name in known.split()} | {"stack"} == set(stock_forms())


@pytest.mark.parametrize(
    ("prefix", "count"),
    [
        ("emb2;", 33), ("obs;", 11), ("label;", 18), ("footprint;", 17), ("sendto;", 18),
        ("placemark;", 15), ("macro;", 17), ("attach;", 21), ("setpieceprop;", 12),
        ("AreaOfEffect;", 16), ("globalkey;", 14), ("deck;", 49), ("locCommand;", 9),
        ("translate;", 10), ("markmoved;", 11), ("pivot;", 10), ("piece;", 4),
    ],
)  # fmt: skip
def test_a_new_trait_has_the_full_number_of_fields(prefix, count):
    cls = stock_forms()[prefix][None]
    assert len(cls.layout.parts(cls().encode())) == count
    assert max(cls.counts, default=count) == count


def test_rotation_is_told_apart_by_its_number_of_facings():
    free = decode_trait("rotate;1;82,130;Rotate")
    fixed = decode_trait("rotate;6;93,130;91,130;CW;CCW")
    assert isinstance(free, t.RotateFree)
    assert isinstance(fixed, t.RotateFixed)
    assert free.set_command == "Rotate"
    assert fixed.counter_clockwise_command == "CCW"
    assert free.decode_state("12.5") == t.AngleState(angle=12.5)
    assert fixed.decode_state("3") == t.FacingState(facing=3)


def test_quirks_keep_their_form():
    outline = decode_trait("nonRect2;1.0;m,0,0;l,5\\;5")
    assert isinstance(outline, t.NonRectangular)
    assert outline.shape == "m,0,0;l,5\\;5"
    immob = decode_trait("immob;gZ;I;L;a\\")
    assert isinstance(immob, t.Immobilized)
    assert (immob.selection, immob.stacking, immob.description) == ("gZ", "L", "a\\")
    mark = decode_trait("mark;Side,Type\\,x")
    assert isinstance(mark, t.Marker)
    assert mark.names == ("Side", "Type,x")
    assert mark.decode_state("Allied,Inf") == t.MarkerState(values=("Allied", "Inf"))
    button = decode_trait("button;65,130;0;0;0;0;d;false;false;1;2;1;2;3;4")
    assert isinstance(button, t.ActionButton)
    assert button.points == ((1, 2), (3, 4))
    label = t.Labeler().decode_state("a;b, c/d")
    assert label == t.LabelState(text="a;b, c/d")
    mask = decode_trait("obs;70,130;back.png;Hide;Gface.png")
    assert isinstance(mask, t.Mask)
    assert (mask.style.kind, mask.style.image) == ("image", "face.png")


def test_stack_and_deck_states():
    stack = t.Stack().decode_state("Main;3;4;11;12;@@-1")
    assert stack == t.StackState(map="Main", x=3, y=4, pieces=("11", "12"), layer=-1)
    assert t.Stack().decode_state("Main;3;4;11").encode() == "Main;3;4;11"
    empty = t.Deck().decode_state("null;0;0;true")
    assert empty == t.DeckState(face_down=True)
    assert t.DeckState(map="M", pieces=("1", "2")).encode() == "M;0;0;false;1,2"
    assert t.DeckState(map="M").encode() == "M;0;0;false"


def test_a_short_trait_grows_only_as_far_as_the_change_reaches():
    clone = decode_trait("clone;Copy;67,2")
    assert isinstance(clone, t.Clone)
    assert replace(clone, command="C").encode() == "clone;C;67,2"
    assert replace(clone, description="d").encode() == "clone;Copy;67,2;d"
    old = decode_trait("hide;")
    assert isinstance(old, t.Hideable)
    assert replace(old, transparency=0.5).encode() == "hide;;;;player:;0.5"


def test_odd_values_are_kept_and_reported():
    text = "emb2;A;x;A;;128;;;128;;;;1;yes;1_0"
    layer = decode_trait(text)
    assert isinstance(layer, t.Layer)
    assert (layer.activate_modifiers, layer.underneath_when_selected, layer.x_offset) == (
        128,
        False,
        0,
    )
    assert {name for name, _ in layer.problems()} == {
        "activate_modifiers", "underneath_when_selected", "x_offset",
    }  # fmt: skip
    assert replace(layer, name="Step").encode().startswith(text)


def test_a_field_that_the_format_cannot_hold_is_refused():
    with pytest.raises(VassalFormatError, match="backslash"):
        t.Clone(command="x\\").encode()
    with pytest.raises(VassalFormatError, match="backslash"):
        replace(t.Clone.decode("clone;x\\"), description="d").encode()
    assert t.Comment(text="x\\").encode() == "cmt;x\\"


def test_a_bad_key_is_reported_with_its_field():
    clone = t.Clone(key=KeyStroke("x,130"))
    assert [name for name, _ in clone.problems()] == ["key"]


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (64.0, "64.0"), (0.3, "0.3"), (1e-5, "1.0E-5"),
        (0.30000001192092896, "0.30000001192092896"),
        (1e7, "1.0E7"), (-12345678.5, "-1.23456785E7"), (0.001, "0.001"), (1.5e300, "1.5E300"),
        (float("inf"), "Infinity"), (-0.0, "-0.0"), (1e21, "1.0E21"), (123456789.0, "1.23456789E8"),
    ],
)  # fmt: skip
def test_decimals_are_written_as_java_writes_them(number, text):
    assert java_text(number) == text


def test_fields_are_read_when_asked_for_and_unknown_names_are_refused():
    read = decode_trait("mark;Side,Nation lazily")
    filled = t.Marker(names=("Side", "Nation lazily"))
    assert read == filled
    assert hash(read) == hash(filled)
    assert read.names == filled.names
    with pytest.raises(AttributeError, match="Marker has no field level"):
        _ = read.level


def test_equal_texts_are_one_object_and_a_full_memory_forgets(monkeypatch):
    monkeypatch.setattr(base, "_TRAITS", 3)
    monkeypatch.setattr(base, "_STATES", 3)
    texts = [f"report;{number},130;said" for number in range(5)]
    for read in (decode_trait, t.FacingState.read):
        before = read(texts[0])
        assert read(texts[0]) is before
        assert [read(text).source for text in texts] == texts
        assert read(texts[0]) is not before
        assert len(read.__self__) <= 3
