"""Arbitrary scenarios: anything that the format can hold."""

from __future__ import annotations

from hypothesis import strategies as st

from hexmarshal.scenario.model import (
    Area,
    Deck,
    MarkerEntry,
    Objective,
    Reinforcement,
    Scenario,
    Setup,
    SpecialRule,
    Start,
    UnitEntry,
)

SIDES = ("blue", "red")
# What trips readers of YAML and spreadsheets, beside letters of every script.
TRICKY = [
    "0108",
    "1e5",
    "12:30",
    "yes",
    "No",
    "~",
    "null",
    "TRUE",
    "007",
    "-5",
    "+1",
    "=1+1",
    "@x",
    "2026-01-01",
    "5-6",
    "1/2",
    "May-5",
    "1-D13",
    "'a",
    "json:1",
    "#1",
    ",",
    ";",
    "|",
    "[",
    "{",
    "}",
    "a;b",
    "a:b",
]
TRICKY += [
    " a",
    "a ",
    "a b",
    "a  b",
    "a\nb",
    "a\tb",
    "a\r\nb",
    "\ufeffx",
    "x\u2028y",
    "\x85",
    '"',
    "٣",
]
letters = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)
names = letters | st.sampled_from(TRICKY)
texts = st.just("") | names
ints = st.integers(-(2**63), 2**63 - 1)
small = st.integers(-3, 9)
values = st.recursive(
    st.none() | st.booleans() | ints | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=6,
)
facts = st.dictionaries(names, values, max_size=3)
secrets = st.none() | st.lists(st.sampled_from(SIDES), unique=True).map(tuple)
cell_names = st.sampled_from(["A1", "A2", "0216", "1-D13", "E5", "1e5", "ö x"])


def lists(items, **more):
    return st.lists(items, max_size=3, **more).map(tuple)


@st.composite
def units(draw, unit: str) -> UnitEntry:
    return UnitEntry(
        unit,
        side=draw(st.sampled_from(SIDES)),
        type=draw(names),
        steps=draw(small | ints),
        facing=draw(st.none() | small),
        level=draw(small),
        rank=draw(st.none() | small),
        flags=draw(lists(names, unique=True)),
        footprint=draw(lists(cell_names)),
        values=draw(facts),
        seen_by=draw(secrets),
        known_to=draw(secrets),
        face=draw(texts),
    )


@st.composite
def markers(draw, marker: str, units: list[str]) -> MarkerEntry:
    place = draw(st.sampled_from(["", "cell", "box"] + ["unit"] * bool(units)))
    where = {"": "", "cell": "A1", "box": "aside", "unit": units[0] if units else ""}[place]
    return MarkerEntry(
        marker,
        kind=draw(texts),
        side=draw(st.sampled_from(("", *SIDES))),
        facing=draw(st.none() | small),
        values=draw(facts),
        seen_by=draw(secrets),
        known_to=draw(secrets),
        face=draw(texts),
        level=draw(small),
        **{place: where} if place else {},
    )


@st.composite
def forces(draw) -> Scenario:
    """Units in places and nothing else: what a sheet can hold."""
    ids = draw(st.lists(names, unique=True, max_size=6))
    places = {kind: {} for kind in ("cells", "areas", "boxes", "carried")}  # type: dict[str, dict[str, tuple[str, ...]]]
    groups: dict[tuple[int, str], Reinforcement] = {}
    for unit in draw(st.permutations(ids)):
        kind = draw(st.sampled_from(["", "cells", "areas", "boxes", "carried", "late"]))
        if kind == "late":
            turn, entry = draw(small), draw(st.none() | values.filter(lambda v: v is not None))
            key = (turn, repr(entry))
            before = groups.get(key, Reinforcement(turn, (), entry))
            groups[key] = Reinforcement(turn, (*before.units, unit), entry)
        elif kind:
            name = draw(cell_names) if kind == "cells" else "north"
            if kind == "carried":
                name = draw(st.sampled_from(ids))
            places[kind][name] = (*places[kind].get(name, ()), unit)
    return Scenario(
        "chess",
        units={unit: draw(units(unit)) for unit in ids},
        setup=Setup(**places),
        reinforcements=tuple(groups.values()),
    )


@st.composite
def scenarios(draw) -> Scenario:
    force = draw(forces())
    ids = list(force.units)
    objectives = draw(st.lists(cell_names, unique=True, max_size=2))
    return Scenario(
        game=draw(names),
        version=draw(st.none() | texts),
        title=draw(texts),
        summary=draw(texts | st.just("word " * 60 + "end")),
        source=draw(texts),
        licence=draw(texts),
        based_on=draw(texts),
        map=draw(st.none() | texts),
        turns=draw(st.none() | st.integers(1, 20)),
        options=draw(facts),
        sides=draw(st.sampled_from([None, SIDES])),
        briefings=draw(st.dictionaries(st.sampled_from(SIDES), texts)),
        victory=draw(texts),
        special_rules=draw(lists(st.builds(SpecialRule, names, texts, lists(names)))),
        start=draw(
            st.builds(
                Start,
                st.none() | small,
                st.none() | texts,
                st.none() | texts,
                st.none() | lists(st.sampled_from(SIDES)),
            )
        ),
        areas={"north": Area("north", ("A1", "E5"), draw(texts))},
        units=force.units,
        setup=force.setup,
        reinforcements=force.reinforcements,
        objectives=tuple(
            Objective(cell, facts=draw(facts), text=draw(texts)) for cell in objectives
        )
        + draw(st.sampled_from([(), (Objective(area="north", text="hold it"),)])),
        markers={m: draw(markers(m, ids)) for m in draw(st.lists(names, unique=True, max_size=2))},
        decks=None
        if draw(st.booleans())
        else {
            d: Deck(
                d,
                draw(lists(texts)),
                draw(st.sampled_from(("", *SIDES))),
                draw(secrets),
                draw(secrets),
            )
            for d in draw(st.lists(names, unique=True, max_size=2))
        },
        cells={"B7": draw(facts)},
        tracks=draw(st.none() | st.dictionaries(names, ints, max_size=2)),
        knowledge=draw(st.dictionaries(st.sampled_from(SIDES), facts, max_size=1)),
        extras=draw(st.none() | facts),
    )
