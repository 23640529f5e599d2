"""Pieces: a chain of traits with their states, decoded when asked for, changed by copying."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from operator import call
from typing import TYPE_CHECKING, Final, Generic, TypeAlias, TypeVar

from hexmarshal.errors import VassalFormatError
from hexmarshal.errors.counts import counted
from hexmarshal.vassal import sequence
from hexmarshal.vassal.pieces.chain import decode_chain, encode_like, tail
from hexmarshal.vassal.traits import (
    BasicPiece,
    Deck,
    DeckState,
    PieceState,
    RawTrait,
    Stack,
    StackState,
    State,
    Trait,
    UsePrototype,
    decode_trait,
    state_reader,
    trait_text,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

__all__ = ["NO_ID", "Piece", "PieceType", "TraitAt", "format_add", "parse_add", "piece_type"]

NO_ID: Final = "null"
_ADD: Final = "+/"
_TAB: Final = "\t"
_INNERMOST: Final = ("piece;", "deck;", "stack")
# Ready made, because a union written where it is asked for is made anew each time.
_NAMED: Final = (BasicPiece, Deck)
_PLACED: Final = (PieceState, StackState, DeckState)

T = TypeVar("T", bound=Trait)
# Traits, the text of each one's state, what is wrong.
_Decoded: TypeAlias = tuple[tuple[Trait, ...], tuple[str, ...], str | None]


class PieceType:
    """The traits of a piece, outermost first; pieces of equal type text share one of these."""

    __slots__ = ("_basic", "_levels", "_problem", "_readers", "_traits", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._traits: tuple[Trait, ...] = ()
        self._readers: tuple[Callable[[str], State], ...] = ()
        self._problem: str | None = None
        self._basic: Trait | None = None
        self._levels = 0

    def __repr__(self) -> str:
        return f"PieceType({self.text!r})"

    @property
    def traits(self) -> tuple[Trait, ...]:
        """All traits; a text that is no chain is one raw trait, and `problem` says why."""
        return self._traits or self._decode()

    def _decode(self) -> tuple[Trait, ...]:
        try:
            self._traits = traits = tuple(map(decode_trait, decode_chain(self.text, _TAB)))
            self._basic = traits[-1]
        except VassalFormatError as why:
            self._problem = why.message
            self._traits = traits = self._raw()
        return traits

    def _raw(self) -> tuple[Trait, ...]:
        return (RawTrait.decode(self.text),)

    @property
    def problem(self) -> str | None:
        """Why the text could not be taken apart, or None."""
        return self._problem if self.traits else None

    def with_states(self, state: str) -> _Decoded:
        """The traits, the state of each as text in a piece with this state, and what is wrong."""
        traits = self._traits or self._decode()
        count, problem = len(traits), self._problem
        try:
            texts = decode_chain(state, _TAB, count)
        except VassalFormatError as why:
            # States that cannot be told apart: the piece is one raw trait with one raw state.
            return self._raw(), (state,), why.message
        missing = count - len(texts)
        if missing:
            problem = f"there is no state for {missing} of the {counted(count, 'trait')}"
            texts += [""] * missing
        return traits, tuple(texts), problem

    def typed(self, traits: tuple[Trait, ...], texts: tuple[str, ...]) -> tuple[State, ...]:
        """The states of traits that `with_states` gave."""
        if traits is not self._traits:
            return tuple([t.decode_state(s) for t, s in zip(traits, texts, strict=True)])
        if not self._readers:
            self._readers = tuple(map(state_reader, map(type, traits)))
        return tuple(map(call, self._readers, texts))

    @property
    def basic(self) -> Trait:
        """The innermost trait, found without decoding the others."""
        if self._basic is None:
            last, _ = tail(self.text, _TAB)
            found = last.startswith(_INNERMOST) and not last.endswith("'")
            self._basic = decode_trait(last) if found else self.traits[-1]
        return self._basic

    @property
    def levels(self) -> int:
        """How many traits there are if the last tab is what parts the innermost from the rest."""
        if not self._levels:
            _, self._levels = tail(self.text, _TAB)
        return self._levels

    def encode(self) -> str:
        """The text put together again from the traits."""
        return encode_like([trait.encode() for trait in self.traits], _TAB, self.text)


# Units of one kind share their type text, so most pieces of a save cost a look-up here.
@lru_cache(maxsize=1 << 13)
def piece_type(text: str) -> PieceType:
    """The type that a text stands for; equal texts give the same object."""
    return PieceType(text)


@dataclass(frozen=True, slots=True)
class TraitAt(Generic[T]):
    """A trait of a piece with its place in the chain and its state."""

    index: int
    trait: T
    state: State


class Piece:
    r"""A piece, stack or deck: an id, a shared type, and the text of its state. Never changes.

    >>> piece = Piece.parse("mark;Side\tpiece;;;us.png;1st Army", "Allied\tMain;10;20;7")
    >>> piece.name, piece.map, piece.x, piece.gpid
    ('1st Army', 'Main', 10, '7')
    """

    __slots__ = ("_problem", "_texts", "_traits", "id", "state_text", "type")

    def __init__(self, type: PieceType, state: str, id: str = NO_ID) -> None:
        self.id = id
        self.type = type
        self.state_text = state
        self._traits: tuple[Trait, ...] = ()
        self._texts: tuple[str, ...] = ()
        self._problem: str | None = None

    @classmethod
    def parse(cls, type: str, state: str, id: str = NO_ID) -> Piece:
        """The piece that these texts describe; never an error: ask `problem`."""
        return cls(piece_type(type), state, id)

    @classmethod
    def of(
        cls, traits: Iterable[Trait], states: Iterable[State | str | None] = (), id: str = NO_ID
    ) -> Piece:
        """A new piece from traits, outermost first; a state that is not given is the default."""
        chosen = tuple(traits)
        given = [*states]
        given += [None] * (len(chosen) - len(given))
        texts = [_state_text(t, s) for t, s in zip(chosen, given, strict=True)]
        types = [*map(trait_text, chosen)]
        return cls(piece_type(_chained(types)), _chained(texts), id)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Piece):
            return NotImplemented
        same = self.id == other.id and self.state_text == other.state_text
        return same and self.type.text == other.type.text

    def __hash__(self) -> int:
        return hash((self.id, self.type.text, self.state_text))

    def __repr__(self) -> str:
        # The state may hold a player's password: it is not shown.
        return f"<Piece {self.id} {self.name!r}>"

    # The whole chain

    @property
    def traits(self) -> tuple[Trait, ...]:
        """All traits, outermost first."""
        return self._traits or self._decode()

    @property
    def state_texts(self) -> tuple[str, ...]:
        """The state of each trait as text."""
        _ = self._traits or self._decode()
        return self._texts

    @property
    def states(self) -> tuple[State, ...]:
        """The state of each trait, typed."""
        traits = self._traits or self._decode()
        return self.type.typed(traits, self._texts)

    @property
    def problem(self) -> str | None:
        """Why the texts do not fit together, or None."""
        _ = self._traits or self._decode()
        return self._problem

    def _decode(self) -> tuple[Trait, ...]:
        self._traits, self._texts, self._problem = self.type.with_states(self.state_text)
        return self._traits

    def each(self, cls: type[T]) -> Iterator[TraitAt[T]]:
        """Every trait of a class, outermost first."""
        texts = self.state_texts
        for index, trait in enumerate(self.traits):
            if isinstance(trait, cls):
                yield TraitAt(index, trait, trait.decode_state(texts[index]))

    def first(self, cls: type[T]) -> TraitAt[T] | None:
        """The outermost trait of a class, if there is one."""
        return next(self.each(cls), None)

    @property
    def prototypes(self) -> tuple[str, ...]:
        """The names of the prototypes that the piece refers to."""
        return tuple(found.trait.name for found in self.each(UsePrototype))

    # The innermost piece, without decoding the rest

    @property
    def basic(self) -> Trait:
        """The basic piece, stack or deck."""
        return self.type.basic

    @property
    def basic_state(self) -> PieceState | StackState | DeckState | None:
        """The state of the innermost trait, if that is a basic piece, a stack or a deck."""
        basic = self.basic
        text, levels = tail(self.state_text, _TAB)
        # One tab a level, as many levels as the type has, no quotes: the tail is the whole state.
        plain = levels == self.type.levels == self.state_text.count(_TAB) + 1
        if not plain or self._traits or text.endswith("'"):
            text, basic = self.state_texts[-1], self.traits[-1]
        found = basic.state_type.decode(text)
        return found if isinstance(found, _PLACED) else None

    @property
    def is_stack(self) -> bool:
        """Whether this is a stack."""
        return isinstance(self.basic, Stack)

    @property
    def is_deck(self) -> bool:
        """Whether this is a deck."""
        return isinstance(self.basic, Deck)

    @property
    def name(self) -> str:
        """The name of the basic piece or of the deck; a stack has none."""
        basic = self.basic
        return basic.name if isinstance(basic, _NAMED) else ""

    @property
    def map(self) -> str | None:
        """The map that the piece stands on, or None."""
        found = self.basic_state
        return found.map if found else None

    @property
    def x(self) -> int:
        """Pixels from the left of the map."""
        found = self.basic_state
        return found.x if found else 0

    @property
    def y(self) -> int:
        """Pixels from the top of the map."""
        found = self.basic_state
        return found.y if found else 0

    @property
    def gpid(self) -> str:
        """The id of the definition; empty in files before 3.0."""
        found = self.basic_state
        return found.gpid if isinstance(found, PieceState) else ""

    @property
    def members(self) -> tuple[str, ...]:
        """The ids in a stack or deck, bottom to top."""
        found = self.basic_state
        return found.pieces if isinstance(found, StackState | DeckState) else ()

    # Changed copies

    def replace_trait(self, index: int, trait: Trait, state: State | str | None = None) -> Piece:
        """With another trait at a place; its state stays unless one is given."""
        traits, states = self._editable()
        traits[index] = trait
        if state is not None:
            states[index] = _state_text(trait, state)
        return self._with(traits, states)

    def with_state(self, index: int, state: State | str) -> Piece:
        """With another state of one trait."""
        traits, states = self._editable()
        states[index] = _state_text(traits[index], state)
        return Piece(self.type, _chained(states, self.state_text), self.id)

    def with_trait(self, trait: Trait, state: State | str | None = None) -> Piece:
        """With one more trait, the outermost."""
        return self.insert(0, trait, state)

    def insert(self, index: int, trait: Trait, state: State | str | None = None) -> Piece:
        """With one more trait before the one at a place; the innermost stays innermost."""
        traits, states = self._editable()
        at = min(index if index >= 0 else max(len(traits) + index, 0), len(traits) - 1)
        traits.insert(at, trait)
        states.insert(at, _state_text(trait, state))
        return self._with(traits, states)

    def remove(self, index: int) -> Piece:
        """Without the trait at a place."""
        traits, states = self._editable()
        if index in {len(traits) - 1, -1}:
            raise VassalFormatError("the innermost trait cannot be removed from a piece")
        del traits[index], states[index]
        return self._with(traits, states)

    def remade(self, traits: Sequence[Trait], states: Sequence[State | str]) -> Piece:
        """With these traits and states in place of its own: many changes at the price of one."""
        self._editable()
        texts = [_state_text(t, s) for t, s in zip(traits, states, strict=True)]
        return self._with([*traits], texts)

    def _editable(self) -> tuple[list[Trait], list[str]]:
        if self.problem is not None:
            raise VassalFormatError(
                f"piece {self.name or self.id} cannot be changed: {self.problem}",
                hint="The piece is damaged and is kept as it is.",
            )
        return [*self.traits], [*self.state_texts]

    def _with(self, traits: list[Trait], states: list[str]) -> Piece:
        types = _chained([*map(trait_text, traits)], self.type.text)
        return Piece(piece_type(types), _chained(states, self.state_text), self.id)

    # Writing

    def encode(self) -> tuple[str, str]:
        """Type and state put together again from every field, not from the texts as read."""
        if self.problem is not None:
            return self.type.text, self.state_text
        types = [trait.encode() for trait in self.traits]
        states = [state.encode() for state in self.states]
        text, state = self.type.text, self.state_text
        return encode_like(types, _TAB, text), encode_like(states, _TAB, state)


def _chained(texts: list[str], before: str = "") -> str:
    if any(text.endswith("\\") and text[0] != "\\" for text in texts[:-1]):
        raise VassalFormatError(
            "a trait ends in a backslash, which would swallow the tab behind it",
            hint="Put a space behind the backslash.",
        )
    return encode_like(texts, _TAB, before)


def _state_text(trait: Trait, state: State | str | None) -> str:
    if isinstance(state, str):
        return state
    if state is None:
        return trait.state_type().encode()
    return state.encode()


def parse_add(text: str) -> Piece:
    """The piece of an add command `+/id/type/state`, as build files and marker traits hold it."""
    fields = sequence.decode(text, "/", len(_ADD))
    if not text.startswith(_ADD) or len(fields) != 3:
        raise VassalFormatError(
            "this is not the definition of a piece",
            hint="A definition reads +/id/type/state.",
        )
    return Piece(piece_type(fields[1]), fields[2], fields[0])


def format_add(piece: Piece) -> str:
    """The add command of a piece; the inverse of `parse_add`."""
    return _ADD + sequence.join([piece.id, piece.type.text, piece.state_text], "/")
