"""What is to be checked, and with what: the file, its module, a binding, the rules."""

from __future__ import annotations

import importlib
import importlib.util
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError, NotFoundError, Place, VassalFormatError
from hexmarshal.referee.check.dice_fairness import statistics
from hexmarshal.referee.check.findings import CheckReport, StepNote
from hexmarshal.referee.check.log_check import check_file, dice_patterns
from hexmarshal.referee.check.start_position import module_notes
from hexmarshal.table.binding import Binding
from hexmarshal.table.reading import Note, OtherGameError
from hexmarshal.vassal.archive import Archive
from hexmarshal.vassal.components import DiceButton
from hexmarshal.vassal.log import GameLog
from hexmarshal.vassal.metadata import Metadata
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.salvage import salvage
from hexmarshal.vassal.savegame import SavedGame

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.registry import Registry

__all__ = ["Means", "check_path", "own_module"]


@dataclass(frozen=True, slots=True)
class Means:
    """What a user gave to check files with; what is missing is looked for."""

    module: Path | None = None
    binding: Path | None = None
    game: str = ""
    scenario: str = ""
    options: Mapping[str, object] | None = None

    def find_module(self, file: Path, saved: SavedGame, registry: Registry) -> Module | None:
        """The module given, else one beside the file with the right name, else the game's own."""
        if self.module is not None:
            return _opened(self.module)
        wanted = saved.module_metadata
        if wanted is not None and wanted.name:
            for path in sorted(file.parent.glob("*.vmod")):
                if _module_name(path) == wanted.name:
                    return _opened(path)
        return own_module(registry.get(self.game)) if self.game else None

    def find_binding(self, module: Module | None) -> Binding | None:
        """The binding given, else the one that the module carries."""
        if self.binding is not None:
            return Binding.open(self.binding)
        return _inside(module) if module is not None else None


def _opened(path: Path) -> Module:
    """The module in a file; one that was just used for another save or log is not read again."""
    try:
        stat = path.stat()
    except OSError:
        return Module.open(path)
    return _opened_before(path, stat.st_size, stat.st_mtime_ns)


@lru_cache(maxsize=2)
def _opened_before(path: Path, _size: int, _time: int) -> Module:
    return Module.open(path)


@lru_cache(maxsize=2)
def _inside(module: Module) -> Binding | None:
    return Binding.inside(module)


@lru_cache(maxsize=2)
def own_module(plugin: GamePlugin) -> Module | None:
    """The module that a game builds of itself: `build_module` of its package `vassal`."""
    package = type(plugin).__module__.rpartition(".")[0]
    if not package or importlib.util.find_spec(f"{package}.vassal") is None:
        return None
    build = getattr(importlib.import_module(f"{package}.vassal"), "build_module", None)
    return None if build is None else Module.from_archive(build().archive())


def _module_name(path: Path) -> str:
    try:
        archive = Archive.open(path)
        if not archive.has("moduledata"):
            return ""
        return Metadata.parse(archive.read("moduledata"), archive.place).name
    except HexMarshalError:
        return ""


def check_path(
    file: Path,
    means: Means,
    registry: Registry,
    progress: Callable[[int], None] | None = None,
) -> CheckReport:
    """Everything about one save or log; where there is no binding, what can be told without.

    Of a file that is cut short, the part that is whole is checked.
    """
    damage, hint = "", "copy or download the file again"
    try:
        saved = SavedGame.open(file)
        has_start = _has_end(saved)
    except VassalFormatError as error:
        found = salvage(file)
        if found is None:
            error.hint = error.hint or "a .vlog or .vsav that VASSAL wrote is wanted"
            raise error.at(Place(file=str(file))) from None
        saved, has_start = found.saved, found.has_start
        damage, hint = error.message, error.hint or hint
    report = _check(saved, file, means, registry, progress, whole=has_start)
    if not has_start:
        damage = "not even the position at the start is whole"
    if not damage:
        return report
    note = Note("damaged", f"only what comes before this is whole: {damage}", hint)
    return replace(report, notes=(*report.notes, StepNote(report.steps, note)))


def _has_end(saved: SavedGame) -> bool:
    """Whether the position at the start was written to its end."""
    return any(node.text == "end_save" for node in saved.root.children)


def _check(
    saved: SavedGame,
    file: Path,
    means: Means,
    registry: Registry,
    progress: Callable[[int], None] | None,
    *,
    whole: bool,
) -> CheckReport:
    try:
        module = means.find_module(file, saved, registry)
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
                whole=whole,
            )
            if _is_foreign(report):
                return _unbound(saved, module, file, [n.note for n in report.notes if not n.step])
            return report
        except OtherGameError as error:
            metadata = saved.module_metadata
            of = f" of the module {metadata.name!r}" if metadata is not None else ""
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
    sides = {b.name: b.sides or 0 for b in module.each(DiceButton)} if module is not None else {}
    steps = undone = 0
    damaged = []
    rolls = []
    log = GameLog(saved, patterns=dice_patterns(None, module))
    for step in log.steps() if saved.is_log else ():
        steps += 1
        undone += step.is_undo
        damaged += [StepNote(step.number, Note("damaged", text)) for text in step.problems]
        for roll in step.dice:
            known = sides.get(roll.name, 0)
            if known > 1:
                rolls += [(roll.player or step.player or "", known, value) for value in roll.dice]
    metadata = saved.module_metadata
    return CheckReport(
        str(file),
        "log" if saved.is_log else "save",
        bound=False,
        module=metadata.name if metadata is not None else "",
        steps=steps,
        undone=undone,
        notes=(*(StepNote(0, note) for note in notes), *damaged),
        dice=statistics(rolls),
    )
