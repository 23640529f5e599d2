"""Positions read from a table: pieces, markers, tracks, decks and the turn tracker."""

from hexmarshal.table.reading.base_position import (
    POSITION_ENTRY,
    OtherGameError,
    base_position,
)
from hexmarshal.table.reading.position_reader import Note, Reading, TableReader

__all__ = [
    "POSITION_ENTRY",
    "Note",
    "OtherGameError",
    "Reading",
    "TableReader",
    "base_position",
]
