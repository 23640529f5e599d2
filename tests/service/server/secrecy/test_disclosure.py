"""What a seat is told of an event leads from its view before to its view after, and no further."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexmarshal.rules.action import Action
from hexmarshal.rules.dice import Roll
from hexmarshal.rules.frames import Decider, Frame
from hexmarshal.rules.state import effects as e
from hexmarshal.rules.state.disclosure import changes, learnt, public, shown
from hexmarshal.rules.state.effects import apply_effects
from hexmarshal.rules.state.pieces import Marker, Unit
from hexmarshal.rules.state.view import view
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Resolution, Step, Strength
from server.frontier import Frontier

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
    secret=records,
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


@pytest.mark.parametrize("secret", ["seen_by", "known_to"])
@pytest.mark.parametrize(
    "effect",
    [e.ChangeUnit("r00", steps=1), e.ChangeUnit("r00", values=FrozenMap({"worth": 9}))],
)
def test_what_a_secret_unit_becomes_is_not_public(secret, effect):
    """Neither of a unit that some do not see, nor of one that some do not know."""
    assert public((effect,), (), START)
    hidden = START.with_unit(replace(START.unit("r00"), **{secret: frozenset({"red"})}))
    assert not public((effect,), (), hidden)
    after = effect.on(hidden)
    told = shown(Action("x", "red"), (effect,), (), (), view(hidden, "blue"), view(after, "blue"))
    assert told.effects == ()
    assert told.redacted


def test_which_card_was_picked_is_told_only_where_nothing_is_kept_back():
    blue = view(START, "blue")
    dice = (Roll(6, 4, "fire"), Roll(20, 7, "hit marker", pick=True))
    fire = Resolution("fire", dice=dice)
    assert shown(Action("x", "red"), (), (fire,), dice, blue, blue).rolls == dice
    draw = Resolution("draw", known_to=frozenset({"red"}))
    told = shown(Action("x", "red"), (), (fire, draw), dice, blue, blue)
    assert told.rolls == told.resolutions[0].dice == dice[:1]


@given(st.lists(some, max_size=4), st.integers(0, 4), st.booleans())
def test_who_acts_cannot_tell_whether_somebody_hidden_was_concerned(effects, where, resolved):
    """What happened to a unit that blue does not see leaves no trace in what blue is told."""
    besides = [
        e.ChangeUnit("r29", values=FrozenMap({"fright": 1})),
        e.MoveUnit("r29", "0303"),
    ]
    kept = [effect for effect in effects if getattr(effect, "unit", "") != "r29"]
    public_one = Resolution("fire", dice=(Roll(6, 5, "fire"),))
    secret = replace(public_one, known_to=frozenset({"red"}))
    fire = Action("fire", "blue", FrozenMap({"cell": "0202"}))
    told = []
    for hidden in ([], besides):
        done = [*kept[:where], *hidden, *kept[where:]]
        after = START
        for effect in done:
            try:
                after = effect.on(after)
            except Exception:
                return
        resolutions = (public_one, secret) if hidden and resolved else (public_one,)
        views = view(START, "blue"), view(after, "blue")
        told.append((shown(fire, done, resolutions, public_one.dice, *views), views[1]))
    assert told[0][1] != told[1][1] or told[0][0] == told[1][0]


@pytest.mark.parametrize("tied", [{"carrier": "r29"}, {"bonds": FrozenMap({"guards": ("r29",)})}])
def test_what_moves_with_something_that_may_be_hidden_is_not_public(tied):
    moved = (e.MoveUnit("r00", "0006"),)
    assert public(moved, (), START)
    assert not public(moved, (), START.with_unit(replace(START.unit("r00"), **tied)))


def test_who_acts_is_told_the_dice_but_neither_picks_nor_what_others_rolled_in_secret():
    blue = view(START, "blue")
    open_die, pick, secret = (
        Roll(6, 4, "fire"),
        Roll(20, 7, "marker", pick=True),
        Roll(6, 2, "nerve"),
    )
    fire = Resolution("fire", dice=(open_die,))
    hidden = Resolution("nerve", known_to=frozenset({"red"}))

    def told(*resolutions: Resolution, rolls: tuple[Roll, ...]):
        return shown(Action("fire", "blue"), (), resolutions, rolls, blue, blue)

    kept = told(fire, hidden, rolls=(open_die, pick))
    assert (kept.rolls, kept.redacted) == ((open_die,), False)
    missing = told(fire, replace(hidden, dice=(secret,)), rolls=(open_die, pick, secret))
    assert (missing.rolls, missing.redacted) == ((open_die,), True)
