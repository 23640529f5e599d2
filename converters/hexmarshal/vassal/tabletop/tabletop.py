"""A set-up of a module as people would write it down: which piece is where, and how it looks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["FORMAT", "DeckEntry", "PieceEntry", "Tabletop"]

FORMAT: Final = "hexmarshal-table/1"


@dataclass(frozen=True, slots=True)
class PieceEntry:
    """A piece on the table.

    `slot` is the id of its definition in the module, or its number there (`#17`) where it has no
    id; it may be left out where the name is enough.
    `at` is the point where it lies if that is not the middle of its location. Pieces of one `stack`
    lie on one another, the first at the bottom; None: on whatever lies there; 0: by itself. `state`
    tells what is not as in the module: layers, labels, rotation, properties, by trait. `saved` is
    the whole piece, type and state, where the module has no definition of it.
    """

    piece: str
    map: str = ""
    location: str = ""
    side: str = ""
    slot: str = ""
    at: tuple[int, int] | None = None
    stack: int | None = None
    deck: str = ""
    state: Mapping[str, str] = field(default_factory=dict)
    saved: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class DeckEntry:
    """A deck: where it is, which way up, and its settings if the module has no such deck."""

    name: str
    map: str
    at: tuple[int, int]
    face_down: bool = False
    saved: str = ""


@dataclass(frozen=True, slots=True)
class Tabletop:
    """Everything on the table of a module, in the order in which it is drawn."""

    module: str = ""
    version: str = ""
    pieces: tuple[PieceEntry, ...] = ()
    decks: tuple[DeckEntry, ...] = ()
    boards: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    properties: Mapping[str, str] = field(default_factory=dict)
    turns: Mapping[str, str] = field(default_factory=dict)
    layers: Mapping[int, int] = field(default_factory=dict)
    notes: str = ""
