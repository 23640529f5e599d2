"""What a step does to a piece: traits, markers, prototypes, names; each verb tells what it did."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Protocol

from hexmarshal.errors import BadInputError
from hexmarshal.vassal.recipes.fields import Substitution, field_value, shown
from hexmarshal.vassal.recipes.selection import TraitSelector, trait_kinds
from hexmarshal.vassal.refresh.identity import describe
from hexmarshal.vassal.traits import (
    ActionButton,
    BasicPiece,
    Layer,
    Marker,
    MarkerState,
    ReturnToDeck,
    Trait,
    UsePrototype,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from hexmarshal.errors import Place
    from hexmarshal.geometry.values_with_lines import Keys, Sourced
    from hexmarshal.vassal.pieces.piece import Piece
    from hexmarshal.vassal.traits import State
    from hexmarshal.vassal.traits.codec import Record

__all__ = ["PIECE_VERBS", "PieceEdit"]


# What a missing field means is what old files meant; a new trait is one of today's.
_FRESH: Final[dict[type[Trait], dict[str, Any]]] = {
    Layer: {"version": 1, "activate_keys": ""},
    ReturnToDeck: {"version": 2},
    ActionButton: {"version": 1},
}


class PieceEdit(Protocol):
    """A verb with its arguments: the changed piece, and what changed in words."""

    def __call__(self, piece: Piece) -> tuple[Piece, list[str]]:
        """Do it to one piece; a piece that is so already comes back as it is."""


@dataclass(frozen=True, slots=True)
class _Values:
    """Fields of a record that a recipe sets."""

    given: tuple[tuple[str, Any, Place], ...]

    @classmethod
    def read(cls, source: Sourced, keys: Keys, given: dict[str, Any], of: type[Record]) -> _Values:
        known = {spec.name for spec in of.layout.fields}
        values = []
        for name, value in given.items():
            place = source.place(*keys, name)
            if name not in known:
                raise BadInputError(
                    f"{of.__name__} has no field {name!r}",
                    place=place,
                    hint=f"its fields: {', '.join(sorted(known)) or 'none'}",
                )
            meant = Substitution.read(value, place) if isinstance(value, dict) else value
            values.append((name, meant, place))
        made = cls(tuple(values))
        # Judged once here: a bad value must not wait for the first piece.
        if not any(isinstance(v, Substitution) for _, v, _ in values):
            made.apply(of())
        return made

    def apply(self, record: Any) -> Any:  # noqa: ANN401 - a trait or a state
        specs = {spec.name: spec for spec in record.layout.fields}
        changes = {
            name: field_value(specs[name], value, getattr(record, name), place)
            for name, value, place in self.given
        }
        changed = {n: v for n, v in changes.items() if v != getattr(record, n)}
        return replace(record, **changed) if changed else record


def _differences(before: Record, after: Record) -> list[str]:
    return [
        f"{spec.name} from {shown(value)} to {shown(getattr(after, spec.name))}"
        for spec, value in before.items()
        if value != getattr(after, spec.name)
    ]


def _add_trait(source: Sourced, keys: Keys, given: dict[str, Any]) -> PieceEdit:
    name = str(given["kind"])
    kind = trait_kinds().get(name)
    if kind is None or kind.layout.prefix in {"piece;", "stack", "deck;"}:
        raise BadInputError(
            f"no trait that can be added is called {name!r}", place=source.place(*keys, "kind")
        )
    fields = _Values.read(source, (*keys, "fields"), given.get("fields", {}), kind)
    state = _Values.read(source, (*keys, "state"), given.get("state", {}), kind.state_type)
    trait: Trait = fields.apply(kind(**_FRESH.get(kind, {})))
    text = trait.encode()
    of: State = state.apply(kind.state_type())
    at = given.get("at", "outermost")
    beside = None
    if isinstance(at, dict):
        (where, what), *_ = at.items()
        beside = where == "after", TraitSelector.read(source, (*keys, "at", where), what)

    def edit(piece: Piece) -> tuple[Piece, list[str]]:
        if any(own.encode() == text for own in piece.traits):
            return piece, []
        index = 0 if at == "outermost" else len(piece.traits) - 1
        if beside is not None:
            found = beside[1].indices(piece)
            if not found:
                return piece, []
            index = found[0] + beside[0]
        return piece.insert(index, trait, of), [f"add {describe(trait)}"]

    return edit


def _change_trait(source: Sourced, keys: Keys, given: dict[str, Any]) -> PieceEdit:
    selector = TraitSelector.read(source, (*keys, "trait"), given["trait"])
    if selector.kind is None:
        raise BadInputError(
            "a trait of a module's own code has no fields to set",
            place=source.place(*keys, "trait"),
        )
    fields = _Values.read(source, (*keys, "set"), given.get("set", {}), selector.kind)
    of = selector.kind.state_type
    state = _Values.read(source, (*keys, "state"), given.get("state", {}), of)

    def edit(piece: Piece) -> tuple[Piece, list[str]]:
        words: list[str] = []
        for index in selector.indices(piece):
            trait, own = piece.traits[index], piece.states[index]
            new, new_state = fields.apply(trait), state.apply(own)
            told = [*_differences(trait, new), *_differences(own, new_state)]
            if told:
                words.append(f"{describe(trait)}: {', '.join(told)}")
                piece = piece.replace_trait(index, new, new_state)
        return piece, words

    return edit


def _remove_trait(source: Sourced, keys: Keys, given: object) -> PieceEdit:
    selector = TraitSelector.read(source, keys, given)
    if selector.kind is BasicPiece:
        raise BadInputError("a piece cannot be without its basic piece", place=source.place(*keys))

    def edit(piece: Piece) -> tuple[Piece, list[str]]:
        words: list[str] = []
        for index in reversed(selector.indices(piece)):
            words.insert(0, f"remove {describe(piece.traits[index])}")
            piece = piece.remove(index)
        return piece, words

    return edit


def _set_markers(_source: Sourced, _keys: Keys, given: dict[str, Any]) -> PieceEdit:
    wanted = {name: _word(value) for name, value in given.items()}

    def edit(piece: Piece) -> tuple[Piece, list[str]]:
        words: list[str] = []
        left = dict(wanted)
        for found in [*piece.each(Marker)]:
            assert isinstance(found.state, MarkerState)
            names, values = found.trait.names, [*found.state.values]
            values += [""] * (len(names) - len(values))
            for at, name in enumerate(names):
                value = left.pop(name, None)
                if value is not None and values[at] != value:
                    words.append(f"marker {name} from {shown(values[at])} to {shown(value)}")
                    values[at] = value
            state = MarkerState(values=tuple(values))
            if state.values != found.state.values and words:
                piece = piece.with_state(found.index, state)
        for name, value in left.items():
            words.append(f"add marker {name} = {value}")
            piece = piece.with_trait(Marker(names=(name,)), MarkerState(values=(value,)))
        return piece, words

    return edit


def _remove_markers(_source: Sourced, _keys: Keys, given: list[object]) -> PieceEdit:
    unwanted = {_word(name) for name in given}

    def edit(piece: Piece) -> tuple[Piece, list[str]]:
        words: list[str] = []
        for found in reversed([*piece.each(Marker)]):
            assert isinstance(found.state, MarkerState)
            values = [*found.state.values] + [""] * len(found.trait.names)
            pairs = [*zip(found.trait.names, values, strict=False)]
            kept = [pair for pair in pairs if pair[0] not in unwanted]
            if len(kept) == len(pairs):
                continue
            words += [f"remove marker {name}" for name, _ in pairs if name in unwanted]
            if not kept:
                piece = piece.remove(found.index)
                continue
            trait = Marker(names=tuple(name for name, _ in kept))
            state = MarkerState(values=tuple(value for _, value in kept))
            piece = piece.replace_trait(found.index, trait, state)
        return piece, words

    return edit


def _add_prototype(_source: Sourced, _keys: Keys, given: object) -> PieceEdit:
    name = _word(given)

    def edit(piece: Piece) -> tuple[Piece, list[str]]:
        if name in piece.prototypes:
            return piece, []
        inside = len(piece.traits) - 1
        return piece.insert(inside, UsePrototype(name=name)), [f"add prototype {name!r}"]

    return edit


def _remove_prototype(_source: Sourced, _keys: Keys, given: object) -> PieceEdit:
    name = _word(given)

    def edit(piece: Piece) -> tuple[Piece, list[str]]:
        words: list[str] = []
        for found in reversed([*piece.each(UsePrototype)]):
            if found.trait.name == name:
                piece = piece.remove(found.index)
                words.append(f"remove prototype {name!r}")
        return piece, words

    return edit


def _set_basic(field: str) -> Callable[[Sourced, Keys, object], PieceEdit]:
    def read(source: Sourced, keys: Keys, given: object) -> PieceEdit:
        values = _Values.read(source, keys[:-1], {field: given}, BasicPiece)

        def edit(piece: Piece) -> tuple[Piece, list[str]]:
            basic = piece.traits[-1]
            if not isinstance(basic, BasicPiece):
                return piece, []
            new = values.apply(basic)
            if new is basic:
                return piece, []
            return piece.replace_trait(len(piece.traits) - 1, new), _differences(basic, new)

        return edit

    return read


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


PIECE_VERBS: dict[str, Callable[[Sourced, Keys, Any], PieceEdit]] = {
    "add_trait": _add_trait,
    "change_trait": _change_trait,
    "remove_trait": _remove_trait,
    "set_markers": _set_markers,
    "remove_markers": _remove_markers,
    "add_prototype": _add_prototype,
    "remove_prototype": _remove_prototype,
    "set_name": _set_basic("name"),
    "set_image": _set_basic("image"),
}
