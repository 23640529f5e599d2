"""Prototype expansion: recursive, with parameters, safe against rings and growth."""

from __future__ import annotations

from hexmarshal.vassal import traits as t
from hexmarshal.vassal.pieces.piece import Piece, format_add
from hexmarshal.vassal.pieces.prototypes import expand, find_cycles


def definition(*traits: t.Trait) -> str:
    return format_add(Piece.of([*traits, t.BasicPiece()]))


def piece(*traits: t.Trait) -> Piece:
    return Piece.of([*traits, t.BasicPiece(name="Unit")], id="7")


def use(name: str, parameters: str | None = None) -> t.Trait:
    return t.decode_trait(f"prototype;{name}" + ("" if parameters is None else f";{parameters}"))


def names(expanded: Piece) -> list[str]:
    return [type(trait).__name__ for trait in expanded.traits]


def test_the_traits_of_a_prototype_take_its_place():
    table = {"Inf": definition(t.Clone(), use("Base")), "Base": definition(t.Delete())}
    result = expand(piece(t.Comment(text="c"), use("Inf"), t.Mat()), table)
    assert names(result.piece) == ["Comment", "Clone", "Delete", "Mat", "BasicPiece"]
    assert result.problems == ()
    assert result.piece.id == "7"
    assert result.piece.name == "Unit"


def test_states_of_the_definition_come_along():
    table = {"M": format_add(Piece.of([t.Marker(names=("a",)), t.BasicPiece()], ["v"]))}
    assert expand(piece(use("M")), table).piece.state_texts[0] == "v"


def test_parameters_fill_the_definition_and_other_dollars_go():
    table = {"P": definition(t.Comment(text="$who$ and $else$"))}
    plain = expand(piece(use("P")), table).piece.traits[0]
    filled = expand(piece(use("P", "who=Guards,else")), table).piece.traits[0]
    assert plain == t.Comment(text="$who$ and $else$")
    assert filled == t.Comment(text="Guards and else")


def test_a_missing_prototype_stays_and_is_reported():
    result = expand(piece(use("Nowhere")), {})
    assert names(result.piece) == ["UsePrototype", "BasicPiece"]
    assert [str(p) for p in result.problems] == ["there is no prototype 'Nowhere'"]


def test_a_ring_is_cut_and_reported():
    table = {"A": definition(use("B")), "B": definition(t.Clone(), use("A"))}
    result = expand(piece(use("A")), table)
    assert names(result.piece) == ["Clone", "UsePrototype", "BasicPiece"]
    assert [(p.kind, p.name, p.path) for p in result.problems] == [("cycle", "A", ("A", "B"))]
    assert find_cycles(table) == [("A", "B")]


def test_rings_are_found_once_each_and_shared_uses_are_no_ring():
    table = {
        "self": definition(use("self")),
        "top": definition(use("left"), use("right")),
        "left": definition(use("base")),
        "right": definition(use("base"), use("nowhere")),
        "base": definition(t.Clone()),
        "broken": "+/x",
    }
    assert find_cycles(table) == [("self",)]


def test_a_damaged_definition_is_left_out():
    result = expand(piece(use("X")), {"X": "+/null/mark;a\tpiece;;;;/v"})
    assert [p.kind for p in result.problems] == ["damaged"]
    assert names(result.piece) == ["UsePrototype", "BasicPiece"]


def test_growth_without_end_is_stopped():
    table = {f"p{i}": definition(use(f"p{i + 1}"), use(f"p{i + 1}")) for i in range(40)}
    table["p40"] = definition(t.Clone())
    result = expand(piece(use("p0")), table)
    assert any(p.kind == "too-large" for p in result.problems)
    deep = {f"p{i}": definition(use(f"p{i + 1}")) for i in range(3000)}
    assert [p.kind for p in expand(piece(use("p0")), deep).problems] == ["too-large"]
