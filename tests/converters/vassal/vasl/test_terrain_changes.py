"""Terrain changes of scenarios: by the table, by pictures laid onto boards, and in colours."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest

from hexmarshal.errors import NotFoundError, VassalFormatError
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.vasl.board import read_board
from hexmarshal.vassal.vasl.board_colours import BoardColours
from hexmarshal.vassal.vasl.catalogue import known_terrain
from hexmarshal.vassal.vasl.overlays import (
    LaidPicture,
    lay_picture,
    overlay_of,
    own_overlay,
    palette_of,
    point_of,
)
from hexmarshal.vassal.vasl.painting import Painting
from hexmarshal.vassal.vasl.terrain_changes import (
    _table,
    known_changes,
    with_terrain_changes,
    without_effect,
)

WOODS, OPEN, BRUSH = (50, 110, 40), (175, 188, 106), (123, 165, 85)
SHARED = b"""<sharedBoardMetadata><colors>
<color name="WoodsGreen" red="50" green="110" blue="40" terrain="Woods" elevation="UNKNOWN"/>
<color name="Level0" red="175" green="188" blue="106" terrain="Open Ground" elevation="0"/>
<color name="Level1" red="176" green="144" blue="70" terrain="Open Ground" elevation="1"/>
<color name="BrushL0" red="123" green="165" blue="85" terrain="Brush" elevation="0"/>
<color name="White" red="255" green="255" blue="255" terrain="Snow" elevation="0"/>
</colors><colorSSRules>
<colorSSR name="BrushToOpenGround"><colorMap fromColor="BrushL0" toColor="Level0"/></colorSSR>
<colorSSR name="Winter"><colorMap fromColor="Level0" toColor="White"/></colorSSR>
</colorSSRules></sharedBoardMetadata>"""


def centre(board, name):
    return board.catalogue.by_code[int(board.facts.centre[board.hex(name)])].name


def test_every_step_names_terrain_that_there_is():
    names = known_terrain().by_name
    for rule, steps in _table().items():
        for step in steps:
            for word in (step.old, step.new):
                assert not word or word.lstrip("-").isdigit() or word in names, (rule, word)
    assert {"NoGrain", "Level1ToLevel0", "NoBridge", "DenseJungle"} <= known_changes()
    assert not {"Winter", "Mud", "Nonsense"} & known_changes()
    assert without_effect("NoHillNums")
    assert not without_effect("NoGrain")
    assert not without_effect("Nonsense")


def test_one_terrain_becomes_another_on_the_whole_board():
    board = Painting(7, 6, "bdX").fill("Grain", "C3").fill("Orchard", "D3").board()
    after = with_terrain_changes(board, ["NoGrain", "OrchardOutOfSeason"])
    assert (centre(board, "C3"), centre(board, "D3")) == ("Grain", "Orchard")
    assert (centre(after, "C3"), centre(after, "D3")) == ("Open Ground", "Orchard, Out of Season")
    assert after.is_changed
    assert with_terrain_changes(board, ["NoHillNums", "Winter", "Nonsense"]) is board


def test_changes_are_made_in_their_order():
    board = Painting(7, 6, "bdX").fill("Swamp", "C3").fill("Marsh", "E3").board()
    first = with_terrain_changes(board, ["SwampToMarsh", "MarshToOpenGround"])
    other = with_terrain_changes(board, ["MarshToOpenGround", "SwampToMarsh"])
    assert (centre(first, "C3"), centre(other, "C3")) == ("Open Ground", "Marsh")


def test_a_pattern_is_laid_over_what_the_board_itself_shows():
    board = Painting(7, 6, "bdX").fill("Grain", "C3").board()
    for names in (["NoGrain", "GrainToBrush"], ["GrainToBrush", "NoGrain"]):
        assert centre(with_terrain_changes(board, names), "C3") == "Brush"


def test_hills_are_levelled_and_terrain_becomes_a_hill():
    board = Painting(7, 6, "bdX").raise_to(1, "C3", "C4").fill("Woods", "C4", "E3").board()
    flat = with_terrain_changes(board, ["Level1ToLevel0"])
    assert [int(flat.facts.base[flat.hex(name)]) for name in ("C3", "C4", "E3")] == [0, 0, 0]
    hill = with_terrain_changes(board, ["WoodsToLevel1"])
    assert (centre(hill, "E3"), int(hill.facts.base[hill.hex("E3")])) == ("Open Ground", 1)
    grain = with_terrain_changes(board, ["Level1ToGrain"])
    # What stands on the hill stays.
    assert (centre(grain, "C3"), centre(grain, "C4")) == ("Grain", "Woods")
    assert int(grain.facts.base[grain.hex("C3")]) == 0


def test_stairways_go_and_buildings_are_made_low():
    painting = Painting(7, 6, "bdX").fill("Stone Building, 2 Level", "C3", "C4").stairway("C3")
    board = painting.board()
    assert board.facts.stairway[board.hex("C3")]
    after = with_terrain_changes(board, ["NoStairwells"])
    assert not after.facts.stairway.any()
    low = with_terrain_changes(board, ["AllBuildingsLevel1"])
    assert [level.kind for level in low.levels[low.hex("C3")]] == ["ground"]
    assert len(board.levels[board.hex("C3")]) > 2


def test_a_bridge_goes_and_the_gully_goes_on():
    painting = Painting(9, 7, "bdX").band("Gully", -1, "E2", "E3", "E4", "E5", wide=12)
    painting.band("Dirt Road", 0, "C4", "D3", "E4", "F3", "G4", wide=6)
    painting.spot("Single Hex Wooden Bridge", "E4", 14)
    board = painting.board()
    hex4 = board.hex("E4")
    assert board.facts.bridge[hex4] != 255
    after = with_terrain_changes(board, ["NoBridge"])
    assert after.facts.bridge[hex4] == 255
    assert centre(after, "E4") == "Gully"
    assert int(after.facts.base[hex4]) == -1
    assert centre(after, "C4") == "Dirt Road"


def test_a_road_through_woods_becomes_a_path():
    painting = Painting(7, 6, "bdX").fill("Woods", "C3", "D3")
    painting.band("Dirt Road", 0, "B3", "C3", "C4", wide=5)
    board = painting.board()
    assert centre(board, "C3") == "Dirt Road"
    after = with_terrain_changes(board, ["RoadsToPaths"])
    assert centre(after, "C3") == "Woods"
    assert centre(after, "B3") == "Dirt Road"


def test_the_pacific_makes_jungle_of_woods_last():
    board = Painting(7, 6, "bdX").fill("Woods", "C3").fill("Marsh", "C4", "F5").board()
    swamp = with_terrain_changes(board, ["SwampToSwampPattern"])
    assert [centre(swamp, n) for n in ("C3", "C4", "F5")] == ["Light Jungle", "Swamp", "Marsh"]
    dense = with_terrain_changes(board, ["PalmTrees", "DenseJungle"])
    assert centre(dense, "C3") == "Dense Jungle"


def gif(pixels):
    image = pytest.importorskip("PIL.Image")
    told = io.BytesIO()
    image.fromarray(pixels).save(told, "PNG")
    return told.getvalue()


@pytest.fixture
def boards(tmp_path):
    """A board, the shared metadata, and an overlay of woods about its first hex."""
    (tmp_path / "SharedBoardMetadata.xml").write_bytes(SHARED)
    picture = np.zeros((70, 70, 4), np.uint8)
    picture[5:65, 5:65] = (*WOODS, 255)
    # Grid lines and dots: a colour that stands for nothing, and a hole.
    picture[30:32, 5:65] = (0, 0, 0, 255)
    picture[33:37, 33:37] = 0
    (tmp_path / "overlays").mkdir()
    with zipfile.ZipFile(tmp_path / "overlays" / "ovrWD", "w") as archive:
        archive.writestr("data", "version 1\nwd1 a1;a1;a1;a1;a1;a1\n")
        archive.writestr("ovrwd1a.gif", gif(picture))
        archive.writestr("ovrwd1c.gif", gif(np.zeros_like(picture)))
    (tmp_path / "bdX").write_bytes(b"")
    Painting(9, 7, "bdX").fill("Grain", "D4").write(tmp_path)
    return tmp_path


def test_an_overlay_is_laid_onto_its_hex(boards):
    catalogue = known_terrain()
    board = read_board(boards / "bdX", catalogue)
    laid = overlay_of(boards, board, "wd1", "D4", "d4")
    before, corner = point_of(board, "D4"), point_of(board, "A1")
    assert (laid.x, laid.y) == (before[0] - corner[0], before[1] - corner[1])
    palette = palette_of(boards, catalogue)
    # The first hex of the picture lies where A1 lies from the corner of the board.
    whole = lay_picture(board, LaidPicture(laid.pixels, before[0] - 35, before[1] - 35), palette)
    assert centre(whole, "D4") == "Woods"
    window = whole.pixels.terrain[before[1] - 25 : before[1] + 25, before[0] - 25 : before[0] + 25]
    assert set(np.unique(window)) == {catalogue.by_name["Woods"].code}
    assert centre(whole, "B2") == "Open Ground"
    far = LaidPicture(laid.pixels, 100_000, -100_000)
    assert lay_picture(board, far, palette) is board


def test_levels_come_from_colours_or_stay(boards):
    catalogue = known_terrain()
    board = read_board(boards / "bdX", catalogue)
    x, y = point_of(board, "D4")
    hill = np.full((60, 60, 4), (176, 144, 70, 255), np.uint8)
    palette = palette_of(boards, catalogue)
    laid = LaidPicture(hill, x - 30, y - 30)
    assert int(lay_picture(board, laid, palette).facts.base[board.hex("D4")]) == 1
    flat = lay_picture(board, laid, palette, levels=False)
    assert int(flat.facts.base[board.hex("D4")]) == 0
    assert centre(flat, "D4") == "Open Ground"


@pytest.mark.parametrize(
    ("name", "hexes", "error", "words"),
    [
        ("wd9", ("D4", "D4"), VassalFormatError, "does not say where"),
        ("b1", ("D4", "D4"), NotFoundError, "ovrB is missing"),
        ("wd1", ("ZZZ9", "D4"), NotFoundError, "no hex"),
        ("wd1", ("D4", "D3"), None, ""),
        ("../../x", ("D4", "D4"), NotFoundError, "no overlay"),
        ("wd1", ("D4", "C4"), NotFoundError, "ovrwd1"),
    ],
)
def test_what_is_no_overlay_is_refused(boards, name, hexes, error, words):
    board = read_board(boards / "bdX", known_terrain())
    if error is None:
        assert overlay_of(boards, board, name, *hexes).pixels.shape == (70, 70, 4)
        return
    with pytest.raises(error, match=words):
        overlay_of(boards, board, name, *hexes)


def test_a_board_draws_rules_of_its_own(tmp_path):
    data = b'<boardMetadata name="X"><overlaySSRule name="SSO_1" image="o.gif" x="3" y="-4"/>'
    data += b'<overlaySSRule name="SSO_2" image="none.gif"/></boardMetadata>'
    with zipfile.ZipFile(tmp_path / "bdX", "w") as archive:
        archive.writestr("BoardMetadata.xml", data)
        archive.writestr("o.gif", gif(np.zeros((4, 5, 4), np.uint8)))
    board = Archive.open(tmp_path / "bdX")
    found = own_overlay(board, "SSO_1")
    assert (found.x, found.y, found.pixels.shape) == (3, -4, (4, 5, 4))
    assert own_overlay(board, "SSO_2") is None
    assert own_overlay(board, "SSO_3") is None


def test_colours_follow_the_rules_in_their_order(boards):
    colours = BoardColours(boards, Archive.open(boards / "bdX"))
    picture = np.array([[BRUSH, OPEN, WOODS]], np.uint8)
    assert colours.changed(picture, ["Nonsense"]) is picture
    both = colours.changed(picture, ["BrushToOpenGround", "Winter"])
    assert both.tolist() == [[[255] * 3, [255] * 3, list(WOODS)]]
    winter_first = colours.changed(picture, ["Winter", "BrushToOpenGround"])
    assert winter_first.tolist() == [[list(OPEN), [255] * 3, list(WOODS)]]
    assert colours.knows("Winter")
    assert not colours.knows("Mud")
