"""Checks of formats: metadata, old forms, code of a module's own, and what the engine validates."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from hexmarshal.errors.counts import counted
from hexmarshal.vassal.components import (
    BasicModule,
    Board,
    BoardPicker,
    Documentation,
    ForwardToKeyBuffer,
    GameModule,
    GlobalOptions,
    Grid,
    KeyBufferer,
    Map,
    MenuDisplayer,
    ModuleExtension,
    PieceMover,
    StackMetrics,
    Zone,
)
from hexmarshal.vassal.container.metadata import Metadata
from hexmarshal.vassal.lint.checks import Check, Found, Severity
from hexmarshal.vassal.lint.files import elsewhere
from hexmarshal.vassal.lint.subject import ModuleSubject, gathered
from hexmarshal.vassal.traits import LegacyLayer, NonRectangularOld, RawTrait

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.vassal.components import Component

__all__ = ["CHECKS"]

# Components that the engine itself calls unique under their parent.
_UNIQUE: Final = frozenset(
    {
        "BoardPicker", "Chatter", "ChessClockControl", "ColorManager", "Documentation",
        "FontManager", "ForwardToChatter", "ForwardToKeyBuffer", "GamePieceImageDefinitions",
        "GamePieceLayoutsContainer", "GlobalOptions", "GlobalProperties",
        "GlobalTranslatableMessages", "HighlightLastMoved", "ImageSaver", "KeyBufferer",
        "KeyNamer", "Language", "LayeredPieceCollection", "MapCenterer", "MenuDisplayer",
        "PieceMover", "PlayerRoster", "PrototypesContainer", "Scroller", "SelectionHighlighters",
        "StackExpander", "StackMetrics", "ZonedGridHighlighter", "Zoomer",
    }
)  # fmt: skip
# A map without these shows pieces that nobody can select, move or command.
_IN_MAPS: Final = (
    BoardPicker,
    StackMetrics,
    ForwardToKeyBuffer,
    MenuDisplayer,
    PieceMover,
    KeyBufferer,
)
_FIRST_XML: Final = "3.5.0"
_KNOWN_ENGINE: Final = (3, 7)


def _metadata_entry(subject: ModuleSubject) -> str:
    return "extensiondata" if subject.module.is_extension else "moduledata"


def _no_metadata(subject: ModuleSubject) -> Iterator[Found]:
    module = subject.module
    if module.metadata is not None:
        return
    entry = _metadata_entry(subject)
    if module.buildfile_name == "buildFile.xml":
        message = f"has buildFile.xml but no {entry}: the engine then looks for buildFile only"
        yield subject.about_entry(entry, message)
    else:
        yield subject.about_entry(entry, f"has no {entry}", Severity.INFO)


def _add_metadata(subject: ModuleSubject) -> Iterator[str]:
    module, root = subject.module, subject.module.root
    if module.metadata is not None or module.buildfile_name != "buildFile.xml":
        return
    written_by = root.get("VassalVersion") or root.get("vassalVersion")
    elements = {
        "version": module.version,
        "VassalVersion": written_by if _is_modern(written_by) else _FIRST_XML,
        "dateSaved": "0",
        "description": root.get("description"),
    }
    if isinstance(root, ModuleExtension):
        elements["universal"] = "true" if root.any_module else "false"
    else:
        elements["name"] = module.name
    module.metadata = Metadata.create(elements)
    yield f"added {_metadata_entry(subject)}"


def _is_modern(version: str) -> bool:
    return not Metadata.create({"VassalVersion": version}).uses_old_build_file


def _wrong_build_file(subject: ModuleSubject) -> Iterator[Found]:
    module = subject.module
    if module.metadata is None:
        return
    wanted = "buildFile" if module.metadata.uses_old_build_file else "buildFile.xml"
    if wanted != module.buildfile_name:
        yield subject.about_entry(
            module.buildfile_name,
            f"the metadata say VASSAL {module.metadata.vassal_version or '(none)'}, "
            f"so the engine looks for {wanted} and does not open this",
        )


def _metadata_differ(subject: ModuleSubject) -> Iterator[Found]:
    for entry, name, there, here in _differences(subject):
        yield subject.about_entry(entry, f"the {name} is {there!r}, in the build file {here!r}")


def _differences(subject: ModuleSubject) -> Iterator[tuple[str, str, str, str]]:
    module = subject.module
    if module.metadata is None:
        return
    entry = _metadata_entry(subject)
    if module.metadata.version != module.version:
        yield entry, "version", module.metadata.version, module.version
    if not module.is_extension and module.metadata.name not in {module.name, ""}:
        yield entry, "name", module.metadata.name, module.name


def _align_metadata(subject: ModuleSubject) -> Iterator[str]:
    for entry, name, _, here in list(_differences(subject)):
        assert subject.module.metadata is not None
        subject.module.metadata.set(name, here)
        yield f"set the {name} of {entry} to {here!r}"


def _old_format(subject: ModuleSubject) -> Iterator[Found]:
    module, root = subject.module, subject.module.root
    if subject.has_files and module.buildfile_name == "buildFile":
        yield subject.about_entry("buildFile", "the build file has its name from before 3.5")
    if isinstance(root, BasicModule):
        yield subject.found(root, "the root is BasicModule, as before 3.5")
    written_by = root.get("VassalVersion") or root.get("vassalVersion")
    if written_by and not _is_modern(written_by) and not isinstance(root, BasicModule):
        yield subject.found(root, f"was last saved with VASSAL {written_by}")
    old = [u for u in subject.traits if isinstance(u.trait, LegacyLayer | NonRectangularOld)]
    for prefix, users in gathered((u.trait.prefix, u.component) for u in old).items():
        have = counted(len(users), "definition has", "definitions have")
        message = f"{have} traits of the old form {prefix!r}"
        yield subject.found(users[0], message)


def _own_class(subject: ModuleSubject) -> Iterator[Found]:
    for name, users in gathered(_own(subject)).items():
        yield subject.found(users[0], f"{name}: {len(users)} of a class of the module's own")


def _own(subject: ModuleSubject) -> Iterator[tuple[str, Component]]:
    return ((c.class_name, c) for c in subject.components if not c.class_name.startswith("VASSAL."))


def _missing_class(subject: ModuleSubject) -> Iterator[Found]:
    for name, users in gathered(_own(subject)).items():
        if not subject.has_entry(f"{name.replace('.', '/')}.class"):
            yield subject.unresolved(users[0], f"there is no code for the class {name}")


def _unknown_class(subject: ModuleSubject) -> Iterator[Found]:
    named = ((c.class_name, c) for c in subject.components if not c.stock)
    for name, users in gathered(named).items():
        if name.startswith("VASSAL."):
            yield subject.found(users[0], f"the engine has no class {name}{elsewhere(users)}")


def _newer_engine(subject: ModuleSubject) -> Iterator[Found]:
    root = subject.module.root
    written_by = root.get("VassalVersion") or root.get("vassalVersion")
    numbers = re.match(r"(\d+)\.(\d+)", written_by)
    if numbers and (int(numbers[1]), int(numbers[2])) > _KNOWN_ENGINE:
        yield subject.found(root, f"was saved with VASSAL {written_by}: older engines refuse it")


def _unknown_trait(subject: ModuleSubject) -> Iterator[Found]:
    soft = Severity.INFO if subject.own_classes else None
    raw = [u for u in subject.traits if isinstance(u.trait, RawTrait)]
    uses = ((u.trait.own_prefix, u.component) for u in raw if isinstance(u.trait, RawTrait))
    for prefix, users in gathered(uses).items():
        message = (
            f"{counted(len(users), 'definition has', 'definitions have')} the trait {prefix!r},"
            " which is no stock trait"
        )
        if soft is None and subject.incomplete:
            yield subject.unresolved(users[0], message)
        else:
            yield subject.found(users[0], message, severity=soft)


def _missing_part(subject: ModuleSubject) -> Iterator[Found]:
    root = subject.module.root
    if isinstance(root, GameModule):
        for part in (Documentation, GlobalOptions):
            if root.child(part) is None:
                yield subject.found(root, f"the module has no {part.__name__}")
    for each in subject.each(Map):
        # Parts of a module's own may stand in for any of them.
        if each.stock and all(child.stock for child in each.children()):
            lost = [w.__name__ for w in _IN_MAPS if each.child(w) is None]
            if lost:
                yield subject.found(each, f"the map has no {', '.join(lost)}")


def _second_part(subject: ModuleSubject) -> Iterator[Found]:
    for component in subject.components:
        children = list(component.children())
        counts = Counter(child.class_name for child in children)
        for child in children:
            if counts[child.class_name] > 1 and child.short_name in _UNIQUE and child.stock:
                message = f"has {counts.pop(child.class_name)} {child.short_name}, and needs one"
                yield subject.found(component, message)
        if isinstance(component, Board | Zone):
            grids = sum(isinstance(child, Grid) for child in children)
            if grids > 1:
                yield subject.found(component, f"has {grids} grids, of which one counts")


CHECKS: Final[tuple[Check[ModuleSubject], ...]] = (
    Check(
        "no-metadata",
        Severity.ERROR,
        "There is no moduledata or extensiondata beside the build file",
        "add it: without it the engine takes the file for one from before 3.5",
        _no_metadata,
        mend=_add_metadata,
        needs_files=True,
    ),
    Check(
        "wrong-build-file",
        Severity.ERROR,
        "The build file has a name that the engine does not look for by the metadata",
        "buildFile.xml needs a VassalVersion of 3.5 or later in the metadata, buildFile an older",
        _wrong_build_file,
        needs_files=True,
    ),
    Check(
        "metadata-differ",
        Severity.WARNING,
        "Name or version in the metadata are not those of the build file",
        "saves are checked against the metadata: make both the same",
        _metadata_differ,
        mend=_align_metadata,
        needs_files=True,
    ),
    Check(
        "old-format",
        Severity.INFO,
        "A form from before 3.5, which the engine still reads",
        "saving in the editor of a current VASSAL brings it up to date",
        _old_format,
    ),
    Check(
        "own-class",
        Severity.INFO,
        "A component of the module's own Java code",
        "nothing to do: what it does cannot be checked",
        _own_class,
    ),
    Check(
        "missing-class",
        Severity.ERROR,
        "A component of a class that is not in the archive",
        "add the .class file: the engine cannot load the component without it",
        _missing_class,
        needs_files=True,
    ),
    Check(
        "unknown-class",
        Severity.WARNING,
        "A component has the name of an engine class that no known engine has",
        "correct the name: the engine leaves the component out with an error",
        _unknown_class,
    ),
    Check(
        "newer-engine",
        Severity.INFO,
        "The module was saved with a newer VASSAL than is known here",
        "nothing to do if all players have that version",
        _newer_engine,
    ),
    Check(
        "unknown-trait",
        Severity.WARNING,
        "A trait that is neither VASSAL's nor of code in the module",
        "the engine puts an empty marker in its place: remove the trait, or add its code",
        _unknown_trait,
    ),
    Check(
        "missing-part",
        Severity.WARNING,
        "A component is missing that the engine wants to see",
        "the engine notes it in its error log; without the map's controllers nothing can be moved",
        _missing_part,
    ),
    Check(
        "second-part",
        Severity.WARNING,
        "A component of which there may be only one is there more than once",
        "remove all but one",
        _second_part,
    ),
)
