"""Pending decisions: a stack of frames from which state and active sides follow."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernel_strategies import frames as any_frames
from tutorial import Crossroads

from hexmarshal.errors import NotFoundError, RulesError
from hexmarshal.rules import engine
from hexmarshal.rules.action import Action, ActionTable, ActionType, Param, ParamType
from hexmarshal.rules.frames import Decider, Frame, FrameTable, FrameType, ItemType, Resume, Silence
from hexmarshal.rules.frames.checking import MAX_AGENDA, MAX_FRAMES
from hexmarshal.rules.frames.frame import settled
from hexmarshal.rules.plugin import Game
from hexmarshal.rules.state import validate
from hexmarshal.rules.state.disclosure import shown
from hexmarshal.rules.state.effect_shapes import effect_from_json, effect_to_json
from hexmarshal.rules.state.effects import (
    ChangeFrame,
    Effect,
    PopFrame,
    Proceed,
    PushFrame,
    apply_effects,
)
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.state.view import view
from hexmarshal.rules.values import FieldError, FrozenMap

BASE = Position("x", sides=("red", "blue"), phase="move", active=("red",))
MOVE = Frame("move", (Decider("red"),), FrozenMap({"unit": "a"}))
FIRE = Frame("fire", (Decider("blue"),))


def test_a_shot_inside_a_step_inside_a_move() -> None:
    """Who may act and what is asked for follow from the top, all the way up and down again."""
    now = PushFrame(MOVE).on(BASE)
    assert (now.state, now.active) == ("move", ("red",))
    shot = PushFrame(FIRE).on(now)
    assert (shot.state, shot.active) == ("fire", ("blue",))
    rally = PushFrame(Frame("morale", (Decider("red"),))).on(shot)
    assert (rally.state, rally.active) == ("morale", ("red",))
    assert [f.kind for f in rally.frames] == ["move", "fire", "morale"]
    assert [f.resume for f in rally.frames] == [Resume("", ("red",)), None, None]
    back = PopFrame("fire").on(PopFrame("morale").on(rally))
    assert back == now
    assert PopFrame("move").on(back) == BASE


def test_what_waits_is_asked_first_in_first_out() -> None:
    now = BASE
    for kind in ("mines", "face", "bid"):
        now = PushFrame(Frame(kind, (Decider("blue"),)), under=len(now.frames)).on(now)
    seen = []
    while (asked := now.asked()) is not None:
        seen.append(asked.kind)
        now = PopFrame(asked.kind).on(now)
    assert seen == ["mines", "face", "bid"]
    assert now == BASE


def test_business_in_progress_asks_nobody() -> None:
    now = PushFrame(Frame("hand", about=FrozenMap({"spent": 3}))).on(BASE)
    assert (now.state, now.active) == ("", ("red",))
    assert now.asked() is None
    again = ChangeFrame("hand", FrozenMap({"spent": 4})).on(now)
    found = again.frame("hand")
    assert found is not None
    assert found.value("spent") == 4


def test_two_sides_decide_at_once() -> None:
    both = PushFrame(Frame("orders", (Decider("red"), Decider("blue")))).on(BASE)
    assert both.active == ("red", "blue")
    one = ChangeFrame("orders", answered=("red",)).on(both)
    assert one.active == ("blue",)
    asked = one.asked()
    assert asked is not None
    assert not asked.asks("red")
    assert asked.asks("blue")


def test_where_play_goes_on_can_change_while_something_is_decided() -> None:
    now = PushFrame(FIRE).on(BASE)
    later = Proceed(turn=2, state="late", active=("blue",)).on(now)
    assert (later.turn, later.state, later.active) == (2, "fire", ("blue",))
    after = PopFrame("fire").on(later)
    assert (after.turn, after.state, after.active) == (2, "late", ("blue",))


def test_one_of_several_of_a_kind_can_change_and_go() -> None:
    now = BASE
    for unit in "abc":
        now = PushFrame(Frame("face", (Decider("blue"),), FrozenMap({"unit": unit}))).on(now)
    now = ChangeFrame("face", FrozenMap({"unit": "B"}), under=1).on(now)
    assert [frame.text("unit") for frame in now.frames] == ["a", "B", "c"]
    now = PopFrame("face", under=2).on(now)
    assert [frame.text("unit") for frame in now.frames] == ["B", "c"]
    assert (now.state, now.frames[0].resume) == ("face", Resume("", ("red",)))
    with pytest.raises(NotFoundError):
        PopFrame("face", under=2).on(now)


@pytest.mark.parametrize("effect", [ChangeFrame("fire"), PopFrame("fire")])
def test_a_frame_that_is_not_open_cannot_change(effect: Effect) -> None:
    with pytest.raises(NotFoundError):
        effect.on(PushFrame(MOVE).on(BASE))


@given(st.lists(any_frames, max_size=4), st.integers(0, 4))
def test_what_is_pushed_and_popped_leaves_no_trace(stack: list[Frame], under: int) -> None:
    before = settled(BASE, tuple(stack))
    frame = Frame("one of its own", (Decider("blue"),))
    assert PopFrame(frame.kind).on(PushFrame(frame, under).on(before)) == before


@given(st.lists(any_frames, min_size=1, max_size=3))
def test_effects_on_frames_survive_json(stack: list[Frame]) -> None:
    for effect in (PushFrame(stack[0], 2), ChangeFrame("x", stack[0].about, stack[0].agenda)):
        assert effect_from_json(effect_to_json(effect)) == effect


def test_a_position_by_hand_need_not_say_what_follows() -> None:
    """Where the lowest frame does not say where play goes on, it goes on as the position says."""
    document = BASE.to_json() | {"frames": [{"kind": "fire", "deciders": [{"side": "blue"}]}]}
    position = Position.from_json(document)
    assert position == PushFrame(FIRE).on(BASE)
    whole = position.to_json()
    assert Position.from_json(whole) == position
    del whole["state"], whole["active"]
    assert Position.from_json(whole) == position


# Who may know of it


def test_a_frame_that_a_side_does_not_see_does_not_hold_it_up() -> None:
    secret = Frame("plot", (Decider("blue"),), seen_by=frozenset({"blue"}))
    now = PushFrame(secret).on(BASE)
    assert (now.state, now.active) == ("plot", ("red", "blue"))
    red, blue = view(now, "red"), view(now, "blue")
    assert replace(red, viewer="") == replace(BASE, generator=None)
    assert (blue.state, blue.active) == ("plot", ("blue",))


def test_what_a_frame_is_about_may_be_hidden_even_from_who_decides() -> None:
    mines = Frame(
        "mines",
        (Decider("blue"),),
        FrozenMap({"marker": "m1"}),
        (FrozenMap({"kind": "go on"}),),
        FrozenMap({"unit": "r7"}),
        known_to=frozenset({"red"}),
    )
    now = PushFrame(mines).on(BASE)
    (shown,) = view(now, "blue").frames
    assert (shown.about, shown.secret, shown.agenda) == (mines.about, FrozenMap(), ())
    (known,) = view(now, "red").frames
    assert (known.text("unit"), known.text("marker")) == ("r7", "m1")
    assert known.agenda == mines.agenda


def test_nobody_learns_who_else_has_answered_a_sealed_frame() -> None:
    sealed = Frame("orders", (Decider("red"), Decider("blue")), sealed=True)
    before = PushFrame(sealed).on(BASE)
    after = ChangeFrame("orders", answered=("red",)).on(before)
    assert view(after, "blue") == view(before, "blue")
    assert view(after, "blue").active == ("red", "blue")
    assert view(after, "red").active == ("blue",)


def test_the_account_tells_of_a_frame_what_its_reader_may_know() -> None:
    sealed = Frame("orders", (Decider("red"), Decider("blue")), sealed=True)
    secret = Frame("plot", (Decider("red"),), seen_by=frozenset({"red"}))
    start = PushFrame(sealed).on(BASE)
    effects = (PushFrame(secret), PopFrame("plot"), ChangeFrame("orders", answered=("red",)))
    after = apply_effects(start, effects)
    plot = Action("plot", "red")
    told = {
        side: shown(plot, effects, (), (), view(start, side), view(after, side)).effects
        for side in ("red", "blue")
    }
    assert told["blue"] == ()
    assert apply_effects(view(start, "red"), told["red"]) == view(after, "red")
    assert view(after, "red").active == ("blue",)


# What a game declares

UNIT = Param("unit", ParamType.UNIT, "who")
WAYS = Param(
    "ways",
    ParamType.LIST,
    "ways of the units",
    required=False,
    maximum=3,
    items=Param("way", ParamType.PATH, "a way"),
)
SPENT = Param(
    "spent",
    ParamType.MAP,
    "points by unit",
    required=False,
    keys=ParamType.UNIT,
    items=Param("points", ParamType.INT, "points", minimum=0),
)
SHOT = Param(
    "shot",
    ParamType.RECORD,
    "a shot",
    required=False,
    fields=(UNIT, Param("cell", ParamType.CELL, "at")),
)
ORDER = Param("order", ParamType.ACTION, "what is done then", required=False)


class Windows(Crossroads):
    """Crossroads with a window after a move, and a token that may be thrown in at any time."""

    @property
    def game(self) -> Game:
        game = super().game
        token = ActionType("token", "Throw in a token", phases=("move",), anytime=True)
        hold = ActionType("hold", "Hold fire", states=("react",))
        return replace(
            game,
            actions=ActionTable([*game.actions.values(), token, hold]),
            frames=FrameTable(
                [
                    FrameType(
                        "react",
                        "Reaction",
                        (UNIT, WAYS, SPENT, SHOT),
                        deciders=("red",),
                        phases=("move",),
                        agenda=(
                            ItemType("step", "A step", (Param("to", ParamType.CELL, "to"),)),
                            ItemType("end", "The end"),
                        ),
                        silence=Silence("hold"),
                    ),
                    FrameType("choose", "A choice"),
                    FrameType("hand", "In hand", (UNIT,), asks=False),
                    FrameType("waiting", "A move that waits", (ORDER,)),
                ]
            ),
            knowledge=(ORDER,),
            extras=(SPENT, Param("south", ParamType.INT, "since", required=False, minimum=0)),
        )


WINDOWS = Windows()
START = engine.start(WINDOWS, seed=1)
WINDOW: dict[str, Any] = {
    "kind": "react",
    "deciders": [{"side": "red"}],
    "about": {"unit": "b1"},
}


def _problems(**changes: object) -> list[tuple[str, str]]:
    position = Position.from_json(START.to_json() | changes)
    return [(v.field, v.text) for v in validate.problems(WINDOWS, position)]


def _with(**changes: object) -> dict[str, Any]:
    return {**WINDOW, **changes}


def test_a_window_is_in_order() -> None:
    assert _problems(frames=[WINDOW]) == []
    full = _with(
        about={
            "unit": "b1",
            "ways": [["A2", "B2"], []],
            "spent": {"b1": 2},
            "shot": {"unit": "r1", "cell": "G2"},
        },
        agenda=[{"kind": "step", "to": "B2"}, {"kind": "end"}],
    )
    assert _problems(frames=[{"kind": "hand", "about": {"unit": "b2"}}, full]) == []


@pytest.mark.parametrize(
    ("frames", "field"),
    [
        ([{"kind": "explode"}], "frames[0].kind"),
        ([WINDOW, {"kind": "explode"}], "frames[1].kind"),
        ([_with(deciders=[])], "frames[0].deciders"),
        ([_with(deciders=[{"side": "green"}])], "frames[0].deciders[0].side"),
        ([_with(deciders=[{"side": "blue"}])], "frames[0].deciders[0].side"),
        ([_with(deciders=[{"side": "red"}] * 2)], "frames[0].deciders[1].side"),
        ([_with(deciders=[{"side": "red", "answered": True}])], "frames[0].deciders"),
        ([_with(known_to=["green"])], "frames[0].known_to[0]"),
        ([_with(seen_by=["green"])], "frames[0].seen_by[0]"),
        ([_with(about={})], "frames[0].about.unit"),
        ([_with(about={"unit": 3})], "frames[0].about.unit"),
        ([_with(about={"unit": "nobody"})], "frames[0].about.unit"),
        ([_with(about={"unit": "b1", "colour": "red"})], "frames[0].about.colour"),
        ([_with(about={"unit": "b1", "ways": ["A2"]})], "frames[0].about.ways[0]"),
        ([_with(about={"unit": "b1", "ways": [["A2", "Z9"]]})], "frames[0].about.ways[0][1]"),
        ([_with(about={"unit": "b1", "ways": [[]] * 4})], "frames[0].about.ways"),
        ([_with(about={"unit": "b1", "spent": {"b1": -1}})], "frames[0].about.spent.b1"),
        ([_with(about={"unit": "b1", "spent": {"b9": 1}})], "frames[0].about.spent.b9"),
        ([_with(about={"unit": "b1", "shot": {"unit": "b1"}})], "frames[0].about.shot.cell"),
        (
            [_with(about={"unit": "b1", "shot": {"unit": "b9", "cell": "A2"}})],
            "frames[0].about.shot.unit",
        ),
        ([_with(agenda=[{}])], "frames[0].agenda[0].kind"),
        ([_with(agenda=[{"kind": "dance"}])], "frames[0].agenda[0].kind"),
        ([_with(agenda=[{"kind": "end"}, {"kind": "step"}])], "frames[0].agenda[1].to"),
        ([_with(agenda=[{"kind": "step", "to": "Z9"}])], "frames[0].agenda[0].to"),
        ([_with(agenda=[{"kind": "end"}] * (MAX_AGENDA + 1))], "frames[0].agenda"),
        ([WINDOW] * (MAX_FRAMES + 1), "frames"),
        (
            [{"kind": "hand", "about": {"unit": "b1"}, "deciders": [{"side": "red"}]}],
            "frames[0].deciders",
        ),
        ([_with(resume={"state": "nowhere", "active": ["blue"]})], "frames[0].resume.state"),
        ([_with(resume={"active": ["green"]})], "frames[0].resume.active[0]"),
        ([WINDOW, _with(resume={"active": ["blue"]})], "frames[1].resume"),
    ],
)
def test_a_frame_that_makes_no_sense_is_refused_by_its_field(frames: object, field: str) -> None:
    found = _problems(frames=frames, active=["blue"])
    assert field in [where for where, _ in found], found
    position = Position.from_json(START.to_json() | {"frames": frames})
    with pytest.raises(RulesError):
        validate.admit(WINDOWS, position)


def test_a_frame_belongs_to_its_phases() -> None:
    assert _problems(frames=[WINDOW], phase="combat")[0][0] == "frames[0].kind"


@pytest.mark.parametrize(
    ("frames", "field"),
    [
        (10**12, "frames"),
        ([3], "frames[0]"),
        ([{"deciders": []}], "frames[0].kind"),
        ([_with(agenda=10**12)], "frames[0].agenda"),
        ([_with(agenda=[3])], "frames[0].agenda[0]"),
        ([_with(deciders=["red"])], "frames[0].deciders[0]"),
        ([_with(deciders=[{"side": "red", "answered": 1}])], "frames[0].deciders[0].answered"),
        ([_with(resume=[])], "frames[0].resume"),
        ([_with(colour="red")], "frames[0].colour"),
    ],
)
def test_what_is_no_frame_at_all_names_its_field(frames: object, field: str) -> None:
    with pytest.raises(RulesError) as caught:
        Position.from_json(START.to_json() | {"frames": frames})
    assert caught.value.place.field == field


def test_state_and_active_sides_must_follow_from_the_frames() -> None:
    resumed = _with(resume={"active": ["blue"]})
    found = _problems(frames=[resumed], state="choose", active=["blue"])
    assert [field for field, _ in found] == ["state", "active"]


@pytest.mark.parametrize(
    ("extras", "field"),
    [
        ({"south": "x"}, "extras.south"),
        ({"south": -1}, "extras.south"),
        ({"north": 1}, "extras.north"),
        ({"spent": {"b9": 1}}, "extras.spent.b9"),
        ({"spent": {"b1": "x"}}, "extras.spent.b1"),
        ({"spent": 3}, "extras.spent"),
    ],
)
def test_extras_are_as_the_game_declares_them(extras: object, field: str) -> None:
    assert [where for where, _ in _problems(extras=extras)] == [field]


MOVING = {"kind": "move", "side": "blue", "unit": "b1", "path": ["B2"]}


@pytest.mark.parametrize(
    ("order", "field"),
    [
        (MOVING, None),
        ({**MOVING, "kind": "fly"}, "kind"),
        ({**MOVING, "side": "green"}, "side"),
        ({**MOVING, "unit": "b9"}, "unit"),
        ({**MOVING, "path": ["B2", "Z9"]}, "path[1]"),
        ({**MOVING, "speed": 9}, "speed"),
        ({"kind": "move", "side": "blue"}, "unit"),
        ({}, "kind"),
    ],
)
def test_an_order_that_is_kept_is_an_action_of_the_game(
    order: dict[str, Any], field: str | None
) -> None:
    frame = {"kind": "waiting", "deciders": [{"side": "blue"}], "about": {"order": order}}
    found = [where for where, _ in _problems(frames=[frame], knowledge={"red": {"order": order}})]
    places = ("frames[0].about.order", "knowledge.red.order")
    assert found == ([f"{place}.{field}" for place in places] if field else [])


def test_secret_values_are_checked_like_the_others() -> None:
    secret = _with(about={}, secret={"unit": "b9"}, known_to=["blue"])
    assert [where for where, _ in _problems(frames=[secret])] == ["frames[0].secret.unit"]
    twice = _with(secret={"unit": "b1"}, known_to=["blue"])
    assert [where for where, _ in _problems(frames=[twice])] == ["frames[0].secret.unit"]


@pytest.mark.parametrize(
    ("value", "read"),
    [(3, 3), ("3", 3), ("3/2", "3/2"), ("6/4", "3/2"), ("-1/2", None), (-1, None), ("x", None),
     ("1e999999999", None), ("1/0", None), (True, None), (1.5, None), ("9" * 99, None)],
)  # fmt: skip
def test_an_exact_number_is_whole_or_a_fraction(value: object, read: object) -> None:
    points = Param("points", ParamType.NUMBER, "points", minimum=0)
    try:
        assert points.decode(value) == read
    except FieldError:
        assert read is None


def test_a_view_of_hidden_values_is_in_order() -> None:
    frame = _with(about={}, secret={"unit": "b1"}, known_to=["blue"])
    hidden = Position.from_json(START.to_json() | {"frames": [frame]})
    assert validate.problems(WINDOWS, hidden) == ()
    assert validate.problems(WINDOWS, engine.view(WINDOWS, hidden, "red")) == ()


# Silence, and what may be done at any time


def _window() -> Position:
    return Position.from_json(START.to_json() | {"frames": [WINDOW]})


def test_silence_means_what_the_frame_says() -> None:
    now = _window()
    assert engine.silence(WINDOWS, now, "red") == Action("hold", "red")
    assert engine.check(WINDOWS, now, Action("hold", "red")).legal
    assert engine.silence(WINDOWS, now, "blue") is None
    assert engine.silence(WINDOWS, START, "blue") is None
    must = PushFrame(Frame("choose", (Decider("red"),))).on(START)
    assert engine.silence(WINDOWS, must, "red") is None


def test_an_action_of_any_time_needs_no_window() -> None:
    for position in (START, _window()):
        for side in ("blue", "red"):
            assert engine.check(WINDOWS, position, Action("token", side)).legal
    late = replace(START, phase="combat")
    assert engine.check(WINDOWS, late, Action("token", "red")).rules == ("TUT-1",)
    assert engine.check(WINDOWS, START, Action("hold", "blue")).rules == ("TUT-1",)
    assert engine.check(WINDOWS, _window(), Action("hold", "blue")).rules == ("TUT-1",)


def test_an_advance_is_a_frame_and_random_games_with_it_end() -> None:
    """TUT-7, with the kernel's own player."""
    from hexmarshal.rules.playing.selfplay import play_game

    kinds: dict[str, int] = {}
    for seed in range(20):
        played = play_game(Crossroads(), f"advance {seed}", options={"advance": True})
        assert played.findings == []
        kinds |= played.kinds
    assert kinds["advance"]
