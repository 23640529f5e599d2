"""Pieces stretched: what a counter measures by the counters' factor, where it lies by its map."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.vassal import sequence
from hexmarshal.vassal.pieces.embedded import MAX_DEPTH, marker_piece, with_marker
from hexmarshal.vassal.scaling.lengths import COUNTER_FIELDS, MAP_FIELDS
from hexmarshal.vassal.scaling.stretch import nearest
from hexmarshal.vassal.sequence import java_int
from hexmarshal.vassal.traits import (
    Deck,
    DeckState,
    FootprintState,
    Labeler,
    NonRectangular,
    NonRectangularOld,
    PieceState,
    PlaceMarker,
    RawTrait,
    SendToLocation,
    SentState,
    StackState,
)
from hexmarshal.vassal.values import FormattedText

if TYPE_CHECKING:
    from fractions import Fraction

    from hexmarshal.vassal.pieces.piece import Piece
    from hexmarshal.vassal.scaling.layout import Layouts
    from hexmarshal.vassal.scaling.plan import Plan
    from hexmarshal.vassal.traits import State, Trait

__all__ = ["PieceScaler"]

_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?(?:[eE]-?\d+)?")


class PieceScaler:
    """Changes pieces; `unsure` collects in words what cannot be told."""

    def __init__(self, plan: Plan, layouts: Layouts, unsure: dict[str, int]) -> None:
        self._plan = plan
        self._layouts = layouts
        self._unsure = unsure
        self._everywhere = plan.everywhere()
        self._traits: dict[str, Trait] = {}

    def piece(self, piece: Piece, depth: int = 0) -> Piece:
        """The piece with every trait and state changed; itself if nothing changes."""
        if piece.problem is not None or depth > MAX_DEPTH:
            return piece
        of_map = piece.map
        traits = [self._trait(trait, of_map, depth) for trait in piece.traits]
        before = piece.states
        states = [self._state(state) for state in before]
        if all(a is b for a, b in zip(traits, piece.traits, strict=True)) and all(
            a is b for a, b in zip(states, before, strict=True)
        ):
            return piece
        texts = [
            text if new is old else new
            for text, new, old in zip(piece.state_texts, states, before, strict=True)
        ]
        return piece.remade(traits, texts)

    # Traits

    def _trait(self, trait: Trait, of_map: str | None, depth: int) -> Trait:
        if isinstance(trait, Deck):
            return self._deck(trait, of_map)
        key = trait.source
        if key is None:
            return self._changed(trait, depth)
        found = self._traits.get(key)
        if found is None:
            found = self._traits[key] = self._changed(trait, depth)
        return found

    def _changed(self, trait: Trait, depth: int) -> Trait:
        changes: dict[str, Any] = {}
        factor = self._plan.counters
        kind = type(trait)
        if isinstance(trait, RawTrait):
            self._doubt(f"traits of the module's own code ({trait.own_prefix}) stay as they are")
        if factor != 1:
            for name in COUNTER_FIELDS.get(kind, ()):
                changes[name] = self._length(trait, getattr(trait, name), factor)
        for name, across in MAP_FIELDS.get(kind, ()):
            changes[name] = self._distance(trait, name, across=across)
        if isinstance(trait, SendToLocation):
            changes |= self._destination(trait)
        if isinstance(trait, Labeler) and "font_size" in changes:
            changes["font_size"] = max(1, changes["font_size"])
        if isinstance(trait, PlaceMarker):
            inner = marker_piece(trait)
            if inner is not None:
                new = self.piece(inner, depth + 1)
                if new is not inner:
                    changes["marker"] = with_marker(trait, new).marker
        changes = {n: value for n, value in changes.items() if value != getattr(trait, n)}
        return replace(trait, **changes) if changes else trait

    def _deck(self, deck: Deck, of_map: str | None) -> Deck:
        on = self._plan.on_map(self._plan.names.get(of_map or "", ""))
        if on is None or not on.is_resizing:
            return deck
        return replace(deck, width=on.width(deck.width), height=on.height(deck.height))

    def _length(self, trait: Trait, value: Any, factor: Fraction) -> Any:  # noqa: ANN401
        if isinstance(value, FormattedText):
            return self._formatted(trait, value, factor)
        if isinstance(value, int):
            return nearest(value * factor)
        if isinstance(value, float):
            return value * float(factor)
        if isinstance(value, tuple):
            return tuple((nearest(x * factor), nearest(y * factor)) for x, y in value)
        return _outline(value, factor, whole=isinstance(trait, NonRectangular | NonRectangularOld))

    def _distance(self, trait: Trait, name: str, *, across: bool) -> Any:  # noqa: ANN401
        value = getattr(trait, name)
        on = self._everywhere
        if isinstance(trait, SendToLocation) and trait.map.text in self._plan.names:
            on = self._plan.on_map(self._plan.names[trait.map.text])
        if on is None:
            text = value.text if isinstance(value, FormattedText) else str(value)
            if text not in {"", "0"} and not (isinstance(trait, SendToLocation) and text == "1"):
                self._doubt(f"{trait.title}: {name} {text} on a map that is not named stays")
            return value
        factor = on.across if across else on.down
        return self._length(trait, value, factor) if factor != 1 else value

    def _formatted(self, trait: Trait, value: FormattedText, factor: Fraction) -> FormattedText:
        number = java_int(value.text)
        if number is not None:
            return FormattedText(str(nearest(number * factor)))
        if value.text and factor != 1:
            self._doubt(f"{trait.title}: {value.text} is computed and stays as it is")
        return value

    def _destination(self, trait: SendToLocation) -> dict[str, FormattedText]:
        """A fixed place of a map or board; the other kinds of destination have names."""
        x, y = java_int(trait.x.text), java_int(trait.y.text)
        if trait.destination != "L" or not (trait.x.text or trait.y.text):
            return {}
        if x is None or y is None:
            self._doubt(f"{trait.title}: {trait.x.text}, {trait.y.text} is computed and stays")
            return {}
        of_map = self._plan.names.get(trait.map.text)
        if of_map is None and len(self._plan.maps) == 1:
            of_map = next(iter(self._plan.maps))
        if trait.board.text:
            places = {
                board.point((x, y))
                for (name, board_name), board in self._plan.boards.items()
                if board_name == trait.board.text and of_map in {None, name}
            }
            new = places.pop() if len(places) == 1 else None
        elif of_map is not None:
            new = self._layouts.point(of_map, (x, y))
        else:
            new = None if self._everywhere is None else self._everywhere.point((x, y))
        if new is None:
            self._doubt(f"{trait.title}: {x}, {y} of a map that is not named stays")
            return {}
        return {"x": FormattedText(str(new[0])), "y": FormattedText(str(new[1]))}

    def _doubt(self, words: str) -> None:
        self._unsure[words] = self._unsure.get(words, 0) + 1

    # States

    def _state(self, state: State) -> State:
        match state:
            case PieceState() | StackState() | DeckState():
                changes: dict[str, Any] = {}
                x, y = self._layouts.point(state.map, (state.x, state.y))
                if (x, y) != (state.x, state.y):
                    changes = {"x": x, "y": y}
                if isinstance(state, PieceState) and state.properties:
                    changes["properties"] = self._remembered(state.properties)
                return replace(state, **changes) if changes else state
            case FootprintState() if state.points:
                points = tuple(self._step(state.map, text) for text in state.points)
                return replace(state, points=points) if points != state.points else state
            case SentState() if state.map:
                x0, y0 = java_int(state.x), java_int(state.y)
                if x0 is not None and y0 is not None:
                    new = self._layouts.point(state.map, (x0, y0))
                    return replace(state, x=str(new[0]), y=str(new[1]))
        return state

    def _step(self, of_map: str, text: str) -> str:
        x, _, y = text.partition(",")
        across, down = java_int(x), java_int(y)
        if across is None or down is None:
            return text
        return "{},{}".format(*self._layouts.point(of_map, (across, down)))

    def _remembered(self, pairs: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
        """Where the piece stood before its last move, as the engine remembers it."""
        known = dict(pairs)
        x, y = java_int(known.get("OldX", "")), java_int(known.get("OldY", ""))
        if x is None or y is None:
            return pairs
        new = self._layouts.point(known.get("OldMap"), (x, y))
        fresh = {"OldX": str(new[0]), "OldY": str(new[1])}
        return tuple((name, fresh.get(name, value)) for name, value in pairs)


def _outline(shape: str, factor: Fraction, *, whole: bool) -> str:
    """The outline of a piece: `d` and a path of decimals since 3.7, before that whole numbers."""
    if not whole or not shape:
        return shape
    if shape.startswith("d"):
        return _NUMBER.sub(lambda found: f"{float(found[0]) * float(factor):.3f}", shape)
    tokens = sequence.split(shape, ",")
    return ",".join(
        str(nearest(number * factor)) if (number := java_int(token)) is not None else token
        for token in tokens
    )
