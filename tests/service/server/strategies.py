"""Random values, positions, effects and verdicts for property tests."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from hexmarshal.rules.action import Action
from hexmarshal.rules.dice import Generator, Roll
from hexmarshal.rules.frames.frame import Decider, Frame, settled
from hexmarshal.rules.odds import Distribution
from hexmarshal.rules.state import effects as e
from hexmarshal.rules.state.pieces import Marker, Pile, Unit
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import INT_MAX, INT_MIN, FrozenMap
from hexmarshal.rules.verdict import (
    Answer,
    Cost,
    CostPart,
    Modifier,
    Outcome,
    Resolution,
    Step,
    Strength,
    Verdict,
    Violation,
)

text = st.text(st.characters(exclude_categories=("Cs",)), max_size=8)
name = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=6)
names = st.lists(name, max_size=3).map(tuple)
number = st.integers(INT_MIN, INT_MAX)
small = st.integers(-5, 60)
flags = st.frozensets(name, max_size=3)
sides = st.none() | flags
values = st.recursive(
    st.none() | st.booleans() | number | text,
    lambda inner: (
        st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(text, inner, max_size=3).map(FrozenMap)
    ),
    max_leaves=6,
)
records = st.dictionaries(text, values, max_size=3).map(FrozenMap)
amounts = small | st.builds(Fraction, small, st.integers(2, 9)).filter(lambda f: f.denominator > 1)

bonds = st.dictionaries(name, names, max_size=2).map(FrozenMap)

units = st.builds(
    Unit,
    id=name,
    type=text,
    side=text,
    cell=text,
    level=small,
    box=text,
    carrier=text,
    footprint=names,
    rank=small,
    facing=st.none() | small,
    steps=small,
    flags=flags,
    values=records,
    seen_by=sides,
    known_to=sides,
    face=text,
    place=text,
    bonds=bonds,
)
markers = st.builds(
    Marker,
    id=name,
    kind=text,
    side=text,
    cell=text,
    level=small,
    unit=text,
    box=text,
    facing=st.none() | small,
    values=records,
    seen_by=sides,
    known_to=sides,
    face=text,
)
piles = st.builds(Pile, name=name, cards=names, side=text, known_to=sides, seen_by=sides)


def keyed(things, key):
    return st.lists(things, max_size=3).map(lambda ts: FrozenMap({key(t): t for t in ts}))


def mapped(inner):
    return st.dictionaries(text, inner, max_size=3).map(FrozenMap)


deciders = st.lists(st.builds(Decider, name, st.booleans()), max_size=2).map(tuple)
agendas = st.lists(records, max_size=2).map(tuple)
frames = st.builds(
    Frame,
    kind=text,
    deciders=deciders,
    about=records,
    agenda=agendas,
    secret=records,
    seen_by=sides,
    known_to=sides,
    sealed=st.booleans(),
)
plain_positions = st.builds(
    Position,
    game=text,
    version=text,
    scenario=text,
    board=text,
    options=records,
    sides=names,
    turn=number,
    phase=text,
    state=text,
    active=names,
    units=keyed(units, lambda u: u.id),
    markers=keyed(markers, lambda m: m.id),
    piles=keyed(piles, lambda p: p.name),
    cells=mapped(records),
    tracks=mapped(number),
    knowledge=mapped(records),
    extras=records,
    generator=st.none() | st.builds(Generator, text, st.integers(0, INT_MAX)),
    viewer=text,
)
positions = st.builds(settled, plain_positions, st.lists(frames, max_size=2).map(tuple), st.none())
some_number = st.none() | number
visibility = st.none() | names | st.just(("*",))
effects = st.one_of(
    st.builds(e.MoveUnit, name, text, number, text, text, names, some_number, text),
    st.builds(
        e.ChangeUnit,
        unit=name,
        type=text,
        side=text,
        facing=some_number,
        steps=some_number,
        rank=some_number,
        level=some_number,
        flags=flags,
        unflags=flags,
        values=records,
        seen_by=visibility,
        known_to=visibility,
        place=st.none() | text,
        bonds=bonds,
    ),
    st.builds(e.AddUnit, name, units),
    st.builds(e.RemoveUnit, name),
    st.builds(e.AddMarker, name, markers),
    st.builds(e.RemoveMarker, name),
    st.builds(e.SetTrack, name, number),
    st.builds(e.SetPile, name, piles),
    st.builds(e.MoveCards, name, name, names, st.sampled_from(["top", "bottom"])),
    st.builds(e.SetCell, name, records),
    st.builds(e.SetExtra, name, values),
    st.builds(e.SetKnowledge, name, records),
    st.builds(e.Proceed, some_number, st.none() | text, st.none() | text, st.none() | names),
    st.builds(e.PushFrame, frames, st.integers(0, 3)),
    st.builds(
        e.ChangeFrame,
        name,
        records,
        st.none() | agendas,
        names,
        st.none() | deciders,
        records,
        visibility,
        visibility,
        st.integers(0, 3),
    ),
    st.builds(e.PopFrame, name, st.integers(0, 3)),
)
actions = st.builds(Action, text, text, records)
violations = st.builds(Violation, text, text, text, names, names, text)
costs = st.builds(
    Cost, st.lists(st.builds(CostPart, amounts, text, text, text), max_size=3).map(tuple), text
)
few_violations = st.lists(violations, max_size=2).map(tuple)
verdicts = st.builds(Verdict, few_violations, costs, few_violations)
rolls = st.builds(Roll, number, number, text, st.booleans())
steps = st.builds(Step, text, text, sides)


def few(inner):
    return st.lists(inner, max_size=2).map(tuple)


resolutions = st.builds(
    Resolution,
    kind=text,
    result=text,
    strengths=few(st.builds(Strength, text, amounts, amounts, names, names, text)),
    base_column=text,
    column=text,
    modifiers=few(st.builds(Modifier, text, amounts, text, text, names, text)),
    dice=few(rolls),
    steps=few(steps),
    effects=few(effects),
    values=records,
    known_to=sides,
)
distributions = st.dictionaries(text, st.integers(1, 10**30), min_size=1, max_size=4).map(
    Distribution
)
answers = st.builds(Answer, records, few(steps), st.none() | resolutions, st.none() | distributions)
outcomes = st.builds(Outcome, names, text, text, records)
