"""Puts a position onto the table of a module: a saved game that shows it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.errors import GeometryError, Place, RulesError, VassalFormatError
from hexmarshal.referee.beside import Beside, property_key
from hexmarshal.referee.patterns import PieceLook
from hexmarshal.referee.reading import POSITION_ENTRY, Note, Table
from hexmarshal.referee.showing import show
from hexmarshal.referee.signs import UnreadableError
from hexmarshal.vassal.at_start import new_game, placed_copy
from hexmarshal.vassal.placed import PlacedDeck, PlacedPiece, PlacedStack
from hexmarshal.vassal.savedata import save_entries
from hexmarshal.vassal.savegame import SavedGame

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.referee.binding import Binding
    from hexmarshal.rules.pieces import Unit
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.position import Position
    from hexmarshal.vassal.components import PieceSlot
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.pieces import Piece
    from hexmarshal.vassal.state import GameState, Seat
    from hexmarshal.vassal.values import PieceAccess

__all__ = ["Placer", "position_entry", "write_save"]

_NOBODY = "nobody"


def position_entry(position: Position) -> bytes:
    """What a save carries beside its table; the dice to come stay a secret."""
    document = replace(position, generator=None).to_json()
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


def write_save(
    module: Module,
    binding: Binding,
    plugin: GamePlugin,
    position: Position,
    seats: Iterable[Seat] = (),
) -> tuple[SavedGame, tuple[Note, ...]]:
    """A saved game of the module that shows the position, and what it cannot show."""
    placer = Placer(module, binding, plugin)
    state = placer.place(position, seats)
    return placer.save(state, position), tuple(placer.notes)


class Placer:
    """Knows the slots of a module by what the rules call their pieces, and where things go."""

    def __init__(self, module: Module, binding: Binding, plugin: GamePlugin) -> None:
        self.module, self.binding, self.plugin = module, binding, plugin
        self.notes: list[Note] = []
        self.fresh = new_game(module)
        self.table = Table(module, binding, plugin, self.fresh)
        self._definitions = {name: one.text for name, one in module.prototypes().items()}
        self._units: dict[str, PieceSlot] = {}
        self._kinds: dict[tuple[str, str], PieceSlot] = {}
        self._index()
        self.beside = Beside(self.table, self._definitions, self._cannot, self.cell_point)

    def _index(self) -> None:
        eye = self.table.eye
        for slot in self.module.slots():
            try:
                piece = placed_copy(slot, self._definitions, "", (0, 0))
                look = PieceLook(piece, gpid=slot.gpid, prototypes=eye.prototypes_of(slot.gpid))
                known = eye.identify(look)
            except VassalFormatError:
                continue
            if known is None:
                continue
            if known.marker is None:
                self._units.setdefault(known.id, slot)
                self._kinds.setdefault((known.kind, known.side), slot)

    # The whole position

    def place(self, position: Position, seats: Iterable[Seat] = ()) -> GameState:
        """A new game of the module with the position on its table."""
        state = self.fresh.copy()
        for seat in seats:
            state.seats[seat.user] = seat
        self._clear(state)
        for piece_id, where in self._unit_pieces(state, position):
            self._put(state, piece_id, where)
        for laid in self.beside.pieces(position):
            made = self.beside.piece(state, laid)
            state.table.add(made)
            self._put(state, made.id, (laid.map, laid.point))
        for name, text in self.beside.properties(position).items():
            state.properties[property_key(state, name)] = text
        self._piles(state, position)
        if self.table.tracker is not None:
            turn = self.table.tracker.write(position)
            if turn is not None:
                state.turns[turn.tracker] = turn
            else:
                self._cannot(f"the turn tracker cannot show {position.phase}")
        return state

    def save(self, state: GameState, position: Position) -> SavedGame:
        """The state as a file, with what it cannot show beside it."""
        root = self.module
        metadata = root.metadata
        entries = save_entries(
            root.name,
            root.version,
            module_data=metadata.to_bytes() if metadata is not None else None,
        )
        entries[POSITION_ENTRY] = position_entry(position)
        return SavedGame.from_state(state, key=0, entries=entries)

    def _clear(self, state: GameState) -> None:
        for piece in list(state.pieces.values()):
            held = state.find(state.table.holders.get(piece.id, ""))
            if isinstance(held, PlacedDeck):
                continue
            seen = self.table.eye.see(piece)
            if seen is not None or self._on_track(piece):
                state.table.remove(piece.id)

    def _on_track(self, piece: PlacedPiece) -> bool:
        look = self.table.eye.look(piece)
        return any(spot.match.find(look) is not None for spot in self.binding.spots())

    # Units

    def _unit_pieces(
        self, state: GameState, position: Position
    ) -> Iterator[tuple[str, tuple[str, tuple[int, int]]]]:
        units = sorted(position.units.values(), key=lambda u: (u.cell, u.box, u.rank, u.id))
        for unit in units:
            where = self.point(unit)
            if where is None:
                continue
            made = self.new_piece(state, unit, where)
            if made is not None:
                yield made, where

    def new_piece(
        self, state: GameState, unit: Unit, where: tuple[str, tuple[int, int]]
    ) -> str | None:
        """A piece for a unit that has none on the table yet, brought into the game."""
        made = self.fresh_piece(state, unit, where)
        if made is None:
            return None
        state.table.add(made)
        return made.id

    def fresh_piece(
        self, state: GameState, unit: Unit, where: tuple[str, tuple[int, int]]
    ) -> PlacedPiece | None:
        """The piece for a unit, as it would enter the game."""
        slot = self._units.get(unit.id) or self._kinds.get((unit.type, unit.side))
        if slot is None:
            self._cannot(f"no counter of the module is {unit.id} ({unit.type} of {unit.side})")
            return None
        piece = placed_copy(slot, self._definitions, where[0], where[1])
        piece = self.dressed(piece, unit, state, gpid=slot.gpid)
        return PlacedPiece.of(state.table.new_id(), piece.type.text, piece.state_text)

    def dressed(self, piece: Piece, unit: Unit, state: GameState, gpid: str = "") -> Piece:
        """The piece with every sign set so that it shows the unit."""

        def owner(access: PieceAccess) -> str:
            return self._owner(access, unit, state)

        prototypes = self.table.eye.prototypes_of(gpid)
        look = PieceLook(piece, gpid=gpid, prototypes=prototypes)
        known = self.table.eye.identify(look)
        own = known.kind if known is not None else unit.type
        for sign in self.binding.signs:
            if not sign.concerns(look):
                continue
            try:
                shown = sign.write(look, unit, own)
            except UnreadableError as why:
                self._cannot(str(why), unit.id)
                continue
            for name, text in shown.items():
                changed = show(piece, name, text, owner)
                if changed is None:
                    self._cannot(f"nothing on {unit.id} sets {name}", unit.id)
                else:
                    piece = changed
        return piece

    def _owner(self, access: PieceAccess, unit: Unit, state: GameState) -> str:
        seats = [name for name, side in self.binding.sides.items() if side == unit.side]
        if access.kind != "player":
            return seats[0] if seats else unit.side
        users = (seat.user for seat in state.seats.values() if seat.side in seats)
        return next(users, _NOBODY)

    # Places

    def point(self, unit: Unit) -> tuple[str, tuple[int, int]] | None:
        """Where a unit's piece lies: a map and a point; None if it is on no map."""
        if unit.cell:
            return self.cell_point(unit.cell)
        if unit.box:
            found = self._box_point(unit)
            if found is None:
                self._cannot(f"no place of the module is the box {unit.box}", unit.id)
            return found
        return None

    def cell_point(self, cell: str) -> tuple[str, tuple[int, int]]:
        """The middle of a cell."""
        shown = self.binding.map
        location = shown.location(cell)
        try:
            return shown.name, self.table.eye.locator.on(shown.name).pixel_named(location)
        except GeometryError:
            raise RulesError(
                f"the map {shown.name!r} has no location {location!r}",
                place=Place(cell=cell),
                hint="map.name and map.cells of the binding say how cells are named",
            ) from None

    def _box_point(self, unit: Unit) -> tuple[str, tuple[int, int]] | None:
        for rule in self.binding.boxes:
            for location, point in self.beside.locations(rule.map):
                found = rule.read(rule.map, location, unit.side)
                if found is None or found[0] != unit.box:
                    continue
                if all(unit.values.get(name) == value for name, value in found[1].items()):
                    return rule.map, point
        return None

    def _put(self, state: GameState, piece: str, where: tuple[str, tuple[int, int]]) -> None:
        """Lay a piece on what is there already."""
        item = state.find(piece)
        assert isinstance(item, PlacedPiece)
        on, (x, y) = where
        state.table.remove(piece)
        below = self.top_at(state, on, x, y)
        state.table.add(item)
        state.table.move(piece, on, x, y, below or piece)

    def top_at(self, state: GameState, on: str, x: int, y: int) -> str | None:
        """The topmost piece of the rules at a point, for another to lie on."""
        found = None
        for item in state.table.items.values():
            if (item.map, item.x, item.y) != (on, x, y):
                continue
            if isinstance(item, PlacedStack) and item.members:
                found = item.members[-1]
            elif isinstance(item, PlacedPiece) and item.id not in state.table.holders:
                found = item.id
        return found

    def _piles(self, state: GameState, position: Position) -> None:
        for rule in self.binding.piles:
            for deck in [d for d in state.decks.values() if d.name == rule.deck]:
                self._arrange(state, deck, rule.card, position.pile(rule.pile).cards)

    def _arrange(
        self, state: GameState, deck: PlacedDeck, card: str, cards: tuple[str, ...]
    ) -> None:
        """Keep the cards named, in their order; take the others out of the game."""
        held = list(
            zip(self.table.cards(state, deck, card), state.members(deck.id)[::-1], strict=True)
        )
        order: list[str] = []
        for wanted in cards:
            at = next((i for i, (name, _) in enumerate(held) if name == wanted), None)
            if at is None:
                self._cannot(f"the deck {deck.name} has no {wanted}")
            else:
                order.append(held.pop(at)[1].id)
        for _, piece in held:
            state.table.remove(piece.id)
        state.table.change(deck.id, replace(deck, members=tuple(reversed(order))).state, None)

    def _cannot(self, text: str, unit: str = "") -> None:
        note = Note("not shown", text, "the file carries it beside the table", unit=unit)
        if note not in self.notes:
            self.notes.append(note)
