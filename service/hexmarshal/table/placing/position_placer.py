"""Puts a position onto the table of a module: a saved game that shows it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.errors import GeometryError, Place, RulesError
from hexmarshal.table.binding.ties import carries
from hexmarshal.table.placing.board_choice import boards_for
from hexmarshal.table.placing.boxes import Boxes
from hexmarshal.table.placing.counter_factory import CounterFactory
from hexmarshal.table.placing.offmap import OffMap, property_key
from hexmarshal.table.placing.places import Places
from hexmarshal.table.placing.unshown import unshown
from hexmarshal.table.reading import POSITION_ENTRY, Note, TableReader
from hexmarshal.table.reading.sightings import MarkerSighting
from hexmarshal.vassal.components import LayeredPieceCollection
from hexmarshal.vassal.saves.savedata import save_entries
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.state.at_start import new_game
from hexmarshal.vassal.state.placed import PlacedDeck, PlacedPiece, PlacedStack
from hexmarshal.vassal.state.stacking import forms_stacks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.pieces import Marker, Unit
    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.binding import Binding, MarkerRule, PileRule
    from hexmarshal.table.placing.places import MapPoint
    from hexmarshal.vassal.commands.game import BoardChoice
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.state.game_state import GameState, Seat

__all__ = ["Placer", "position_entry", "write_save"]


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
    placer = Placer(module, binding, plugin, position)
    state = placer.place(position, seats)
    for text in unshown(placer.table, state, position, placer.marker_pieces):
        placer.cannot(text)
    return placer.save(state, position), tuple(placer.notes)


class Placer:
    """Knows where the pieces of a module go; its boards are those of one position's game."""

    def __init__(
        self,
        module: Module,
        binding: Binding,
        plugin: GamePlugin,
        position: Position,
        boards: Mapping[str, tuple[BoardChoice, ...]] | None = None,
    ) -> None:
        self.module, self.plugin = module, plugin
        self.notes: list[Note] = []
        chosen = boards_for(module, binding, position) if boards is None else boards
        self.fresh = new_game(module, chosen)
        self.table = TableReader(module, binding, plugin, self.fresh)
        self.binding = binding = self.table.binding
        self.counters = CounterFactory(self.table, self.cannot)
        self.places = Places(self.table.reader.locator)
        self.offmap = OffMap(self.table, self.counters, self.places, self.cannot, self.cell_point)
        self.unit_pieces: dict[str, str] = {}
        self.marker_pieces: dict[str, str] = {}
        self.sign_pieces: dict[tuple[str, MarkerRule], str] = {}
        self._carries = carries(binding)
        self._boxes = Boxes(binding, self.places, self.counters)
        self._layers = {
            of_map.name: layers.get("property")
            for of_map in module.maps()
            for layers in of_map.each(LayeredPieceCollection)
        }

    # The whole position

    def place(self, position: Position, seats: Iterable[Seat] = ()) -> GameState:
        """A new game of the module with the position on its table."""
        position = self.plugin.on_table(position)
        state = self.fresh.copy()
        for seat in seats:
            state.seats[seat.user] = seat
        self._clear(state)
        self.unit_pieces.clear()
        self.marker_pieces.clear()
        self.sign_pieces.clear()
        for unit in self.in_order(position):
            where = self.point(unit, position)
            if where is None:
                continue
            if unit.place:
                self.cannot(f"nothing shows where in its cell {unit.id} is: {unit.place}", unit.id)
            made = self.counters.unit(unit, state, where, position.units.get(unit.carrier))
            if made is not None:
                self._put(state, made, where, self.unit_pieces.get(unit.carrier))
                self.unit_pieces[unit.id] = made.id
                self.table.reader.call(made, unit.id)
        for unit_id in tuple(self.unit_pieces):
            self._place_signs(state, position.units[unit_id], position)
        for marker in position.markers.values():
            self._place_marker(state, marker, position)
        for laid in self.offmap.pieces(position):
            self._put(state, self.offmap.piece(state, laid), (laid.map, laid.point))
        for name, text in self.offmap.properties(position).items():
            state.properties[property_key(state, name)] = text
        for rule in self.binding.piles:
            self._place_pile(state, rule, position)
        self._unplaced(position)
        if self.table.tracker is not None:
            turn = self.table.tracker.write(position)
            if turn is not None:
                state.turns[turn.tracker] = turn
            else:
                self.cannot(f"the turn tracker cannot show {position.phase}")
        return state

    def in_order(self, position: Position) -> Iterator[Unit]:
        """Stacks from the bottom up, each passenger right after what carries it."""
        units = sorted(position.units.values(), key=lambda u: (u.cell, u.box, u.rank, u.id))
        for unit in units:
            if not unit.carrier or unit.carrier not in position.units:
                yield unit
                yield from self._passengers(unit, position)

    def _passengers(self, unit: Unit, position: Position) -> Iterator[Unit]:
        # The first is put on last, directly above its carrier.
        for one in reversed(position.carried_by(unit.id)):
            yield one
            yield from self._passengers(one, position)

    def _place_signs(self, state: GameState, unit: Unit, position: Position) -> None:
        """The markers that show what a unit is, on its piece."""
        where = self.point(unit, position)
        for rule in self.counters.signs_of(unit) if where is not None else ():
            assert where is not None
            made = self.counters.sign(rule, state, where)
            if made is not None:
                self._put(state, made, where, self.unit_pieces[unit.id])
                self.sign_pieces[unit.id, rule] = made.id

    def _place_marker(self, state: GameState, marker: Marker, position: Position) -> None:
        if self.counters.is_worn(marker) and marker.unit in self.unit_pieces:
            self._put_on(state, marker)
            return
        where = self.marker_point(marker, position)
        if where is None:
            self.cannot(f"the marker {marker.id} has no place on the table")
            return
        made = self.counters.marker(marker, state, where)
        if made is not None:
            self._put(state, made, where, self.unit_pieces.get(marker.unit))
            self.marker_pieces[marker.id] = made.id

    def _put_on(self, state: GameState, marker: Marker) -> None:
        """A marker that the piece of its unit shows."""
        worn = state.find(self.unit_pieces[marker.unit])
        assert isinstance(worn, PlacedPiece)
        made = self.counters.wearing(worn, marker)
        if made is None:
            self.cannot(f"nothing on {marker.unit} shows the marker {marker.id}", marker.unit)
        else:
            state.table.change(made.id, made.state, None)

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
            if self._told_of(piece) or self._on_track(piece):
                state.table.remove(piece.id)

    def _told_of(self, piece: PlacedPiece) -> bool:
        """Whether a position tells of it; what is for players alone stays as the module has it."""
        seen = self.table.reader.see(piece)
        if isinstance(seen, MarkerSighting):
            return bool(seen.rule.kind or seen.rule.cell or seen.rule.shows)
        return seen is not None

    def _on_track(self, piece: PlacedPiece) -> bool:
        """Whether it shows a track, the turn or whose go it is, and is laid out anew."""
        look, turn = self.table.reader.look(piece), self.binding.turn
        spots = (*self.binding.spots(), turn.marker if turn else None, self.binding.active)
        return any(spot is not None and spot.match.find(look) is not None for spot in spots)

    # Places

    def point(self, unit: Unit, position: Position) -> MapPoint | None:
        """Where a unit's piece lies; None, and told, if it is on no map."""
        if unit.cell:
            return self.cell_point(unit.cell)
        if unit.box:
            inside = self._boxes.point(unit, position)
            if inside is None:
                self.cannot(f"no place of the module is the box {unit.box}", unit.id)
            return inside
        holder = next((one for _, one in unit.held_by() if one in position.units), "")
        if not holder:
            self.cannot(f"{unit.id} is nowhere: in no cell, no box and on no carrier", unit.id)
        elif holder == unit.carrier and self._carries:
            return self.point(position.units[holder], position)
        else:
            self.cannot(f"{unit.id} goes with {holder}, and has no piece of its own", unit.id)
        return None

    def marker_point(self, marker: Marker, position: Position) -> MapPoint | None:
        """Where a marker's piece lies; None if it is on no map."""
        if marker.unit in position.units:
            return self.point(position.units[marker.unit], position)
        if marker.box:
            return self._boxes.point(marker, position)
        return self.cell_point(marker.cell) if marker.cell else None

    def cell_point(self, cell: str) -> MapPoint:
        """The middle of a cell."""
        shown = self.binding.map
        location = shown.location(cell)
        try:
            return shown.name, self.table.reader.locator.on(shown.name).pixel_named(location)
        except GeometryError:
            raise RulesError(
                f"the map {shown.name!r} has no location {location!r}",
                place=Place(cell=cell),
                hint="map.name and map.cells of the binding say how cells are named",
            ) from None

    def _put(
        self, state: GameState, item: PlacedPiece, where: MapPoint, under: str | None = None
    ) -> None:
        """Lay a piece on what is there already, or on a certain piece."""
        on, (x, y) = where
        below = under or self.top_at(state, item, on, x, y)
        state.table.add(item)
        if forms_stacks(item):
            state.table.move(item.id, on, x, y, below or item.id)

    def top_at(self, state: GameState, item: PlacedPiece, on: str, x: int, y: int) -> str | None:
        """The topmost piece at a point on which another may lie."""
        found = None
        for other in state.table.items.values():
            if (other.map, other.x, other.y) != (on, x, y) or other.id == item.id:
                continue
            top = None
            if isinstance(other, PlacedStack) and other.members:
                top = state.find(other.members[-1])
            elif other.id not in state.table.holders:
                top = other
            if isinstance(top, PlacedPiece) and self._stack_together(item, top, on):
                found = top.id
        return found if forms_stacks(item) else None

    def _stack_together(self, item: PlacedPiece, other: PlacedPiece, on: str) -> bool:
        """VASSAL stacks no pieces of two layers."""
        if other.id == item.id or not forms_stacks(other):
            return False
        name = self._layers.get(on)
        if not name:
            return True
        one, two = (self.table.reader.look(piece).properties.get(name) for piece in (item, other))
        return one == two

    # Piles

    def hand_points(self, rule: PileRule) -> list[MapPoint]:
        """The places of a hand, in order."""
        found = []
        for place in self.places.on(rule.map):
            fits = rule.at.fullmatch(place.name) if rule.at is not None else None
            if fits is not None:
                number = fits.groupdict().get("n") or ""
                found.append((int(number) if number.isdecimal() else 0, (rule.map, place.middle)))
        return [spot for _, spot in sorted(found)]

    def _place_pile(self, state: GameState, rule: PileRule, position: Position) -> None:
        pile = position.pile(rule.pile)
        if rule.map:
            points = self.hand_points(rule)
            for n, card in enumerate(pile.cards if points else ()):
                where = points[min(n, len(points) - 1)]
                made = self.counters.card(rule, card, pile.side, state, where)
                if made is not None:
                    self._put(state, made, where)
            return
        for deck in [d for d in state.decks.values() if d.name == rule.deck]:
            self._arrange(state, deck, rule, pile.cards)

    def _arrange(
        self, state: GameState, deck: PlacedDeck, rule: PileRule, cards: tuple[str, ...]
    ) -> None:
        """Keep the cards named, in their order; bring in what is missing, take out the others."""
        names = self.table.cards(state, deck, rule.card)
        held = list(zip(names, state.members(deck.id)[::-1], strict=True))
        order: list[str] = []
        for wanted in cards:
            at = next((i for i, (name, _) in enumerate(held) if name == wanted), None)
            if at is not None:
                order.append(held.pop(at)[1].id)
                continue
            where = (deck.map or "", (deck.x, deck.y))
            made = self.counters.card(rule, wanted, "", state, where)
            if made is not None:
                state.table.add(made)
                order.append(made.id)
        for _, piece in held:
            state.table.remove(piece.id)
        state.table.change(deck.id, replace(deck, members=tuple(reversed(order))).state, None)

    def _unplaced(self, position: Position) -> None:
        """Tell of piles and tracks that nothing in the module shows."""
        piles = {rule.pile for rule in self.binding.piles}
        tracks = {rule.track for rule in self.binding.tracks}
        for name, pile in position.piles.items():
            if pile.cards and name not in piles and self.binding.piles:
                self.cannot(f"nothing in the module shows the pile {name}")
        for name, value in position.tracks.items():
            if value and name not in tracks and self.binding.tracks:
                self.cannot(f"nothing in the module shows the track {name}")

    def cannot(self, text: str, unit: str = "") -> None:
        """Note what the table does not show."""
        note = Note("not shown", text, "the file carries it beside the table", unit=unit)
        if note not in self.notes:
            self.notes.append(note)
