"""What a seat is told of an event leads from its view before to its view after, and no further."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexmarshal.rules import effects as e
from hexmarshal.rules.action import Action
from hexmarshal.rules.effects import apply_effects
from hexmarshal.rules.frames import Decider, Frame
from hexmarshal.rules.pieces import Marker, Unit
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Resolution, Step, Strength
from hexmarshal.rules.view import view
from hexmarshal.service.matches.redact import changes, learnt, public, shown

from .frontier import Frontier

START = Frontier().setup("duel", {}, None)
IDS = ["b00", "b01", "r00", "r28", "r29"]
secrecy = st.sampled_from([None, ("*",), ("red",), ("blue",), ()])
sets = st.sampled_from([None, frozenset({"red"}), frozenset({"blue"}), frozenset()])
cells = st.sampled_from(["0000", "0101", "0202"])
records = st.dictionaries(st.sampled_from("xyz"), st.none() | st.integers(0, 2), max_size=2)
records = records.map(FrozenMap)
kinds = st.sampled_from(["move", "fire"])
frames = st.builds(
    Frame,
    kinds,
    st.lists(st.builds(Decider, st.sampled_from(["red", "blue"])), max_size=2).map(tuple),
    records,
    seen_by=sets,
    known_to=sets,
    sealed=st.booleans(),
)
some = st.one_of(
    st.builds(e.MoveUnit, st.sampled_from(IDS), cells),
    st.builds(
        e.ChangeUnit,
        st.sampled_from(IDS),
        steps=st.none() | st.integers(0, 2),
        values=records,
        seen_by=secrecy,
        known_to=secrecy,
    ),
    st.builds(
        lambda i, c, s, k: e.AddUnit(i, Unit(i, "foot", "red", c, seen_by=s, known_to=k)),
        st.sampled_from([*IDS, "new"]),
        cells,
        sets,
        sets,
    ),
    st.builds(
        lambda i, c, s, k: e.AddMarker(i, Marker(i, "barrage", "red", c, seen_by=s, known_to=k)),
        st.sampled_from(["m1", "m2"]),
        cells,
        sets,
        sets,
    ),
    st.builds(
        e.MoveCards,
        st.just("deck"),
        st.sampled_from(["red hand", "blue hand"]),
        st.just(("card00",)),
    ),
    st.builds(e.SetKnowledge, st.sampled_from(["red", "blue"]), records),
    st.builds(e.SetExtra, st.sampled_from("xyz"), st.none() | st.integers(0, 2)),
    st.builds(e.SetCell, cells, records),
    st.builds(e.SetTrack, st.just("t"), st.integers(0, 3)),
    st.builds(e.Proceed, st.none() | st.integers(1, 3), active=st.sampled_from([None, ("red",)])),
    st.builds(e.PushFrame, frames, st.integers(0, 2)),
    st.builds(
        e.ChangeFrame,
        kinds,
        records,
        answered=st.sampled_from([(), ("red",), ("blue",)]),
        seen_by=st.sampled_from([None, ("*",), ("red",)]),
    ),
    st.builds(e.PopFrame, kinds),
)


@given(st.lists(some, max_size=5), st.sampled_from(["red", "blue"]))
def test_the_changes_told_lead_from_view_to_view(effects, side):
    kept = []
    after = START
    for effect in effects:
        try:
            after = effect.on(after)
        except Exception:  # a card that is gone already
            continue
        kept.append(effect)
    before_seen, after_seen = view(START, side), view(after, side)
    told = shown(Action("x", "red"), kept, (), (), before_seen, after_seen)
    assert apply_effects(before_seen, told.effects) == after_seen
    assert apply_effects(before_seen, list(changes(before_seen, after_seen))) == after_seen
    if public(kept, (), START):
        assert not told.redacted
        assert told.effects == tuple(kept)


@given(st.lists(some, max_size=4))
def test_two_truths_with_the_same_views_are_told_the_same(effects):
    """The order of the deck and the plan of red are others; blue's views are the same."""
    deck = START.pile("deck")
    other = replace(
        START.with_pile(replace(deck, cards=deck.cards[::-1])),
        knowledge=FrozenMap({"red": FrozenMap({"plan": "none"})}),
    )
    told = []
    for truth in (START, other):
        after = truth
        for effect in effects:
            try:
                after = effect.on(after)
            except Exception:
                return
        before_seen, after_seen = view(truth, "blue"), view(after, "blue")
        told.append(shown(Action("x", "red"), effects, (), (), before_seen, after_seen))
    assert told[0] == told[1]


def test_an_effect_that_was_undone_within_the_event_is_not_told():
    """It left no trace in the view, and still would tell where the marker was."""
    secret = Marker("m9", "barrage", "red", "1111", seen_by=frozenset({"red"}))
    effects = (e.AddMarker("m9", secret), e.RemoveMarker("m9"))
    blue = view(START, "blue")
    told = shown(Action("plot", "red", FrozenMap({"cell": "1111"})), effects, (), (), blue, blue)
    assert told.effects == ()
    assert told.redacted
    assert not told.action.params


@pytest.mark.parametrize(
    ("resolution", "seen"),
    [
        (Resolution("a"), True),
        (Resolution("a", known_to=frozenset({"red"})), False),
        (Resolution("a", strengths=(Strength("x", 1, 1, units=("r29",)),)), False),
        (Resolution("a", strengths=(Strength("x", 1, 1, units=("r00",)),)), True),
    ],
)
def test_a_resolution_is_told_to_those_who_may_know_it(resolution, seen):
    blue = view(START, "blue")
    told = shown(Action("x", "red"), (), (resolution,), (), blue, blue)
    assert bool(told.resolutions) is seen


def test_steps_are_told_to_those_who_may_read_them():
    steps = (Step("all"), Step("red", known_to=frozenset({"red"})))
    effects = (e.ChangeUnit("r29", steps=2),)
    blue = view(START, "blue")
    told = shown(
        Action("x", "red"), (), (Resolution("a", steps=steps, effects=effects),), (), blue, blue
    )
    assert [step.text for step in told.resolutions[0].steps] == ["all"]
    assert told.resolutions[0].effects == ()


@pytest.mark.parametrize(
    ("effect", "lesson"),
    [
        (e.Proceed(turn=2), False),
        (e.MoveUnit("b00", "0006"), False),
        (e.MoveUnit("r29", "0006"), False),
        (e.ChangeUnit("r29", seen_by=("*",)), True),
        (e.ChangeUnit("r28", known_to=("*",)), True),
        (e.MoveCards("deck", "red hand", ("card00",)), True),
        (e.SetKnowledge("blue", FrozenMap({"x": 1})), True),
    ],
)
def test_what_somebody_learnt_is_noticed(effect, lesson):
    assert learnt(START, effect.on(START)) is lesson
