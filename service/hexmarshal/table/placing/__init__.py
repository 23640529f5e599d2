"""Positions put onto a table: the right counters, dressed and laid where they belong."""

from hexmarshal.table.placing.position_placer import (
    MapPoint,
    Placer,
    position_entry,
    write_save,
)

__all__ = ["MapPoint", "Placer", "position_entry", "write_save"]
