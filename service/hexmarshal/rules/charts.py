"""Charts of a game as data: the tables that players look things up in."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Chart", "ChartTable"]


@dataclass(frozen=True, slots=True)
class ChartTable:
    """Rows of words under headings; a note stands below."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """One chart: tables below each other under a title."""

    key: str
    title: str
    tables: tuple[ChartTable, ...]
