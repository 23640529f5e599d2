"""Actions as one line: written, read again, and refused with the place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexmarshal.errors import RulesError
from hexmarshal.rules.action import ActionTable, ActionType
from hexmarshal.rules.notation import AmbiguousActionError, read_action, write_action
from hexmarshal.rules.params import Param, ParamType
from hexmarshal.rules.values import FieldError

TABLE = ActionTable(
    (
        ActionType(
            "move",
            "move",
            params=(
                Param("units", ParamType.UNITS, ""),
                Param("path", ParamType.PATH, ""),
                Param("cost", ParamType.INT, "", required=False),
                Param("careful", ParamType.BOOL, "", required=False),
                Param("word", ParamType.TEXT, "", required=False),
                Param("notes", ParamType.VALUE, "", required=False),
            ),
        ),
        ActionType("mortar", "mortar"),
        ActionType("end_phase", "end of phase"),
    )
)
words = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
names = words.filter(bool)
values = st.recursive(
    st.booleans() | st.integers(-99, 99) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)


@given(
    units=st.lists(names, max_size=3),
    path=st.lists(names, max_size=4),
    rest=st.fixed_dictionaries(
        {},
        optional={
            "cost": st.integers(-9, 9),
            "careful": st.booleans(),
            "word": words,
            "notes": values,
        },
    ),
)
def test_a_line_gives_back_its_action(units, path, rest):
    action = TABLE.make("move", "axis", units=units, path=path, **rest)
    assert read_action(TABLE, write_action(TABLE, action)) == action


def test_a_line_reads_as_people_write_it():
    action = TABLE.make("move", "axis", units=["pz-14"], path=["1419", "1420"])
    assert write_action(TABLE, action) == "axis: move units=pz-14 path=1419,1420"
    assert read_action(TABLE, "mov units=pz-14 path=1419,1420", side="axis") == action
    assert read_action(TABLE, " axis :  end ") == TABLE.make("end_phase", "axis")
    none = TABLE.make("move", "axis", units=[], path=[])
    assert read_action(TABLE, "axis: move units= path=-") == none


def test_what_could_be_several_actions_is_told_apart_from_what_is_none():
    with pytest.raises(AmbiguousActionError, match="'mo' could be move or mortar"):
        read_action(TABLE, "axis: mo units=a path=b")
    with pytest.raises(RulesError, match="advance") as wrong:
        read_action(TABLE, "axis: advance")
    assert not isinstance(wrong.value, AmbiguousActionError)


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ("move units=a path=b", "side"),
        ("axis: move units", "action"),
        ("axis: move units=a path=b speed=3", "speed"),
        ("axis: move units=a path=b cost=much", "cost"),
    ],
)
def test_what_is_wrong_with_a_line_is_named(line, field):
    with pytest.raises(RulesError) as wrong:
        read_action(TABLE, line)
    assert wrong.value.place.field == field


@pytest.mark.parametrize(
    ("kind", "within", "outside"),
    [
        (ParamType.INT, (2, 3, 4), (1, 5)),
        (ParamType.NUMBER, (2, "5/2", 4), ("3/2", "9/2")),
        (ParamType.UNITS, (["a", "b"], ["a", "b", "c", "d"]), (["a"], ["a", "b", "c", "d", "e"])),
        (ParamType.MAP, ({"a": 1, "b": 2},), ({"a": 1}, dict.fromkeys("abcde", 1))),
    ],
)
def test_bounds_of_numbers_and_lengths_are_within(kind, within, outside):
    param = Param("n", kind, "", minimum=2, maximum=4)
    for value in within:
        param.decode(value)
    for value in outside:
        with pytest.raises(FieldError, match=r"below|above|at least|at most"):
            param.decode(value)
