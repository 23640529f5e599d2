"""Boards of our own: painted stroke by stroke from the data, so that one can play without files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from hexmarshal.vassal.vasl.painting import Painting

if TYPE_CHECKING:
    from hexmarshal.kit.data import Source

__all__ = ["Paintings", "painted"]

_SUFFIX = ".yaml"


def painted(name: str, document: Mapping[str, Any]) -> Painting:
    """A board of its strokes, one after the other."""
    painting = Painting(document["columns"], document["rows"], name)
    for stroke in document["strokes"]:
        _stroke(painting, stroke)
    return painting


def _stroke(painting: Painting, stroke: Mapping[str, Any]) -> None:
    hexes = tuple(stroke.get("hexes", ()))
    if "raise" in stroke:
        painting.raise_to(stroke["raise"], *hexes)
    if "hill" in stroke:
        painting.hill(stroke["hill"], *hexes, radius=stroke.get("radius", 30))
    if "fill" in stroke:
        painting.fill(stroke["fill"], *hexes)
    if "spot" in stroke:
        for name in hexes:
            painting.spot(stroke["spot"], name, stroke.get("radius", 20))
    if "band" in stroke:
        _band(painting, stroke, hexes)
    for side in stroke.get("sides", ()):
        name, number = side.split("/")
        painting.side(stroke["side"], name, int(number))
    if stroke.get("stairway"):
        painting.stairway(*hexes)


def _band(painting: Painting, stroke: Mapping[str, Any], hexes: tuple[str, ...]) -> None:
    """A way from hex to hex; without a level it lies on the ground that is there."""
    if "level" in stroke:
        painting.band(stroke["band"], stroke["level"], *hexes, wide=stroke.get("wide", 9))
        return
    before = painting.elevation.copy()
    painting.band(stroke["band"], 0, *hexes, wide=stroke.get("wide", 9))
    painting.elevation[...] = before


class Paintings(Mapping[str, Painting]):
    """The boards of the data by name, painted when first asked for."""

    def __init__(self, data: Source) -> None:
        self.data = data
        self._files = {
            name.removeprefix("boards/").removesuffix(_SUFFIX): name
            for name in data.names(f"boards/*{_SUFFIX}")
        }
        self._done: dict[str, Painting] = {}

    def __getitem__(self, name: str) -> Painting:
        if name not in self._done:
            file = self._files[name]
            self._done[name] = painted(name, self.data.read(file, "board"))
        return self._done[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)
