"""A set-up of a module as a workbook: a row a piece, and a sheet for all else."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.errors import BadInputError, Place
from hexmarshal.errors.names import did_you_mean
from hexmarshal.vassal.tabletop.table_text import as_document, from_document
from hexmarshal.vassal.tabletop.tabletop import FORMAT
from hexmarshal.workbook import CellKind, NewSheet, make_workbook, read_workbook

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.vassal.tabletop.tabletop import Tabletop
    from hexmarshal.workbook import Cell
    from hexmarshal.workbook.model import NewValue

__all__ = ["read_table_sheet", "table_sheet"]

_FIXED: Final = {
    "Piece": "piece",
    "Side": "side",
    "Map": "map",
    "Location": "location",
    "X": "x",
    "Y": "y",
    "Stack": "stack",
    "Deck": "deck",
    "Slot": "slot",
    "Saved": "saved",
}
_STATE: Final = "state:"
_REST: Final = "Table"


def table_sheet(tabletop: Tabletop, name: str, separator: str = ",") -> bytes:
    """The set-up as a workbook or CSV, of the kind that the name tells; CSV holds pieces alone."""
    document = as_document(tabletop)
    rows = [dict(row) for row in document.pop("pieces", ())]
    for row in rows:
        if "at" in row:
            row["x"], row["y"] = row.pop("at")
        if "saved" in row:
            row["saved"] = json.dumps(row["saved"], ensure_ascii=False)
    used = [title for title, key in _FIXED.items() if any(key in row for row in rows)]
    used = list(dict.fromkeys(["Piece", "Map", "Location", *used]))
    used.sort(key=list(_FIXED).index)
    states = list(dict.fromkeys(key for row in rows for key in row.get("state", ())))
    table: list[list[NewValue]] = [[*used, *(f"{_STATE}{key}" for key in states)]]
    for row in rows:
        state = row.get("state", {})
        fixed = [row.get(_FIXED[title]) for title in used]
        table.append([*map(_cell, fixed), *(_cell(state.get(key)) for key in states)])
    rest: list[list[NewValue]] = [
        [key, json.dumps(value, ensure_ascii=False)] for key, value in document.items()
    ]
    return make_workbook([NewSheet("Pieces", table), NewSheet(_REST, rest)], name, separator)


def _cell(value: Any) -> NewValue:  # noqa: ANN401 - text or a number
    if value is None or isinstance(value, int):
        return value
    text = str(value)
    # As in other sheets of ours: an apostrophe means the text after it, exactly.
    return (
        f"'{text}" if text.startswith(("'", "=", "+", "-", "@")) or text != text.strip() else text
    )


def read_table_sheet(data: bytes, file: str | None) -> tuple[Tabletop, tuple[Place, ...]]:
    """The set-up in a workbook or CSV file, and where each piece of it is written."""
    book = read_workbook(data, file, lambda cells: sum(c.strip() in _FIXED for c in cells))
    typed = not book.separator
    document: dict[str, Any] = {"format": FORMAT, "pieces": []}
    places: list[Place] = []
    for page in book.sheets:
        if page.hidden or page.title.startswith("#"):
            continue
        if page.title == _REST:
            for row in page.rows:
                document[row.texts[0]] = _json(
                    row.texts[1] if len(row.texts) > 1 else "", file, row.number
                )
            continue
        columns: dict[int, str] = {}
        for row in page.rows:
            number = Place(row=row.number) if typed else Place(line=row.number)
            place = number.within(Place(file=file, sheet=page.title or None))
            if not columns:
                columns = _columns(row.texts, place)
                continue
            entry = _entry(row.cells, columns, place)
            if entry:
                document["pieces"].append(entry)
                places.append(Place(unit=str(entry["piece"])).within(place))
    if not places:
        raise BadInputError("no row names the columns Piece and Location", place=Place(file=file))
    return from_document(document), tuple(places)


def _columns(titles: Sequence[str], place: Place) -> dict[int, str]:
    """What each column holds; none if this row does not name the columns."""
    known = {title.casefold(): key for title, key in _FIXED.items()}
    if "piece" not in [title.strip().casefold() for title in titles]:
        return {}
    columns = {}
    for i, title in enumerate(titles, 1):
        text = title.strip()
        if not text or text.startswith("#"):
            continue
        if text.casefold() in known:
            columns[i] = known[text.casefold()]
        elif text.casefold().startswith(_STATE):
            columns[i] = text
        elif meant := did_you_mean(text, _FIXED):
            raise BadInputError(
                f"no column is called {text!r}", place=Place(column=text).within(place), hint=meant
            )
    return columns


def _entry(cells: Sequence[Cell], columns: dict[int, str], place: Place) -> dict[str, Any]:
    row: dict[str, Any] = {}
    state: dict[str, str] = {}
    point: dict[str, int] = {}
    for i, cell in enumerate(cells, 1):
        key = columns.get(i)
        if key is None or not cell:
            continue
        at = Place(column=key).within(place)
        if cell.kind in (CellKind.UNCALCULATED, CellKind.ERROR, CellKind.DATE):
            raise BadInputError(f"this is {cell.kind.value}: {cell.text}", place=at)
        text = cell.text
        text = text.lstrip()[1:] if text.lstrip().startswith("'") else text.strip()
        if key.startswith(_STATE):
            state[key[len(_STATE) :]] = text
        elif key in ("x", "y", "stack"):
            if not text.lstrip("-").isdigit():
                raise BadInputError(f"{text!r} is no whole number", place=at)
            (point if key != "stack" else row)[key] = int(text)
        elif key == "saved":
            row[key] = _json(text, place.file, place.row or place.line or 0)
        else:
            row[key] = text
    if not row and not state:
        return {}
    if set(point) == {"x", "y"}:
        row["at"] = [point["x"], point["y"]]
    if state:
        row["state"] = state
    return {"piece": "", **row}


def _json(text: str, file: str | None, row: int) -> Any:  # noqa: ANN401 - plain data
    try:
        return json.loads(text)
    except ValueError:
        raise BadInputError("not JSON", place=Place(file=file, row=row)) from None
