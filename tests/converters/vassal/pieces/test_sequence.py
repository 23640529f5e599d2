"""The sequence codec: the vectors of the format, random lists, and time linear in the input."""

from __future__ import annotations

import pytest
from growth import LINEAR, growth
from hypothesis import given
from hypothesis import strategies as st

from hexmarshal.vassal.sequence import (
    SequenceReader,
    decode,
    encode,
    is_representable,
    java_double,
    java_int,
    join,
    split,
    unescape,
)

VECTORS = [
    ([""], ""),
    (["a", ""], "a,"),
    (["", "", ""], ",,"),
    (["a", "b,c"], r"a,b\,c"),
    ([",a"], r"\,a"),
    (["a,,b"], r"a\,\,b"),
    (["\\"], r"'\'"),
    ([r"\x", "y"], r"'\x',y"),
    ([r"\,"], r"'\\,'"),
    (["'a'"], "''a''"),
    (["'"], "'''"),
    (["''"], "''''"),
    (["it's"], "it's"),
    (["'a", "b'"], "'a,b'"),
    (["A", r"B,C\,D"], r"A,B\,C\\,D"),
]


def reference_decode(v: str, d: str) -> list[str]:
    """The definition, character by character; slow on purpose."""
    tokens, start, n = [], 0, len(v)
    while True:
        if start == n:
            return [*tokens, ""]
        token, i, hit = "", start, False
        while i < n:
            if v[i] == d:
                if i > 0 and v[i - 1] == "\\":
                    token, start = token + v[start : i - 1], i
                else:
                    token, start, hit = token + v[start:i], i + 1, True
                    break
            i += 1
        if not hit:
            token += v[start:]
        if len(token) > 1 and token[0] == "'" == token[-1]:
            token = token[1:-1]
        tokens.append(token)
        if not hit:
            return tokens


@pytest.mark.parametrize(("tokens", "text"), VECTORS)
def test_vectors(tokens, text):
    assert encode(tokens, ",") == text
    assert decode(text, ",") == tokens
    assert is_representable(tokens)


def test_an_empty_list_has_no_value():
    assert encode([], ",") is None
    assert decode(None, ",") == []
    assert join([], ",") == ""


def test_decoding_only():
    assert decode("'x'", ",") == ["x"]
    assert decode("''", ",") == [""]
    assert decode("'", ",") == ["'"]


def test_an_element_that_ends_in_a_backslash_is_lost_and_known_to_be():
    assert encode(["a\\", "b"], ",") == r"a\,b"
    assert decode(r"a\,b", ",") == ["a,b"]
    assert not is_representable(["a\\", "b"])
    assert is_representable(["a", "b\\"])


ticklish = st.text(alphabet=["\\", "'", ",", ";", "a", "\t", "\ud800", "ß", "😀"], max_size=8)


@given(ticklish, st.sampled_from(",;\t"))
def test_decode_agrees_with_the_definition(text, delimiter):
    assert decode(text, delimiter) == reference_decode(text, delimiter)


@given(ticklish, st.sampled_from(",;\t"))
def test_split_is_exact(text, delimiter):
    assert delimiter.join(split(text, delimiter)) == text


@given(st.lists(ticklish, min_size=1, max_size=6), st.sampled_from(",;\t"))
def test_representable_lists_survive_and_only_they_do(tokens, delimiter):
    text = encode(tokens, delimiter)
    assert (decode(text, delimiter) == tokens) == is_representable(tokens)


@given(st.lists(st.none() | ticklish, min_size=1, max_size=4))
def test_null_is_written_like_the_empty_text(tokens):
    assert encode(tokens, ";") == encode([t or "" for t in tokens], ";")


@pytest.mark.parametrize("text", ["\\,", ",'", "'\\", "\\"])
def test_hostile_text_takes_linear_time(text):
    assert growth(lambda size: decode(text * size + ",", ","), 20_000) < LINEAR


def test_reader_gives_defaults_for_what_is_missing_or_does_not_parse():
    reader = SequenceReader("7;x;true;yes;;c1;a,b", ";")
    assert reader.integer(1) == 7
    assert reader.integer(1) == 1
    assert reader.boolean() is True
    assert reader.boolean(True) is False
    assert reader.optional("255,0,0") is None
    assert reader.char("z") == "c"
    assert reader.strings(at_least=3) == ["a", "b", None]
    assert not reader.has_more
    assert (reader.text("d"), reader.boolean(True), reader.optional("1,2,3")) == (
        "d",
        True,
        "1,2,3",
    )
    assert reader.decimal(0.3) == 0.3
    assert reader.strings() == []


def test_numbers_are_read_as_java_reads_them():
    assert [java_int(t) for t in ("+5", "-5", "", "1_0", " 1", "2147483648", "9" * 5000)] == [
        5, -5, None, None, None, None, None,
    ]  # fmt: skip
    assert [java_double(t) for t in ("1.0E-5", " .5 ", "3.", "1f", "1_0", "x", "")] == [
        1e-5, 0.5, 3.0, 1.0, None, None, None,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("2147483647", 0x7FFFFFFF),
        ("-2147483648", -0x80000000),
        ("2147483648", None),
        ("-2147483649", None),
        ("99999999999", None),
    ],
)
def test_a_whole_number_has_32_bits(text, number):
    assert java_int(text) == number


def test_a_quote_alone_is_no_quoted_text():
    assert unescape("'", ",") == "'"
    assert unescape("''", ",") == ""
    assert decode("','',a'", ",") == ["'", "", "a'"]
