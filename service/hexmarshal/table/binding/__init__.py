"""Bindings: how a module shows what the rules know, and what of it they cover."""

from hexmarshal.table.binding.document import ENTRY, FORMAT, Binding, schema
from hexmarshal.table.binding.sections import (
    BoxRule,
    DiceRule,
    MapRule,
    MarkerRule,
    PhaseShown,
    PileRule,
    Spot,
    TrackRule,
    TurnRule,
    UnitRule,
)

__all__ = [
    "ENTRY",
    "FORMAT",
    "Binding",
    "BoxRule",
    "DiceRule",
    "MapRule",
    "MarkerRule",
    "PhaseShown",
    "PileRule",
    "Spot",
    "TrackRule",
    "TurnRule",
    "UnitRule",
    "schema",
]
