"""What a piece is called and what properties it shows to the module's expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.vassal import sequence
from hexmarshal.vassal.sequence import java_int
from hexmarshal.vassal.traits import (
    BasicName,
    BasicPiece,
    CalculatedProperty,
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
    TranslatableMessage,
)
from hexmarshal.vassal.values import beanshell
from hexmarshal.vassal.values.evaluation import evaluate, filled

if TYPE_CHECKING:
    from hexmarshal.vassal.pieces.piece import Piece, PieceType

__all__ = [
    "Lookup",
    "PieceProperties",
    "basic_name",
    "full_name",
    "own_properties",
    "properties_of",
    "shown_level",
]


Lookup = Callable[[str], str | None]
_Reader = Callable[[Any, Any], Iterator[tuple[str, str]]]
_DEEPEST: Final = 10
_NAMING: Final = (Layer, Labeler)
# Pieces are asked again and again, as they lie in a box or on a table, and are mostly as before.
_SHOWN: Final[dict[tuple[PieceType, str], dict[str, str]]] = {}
_MOST_SHOWN: Final = 4000


def basic_name(piece: Piece) -> str:
    """The name that the module gave it: by a Basic Name trait, else by the basic piece."""
    given = piece.first(BasicName)
    return given.trait.name if given is not None else piece.name


def full_name(piece: Piece, around: Lookup = lambda _name: None) -> str:
    """The name as VASSAL shows it: layers and labels add to the basic piece's name.

    What a label says may be worked out from properties; `around` knows those of the game. What
    cannot be worked out adds nothing.
    """
    return _shown_name(piece, PieceProperties(piece, around))


def _shown_name(piece: Piece, known: Lookup) -> str:
    name = basic_name(piece)
    for trait, text in zip(reversed(piece.traits), reversed(piece.state_texts), strict=True):
        if isinstance(trait, _NAMING):
            state = trait.decode_state(text)
            if isinstance(trait, Layer) and isinstance(state, LayerState):
                name = _named_by_layer(name, trait, shown_level(trait, state, known))
            elif isinstance(trait, Labeler) and isinstance(state, LabelState):
                name = _named_by_label(name, trait, state, known)
    return name


class PieceProperties:
    """The properties of a piece, calculated ones too; None for what cannot be told."""

    def __init__(
        self,
        piece: Piece,
        around: Lookup = lambda _name: None,
        own: dict[str, str] | None = None,
    ) -> None:
        self._piece = piece
        self._around = around
        self._depth = 0
        self._own = own
        self._formulas: dict[str, str] | None = None

    def __call__(self, name: str) -> str | None:
        """The value of one."""
        if self._own is None:
            self._own = own_properties(self._piece)
        if name in self._own:
            return self._own[name]
        if self._formulas is None:
            found = [*self._piece.each(CalculatedProperty)]
            self._formulas = {each.trait.name: each.trait.expression for each in reversed(found)}
        if name in self._formulas:
            return self._worked_out(self._formulas[name])
        return self._around(name)

    def _worked_out(self, formula: str) -> str | None:
        if self._depth >= _DEEPEST:
            return None
        self._depth += 1
        try:
            return evaluate(formula, self)
        finally:
            self._depth -= 1


def shown_level(layer: Layer, state: LayerState, known: Lookup) -> int:
    """The level that is shown, below 1 if none; of a layer that follows a property, as that says.

    What cannot be told is as the game last had it.
    """
    if not (layer.follow_property and layer.property_name):
        return state.level
    asked = layer.property_name
    value = evaluate(asked, known) if beanshell.is_braced(asked) else known(asked)
    number = layer.first_level_value if value == "" else java_int(value or "-")
    if number is None:
        return state.level
    level = min(max(1, number - layer.first_level_value + 1), len(layer.images))
    return level if state.is_active else -level


def _named_by_label(name: str, trait: Labeler, state: LabelState, known: Lookup) -> str:
    text = state.text.strip()
    label = filled(text, known) if text else ""
    if not (text or trait.always_use_format):
        return name
    own = {"pieceName": name, "PieceName": name}
    if label is not None:
        own["label"] = label
    if trait.name_format.is_expression:
        # It may be known what the piece is called where it is not what its label says.
        return filled(trait.name_format.text, lambda n: own.get(n) or known(n)) or name
    return name if label is None else trait.name_format.fill(own)


def _named_by_layer(name: str, layer: Layer, level: int) -> str:
    level_name = _level_name(layer, level)
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
    key = piece.type, piece.state_text
    found = _SHOWN.get(key)
    if found is None:
        own = own_properties(piece)
        found = {**own, "PieceName": _shown_name(piece, PieceProperties(piece, own=own))}
        if len(_SHOWN) >= _MOST_SHOWN:
            _SHOWN.clear()
        _SHOWN[key] = found
    return found.copy()


def own_properties(piece: Piece) -> dict[str, str]:
    """The same without the name as it is shown, which is made from them."""
    found: dict[str, str] = {}
    traits, texts = piece.traits, piece.state_texts
    shared = traits is piece.type.traits
    for index, read in _tellers_of(piece.type) if shared else _tellers(traits):
        trait = traits[index]
        for name, value in read(trait, trait.decode_state(texts[index])):
            found.setdefault(name, value)
    return found


# As many as there are types: most traits tell no property, and pieces share their types.
@lru_cache(maxsize=1 << 13)
def _tellers_of(type: PieceType) -> tuple[tuple[int, _Reader], ...]:
    return _tellers(type.traits)


def _tellers(traits: tuple[Trait, ...]) -> tuple[tuple[int, _Reader], ...]:
    """Which of the traits tell properties, by their places, and what reads them."""
    return tuple(
        (index, read)
        for index, trait in enumerate(traits)
        for cls, read in _READERS.items()
        if isinstance(trait, cls)
    )


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


def _message(trait: TranslatableMessage, _state: object) -> Iterator[tuple[str, str]]:
    yield trait.key, trait.message


def _basic_name(trait: BasicName, _state: object) -> Iterator[tuple[str, str]]:
    yield "BasicName", trait.name


def _basic(trait: BasicPiece, state: PieceState) -> Iterator[tuple[str, str]]:
    yield "BasicName", trait.name
    yield "CurrentMap", state.map or ""
    yield "CurrentX", str(state.x)
    yield "CurrentY", str(state.y)
    yield from state.properties


_READERS: Final[dict[type[Trait], _Reader]] = {
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
    TranslatableMessage: _message,
    BasicName: _basic_name,
    BasicPiece: _basic,
}
