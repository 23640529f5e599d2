"""Predefined set-ups: each firefight laid out on the board, ready to play."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hexmarshal.errors import NotFoundError, Place
from hexmarshal.games.conflict_of_heroes.art.sheet import BOXES, TRACKS, Box
from hexmarshal.games.conflict_of_heroes.board import board
from hexmarshal.games.conflict_of_heroes.source import firefight, firefights
from hexmarshal.games.conflict_of_heroes.vassal.pieces import DECKS, track_key
from hexmarshal.games.conflict_of_heroes.vassal.table import (
    START_ASIDE,
    board_name,
    board_size,
    sheet_name,
)
from hexmarshal.vassal.at_start import placed_copy
from hexmarshal.vassal.placed import PlacedPiece
from hexmarshal.vassal.traits import (
    DynamicProperty,
    FacingState,
    HiddenState,
    Hideable,
    Layer,
    LayerState,
    Marker,
    PropertyState,
    RotateFixed,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from hexmarshal.vassal.builder import MapBuilder, ModuleBuilder, SetupBuilder
    from hexmarshal.vassal.components import Board, PieceSlot
    from hexmarshal.vassal.pieces import Piece

__all__ = ["Slots", "add_setups"]

_STEP = 46
_FLAGS = {"german": 2, "soviet": 3}


@dataclass(frozen=True, slots=True)
class Slots:
    """Where set-ups take their pieces from, by the keys of the data."""

    units: Mapping[str, PieceSlot]
    works: Mapping[str, PieceSlot]
    cards: Mapping[str, PieceSlot]
    smoke: PieceSlot
    control: PieceSlot


def add_setups(
    module: ModuleBuilder, main: MapBuilder, hands: Mapping[str, MapBuilder], slots: Slots
) -> None:
    """Put every firefight for players into the module's menu."""
    for key in firefights():
        given = firefight(key)
        if given["training"]:
            setup = module.setup(
                given["title"], menu="Firefights", description=given.get("notes", "")
            )
            _Layout(module, setup, main, hands, slots, key, given).lay_out()
            setup.save()


@dataclass(frozen=True, slots=True)
class _Layout:
    module: ModuleBuilder
    setup: SetupBuilder
    main: MapBuilder
    hands: Mapping[str, MapBuilder]
    slots: Slots
    key: str
    given: Mapping[str, Any]

    def lay_out(self) -> None:
        """Place all that the firefight names."""
        self.setup.boards(self.main, board_name(str(self.given["board"])), sheet_name())
        self.setup.state.properties["", "Firefight"] = self.key
        for cell, objective in self.given.get("objectives", {}).items():
            level = _FLAGS.get(objective.get("control", ""), 1)
            self._lay(self.slots.control, cell, _level("Control", level))
        for name, marker in self.given.get("markers", {}).items():
            self._marker(name, marker)
        for side, force in self.given["forces"].items():
            self._force(side, force)
        self._deck()

    def _place(
        self, slot: PieceSlot, where: str | tuple[int, int], *changes: Callable[[Piece], Piece]
    ) -> None:
        self.setup.place(slot, self.main, where, change=lambda piece: _changed(piece, changes))

    def _lay(self, slot: PieceSlot, cell: str, *changes: Callable[[Piece], Piece]) -> None:
        """Place a piece by itself: units of another layer do not stack with it."""
        at = self.module.pixel(self.main.component, self._board(), cell)
        table = self.setup.state.table
        shared = {name: found.text for name, found in self.module.build().prototypes().items()}
        piece = _changed(placed_copy(slot, shared, self.main.name, at), changes)
        table.add(PlacedPiece.of(table.new_id(), piece.type.text, piece.state_text))

    def _marker(self, name: str, marker: Mapping[str, Any]) -> None:
        if marker["kind"] == "smoke":
            points = marker.get("values", {}).get("points", 2)
            self._lay(self.slots.smoke, marker["cell"], _level("Smoke", 3 - points))
            return
        changes = [_known("MarkerId", name), _known("MarkerSide", marker.get("side", ""))]
        if marker.get("facing") is not None:
            changes.append(_facing(marker["facing"]))
        if marker.get("hidden"):
            changes.append(_hidden(marker["side"]))
        self._lay(self.slots.works[marker["kind"]], marker["cell"], *changes)

    def _force(self, side: str, force: Mapping[str, Any]) -> None:
        title = side.capitalize()
        cap = next(track for track in TRACKS if track.name == f"{title} CAP")
        box = dict(cap.boxes())[force["cap"]]
        self._move("cap", side, box, (0, 0))
        self._move("start", side, box, START_ASIDE)
        waiting = 0
        units = force["units"]
        for name in _passengers_last(units):
            unit = units[name]
            carrier = units[unit["carrier"]] if "carrier" in unit else unit
            changes = [_known("UnitId", name)]
            if "carrier" in unit:
                changes.append(_level("Aboard", 2))
            if unit.get("fort"):
                changes.append(_level("Works", 2))
            facing = unit.get("facing", carrier.get("facing"))
            if facing is not None:
                changes.append(_facing(facing))
            if carrier.get("hidden"):
                changes.append(_hidden(side))
            slot = self.slots.units[unit["type"]]
            if carrier.get("cell"):
                self._place(slot, carrier["cell"], *changes)
            else:
                self._place(slot, self._waiting(title, waiting), *changes)
                waiting += 1
        weapons = [unit["weapon"] for unit in units.values() if unit.get("weapon")]
        for i, key in enumerate((*force.get("artillery", ()), *weapons)):
            self.setup.place(self.slots.cards[key], self.hands[side], (90 + 160 * i, 125))

    def _waiting(self, title: str, count: int) -> tuple[int, int]:
        """A free spot in the box of reinforcements, in pixels of the map."""
        box = next(b for b in BOXES if b.name == f"{title} reinforcements")
        row, column = divmod(count, 3)
        x, y = box.left + 44 + _STEP * 3 // 4 * column, box.top + 48 + _STEP * row
        return self._sheet_left() + x, y

    def _board(self) -> Board:
        name = board_name(str(self.given["board"]))
        return next(b for b in self.main.component.boards if b.name == name)

    def _sheet_left(self) -> int:
        """The sheet lies right of the board."""
        return board_size(board(str(self.given["board"])).map)[0]

    def _move(self, kind: str, side: str, to: Box, aside: tuple[int, int]) -> None:
        """Move a marker that every game has to another box."""
        for placed in self.setup.state.pieces.values():
            if _marked(placed, "MarkerKind") == track_key(kind, side):
                x, y = to.centre
                at = (self._sheet_left() + x + aside[0], y + aside[1])
                moved = placed.moved(self.main.name, *at)
                self.setup.state.table.change(placed.id, moved.state, None)
                return
        raise NotFoundError("no such marker", place=Place(unit=f"{side} {kind}"))

    def _deck(self) -> None:
        """Leave those cards in the deck that the firefight plays with."""
        left = {str(key): count for key, count in self.given.get("deck", {}).items()}
        state = self.setup.state
        deck = next(d for d in state.decks.values() if d.name == DECKS["cards"])
        for placed in state.members(deck.id):
            key = _marked(placed, "Card")
            if left.get(key, 0) > 0:
                left[key] -= 1
            else:
                state.table.remove(placed.id)


def _changed(piece: Piece, changes: Iterable[Callable[[Piece], Piece]]) -> Piece:
    for change in changes:
        piece = change(piece)
    return piece


def _passengers_last(units: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """The units in order, each passenger right after what carries it."""
    for name, unit in units.items():
        if "carrier" not in unit:
            yield name
            yield from (other for other, rider in units.items() if rider.get("carrier") == name)


def _marked(placed: PlacedPiece, name: str) -> str:
    for found in placed.piece.each(Marker):
        if name in found.trait.names:
            return str(found.state.values[found.trait.names.index(name)])  # type: ignore[attr-defined]
    return ""


def _known(name: str, value: str) -> Callable[[Piece], Piece]:
    def change(piece: Piece) -> Piece:
        found = next(f for f in piece.each(DynamicProperty) if f.trait.name == name)
        return piece.with_state(found.index, PropertyState(value=value))

    return change


def _level(name: str, level: int) -> Callable[[Piece], Piece]:
    def change(piece: Piece) -> Piece:
        found = next(f for f in piece.each(Layer) if f.trait.name == name)
        return piece.with_state(found.index, LayerState(level=level))

    return change


def _facing(facing: int) -> Callable[[Piece], Piece]:
    def change(piece: Piece) -> Piece:
        found = piece.first(RotateFixed)
        assert found is not None
        return piece.with_state(found.index, FacingState(facing=facing))

    return change


def _hidden(side: str) -> Callable[[Piece], Piece]:
    def change(piece: Piece) -> Piece:
        found = piece.first(Hideable)
        assert found is not None
        return piece.with_state(found.index, HiddenState(owner=side.capitalize()))

    return change
