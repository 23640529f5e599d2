"""What a piece is called and what properties it shows to the module's expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hexmarshal.vassal import sequence
from hexmarshal.vassal.traits import (
    BasicName,
    BasicPiece,
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
    Mat,
    MovedState,
    MovementMarkable,
    PieceState,
    PropertySheet,
    PropertyState,
    RotateFixed,
    SheetState,
    Trait,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hexmarshal.vassal.pieces.piece import Piece

__all__ = ["full_name", "properties_of"]


def full_name(piece: Piece) -> str:
    """The name as VASSAL shows it: layers and labels add to the basic piece's name."""
    name = piece.name
    for trait, state in zip(reversed(piece.traits), reversed(piece.states), strict=True):
        if isinstance(trait, Layer) and isinstance(state, LayerState):
            name = _named_by_layer(name, trait, state)
        elif isinstance(trait, Labeler) and isinstance(state, LabelState):
            label = state.text.strip()
            if label or trait.always_use_format:
                name = trait.name_format.fill({"pieceName": name, "label": label})
    return name


def _named_by_layer(name: str, layer: Layer, state: LayerState) -> str:
    level_name = _level_name(layer, state.level)
    if not level_name:
        return name
    before, *after = sequence.decode(level_name, "+")
    if not after:
        return before
    return before + name if before else name + after[0]


def _level_name(layer: Layer, level: int) -> str:
    return layer.level_names[level - 1] if 0 < level <= len(layer.level_names) else ""


def properties_of(piece: Piece) -> dict[str, str]:
    """Properties by name; of two traits that set one, the outer is heard.

    Calculated properties are left out: their value depends on the whole game.
    """
    found: dict[str, str] = {}
    for trait, state in zip(piece.traits, piece.states, strict=True):
        for cls, read in _READERS.items():
            if isinstance(trait, cls):
                for name, value in read(trait, state):
                    found.setdefault(name, value)
    found["PieceName"] = full_name(piece)
    return found


def _marker(trait: Marker, state: MarkerState) -> Iterator[tuple[str, str]]:
    yield from zip(trait.names, state.values, strict=False)


def _dynamic(trait: DynamicProperty, state: PropertyState) -> Iterator[tuple[str, str]]:
    yield trait.name, state.value


def _layer(trait: Layer, state: LayerState) -> Iterator[tuple[str, str]]:
    if not trait.name:
        return
    level = state.level
    yield f"{trait.name}_Level", str(level)
    yield f"{trait.name}_Active", "true" if state.is_active else "false"
    yield f"{trait.name}_Name", _level_name(trait, level).strip("+")
    yield (
        f"{trait.name}_Image",
        trait.images[level - 1] if 0 < level <= len(trait.images) else "",
    )


def _label(trait: Labeler, state: LabelState) -> Iterator[tuple[str, str]]:
    if trait.property_name:
        yield trait.property_name, state.text.strip()


def _facing(trait: RotateFixed, state: FacingState) -> Iterator[tuple[str, str]]:
    yield f"{trait.name}_Facing", str(state.facing + 1)
    degrees = state.facing * 360 / trait.facings if trait.facings > 0 else 0
    yield f"{trait.name}_Degrees", str(round(abs(degrees)) % 360)


def _moved(_trait: MovementMarkable, state: MovedState) -> Iterator[tuple[str, str]]:
    yield "Moved", "true" if state.moved else "false"


def _hidden(_trait: Hideable, state: HiddenState) -> Iterator[tuple[str, str]]:
    yield "Invisible", "true" if state.owner else "false"


def _masked(_trait: Mask, state: MaskState) -> Iterator[tuple[str, str]]:
    yield "Obscured", "true" if state.owner else "false"


def _mat(trait: Mat, _state: object) -> Iterator[tuple[str, str]]:
    yield "MatName", trait.name


def _sheet(trait: PropertySheet, state: SheetState) -> Iterator[tuple[str, str]]:
    lines = zip(trait.fields.fields, state.values, strict=False)
    yield from ((line.name, value.replace("|", "\n")) for line, value in lines)


def _basic_name(trait: BasicName, _state: object) -> Iterator[tuple[str, str]]:
    yield "BasicName", trait.name


def _basic(trait: BasicPiece, state: PieceState) -> Iterator[tuple[str, str]]:
    yield "BasicName", trait.name
    yield "CurrentMap", state.map or ""
    yield "CurrentX", str(state.x)
    yield "CurrentY", str(state.y)
    yield from state.properties


_READERS: Final[dict[type[Trait], Callable[[Any, Any], Iterator[tuple[str, str]]]]] = {
    Marker: _marker,
    DynamicProperty: _dynamic,
    Layer: _layer,
    Labeler: _label,
    RotateFixed: _facing,
    MovementMarkable: _moved,
    Hideable: _hidden,
    Mask: _masked,
    Mat: _mat,
    PropertySheet: _sheet,
    BasicName: _basic_name,
    BasicPiece: _basic,
}
