"""Chains of traits: the same texts as nesting pair by pair, in time linear in the text."""

from __future__ import annotations

from math import isqrt

import pytest
from growth import LINEAR, growth
from hypothesis import given
from hypothesis import strategies as st

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal.pieces.chain import decode_chain, encode_chain, tail
from hexmarshal.vassal.sequence import decode, join

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
