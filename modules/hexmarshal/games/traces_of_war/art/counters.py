"""The faces of the counters: full strength and reduced, fronts and Ukrainian fronts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hexmarshal.games.traces_of_war.art import colours
from hexmarshal.kit.drawing.colours import INK, PAPER
from hexmarshal.kit.drawing.counters import Face, Value

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ARMS", "face", "faces", "ukrainian"]

ARMS: Final = {
    "infantry": "infantry",
    "mountain": "mountain",
    "cavalry": "cavalry",
    "airborne": "airborne",
    "security": "security",
    "tank": "armour",
    "mechanized_infantry": "mechanised",
    "hq": "hq",
}
"""The symbols of the types of units."""
_SIZES: Final = {"soviet": "XXX", "guards": "XXX"}
_HQ_SIZES: Final = {"soviet": "XXXXX", "german": "XXXX"}
_BLACK: Final = "#151311"


def faces(row: Mapping[str, Any]) -> tuple[str, ...]:
    """A counter's faces, full strength first, from its row of the data."""
    return tuple(face(row, step) for step in range(len(row["ladder"])))


def face(row: Mapping[str, Any], step: int = 0) -> str:
    """One face: colour, symbol, name and values; a reduced one has a pale strip."""
    return _face(row, str(row["name"]), row["ladder"][step], reduced=step > 0).svg(row["name"])


def ukrainian(row: Mapping[str, Any]) -> str:
    """The other side of a Soviet headquarters (TOW-14.2)."""
    other = row["ukrainian"]
    shown = {**row, **other}
    return _face(shown, other["name"], other["ladder"][0], reduced=False).svg(other["name"])


def _face(row: Mapping[str, Any], name: str, printed: str, *, reduced: bool) -> Face:
    nation, kind = row["nation"], row["type"]
    staff = kind == "hq"
    mobile = kind in ("tank", "mechanized_infantry")
    ground = colours.ELITE if nation == "german" and mobile else colours.NATIONS[nation]
    if staff:
        ground = colours.SOVIET_RED if nation == "soviet" else colours.AXIS_BLUE
    sizes = _HQ_SIZES if staff else _SIZES
    return Face(
        ground,
        symbol=ARMS[kind],
        echelon=row.get("size") or sizes.get(nation, "XX"),
        left=name,
        strength=printed,
        reduced=reduced,
        values=tuple(_values(row)),
        ink=PAPER if staff or ground in (colours.ELITE, colours.NATIONS["guards"]) else INK,
    )


def _values(row: Mapping[str, Any]) -> list[Value]:
    found = []
    if "radius" in row:
        found.append(Value(str(row["radius"]), "e", on="disc"))
    if "category" in row:
        found.append(Value(row["category"], "ne", size=6.4))
    if "arrival" in row:
        # A white number in a black box replaces a unit (TOW-11.1b); a black one in white arrives.
        black = bool(row.get("replacement"))
        number = str(row["arrival"])
        found.append(Value(number, "ne", _BLACK, "plate" if black else "disc"))
    return found
