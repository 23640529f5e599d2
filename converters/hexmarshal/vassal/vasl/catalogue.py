"""The terrain catalogue that all VASL boards share: what each terrain code means for sight."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from lxml import etree

from hexmarshal.errors import NotFoundError, Place, VassalFormatError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["SHARED_METADATA", "Catalogue", "Category", "Terrain", "catalogue_from", "known_terrain"]

SHARED_METADATA = "SharedBoardMetadata.xml"

_N = TypeVar("_N", int, float)


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


_HIGHEST_CODE, _MOST_LEVELS = 254, 50
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
    except etree.XMLSyntaxError as error:
        raise VassalFormatError(f"not a terrain catalogue: {error}", place=place) from error
    terrains = [_from_element(element, place) for element in root.iter("terrainType")]
    if not terrains:
        raise VassalFormatError("no terrainType elements: not a terrain catalogue", place=place)
    return Catalogue.of(terrains)


def _from_element(element: etree._Element, place: Place) -> Terrain:
    attributes = element.attrib
    try:
        red, green, blue = (
            _from_0_to(255, int(attributes[f"mapColor{c}"])) for c in ("Red", "Green", "Blue")
        )
        return Terrain(
            code=_from_0_to(_HIGHEST_CODE, int(attributes["typeCode"])),
            name=str(attributes["name"]),
            category=Category(str(attributes["LOSCategory"]).lower()),
            height=_from_0_to(_MOST_LEVELS, int(attributes["height"])),
            split=_from_0_to(_MOST_LEVELS, float(attributes["split"])),
            colour=f"{red:02x}{green:02x}{blue:02x}",
            **{flag: str(attributes[name]).upper() == "TRUE" for flag, name in _ATTRIBUTES.items()},
        )
    except (KeyError, ValueError) as error:
        what = f"no attribute {error}" if isinstance(error, KeyError) else str(error)
        name = str(attributes.get("name", ""))[:80]
        where = Place(field=f"terrainType {name}".strip()).within(place)
        raise VassalFormatError(f"not a terrain catalogue: {what}", place=where) from error


def _from_0_to(most: int, number: _N) -> _N:
    if not 0 <= number <= most:
        raise ValueError(f"{number} is not a number from 0 to {most}")
    return number
