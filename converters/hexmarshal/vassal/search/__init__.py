"""Where-used: every place that names a prototype, image, key, property, gpid, map or deck."""

from hexmarshal.vassal.search.find import find_in_module, find_in_save
from hexmarshal.vassal.search.loose_ends import LooseEnd, undefined, unused
from hexmarshal.vassal.search.places import Hit, Hits, Spot
from hexmarshal.vassal.search.sought import WORDS, Sought
from hexmarshal.vassal.search.uses import KINDS, Use

__all__ = [
    "KINDS",
    "WORDS",
    "Hit",
    "Hits",
    "LooseEnd",
    "Sought",
    "Spot",
    "Use",
    "find_in_module",
    "find_in_save",
    "undefined",
    "unused",
]
