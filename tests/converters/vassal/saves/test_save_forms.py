"""The forms of saved games: 3.7's, 3.8's and those between, read, kept and chosen."""

from __future__ import annotations

import lzma
import zipfile
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from saved_games import ANN, a_game, concealment, unit

from hexmarshal.errors import UsageError, VassalFormatError
from hexmarshal.vassal.container.archive import Archive, build_archive
from hexmarshal.vassal.container.limits import Limits
from hexmarshal.vassal.container.obfuscation import Veil, obfuscate, reveal
from hexmarshal.vassal.container.saved_forms import Form, engine_for, form_of, form_of_engine
from hexmarshal.vassal.privacy.secrets import find_user_ids, scrub
from hexmarshal.vassal.roundtrip import roundtrip
from hexmarshal.vassal.saves.salvage import salvage
from hexmarshal.vassal.saves.savedata import save_entries
from hexmarshal.vassal.saves.savegame import SAVED_GAME, SavedGame
from hexmarshal.vassal.textform import pack, unpack

TEXT = SavedGame.from_state(a_game(unit("1"), concealment(ANN, "2"))).text
RAW = TEXT.encode()


def xor(raw: bytes, key: int) -> bytes:
    return bytes([key, *(byte ^ key for byte in raw)])


def bare_deflate(raw: bytes) -> bytes:
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    return packer.compress(raw) + packer.flush()


# Each as the layout is written down, made without the code under test.
BY_HAND = {
    Form.PLAIN: RAW,
    Form.HEX: b"!VCSK" + xor(RAW, 7).hex().encode(),
    Form.XZ: lzma.compress(RAW, preset=6),
    Form.XOR: b"VOBS" + xor(RAW, 9),
    Form.XOR_MARKED: b"!VOBS" + xor(RAW, 255),
    Form.XOR_XZ: b"!VOXZ" + xor(lzma.compress(RAW, preset=0, check=lzma.CHECK_CRC32), 33),
    Form.HEX_ZLIB: b"!VCSZ" + xor(zlib.compress(RAW), 5).hex().encode(),
    Form.HEX_DEFLATE: b"!VCSZ" + xor(bare_deflate(RAW), 5).hex().encode(),
}


def save_of(data: bytes, path: Path, version: str = "3.8.0") -> Path:
    entries = save_entries("Game", "1", vassal_version=version)
    path.write_bytes(b"".join(build_archive({SAVED_GAME: data, **entries})))
    return path


@pytest.mark.parametrize("form", Form, ids=lambda form: form.value)
def test_every_form_is_read_and_told(form: Form):
    text, veil = reveal(BY_HAND[form])
    assert text == TEXT
    assert veil.form is form
    assert reveal(obfuscate(text, veil)) == (text, veil)


@pytest.mark.parametrize("form", Form, ids=lambda form: form.value)
def test_what_is_not_changed_comes_back_byte_for_byte(form: Form, tmp_path: Path):
    path, again = save_of(BY_HAND[form], tmp_path / "a.vsav"), tmp_path / "b.vsav"
    saved = SavedGame.open(path)
    assert saved.state().pieces.keys() == {"1", "2"}
    saved.save(again)
    assert again.read_bytes() == path.read_bytes()
    assert roundtrip(path).identical
    saved.with_entries({"notes": b"x"}).save(again, force=True)
    assert Archive.open(again).read(SAVED_GAME) == BY_HAND[form]


@pytest.mark.parametrize("form", Form, ids=lambda form: form.value)
def test_a_change_keeps_the_form(form: Form, tmp_path: Path):
    path = save_of(BY_HAND[form], tmp_path / "a.vsav")
    clean = scrub(SavedGame.open(path))
    clean.save(tmp_path / "b.vsav")
    back = SavedGame.open(tmp_path / "b.vsav")
    assert back.veil.form is form
    assert ANN not in back.text
    assert back.state().pieces.keys() == {"1", "2"}


@pytest.mark.parametrize("form", Form, ids=lambda form: form.value)
def test_the_text_form_brings_every_form_back(form: Form, tmp_path: Path):
    path = save_of(BY_HAND[form], tmp_path / "a.vsav")
    unpack(Archive.open(path), tmp_path / "a")
    pack(tmp_path / "a", tmp_path / "b.vsav")
    assert (tmp_path / "b.vsav").read_bytes() == path.read_bytes()
    game = tmp_path / "a" / "savedGame.txt"
    game.write_text(game.read_text().replace("1st Army", "2nd Army"))
    pack(tmp_path / "a", tmp_path / "c.vsav")
    edited = SavedGame.open(tmp_path / "c.vsav")
    assert edited.veil.form is form
    assert edited.text == TEXT.replace("1st Army", "2nd Army")


@given(st.text(), st.integers(1, 255), st.sampled_from(Form), st.booleans())
def test_any_text_survives_in_any_form(text: str, key: int, form: Form, upper: bool):
    if form is Form.PLAIN and form_of(text.encode()) is not Form.PLAIN:
        return
    layout = form.layout
    veil = Veil(key if layout.keyed else None, upper and layout.hex, form=form)
    data = obfuscate(text, veil)
    found, seen = reveal(data)
    assert found == text
    assert seen.form is form or (form is Form.HEX_DEFLATE and seen.form is Form.HEX_ZLIB)
    assert obfuscate(found, seen) == data


@given(st.sampled_from([f for f in Form if f is not Form.PLAIN]), st.data())
def test_a_mangled_entry_is_a_clear_error_or_some_text(form: Form, data: st.DataObject):
    whole = BY_HAND[form]
    cut = data.draw(st.integers(0, len(whole)))
    junk = data.draw(st.binary(max_size=4))
    try:
        text, _ = reveal(whole[:cut] + junk)
    except VassalFormatError:
        return
    assert isinstance(text, str)


def test_streams_may_follow_each_other_but_nothing_else_may():
    half = len(RAW) // 2
    two = lzma.compress(RAW[:half]) + b"\0" * 4 + lzma.compress(RAW[half:])
    assert reveal(two)[0] == TEXT
    with pytest.raises(VassalFormatError, match="follow the end of the XZ stream"):
        reveal(lzma.compress(RAW) + b"junk")


@pytest.mark.parametrize(
    "data",
    [
        lzma.compress(bytes(40 << 20), preset=1),
        b"!VOXZ" + xor(lzma.compress(bytes(40 << 20), preset=1), 3),
        b"!VCSZ" + xor(zlib.compress(bytes(40 << 20)), 3).hex().encode(),
    ],
    ids=["xz", "voxz", "vcsz"],
)
def test_a_bomb_is_refused_as_in_zips(data: bytes, tmp_path: Path):
    path = save_of(data, tmp_path / "bomb.vsav")
    with pytest.raises(VassalFormatError, match="as in a zip bomb") as caught:
        _ = SavedGame.open(path).root
    assert "HEXMARSHAL_LIMITS" in caught.value.hint
    with pytest.raises(VassalFormatError, match="more than the limit of 1000"):
        reveal(lzma.compress(bytes(5000)), Limits(entry_size=1000))


def test_a_stream_that_asks_for_too_much_memory_is_refused():
    hungry = bytearray(lzma.compress(b"x", filters=[{"id": lzma.FILTER_LZMA2, "preset": 0}]))
    # The dictionary's size is one byte of the block header, which its own checksum covers.
    at = hungry.index(b"\x21\x01") + 2
    hungry[at] = 38
    start, size = 12, (hungry[12] + 1) * 4
    hungry[start + size - 4 : start + size] = zlib.crc32(hungry[start : start + size - 4]).to_bytes(
        4, "little"
    )
    with pytest.raises(VassalFormatError, match="Memory usage limit"):
        reveal(bytes(hungry))


def test_a_form_is_chosen_and_the_metadata_stay_true(tmp_path: Path):
    path = save_of(BY_HAND[Form.HEX], tmp_path / "a.vsav", "3.7.12")
    new = SavedGame.open(path).in_form(form_of_engine("3.8"))
    new.save(tmp_path / "b.vsav")
    back = SavedGame.open(tmp_path / "b.vsav")
    assert zipfile.ZipFile(tmp_path / "b.vsav").read(SAVED_GAME).startswith(b"\xfd7zXZ\0")
    assert back.veil.form is Form.XZ
    assert back.text == TEXT
    assert back.save_metadata is not None
    assert back.save_metadata.vassal_version == "3.8.0"
    old = back.in_form(form_of_engine("3.7"))
    assert old.save_metadata is not None
    assert old.save_metadata.vassal_version == "3.7.0"
    assert old.to_bytes() == SavedGame.open(path).in_form(Form.XZ).in_form(Form.HEX).to_bytes()
    assert old.veil.key not in {None, 0}
    assert ANN.encode().hex().encode() not in Archive.from_bytes(old.to_bytes()).read(SAVED_GAME)
    same = SavedGame.open(path)
    assert same.in_form(Form.HEX) is same
    with pytest.raises(UsageError, match=r"no form of saved games is called '3\.6'"):
        form_of_engine("3.6")


def test_the_version_of_the_engine_follows_the_form_only_where_it_must():
    assert engine_for(Form.XZ, "3.9.1") == "3.9.1"
    assert engine_for(Form.XZ, "") == "3.8.0"
    assert engine_for(Form.HEX, "3.6.4") == "3.6.4"
    assert engine_for(Form.HEX, "3.10.0") == "3.7.0"


def test_a_log_of_3_8_that_is_cut_short_is_salvaged(tmp_path: Path):
    text = TEXT + "".join(f"\x1bLOG\tCHAT<Ann> - line {n} {n * 7919}" for n in range(20000))
    packed = lzma.compress(text.encode(), preset=3)
    path = tmp_path / "cut.vlog"
    data = b"".join(build_archive({SAVED_GAME: packed}))
    path.write_bytes(data[: len(data) * 3 // 4])
    found = salvage(path)
    assert found is not None
    assert found.has_start
    assert 100 < sum(1 for _ in found.saved.log_part()) < 20000


def test_ids_are_found_in_every_form():
    for data in BY_HAND.values():
        archive = Archive.from_bytes(b"".join(build_archive({SAVED_GAME: data})))
        assert ANN in find_user_ids(SavedGame.from_archive(archive).root)
