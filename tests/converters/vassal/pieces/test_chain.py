"""Chains of traits: the same texts as nesting pair by pair, in time linear in the text."""

from __future__ import annotations

from math import isqrt

import pytest
from growth import LINEAR, growth
from hypothesis import given
from hypothesis import strategies as st

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal.pieces.chain import decode_chain, encode_chain, encode_like, is_flat, tail
from hexmarshal.vassal.pieces.piece import Piece
from hexmarshal.vassal.sequence import decode, is_representable, join
from hexmarshal.vassal.traits import decode_trait

ticklish = st.text(alphabet=["\\", "'", "\t", "a", ";"], max_size=6)


def nested(texts: list[str]) -> str:
    rest = texts[-1]
    for own in reversed(texts[:-1]):
        rest = join([own, rest], "\t")
    return rest


def peeled(value: str, levels: int) -> list[str]:
    texts = []
    while len(texts) < levels - 1:
        pair = decode(value, "\t")
        if len(pair) > 2:
            raise VassalFormatError("surplus")
        if len(pair) == 1:
            break
        texts.append(pair[0])
        value = pair[1]
    return [*texts, value]


@given(st.lists(ticklish, min_size=1, max_size=6))
def test_encoding_equals_pairs_nested_in_pairs(texts):
    assert encode_chain(texts, "\t") == nested(texts)


@given(ticklish.map(lambda t: t * 3), st.integers(1, 5))
def test_decoding_equals_peeling_pair_by_pair(value, levels):
    try:
        expected = peeled(value, levels)
    except VassalFormatError:
        flat = decode(value, "\t")
        if is_flat(value, "\t") and len(flat) <= levels:
            assert decode_chain(value, "\t", levels) == flat
            return
        with pytest.raises(VassalFormatError):
            decode_chain(value, "\t", levels)
    else:
        assert decode_chain(value, "\t", levels) == expected


@given(st.lists(ticklish.filter(lambda t: not t.endswith("\\")), min_size=1, max_size=40))
def test_chains_survive(texts):
    assert decode_chain(encode_chain(texts, "\t"), "\t", len(texts)) == texts


def test_tabs_inside_a_trait_stay_inside():
    texts = ["a\tb", "c", "\t", "d\t\\\te", "f"]
    assert decode_chain(encode_chain(texts, "\t"), "\t") == texts


@given(st.lists(ticklish, max_size=8))
def test_the_tail_is_the_innermost_text_with_its_level(texts):
    chain = [*(f"trait;{text};" for text in texts), "piece;;;;x"]
    assert tail(encode_chain(chain, "\t"), "\t") == ("piece;;;;x", len(chain))


def test_a_long_chain_takes_time_in_proportion_to_its_text():
    # One tab in the middle doubles escapes at every level: the text has the square of the length.
    def there_and_back(size: int) -> None:
        texts = [f"trait;{i}" for i in range(isqrt(size))]
        texts[len(texts) // 2] = "has\ttab"
        assert decode_chain(encode_chain(texts, "\t"), "\t") == texts

    assert growth(there_and_back, 700**2) < LINEAR


@pytest.mark.parametrize("count", [999, 1000, 1001, 1500])
def test_a_plain_chain_of_any_length_comes_back(count):
    texts = [f"trait;{i}" for i in range(count)]
    assert decode_chain(encode_chain(texts, "\t"), "\t") == texts


def test_as_many_backslashes_as_a_plain_chain_has_do_not_make_it_one():
    text = "a\tb\\\\\tc\\\td"
    assert text.count("\\") == 3 == text.count("\t")
    assert decode_chain(text, "\t") == ["a", "b\tc", "d"]


@given(st.lists(st.text("ab;\\'|\t", max_size=6), min_size=3, max_size=6))
def test_a_flat_chain_is_read_and_written_as_it_is(texts: list[str]):
    if not is_representable(texts):
        return
    value = join(texts, "\t")
    if not is_flat(value, "\t"):
        return
    assert decode_chain(value, "\t") == texts
    assert decode_chain(value, "\t", len(texts)) == texts
    assert encode_like(texts, "\t", value) == value


@given(st.lists(st.text("ab;\\'|\t", max_size=6), min_size=1, max_size=6))
def test_a_nested_chain_is_never_taken_as_flat(texts: list[str]):
    if is_representable(texts):
        value = encode_chain(texts, "\t")
        assert not is_flat(value, "\t")
        assert encode_like(texts, "\t", value) == value


def test_a_piece_in_a_flat_chain_is_a_piece_like_any_other_and_stays_flat():
    piece = Piece.parse("mark;Side\tlabel;L\tpiece;;;u.png;Unit", "Red\thello\tMain;10;20;7;0")
    assert piece.problem is None
    assert (piece.name, piece.map, piece.x, piece.gpid) == ("Unit", "Main", 10, "7")
    assert piece.encode() == (piece.type.text, piece.state_text)
    changed = piece.with_state(1, "bye").with_trait(decode_trait("delete;D;68,130"))
    assert changed.type.text == "delete;D;68,130\tmark;Side\tlabel;L\tpiece;;;u.png;Unit"
    assert changed.state_text == "\tRed\tbye\tMain;10;20;7;0"


def test_more_states_than_traits_are_no_flat_chain():
    piece = Piece.parse("mark;Side\tpiece;;;u.png;Unit", "Red\tMain;10;20;7;0\tmore")
    assert piece.problem is not None
    assert "more than two parts" in piece.problem
    assert piece.encode() == (piece.type.text, piece.state_text)
