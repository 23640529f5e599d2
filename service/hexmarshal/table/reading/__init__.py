"""Positions read from a table: pieces, markers, tracks, decks and the turn tracker."""

from hexmarshal.table.reading.position_reader import (
    POSITION_ENTRY,
    Note,
    OtherGameError,
    Reading,
    TableReader,
    base_position,
)

__all__ = [
    "POSITION_ENTRY",
    "Note",
    "OtherGameError",
    "Reading",
    "TableReader",
    "base_position",
]
