"""Objectives and special rules, read from rows of their own tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.scenario.model import Objective, SpecialRule
from hexmarshal.scenario.sheets.cells import ColumnKind, read_cell
from hexmarshal.scenario.sheets.columns import norm

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hexmarshal.scenario.model import Value

__all__ = ["objective_of", "reads_beside", "rule_of"]

# Titles of columns that only a table of special rules has: what it says, which rules it changes.
_TEXT: Final = frozenset({"text", "texte", "wortlaut", "texto", "testo"})
_RULES: Final = frozenset({"rules", "regles", "regeln", "reglas", "regole"})


def reads_beside(title: str) -> bool:
    """Whether a table of special rules reads a column of this title."""
    return norm(title) in _TEXT | _RULES


def objective_of(said: Mapping[str, Value], facts: Mapping[str, Value]) -> Objective | None:
    """The objective of a row; None if it says nowhere."""
    cell, area = said.get("cell", ""), said.get("area", "")
    if not cell and not area:
        return None
    return Objective(str(cell), str(area), dict(facts), str(said.get("objective", "")))


def rule_of(title: str, beside: Sequence[tuple[str, str]]) -> SpecialRule | None:
    """The special rule of a row: its title, and the cells of other columns; None without words."""
    text = ""
    rules: tuple[str, ...] = ()
    for column, cell in beside:
        if norm(column) in _TEXT:
            text = _words(cell)
        elif norm(column) in _RULES:
            listed = read_cell(cell, ColumnKind.LIST)
            rules = tuple(map(str, listed)) if isinstance(listed, list) else ()
    if not text:
        return None
    return SpecialRule(text, title, rules)


def _words(cell: str) -> str:
    value = read_cell(cell, ColumnKind.TEXT)
    return value if isinstance(value, str) else ""
