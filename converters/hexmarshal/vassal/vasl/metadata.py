"""`BoardMetadata.xml`: a board's name, picture, hex grid and what its pixels do not tell."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from lxml import etree

from hexmarshal.errors import Place, VassalFormatError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["ENTRY", "BoardMetadata", "read_metadata", "write_metadata"]

ENTRY = "BoardMetadata.xml"

_NUMBER = re.compile(r"[+-]?[0-9]{1,9}(?:\.[0-9]{0,18})?(?:[eE][+-]?[0-9])?")
_FARTHEST = 1_000_000
_SMALLEST = 2
"""Hexes of fewer pixels have no hexsides to look at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardMetadata:
    """What the file says; `None` where a board leaves it to the standard of geomorphic boards."""

    name: str
    image: str
    width: int
    height: int
    hills: bool = False
    hex_width: Fraction | None = None
    hex_height: Fraction | None = None
    a1_x: Fraction | None = None
    a1_y: Fraction | None = None
    layout: str = ""
    """The name of an uncommon layout of the grid, if the board has one."""
    building_types: Mapping[str, str]
    """The name of a terrain by the name of a hex."""
    slopes: Mapping[str, frozenset[int]]
    """Hexsides by hex; hexside 0 is the top one, and the others follow clockwise."""
    embankments: Mapping[str, frozenset[int]]
    partial_orchards: Mapping[str, frozenset[int]]


def read_metadata(data: bytes, place: Place | None = None) -> BoardMetadata:
    """Decode the entry."""
    place = (place or Place()).within(Place(entry=ENTRY))
    try:
        root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True))
    except etree.XMLSyntaxError as error:
        raise VassalFormatError(f"broken XML: {error}", place=place) from error
    if root.tag != "boardMetadata":
        raise VassalFormatError(f"<{root.tag}> instead of <boardMetadata>", place=place)
    try:
        return BoardMetadata(
            name=str(root.attrib.get("name", "")),
            image=str(root.attrib.get("boardImageFileName", "")),
            # The sight data tell the size that counts.
            width=_whole(root, "width"),
            height=_whole(root, "height"),
            hills=str(root.attrib.get("hasHills", "")).upper() == "TRUE",
            hex_width=_size(root, "hexWidth"),
            hex_height=_size(root, "hexHeight"),
            a1_x=_number(root, "A1CenterX"),
            a1_y=_number(root, "A1CenterY"),
            layout=str(root.attrib.get("HexGridConfig", "")),
            building_types={
                str(e.attrib["hexName"]): str(e.attrib.get("buildingTypeName", ""))
                for e in root.iter("buildingType")
                if "hexName" in e.attrib
            },
            slopes=_sides(root.iter("slope")),
            embankments=_sides(root.iter("rrembankment")),
            partial_orchards=_sides(root.iter("partialorchard")),
        )
    except KeyError as error:
        raise VassalFormatError(f"the attribute {error} is missing", place=place) from error
    except ValueError as error:
        raise VassalFormatError(str(error), place=place) from error


def write_metadata(metadata: BoardMetadata) -> bytes:
    """Encode the entry, for boards of one's own."""
    root = etree.Element("boardMetadata")
    texts = {
        "name": metadata.name,
        "boardImageFileName": metadata.image,
        "width": str(metadata.width),
        "height": str(metadata.height),
        "hasHills": "TRUE" if metadata.hills else "FALSE",
    }
    for name, text in texts.items():
        root.set(name, text)
    numbers = {
        "hexWidth": metadata.hex_width,
        "hexHeight": metadata.hex_height,
        "A1CenterX": metadata.a1_x,
        "A1CenterY": metadata.a1_y,
    }
    for name, value in numbers.items():
        if value is not None:
            root.set(name, str(float(value)))
    if metadata.layout:
        root.set("HexGridConfig", metadata.layout)
    buildings = etree.SubElement(root, "buildingTypes")
    for hex_name, terrain in metadata.building_types.items():
        etree.SubElement(buildings, "buildingType", hexName=hex_name, buildingTypeName=terrain)
    groups = (
        ("slope", metadata.slopes),
        ("rrembankment", metadata.embankments),
        ("partialorchard", metadata.partial_orchards),
    )
    for tag, sides in groups:
        group = etree.SubElement(root, f"{tag}s")
        for hex_name, listed in sides.items():
            digits = "".join(str(n) for n in sorted(listed))
            etree.SubElement(group, tag, hex=hex_name, hexsides=digits)
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", pretty_print=True)


def _whole(root: etree._Element, name: str) -> int:
    text = str(root.attrib.get(name, "0")).strip()
    if not re.fullmatch("[0-9]{1,6}", text):
        raise ValueError(f"the {name} {text[:40]!r} is not a number of hexes")
    return int(text)


def _number(root: etree._Element, name: str) -> Fraction | None:
    text = root.attrib.get(name)
    if text is None:
        return None
    number = Fraction(str(text)) if _NUMBER.fullmatch(str(text).strip()) else None
    if number is None or abs(number) > _FARTHEST:
        raise ValueError(f"the {name} {str(text)[:40]!r} is not a number of pixels")
    return number


def _size(root: etree._Element, name: str) -> Fraction | None:
    number = _number(root, name)
    if number is not None and number < _SMALLEST:
        raise ValueError(f"a {name} of {float(number):g} cannot be")
    return number


def _sides(elements: Iterable[etree._Element]) -> dict[str, frozenset[int]]:
    sides = {}
    for element in elements:
        text = str(element.attrib["hexsides"])
        if not set(text) <= set("012345"):
            raise ValueError(f"{text!r} does not name hexsides from 0 to 5")
        sides[str(element.attrib["hex"])] = frozenset(map(int, text))
    return sides
