"""Expressions worked out: the common forms, Java's arithmetic, and no guess at the rest."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexmarshal.vassal.values.evaluation import evaluate, filled

KNOWN = {"Strength": "4", "Side": "Red", "Moved": "true", "Empty": "", "Level": "-7", "Half": "1.5"}


def value(text: str) -> str | None:
    return evaluate(text, KNOWN.get)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a" + "b"}', "ab"),
        ("{Strength + 1}", "5"),
        ('{Strength + "" + 1}', "41"),
        ('{Side == "Red"}', "true"),
        ('{Side != "Red"}', "false"),
        ('{Side == "Red" ? Strength : 0}', "4"),
        ('{Side == "Blue" ? Elsewhere : "x"}', "x"),
        ('{Elsewhere == 1 ? "a" : "b"}', None),
        ('{Side == "Red" ? Strength > 3 ? "big" : "small" : "other"}', "big"),
        ('{Side == "Blue" ? Elsewhere ? 1 : 2 : 3}', "3"),
        ('{GetProperty("Strength") * 2}', "8"),
        ('{GetProperty("Si" + "de")}', "Red"),
        ('{GetString("Strength") + 1}', "41"),
        ('{If(Moved, "moved", "still")}', "moved"),
        ('{"$Side$ side"}', "$Side$ side"),  # the engine takes it for a text
        ("{$Strength$ + 1}", "5"),
        ("{!Moved || Strength >= 4}", "true"),
        ("{Elsewhere && 1 > 2}", "false"),
        ("{1 < 2 || Elsewhere > 3}", "true"),
        ("{Elsewhere || 1 > 2}", None),
        ("{Level / 2}", "-3"),
        ("{Level % 2}", "-1"),
        ("{-(Level)}", "7"),
        ("{(1 + 2) * 3}", "9"),
        ('{Side.contains("e") && Side.startsWith("R")}', "true"),
        ("{Side.length()}", "3"),
        ('{Empty == ""}', "true"),
        (r'{"a\"b"}', 'a"b'),
        ("{}", ""),
        ("Strength + 1", "5"),
        # What it does not know.
        ("{Elsewhere}", None),
        ("{Half + 1}", None),
        ('{Strength == "4"}', None),
        ("{Strength / 0}", None),
        ("{2147483647 + 1}", None),
        ('{SumStack("Strength")}', None),
        ("{Side.hashCode()}", None),
        ("{1 2}", None),
        ("{(1}", None),
        ("{1 +}", None),
        ("{1.5}", None),
        ("{x = 3}", None),
    ],
)
def test_common_forms_are_worked_out_and_others_are_unknown(text: str, expected: str | None):
    assert value(text) == expected


@given(st.text(alphabet="ab12{}()\"'=!&|?:+-*/%<>,. $", max_size=40))
def test_any_text_is_a_text_or_unknown(text: str):
    found = evaluate(text, {"a": "1", "b": "x"}.get)
    assert found is None or isinstance(found, str)


@given(st.integers(-1000, 1000), st.integers(-1000, 1000).filter(bool))
def test_division_is_javas(a: int, b: int):
    whole, rest = value(f"{{({a}) / ({b})}}"), value(f"{{({a}) % ({b})}}")
    assert whole is not None
    assert rest is not None
    assert int(whole) * b + int(rest) == a
    assert abs(int(rest)) < abs(b)


def test_a_deep_expression_is_unknown_and_no_fault():
    assert value("(" * 5000 + "1" + ")" * 5000) is None
    assert value("!" * 5000 + "true") is None
    assert value("true ? " * 5000 + "1" + " : 2" * 5000) is None
    assert value("((((((((1))))))))") == "1"


def test_a_formatted_text_is_filled_if_all_of_it_is_known():
    assert filled("$Side$: $Strength$", KNOWN.get) == "Red: 4"
    assert filled("$Side$: $Elsewhere$", KNOWN.get) is None
    assert filled("{Side}", KNOWN.get) == "Red"
    assert filled("plain", KNOWN.get) == "plain"
