"""Damaged and hostile archives: one kind of error, with the place, and never a flood."""

from __future__ import annotations

import io
import struct
import tracemalloc
import warnings
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal.container.archive import Archive, build_archive
from hexmarshal.vassal.container.limits import Limits

ENTRIES = {
    "buildFile.xml": b"<VASSAL.build.GameModule/>" * 40,
    "moduledata": b"<data/>",
    "images/a.png": bytes(range(256)),
}
GOOD = b"".join(build_archive(ENTRIES))


def zipped(*entries: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with zipfile.ZipFile(out, "w", method) as file:
            for name, data in entries:
                file.writestr(name, data)
    return out.getvalue()


def read_all(data: bytes, **limits: int) -> None:
    archive = Archive.from_bytes(data, limits=Limits(**limits))
    for name in archive.names():
        archive.read(name)


def refuses(data: bytes, words: str, entry: str | None = None, **limits: int) -> None:
    with pytest.raises(VassalFormatError, match=words) as caught:
        read_all(data, **limits)
    assert caught.value.place.entry == entry


def patched(data: bytes, at: int, code: str, value: object) -> bytes:
    out = bytearray(data)
    struct.pack_into(code, out, at, value)
    return bytes(out)


def central(data: bytes) -> int:
    return data.index(b"PK\x01\x02")


def test_not_a_zip():
    refuses(b"hello", "not a zip")
    refuses(b"", "not a zip")


def test_a_truncated_zip():
    refuses(GOOD[:-30], "cut short")
    refuses(GOOD[:100], "cut short")


def test_bytes_missing_in_the_middle():
    refuses(GOOD[:60] + GOOD[90:], "does not fit|no entry where|overlaps")


@pytest.mark.parametrize(
    "name", ["../x", "/etc/x", "a/../../x", "..\\x", "C:/x", "C:\\x", "\\x", "a\\..\\x", ".."]
)
def test_names_that_lead_outside(name):
    refuses(zipped((name, b"")), "leads out", name)


@pytest.mark.parametrize("name", ["a..b", "...", "ab: c", "x/..a/y"])
def test_odd_but_harmless_names(name):
    assert Archive.from_bytes(zipped((name, b"1"))).read(name) == b"1"


def test_two_entries_of_one_name():
    refuses(zipped(("a", b"1"), ("a", b"2")), "two entries", "a")


def test_an_encrypted_entry():
    data = zipped(("a", b"1"))
    refuses(patched(data, central(data) + 8, "<H", 1), "encrypted", "a")


def test_a_method_that_vassal_has_not():
    refuses(zipped(("a", b"1" * 99), method=zipfile.ZIP_BZIP2), "method 12", "a")


def test_an_entry_of_an_unknown_method_is_still_kept_raw():
    data = zipped(("a", b"1" * 99), method=zipfile.ZIP_LZMA)
    after = Archive.from_bytes(data).to_bytes({"b": b"2"})
    assert zipfile.ZipFile(io.BytesIO(after)).read("a") == b"1" * 99


def test_a_wrong_checksum():
    data = zipped(("a", b"12345"), method=zipfile.ZIP_STORED)
    refuses(data.replace(b"12345", b"12346"), "checksum", "a")


def test_an_entry_named_otherwise_in_its_own_header():
    data = zipped(("abc", b""))
    refuses(data.replace(b"abc", b"xyz", 1), "named otherwise", "abc")


def test_entries_that_share_their_bytes():
    data = zipped(("a", b"1"), ("b", b"2"))
    second = data.index(b"PK\x01\x02", central(data) + 1)
    refuses(patched(data, second + 42, "<I", 0), "overlaps", "b")


def test_a_header_that_promises_less_than_it_inflates_to():
    data = zipped(("a", b"0" * 10_000_000))
    tracemalloc.start()
    refuses(patched(data, central(data) + 24, "<I", 100), "more than the 100 bytes", "a")
    assert tracemalloc.get_traced_memory()[1] < 1_000_000
    tracemalloc.stop()


def test_a_header_that_promises_more():
    data = zipped(("a", b"0" * 100))
    refuses(patched(data, central(data) + 24, "<I", 200), "not 200 as announced", "a")


class TestLimits:
    BOMB = zipped(("a", b"0" * 2_000_000), ("b", b"0" * 2_000_000))

    def test_ratio(self):
        refuses(self.BOMB, "zip bomb", "a", ratio=100, ratio_floor=1_000_000)
        read_all(self.BOMB)
        read_all(self.BOMB, ratio=100, ratio_floor=3_000_000)

    def test_one_entry(self):
        refuses(self.BOMB, "for one entry", "a", entry_size=1_999_999)
        read_all(self.BOMB, entry_size=2_000_000)

    def test_total(self):
        refuses(self.BOMB, "in all", total_size=3_999_999)
        read_all(self.BOMB, total_size=4_000_000)

    def test_count(self):
        refuses(self.BOMB, "2 entries", entries=1)

    def test_the_default_refuses_a_real_bomb(self):
        data = zipped(("a", bytes(64 << 20)))
        refuses(data, "zip bomb", "a")


@given(st.data())
def test_a_flipped_or_missing_byte_gives_only_our_error(data):
    broken = bytearray(GOOD)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(broken) - 1))
        if data.draw(st.booleans()):
            broken[at] = data.draw(st.integers(0, 255))
        else:
            del broken[at : at + data.draw(st.integers(1, 50))]
        if not broken:
            break
    tried = bytes(broken)
    try:
        archive = Archive.from_bytes(tried)
        for name in archive.names():
            archive.read(name)
        archive.to_bytes({"new": b"1"})
    except VassalFormatError:
        pass


@given(st.binary(max_size=300))
def test_noise_gives_only_our_error(noise):
    for data in (noise, b"PK\x03\x04" + noise, noise + GOOD[GOOD.index(b"PK\x05\x06") :]):
        with pytest.raises(VassalFormatError):
            read_all(data)


@pytest.mark.parametrize(
    ("content", "hint"),
    [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "git lfs pull"),
        (b"\r\n<!DOCTYPE html><html>", "the download went wrong"),
        (b"<html><body>Sign in", "the download went wrong"),
        (b"Rar!\x1a\x07", "unpack it"),
        (b"7z\xbc\xaf\x27\x1c", "unpack it"),
    ],
)
def test_what_people_have_by_mistake_is_told_by_its_name(content, hint):
    with pytest.raises(VassalFormatError, match="not a zip archive") as caught:
        Archive.from_bytes(content)
    assert hint in caught.value.hint
