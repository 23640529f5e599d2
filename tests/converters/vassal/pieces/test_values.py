"""The small languages of fields: exact texts with a meaning, and what is wrong with bad ones."""

from __future__ import annotations

import pytest
from growth import LINEAR, growth
from hypothesis import given
from hypothesis import strategies as st

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal.values import (
    Colour,
    Constraints,
    Expression,
    FormattedText,
    GlobalCommandTarget,
    KeyStroke,
    KeyStrokes,
    MaskStyle,
    Parameters,
    PieceAccess,
    Polygon,
    PropertyChange,
    PropertyCommand,
    PropertyCommands,
    SheetFields,
    beanshell,
)

VALUES = [
    Colour, Constraints, Expression, FormattedText, GlobalCommandTarget, KeyStroke, KeyStrokes,
    MaskStyle, Parameters, PieceAccess, Polygon, PropertyCommands, SheetFields,
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "human"),
    [
        ("", ""),
        ("70,195", "Ctrl+Shift+F"),
        ("70,2", "Ctrl+F"),
        ("70,128", "Ctrl+F"),
        ("F", "Ctrl+F"),
        ("65,520", "Alt+A"),
        ("67,260", "Meta+C"),
        ("127,0", "Delete"),
        ("112,715", "Ctrl+Alt+Shift+F1"),
        ("37,0", "Left"),
        ("57390,0,PlayAsEvent", "[PlayAsEvent]"),
        ("9999,0", "#9999"),
    ],
)
def test_keys_in_the_form_that_people_write(text, human):
    assert KeyStroke(text).human() == human


@pytest.mark.parametrize("human", ["Ctrl+Shift+F", "F5", "Alt+Left", "[Go on]", "", "Ctrl++"])
def test_keys_from_the_form_that_people_write(human):
    again = KeyStroke.from_human(human).human()
    assert again == human.replace("++", "+Plus")


def test_keys_that_people_cannot_mean():
    for wrong in ("Strg+F", "Ctrl+Foo", "Ctrl+"):
        with pytest.raises(VassalFormatError):
            KeyStroke.from_human(wrong)
    with pytest.raises(VassalFormatError):
        KeyStroke.named("a,b")


def test_the_same_key_in_old_and_new_masks():
    assert KeyStroke("70,2").same_as(KeyStroke("70,130"))
    assert KeyStroke("57344,0,Go").same_as(KeyStroke("60000,0,Go"))
    assert not KeyStroke("70,2").same_as(KeyStroke("70,65"))


def test_bad_keys_are_told():
    assert KeyStroke("70,130").problem() is None
    assert "not a number" in KeyStroke("x,130").problem()
    assert "not a number" in KeyStroke("70,?").problem()
    assert "name is missing" in KeyStroke("57344,0").problem()
    assert "bit" in KeyStroke("70,1048576").problem()
    assert KeyStrokes("x\\,1,70\\,130").problem()


def test_lists_of_keys():
    keys = KeyStrokes(r"57390\,0\,PlayAsEvent,70\,130")
    assert keys.human() == "[PlayAsEvent], Ctrl+F"
    assert KeyStrokes.of(*keys.keys, KeyStroke("")) == keys
    assert KeyStrokes("AB").human() == "Ctrl+A, Ctrl+B"


def test_colours():
    assert Colour("1,2,3").rgba == (1, 2, 3, 255)
    assert Colour("1,2,3,4").rgba == (1, 2, 3, 4)
    assert Colour("0xff8000").rgba == (255, 128, 0, 255)
    assert Colour("").rgba is None
    assert Colour.rgb(1, 2, 3, 9).text == "1,2,3,9"
    assert Colour("red").problem()
    assert Colour("1,2,300").problem()


def test_formatted_text():
    text = FormattedText(r"$pieceName$ costs \$5 in $location$")
    assert text.properties == ("pieceName", "location")
    assert text.fill({"pieceName": "Tank"}) == "Tank costs $5 in location"
    assert text.problem() is None
    assert FormattedText("50$ each").problem()
    assert FormattedText('{"a" + Name}').properties == ("Name",)


def test_the_match_language():
    expression = Expression("Type = Inf && Level >= $min$ || Name =~ a.*b")
    assert expression.properties == ("Type", "Level", "min", "Name")
    assert [len(terms) for terms in expression.alternatives] == [2, 1]
    assert expression.problem() is None
    assert Expression("").problem() is None
    assert "compares nothing" in Expression("Type").problem()
    assert "no property" in Expression("= 3").problem()
    assert "not a pattern" in Expression("a =~ (x").problem()
    assert Expression(r"a =~ \p{L}+").problem() is None


@pytest.mark.parametrize(
    "good",
    [
        "{}",
        '{Type == "Inf" && (Level > 2 || !Active)}',
        '{GetProperty("My Prop") == "x"}',
        "{x > 0 ? -1 : y[2].length()}",
        '{If(a, "b", c.contains("d")) + 1.5e3}',
        '{$prop$ == 3 && "it\'s \\" quoted" != name}',
        "{(int) x + 1}",
        "{a @and b}",
        "{/* note */ 1}",
    ],
)
def test_good_beanshell(good):
    assert Expression(good).problem() is None


@pytest.mark.parametrize(
    "bad",
    [
        "{(a}", "{a)}", '{"a}', "{a b}", "{a ==}", "{(a &&)}", "{== a}", "{a # b}",
        "{[a}", "{a == 'x}",         '{Name "x"}', "{Foo(]}",
    ],
)  # fmt: skip
def test_bad_beanshell(bad):
    assert Expression(bad).problem()


def test_names_that_an_expression_reads():
    text = '{a.length() > b_2 && GetProperty("c d") == true && Sum(e) && f("g") > $h$}'
    assert beanshell.references(text) == ("b_2", "c d", "e", "h")


def test_targets_and_access():
    target = GlobalCommandTarget("MODULE|false|MAP|||||0|0||false|||EQUALS||")
    assert (target.type, target.by_location, target.target) == ("MODULE", False, "MAP")
    assert target.place == {"x": "0", "y": "0"}
    assert target.problem() is None
    assert GlobalCommandTarget("X|").problem()
    assert PieceAccess("sides:Red:Blue").sides == ("Red", "Blue")
    assert PieceAccess("").kind == "player"
    assert PieceAccess("nobody").problem()


def test_property_commands():
    commands = PropertyCommands(r"Reset:82\,715:P\,0,Ask:A:R\,How many?,Pick::E\,Which?\,a\\,b")
    reset, ask, pick = commands.commands
    assert (reset.menu, reset.key.human()) == ("Reset", "Ctrl+Alt+Shift+R")
    assert ask.change == PropertyChange("R", "How many?")
    assert pick.change == PropertyChange("E", "Which?", ("a", "b"))
    assert PropertyCommands.of(reset, ask, pick) == commands
    one = PropertyCommand("Up", KeyStroke("38,130"), PropertyChange("I", "1"))
    assert PropertyCommands.of(one).commands == (one,)


def test_constraints_parameters_polygons():
    assert Constraints("true,1,6,true").limits == ("1", "6")
    assert Constraints("true,1,6,true").wraps
    assert Constraints("").limits == ("0", "100")
    values = {"a:b": "c,d", "e": ""}
    assert dict(Parameters.of(values).pairs) == values
    assert Polygon("1,2;3,4").points == ((1, 2), (3, 4))
    assert Polygon("1,2;x").problem()
    assert Polygon.of([(1, 2)]).text == "1,2"


@given(st.text(alphabet="\\',;:|~$(){}[]\"=!<>&abAB01 -+.*/@#", max_size=30))
def test_no_text_is_refused_and_none_is_changed(text):
    for cls in VALUES:
        value = cls(text)
        assert str(value) == value.text == text
        value.problem()
        for name in dir(cls):
            if isinstance(getattr(cls, name), property):
                getattr(value, name)
    assert KeyStroke(text).human() is not None
    FormattedText(text).fill({})
    Expression("{" + text + "}").problem()
    _ = Expression("{" + text + "}").properties


@pytest.mark.parametrize("text", ["/*", '"', "$", "(", "a.b"])
def test_hostile_expressions_take_linear_time(text):
    def read(size: int) -> None:
        hostile = text * size + '"'
        Expression("{" + hostile + "}").problem()
        _ = Expression("{" + hostile + "}").properties
        FormattedText(hostile).problem()

    assert growth(read, 1_000) < LINEAR
