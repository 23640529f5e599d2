"""What goes into a roll: modifiers that exclude each other, and selection by chance."""

from hexmarshal.rules.rolling.modifiers import Tally, tally
from hexmarshal.rules.rolling.selection import Selection, select, selection_odds

__all__ = ["Selection", "Tally", "select", "selection_odds", "tally"]
