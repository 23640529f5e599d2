"""Hypothesis strategies for records, derived from their declarations alone."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

from hexmarshal.vassal.traits import FieldSpec, Record, Trait, stock_forms

ALPHABET = ["\\", "'", ";", ",", "/", "|", ":", "~", "\t", "$", "a", "B", "1", "-", " ", "é", "😀"]
ANY_TEXT = st.text(alphabet=ALPHABET, max_size=10)
# An element that ends in a backslash cannot be written: the format itself loses it.
TEXT = ANY_TEXT.filter(lambda t: not t.endswith("\\"))
INTEGER = st.integers(-0x80000000, 0x7FFFFFFF)
DECIMAL = st.floats(allow_nan=False)
TEXTS = st.lists(TEXT, max_size=4).map(tuple).filter(lambda t: t != ("",))


def states() -> list[type[Record]]:
    found = {cls.state_type: None for cls in traits()}
    return list(found)


def traits() -> list[type[Trait]]:
    return [cls for forms in stock_forms().values() for cls in forms.values()]


def value(spec: FieldSpec, *, first: bool, raw: bool) -> st.SearchStrategy:
    by_code = {
        "S": TEXT,
        "IMAGE": TEXT,
        "MARKER": TEXT,
        "OWNERS": TEXT,
        "OWNER": TEXT.filter(lambda t: t != "null")
        if spec.default == ""
        else st.none() | TEXT.filter(lambda t: t != "null"),
        "MAP": st.none() | TEXT.filter(lambda t: t != "null"),
        "I": INTEGER,
        "F": DECIMAL,
        "B": st.booleans(),
        "CHAR": st.sampled_from(";,a'tcb"),
        "A": TEXTS,
        "IMAGES": TEXTS,
        "REST": st.lists(TEXT, min_size=int(first), max_size=4).map(tuple),
        "LEVELS": st.lists(TEXT, max_size=4).map(tuple),
        "UPTO": st.lists(TEXT, max_size=4).map(tuple),
        "RAW": ANY_TEXT,
        "OUTLINE": ANY_TEXT,
    }
    code = spec.code
    if code == "COUNTED":
        width = spec.kind.width
        member = INTEGER if spec.kind.kind.code == "I" else TEXT
        one = member if width == 1 else st.tuples(*[member] * width)
        return st.lists(one, max_size=4).map(tuple)
    if code == "OMITTED":
        inner = spec.kind.kind.code
        by_inner = {"LAYER": st.none() | INTEGER, "PIECES": TEXTS, "S": TEXT}
        return by_inner[inner]
    if raw:
        return TEXT.map(lambda t: t.replace(";", ""))
    if code in by_code:
        return by_code[code]
    return TEXT.map(type(spec.default))


# Made once for each class: to make and validate a strategy takes longer than to draw from it.


@cache
def records(cls: type[Record]) -> st.SearchStrategy[Record]:
    """A record made anew, with every field at random."""
    layout = cls.layout
    fields = {
        spec.name: value(spec, first=i == 0, raw=layout.raw) for i, spec in enumerate(layout.fields)
    }
    return st.fixed_dictionaries(fields).map(lambda chosen: _made(cls, chosen))


def _made(cls: type[Record], chosen: dict[str, object]) -> Record:
    if cls.__name__ == "RotateFree":
        chosen["facings"] = 1
    if cls.__name__ == "RotateFixed" and chosen["facings"] == 1:
        chosen["facings"] = 6
    return cls(**chosen)


@cache
def _parts(count: int) -> st.SearchStrategy[list[str]]:
    return st.lists(ANY_TEXT | INTEGER.map(str), min_size=count, max_size=count)


@cache
def texts(cls: type[Record]) -> st.SearchStrategy[str]:
    """The text of a record with any number of fields, some of them nonsense."""
    layout = cls.layout
    counts = st.integers(0, len(layout.fields) + 3)
    return counts.flatmap(_parts).map(lambda parts: layout.prefix + layout.delimiter.join(parts))
