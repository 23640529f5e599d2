"""The table of Conflict of Heroes."""

from __future__ import annotations

from game_table import again, table

__all__ = ["PLUGIN", "again", "binding", "checked", "module"]

_TABLE = table("conflict_of_heroes")
PLUGIN = _TABLE.plugin
module, binding, checked = _TABLE.module, _TABLE.binding, _TABLE.checked
