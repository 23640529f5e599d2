"""Pieces that are no units: markers, what they say of cells, and counters on tracks."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hexmarshal.errors import VassalFormatError
from hexmarshal.referee.patterns import PieceLook
from hexmarshal.vassal.at_start import placed_copy
from hexmarshal.vassal.placed import PlacedPiece

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from hexmarshal.referee.binding import MarkerRule, Spot
    from hexmarshal.referee.reading import Table
    from hexmarshal.rules.pieces import Marker
    from hexmarshal.rules.position import Position
    from hexmarshal.rules.values import Record
    from hexmarshal.vassal.components import PieceSlot
    from hexmarshal.vassal.state import GameState

__all__ = ["Beside", "Laid", "property_key"]

_Point = tuple[int, int]


class Laid(NamedTuple):
    """A piece to lie somewhere: the slot that it is taken from, a map and a point."""

    gpid: str
    map: str
    point: _Point


def property_key(state: GameState, name: str) -> tuple[str, str]:
    """Container and name of a global property; one that no container has is the module's."""
    return next((key for key in state.properties if key[1] == name), ("", name))


class Beside:
    """Says which pieces of a module show what is not a unit, and where they lie."""

    def __init__(
        self,
        table: Table,
        definitions: Mapping[str, str],
        cannot: Callable[[str], None],
        cell_point: Callable[[str], tuple[str, _Point]],
    ) -> None:
        self._table = table
        self._definitions = definitions
        self._cannot = cannot
        self._cell_point = cell_point
        self._slots: dict[str, PieceSlot] = {}
        self._looks: list[tuple[PieceSlot, PieceLook]] = []
        self._markers: list[tuple[MarkerRule, str, str, PieceSlot]] = []
        self._named: dict[str, tuple[tuple[str, _Point], ...]] = {}
        for slot in table.module.slots():
            self._slots.setdefault(slot.gpid, slot)
            try:
                piece = placed_copy(slot, definitions, "", (0, 0))
            except VassalFormatError:
                continue
            look = PieceLook(piece, gpid=slot.gpid, prototypes=table.eye.prototypes_of(slot.gpid))
            self._looks.append((slot, look))
            known = table.eye.identify(look)
            if known is not None and known.marker is not None:
                self._markers.append((known.marker, known.kind, known.side, slot))

    def pieces(self, position: Position) -> Iterator[Laid]:
        """Every piece that the position wants beside its units."""
        for marker in position.markers.values():
            yield from self._marker(marker)
        for cell, record in position.cells.items():
            yield from self._told_of(cell, record)
        for rule in self._table.binding.tracks:
            value = max(0, position.track(rule.track))
            if rule.count is not None:
                for _ in range(value):
                    yield from self._at_spot(rule.count, None, rule.track)
            elif rule.digits:
                digits = f"{value:0{len(rule.digits)}d}"
                if len(digits) > len(rule.digits):
                    self._cannot(f"the track {rule.track} has no place for {value}")
                for spot, digit in zip(rule.digits, digits[-len(rule.digits) :], strict=True):
                    yield from self._at_spot(spot, int(digit), rule.track)

    def properties(self, position: Position) -> dict[str, str]:
        """Global properties that show a track."""
        tracks = (rule for rule in self._table.binding.tracks if rule.property)
        return {rule.property: str(position.track(rule.track)) for rule in tracks}

    def piece(self, state: GameState, laid: Laid) -> PlacedPiece:
        """The piece of a marker, as it would enter the game."""
        piece = placed_copy(self._slots[laid.gpid], self._definitions, laid.map, laid.point)
        return PlacedPiece.of(state.table.new_id(), piece.type.text, piece.state_text)

    def _marker(self, marker: Marker) -> Iterator[Laid]:
        for _, kind, side, slot in self._markers:
            if marker.cell and kind == marker.kind and (not side or side == marker.side):
                yield Laid(slot.gpid, *self._cell_point(marker.cell))
                return
        self._cannot(f"no counter of the module shows the marker {marker.id}")

    def _told_of(self, cell: str, record: Record) -> Iterator[Laid]:
        shown: set[str] = set()
        # The rule that tells most comes first, so that nothing is told twice.
        for rule, _, _, slot in sorted(self._markers, key=lambda m: -len(m[0].cell)):
            told = rule.cell
            if told and told.items() <= record.items() and not told.keys() <= shown:
                yield Laid(slot.gpid, *self._cell_point(cell))
                shown |= told.keys()

    def _at_spot(self, spot: Spot, number: int | None, track: str) -> Iterator[Laid]:
        slot = next((s for s, look in self._looks if spot.match.find(look) is not None), None)
        for location, point in self.locations(spot.map) if slot is not None else ():
            found = spot.at.fullmatch(location)
            fits = found is not None and (
                number is None or found.groupdict().get("n") == str(number)
            )
            if fits and slot is not None:
                yield Laid(slot.gpid, spot.map, point)
                return
        self._cannot(f"nothing in the module shows the track {track} so")

    def locations(self, map: str) -> tuple[tuple[str, _Point], ...]:
        """Every named place of a map, with a point in it."""
        if map not in self._named:
            self._named[map] = tuple(self._find_locations(map))
        return self._named[map]

    def _find_locations(self, map: str) -> Iterator[tuple[str, _Point]]:
        boards = self._table.eye.locator.on(map)
        for placed in boards.boards:
            grid = placed.board.grid
            if grid is None:
                continue
            for cell in grid.cells():
                name = grid.name(cell)
                if name:
                    point = placed.outward(placed.board.laid(grid.centre(cell)))
                    yield name, (point[0], point[1])
