"""Makes a piece show a property: a level, a facing, a number, a mark, a mask."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hexmarshal.vassal.traits import (
    DynamicProperty,
    FacingState,
    HiddenState,
    Hideable,
    Labeler,
    LabelState,
    Layer,
    LayerState,
    Marker,
    MarkerState,
    Mask,
    MaskState,
    MovedState,
    MovementMarkable,
    PropertyState,
    RotateFixed,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from hexmarshal.vassal.pieces.piece import Piece
    from hexmarshal.vassal.traits import State, Trait
    from hexmarshal.vassal.values import PieceAccess

__all__ = ["show"]

_SETTABLE: Final = (
    Layer,
    RotateFixed,
    DynamicProperty,
    Labeler,
    MovementMarkable,
    Hideable,
    Mask,
    Marker,
)


def show(piece: Piece, name: str, text: str, owner: Callable[[PieceAccess], str]) -> Piece | None:
    """The piece with the property set; None if no trait of it can be set so.

    `owner` says in whose name a piece is hidden or masked.
    """
    for index, trait in enumerate(piece.traits):
        if not isinstance(trait, _SETTABLE):
            continue  # before its state is read: most traits have nothing to set
        state = trait.decode_state(piece.state_texts[index])
        changed = _state(trait, state, name, text, owner)
        if changed is not None:
            made = piece if changed == state else piece.with_state(index, changed)
            return _followed(made, name, int(text)) if _is_number(text) else made
    return None


def _followed(piece: Piece, name: str, value: int) -> Piece:
    """The piece with the layers that follow a property on the level that it gives them."""
    for layer in piece.each(Layer):
        trait, state = layer.trait, layer.state
        if trait.follow_property and trait.property_name == name and isinstance(state, LayerState):
            level = min(max(value - trait.first_level_value + 1, 1), len(trait.images))
            if level != state.level:
                piece = piece.with_state(layer.index, replace(state, level=level))
    return piece


def _state(
    trait: Trait, state: State, name: str, text: str, owner: Callable[[PieceAccess], str]
) -> State | None:
    match trait, state:
        case Layer(name=layer), LayerState() if name == f"{layer}_Level" and _is_number(text):
            return replace(state, level=int(text))
        case RotateFixed(name=own), FacingState() if name == f"{own}_Facing" and _is_number(text):
            return FacingState(facing=int(text) - 1)
        case DynamicProperty(name=own), PropertyState() if own == name:
            return PropertyState(value=text)
        case Labeler(property_name=own), LabelState() if own == name:
            return LabelState(text=text)
        case MovementMarkable(), MovedState() if name == "Moved":
            return MovedState(moved=text == "true")
        case Hideable(), HiddenState() if name == "Invisible":
            hidden = state.owner or owner(trait.access)
            return HiddenState(owner=hidden if text == "true" else None)
        case Mask(), MaskState() if name == "Obscured":
            masked = state.owner or owner(trait.access)
            return replace(state, owner=masked if text == "true" else None)
        case Marker(), MarkerState() if name in trait.names:
            values = [*state.values, *[""] * (len(trait.names) - len(state.values))]
            values[trait.names.index(name)] = text
            return MarkerState(values=tuple(values))
    return None


def _is_number(text: str) -> bool:
    return text.lstrip("-").isdecimal()
