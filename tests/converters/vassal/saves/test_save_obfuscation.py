"""The veil over a savedGame entry."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal.container.obfuscation import PLAIN, Veil, obfuscate, reveal


@given(st.text(), st.integers(0, 255), st.booleans())
def test_any_text_survives_under_any_key(text: str, key: int, upper: bool):
    data = obfuscate(text, Veil(key, upper_case=upper))
    found, veil = reveal(data)
    assert found == text
    assert veil.key == key
    assert obfuscate(found, veil) == data


@given(st.binary(), st.one_of(st.none(), st.integers(0, 255)))
def test_any_bytes_survive_whatever_their_encoding(raw: bytes, key: int | None):
    data = (
        raw
        if key is None
        else b"!VCSK" + bytes([key]).hex().encode() + bytes(b ^ key for b in raw).hex().encode()
    )
    if key is None and raw.startswith(b"!VCSK"):
        return
    text, veil = reveal(data)
    assert obfuscate(text, veil) == data


def test_a_known_vector_reveals():
    assert reveal(b"!VCSK0163646668") == ("begi", Veil(1))


def test_upper_case_digits_are_read_and_written_again():
    data = obfuscate("begin_save", Veil(0xAB)).upper()
    text, veil = reveal(data)
    assert text == "begin_save"
    assert obfuscate(text, veil) == data


def test_text_without_a_header_is_plain():
    assert reveal(b"begin_save") == ("begin_save", PLAIN)
    assert obfuscate("begin_save", PLAIN) == b"begin_save"


def test_old_latin_1_keeps_its_bytes_until_a_new_letter_needs_utf_8():
    data = obfuscate("M\u00fcller", Veil(7, encoding="latin-1"))
    text, veil = reveal(data)
    assert text == "M\u00fcller"
    assert veil.encoding == "latin-1"
    assert obfuscate(text, veil) == data
    assert reveal(obfuscate(text + "\u0416", veil))[0] == text + "\u0416"


@pytest.mark.parametrize(
    "data", [b"!VCSK", b"!VCSK4", b"!VCSKzz", b"!VCSK001", b"!VCSK00zz", b"!VCSK00 1"]
)
def test_broken_digits_are_refused(data: bytes):
    with pytest.raises(VassalFormatError, match="hexadecimal"):
        reveal(data)


def test_half_a_surrogate_pair_is_refused():
    with pytest.raises(VassalFormatError):
        obfuscate("\ud800", Veil(0))
