"""The terrain catalogue that all VASL boards share: what each terrain code means for sight."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from lxml import etree

from hexmarshal.errors import NotFoundError, Place, VassalFormatError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["SHARED_METADATA", "Catalogue", "Category", "Terrain", "catalogue_from", "known_terrain"]

SHARED_METADATA = "SharedBoardMetadata.xml"


class Category(StrEnum):
    """What kind of thing a terrain is, as the catalogue sorts them."""

    OPEN = "open"
    HEXSIDE = "hexside"
    BUILDING = "building"
    MARKETPLACE = "marketplace"
    FACTORY = "factory"
    ENTRENCHMENT = "entrenchment"
    BRIDGE = "bridge"
    TUNNEL = "tunnel"
    DEPRESSION = "depression"
    ROAD = "road"
    WOODS = "woods"
    STREAM = "stream"
    WATER = "water"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Terrain:
    """One terrain of the catalogue: its height in levels and what it does to a line of sight."""

    code: int
    name: str
    category: Category
    height: int
    half: bool
    """Whether it stands half a level higher than `height`."""
    obstacle: bool
    hindrance: bool
    inherent: bool
    """Whether it fills its hex to the hexsides, whatever is drawn."""
    split: float
    """Where the lower part ends that acts unlike the upper, as under the trees of an orchard."""
    lower_obstacle: bool
    lower_hindrance: bool
    colour: str
    """Six hex digits, for pictures of the data."""

    @property
    def is_building(self) -> bool:
        """Whether it is a building of any kind, factories and market places included."""
        return self.category in {Category.BUILDING, Category.FACTORY, Category.MARKETPLACE}

    @property
    def is_party_wall(self) -> bool:
        """Whether it is the bar between rowhouses or a wall inside a factory."""
        return self.name.startswith(("Rowhouse Wall", "Interior Factory Wall"))

    @property
    def is_hexside(self) -> bool:
        """Whether it lies on hexsides: walls, hedges, bocage, cliffs, party walls."""
        return self.category is Category.HEXSIDE or self.is_party_wall

    @property
    def is_roofless(self) -> bool:
        """Whether it is a building that has lost its roof."""
        return self.name.startswith(("Roofless", "Gutted"))

    @property
    def is_cliff(self) -> bool:
        """Whether it is a cliff."""
        return "Cliff" in self.name


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All terrains, by code and by name."""

    by_code: Mapping[int, Terrain]
    by_name: Mapping[str, Terrain]

    @classmethod
    def of(cls, terrains: Iterable[Terrain]) -> Catalogue:
        """A catalogue of these terrains."""
        listed = list(terrains)
        return cls({t.code: t for t in listed}, {t.name: t for t in listed})


_FLAGS = ("half", "obstacle", "hindrance", "inherent", "lower_obstacle", "lower_hindrance")


@cache
def known_terrain() -> Catalogue:
    """The catalogue that comes with this package, for boards without a catalogue beside them."""
    text = (files(__package__) / "terrain.csv").read_text("utf-8")
    return Catalogue.of(_from_row(row) for row in csv.DictReader(text.splitlines()))


def _from_row(row: Mapping[str, str]) -> Terrain:
    return Terrain(
        code=int(row["code"]),
        name=row["name"],
        category=Category(row["category"]),
        height=int(row["height"]),
        split=float(row["split"]),
        colour=row["colour"],
        **{flag: row[flag] == "yes" for flag in _FLAGS},
    )


_ATTRIBUTES = {
    "half": "isHalfLevelHeight",
    "obstacle": "isLOSObstacle",
    "hindrance": "isLOSHindrance",
    "inherent": "isInherentTerrain",
    "lower_obstacle": "isLowerLOSObstacle",
    "lower_hindrance": "isLowerLOSHindrance",
}


def catalogue_from(path: Path | str) -> Catalogue:
    """Read the catalogue out of a shared board metadata file."""
    place = Place(file=str(path))
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise NotFoundError(f"cannot read the terrain catalogue: {error}", place=place) from error
    try:
        root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True))
        elements = list(root.iter("terrainType"))
        terrains = [_from_element(element) for element in elements]
    except (etree.XMLSyntaxError, KeyError, ValueError) as error:
        raise VassalFormatError(f"not a terrain catalogue: {error}", place=place) from error
    if not terrains:
        raise VassalFormatError("no terrainType elements: not a terrain catalogue", place=place)
    return Catalogue.of(terrains)


def _from_element(element: etree._Element) -> Terrain:
    attributes = element.attrib
    red, green, blue = (int(attributes[f"mapColor{c}"]) for c in ("Red", "Green", "Blue"))
    return Terrain(
        code=int(attributes["typeCode"]),
        name=str(attributes["name"]),
        category=Category(str(attributes["LOSCategory"]).lower()),
        height=int(attributes["height"]),
        split=float(attributes["split"]),
        colour=f"{red:02x}{green:02x}{blue:02x}",
        **{flag: str(attributes[name]).upper() == "TRUE" for flag, name in _ATTRIBUTES.items()},
    )
