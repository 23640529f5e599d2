"""A set-up of a module as YAML: a piece on a line."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.errors import BadInputError, GeometryError
from hexmarshal.geometry.schema_errors import keys_of, worded
from hexmarshal.geometry.terrain.terrain_file_dump import flow, word
from hexmarshal.geometry.values_with_lines import read_yaml, text_of
from hexmarshal.vassal.tabletop.tabletop import FORMAT, DeckEntry, PieceEntry, Tabletop

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hexmarshal.errors import Place

__all__ = ["as_document", "from_document", "read_table_text", "schema", "table_text"]

_MAPPINGS: Final = ("boards", "properties", "turns", "layers")


@cache
def schema() -> dict[str, Any]:
    """The JSON Schema of set-ups of modules."""
    text = Path(__file__).with_name("tabletop.schema.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def as_document(tabletop: Tabletop) -> dict[str, Any]:
    """The set-up as plain data, without what is empty."""
    document: dict[str, Any] = {
        "format": FORMAT,
        "module": tabletop.module,
        "version": tabletop.version,
        "notes": tabletop.notes,
        "boards": {name: list(boards) for name, boards in tabletop.boards.items()},
        "properties": dict(tabletop.properties),
        "turns": dict(tabletop.turns),
        "layers": {str(number): layer for number, layer in tabletop.layers.items()},
        "decks": [
            _filled(
                {
                    "name": deck.name,
                    "map": deck.map,
                    "at": list(deck.at),
                    "face_down": deck.face_down,
                    "saved": deck.saved,
                }
            )
            for deck in tabletop.decks
        ],
        "pieces": [_piece(entry) for entry in tabletop.pieces],
    }
    return {key: value for key, value in document.items() if value not in ("", {}, [])}


def _piece(entry: PieceEntry) -> dict[str, Any]:
    row = _filled(
        {
            "map": entry.map,
            "location": entry.location,
            "side": entry.side,
            "slot": entry.slot,
            "at": list(entry.at) if entry.at is not None else None,
            "deck": entry.deck,
            "state": dict(entry.state),
            "saved": list(entry.saved) if entry.saved is not None else None,
        }
    )
    stack = {} if entry.stack is None else {"stack": entry.stack}
    return {"piece": entry.piece, **row, **stack}


def _filled(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if value not in ("", {}, [], None, False)}


def table_text(tabletop: Tabletop) -> str:
    """The set-up as YAML."""
    return "\n".join(_lines(as_document(tabletop))) + "\n"


def _lines(document: Mapping[str, Any]) -> Iterator[str]:
    for key, value in document.items():
        if isinstance(value, dict):
            yield f"{key}:"
            yield from (f"  {word(str(name))}: {flow(inner)}" for name, inner in value.items())
        elif isinstance(value, list):
            yield f"{key}:"
            yield from (f"  - {flow(row)}" for row in value)
        else:
            yield f"{key}: {value if key == 'format' else flow(value)}"


def read_table_text(data: bytes, file: str | None) -> tuple[Tabletop, tuple[Place, ...]]:
    """The set-up in a YAML file, and where each piece of it is written."""
    from jsonschema import Draft202012Validator

    try:
        source = read_yaml(text_of(data, file), file)
    except GeometryError as error:
        raise BadInputError(error.message, place=error.place, hint=error.hint) from None
    document: Any = source.value
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise BadInputError(
            f"this is not a set-up of the format {FORMAT!r}",
            place=source.place("format"),
            hint=f"it begins with 'format: {FORMAT}'",
        )
    for wrong in Draft202012Validator(schema()).iter_errors(document):
        raise BadInputError(worded(wrong), place=source.place(*keys_of(wrong)))
    pieces = document.get("pieces", ())
    return from_document(document), tuple(source.place("pieces", i) for i in range(len(pieces)))


def from_document(document: Mapping[str, Any]) -> Tabletop:
    """The set-up of plain data that fits the schema."""
    return Tabletop(
        str(document.get("module", "")),
        str(document.get("version", "")),
        tuple(_entry(row) for row in document.get("pieces", ())),
        tuple(
            DeckEntry(
                row["name"],
                row.get("map", ""),
                tuple(row.get("at", (0, 0))),
                row.get("face_down", False),
                row.get("saved", ""),
            )
            for row in document.get("decks", ())
        ),
        {name: tuple(boards) for name, boards in document.get("boards", {}).items()},
        {name: str(text) for name, text in document.get("properties", {}).items()},
        dict(document.get("turns", {})),
        {int(number): layer for number, layer in document.get("layers", {}).items()},
        document.get("notes", ""),
    )


def _entry(row: Mapping[str, Any]) -> PieceEntry:
    at = row.get("at")
    saved = row.get("saved")
    return PieceEntry(
        str(row["piece"]),
        row.get("map", ""),
        str(row.get("location", "")),
        row.get("side", ""),
        str(row.get("slot", "")),
        (at[0], at[1]) if at else None,
        row.get("stack"),
        row.get("deck", ""),
        {name: str(text) for name, text in row.get("state", {}).items()},
        (saved[0], saved[1]) if saved else None,
    )
