"""Archives come back byte for byte, and a change touches only what it changes."""

from __future__ import annotations

import io
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexmarshal.errors import NotFoundError, OutputError, Place, VassalFormatError
from hexmarshal.vassal.container.archive import Archive, FileKind, build_archive

names = st.lists(
    st.text(st.sampled_from("abcXYZ09 _-äß€.("), min_size=1, max_size=8).filter(
        lambda part: part.strip(". ") != ""
    ),
    min_size=1,
    max_size=3,
).map("/".join)
contents = st.one_of(st.binary(max_size=200), st.integers(0, 5000).map(lambda n: b"hex " * n))


@st.composite
def zip_files(draw):
    """Archives such as many tools write: methods, dates, extra fields, streams, comments."""
    out = io.BytesIO()
    streamed = draw(st.booleans())
    target = _Unseekable(out) if streamed else out
    with zipfile.ZipFile(target, "w") as file:
        file.comment = draw(st.sampled_from([b"", b"made by hand"]))
        for name, data in draw(st.dictionaries(names, contents, max_size=6)).items():
            info = zipfile.ZipInfo(name, (draw(st.integers(1980, 2100)), 2, 3, 4, 5, 6))
            info.compress_type = draw(st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]))
            info.extra = draw(st.sampled_from([b"", b"\x55\x54\x05\x00\x03\x01\x02\x03\x04"]))
            info.comment = draw(st.sampled_from([b"", b"note"]))
            file.writestr(info, data)
    return out.getvalue()


class _Unseekable:
    """Makes zipfile write data descriptors, as Java does."""

    def __init__(self, out):
        self.write, self.flush = out.write, out.flush


def made(**entries: bytes) -> bytes:
    return b"".join(build_archive({n.replace("__", "/"): d for n, d in entries.items()}))


@given(zip_files(), st.integers(1, 6000))
def test_the_head_of_an_entry_is_what_it_begins_with(data, most):
    archive = Archive.from_bytes(data)
    for name in archive.names():
        whole, head = archive.read(name), archive.head(name, most)
        assert whole.startswith(head)
        assert len(head) <= most
        assert head or not whole or most < 20  # a packed entry may need that much to begin


@given(zip_files())
def test_an_archive_without_changes_is_written_back_byte_for_byte(data):
    archive = Archive.from_bytes(data)
    assert archive.to_bytes() == data
    assert archive.to_bytes({name: archive.read(name) for name in archive.names()}) == data


@given(zip_files(), st.data())
def test_a_change_leaves_every_other_entry_raw_and_in_place(data, draw):
    archive = Archive.from_bytes(data)
    changed = draw.draw(st.sampled_from([*archive.names(), "new entry"]))
    content = draw.draw(st.one_of(contents, st.none() if archive.has(changed) else st.nothing()))
    after = Archive.from_bytes(archive.to_bytes({changed: content}))

    kept = [e for e in archive.entries if e.name != changed]
    assert [e.name for e in after.entries if e.name != changed] == [e.name for e in kept]
    for old in kept:
        new = next(e for e in after.entries if e.name == old.name)
        raw = archive.to_bytes()[old.start : old.end]
        assert after.to_bytes()[new.start : new.end] == raw
        assert new.record[:42] == old.record[:42]
        assert new.record[46:] == old.record[46:]
    if content is None:
        assert not after.has(changed)
    else:
        assert after.read(changed) == content
    with zipfile.ZipFile(io.BytesIO(after.to_bytes())) as other:
        assert other.testzip() is None
        assert other.comment == zipfile.ZipFile(io.BytesIO(data)).comment


@given(st.dictionaries(names, contents, max_size=6))
def test_the_same_content_built_twice_gives_the_same_bytes(entries):
    first, second = (b"".join(build_archive(entries)) for _ in range(2))
    assert first == second
    archive = Archive.from_bytes(first)
    assert {name: archive.read(name) for name in archive.names()} == entries
    with zipfile.ZipFile(io.BytesIO(first)) as other:
        assert {name: other.read(name) for name in other.namelist()} == entries


def test_a_replaced_entry_keeps_its_place_in_the_directory():
    archive = Archive.from_bytes(made(a=b"1", b=b"2", c=b"3"))
    after = Archive.from_bytes(archive.to_bytes({"b": b"two", "d": b"4"}))
    assert after.names() == ["a", "b", "c", "d"]


def test_bytes_before_the_archive_are_kept():
    data = b"#!/bin/sh\n" + made(a=b"1", b=b"2")
    archive = Archive.from_bytes(data)
    assert archive.to_bytes() == data
    after = archive.to_bytes({"b": b"two"})
    assert after.startswith(b"#!/bin/sh\nPK")
    assert Archive.from_bytes(after).read("a") == b"1"


def test_a_changed_entry_has_a_fixed_date_unless_told():
    def date(**given) -> tuple[int, ...]:
        data = Archive.from_bytes(made()).to_bytes({"a": b"1"}, **given)
        return zipfile.ZipFile(io.BytesIO(data)).infolist()[0].date_time

    assert date() == (1980, 1, 1, 0, 0, 0)
    assert date(date=datetime(2024, 5, 6, 7, 8, 10, tzinfo=UTC)) == (2024, 5, 6, 7, 8, 10)
    with pytest.raises(OutputError, match="1979"):
        date(date=datetime(1979, 1, 1, tzinfo=UTC))


def test_folders_are_kept_but_are_no_files():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.mkdir("images")
        file.writestr("images/a.png", b"1")
    archive = Archive.from_bytes(out.getvalue())
    assert archive.names() == ["images/a.png"]
    after = archive.to_bytes({"images/a.png": b"2"})
    assert zipfile.ZipFile(io.BytesIO(after)).namelist() == ["images/", "images/a.png"]


def test_a_zip64_archive_is_read_and_its_offsets_are_moved():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name in ("a", "b"):
            with file.open(name, "w", force_zip64=True) as entry:
                entry.write(b"hello " + name.encode())
    archive = Archive.from_bytes(out.getvalue())
    after = Archive.from_bytes(archive.to_bytes({"a": b"now something longer than before"}))
    assert after.read("b") == b"hello b"


@pytest.mark.parametrize(
    ("entries", "kind"),
    [
        ({"savedGame": b"", "moduledata": b""}, FileKind.SAVE),
        ({"savedGame": b"", "buildFile.xml": b""}, FileKind.SAVE),
        ({"buildFile.xml": b"", "moduledata": b""}, FileKind.MODULE),
        ({"buildFile.xml": b"", "moduledata": b"", "extensiondata": b""}, FileKind.EXTENSION),
        ({"buildFile": b"<?xml?>\n<VASSAL.launch.BasicModule>"}, FileKind.MODULE),
        ({"buildFile": b"<VASSAL.build.GameModule>"}, FileKind.MODULE),
        ({"buildFile": b"\n" * 9 + b"<VASSAL.build.module.ModuleExtension>"}, FileKind.EXTENSION),
    ],
)
def test_the_kind_is_told_from_content(entries, kind, tmp_path):
    path = tmp_path / "anything.txt"
    path.write_bytes(b"".join(build_archive(entries)))
    assert Archive.open(path).kind is kind


@pytest.mark.parametrize(
    "entries",
    [
        {"readme.txt": b"hello"},
        {"moduledata": b""},
        {"buildFile": b"\n" * 10 + b"<VASSAL.build.GameModule>"},
    ],
)
def test_any_other_zip_has_no_kind(entries):
    with pytest.raises(VassalFormatError, match="neither a VASSAL module"):
        _ = Archive.from_bytes(b"".join(build_archive(entries))).kind


def test_a_nested_archive_says_where_it_is():
    archive = Archive.from_bytes(made(**{"a.vsav": b"not a zip"}), Place(file="m.vmod"))
    with pytest.raises(VassalFormatError) as caught:
        archive.nested("a.vsav")
    assert caught.value.place == Place(file="m.vmod", entry="a.vsav")


def test_a_missing_entry_is_named():
    with pytest.raises(NotFoundError) as caught:
        Archive.from_bytes(made()).read("images/x.png")
    assert caught.value.place.entry == "images/x.png"


def test_nothing_is_written_for_a_name_that_leads_outside():
    with pytest.raises(VassalFormatError, match="leads out"):
        Archive.from_bytes(made()).to_bytes({"../x": b""})


class TestWriting:
    @pytest.fixture
    def module(self, tmp_path) -> Path:
        path = tmp_path / "m.vmod"
        path.write_bytes(made(buildFile=b"<VASSAL.build.GameModule/>", images__a=b"1"))
        return path

    def test_onto_itself(self, module):
        archive = Archive.open(module)
        archive.write(module, {"images/a": b"2"})
        assert Archive.open(module).read("images/a") == b"2"
        with pytest.raises(VassalFormatError, match="changed on disk"):
            archive.read("buildFile")

    def test_not_onto_another_file_unless_forced(self, module, tmp_path):
        other = tmp_path / "other"
        other.write_text("mine")
        with pytest.raises(OutputError, match="exists already"):
            Archive.open(module).write(other)
        assert other.read_text() == "mine"
        Archive.open(module).write(other, force=True)
        assert other.read_bytes() == module.read_bytes()

    def test_a_failure_leaves_target_and_folder_as_they_were(self, module, tmp_path):
        before = module.read_bytes()
        with pytest.raises(VassalFormatError):
            Archive.open(module).write(module, {"new": b"", "../x": b""})
        with pytest.raises(NotFoundError):
            Archive.open(module).write(module, {"not there": None})
        assert module.read_bytes() == before
        assert list(tmp_path.iterdir()) == [module]

    def test_into_a_folder_that_is_not_there(self, module, tmp_path):
        with pytest.raises(OutputError, match="cannot be written") as refused:
            Archive.open(module).write(tmp_path / "no" / "m.vmod")
        assert ".part" not in str(refused.value)
        assert refused.value.hint == f"make the folder first: {tmp_path / 'no'}"

    def test_through_a_link_and_with_the_old_permissions(self, module, tmp_path):
        module.chmod(0o640)
        link = tmp_path / "link"
        link.symlink_to(module)
        Archive.open(link).write(link, {"images/a": b"2"})
        assert link.is_symlink()
        assert module.stat().st_mode & 0o777 == 0o640
        assert Archive.open(module).read("images/a") == b"2"


def test_a_missing_file_is_not_found(tmp_path):
    with pytest.raises(NotFoundError):
        Archive.open(tmp_path / "m.vmod")
    (tmp_path / "empty").touch()
    with pytest.raises(VassalFormatError, match="not a zip"):
        Archive.open(tmp_path / "empty")
