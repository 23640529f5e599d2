"""Game boxes of other programs as modules: boxes made here from what is known of the formats."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageDraw

from hexmarshal.errors import Place, VassalFormatError
from hexmarshal.vassal.container.archive import Archive, build_archive
from hexmarshal.vassal.images.image_size import image_size
from hexmarshal.vassal.imports import build_box
from hexmarshal.vassal.imports.zuntzu import read_zuntzu
from hexmarshal.vassal.lint import Severity, check_module
from hexmarshal.vassal.lint.subject import ModuleSubject
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.saves.nested_saves import nested_saves, open_nested
from hexmarshal.vassal.traits import FacingState, Layer, LayerState, RotateFixed

COLOURS = ["red", "green", "blue", "yellow", "white", "black"]

BOX = """<?xml version="1.0"?>
<game-box name="Skirmish" description="Small" copyright="" startup-scenario="a.zts">
  <dice-hand type="D6"><dice count="2" color="ffffff"/></dice-hand>
  <map name="Field" image-file="map.png" resolution="150 dpi"/>
  <counter-sheet name="Units" front-image-file="f.png" front-resolution="300 dpi"
      back-image-file="b.png" back-resolution="300 dpi" front-mask-file="m.png">
    <counter-section type="TwoSided" rows="2" columns="3" supply="2"
      front-left="0" front-top="0" front-right="300" front-bottom="200"
      back-left="0" back-top="0" back-right="300" back-bottom="200"/>
    <card-section type="CardFacesAndBackOnFront" rows="1" columns="2"
      face-left="0" face-top="0" face-right="200" face-bottom="100"
      back-left="200" back-top="100" back-right="300" back-bottom="200"/>
  </counter-sheet>
</game-box>"""

SCENARIO = """<?xml version="1.0"?>
<game game-box="Skirmish" scenario-name="Dawn" scenario-description="" scenario-copyright="">
  <layout board="Field">
    <counter id="0" x="400" y="800"/>
    <stack x="1200" y="400"><counter id="2" side="Back" rot="90"/><counter id="99"/></stack>
  </layout>
  <layout board="Units"/>
</game>"""


def sheet(size=(300, 200), colours=COLOURS) -> bytes:
    picture = Image.new("RGB", size)
    pen = ImageDraw.Draw(picture)
    for i, colour in enumerate(colours):
        x, y = i % 3 * 100, i // 3 * 100
        pen.rectangle((x, y, x + 99, y + 99), fill=colour)
    into = io.BytesIO()
    picture.save(into, "PNG")
    return into.getvalue()


def zuntzu(box: str = BOX, scenario: str = SCENARIO, **more: bytes) -> bytes:
    mask = Image.new("RGB", (300, 200), "white")
    ImageDraw.Draw(mask).rectangle((0, 0, 9, 9), fill="black")
    into = io.BytesIO()
    mask.save(into, "PNG")
    entries = {
        "game-box.xml": box.encode(),
        "map.png": sheet((600, 400)),
        "f.png": sheet(),
        "b.png": sheet(colours=COLOURS[::-1]),
        "m.png": into.getvalue(),
        "a.zts": scenario.encode(),
        **more,
    }
    return b"".join(build_archive(entries))


def module_of(data: bytes) -> Module:
    built = build_box(read_zuntzu(data, Place(file="a.ztb")))
    return Module.from_archive(Archive.from_bytes(built.module.to_bytes()))


def middle(data: bytes) -> tuple[int, ...]:
    with Image.open(io.BytesIO(data)) as picture:
        return picture.convert("RGB").getpixel((picture.width // 2, picture.height // 2))


def test_counters_are_cut_from_their_sheet_at_the_scale_of_the_map():
    box = read_zuntzu(zuntzu(), Place())
    (tray,) = box.trays
    assert len(tray.pieces) == 6 + 2
    front, back = tray.pieces[0].sides
    assert image_size(front) == (50, 50)
    assert middle(front) == (255, 0, 0)
    # The back is mirrored: the first column of the front is the last of the back.
    assert middle(back) == (255, 255, 0)
    assert middle(tray.pieces[1].sides[0]) == (0, 128, 0)
    with Image.open(io.BytesIO(front)) as picture:
        assert picture.convert("RGBA").getpixel((1, 1))[3] == 0, "the mask makes it transparent"
        assert picture.convert("RGBA").getpixel((25, 25))[3] == 255
    card = tray.pieces[6]
    assert card.card
    assert [middle(side) for side in card.sides] == [(255, 0, 0), (0, 0, 0)]


def test_a_scenario_becomes_a_set_up_with_sides_and_facings():
    module = module_of(zuntzu())
    (entry,) = nested_saves(module)
    pieces = list(open_nested(module, entry).state().pieces.values())
    found = {(p.name, p.x, p.y) for p in pieces}
    # The model counts 600 dots an inch, the map 150; of each counter there are two copies.
    assert found == {("Units 1", 100, 200), ("Units 2", 300, 100)}
    (turned,) = (p.piece for p in pieces if p.name == "Units 2")
    assert turned.first(Layer).state == LayerState(level=2)
    assert turned.first(RotateFixed).state == FacingState(facing=6)


def test_the_module_is_sound_and_says_what_was_left_out():
    built = build_box(read_zuntzu(zuntzu(), Place()))
    assert built.notes == ["Dawn: there is no counter 99"]
    assert (built.maps, built.pieces, built.setups) == (1, 8, 1)
    module = module_of(zuntzu())
    findings = check_module(ModuleSubject(module))
    assert not [f for f in findings if f.severity is Severity.ERROR]
    assert {"images/map_Field.png", "images/Units_1.png"} <= set(module.entries())


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (zuntzu("<other/>"), "the root element is other"),
        (zuntzu("<game-box"), "broken XML"),
        (zuntzu(BOX.replace('image-file="map.png"', 'image-file="no.png"')), "does not hold it"),
        (zuntzu(BOX.replace('front-right="300"', 'front-right="x"')), "is no number"),
        (zuntzu(BOX.replace('front-right="300"', 'front-right="1e300"')), "is no number"),
        (zuntzu(BOX.replace('front-right="300"', 'front-right="0"')), "a section of"),
        (zuntzu(**{"f.png": b"no picture"}), "cannot be read as a picture"),
        (b"".join(build_archive({"a": b""})), "no entry game-box.xml"),
    ],
)
def test_a_bad_box_is_refused_with_the_place(data, words):
    with pytest.raises(VassalFormatError) as refused:
        read_zuntzu(data, Place(file="a.ztb"))
    assert words in refused.value.message
    assert refused.value.place.file == "a.ztb"


def test_a_bad_scenario_is_noted_and_the_rest_imported():
    built = build_box(read_zuntzu(zuntzu(scenario="<game"), Place()))
    assert built.setups == 0
    assert any("a.zts" in note for note in built.notes)


def test_what_has_no_name_is_laid_on_the_map_without_one():
    box = '<game-box name=""><map name="" image-file="map.png" resolution="150 dpi"/></game-box>'
    scenario = '<game scenario-name=""><layout board=""/><layout board="Reserve"/></game>'
    read = read_zuntzu(zuntzu(box, scenario), Place())
    assert [layout.name for layout in read.layouts] == ["a.zts"]
    assert not [note for note in read.notes if "left out" in note]
