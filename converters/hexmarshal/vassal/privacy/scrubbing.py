"""Scrubs a file of players' passwords: a save, a log, or a module with set-ups inside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lxml import etree

from hexmarshal.errors import VassalFormatError
from hexmarshal.errors.counts import counted
from hexmarshal.vassal.container.archive import Archive, FileKind
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.pieces.piece import Piece, format_add, parse_add
from hexmarshal.vassal.privacy.owners import foreign_traits, may_own, owner_ids, rename_in_piece
from hexmarshal.vassal.privacy.redactor import Redactor, names_in
from hexmarshal.vassal.privacy.secrets import (
    common_words,
    find_user_ids,
    foreign_code,
    scrub,
    scrubber_of,
)
from hexmarshal.vassal.saves.nested_saves import nested_saves
from hexmarshal.vassal.saves.savegame import SAVED_GAME, SavedGame

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from hexmarshal.vassal.components import Component
    from hexmarshal.vassal.container.saved_forms import Form

__all__ = [
    "Scrubbed",
    "defined_ids",
    "foreign_code_note",
    "redactor_of_modules",
    "rename_in_definitions",
    "scrub_file",
]

_PIECE: Final = "+/"
_SHOWN: Final = 5


@dataclass(frozen=True, slots=True)
class Scrubbed:
    """What was taken out of a file, and what a person should know before sharing it."""

    replaced: int
    foreign_traits: tuple[str, ...] = ()
    """Prefixes of traits of the module's own code, whose fields nobody here knows."""
    unsought: int = 0
    """Ids that are too short or too much like a number to be sought everywhere."""
    common_words: int = 0
    """Kinds of pieces that had a word in common with an id, which is replaced there too."""

    @property
    def warnings(self) -> list[str]:
        """The same in words; no id among them."""
        found: list[str] = []
        if self.foreign_traits:
            found.append(foreign_code_note(self.foreign_traits))
        if self.unsought:
            ids = counted(self.unsought, "id is", "ids are")
            found.append(
                f"{ids} so short or so much like a number that only the places were changed where"
                " VASSAL keeps ids"
            )
        if self.common_words:
            kinds = counted(self.common_words, "kind")
            found.append(
                f"an id is also a word in the definition of {kinds} of pieces, and was replaced"
                " there too: names or pictures may be missing in the copy"
            )
        return found


def foreign_code_note(prefixes: tuple[str, ...]) -> str:
    """That a module's own code may hide ids where nobody can know."""
    shown = ", ".join(prefixes[:_SHOWN]) + (", ..." if len(prefixes) > _SHOWN else "")
    return (
        f"traits of the module's own code ({shown}): an id that stands nowhere but in them cannot"
        " be told from other text"
    )


def scrub_file(
    path: Path | str, target: Path | str, *, form: Form | None = None, force: bool = False
) -> Scrubbed:
    """Write a copy without user ids, and say how many different ones there were.

    Saved games keep their form unless one is given.
    """
    archive = Archive.open(path)
    if archive.kind is not FileKind.SAVE:
        return _scrub_module(archive, target, form, force=force)
    saved = SavedGame.from_archive(archive)
    redactor = scrubber_of(saved)
    _check_frame(archive, redactor)
    clean = scrub(saved, redactor)
    (clean if form is None else clean.in_form(form)).save(target, force=force)
    own = tuple(foreign_code(saved.root))
    words = common_words(saved.root, redactor)
    return Scrubbed(len(redactor.ids), own, redactor.unsought, words)


def defined_ids(module: Module) -> list[str]:
    """User ids in the definitions of pieces: of those who edited the module."""
    pieces = (piece for _, piece in _defined(module))
    owners = (owner_ids(piece.type.text, piece.state_text) for piece in pieces)
    return [*dict.fromkeys(user for users in owners for user in users)]


def redactor_of_modules(*modules: Module) -> Redactor:
    """A redactor for the user ids in the definitions of modules."""
    return Redactor(user for module in modules for user in _seekable_ids(module))


def _seekable_ids(module: Module) -> Iterator[str]:
    # Elements, not components: most of them hold nothing, and that is soon seen.
    for element in module.document.root.iter(etree.Element):
        text = element.text
        if text and text.startswith(_PIECE) and may_own(text):
            try:
                piece = parse_add(text)
            except VassalFormatError:
                continue
            yield from owner_ids(piece.type.text, piece.state_text)


def rename_in_definitions(
    module: Module, rename: Callable[[str], str], redact: Callable[[str], str]
) -> None:
    """Rename ids in the definitions where they are known to stand, and redact the rest."""
    for component, piece in _defined(module):
        before = piece.type.text, piece.state_text
        after = rename_in_piece(*before, rename, redact)
        if after != before:
            component.text = format_add(Piece.parse(*after, piece.id))


def _scrub_module(
    archive: Archive, target: Path | str, form: Form | None, *, force: bool
) -> Scrubbed:
    module = Module.from_archive(archive)
    games = dict(_games(module, archive))
    ids = dict.fromkeys(defined_ids(module))
    taken: set[str] = set()
    own: set[str] = set()
    for saved in games.values():
        ids |= dict.fromkeys(find_user_ids(saved.root))
        taken |= names_in(saved.text)
        own |= set(foreign_code(saved.root))
    redactor = Redactor(ids, taken)
    _check_frame(archive, redactor)
    words = 0
    for name, saved in games.items():
        clean = scrub(saved, redactor)
        clean = clean if form is None else clean.in_form(form)
        words += common_words(saved.root, redactor)
        if clean is not saved:
            _check_frame(archive.nested(name), redactor)
            module.changes[name] = clean.to_bytes()
    own |= {prefix for _, piece in _defined(module) for prefix in foreign_traits(piece.type.text)}
    rename_in_definitions(module, redactor.rename, redactor.in_data)
    module.save(target, force=force)
    return Scrubbed(len(redactor.ids), tuple(sorted(own)), redactor.unsought, words)


def _games(module: Module, archive: Archive) -> Iterator[tuple[str, SavedGame]]:
    for name in nested_saves(module):
        try:
            inner = archive.nested(name)
            if inner.has(SAVED_GAME):  # no saved game otherwise, whatever its name says
                saved = SavedGame.from_archive(inner)
                _ = saved.root
                yield name, saved
        except VassalFormatError as why:
            raise _unsafe(why) from why


def _defined(module: Module) -> Iterator[tuple[Component, Piece]]:
    for component in module.walk():
        if component.text.startswith(_PIECE):
            try:
                yield component, parse_add(component.text)
            except VassalFormatError:
                continue


def _check_frame(archive: Archive, redactor: Redactor) -> None:
    """Refuse what is kept as it is and holds an id all the same: names and comments in the zip."""
    texts = [archive.directory.comment.decode("latin-1")]
    if (
        archive.kind is FileKind.SAVE
    ):  # in a module they are names of pictures, which its maker chose
        texts += archive.names()
    if any(redactor(text) != text for text in texts):
        raise VassalFormatError(
            "a user id is part of the archive's comment or of an entry's name",
            place=archive.place,
            hint="rename the entry or remove the comment with a zip tool, then scrub again",
        )


def _unsafe(why: VassalFormatError) -> VassalFormatError:
    """Nobody shall share a file in the belief that it is clean when a part of it was not read."""
    return VassalFormatError(
        f"cannot be searched for user ids: {why.message}",
        place=why.place,
        hint="remove this entry from the module, or save the set-up anew",
    )
