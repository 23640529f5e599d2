"""What a cell of the sheet is to a piece: name, picture, prototypes, markers, layers, labels."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import UsageError
from hexmarshal.vassal.pieces.piece_names import basic_name
from hexmarshal.vassal.pieces.prototypes import expand
from hexmarshal.vassal.traits import (
    BasicName,
    BasicPiece,
    DynamicProperty,
    Labeler,
    LabelState,
    Layer,
    Marker,
    MarkerState,
    PropertyState,
    UsePrototype,
)
from hexmarshal.vassal.values import Constraints

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hexmarshal.vassal.pieces.piece import Piece

__all__ = [
    "EMPTY",
    "IMAGE",
    "KINDS",
    "NAME",
    "PROTOTYPES",
    "facets_of",
    "inherited_name",
    "listed",
    "with_facet",
    "with_own_name",
]

NAME: Final = "name"
IMAGE: Final = "image"
PROTOTYPES: Final = "prototypes"
EMPTY: Final = "(empty)"
"""Stands for a value that is there and is empty; a blank cell says that there is none."""
_BETWEEN: Final = " | "
KINDS: Final = ("Marker", "Property", "Layer", "Label")


def facets_of(piece: Piece) -> dict[str, str]:
    """The cells of a piece by the titles of their columns; of two of one title the outer counts."""
    found: dict[str, str] = {}
    if isinstance(piece.basic, BasicPiece):
        found[NAME], found[IMAGE] = basic_name(piece), piece.basic.image
    if piece.problem is not None:
        return found
    found[PROTOTYPES] = _BETWEEN.join(piece.prototypes)
    for trait, state in zip(piece.traits, piece.states, strict=True):
        if isinstance(trait, Marker) and isinstance(state, MarkerState):
            values = (*state.values, *[""] * len(trait.names))
            for name, value in zip(trait.names, values, strict=False):
                found.setdefault(f"Marker: {name}", value or EMPTY)
        elif isinstance(trait, DynamicProperty) and isinstance(state, PropertyState):
            found.setdefault(f"Property: {trait.name}", state.value or EMPTY)
        elif isinstance(trait, Layer) and trait.name:
            found.setdefault(f"Layer: {trait.name}", _BETWEEN.join(trait.images) or EMPTY)
        elif isinstance(trait, Labeler) and isinstance(state, LabelState):
            title = trait.description or trait.property_name
            if title:
                found.setdefault(f"Label: {title}", state.text or EMPTY)
    return found


def inherited_name(piece: Piece, definitions: Mapping[str, str]) -> str | None:
    """The name that a Basic Name trait of a prototype gives to the piece, if one does."""
    if piece.problem is not None or not piece.prototypes:
        return None
    given = expand(piece, definitions).piece.first(BasicName)
    own = piece.first(BasicName)
    if given is None or (own is not None and own.trait.name == given.trait.name):
        return None
    return given.trait.name


def with_own_name(piece: Piece) -> Piece:
    """The piece with a Basic Name trait of its own, which counts before that of a prototype."""
    return piece.with_trait(BasicName())


def with_facet(piece: Piece, column: str, text: str) -> Piece:
    """The piece with another value in a column; a UsageError if a cell cannot say that."""
    kind, colon, name = column.partition(": ")
    if not colon:
        return _PLAIN[column](piece, text)
    return _NAMED[kind](piece, name, text)


def listed(text: str) -> tuple[str, ...]:
    """The parts of a cell that holds several."""
    return tuple(part.strip() for part in text.split("|") if part.strip())


def _basic(field: str) -> Callable[[Piece, str], Piece]:
    def change(piece: Piece, text: str) -> Piece:
        basic = piece.traits[-1]
        if not isinstance(basic, BasicPiece):
            raise UsageError("this is no basic piece")
        return piece.replace_trait(len(piece.traits) - 1, replace(basic, **{field: text}))

    return change


def _name(piece: Piece, text: str) -> Piece:
    given = piece.first(BasicName)
    if given is None:
        return _basic("name")(piece, text)
    return piece.replace_trait(given.index, replace(given.trait, name=text))


def _prototypes(piece: Piece, text: str) -> Piece:
    wanted = listed(text)
    for found in reversed([*piece.each(UsePrototype)]):
        if found.trait.name not in wanted:
            piece = piece.remove(found.index)
    for name in wanted:
        if name not in piece.prototypes:
            piece = piece.insert(len(piece.traits) - 1, UsePrototype(name=name))
    return piece


def _marker(piece: Piece, name: str, text: str) -> Piece:
    value = "" if text == EMPTY else text
    for found in piece.each(Marker):
        assert isinstance(found.state, MarkerState)
        names = found.trait.names
        if name not in names:
            continue
        values = [*found.state.values, *[""] * len(names)][: len(names)]
        at = names.index(name)
        if text:
            values[at] = value
            return piece.with_state(found.index, MarkerState(values=tuple(values)))
        if len(names) == 1:
            return piece.remove(found.index)
        del values[at]
        rest = tuple(each for i, each in enumerate(names) if i != at)
        return piece.replace_trait(
            found.index, Marker(names=rest), MarkerState(values=tuple(values))
        )
    if not text:
        return piece
    return piece.with_trait(Marker(names=(name,)), MarkerState(values=(value,)))


def _property(piece: Piece, name: str, text: str) -> Piece:
    value = "" if text == EMPTY else text
    for found in piece.each(DynamicProperty):
        if found.trait.name == name:
            if not text:
                return piece.remove(found.index)
            return piece.with_state(found.index, PropertyState(value=value))
    if not text:
        return piece
    trait = DynamicProperty(name=name, constraints=Constraints("false,0,100,false"))
    return piece.with_trait(trait, PropertyState(value=value))


def _layer(piece: Piece, name: str, text: str) -> Piece:
    for found in piece.each(Layer):
        if found.trait.name == name:
            if not text:
                return piece.remove(found.index)
            images = () if text == EMPTY else listed(text)
            names = (*found.trait.level_names, *[""] * len(images))[: len(images)]
            return piece.replace_trait(
                found.index, replace(found.trait, images=images, level_names=names)
            )
    if not text:
        return piece
    raise UsageError(
        f"the piece has no layer {name!r}",
        hint="a sheet cannot tell its keys: take a template that has it, or add it by a recipe",
    )


def _label(piece: Piece, name: str, text: str) -> Piece:
    for found in piece.each(Labeler):
        if name in {found.trait.description, found.trait.property_name}:
            return piece.with_state(found.index, LabelState(text="" if text == EMPTY else text))
    if not text:
        return piece
    raise UsageError(
        f"the piece has no label {name!r}",
        hint="a sheet cannot tell where it stands: take a template that has it, or use a recipe",
    )


_PLAIN: Final[dict[str, Callable[[Piece, str], Piece]]] = {
    NAME: _name,
    IMAGE: _basic("image"),
    PROTOTYPES: _prototypes,
}
_NAMED: Final[dict[str, Callable[[Piece, str, str], Piece]]] = {
    "Marker": _marker,
    "Property": _property,
    "Layer": _layer,
    "Label": _label,
}
