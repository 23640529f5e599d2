"""Predefined set-ups: each firefight laid out on the board, ready to play."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hexmarshal.errors import NotFoundError, Place
from hexmarshal.games.conflict_of_heroes.art.sheet import SEATS, SHEETS
from hexmarshal.games.conflict_of_heroes.setup import sides_of
from hexmarshal.games.conflict_of_heroes.source import firefight, firefights
from hexmarshal.games.conflict_of_heroes.vassal.notes import notes
from hexmarshal.games.conflict_of_heroes.vassal.pieces import DECKS, track_key
from hexmarshal.games.conflict_of_heroes.vassal.table import boards_of
from hexmarshal.vassal.commands.game import BoardChoice
from hexmarshal.vassal.state.at_start import new_game, placed_copy
from hexmarshal.vassal.state.locator import lay_boards
from hexmarshal.vassal.state.placed import PlacedPiece
from hexmarshal.vassal.traits import (
    DynamicProperty,
    FacingState,
    HiddenState,
    Hideable,
    Layer,
    LayerState,
    Marker,
    MarkerState,
    PropertyState,
    RotateFixed,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from hexmarshal.geometry.boards import BoardMap
    from hexmarshal.vassal.builder import MapBuilder, ModuleBuilder, SetupBuilder
    from hexmarshal.vassal.components import PieceSlot
    from hexmarshal.vassal.pieces.piece import Piece

__all__ = ["Slots", "add_setups"]

_STEP = 46
_FLAGS = {"german": 2, "soviet": 3}
# What a unit's row says that its piece tells in words.
_TOLD = (("weapon", "Weapon"), ("arrives", "Arrives"), ("entry", "Entry"))


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
    """Put every firefight into the module's menu: those for players first, then the drills."""
    for key in firefights():
        given = firefight(key)
        menu = "Firefights" if given["training"] else "Drills"
        setup = module.setup(given["title"], menu=menu, description=given.get("notes", ""))
        chosen = boards_of(str(given["board"]), given["forces"])
        boards = tuple(BoardChoice(name, column=i) for i, name in enumerate(chosen))
        setup.state = new_game(module.build(), {main.name: boards})
        setup.boards(main, *boards)
        laid = lay_boards(module.build(), main.component, boards, [])
        _Layout(module, setup, main, hands, slots, key, given, laid).lay_out()
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
    laid: BoardMap

    def lay_out(self) -> None:
        """Place all that the firefight names."""
        self.setup.state.properties["", "Firefight"] = self.key
        self.setup.state.notes.scenario = notes(self.given)
        for cell, objective in self.given.get("objectives", {}).items():
            level = _FLAGS.get(objective.get("control", ""), 1)
            self._lay(self.slots.control, cell, _level("Control", level))
        for name, marker in self.given.get("markers", {}).items():
            self._marker(name, marker)
        for side, force in self.given["forces"].items():
            self._force(side, force)
        first = sides_of(self.given["forces"], "alternate")[0]
        self._move("go", f"{SEATS[first]} to act")
        self._deck()

    def _place(
        self, slot: PieceSlot, where: str | tuple[int, int], *changes: Callable[[Piece], Piece]
    ) -> None:
        self.setup.place(slot, self.main, where, change=lambda piece: _changed(piece, changes))

    def _lay(self, slot: PieceSlot, cell: str, *changes: Callable[[Piece], Piece]) -> None:
        """Place a piece by itself: units of another layer do not stack with it."""
        at = self.laid.pixel_named(cell)
        table = self.setup.state.table
        shared = {name: found.text for name, found in self.module.build().prototypes().items()}
        piece = _changed(placed_copy(slot, shared, self.main.name, at), changes)
        table.add(PlacedPiece.of(table.new_id(), piece.type.text, piece.state_text))

    def _marker(self, name: str, marker: Mapping[str, Any]) -> None:
        if marker["kind"] == "smoke":
            points = marker.get("values", {}).get("points", 2)
            thick = _level("Smoke", 3 - points)
            self._lay(self.slots.smoke, marker["cell"], thick, _known("MarkerId", name))
            return
        changes = [_known("MarkerId", name), _known("MarkerSide", marker.get("side", ""))]
        if marker.get("facing") is not None:
            changes.append(_facing(marker["facing"]))
        if marker.get("hidden"):
            changes.append(_hidden(marker["side"]))
        self._lay(self.slots.works[marker["kind"]], marker["cell"], *changes)

    def _force(self, side: str, force: Mapping[str, Any]) -> None:
        title = SEATS[side]
        for kind in ("start", "cap"):
            self._move(track_key(kind, side), f"{title} CAP {force['cap']}")
        self._move(track_key("vp", side), f"{title} VP {force.get('vp', 0)}")
        waiting = 0
        units = force["units"]
        for name in _passengers_last(units):
            unit = units[name]
            carrier = units[unit["carrier"]] if "carrier" in unit else unit
            changes = [_known("UnitId", name), _of_side(side)]
            changes += [_known(prop, _text(unit[given])) for given, prop in _TOLD if given in unit]
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
                waiting += "carrier" not in unit
        for n, key in enumerate(force.get("artillery", ()), 1):
            self.setup.place(self.slots.cards[key], self.hands[side], f"Battery {n}")

    def _waiting(self, title: str, count: int) -> tuple[int, int]:
        """A free spot in the box of reinforcements, in pixels of the map."""
        name = f"{title} reinforcements"
        sheet = next(s for s in SHEETS if any(box.name == name for box in s.boxes))
        box = next(box for box in sheet.boxes if box.name == name)
        row, column = divmod(count, 3)
        at = (box.left + 44 + _STEP * 3 // 4 * column, box.top + 48 + _STEP * row)
        placed = next(p for p in self.laid.boards if p.board.name == sheet.name)
        x, y = placed.outward(at)
        return x, y

    def _move(self, kind: str, to: str) -> None:
        """Move a marker that every game has to another box."""
        for placed in self.setup.state.pieces.values():
            if _marked(placed, "MarkerKind") == kind:
                moved = placed.moved(self.main.name, *self.laid.pixel_named(to))
                self.setup.state.table.change(placed.id, moved.state, None)
                return
        raise NotFoundError("no such marker", place=Place(unit=kind))

    def _deck(self) -> None:
        """Leave those cards in the deck that the firefight plays with."""
        left = {str(key): count for key, count in self.given.get("deck", {}).items()}
        state = self.setup.state
        deck = next(d for d in state.decks.values() if d.name == DECKS["cards"])
        kept: list[tuple[str, str]] = []
        for placed in state.members(deck.id):
            key = _marked(placed, "Card")
            if left.get(key, 0) > 0:
                left[key] -= 1
                kept.append((key, placed.id))
            else:
                state.table.remove(placed.id)
        order = tuple(piece for _, piece in sorted(kept, reverse=True))
        state.table.change(deck.id, replace(deck, members=order).state, None)


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


def _text(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _of_side(side: str) -> Callable[[Piece], Piece]:
    """The counters of a camp serve both its forces."""

    def change(piece: Piece) -> Piece:
        found = next(f for f in piece.each(Marker) if "UnitSide" in f.trait.names)
        pairs = zip(found.trait.names, found.state.values, strict=True)  # type: ignore[attr-defined]
        values = tuple(side if name == "UnitSide" else value for name, value in pairs)
        return piece.with_state(found.index, MarkerState(values=values))

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
        return piece.with_state(found.index, HiddenState(owner=SEATS[side]))

    return change
