"""Arbitrary positions, actions and effects: anything that the types admit."""

from __future__ import annotations

from hypothesis import strategies as st

from hexmarshal.rules.dice import Generator
from hexmarshal.rules.frames.frame import Decider, Frame, settled
from hexmarshal.rules.state.pieces import Marker, Pile, Unit
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import INT_MAX, INT_MIN, FrozenMap, freeze

names = st.text(st.characters(codec="utf-8"), min_size=1, max_size=6)
texts = st.text(st.characters(codec="utf-8"), max_size=6)
ints = st.integers(INT_MIN, INT_MAX)
json_values = st.recursive(
    st.none() | st.booleans() | ints | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
values = json_values.map(freeze)
records = st.dictionaries(texts, values, max_size=3).map(FrozenMap)
sides = st.frozensets(st.sampled_from(["red", "blue", "green"]))
maybe_sides = st.none() | sides
# Made once: to make and validate a strategy takes longer than to draw from it.
maybe_ints = st.none() | ints
few_texts = st.lists(texts, max_size=2).map(tuple)
more_texts = st.lists(texts, max_size=4).map(tuple)
flags = st.frozensets(texts, max_size=2)
keys = st.lists(names, unique=True, max_size=3)
named_records = st.dictionaries(names, records, max_size=2).map(FrozenMap)
named_ints = st.dictionaries(names, ints, max_size=2).map(FrozenMap)
generators = st.none() | st.builds(Generator, texts, st.integers(0, INT_MAX))
bonds = st.dictionaries(names, st.lists(names, max_size=2).map(tuple), max_size=2).map(FrozenMap)


@st.composite
def units(draw, id: str) -> Unit:
    return Unit(
        id=id,
        type=draw(texts),
        side=draw(texts),
        cell=draw(texts),
        level=draw(ints),
        box=draw(texts),
        carrier=draw(texts),
        footprint=draw(few_texts),
        rank=draw(ints),
        facing=draw(maybe_ints),
        steps=draw(ints),
        flags=draw(flags),
        values=draw(records),
        seen_by=draw(maybe_sides),
        known_to=draw(maybe_sides),
        face=draw(texts),
        place=draw(texts),
        bonds=draw(bonds),
    )


@st.composite
def markers(draw, id: str) -> Marker:
    return Marker(
        id=id,
        kind=draw(texts),
        side=draw(texts),
        cell=draw(texts),
        level=draw(ints),
        unit=draw(texts),
        box=draw(texts),
        facing=draw(maybe_ints),
        values=draw(records),
        seen_by=draw(maybe_sides),
        known_to=draw(maybe_sides),
        face=draw(texts),
    )


@st.composite
def piles(draw, name: str) -> Pile:
    return Pile(name, draw(more_texts), draw(texts), draw(maybe_sides), draw(maybe_sides))


frames = st.builds(
    Frame,
    kind=texts,
    deciders=st.lists(st.builds(Decider, texts, st.booleans()), max_size=2).map(tuple),
    about=records,
    agenda=st.lists(records, max_size=2).map(tuple),
    secret=records,
    seen_by=maybe_sides,
    known_to=maybe_sides,
    sealed=st.booleans(),
)
few_frames = st.lists(frames, max_size=2).map(tuple)


@st.composite
def positions(draw) -> Position:
    def keyed(make):
        return FrozenMap({k: draw(make(k)) for k in draw(keys)})

    position = Position(
        game=draw(texts),
        version=draw(texts),
        scenario=draw(texts),
        board=draw(texts),
        options=draw(records),
        sides=draw(more_texts),
        turn=draw(ints),
        phase=draw(texts),
        state=draw(texts),
        active=draw(few_texts),
        units=keyed(units),
        markers=keyed(markers),
        piles=keyed(piles),
        cells=draw(named_records),
        tracks=draw(named_ints),
        knowledge=draw(named_records),
        extras=draw(records),
        generator=draw(generators),
        viewer=draw(texts),
    )
    return settled(position, draw(few_frames))
