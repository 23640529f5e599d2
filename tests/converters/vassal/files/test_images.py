"""Images of a module: listed with sizes and uses, and renamed with every reference followed."""

from __future__ import annotations

import io

import PIL.Image
import pytest

from hexmarshal.errors import BadInputError, HexMarshalError, NotFoundError, UsageError
from hexmarshal.vassal.components import (
    Chart,
    ChartWindow,
    GlobalOptions,
    HtmlChart,
    Map,
    PieceSlot,
)
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.images.image_rename import rename_images
from hexmarshal.vassal.images.image_set import image_files
from hexmarshal.vassal.images.mentions import Mentions
from hexmarshal.vassal.images.missing_images import missing_images
from hexmarshal.vassal.images.picture_decoding import refuse_damaged
from hexmarshal.vassal.images.unused_images import unused_images
from hexmarshal.vassal.lint import ModuleSubject, check_module
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.pieces.piece import format_add, parse_add
from hexmarshal.vassal.saves.nested_saves import open_nested
from hexmarshal.vassal.search.loose_ends import unused
from hexmarshal.vassal.traits import PlaceMarker
from tests.converters.vassal.small_modules import changed, picture, slot, sound_module


def saved(module: Module) -> Module:
    return Module.from_archive(Archive.from_bytes(module.to_bytes()))


def test_images_are_listed_with_size_and_uses():
    found = {image.name: image for image in image_files(sound_module())}
    assert set(found) == {"red.svg", "blue.svg", "back.svg", "chart.svg"}
    assert found["red.svg"].pixels == (48, 48)
    assert found["chart.svg"].uses == 1
    # Two slots, and the set-up with copies of them.
    assert found["red.svg"].uses == 3


def test_an_image_of_no_known_form_has_no_size():
    archive = changed(lambda module: module.changes.update({"images/odd.png": b"odd"}))
    found = {i.name: i for i in image_files(Module.from_archive(archive))}
    assert found["odd.png"].pixels is None


def test_unused_and_missing_images():
    def edit(module: Module) -> None:
        module.changes |= {"images/idle.svg": picture(), "images/chart.svg": None}
        slot(module, "Ace").text = slot(module, "Ace").text.replace("blue.svg", "gone.svg")

    module = Module.from_archive(changed(edit))
    assert unused_images(module) == ["images/idle.svg"]
    assert set(missing_images(module)) == {"gone.svg", "chart.svg"}


def test_an_image_missing_from_a_chart_is_missing():
    def edit(module: Module) -> None:
        page = next(module.each(HtmlChart)).file_name
        module.changes[page] = b"<img src='chart.svg'><img src=gone.svg><img src='http://x/y.png'>"

    module = Module.from_archive(changed(edit))
    assert {n: [c.name for c in users] for n, users in missing_images(module).items()} == {
        "gone.svg": ["Help"]
    }


def test_renaming_follows_pieces_pages_and_setups():
    module = sound_module()
    done = rename_images(module, {"red.svg": "sub/crimson, dark.svg", "chart.svg": "table.svg"})
    assert (done.components, done.pages, done.saves, done.mentions) == (2, 1, 1, [])
    after = saved(module)
    assert not after.has("images/red.svg")
    assert after.has("images/sub/crimson, dark.svg")
    assert check_module(ModuleSubject(after)) == []
    page = next(after.each(HtmlChart)).file_name
    assert b'src="table.svg"' in after.read(page)
    pieces = open_nested(after, "Start.vsav").state().pieces.values()
    red = next(p for p in pieces if p.name == "Red")
    assert "red.svg" not in red.type
    assert parse_add(slot(after, "Red").text).basic.image == "sub/crimson, dark.svg"


def test_renaming_follows_markers_formats_options_and_own_classes():
    def edit(module: Module) -> None:
        marker = "+/null/piece;;;red.svg;Dust/null;0;0;9;0"
        blue = slot(module, "Blue")
        trait = PlaceMarker(command="Dust", marker=marker, gpid="0")
        blue.text = format_add(parse_add(blue.text).with_trait(trait))
        main = next(module.each(Map))
        main.set("moveToFormat", 'goes <img src="red.svg"> there')
        main.set("ownThing", "red.svg")
        options = next(module.each(GlobalOptions)).element
        option = options.makeelement("option", {"name": "stepIcon"})
        option.text = "red.svg"
        options.append(option)
        next(module.each(ChartWindow)).add(Chart, {"chartName": "C", "fileName": "red.svg"})

    module = Module.from_archive(changed(edit))
    assert rename_images(module, {"red.svg": "new.svg"}).mentions == []
    text = saved(module).document.to_bytes()
    assert b"red.svg" not in text
    assert text.count(b"new.svg") == 8


def test_a_page_of_help_names_images_beside_itself():
    def edit(module: Module) -> None:
        module.changes["help/a.html"] = b"<IMG alt=x SRC='../images/red.svg'><img src=http://x/y>"

    module = Module.from_archive(changed(edit))
    rename_images(module, {"red.svg": "new name.svg"})
    page = module.read("help/a.html")
    assert page == b"<IMG alt=x SRC='../images/new name.svg'><img src=http://x/y>"


def test_a_name_without_suffix_stays_without():
    def edit(module: Module) -> None:
        module.changes["images/night.gif"] = b"GIF89a"
        next(module.each(Map)).set("icon", "night")

    module = Module.from_archive(changed(edit))
    rename_images(module, {"night.gif": "dark.gif"})
    assert next(module.each(Map)).get("icon") == "dark"


def test_two_images_can_swap_their_names():
    module = sound_module()
    module.changes["images/blue.svg"] = picture(12)
    module = saved(module)
    rename_images(module, {"red.svg": "blue.svg", "blue.svg": "red.svg"})
    assert module.read("images/red.svg") == picture(12)
    assert "piece;;;blue.svg;Red" in slot(module, "Red").text


def test_images_in_other_languages_are_renamed_too():
    archive = changed(lambda module: module.changes.update({"images_de/red.svg": picture(9)}))
    module = Module.from_archive(archive)
    rename_images(module, {"red.svg": "new.svg"})
    assert module.read("images_de/new.svg") == picture(9)


def test_a_mention_that_cannot_be_followed_is_told():
    def edit(module: Module) -> None:
        next(module.each(Map)).set("description", "see red.svg")

    module = Module.from_archive(changed(edit))
    assert rename_images(module, {"red.svg": "new.svg"}).mentions == ["red.svg"]


def test_a_name_that_is_put_together_in_play_is_told():
    def edit(module: Module) -> None:
        next(module.each(Map)).set("moveToFormat", '<img src="r$letter$d.svg"> goes')

    (told,) = rename_images(Module.from_archive(changed(edit)), {"red.svg": "new.svg"}).mentions
    assert told == "r$letter$d.svg, a name that is put together in play"


@pytest.mark.parametrize(
    ("names", "error"),
    [
        ({"gone.svg": "new.svg"}, NotFoundError),
        ({"/images/die.gif": "new.svg"}, NotFoundError),
        ({"red.svg": "blue.svg"}, UsageError),
        ({"red.svg": "new.svg", "blue.svg": "new.svg"}, UsageError),
        ({"red.svg": ""}, UsageError),
        ({"red.svg": "../../etc/passwd"}, HexMarshalError),
    ],
)
def test_what_cannot_be_renamed_is_refused_and_nothing_changes(names, error):
    module = sound_module()
    before = module.to_bytes()
    with pytest.raises(error):
        rename_images(module, names)
    assert module.to_bytes() == before


def test_real_extension_is_renamed_whole(corpus):
    module = Module.open(corpus / "extensions" / "CustomUnit.vmdx")
    names = {i.name: f"x/{i.name}" for i in image_files(module) if i.uses}
    assert names
    done = rename_images(module, names)
    assert done.mentions == []
    after = saved(module)
    assert sum(i.uses for i in image_files(after)) == sum(
        i.uses for i in image_files(Module.open(corpus / "extensions" / "CustomUnit.vmdx"))
    )


def test_names_are_found_in_code_and_texts_by_any_part_of_a_run():
    names = ["ge/squad", "DC4_G.png", "two words.png", "späh.png", "lost/lost", "tab\tbed", "gone"]
    code = b"\xca\xfe\x01\x00\x0ages/ge/squads\x00\x01" + "späh.png".encode() + b"\x00two words.png"
    mentions = Mentions(names, r"show\;DC\4_G.png;lost/los;lost", code)
    assert [name for name in names if name in mentions] == [
        "ge/squad",
        "DC4_G.png",
        "two words.png",
        "späh.png",
        "tab\tbed",
    ]


def test_an_image_that_an_extension_names_is_not_unused():
    module = Module.create("Base")
    module.changes |= {"images/used.gif": b"GIF89a", "images/idle.gif": b"GIF89a"}
    extra = Module.create("Extra")
    extra.root.add(PieceSlot, {"entryName": "Unit"}).text = "+/null/piece;;;used;Unit/null;0;0;;0"
    assert [end.name for end in unused([module, extra])] == ["images/idle.gif"]


def test_a_picture_is_taken_only_if_it_is_whole():
    whole = io.BytesIO()
    PIL.Image.effect_noise((60, 40), 90).save(whole, "PNG")
    refuse_damaged(whole.getvalue())
    refuse_damaged(b"<!-- ours --><svg/>")
    for damaged in (whole.getvalue()[:300], b"", b"text", b"version https://git-lfs"):
        with pytest.raises(BadInputError):
            refuse_damaged(damaged)
