"""Modules as a whole: opened, searched, changed and saved."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexmarshal.errors import NotFoundError, Place, UsageError, VassalFormatError
from hexmarshal.vassal.components import Board, Map, PieceSlot, PieceWindow, TabWidget
from hexmarshal.vassal.container.archive import Archive, build_archive
from hexmarshal.vassal.container.metadata import Metadata
from hexmarshal.vassal.images.image_lookup import find_image
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.xml.component_paths import ComponentPath, Step
from hexmarshal.vassal.xml.component_query import Query
from hexmarshal.vassal.xml.xmlio import Document

# `</>` closes a piece: to keep the lines short.
BUILD = re.sub(
    rb"<(\S+)([^<]*)</>",
    rb"<\1\2</\1>",
    b"""<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<VASSAL.build.GameModule name="Demo" version="1.2">
    <VASSAL.build.module.Map mapName="Main">
        <VASSAL.build.module.map.BoardPicker>
            <VASSAL.build.module.map.boardPicker.Board image="map" name="East"/>
        </VASSAL.build.module.map.BoardPicker>
    </VASSAL.build.module.Map>
    <my.OwnMap mapName="Own">
        <my.OwnBoardPicker/>
    </my.OwnMap>
    <VASSAL.build.module.PrototypesContainer>
        <VASSAL.build.module.PrototypeDefinition name="Unit">+/null/piece;;;;/null;0;0;</>
    </VASSAL.build.module.PrototypesContainer>
    <VASSAL.build.module.PieceWindow name="Units">
        <VASSAL.build.widget.TabWidget>
            <VASSAL.build.widget.TabWidget entryName="a/b:c">
                <VASSAL.build.widget.PieceSlot entryName="Inf 1" gpid="1">+/null/piece;;;i.png;/1</>
                <VASSAL.build.widget.PieceSlot entryName="Inf 2" gpid="2">+/null/piece;;;i.png;/2</>
                <VASSAL.build.widget.CardSlot entryName="Ace" gpid="3">+/null/piece;;;a.png;/3</>
            </VASSAL.build.widget.TabWidget>
        </VASSAL.build.widget.TabWidget>
    </VASSAL.build.module.PieceWindow>
</VASSAL.build.GameModule>
""",
)
DATA = b"""<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<data version="1">
  <version>1.2</version>
  <VassalVersion>3.6.7</VassalVersion>
  <dateSaved>1700000000000</dateSaved>
  <description>Demo</description>
  <description lang="de">Vorf\xc3\xbchrung</description>
  <future>kept</future>
  <name>Demo</name>
</data>
"""
SLOT = "VASSAL.build.widget.PieceSlot"
TAB = "VASSAL.build.widget.TabWidget"


def archive(**more: bytes) -> Archive:
    entries = {"moduledata": DATA, "buildFile.xml": BUILD, "images/map.gif": b"GIF"}
    return Archive.from_bytes(b"".join(build_archive(entries | more)), Place(file="demo.vmod"))


@pytest.fixture
def module() -> Module:
    return Module.from_archive(archive())


def test_what_a_module_tells(module):
    assert (module.name, module.version, module.is_extension) == ("Demo", "1.2", False)
    assert module.buildfile_name == "buildFile.xml"
    assert [s.name for s in module.slots()] == ["Inf 1", "Inf 2", "Ace"]
    assert [m.name for m in module.maps()] == ["Main", "Own"]
    assert module.prototypes()["Unit"].text == "+/null/piece;;;;/null;0;0;"
    slot = next(module.slots())
    place = module.place_of(slot)
    assert (place.file, place.entry, place.line) == ("demo.vmod", "buildFile.xml", 17)


def test_untouched_it_is_the_same_file(module, tmp_path):
    list(module.walk())
    module.save(tmp_path / "copy")
    assert (tmp_path / "copy").read_bytes() == archive().to_bytes()


def test_a_change_is_one_line(module, tmp_path):
    next(module.slots()).name = "Inf 0"
    module.changes["images/new.png"] = b"PNG"
    module.changes["images/map.gif"] = None
    module.save(tmp_path / "copy")
    after = Archive.open(tmp_path / "copy")
    assert after.names() == ["moduledata", "buildFile.xml", "images/new.png"]
    assert after.read("buildFile.xml") == BUILD.replace(b'"Inf 1"', b'"Inf 0"')
    assert after.read("moduledata") == DATA


def test_a_bare_build_file_is_a_module_too(tmp_path):
    path = tmp_path / "any"
    path.write_bytes(BUILD)
    module = Module.open(path)
    assert module.name == "Demo"
    module.save(path)
    assert path.read_bytes() == BUILD
    next(module.each(Board)).name = "West"
    module.save(path)
    assert path.read_bytes() == BUILD.replace(b'"East"', b'"West"')


def test_a_new_module_opens_and_is_reproducible(tmp_path):
    def make() -> Module:
        made = Module.create("New", description="A test", date_saved=1)
        made.root.add(Map, {"mapName": "Main"})
        made.changes["images/a.png"] = b"PNG"
        return made

    assert make().to_bytes() == make().to_bytes()
    make().save(tmp_path / "new.vmod")
    again = Module.open(tmp_path / "new.vmod")
    assert again.name == "New"
    assert again.metadata.vassal_version == "3.7.0"
    assert [m.name for m in again.maps()] == ["Main"]
    assert again.image("a.png") == b"PNG"


class TestBuildFileByVersion:
    def test_old_metadata_read_the_old_name(self):
        old = DATA.replace(b"3.6.7", b"3.4.13")
        module = Module.from_archive(archive(moduledata=old, buildFile=BUILD))
        assert module.buildfile_name == "buildFile"

    def test_there_is_no_fallback(self):
        old = DATA.replace(b"3.6.7", b"3.4.13")
        with pytest.raises(VassalFormatError, match="reads buildFile by") as caught:
            Module.from_archive(archive(moduledata=old))
        assert "3.4.13" in caught.value.hint

    def test_a_save_is_no_module(self):
        with pytest.raises(VassalFormatError, match="saved game"):
            Module.from_archive(archive(savedGame=b""))


class TestPaths:
    TEXT = rf"VASSAL.build.module.PieceWindow:Units/{TAB}/{TAB}:a\/b\:c/{SLOT}:Inf 2"

    def test_every_component_is_found_by_its_path(self, module):
        for component in module.walk():
            path = ComponentPath.to(component)
            assert module.resolve(str(path)) == component
            assert ComponentPath.parse(str(path)) == path

    def test_the_notation(self, module):
        slot = list(module.slots())[1]
        assert str(ComponentPath.to(slot)) == self.TEXT
        assert ComponentPath.parse(self.TEXT).steps[1:3] == (Step(TAB, None), Step(TAB, "a/b:c"))
        assert module.resolve("") == module.root

    def test_another_name_will_do_if_the_rest_is_found(self, module):
        path = f"VASSAL.build.module.PieceWindow:Renamed/{TAB}"
        assert isinstance(module.resolve(path), TabWidget)
        assert isinstance(module.resolve("VASSAL.build.module.PieceWindow"), PieceWindow)

    def test_a_path_that_leads_nowhere_says_how_far_it_led(self, module):
        with pytest.raises(NotFoundError, match=r"no .*Chart named 'x'") as caught:
            module.resolve(
                f"VASSAL.build.module.PieceWindow:Units/{TAB}/VASSAL.build.widget.Chart:x"
            )
        assert caught.value.place.field == f"VASSAL.build.module.PieceWindow:Units/{TAB}"

    def test_components_of_an_extension_have_the_path_they_will_have(self):
        document = Document.parse(
            b"<VASSAL.build.module.ModuleExtension>"
            b'<VASSAL.build.module.ExtensionElement target="a.B:c"><d.E name="f"/>'
            b"</VASSAL.build.module.ExtensionElement></VASSAL.build.module.ModuleExtension>"
        )
        extension = Module(document)
        own = next(extension.query("E"))
        assert str(ComponentPath.to(own)) == "a.B:c/d.E:f"
        assert extension.resolve("a.B:c/d.E:f") == own
        with pytest.raises(NotFoundError):
            extension.resolve("a.B:c")


class TestQueries:
    @pytest.mark.parametrize(
        ("query", "names"),
        [
            ("PieceSlot", ["Inf 1", "Inf 2"]),
            ("*Slot", ["Inf 1", "Inf 2", "Ace"]),
            ("VASSAL.build.widget.*Slot", ["Inf 1", "Inf 2", "Ace"]),
            ("PieceSlot[gpid=2]", ["Inf 2"]),
            ("*Slot[gpid!='2']", ["Inf 1", "Ace"]),
            ("*Slot[entryName=~'Inf.*']", ["Inf 1", "Inf 2"]),
            ("*Slot[entryName=~Inf]", []),
            ("[gpid][name='Inf 1']", ["Inf 1"]),
            ('*[text=~".*i\\.png.*"]', ["Inf 1", "Inf 2"]),
            ("PieceWindow CardSlot", ["Ace"]),
            ("PieceWindow[name=Units] TabWidget CardSlot", ["Ace"]),
            ("PieceWindow > CardSlot", []),
            ("TabWidget > CardSlot", ["Ace"]),
            ("TabWidget > TabWidget>CardSlot", ["Ace"]),
            ("Map Board", ["East"]),
            ("OwnMap", ["Own"]),
            ("Nothing", []),
        ],
    )
    def test_find(self, module, query, names):
        assert [c.name for c in module.query(query)] == names

    @pytest.mark.parametrize(
        "query", ["", " ", ">", "Map >", "> Map", "Map[", "Map[x", "Map]", "Map[x=~'(']", "a|b"]
    )
    def test_nonsense_is_a_usage_error(self, query):
        with pytest.raises(UsageError):
            Query.parse(query)


class TestMetadata:
    def test_reading(self):
        metadata = Metadata.parse(DATA)
        assert (metadata.version, metadata.vassal_version) == ("1.2", "3.6.7")
        assert metadata.date_saved == 1_700_000_000_000
        assert metadata.translations("description") == {"de": "Vorführung"}
        assert metadata.get("future") == "kept"
        assert metadata.get("extra1") is None
        assert not metadata.universal

    def test_writing_keeps_what_is_unknown_and_the_engines_order(self):
        metadata = Metadata.parse(DATA)
        assert metadata.to_bytes() == DATA
        metadata.set("extra1", "x")
        metadata.set("VassalVersion", "3.7.1")
        expected = DATA.replace(b"</version>\n", b"</version>\n  <extra1>x</extra1>\n")
        assert metadata.to_bytes() == expected.replace(b"3.6.7", b"3.7.1")
        metadata.set("description", None)
        assert metadata.get("description") is None

    def test_empty_elements_as_old_engines_wrote_them(self):
        old = b'<data version="1">\n  <version></version>\n</data>\n'
        metadata = Metadata.parse(old)
        metadata.set("description", "")
        assert b"  <version></version>\n  <description></description>\n" in metadata.to_bytes()

    def test_new_metadata_is_in_the_engines_order(self):
        made = Metadata.create({"name": "N", "version": "1", "extra1": ""})
        assert made.to_bytes().decode().split("\n")[1:] == [
            '<data version="1">',
            "  <version>1</version>",
            "  <extra1/>",
            "  <name>N</name>",
            "</data>",
            "",
        ]

    def test_another_root_is_refused(self):
        with pytest.raises(VassalFormatError, match="not data"):
            Metadata.parse(b"<x/>")

    @pytest.mark.parametrize(
        ("version", "old"),
        [
            ("2.9b2", True),
            ("3.4.13", True),
            ("3.5.0", False),
            ("3.10.1", False),
            ("4", False),
            ("", True),
        ],
    )
    def test_which_build_file(self, version, old):
        assert Metadata.create({"VassalVersion": version}).uses_old_build_file is old


class TestImages:
    def found(self, name: str, *archives: list[str], lang: str | None = None):
        place = find_image(name, [set(a).__contains__ for a in archives], lang)
        return place and (place.entry, place.archive)

    def test_order_of_search(self):
        assert self.found("a.png", ["images/a.png"]) == ("images/a.png", 0)
        assert self.found("cu/a.png", [], ["images/cu/a.png"]) == ("images/cu/a.png", 1)
        assert self.found("night", ["images/night.gif"]) == ("images/night.gif", 0)
        assert self.found("night", ["images/night.png"]) is None
        assert self.found("A.png", ["images/a.png"]) is None
        assert self.found("x", ["images/x.gif"], ["images/x"]) == ("images/x", 1)
        assert self.found("", ["images/"]) is None

    def test_a_language_comes_first(self):
        both = ["images/a.png", "images_de/a.png"]
        assert self.found("a.png", both, lang="de") == ("images_de/a.png", 0)
        assert self.found("a.png", both, lang="fr") == ("images/a.png", 0)

    def test_names_are_tried_decomposed(self):
        entry = unicodedata.normalize("NFD", "images/für.png")
        assert self.found("für.png", [entry]) == (entry, 0)

    def test_the_engines_own_are_not_in_the_module(self, module):
        assert module.find_image("/images/map.gif").in_engine
        assert module.image("/images/map.gif") is None

    def test_bytes_of_an_image(self, module):
        assert module.image("map") == b"GIF"
        module.changes["images/map.gif"] = b"new"
        assert module.image("map") == b"new"
        module.changes["images/map.gif"] = None
        assert module.image("map") is None
        extension = Module.from_archive(archive(**{"images/x.png": b"X"}))
        module.extensions.append(extension)
        assert module.image("x.png") == b"X"


def test_a_slot_is_a_slot_by_type(module):
    assert all(isinstance(slot, PieceSlot) for slot in module.slots())


@given(st.data())
def test_a_mutated_module_gives_only_our_errors(data):
    build, info = bytearray(BUILD), bytearray(DATA)
    for target in (build, info):
        for _ in range(data.draw(st.integers(0, 3))):
            target[data.draw(st.integers(0, len(target) - 1))] = data.draw(st.integers(0, 255))
    try:
        module = Module.from_archive(
            archive(**{"buildFile.xml": bytes(build), "moduledata": bytes(info)})
        )
        assert module.to_bytes() == module.archive.to_bytes()
        for component in module.walk():
            str(ComponentPath.to(component))
            for name, attribute in component.declared.items():
                attribute.problem(component.get(name))
            for attribute in component.declared.values():
                attribute.__get__(component, type(component))
        module.prototypes()
        module.root.set("name", "new")
        module.to_bytes()
    except VassalFormatError:
        return
