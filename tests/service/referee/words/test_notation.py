"""Announcements: what is written is read as the same action, and mistyping is explained."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from coh_table import PLUGIN as HEROES
from hypothesis import given
from hypothesis import strategies as st
from kharkov_table import PLUGIN as KHARKOV

from hexmarshal.errors import RulesError
from hexmarshal.referee.chat.announcements import read_call, write_call
from hexmarshal.rules import engine
from hexmarshal.rules.action import Action, ActionTable, ActionType, Param, ParamType
from hexmarshal.rules.playing.selfplay import play_game
from hexmarshal.rules.values import thaw

EVERYTHING = ActionType(
    "do-all",
    "Do it all",
    tuple(
        Param(f"a_{kind.name.lower()}{suffix}", kind, "", required=required, choices=choices)
        for kind, choices in (
            *((kind, ()) for kind in ParamType if kind is not ParamType.CHOICE),
            (ParamType.CHOICE, ("left", "right")),
        )
        for required, suffix in ((True, ""), (False, "_too"))
    ),
)
TABLE = ActionTable([EVERYTHING])

WORDS = st.text(min_size=1, max_size=8)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)


def values(param: Param) -> st.SearchStrategy[Any]:
    match param.type:
        case ParamType.UNITS | ParamType.CELLS | ParamType.PATH | ParamType.CARDS:
            return st.lists(WORDS, min_size=1, max_size=4)
        case ParamType.NUMBER:
            return st.integers(-99, 99) | st.fractions(-9, 9, max_denominator=9).map(str)
        case ParamType.INT:
            return st.integers(-(2**40), 2**40)
        case ParamType.FACING:
            return st.integers(0, 5)
        case ParamType.BOOL:
            return st.booleans()
        case ParamType.CHOICE:
            return st.sampled_from(param.choices)
        case ParamType.VALUE:
            return PLAIN
        case ParamType.LIST:
            return st.lists(PLAIN, max_size=3)
        case ParamType.MAP | ParamType.ACTION:
            return st.dictionaries(WORDS, PLAIN, max_size=3)
        case ParamType.RECORD:
            return st.just({})
        case _:
            return WORDS


@st.composite
def actions(draw: st.DrawFn) -> Action:
    params = {
        param.name: draw(values(param))
        for param in EVERYTHING.params
        if param.required or draw(st.booleans())
    }
    return TABLE.make("do-all", draw(st.sampled_from(["red", "dark blue"])), **params)


@given(actions(), st.booleans())
def test_what_is_written_is_read_as_the_same_action(action: Action, with_side: bool) -> None:
    line = write_call(action, TABLE, with_side=with_side)
    call = read_call(line, TABLE)
    assert call is not None
    assert call.side == (action.side if with_side else "")
    assert call.action(TABLE, action.side) == action


def test_every_action_of_a_real_game_can_be_announced() -> None:
    record = play_game(KHARKOV, "notation", scenario="training", check_replay=False).record
    table = KHARKOV.game.actions
    kinds = set()
    for event in record.events:
        action = table.decode(thaw(event.action))
        call = read_call(write_call(action, table), table)
        assert call is not None
        assert call.action(table, action.side) == action
        kinds.add(action.kind)
    assert len(kinds) > 5


@given(st.text())
def test_no_line_of_chat_is_too_odd(text: str) -> None:
    for line in (text, f"[do-all]{text}", f"[red: do-all] {text}"):
        with suppress(RulesError):
            read_call(line, TABLE)


@pytest.mark.parametrize("line", ["hello", "[all right]", "(move) a", "[unknown] b1 -> A1", ""])
def test_other_lines_announce_nothing(line: str) -> None:
    assert read_call(line, KHARKOV.game.actions) is None


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("[attack] rif-01", "behind [attack] goes attackers -> targets"),
        ("[attack] rif-01 -> 0304 -> 0305", "behind [attack] goes attackers -> targets"),
        ("[attack] rif-01 -> 0304 planes=2", "[attack] has no planes"),
        ('[attack] "rif-01 -> 0304', "cannot be read"),
        ("[end_phase] now", "behind [end_phase] goes nothing"),
    ],
)
def test_a_mistyped_announcement_is_explained(line: str, words: str) -> None:
    with pytest.raises(RulesError) as caught:
        read_call(line, KHARKOV.game.actions)
    assert words in caught.value.message
    assert "docs/referee/referee.md" in caught.value.hint


def test_a_list_takes_spaces_or_commas_by_name() -> None:
    table = KHARKOV.game.actions
    one = read_call("[attack] rif-01 rif-02 -> 0304", table)
    assert read_call("[attack] rif-01,rif-02,->0304,", table) == one
    two = read_call("  [attack]  attackers=rif-01,rif-02 targets=0304", table)
    assert one is not None
    assert two is not None
    assert one.action(table, "soviet") == two.action(table, "soviet")


def test_an_announcement_is_no_way_around_the_declaration() -> None:
    start = engine.start(KHARKOV, "training")
    call = read_call("[move] rif-01 -> 0312", KHARKOV.game.actions)
    assert call is not None
    assert engine.check(KHARKOV, start, call.action(KHARKOV.game.actions, "soviet")).legal
    with pytest.raises(RulesError):
        call.action(KHARKOV.game.actions, "")


@pytest.mark.parametrize(
    "line",
    [
        "[attack] grd-1 rif-03 -> 0615 (air=yes)",
        "[attack] grd-1, rif-03 -> 0615, air=yes",
        "[attack] grd-1 and rif-03 -> 0615 (2-1, with a die roll) air=yes",
        "[attack] grd-1 + rif-03 -> 0615 (air=yes, 2-1)",
    ],
)
def test_remarks_in_brackets_and_commas_do_no_harm(line: str) -> None:
    call = read_call(line, KHARKOV.game.actions)
    assert call is not None
    assert call.params == {"attackers": ["grd-1", "rif-03"], "targets": ["0615"], "air": True}


@pytest.mark.parametrize(("word", "air"), [("planes", True), ("1", True), ("none", False)])
def test_what_is_named_by_what_it_is_counts_as_yes(word: str, air: bool) -> None:
    call = read_call(f"[attack] grd-1 -> 0615 air={word}", KHARKOV.game.actions)
    assert call is not None
    assert call.params["air"] is air


def test_a_weapon_card_is_named_by_what_it_is() -> None:
    call = read_call("[fire] s1 -> 1-E10 weapon=molotov", HEROES.game.actions)
    assert call is not None
    assert call.action(HEROES.game.actions, "soviet").flag("weapon")


def test_what_is_no_word_for_it_is_not_guessed() -> None:
    call = read_call("[attack] grd-1 -> 0615 air=fresh", KHARKOV.game.actions)
    assert call is not None
    with pytest.raises(RulesError):
        call.action(KHARKOV.game.actions, "soviet")
