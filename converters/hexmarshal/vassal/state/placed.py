"""Pieces, stacks and decks as they stand in a game: values that know their own texts."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, Self

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal import sequence
from hexmarshal.vassal.pieces.chain import decode_chain, encode_like
from hexmarshal.vassal.pieces.glance import DECK, STACK, glance

if TYPE_CHECKING:
    from hexmarshal.vassal.pieces.piece import Piece
    from hexmarshal.vassal.traits import Deck

__all__ = ["Placed", "PlacedDeck", "PlacedPiece", "PlacedStack", "placed"]

_LAYER: Final = "@@"
_DEFAULT_SIZE: Final = 40


@dataclass(frozen=True, slots=True)
class PlacedPiece:
    """A piece in a game: its full texts, its name, and where it is.

    A piece in a stack is where the stack is; what its own state says of its place may lag behind.
    """

    id: str
    type: str = field(repr=False)
    state: str = field(repr=False)
    map: str | None
    x: int
    y: int
    name: str
    gpid: str
    problem: str = ""

    @classmethod
    def of(cls, id: str, type: str, state: str) -> Self:
        """The piece that these texts describe; a broken one is kept, with its problem."""
        seen = glance(id, type, state)
        return cls(id, type, state, seen.map, seen.x, seen.y, seen.name, seen.gpid, seen.problem)

    @property
    def piece(self) -> Piece:
        """All traits, typed."""
        from hexmarshal.vassal.pieces.piece import Piece

        return Piece.parse(self.type, self.state)

    @property
    def own_place(self) -> tuple[str | None, int, int]:
        """Where the piece's own state puts it."""
        seen = glance(self.id, self.type, self.state)
        return seen.map, seen.x, seen.y

    def with_state(self, state: str) -> PlacedPiece:
        """The same piece after its state was set."""
        return PlacedPiece.of(self.id, self.type, state)

    def merged(self, new: str, old: str | None) -> PlacedPiece:
        """The piece after a change from `old` to `new`: only traits that differ change."""
        if old is None or old == self.state:
            return self.with_state(new)
        try:
            levels = len(decode_chain(self.type, "\t"))
            mine, before, after = (decode_chain(s, "\t", levels) for s in (self.state, old, new))
        except VassalFormatError:
            return self.with_state(new)
        if not len(mine) == len(before) == len(after):
            return self.with_state(new)
        chosen = [a if a != b else m for m, b, a in zip(mine, before, after, strict=True)]
        return self.with_state(encode_like(chosen, "\t", self.state))

    def at(self, map: str | None, x: int, y: int) -> PlacedPiece:
        """The piece as a stack or deck carries it: elsewhere, with its state untouched."""
        if (self.map, self.x, self.y) == (map, x, y):
            return self
        return replace(self, map=map, x=x, y=y)

    def moved(self, map: str | None, x: int, y: int) -> PlacedPiece:
        """The piece at another point, or off all maps, with its state changed to say so."""
        if self.problem:
            return self.at(map, x, y)
        try:
            chain = decode_chain(self.state, "\t", len(decode_chain(self.type, "\t")))
        except VassalFormatError:
            return self.at(map, x, y)
        fields = sequence.decode(chain[-1], ";")
        fields[:3] = ["null" if map is None else map, str(x), str(y)]
        chain[-1] = sequence.join(fields, ";")
        return replace(self, state=encode_like(chain, "\t", self.state), map=map, x=x, y=y)


@dataclass(frozen=True, slots=True)
class PlacedStack:
    """A stack: its members' ids from bottom to top."""

    id: str
    map: str | None
    x: int
    y: int
    members: tuple[str, ...]
    layer: int | None = None

    type = STACK

    @classmethod
    def of(cls, id: str, state: str) -> Self:
        """The stack that a state describes."""
        fields = sequence.decode(state, ";")
        layer = None
        if fields[-1].startswith(_LAYER):
            layer = sequence.java_int(fields.pop()[len(_LAYER) :]) or 0
        seen = glance(id, STACK, state)
        return cls(id, seen.map, seen.x, seen.y, tuple(f for f in fields[3:] if f), layer)

    @property
    def state(self) -> str:
        """The state as VASSAL writes it."""
        place = ["null" if self.map is None else self.map, str(self.x), str(self.y)]
        layer = [] if self.layer is None else [f"{_LAYER}{self.layer}"]
        return sequence.join([*place, *self.members, *layer], ";")


@dataclass(frozen=True, slots=True)
class PlacedDeck:
    """A deck: its settings as text, and its members' ids from bottom to top."""

    id: str
    type: str
    map: str | None
    x: int
    y: int
    face_down: bool
    members: tuple[str, ...]
    name: str

    @classmethod
    def of(cls, id: str, type: str, state: str) -> Self:
        """The deck that these texts describe."""
        fields = sequence.decode(state, ";")
        members = sequence.decode(fields[4], ",") if len(fields) > 4 else []
        down = len(fields) > 3 and fields[3] == "true"
        seen = glance(id, type, state)
        ids = tuple(member for member in members if member)
        return cls(id, type, seen.map, seen.x, seen.y, down, ids, seen.name)

    @property
    def state(self) -> str:
        """The state as VASSAL writes it."""
        place = ["null" if self.map is None else self.map, str(self.x), str(self.y)]
        members = [sequence.join(self.members, ",")] if self.members else []
        return sequence.join([*place, "true" if self.face_down else "false", *members], ";")

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the deck's outline."""
        fields = sequence.decode(self.type, ";")
        found = [sequence.java_int(f) for f in fields[3:5]]
        width, height = (s if s is not None else _DEFAULT_SIZE for s in (*found, None, None)[:2])
        return width, height

    @property
    def deck(self) -> Deck:
        """All settings, typed."""
        from hexmarshal.vassal.traits import Deck

        return Deck.decode(self.type)

    def covers(self, map: str | None, x: int, y: int) -> bool:
        """Whether a piece put at this point falls on the deck."""
        if map is None or map != self.map:
            return False
        width, height = self.size
        return abs(x - self.x) * 2 <= width and abs(y - self.y) * 2 <= height


Placed = PlacedPiece | PlacedStack | PlacedDeck


def placed(id: str, type: str, state: str) -> Placed:
    """What an `AddPiece` brings into the game."""
    if type == STACK:
        return PlacedStack.of(id, state)
    if type.startswith(DECK):
        return PlacedDeck.of(id, type, state)
    return PlacedPiece.of(id, type, state)
