"""What a page needs to show a table: maps with their ground, and what lies on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["Face", "GroundPart", "Lying", "Sheet"]


@dataclass(frozen=True, slots=True)
class GroundPart:
    """A picture of the ground: where it lies on the map, and whether it is upside down."""

    src: str
    x: int
    y: int
    width: int
    height: int
    turned: bool = False
    colour: str = ""

    def to_json(self) -> dict[str, Any]:
        """As the pages read it."""
        return {
            "src": self.src,
            "x": self.x,
            "y": self.y,
            "w": self.width,
            "h": self.height,
            "turned": self.turned,
            "colour": self.colour,
        }


@dataclass(frozen=True, slots=True)
class Sheet:
    """A map: its name, its size, its ground, and the address of its cells."""

    name: str
    width: int
    height: int
    ground: tuple[GroundPart, ...]
    cells: str = ""
    step: tuple[int, int] = (4, 6)
    """How far each counter of a stack lies from the one below."""

    def to_json(self) -> dict[str, Any]:
        """As the pages read it."""
        return {
            "name": self.name,
            "w": self.width,
            "h": self.height,
            "ground": [part.to_json() for part in self.ground],
            "cells": self.cells,
            "step": list(self.step),
        }


@dataclass(frozen=True, slots=True)
class Face:
    """A drawn counter; (x, y) is the point of it that lies on its place."""

    src: str
    width: int
    height: int
    x: int
    y: int

    def to_json(self) -> list[Any]:
        """As the pages read it."""
        return [self.src, self.width, self.height, self.x, self.y]


@dataclass(frozen=True, slots=True)
class Lying:
    """Something on the table: what it is, where it lies and what it looks like.

    `what` is "unit", "marker" or "piece"; without a face the page draws a counter of its own.
    """

    id: str
    what: str
    map: str
    x: int
    y: int
    title: str
    face: Face | None = None
    side: str = ""
    cell: str = ""
    label: str = ""

    def to_json(self) -> dict[str, Any]:
        """As the pages read it, without what is empty."""
        told: dict[str, Any] = {
            "id": self.id,
            "what": self.what,
            "map": self.map,
            "x": self.x,
            "y": self.y,
            "title": self.title,
            "side": self.side,
            "cell": self.cell,
            "label": self.label,
        }
        told = {key: value for key, value in told.items() if value != ""}
        if self.face is not None:
            told["face"] = self.face.to_json()
        return told
