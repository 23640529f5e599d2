"""A piece step done to a piece and to the pieces that its Place Marker traits carry."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError
from hexmarshal.vassal.pieces.embedded import MAX_DEPTH, marker_piece, with_marker
from hexmarshal.vassal.traits import PlaceMarker

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.vassal.components import Component
    from hexmarshal.vassal.pieces.piece import Piece
    from hexmarshal.vassal.recipes.recipe import PieceStep

__all__ = ["StepEditor"]


@dataclass(slots=True)
class StepEditor:
    """Does one step to pieces; a marker that many of them carry is looked at once."""

    step: PieceStep
    definitions: Mapping[str, str] = field(default_factory=dict)
    _known: dict[tuple[str, int], tuple[Piece | None, list[str]]] = field(default_factory=dict)

    def edited(
        self, piece: Piece, component: Component | None = None, *, itself: bool = True
    ) -> tuple[Piece, list[str]]:
        """The piece after the step, with what changed; unless `itself`, only what it carries."""
        words: list[str] = []
        fresh = piece
        if itself and self.step.selector.matches(piece, component, self.definitions):
            fresh, words = self._edited(piece)
        if not self.step.prototypes:
            fresh = self._carried(fresh, component, words, 0)
        return fresh, words

    def _edited(self, piece: Piece) -> tuple[Piece, list[str]]:
        words: list[str] = []
        try:
            for edit in self.step.edits:
                piece, told = edit(piece)
                words += told
        except HexMarshalError as why:
            raise why.at(self.step.place) from None
        return piece, words

    def _carried(
        self, piece: Piece, holder: Component | None, words: list[str], depth: int
    ) -> Piece:
        if depth > MAX_DEPTH or piece.problem is not None:
            return piece
        for found in [*piece.each(PlaceMarker)]:
            new, told = self._marker(found.trait, holder, depth)
            if new is not None:
                piece = piece.replace_trait(found.index, with_marker(found.trait, new))
                words += told
        return piece

    def _marker(
        self, trait: PlaceMarker, holder: Component | None, depth: int
    ) -> tuple[Piece | None, list[str]]:
        """The piece that a trait carries, if the step changes it."""
        # Where it stands counts only for steps that ask for it.
        place = id(holder) if self.step.selector.inside is not None else 0
        key = trait.marker, place
        if key not in self._known:
            self._known[key] = None, []
            inner = marker_piece(trait)
            if inner is not None and inner.problem is None:
                self._known[key] = self._inner(inner, holder, depth)
        return self._known[key]

    def _inner(
        self, inner: Piece, holder: Component | None, depth: int
    ) -> tuple[Piece | None, list[str]]:
        words: list[str] = []
        fresh = inner
        if self.step.selector.matches(inner, None, self.definitions, within=holder):
            fresh, words = self._edited(inner)
        fresh = self._carried(fresh, holder, words, depth + 1)
        name = inner.name or "without a name"
        told = [f"in the marker {name}: {word}" for word in words]
        return (fresh, told) if fresh != inner else (None, [])
