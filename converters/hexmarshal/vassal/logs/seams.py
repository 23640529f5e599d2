"""The seam between two logs of a game: what differs between one's end and the next one's start."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal.commands.game import ChangeProperty
from hexmarshal.vassal.commands.piece import AddPiece, ChangePiece, RemovePiece
from hexmarshal.vassal.state.placed import PlacedDeck, PlacedPiece, PlacedStack

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hexmarshal.vassal.commands.codec import Command
    from hexmarshal.vassal.commands.game import SetTurn
    from hexmarshal.vassal.commands.turn import TurnLevel
    from hexmarshal.vassal.state.game_state import GameState
    from hexmarshal.vassal.state.placed import Placed

__all__ = ["Difference", "bridge", "differences", "fingerprint"]

_GENERATED: Final = re.compile(r"_(result|total|summary|numDice|numSides|keep.*)$")
"""Properties that dice buttons set by themselves."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is otherwise at the start of the later log."""

    kind: str
    what: str
    before: str = ""
    after: str = ""

    def __str__(self) -> str:
        match self.kind:
            case "gone":
                return f"{self.what} is gone (it was at {self.before})"
            case "new":
                return f"{self.what} is new at {self.after}"
            case "moved":
                return f"{self.what} lies at {self.after}, not at {self.before}"
            case "changed":
                return f"{self.what} looks otherwise"
            case "order":
                return f"the stack at {self.what} lies otherwise"
        return f"{self.what} is {self.after or 'empty'}, not {self.before or 'empty'}"

    def to_json(self) -> dict[str, str]:
        """As JSON-able data."""
        return {"kind": self.kind, "what": self.what, "before": self.before, "after": self.after}


def differences(
    end: GameState, start: GameState, place: Callable[[str, int, int], str] | None = None
) -> list[Difference]:
    """Everything that differs: pieces, the order of stacks, properties, turn trackers."""
    found = [*_pieces(end, start, place or _point), *_stacks(end, start, place or _point)]
    for key in sorted({*end.properties, *start.properties}):
        before, after = end.properties.get(key, ""), start.properties.get(key, "")
        if before != after and not _GENERATED.search(key[1]):
            found.append(Difference("property", f"the property {key[1]}", before, after))
    for tracker in sorted({*end.turns, *start.turns}):
        old, new = end.turns.get(tracker), start.turns.get(tracker)
        if (old and old.state) != (new and new.state):
            shown = (_turn(one) if one is not None else "" for one in (old, new))
            found.append(Difference("turn", "the turn", *shown))
    return found


def _point(on_map: str, x: int, y: int) -> str:
    return f"{on_map} {x},{y}"


def _turn(turn: SetTurn) -> str:
    """Where a tracker stands: the count of each of its levels, the outer ones first."""
    try:
        levels: tuple[TurnLevel, ...] = turn.turn.levels
    except VassalFormatError:
        return turn.state
    shown: list[str] = []
    while levels:
        shown.append(str(levels[0].current))
        levels = levels[0].levels
    return "/".join(shown)


def _where(one: PlacedPiece, place: Callable[[str, int, int], str]) -> str:
    return place(one.map, one.x, one.y) if one.map else "no map"


def _pieces(
    end: GameState, start: GameState, place: Callable[[str, int, int], str]
) -> Iterator[Difference]:
    before, after = end.pieces, start.pieces
    for key, old in before.items():
        new = after.get(key)
        name = old.name or f"piece {key}"
        if new is None:
            yield Difference("gone", name, _where(old, place))
        elif (old.map, old.x, old.y) != (new.map, new.x, new.y):
            yield Difference("moved", name, _where(old, place), _where(new, place))
        elif _look(old) != _look(new):
            yield Difference("changed", name, _where(old, place), _where(new, place))
    for key, new in after.items():
        if key not in before:
            yield Difference("new", new.name or f"piece {key}", "", _where(new, place))


def _look(one: PlacedPiece) -> tuple[str, str]:
    """What a piece is and shows, without where it lies: a stack's place counts, not its own."""
    on_map, x, y = one.own_place
    own = f"{on_map or 'null'};{x};{y}"
    return one.type, one.state.replace(own, "", 1)


def _stacks(
    end: GameState, start: GameState, place: Callable[[str, int, int], str]
) -> Iterator[Difference]:
    """Stacks of the same pieces at the same place in another order."""
    before = {frozenset(s.members): s for s in end.stacks.values() if len(s.members) > 1}
    for stack in start.stacks.values():
        old = before.get(frozenset(stack.members))
        if old is not None and len(stack.members) > 1 and old.members != stack.members:
            yield Difference("order", place(stack.map or "", stack.x, stack.y))
    decks = {d.id: d for d in end.decks.values()}
    for deck in start.decks.values():
        same = decks.get(deck.id)
        if same is not None and same.members != deck.members:
            yield Difference("order", place(deck.map or "", deck.x, deck.y))


def fingerprint(state: GameState) -> int:
    """A number that two states share if nothing differs between them."""
    pieces = frozenset((key, p.map, p.x, p.y, *_look(p)) for key, p in state.pieces.items())
    turns = frozenset((name, turn.state) for name, turn in state.turns.items())
    return hash((pieces, turns))


def bridge(end: GameState, start: GameState) -> Iterator[Command]:
    """The commands that make of one state the other, as far as pieces and turns go."""
    old, new = _all(end), _all(start)
    for key in old:
        if key not in new:
            yield RemovePiece(key)
    for key, one in new.items():
        was = old.get(key)
        if was is None:
            yield AddPiece(key, _type(one), one.state)
        elif _type(was) != _type(one):
            yield RemovePiece(key)
            yield AddPiece(key, _type(one), one.state)
    # Pieces before the stacks that hold them, so that each stack has the last word.
    for key, one in sorted(new.items(), key=lambda item: not isinstance(item[1], PlacedPiece)):
        was = old.get(key)
        if was is not None and _type(was) == _type(one) and was != one:
            yield ChangePiece(key, one.state, was.state)
    for (container, name), value in start.properties.items():
        before = end.properties.get((container, name), "")
        if before != value:
            yield ChangeProperty(name, before, value, container)
    for tracker, turn in start.turns.items():
        known = end.turns.get(tracker)
        if known is None or known.state != turn.state:
            yield turn


def _all(state: GameState) -> dict[str, Placed]:
    return {**state.pieces, **state.stacks, **state.decks}


def _type(one: Placed) -> str:
    if isinstance(one, PlacedPiece | PlacedDeck):
        return one.type
    assert isinstance(one, PlacedStack)
    return "stack"
