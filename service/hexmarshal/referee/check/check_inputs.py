"""One file to be checked: opened, its module and binding found, and what can be told without."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError, NotFoundError, Place, VassalFormatError
from hexmarshal.referee.check.dice_fairness import statistics
from hexmarshal.referee.check.findings import CheckReport, StepNote
from hexmarshal.referee.check.log_check import check_file
from hexmarshal.referee.check.read_tables import report_of
from hexmarshal.referee.check.start_position import module_notes
from hexmarshal.referee.dice.rolls import read_rolls, wordings
from hexmarshal.table.module_readers import reader_for
from hexmarshal.table.reading import Note, OtherGameError
from hexmarshal.vassal.container.limits import TooBigError
from hexmarshal.vassal.saves.log import GameLog
from hexmarshal.vassal.saves.ownership import OtherModuleError
from hexmarshal.vassal.saves.salvage import breaks_off, salvage
from hexmarshal.vassal.saves.savegame import MODULE_DATA, SavedGame

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from hexmarshal.rules.plugins.registry import Registry
    from hexmarshal.table.module_finder import Means
    from hexmarshal.vassal.module import Module

__all__ = ["check_path"]


def check_path(
    file: Path,
    means: Means,
    registry: Registry,
    progress: Callable[[int], None] | None = None,
) -> CheckReport:
    """Everything about one save or log; where there is no binding, what can be told without.

    Of a log that is cut short, the part that is whole is checked; without a whole start there is
    nothing to check.
    """
    damage, hint = "", "copy or download the file again"
    try:
        saved = SavedGame.open(file)
        has_start = _has_end(saved)
    except TooBigError as error:
        raise error.at(Place(file=str(file))) from None
    except VassalFormatError as error:
        found = salvage(file)
        if found is None:
            error.hint = error.hint or "a .vlog or .vsav that VASSAL wrote is wanted"
            raise error.at(Place(file=str(file))) from None
        if breaks_off(found.saved):
            found = salvage(file, to_the_end=False) or found
        saved, has_start = found.saved, found.has_start
        damage, hint = error.message, error.hint or hint
    else:
        found = salvage(file, to_the_end=False) if breaks_off(saved) else None
        if found is not None:
            saved, damage = found.saved, "the last command breaks off"
    if not has_start:
        raise VassalFormatError(
            "cut short: not even the position at the start is whole",
            place=Place(file=str(file)),
            hint=hint,
        )
    saved, lost = _without_broken_metadata(saved)
    report = _check(saved, file, means, registry, progress)
    report = replace(report, notes=(*report.notes, *lost))
    if not damage:
        return report
    note = Note("damaged", f"only what comes before this is whole: {damage}", hint)
    return replace(report, cut=True, notes=(*report.notes, StepNote(report.steps, note)))


def _without_broken_metadata(saved: SavedGame) -> tuple[SavedGame, tuple[StepNote, ...]]:
    """The file without what it says about itself, where that cannot be read: the game can."""
    try:
        _ = saved.module_metadata
    except VassalFormatError as error:
        note = Note("damaged", str(error), "the module is taken for the right one")
        kept = {n: saved.entry(n) or b"" for n in saved.entry_names() if n != MODULE_DATA}
        return SavedGame.from_text(saved.text, entries=kept), (StepNote(0, note),)
    return saved, ()


def _has_end(saved: SavedGame) -> bool:
    """Whether the position at the start was written to its end."""
    return any(node.text == "end_save" for node in saved.root.children)


def _check(
    saved: SavedGame,
    file: Path,
    means: Means,
    registry: Registry,
    progress: Callable[[int], None] | None,
) -> CheckReport:
    try:
        metadata = saved.module_metadata
        reader = reader_for(metadata.name) if metadata is not None and not means.binding else None
        if reader is not None:
            return report_of(reader.check(saved, file, means), saved, file)
        module = means.find_module(file, saved, registry)
        means.demand_own(saved, module, "checks")
        binding = means.find_binding(module)
        notes = []
        plugin = None
        if module is None:
            name = saved.module_metadata.name if saved.module_metadata is not None else ""
            text = f"the module {name!r} is not at hand" if name else "no module is named"
            notes.append(Note("no module", text, "give it with --module"))
        elif binding is None:
            hint = "hexmarshal binding new drafts a binding; --binding uses one"
            notes.append(Note("no binding", f"the module {module.name!r} carries no binding", hint))
            notes.extend(module_notes(saved, module))
        else:
            plugin = registry.get(means.game or binding.game)
        if module is None or binding is None or plugin is None:
            return _unbound(saved, module, file, notes)
        if plugin.game.key != binding.game:
            raise NotFoundError(
                f"the binding is for the game {binding.game!r}, not for {plugin.game.key!r}",
                hint="leave --game out, or give a binding for it",
            )
        try:
            report = check_file(
                saved,
                module,
                binding,
                plugin,
                file=str(file),
                scenario=means.scenario,
                options=means.options,
                progress=progress,
            )
            if _is_foreign(report):
                return _unbound(saved, module, file, [n.note for n in report.notes if not n.step])
            return report
        except OtherGameError as error:
            of = f" of the module {metadata.name!r}" if metadata is not None else ""
            if not means.any_module:
                hint = "give its own module; --any-module tells what can be told without the rules"
                raise OtherModuleError(f"a file{of}: {error.message}", hint=hint) from None
            notes.append(Note("other module", f"a file{of}: {error.message}", error.hint))
            return _unbound(saved, module, file, notes)
    except HexMarshalError as error:
        raise error.at(Place(file=str(file))) from error


def _is_foreign(report: CheckReport) -> bool:
    """Whether the file is of another module, and not one piece of it is known."""
    if report.position is None or report.position.units or report.entries:
        return False
    return any(found.note.code == "other module" for found in report.notes)


def _unbound(saved: SavedGame, module: Module | None, file: Path, notes: list[Note]) -> CheckReport:
    """What a file tells without a binding: its length, its damages and its dice."""
    steps = undone = 0
    damaged = []
    for step in GameLog(saved).steps() if saved.is_log else ():
        steps += 1
        undone += step.is_undo
        damaged += [StepNote(step.number, Note("damaged", text)) for text in step.problems]
    rolls = read_rolls(saved, wordings(module), str(file)) if saved.is_log else []
    numbers = [
        (roll.player, len(roll.die.faces), int(result))
        for roll in rolls
        for result in roll.results
        if roll.die.is_numbered
    ]
    metadata = saved.module_metadata
    return CheckReport(
        str(file),
        "log" if saved.is_log else "save",
        bound=False,
        module=metadata.name if metadata is not None else "",
        steps=steps,
        undone=undone,
        notes=(*(StepNote(0, note) for note in notes), *damaged),
        dice=statistics(numbers),
    )
