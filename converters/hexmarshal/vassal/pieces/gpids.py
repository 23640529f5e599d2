"""Gpids: the ids by which saves find the definitions of pieces, in slots, markers and states."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal.pieces.embedded import MAX_DEPTH, marker_piece, walk, with_marker
from hexmarshal.vassal.pieces.piece import Piece, parse_add
from hexmarshal.vassal.traits import PieceState, PlaceMarker

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hexmarshal.vassal.module import Module

__all__ = ["defined_gpids", "marker_gpids", "with_gpids"]


def defined_gpids(module: Module) -> Iterator[str]:
    """The id of every slot and of every marker that a trait places, repeats included."""
    for component in module.walk():
        if not component.holds_piece:
            continue
        if gpid := component.get("gpid"):
            yield gpid
        if component.text.strip():
            try:
                yield from marker_gpids(parse_add(component.text.strip()))
            except VassalFormatError:
                continue


def marker_gpids(piece: Piece) -> Iterator[str]:
    """The ids of the markers that a piece's traits place, and the markers of those."""
    for _, inner in walk(piece):
        yield from (found.trait.gpid for found in inner.each(PlaceMarker) if found.trait.gpid)


def with_gpids(piece: Piece, gpids: Mapping[str, str], depth: int = 0) -> Piece:
    """The piece with new ids for itself and for the markers that its traits place."""
    if piece.problem is not None or depth > MAX_DEPTH:
        return piece
    changed = piece
    for found in piece.each(PlaceMarker):
        trait = found.trait
        inner = marker_piece(trait)
        if inner is not None:
            renumbered = with_gpids(inner, gpids, depth + 1)
            trait = trait if renumbered == inner else with_marker(trait, renumbered)
        if trait.gpid in gpids:
            trait = replace(trait, gpid=gpids[trait.gpid])
        if trait is not found.trait:
            changed = changed.replace_trait(found.index, trait)
    state = changed.basic_state
    if isinstance(state, PieceState) and state.gpid in gpids:
        last = len(changed.traits) - 1
        changed = changed.with_state(last, replace(state, gpid=gpids[state.gpid]))
    return changed
