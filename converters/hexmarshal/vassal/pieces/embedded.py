"""Pieces inside pieces: what `placemark;` and `replace;` traits put on the map."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal.pieces.piece import Piece, format_add, parse_add
from hexmarshal.vassal.traits import PlaceMarker

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["MAX_DEPTH", "marker_path", "marker_piece", "walk", "with_marker"]

MAX_DEPTH: Final = 50
_MARKERS: Final = frozenset({PlaceMarker, *PlaceMarker.__subclasses__()})


def marker_piece(trait: PlaceMarker) -> Piece | None:
    """The piece that the trait carries itself, or None if it names one or has none."""
    if not trait.marker.startswith("+/"):
        return None
    try:
        return parse_add(trait.marker)
    except VassalFormatError:
        return None


def marker_path(trait: PlaceMarker) -> str | None:
    """The component path of the piece that the trait names, or None."""
    spec = trait.marker
    return None if spec in {"", "null"} or spec.startswith("+/") else spec


def with_marker(trait: PlaceMarker, piece: Piece) -> PlaceMarker:
    """The same trait with another piece inside."""
    return replace(trait, marker=format_add(piece))


def walk(piece: Piece, *, depth: int = 0) -> Iterator[tuple[int, Piece]]:
    """The piece and all pieces inside it, each with how deep it lies."""
    yield depth, piece
    if depth >= MAX_DEPTH or _MARKERS.isdisjoint(map(type, piece.traits)):
        return
    for trait in piece.traits:
        inner = marker_piece(trait) if isinstance(trait, PlaceMarker) else None
        if inner is not None:
            yield from walk(inner, depth=depth + 1)
