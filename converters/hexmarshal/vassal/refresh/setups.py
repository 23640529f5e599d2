"""The saved games inside a module, refreshed to the module's own pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError
from hexmarshal.vassal.refresh.metadata import for_module
from hexmarshal.vassal.refresh.report import RefreshReport
from hexmarshal.vassal.saves.nested_saves import nested_saves, open_nested

if TYPE_CHECKING:
    from collections.abc import Callable

    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.refresh.game import Refresher

__all__ = ["refresh_setups"]


def refresh_setups(
    module: Module, refresher: Refresher, advance: Callable[[int], None] = lambda _: None
) -> list[RefreshReport]:
    """Refresh every set-up in place; `module.save` writes them."""
    reports: list[RefreshReport] = []
    for entry in nested_saves(module):
        try:
            fresh, report = refresher.refresh(open_nested(module, entry), entry, advance)
        except HexMarshalError as why:
            # One bad set-up must not hide the others; it stays as it is.
            reports.append(RefreshReport(entry, problems=[f"cannot be read: {why.message}"]))
            continue
        reports.append(report)
        if report.is_changed:
            module.changes[entry] = for_module(fresh, module).to_bytes()
    return reports
