"""Positions put onto a table: the right counters, dressed and laid where they belong."""

from hexmarshal.table.placing.places import MapPoint
from hexmarshal.table.placing.position_placer import Placer, position_entry, write_save
from hexmarshal.table.placing.unshown import unshown

__all__ = ["MapPoint", "Placer", "position_entry", "unshown", "write_save"]
