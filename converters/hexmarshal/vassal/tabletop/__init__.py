"""Set-ups of any module without rules: pieces by name and location, as YAML and as a sheet."""

from hexmarshal.vassal.tabletop.laying import LaidTable, lay_table
from hexmarshal.vassal.tabletop.reading import read_table
from hexmarshal.vassal.tabletop.tabletop import FORMAT, DeckEntry, PieceEntry, Tabletop

__all__ = [
    "FORMAT",
    "DeckEntry",
    "LaidTable",
    "PieceEntry",
    "Tabletop",
    "lay_table",
    "read_table",
]
