"""One file of many: its report as data, and as a page if that is wished; an error is one too."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from hexmarshal.errors import HexMarshalError

if TYPE_CHECKING:
    from pathlib import Path

    from hexmarshal.table.module_finder import Means

__all__ = ["Checked", "FileCheck"]


@dataclass(frozen=True, slots=True)
class Checked:
    """What came of a file; `died` if nothing did, as it killed whoever checked it."""

    result: dict[str, Any]
    page: str = field(default="", repr=False)
    died: bool = False


@dataclass(frozen=True, slots=True)
class FileCheck:
    """The work on each file; can be sent to another process, where plugins are loaded once."""

    means: Means
    plugins: tuple[str, ...] = ()
    pages: bool = False

    def __call__(self, path: Path) -> Checked:
        """Check a file; no exception leaves it."""
        from hexmarshal.referee.check.check_inputs import check_path
        from hexmarshal.referee.report.html_report import report_page
        from hexmarshal.rules.plugins.registry import default

        try:
            registry = default()
            for spec in self.plugins:
                registry.load(spec)
            report = check_path(path, self.means, registry)
            page = report_page(report, self.means, registry) if self.pages else ""
            return Checked(report.to_json(), page)
        except HexMarshalError as error:
            # The name of the file stands beside it.
            within = HexMarshalError(error.message, place=replace(error.place, file=None))
            return Checked({"error": str(within), "hint": error.hint})
        except Exception as error:  # noqa: BLE001 - one bad file must not stop the others
            return Checked({"error": f"a fault of ours: {type(error).__name__}: {error}"})
