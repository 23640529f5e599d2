"""Terrain as a sheet: a row a cell, with terrain, level and what lies on its sides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hexmarshal.errors import BadInputError, GeometryError, Place
from hexmarshal.geometry.lattice.hexes import Hexside
from hexmarshal.geometry.terrain.points import exact_number
from hexmarshal.geometry.terrain.terrain_file import loads
from hexmarshal.geometry.terrain.terrain_file_edit import CellEntry, TerrainText
from hexmarshal.workbook import CellKind, NewSheet, make_workbook, read_workbook

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from hexmarshal.geometry.terrain.terrain_map import TerrainMap
    from hexmarshal.workbook import Cell
    from hexmarshal.workbook.model import NewValue

__all__ = ["lay_terrain_sheet", "terrain_sheet"]

_CELL: Final = ("cell", "hex", "square", "area", "hexagone", "case", "feld", "hexfeld")
_TERRAIN: Final = ("terrain", "gelande", "gelände")
_LEVEL: Final = ("level", "elevation", "height", "niveau", "hohe", "höhe", "ebene")


def terrain_sheet(text: str, file: str, name: str) -> bytes:
    """The terrain of a file as a workbook or CSV, of the kind that the name tells."""
    terrain = loads(text, file=file)
    entries = TerrainText(text, file).entries()
    doubtful = {str(cell) for cell in TerrainText(text, file).data.get("doubtful", ())}
    directions = _directions(terrain)
    rows: list[list[NewValue]] = [["Cell", "Terrain", "Level", *directions, "# Doubtful"]]
    for cell in terrain.cells():
        named = terrain.name(cell)
        entry = entries.get(named, CellEntry())
        sides: list[NewValue] = []
        for direction in directions:
            kinds = _on_side(terrain, f"{named}/{direction}")
            sides.append(", ".join(kinds) or None)
        level: Any = entry.level
        rows.append(
            [
                named,
                ", ".join(entry.terrain) or None,
                level if isinstance(level, int) and level else str(level) if level else None,
                *sides,
                "?" if named in doubtful else None,
            ]
        )
    names = list(terrain.types)
    columns = [2, *range(4, 4 + len(directions))]
    sheet = NewSheet("Terrain", rows, choices=dict.fromkeys(columns, names) if names else {})
    return make_workbook([sheet], name)


def _directions(terrain: TerrainMap) -> list[str]:
    """The sides that a cell has names for; areas have none."""
    if terrain.outlines is not None:
        return []
    if terrain.is_squares:
        return ["N", "E", "S", "W"]
    return list(terrain.orientation.direction_names)


def _side(terrain: TerrainMap, name: str) -> Any:  # noqa: ANN401 - a side of hexes or of squares
    from hexmarshal.geometry.lattice.squares import side_of_squares

    if terrain.is_squares:
        return side_of_squares(name, terrain.cell)  # type: ignore[arg-type]
    return Hexside.named(name, terrain.hex, terrain.orientation)


def _on_side(terrain: TerrainMap, name: str) -> tuple[str, ...]:
    return terrain.side_terrain.get(_side(terrain, name), ())


def lay_terrain_sheet(text: str, file: str, data: bytes, sheet_file: str) -> tuple[str, int]:
    """The terrain file with what a sheet says of its cells; how many entries changed."""
    terrain = loads(text, file=file)
    edited = TerrainText(text, file)
    entries = edited.entries()
    cells: dict[str, CellEntry] = {}
    sides: dict[Hashable, tuple[str, tuple[str, ...]]] = {}
    kinds: dict[str, None] = {}
    directions = _directions(terrain)
    found = False
    book = read_workbook(data, sheet_file)
    for page in book.sheets:
        columns: dict[int, str] = {}
        for row in page.rows:
            if not columns:
                columns = _columns(row.texts, directions)
                found = found or bool(columns)
                continue
            place = Place(file=sheet_file, sheet=page.title or None, row=row.number)
            said = dict.fromkeys(columns.values(), "")
            for i, cell in enumerate(row.cells, 1):
                if i in columns:
                    said[columns[i]] = _text(cell, place, columns[i])
            name = said.get("cell", "")
            if not name or name.startswith("#"):
                continue
            try:
                terrain.cell(name)
            except GeometryError as error:
                raise error.at(place) from None
            entry = _entry(said, entries.get(name, CellEntry()), place)
            kinds |= dict.fromkeys(entry.terrain)
            if entry != entries.get(name, CellEntry()):
                cells[name] = entry
            for direction in directions:
                if direction not in said:
                    continue
                listed = tuple(part.strip() for part in said[direction].split(",") if part.strip())
                kinds |= dict.fromkeys(listed)
                _note_side(terrain, f"{name}/{direction}", listed, sides, place)
    if not found:
        raise BadInputError(
            "no row names the columns Cell and Terrain", place=Place(file=sheet_file)
        )
    written = {_side(terrain, name): name for name in edited.data.get("sides") or {} if "/" in name}
    changed = {
        written.get(side, name): kinds_there
        for side, (name, kinds_there) in sides.items()
        if _on_side(terrain, name) != kinds_there and (kinds_there or side in written)
    }
    after = edited.with_kinds(kinds).with_cells(cells).with_sides(changed)
    loads(after.text, file=file)
    return after.text, len(cells) + len(changed)


def _columns(titles: tuple[str, ...], directions: list[str]) -> dict[int, str]:
    known: dict[int, str] = {}
    for i, title in enumerate(titles, 1):
        text = title.strip().casefold()
        for key, names in (("cell", _CELL), ("terrain", _TERRAIN), ("level", _LEVEL)):
            if text in names:
                known[i] = key
        if title.strip().upper() in directions:
            known[i] = title.strip().upper()
    return known if {"cell", "terrain"} <= set(known.values()) else {}


def _text(cell: Cell, place: Place, column: str) -> str:
    if cell.kind in (CellKind.UNCALCULATED, CellKind.ERROR, CellKind.DATE):
        raise BadInputError(
            f"this is {cell.kind.value}: {cell.text}", place=Place(column=column).within(place)
        )
    return cell.text.strip().removeprefix("'")


def _entry(said: Mapping[str, str], known: CellEntry, place: Place) -> CellEntry:
    terrain = tuple(part.strip() for part in said.get("terrain", "").split(",") if part.strip())
    level = known.level
    if "level" in said:
        text = said["level"].replace(",", ".")
        try:
            level = int(text) if text.lstrip("+-").isdigit() else exact_number(text or 0, "level")
        except GeometryError as error:
            raise error.at(Place(column="level").within(place)) from None
    return CellEntry(terrain, level)


def _note_side(
    terrain: TerrainMap,
    name: str,
    kinds: tuple[str, ...],
    sides: dict[Hashable, tuple[str, tuple[str, ...]]],
    place: Place,
) -> None:
    """A side is told from both its cells; one of them is enough, and two must agree."""
    side = _side(terrain, name)
    other, said = sides.get(side, (name, ()))
    if kinds and said and kinds != said:
        raise BadInputError(
            f"the side {name} is {', '.join(kinds)} here, and {', '.join(said)} as {other}",
            place=place,
        )
    sides[side] = (other, kinds or said)
