"""A game box of any program: maps, trays of pieces, dice, and pieces laid out on maps."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hexmarshal.vassal.components import Grid

__all__ = ["BoxLayout", "BoxMap", "BoxPiece", "BoxTray", "GameBox", "LaidPiece"]


@dataclass(frozen=True, slots=True)
class BoxPiece:
    """A counter or card: its pictures, the first of which is up."""

    name: str
    sides: tuple[bytes, ...]
    card: bool = False


@dataclass(slots=True)
class BoxTray:
    """Pieces that belong together; they become a list of a palette."""

    name: str
    pieces: list[BoxPiece] = field(default_factory=list)


@dataclass(slots=True)
class BoxMap:
    """A map: a picture, or a plain one of a size; maybe a grid."""

    name: str
    picture: bytes = b""
    size: tuple[int, int] = (0, 0)
    grid: Grid | None = None


@dataclass(frozen=True, slots=True)
class LaidPiece:
    """A piece on a map: which side is up, and by how many degrees it is turned clockwise."""

    map: str
    x: int
    y: int
    tray: int
    piece: int
    side: int = 0
    turned: float = 0.0


@dataclass(slots=True)
class BoxLayout:
    """A scenario of the box: pieces as they lie, the lowest of a stack first."""

    name: str
    description: str = ""
    pieces: list[LaidPiece] = field(default_factory=list)


@dataclass(slots=True)
class GameBox:
    """All that was found in a box; `notes` tell what was not."""

    name: str
    description: str = ""
    maps: list[BoxMap] = field(default_factory=list)
    trays: list[BoxTray] = field(default_factory=list)
    dice: list[tuple[int, int]] = field(default_factory=list)
    """How many dice of how many faces, for each button."""
    layouts: list[BoxLayout] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
