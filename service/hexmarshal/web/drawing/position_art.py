"""A position as a table: on the maps of the game's own module, or on ground that we draw."""

from __future__ import annotations

import secrets
from functools import partial
from typing import TYPE_CHECKING, Any

from hexmarshal.errors import HexMarshalError
from hexmarshal.geometry.svg.palette import side_colour
from hexmarshal.rules.state.pieces import UNKNOWN
from hexmarshal.table.binding import Binding
from hexmarshal.table.placing import Placer
from hexmarshal.web.drawing.cells import board_cells, terrain_cells
from hexmarshal.web.drawing.grounds import drawn_sheet
from hexmarshal.web.drawing.module_art import ModuleArt
from hexmarshal.web.drawing.sheets import Lying

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.pieces import Marker, Unit
    from hexmarshal.rules.state.position import Position
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.state.placed import PlacedPiece
    from hexmarshal.web.drawing.gallery import Gallery
    from hexmarshal.web.drawing.sheets import Face, Sheet

__all__ = ["PositionArt", "colours_of"]

_COLOURS = ("blue", "red", "green", "yellow", "brown", "grey")
_MOST_TABLES = 8


def colours_of(plugin: GamePlugin) -> dict[str, str]:
    """The colour of each side: its own, or the next of ours."""
    return {
        side.key: side_colour(str(side.values.get("colour") or _COLOURS[i % len(_COLOURS)]))
        for i, side in enumerate(plugin.game.sides)
    }


class PositionArt:
    """Draws positions of one game; `module` is the one that shows it, if any."""

    def __init__(self, plugin: GamePlugin, module: Module | None, gallery: Gallery) -> None:
        self._plugin, self._gallery = plugin, gallery
        self._module = module
        self._binding = Binding.inside(module) if module is not None else None
        self._art = ModuleArt(module, gallery) if module is not None else None
        self._titles = {kind.key: kind.title for kind in plugin.game.unit_types}
        self._marks = {kind.key: kind.title for kind in plugin.game.markers}
        self._tables: dict[tuple[object, ...], _Table] = {}

    def table(self, position: Position, cells: Callable[[str, int], str]) -> dict[str, Any]:
        """The maps, and everything on them that the position tells of.

        `cells` gives the address of the cells of a map, from the table's key and the map's number.
        """
        key, table = self._table(position)
        sheets = [
            {**sheet.to_json(), "cells": cells(key, i) if i in table.cells else ""}
            for i, sheet in enumerate(table.sheets)
        ]
        lying = [thing.to_json() for thing in table.lying(position)]
        return {"maps": sheets, "pieces": lying, "colours": colours_of(self._plugin)}

    def cells(self, key: str, number: int) -> dict[str, Any] | None:
        """The cells of a map of a table that was shown."""
        for table in self._tables.values():
            if table.key == key and number in table.cells:
                return table.cells[number]()
        return None

    def _table(self, position: Position) -> tuple[str, _Table]:
        at = (position.scenario, position.board, position.options)
        found = self._tables.get(at)
        if found is None:
            if len(self._tables) >= _MOST_TABLES:
                self._tables.pop(next(iter(self._tables)))
            found = self._tables[at] = self._laid(position)
            found.key = secrets.token_hex(8)
        return found.key, found

    def _laid(self, position: Position) -> _Table:
        if self._module is not None and self._binding is not None and self._art is not None:
            placer = Placer(self._module, self._binding, self._plugin, position)
            return _OnModule(self, self._art, placer)
        return _OnGround(self, self._plugin, position, self._gallery)

    # What things are called

    def unit_title(self, unit: Unit) -> str:
        """A unit in words: its name, its type, what marks it."""
        if unit.type == UNKNOWN:
            return f"an unknown unit ({unit.id})"
        title = self._titles.get(unit.type, unit.type)
        marks = ", ".join(sorted(unit.flags))
        return f"{unit.id}: {title}" + (f" ({marks})" if marks else "")

    def marker_title(self, marker: Marker) -> str:
        """A marker in words."""
        return f"{marker.id}: {self._marks.get(marker.kind, marker.kind)}"

    def label(self, unit: Unit) -> str:
        """What a counter without a picture says."""
        return "?" if unit.type == UNKNOWN else unit.id


class _Table:
    """A table that positions of one scenario are laid on."""

    key: str = ""
    sheets: list[Sheet]
    cells: Mapping[int, Callable[[], dict[str, Any]]]

    def lying(self, position: Position) -> Iterator[Lying]:
        """What lies on it."""
        raise NotImplementedError


class _OnModule(_Table):
    """On the maps of a module, with its counters."""

    def __init__(self, of: PositionArt, art: ModuleArt, placer: Placer) -> None:
        self._of, self._art, self._placer = of, art, placer
        locator = placer.table.reader.locator
        self.sheets = art.sheets(locator)
        shown = placer.binding.map
        self.cells = {
            i: partial(board_cells, locator.on(sheet.name).boards, shown.cell)
            for i, sheet in enumerate(self.sheets)
            if sheet.name == shown.name
        }
        self._nowhere = (shown.name, (0, 0))
        self._faces: dict[object, Face | None] = {}

    def lying(self, position: Position) -> Iterator[Lying]:
        placer, position = self._placer, self._placer.plugin.on_table(position)
        placer.notes.clear()
        for unit in placer.in_order(position):
            try:
                where = placer.point(unit, position)
            except HexMarshalError:
                continue
            if where is None:
                continue
            on, (x, y) = where
            face = self._unit_face(unit)
            title, label = self._of.unit_title(unit), self._of.label(unit)
            cell = position.cell_of(unit)
            yield Lying(unit.id, "unit", on, x, y, title, face, unit.side, cell, label)
        for marker in position.markers.values():
            try:
                where = placer.marker_point(marker, position)
            except HexMarshalError:
                continue
            if where is None:
                continue
            on, (x, y) = where
            title = self._of.marker_title(marker)
            face = self._marker_face(marker)
            label = marker.kind[:4]
            yield Lying(marker.id, "marker", on, x, y, title, face, marker.side, marker.cell, label)
        yield from self._beside(position)

    def _beside(self, position: Position) -> Iterator[Lying]:
        """Counters on tracks."""
        try:
            laid = list(self._placer.offmap.pieces(position))
        except HexMarshalError:
            return
        for number, one in enumerate(laid):
            key = (one.gpid, one.shown)
            if key not in self._faces:
                made = self._placer.offmap.piece(self._placer.fresh, one)
                self._faces[key] = self._face(made)
            face = self._faces[key]
            if face is not None:
                x, y = one.point
                yield Lying(f"track {number}", "piece", one.map, x, y, "a marker on a track", face)

    def _unit_face(self, unit: Unit) -> Face | None:
        from hexmarshal.rules.copying import copied

        if unit.type == UNKNOWN:
            return None
        bare = copied(unit, cell="", box="", rank=0, carrier="", footprint=())
        if bare not in self._faces:
            try:
                made = self._placer.counters.unit(bare, self._placer.fresh, self._nowhere)
            except HexMarshalError:
                made = None
            self._faces[bare] = self._face(made)
        return self._faces[bare]

    def _marker_face(self, marker: Marker) -> Face | None:
        from hexmarshal.rules.copying import copied

        if marker.kind == UNKNOWN:
            return None
        bare = copied(marker, id="", cell="", box="", unit="")
        if bare not in self._faces:
            try:
                made = self._placer.counters.marker(marker, self._placer.fresh, self._nowhere)
            except HexMarshalError:
                made = None
            self._faces[bare] = self._face(made)
        return self._faces[bare]

    def _face(self, made: PlacedPiece | None) -> Face | None:
        return None if made is None else self._art.face(made, {}, reveal=True)


class _OnGround(_Table):
    """On ground that we draw, with counters that the page draws; or on no map at all."""

    def __init__(
        self, of: PositionArt, plugin: GamePlugin, position: Position, gallery: Gallery
    ) -> None:
        self._of = of
        terrain = plugin.terrain_map(position)
        self.sheets, self.cells = [], {}
        self._middles: dict[str, tuple[float, float]] = {}
        if terrain is not None:
            sheet, corner = drawn_sheet(terrain, gallery)
            self.sheets = [sheet]
            found = terrain_cells(terrain, corner)
            self.cells = {0: lambda: found}
            self._middles = {name: (x, y) for name, x, y, _ in found["cells"]}

    def lying(self, position: Position) -> Iterator[Lying]:
        name = self.sheets[0].name if self.sheets else ""
        for unit in sorted(position.units.values(), key=lambda u: (u.cell, u.rank, u.id)):
            cell = position.cell_of(unit)
            if (middle := self._middles.get(cell)) is not None:
                x, y = map(round, middle)
                title, label = self._of.unit_title(unit), self._of.label(unit)
                yield Lying(unit.id, "unit", name, x, y, title, None, unit.side, cell, label)
        for marker in position.markers.values():
            if (middle := self._middles.get(marker.cell)) is not None:
                x, y = map(round, middle)
                title = self._of.marker_title(marker)
                label = marker.kind[:4]
                yield Lying(
                    marker.id, "marker", name, x, y, title, None, marker.side, marker.cell, label
                )
