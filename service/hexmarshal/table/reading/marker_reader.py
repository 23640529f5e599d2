"""Markers read from a table: on cells, on units, and what they tell of cells."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

from hexmarshal.rules.state.pieces import Marker
from hexmarshal.rules.values import FrozenMap
from hexmarshal.table.binding.ties import beneath
from hexmarshal.table.reading.bookkeeping import Books
from hexmarshal.table.reading.sightings import MarkerSighting, UnitSighting

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from hexmarshal.rules.plugin import Game
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record, Value
    from hexmarshal.table.binding import Binding
    from hexmarshal.table.reading.piece_reader import PieceReader
    from hexmarshal.table.reading.sightings import Spotted
    from hexmarshal.vassal.state.game_state import GameState

__all__ = ["MarkerReader", "unit_below"]


def unit_below(
    reader: PieceReader, state: GameState, piece: str, *, carrier: bool = False
) -> UnitSighting | None:
    """The unit that a marker, or as `carrier` a passenger, lies on; markers between do not count.

    Who is carried carries nobody.
    """
    for below in beneath(state, piece):
        seen = reader.see(below)
        if isinstance(seen, UnitSighting) and not (carrier and seen.aboard):
            return seen
    return None


class MarkerReader:
    """Reads the markers of one state; `lost` says which lie on no unit and should."""

    def __init__(
        self,
        binding: Binding,
        game: Game,
        reader: PieceReader,
        state: GameState,
        bearers: Mapping[str, str],
    ) -> None:
        """`bearers` are units whose markers are known, by piece: they may have left them behind."""
        self._books = Books(binding, game, aids=True)
        self._reader, self._state = reader, state
        self._bearers = bearers
        self._in_heaps = bool(binding.laid)
        self.lost: list[MarkerSighting] = []

    def read(
        self, seen: Iterable[Spotted], base: Position, units: Mapping[str, Unit]
    ) -> tuple[FrozenMap[Marker], FrozenMap[Record]]:
        """The markers, and what cells hold by them."""
        kinds = self._books.kinds
        markers = {m.id: m for m in base.markers.values() if m.kind not in kinds}
        free = {m.id: m for m in base.markers.values() if m.kind in kinds}
        cells: dict[str, dict[str, Value]] = {
            cell: dict(self._books.without_told(record)) for cell, record in base.cells.items()
        }
        for one in seen:
            if not isinstance(one, MarkerSighting):
                for worn in one.worn:
                    marker = _worn(worn, units[one.id], free)
                    free.pop(marker.id, None)
                    markers[marker.id] = marker
                continue
            if one.rule.cell and one.where.cell:
                cells.setdefault(one.where.cell, {}).update(one.rule.cell)
                continue
            for marker in self._markers(one, free, units):
                free.pop(marker.id, None)
                if marker.id in markers and marker.unit:
                    _put_beside(markers, marker, base.markers.get(marker.id))
                else:
                    markers[marker.id] = marker
        kept = {cell: FrozenMap(record) for cell, record in cells.items() if record}
        return FrozenMap(markers), FrozenMap(kept)

    def _markers(
        self, seen: MarkerSighting, free: Mapping[str, Marker], units: Mapping[str, Unit]
    ) -> Iterator[Marker]:
        if not seen.kind:
            return
        if seen.rule.on_unit:
            below = unit_below(self._reader, self._state, seen.piece)
            bearer = self._bearers.get(seen.piece, "") or (below.id if below is not None else "")
            unit = units.get(bearer)
            if unit is not None:
                unit = self._bearer(seen, unit, free, units)
                yield seen.on(free.get(seen.id.replace("{unit}", unit.id)), unit)
            elif seen.where.box:
                yield seen.on(self._in_box(seen, free.values()))
            else:
                self.lost.append(seen)
        elif seen.where.known:
            known = free.get(seen.id)
            if known is None or known.kind != seen.kind:
                known = next((m for m in free.values() if _same_marker(m, seen)), None)
            yield seen.on(known)

    def _bearer(
        self,
        seen: MarkerSighting,
        unit: Unit,
        free: Mapping[str, Marker],
        units: Mapping[str, Unit],
    ) -> Unit:
        """Whose a token is that lies on somebody who is carried: of the one known to bear it."""
        carrier = units.get(unit.carrier) if self._in_heaps and unit.carrier else None
        if carrier is None or seen.id.replace("{unit}", unit.id) in free:
            return unit
        return carrier if seen.id.replace("{unit}", carrier.id) in free else unit

    def _in_box(self, seen: MarkerSighting, free: Iterable[Marker]) -> Marker:
        """The marker that left its unit for a box: one that is there, or one that was not known."""
        there = [m for m in free if _same_marker(m, seen) and m.side in ("", seen.side)]
        new = Marker(f"{seen.kind}@{seen.piece}", seen.kind, seen.side)
        return min(there, key=lambda m: seen.on(m) != m, default=new)


def _put_beside(markers: dict[str, Marker], marker: Marker, known: Marker | None) -> None:
    """Another one lies on the same unit: the one that is known keeps its name."""
    first, second = markers[marker.id], marker
    if known is not None and second.values == known.values != first.values:
        first, second = second, first
    names = (f"{first.id}#{number}" for number in count(1))
    name = next(name for name in names if name not in markers)
    markers[first.id] = first
    markers[name] = replace(second, id=name)


def _worn(seen: MarkerSighting, unit: Unit, free: Mapping[str, Marker]) -> Marker:
    """The marker that a unit's own piece shows: one that is known keeps its name."""
    known = free.get(seen.id.replace("{unit}", unit.id))
    if known is None or known.kind != seen.kind:
        known = next((m for m in free.values() if (m.kind, m.unit) == (seen.kind, unit.id)), None)
    return seen.on(known, unit)


def _same_marker(marker: Marker, seen: MarkerSighting) -> bool:
    return (marker.kind, marker.cell, marker.box) == (seen.kind, seen.where.cell, seen.where.box)
