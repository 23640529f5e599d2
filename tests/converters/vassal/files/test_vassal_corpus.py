"""Files that real engines wrote come back identical, and every stock part of them is typed."""

from __future__ import annotations

import difflib
import zipfile

import pytest

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal.components import ExtensionElement, GlobalOptions
from hexmarshal.vassal.container.archive import Archive, FileKind
from hexmarshal.vassal.container.metadata import Metadata
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.xml.component_paths import ComponentPath


def archives(corpus):
    return [p for p in sorted(corpus.rglob("*")) if p.is_file() and zipfile.is_zipfile(p)]


def build_files(corpus):
    return [*sorted((corpus / "buildfiles").iterdir()), *sorted((corpus / "extensions").iterdir())]


def test_every_archive_round_trips_and_reads_as_the_standard_library_does(corpus, tmp_path):
    for path in archives(corpus):
        archive = Archive.open(path)
        archive.write(tmp_path / "copy", force=True)
        assert (tmp_path / "copy").read_bytes() == path.read_bytes(), path
        with zipfile.ZipFile(path) as other:
            assert archive.names() == other.namelist()
            assert all(archive.read(name) == other.read(name) for name in archive.names())


def test_kinds_and_metadata(corpus):
    for path in archives(corpus):
        archive = Archive.open(path)
        if path.suffix in {".vsav", ".vlog"}:
            assert archive.kind is FileKind.SAVE
        elif path.suffix == ".vmdx":
            assert archive.kind is FileKind.EXTENSION
        elif path.suffix == ".vmod":
            assert archive.kind is FileKind.MODULE
        else:
            with pytest.raises(VassalFormatError):
                _ = archive.kind
        for name in {"moduledata", "extensiondata", "savedata"} & set(archive.names()):
            metadata = Metadata.parse(archive.read(name))
            assert metadata.vassal_version
            assert metadata.document.style.document(metadata.document.root) == archive.read(name)


def test_build_files_are_written_as_their_engines_wrote_them(corpus):
    for path in build_files(corpus):
        document = Module.open(path).document
        source = document.to_bytes()
        assert document.style.document(document.root) == source, path


def test_every_attribute_of_a_stock_component_is_declared_and_reads(corpus):
    for path in build_files(corpus):
        module = Module.open(path)
        for component in module.walk():
            if not component.stock:
                continue
            for name, text in component.element.items():
                if not isinstance(component, GlobalOptions):
                    assert name in component.declared, component
                declared = component.declared.get(name)
                assert (
                    declared is None or declared._decode(text) is not None or text in {"", "null"}
                )


def test_every_component_is_found_by_its_path(corpus):
    for path in build_files(corpus):
        module = Module.open(path)
        for component in module.walk():
            if not isinstance(component, ExtensionElement):
                found = module.resolve(str(ComponentPath.to(component)))
                assert found.class_name == component.class_name


def test_one_changed_piece_is_one_changed_line(corpus):
    for path in build_files(corpus):
        module = Module.open(path)
        before = module.document.to_bytes().decode().splitlines()
        slot = list(module.slots())[7]
        slot.name += " changed"
        after = module.document.to_bytes().decode().splitlines()
        lines = [x for x in difflib.unified_diff(before, after, n=0) if x[:2] not in {"--", "++"}]
        assert [x[0] for x in lines] == ["@", "-", "+"], path
