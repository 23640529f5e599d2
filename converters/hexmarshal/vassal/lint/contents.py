"""Checks of contents: damaged pieces, empty slots, predefined set-ups and what is in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.errors.counts import counted
from hexmarshal.vassal.components import ExtensionElement, PieceSlot
from hexmarshal.vassal.container.metadata import Metadata
from hexmarshal.vassal.lint.checks import Check, Found, Severity
from hexmarshal.vassal.pieces.embedded import walk
from hexmarshal.vassal.pieces.glance import Shape
from hexmarshal.vassal.privacy.secrets import redactor_of
from hexmarshal.vassal.saves.nested_saves import named_saves, nested_saves, open_nested

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.vassal.lint.subject import ModuleSubject

__all__ = ["CHECKS"]


def _damaged(subject: ModuleSubject) -> Iterator[Found]:
    for definition in subject.definitions:
        if definition.problem:
            yield subject.found(definition.component, definition.problem)
        elif definition.piece is not None:
            for depth, inner in walk(definition.piece):
                if depth and inner.problem:
                    message = f"the piece {inner.name!r} inside a marker trait: {inner.problem}"
                    yield subject.found(definition.component, message)


def _empty_slot(subject: ModuleSubject) -> Iterator[Found]:
    for slot in subject.each(PieceSlot):
        if not slot.text.strip():
            yield subject.found(slot, "the slot holds no piece")


def _extension_element(subject: ModuleSubject) -> Iterator[Found]:
    for element in subject.each(ExtensionElement):
        count = sum(1 for _ in element.children())
        if not count:
            yield subject.found(element, "holds no component: the engine fails on it")
        elif count > 1:
            message = (
                f"holds {counted(count, 'component')}, of which the engine builds the first alone"
            )
            yield subject.found(element, message)


def _missing_setup(subject: ModuleSubject) -> Iterator[Found]:
    for component, entry in named_saves(subject.module):
        if not entry:
            # Without the attribute at all a set-up is a plain new game.
            if component.has("file"):
                yield subject.found(component, "the set-up names no file", field="file")
        elif not subject.has_entry(entry):
            yield subject.unresolved(component, f"there is no file {entry!r}", field="file")


def _broken_setup(subject: ModuleSubject) -> Iterator[Found]:
    for entry in nested_saves(subject.module):
        try:
            saved = open_nested(subject.module, entry)
            problems = [*saved.state().problems]
        except HexMarshalError as why:
            yield subject.about_entry(entry, why.message)
            continue
        for problem in problems[:1]:
            more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
            message = redactor_of(saved.root)(problem.message)
            yield subject.about_entry(entry, f"{message}{more}", Severity.WARNING)


def _setup_piece(subject: ModuleSubject) -> Iterator[Found]:
    """Pieces without an id come from old files and say nothing."""
    for entry in nested_saves(subject.module):
        try:
            glances = list(open_nested(subject.module, entry).glances())
        except HexMarshalError:
            continue
        pieces = [g for g in glances if g.shape is Shape.PIECE and g.gpid]
        unknown = [g for g in pieces if g.gpid not in subject.gpids]
        if unknown:
            names = list(dict.fromkeys(g.name or g.gpid for g in unknown))
            shown = ", ".join(map(repr, names[:3])) + (", ..." if len(names) > 3 else "")
            message = (
                f"{len(unknown)} of {counted(len(pieces), 'piece has', 'pieces have')} a gpid"
                f" that the module does not know: {shown}"
            )
            soft = Severity.INFO if subject.incomplete else None
            yield subject.about_entry(entry, message, soft)


def _setup_module(subject: ModuleSubject) -> Iterator[Found]:
    for component, entry in named_saves(subject.module):
        if not entry or not subject.module.has(entry):
            continue
        try:
            data = open_nested(subject.module, entry).entry("moduledata")
            name = Metadata.parse(data).name if data else ""
        except HexMarshalError:
            continue
        if name and name != subject.module.name:
            message = f"{entry!r} was saved with the module {name!r}: players are asked each time"
            yield subject.found(component, message, field="file")


CHECKS: Final[tuple[Check[ModuleSubject], ...]] = (
    Check(
        "damaged-piece",
        Severity.ERROR,
        "The definition of a piece cannot be read",
        "define the piece anew: the engine reports bad data as soon as it is shown",
        _damaged,
    ),
    Check(
        "empty-slot",
        Severity.WARNING,
        "A slot holds no piece",
        "remove the slot, or define its piece",
        _empty_slot,
    ),
    Check(
        "extension-element",
        Severity.ERROR,
        "A part of an extension does not hold exactly one component",
        "remove the empty part, or give each component a part of its own",
        _extension_element,
    ),
    Check(
        "missing-setup",
        Severity.ERROR,
        "A predefined set-up or tutorial names a file that is not in the module",
        "add the file, or remove the component",
        _missing_setup,
        needs_files=True,
    ),
    Check(
        "broken-setup",
        Severity.ERROR,
        "A saved game inside the module cannot be read, or not all of it",
        "save the set-up anew",
        _broken_setup,
        needs_files=True,
    ),
    Check(
        "setup-piece",
        Severity.WARNING,
        "A saved game inside the module has pieces that the module does not define",
        "bring it up to the module with hexmarshal refresh",
        _setup_piece,
        needs_files=True,
    ),
    Check(
        "setup-module",
        Severity.WARNING,
        "A predefined set-up was saved with a module of another name",
        "save the set-up anew with this module",
        _setup_module,
        needs_files=True,
    ),
)
