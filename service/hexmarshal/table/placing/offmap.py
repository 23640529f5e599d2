"""Pieces beside units and markers: what is told of cells, tracks, the turn, whose go it is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from hexmarshal.table.binding.patterns import PieceLook
from hexmarshal.table.placing.piece_states import show
from hexmarshal.vassal.state.placed import PlacedPiece

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record
    from hexmarshal.table.binding import MarkerRule, Spot
    from hexmarshal.table.placing.counter_factory import CounterFactory
    from hexmarshal.table.placing.places import NamedPlace, Places, Point
    from hexmarshal.table.reading import TableReader
    from hexmarshal.vassal.components import PieceSlot
    from hexmarshal.vassal.pieces.piece import Piece
    from hexmarshal.vassal.state.game_state import GameState

__all__ = ["OffMap", "Laid", "property_key"]

_Shown = tuple[tuple[str, str], ...]
_PLAIN: Final = re.compile(r"[\w -]*")


class Laid(NamedTuple):
    """A piece to lie somewhere: the slot that it is taken from, a map, a point, what it shows."""

    gpid: str
    map: str
    point: Point
    shown: _Shown = ()


def property_key(state: GameState, name: str) -> tuple[str, str]:
    """Container and name of a global property; one that no container has is the module's."""
    return next((key for key in state.properties if key[1] == name), ("", name))


class OffMap:
    """Says which pieces of a module show what is neither unit nor marker, and where they lie."""

    def __init__(
        self,
        table: TableReader,
        counters: CounterFactory,
        places: Places,
        cannot: Callable[[str], None],
        cell_point: Callable[[str], tuple[str, Point]],
    ) -> None:
        self._table, self._counters = table, counters
        self._cannot = cannot
        self._cell_point = cell_point
        self._places = places
        self._where: dict[tuple[Spot, str, str], NamedPlace | None] = {}
        self._found: dict[Spot, tuple[PieceSlot, PieceLook] | None] = {}
        tellers = (
            (rule, *found)
            for rule in table.binding.markers
            if rule.cell and (found := self._teller(rule)) is not None
        )
        # The rule that tells most comes first, so that nothing is told twice.
        self._tellers = sorted(tellers, key=lambda one: -len(one[0].cell))

    def _teller(self, rule: MarkerRule) -> tuple[PieceSlot, _Shown] | None:
        """A slot whose piece fits the rule, and what must be set on it for that."""
        wanted = {
            name: pattern.pattern
            for name, pattern in rule.match.properties.items()
            if _PLAIN.fullmatch(pattern.pattern)
        }
        # A piece that is right as it is goes before one that could be made so.
        for slot, look in self._counters.looks:
            if rule.match.find(look) is not None:
                return slot, ()
        for slot, look in self._counters.looks:
            differing = {k: v for k, v in wanted.items() if look.properties.get(k, v) != v}
            piece = _showing(look.piece, tuple(differing.items())) if differing else None
            if piece is not None:
                changed = PieceLook(piece, gpid=look.gpid, prototypes=look.prototypes)
                # What a piece is must not be changed, only how it stands.
                kept = self._table.reader.identify(look)
                same = kept is not None and kept.marker is not None and kept.marker.cell
                if same and rule.match.find(changed) is not None:
                    return slot, tuple(differing.items())
        return None

    def pieces(self, position: Position) -> Iterator[Laid]:
        """Every piece that the position wants beside its units and markers."""
        binding = self._table.binding
        for cell, record in position.cells.items():
            yield from self._told_of(cell, record)
        for rule in binding.tracks:
            value = max(0, position.track(rule.track))
            # Of sides that do not play there is nothing to be shown.
            name = rule.track if rule.track in position.tracks else ""
            if rule.count is not None:
                if not self._counts_units(rule.count):
                    for n in range(value):
                        yield from self._at_spot(rule.count, None, name, (n, value))
            elif len(rule.digits) == 1:
                yield from self._at_spot(rule.digits[0], value, name)
            elif rule.digits:
                digits = f"{value:0{len(rule.digits)}d}"
                if len(digits) > len(rule.digits):
                    self._cannot(f"the track {rule.track} has no place for {value}")
                for spot, digit in zip(rule.digits, digits[-len(rule.digits) :], strict=True):
                    yield from self._at_spot(spot, int(digit), name)
        if binding.turn is not None and binding.turn.marker is not None:
            yield from self._at_spot(binding.turn.marker, position.turn, "of turns")
        if binding.active is not None and len(position.active) == 1:
            seats = {side: seat for seat, side in binding.sides.items()}
            yield from self._with_seat(binding.active, seats.get(position.active[0], ""))

    def _counts_units(self, spot: Spot) -> bool:
        """Whether units are counted there, which lie there by themselves."""
        found = self._counter(spot)
        known = self._table.reader.identify(found[1]) if found is not None else None
        return known is not None and known.marker is None

    def _counter(self, spot: Spot) -> tuple[PieceSlot, PieceLook] | None:
        """The first counter that fits a spot, looked for once: there are hundreds of counters."""
        if spot not in self._found:
            fitting = (one for one in self._counters.looks if spot.match.find(one[1]) is not None)
            self._found[spot] = next(fitting, None)
        return self._found[spot]

    def properties(self, position: Position) -> dict[str, str]:
        """Global properties that show a track, or name the scenario."""
        binding = self._table.binding
        tracks = (rule for rule in binding.tracks if rule.property)
        found = {rule.property: str(position.track(rule.track)) for rule in tracks}
        return {**found, binding.scenario: position.scenario} if binding.scenario else found

    def piece(self, state: GameState, laid: Laid) -> PlacedPiece:
        """The piece, as it would enter the game."""
        piece = self._counters.taken(self._counters.slots[laid.gpid], laid.map, laid.point)
        piece = _showing(piece, laid.shown) or piece
        return PlacedPiece.of(state.table.new_id(), piece.type.text, piece.state_text)

    def is_laid(self, item: object, laid: Laid) -> bool:
        """Whether this is the piece, lying there."""
        if not isinstance(item, PlacedPiece) or item.gpid != laid.gpid:
            return False
        if (item.map, (item.x, item.y)) != (laid.map, laid.point):
            return False
        properties = self._table.reader.look(item).properties if laid.shown else {}
        return all(properties.get(name) == text for name, text in laid.shown)

    def _told_of(self, cell: str, record: Record) -> Iterator[Laid]:
        done: set[str] = set()
        for rule, slot, shown in self._tellers:
            told = rule.cell
            if told.items() <= record.items() and not told.keys() <= done:
                yield Laid(slot.gpid, *self._cell_point(cell), shown)
                done |= told.keys()

    def _at_spot(
        self, spot: Spot, number: int | None, track: str, nth: tuple[int, int] | None = None
    ) -> Iterator[Laid]:
        found = self._place(spot, "" if number is None else "n", str(number), nth)
        if found is not None:
            yield found
        elif track:
            self._cannot(f"nothing in the module shows the track {track} so")

    def _with_seat(self, spot: Spot, seat: str) -> Iterator[Laid]:
        found = self._place(spot, "seat", seat)
        if found is not None:
            yield found
        else:
            self._cannot(f"nothing in the module shows that it is {seat or 'nobody'}'s go")

    def _place(
        self, spot: Spot, group: str, text: str, nth: tuple[int, int] | None = None
    ) -> Laid | None:
        """The piece of a spot, at the location where the pattern's group has this text."""
        counter = self._counter(spot)
        if counter is None:
            return None
        place = self._named(spot, group, text)
        if place is None:
            return None
        slot, _ = counter
        size = slot.width or 0, slot.height or 0
        if nth is None:
            return Laid(slot.gpid, spot.map, self._places.last(place, size))
        return Laid(slot.gpid, spot.map, self._places.nth(place, *nth, size))

    def _named(self, spot: Spot, group: str, text: str) -> NamedPlace | None:
        """The first location where the pattern's group has this text, looked for once."""
        key = (spot, group, text)
        if key not in self._where:
            self._where[key] = next(
                (
                    place
                    for place in self._places.on(spot.map)
                    if (found := spot.at.fullmatch(place.name)) is not None
                    and (not group or found.groupdict().get(group) == text)
                ),
                None,
            )
        return self._where[key]


def _showing(piece: Piece, shown: _Shown) -> Piece | None:
    """The piece with these properties set; None if one of them cannot be."""
    for name, text in shown:
        changed = show(piece, name, text, lambda _: "")
        if changed is None:
            return None
        piece = changed
    return piece
