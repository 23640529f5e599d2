"""What a game's own reader tells of a file, as a report of the referee."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.referee.check.dice_fairness import statistics
from hexmarshal.referee.check.findings import Certainty, CheckReport, Entry, Status, StepNote

if TYPE_CHECKING:
    from pathlib import Path

    from hexmarshal.table.module_readers import TableDeed, TableReport
    from hexmarshal.vassal.saves.savegame import SavedGame

__all__ = ["report_of"]


def report_of(found: TableReport, saved: SavedGame, file: Path) -> CheckReport:
    """The report."""
    metadata = saved.module_metadata
    return CheckReport(
        str(file),
        "log" if saved.is_log else "save",
        bound=True,
        game=found.game,
        title=found.title,
        module=metadata.name if metadata is not None else "",
        scenario=found.scenario,
        steps=found.steps,
        undone=found.undone,
        entries=tuple(_entry(deed) for deed in found.deeds),
        notes=tuple(StepNote(step, note) for step, note in found.notes),
        dice=statistics(list(found.rolls)),
        position=found.position,
    )


def _entry(deed: TableDeed) -> Entry:
    if deed.judged is None:
        status, certainty = Status.UNKNOWN, Certainty.CANNOT_TELL
    else:
        status = Status.LEGAL if deed.judged else Status.VIOLATION
        certainty = Certainty.CERTAIN if deed.certain else Certainty.LIKELY
    return Entry(
        deed.first,
        deed.last,
        deed.turn,
        deed.phase,
        deed.side,
        deed.player,
        deed.what,
        deed.kind,
        status,
        certainty,
        deed.violations,
        right=deed.right,
        result=deed.result,
        dice=deed.dice,
        units=deed.units,
        path=deed.path,
    )
