"""Tells in words what differs between two modules, extensions, saves or logs."""

from hexmarshal.vassal.diff.changes import Change, Detail, Difference
from hexmarshal.vassal.diff.modules import diff_modules
from hexmarshal.vassal.diff.saves import diff_saves

__all__ = ["Change", "Detail", "Difference", "diff_modules", "diff_saves"]
