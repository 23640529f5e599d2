"""Saves, logs and set-ups brought up to a newer module, with nothing dropped in silence."""

from hexmarshal.vassal.refresh.definitions import Definition, Definitions
from hexmarshal.vassal.refresh.game import Refresher
from hexmarshal.vassal.refresh.metadata import for_module
from hexmarshal.vassal.refresh.report import Match, PieceReport, RefreshReport
from hexmarshal.vassal.refresh.setups import refresh_setups
from hexmarshal.vassal.refresh.summary import kept_by_reason, kinds_of_change, lost_by_trait

__all__ = [
    "Definition",
    "Definitions",
    "Match",
    "PieceReport",
    "RefreshReport",
    "Refresher",
    "for_module",
    "kept_by_reason",
    "kinds_of_change",
    "lost_by_trait",
    "refresh_setups",
]
