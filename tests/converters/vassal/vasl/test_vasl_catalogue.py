"""The terrain catalogue: ours is that of VASL, and other files are refused by name."""

from __future__ import annotations

import pytest

from hexmarshal.errors import NotFoundError, VassalFormatError
from hexmarshal.vassal.vasl import catalogue_from, known_terrain
from hexmarshal.vassal.vasl.catalogue import Category


def test_terrain_is_what_the_book_says():
    known = known_terrain().by_name
    woods, grain, orchard, wall = (known[n] for n in ("Woods", "Grain", "Orchard", "Wall"))
    assert (woods.height, woods.obstacle, woods.inherent) == (1, True, False)
    assert (grain.height, grain.half, grain.hindrance, grain.obstacle) == (0, True, True, False)
    assert orchard.inherent
    assert orchard.lower_hindrance
    assert wall.is_hexside
    assert wall.half
    assert known["Stone Building, 2 Level"].is_building
    assert known["Rowhouse Wall, 2 Level"].is_party_wall
    assert known["Gully"].category is Category.DEPRESSION
    assert known["Cliff"].is_cliff
    assert known["Gutted Stone Building"].is_roofless


def test_ours_is_the_catalogue_of_vasl(corpus):
    theirs = catalogue_from(corpus / "vasl-boards" / "SharedBoardMetadata.xml")
    assert theirs.by_code == known_terrain().by_code


ROW = (
    "<terrainType typeCode='7' name='Moss' LOSCategory='{}' height='0' split='0'"
    " isHalfLevelHeight='FALSE' isLOSObstacle='FALSE' isLOSHindrance='TRUE'"
    " isInherentTerrain='FALSE' isLowerLOSObstacle='FALSE' isLowerLOSHindrance='FALSE'"
    " mapColorRed='1' mapColorGreen='2' mapColorBlue='255'/>"
)


def test_a_catalogue_of_ones_own_is_read(tmp_path):
    path = tmp_path / "own.xml"
    path.write_text(f"<terrainTypes>{ROW.format('OTHER')}</terrainTypes>")
    (moss,) = catalogue_from(path).by_code.values()
    assert (moss.name, moss.hindrance, moss.colour) == ("Moss", True, "0102ff")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<terrainTypes/>", "no terrainType elements"),
        ("<terrain", "not a terrain catalogue"),
        ("<a><terrainType name='x'/></a>", "not a terrain catalogue"),
        (f"<a>{ROW.format('PUDDLE')}</a>", "terrainType Moss: not a terrain catalogue: 'puddle'"),
        ("<a><terrainType name='x' mapColorRed='1'/></a>", "no attribute 'mapColorGreen'"),
        (f"<a>{ROW.format('OTHER')}</a>".replace("'7'", "'300'"), "300 is not a number from 0"),
        (f"<a>{ROW.format('OTHER')}</a>".replace("'255'", "'-1'"), "-1 is not a number from 0"),
        (f"<a>{ROW.format('OTHER')}</a>".replace("split='0'", "split='nan'"), "nan is not a"),
        (f"<a>{ROW.format('OTHER')}</a>".replace("height='0'", "height='1.5'"), "'1.5'"),
    ],
)
def test_other_files_are_refused(tmp_path, text, message):
    path = tmp_path / "bad.xml"
    path.write_text(text)
    with pytest.raises(VassalFormatError, match=message) as caught:
        catalogue_from(path)
    assert caught.value.place.file == str(path)


def test_a_catalogue_that_is_not_there_is_said(tmp_path):
    with pytest.raises(NotFoundError, match="cannot read the terrain catalogue"):
        catalogue_from(tmp_path / "none.xml")
