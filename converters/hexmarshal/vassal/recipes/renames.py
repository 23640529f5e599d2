"""New names inside a piece: of pieces, prototypes, maps, decks, images and properties."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

from hexmarshal.vassal import sequence
from hexmarshal.vassal.pieces.embedded import MAX_DEPTH, marker_path, marker_piece, with_marker
from hexmarshal.vassal.pieces.expression_fields import with_expressions
from hexmarshal.vassal.pieces.references import with_images
from hexmarshal.vassal.recipes.property_names import in_expression, in_format, in_target_field
from hexmarshal.vassal.traits import (
    BasicName,
    BasicPiece,
    Deck,
    DeckState,
    DynamicProperty,
    FootprintState,
    LabelState,
    Marker,
    PieceState,
    PlaceMarker,
    PropertySheet,
    Record,
    ReturnToDeck,
    SendToLocation,
    SentState,
    SetGlobalProperty,
    SetPieceProperty,
    StackState,
    State,
    Trait,
    UsePrototype,
)
from hexmarshal.vassal.traits.attributes import CalculatedProperty
from hexmarshal.vassal.values import (
    FormattedText,
    GlobalCommandTarget,
    Parameters,
    SheetFields,
)
from hexmarshal.vassal.values.name_literals import in_literals
from hexmarshal.vassal.xml.component_paths import ComponentPath, Step

if TYPE_CHECKING:
    from collections.abc import Callable

    from hexmarshal.vassal.pieces.piece import Piece

    Rename = Callable[[str], str]

__all__ = ["KINDS", "PieceRenamer", "rename_in_path"]

R = TypeVar("R", bound=Record)

KINDS: Final = ("pieces", "prototypes", "maps", "decks", "images", "properties")
# The component classes that a step of a component path names, by what is renamed.
_STEPS: Final = {
    "pieces": ("PieceSlot", "CardSlot"),
    "maps": ("Map", "PrivateMap", "PlayerHand"),
    "decks": ("DrawPile",),
    "prototypes": ("PrototypeDefinition",),
}
_TARGETS: Final = {"maps": 3, "decks": 9, "properties": 11}
# Text fields that name a property though their kind says nothing of it.
_PROPERTY_FIELDS: Final = (
    "property_name",
    "only_property_name",
    "second_property_name",
    "radius_property",
    "range_property",
    "index_property",
)


@dataclass(frozen=True, slots=True)
class PieceRenamer:
    """Changes names of one kind in pieces; what many pieces have in common is looked at once."""

    kind: str
    rename: Rename
    _seen: dict[str, Trait] = field(default_factory=dict, repr=False)

    def piece(self, piece: Piece, depth: int = 0) -> Piece:
        """The piece with every name changed, also in pieces inside it."""
        if self.kind == "images":
            return with_images(piece, self.rename)
        if piece.problem is not None or depth > MAX_DEPTH:
            return piece
        traits = [self._known(trait, depth) for trait in piece.traits]
        states: list[State | str] = [*piece.state_texts]
        changed = any(new is not old for new, old in zip(traits, piece.traits, strict=True))
        for index, state in enumerate(piece.states):
            new_state = self.state(state)
            if new_state is not state:
                states[index] = new_state
                changed = True
        return piece.remade(traits, states) if changed else piece

    def _known(self, trait: Trait, depth: int) -> Trait:
        if trait.source is None:
            return self._inside(trait, depth)
        if trait.source not in self._seen:
            self._seen[trait.source] = self._inside(trait, depth)
        new = self._seen[trait.source]
        return trait if new == trait else new

    def _inside(self, trait: Trait, depth: int) -> Trait:
        new = self.trait(trait)
        if isinstance(new, PlaceMarker):
            inner = marker_piece(new)
            if inner is not None:
                fresh = self.piece(inner, depth + 1)
                new = with_marker(new, fresh) if fresh != inner else new
        return new

    def trait(self, trait: Trait) -> Trait:
        """The trait with the names that it holds."""
        own = _OWN.get(self.kind)
        changes = own(trait, self.rename) if own is not None else {}
        index = _TARGETS.get(self.kind)
        for spec, value in trait.items():
            if isinstance(value, GlobalCommandTarget) and index is not None:
                changes[spec.name] = in_target_field(value, index, self.rename)
            elif self.kind == "properties":
                changes |= self._property(trait, spec.name, value)
            else:
                fresh = with_expressions(trait, spec.name, value, self._in_literals)
                if fresh != value and spec.name not in changes:
                    changes[spec.name] = fresh
        if isinstance(trait, PlaceMarker):
            changes |= self._path(trait)
        return _replaced(trait, changes)

    def _property(self, trait: Trait, name: str, value: Any) -> dict[str, Any]:  # noqa: ANN401
        if name in _PROPERTY_FIELDS and isinstance(value, str) and value:
            return {name: self.rename(value)}
        fresh = value
        if isinstance(value, Parameters) and any(self.rename(k) != k for k, _ in value.pairs):
            fresh = Parameters.of({self.rename(key): given for key, given in value.pairs})
        fresh = with_expressions(trait, name, fresh, self._in_expression, self._in_format)
        return {name: fresh} if fresh != value else {}

    def _in_expression(self, text: str) -> str:
        return in_expression(text, self.rename)

    def _in_format(self, text: str) -> str:
        return in_format(text, self.rename)

    def _in_literals(self, text: str) -> str:
        return in_literals(text, self.kind, self.rename)

    def _path(self, trait: PlaceMarker) -> dict[str, Any]:
        path = marker_path(trait)
        return {} if path is None else {"marker": rename_in_path(self.kind, path, self.rename)}

    def state(self, state: State) -> State:
        """The state with the names that it holds."""
        if self.kind == "maps":
            if isinstance(state, PieceState | StackState | DeckState) and state.map:
                return _replaced(state, {"map": self.rename(state.map)})
            if isinstance(state, SentState | FootprintState) and state.map:
                return _replaced(state, {"map": self.rename(state.map)})
        if self.kind == "properties" and isinstance(state, LabelState):
            return _replaced(state, {"text": in_format(state.text, self.rename)})
        return state


def rename_in_path(kind: str, path: str, rename: Rename) -> str:
    """A component path with the steps that lead through what is renamed."""
    classes = _STEPS.get(kind, ())
    steps = ComponentPath.parse(path).steps
    fresh = tuple(
        Step(step.class_name, rename(step.name))
        if step.name and step.class_name.rpartition(".")[2] in classes
        else step
        for step in steps
    )
    return path if fresh == steps else str(ComponentPath(fresh))


def _replaced(record: R, changes: dict[str, Any]) -> R:
    real = {name: value for name, value in changes.items() if value != getattr(record, name)}
    return replace(record, **real) if real else record


def _pieces(trait: Trait, rename: Rename) -> dict[str, Any]:
    return {"name": rename(trait.name)} if isinstance(trait, BasicPiece | BasicName) else {}


def _prototypes(trait: Trait, rename: Rename) -> dict[str, Any]:
    return {"name": rename(trait.name)} if isinstance(trait, UsePrototype) else {}


def _maps(trait: Trait, rename: Rename) -> dict[str, Any]:
    if isinstance(trait, SendToLocation) and trait.map:
        return {"map": FormattedText(rename(trait.map.text))}
    if isinstance(trait, SetGlobalProperty) and trait.level == "Named Map":
        return {"search_name": rename(trait.search_name)}
    return {}


def _decks(trait: Trait, rename: Rename) -> dict[str, Any]:
    if isinstance(trait, ReturnToDeck):
        return {"deck": rename(trait.deck)}
    if isinstance(trait, Deck):
        target = rename(trait.reshuffle_target) if trait.reshuffle_target else ""
        return {"name": rename(trait.name), "reshuffle_target": target}
    return {}


def _properties(trait: Trait, rename: Rename) -> dict[str, Any]:
    if isinstance(trait, Marker):
        return {"names": tuple(map(rename, trait.names))}
    if isinstance(
        trait, DynamicProperty | CalculatedProperty | SetGlobalProperty | SetPieceProperty
    ):
        return {"name": rename(trait.name)}
    if isinstance(trait, PropertySheet):
        lines = sequence.split(trait.fields.text, "~")
        return {"fields": SheetFields("~".join(line[:1] + rename(line[1:]) for line in lines))}
    return {}


_OWN: Final[dict[str, Callable[[Any, Rename], dict[str, Any]]]] = {
    "pieces": _pieces,
    "prototypes": _prototypes,
    "maps": _maps,
    "decks": _decks,
    "properties": _properties,
}
