"""Saved games and logs as files: opened lazily, kept byte for byte unless changed."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import Place, VassalFormatError
from hexmarshal.vassal.commands.game import BeginSave
from hexmarshal.vassal.commands.piece import AddPiece
from hexmarshal.vassal.commands.registry import Broken
from hexmarshal.vassal.commands.table import LogEntry
from hexmarshal.vassal.commands.tree import ESC, CommandNode, parse
from hexmarshal.vassal.container.archive import Archive, build_archive
from hexmarshal.vassal.container.atomic import write_atomically
from hexmarshal.vassal.container.metadata import Metadata
from hexmarshal.vassal.container.obfuscation import Veil, obfuscate, reveal
from hexmarshal.vassal.container.saved_forms import engine_for
from hexmarshal.vassal.pieces.glance import Glance, glance, glance_at_command, glances_of
from hexmarshal.vassal.pieces.piece import Piece
from hexmarshal.vassal.saves.restore import restore_tree
from hexmarshal.vassal.state.game_state import GameState, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hexmarshal.vassal.container.limits import Limits
    from hexmarshal.vassal.container.saved_forms import Form

__all__ = ["MODULE_DATA", "SAVED_GAME", "SAVE_DATA", "SavedGame", "check_begin"]

SAVED_GAME: Final = "savedGame"
SAVE_DATA: Final = "savedata"
MODULE_DATA: Final = "moduledata"
_LOG: Final = "LOG\t"
_ADD: Final = "+/"
_BEGIN: Final = "begin_save"


class SavedGame:
    """A `.vsav` or `.vlog`: one command tree, with metadata beside it.

    A log is a save whose tree goes on with `LOG` commands. Nothing is read until asked for.
    """

    def __init__(
        self,
        archive: Archive | None = None,
        root: CommandNode | None = None,
        veil: Veil | None = None,
        entries: Mapping[str, bytes] | None = None,
    ) -> None:
        self.archive = archive
        self._root = root
        self._veil = veil
        self._entries = dict(entries or {})
        self._repacked = archive is None

    def __repr__(self) -> str:
        of = self.module_metadata
        kind = "log" if self._root is not None and self.is_log else "saved game"
        return f"<SavedGame: a {kind} of {of.name if of else 'an unknown module'}>"

    @classmethod
    def open(cls, path: Path | str, limits: Limits | None = None) -> SavedGame:
        """The saved game in a file; refuses what is none."""
        return cls.from_archive(Archive.open(path, limits))

    @classmethod
    def from_archive(cls, archive: Archive) -> SavedGame:
        """The saved game in an archive, such as a set-up inside a module."""
        if not archive.has(SAVED_GAME):
            raise VassalFormatError(
                f"has no entry {SAVED_GAME}",
                place=archive.place,
                hint="a saved game or log of VASSAL holds one",
            )
        return cls(archive)

    @classmethod
    def from_text(
        cls, text: str, *, key: int | None = None, entries: Mapping[str, bytes] | None = None
    ) -> SavedGame:
        """A saved game from its plain text; `entries` are the metadata to write beside it."""
        return cls(None, check_begin(parse(text), Place()), _veil(text, key), entries)

    @classmethod
    def from_state(
        cls,
        state: GameState,
        *,
        key: int | None = None,
        entries: Mapping[str, bytes] | None = None,
    ) -> SavedGame:
        """A save that brings `state` back."""
        root = restore_tree(state)
        return cls(None, root, _veil(root.encode(), key), entries)

    @property
    def place(self) -> Place:
        """What to call the tree in an error."""
        outer = self.archive.place if self.archive is not None else Place()
        return outer.inside(SAVED_GAME)

    @property
    def root(self) -> CommandNode:
        """The command tree, with `begin_save` at its root."""
        if self._root is None:
            self._load()
        assert self._root is not None
        return self._root

    @property
    def veil(self) -> Veil:
        """How the tree is obfuscated."""
        if self._veil is None:
            self._load()
        assert self._veil is not None
        return self._veil

    @property
    def text(self) -> str:
        """The tree as one plain text."""
        return self.root.encode()

    def _load(self) -> None:
        text, veil = self._revealed()
        try:
            self._root, self._veil = check_begin(parse(text), self.place), veil
        except VassalFormatError as error:
            raise error.at(self.place) from error

    def _revealed(self) -> tuple[str, Veil]:
        assert self.archive is not None
        try:
            return reveal(self.archive.read(SAVED_GAME), self.archive.limits)
        except VassalFormatError as error:
            raise error.at(self.place) from error

    def entry(self, name: str) -> bytes | None:
        """An entry beside the tree, such as `savedata`, if there is one."""
        if name in self._entries or self.archive is None:
            return self._entries.get(name)
        return self.archive.read(name) if self.archive.has(name) else None

    def entry_names(self) -> list[str]:
        """The names of all entries beside the tree."""
        held = self.archive.names() if self.archive is not None else []
        return [n for n in dict.fromkeys((*held, *self._entries)) if n != SAVED_GAME]

    @property
    def save_metadata(self) -> Metadata | None:
        """Who saved the game, when, with which comment; files of before 3.0 have none."""
        return self.metadata(SAVE_DATA)

    @property
    def module_metadata(self) -> Metadata | None:
        """Which module the game was saved with; files of before 3.0 have none."""
        return self.metadata(MODULE_DATA)

    def metadata(self, name: str) -> Metadata | None:
        """The metadata in an entry of this name, if there is one."""
        data = self.entry(name)
        if data is None:
            return None
        outer = self.archive.place if self.archive is not None else Place()
        return Metadata.parse(data, outer.inside(name))

    # Parts

    def save_part(self) -> Iterator[CommandNode]:
        """Every command that loading executes at once, in order."""
        root = self.root
        yield CommandNode(root.text) if root.children else root
        for child in root.children:
            if not child.text.startswith(_LOG):
                yield from child.walk()

    def log_part(self) -> Iterator[CommandNode]:
        """The logged steps, one group each."""
        return (child for child in self.root.children if child.text.startswith(_LOG))

    @property
    def is_log(self) -> bool:
        """Whether anything is logged after the save."""
        return any(True for _ in self.log_part())

    def glances(self) -> Iterator[Glance]:
        """Ids, places and names of all pieces, stacks and decks, with no trait decoded."""
        if self._root is None:
            text, _ = self._revealed()
            found = glances_of(text) if text.startswith(f"{_BEGIN}{ESC}") else None
            if found is not None:
                return iter(found)
        added = (node.text for node in self.root.walk() if node.text.startswith(_ADD))
        return map(glance_at_command, added)

    def pieces(self) -> Iterator[AddPiece]:
        """Every piece, stack and deck of the save part as its command."""
        for node in self.save_part():
            command = node.command
            if isinstance(command, AddPiece):
                yield command

    def state(self) -> GameState:
        """The state of the game after loading."""
        state = GameState()
        state.apply_all(node.command for node in self.save_part())
        return state

    def problems(self) -> Iterator[Problem]:
        """Stock commands that are damaged or of a future version; damaged pieces too."""
        for number, node in enumerate(self.root.walk(), 1):
            command = node.command
            where = f"command {number}"
            while isinstance(command, LogEntry):
                command = command.logged
                where = f"logged command {number}"
            if isinstance(command, Broken):
                place = Place(field=where).within(self.place)
                yield Problem(f"{command.name} {command.problem}", place)
            elif isinstance(command, AddPiece):
                piece = Piece.parse(command.type, command.state)
                seen = glance(command.id or "", command.type, command.state)
                if why := seen.problem or piece.problem:
                    unit = f"{piece.name or '?'} ({command.id})"
                    yield Problem(why, Place(field=where, unit=unit).within(self.place))

    # Writing

    def with_root(self, root: CommandNode) -> SavedGame:
        """The same file with another tree."""
        changed = SavedGame(self.archive, root, self.veil, self._entries)
        changed._repacked = True
        return changed

    def with_entries(self, entries: Mapping[str, bytes]) -> SavedGame:
        """The same file with these entries beside the tree."""
        changed = SavedGame(self.archive, self._root, self._veil, {**self._entries, **entries})
        changed._repacked = self._repacked
        return changed

    def in_form(self, form: Form) -> SavedGame:
        """The same game kept as another engine keeps it, with the metadata true to that."""
        if self.veil.form is form:
            return self
        key = _veil(self.text, None).key or 0
        veil = self.veil.in_form(form, key)
        changed = SavedGame(self.archive, self.root, veil, self._entries)
        changed._repacked = True
        metadata = self.save_metadata
        if metadata is None:
            return changed
        version = engine_for(form, metadata.vassal_version)
        if version == metadata.vassal_version:
            return changed
        metadata.set("VassalVersion", version)
        return changed.with_entries({SAVE_DATA: metadata.to_bytes()})

    def to_bytes(self) -> bytes:
        """What `save` writes."""
        return b"".join(self._chunks())

    def save(self, path: Path | str, *, force: bool = False) -> None:
        """Write the file: unchanged it is the same file, byte for byte."""
        own = self.archive.path if self.archive is not None else None
        write_atomically(Path(path), self._chunks(), force=force, own=own)

    def _chunks(self) -> Iterator[bytes]:
        if self.archive is None:
            return build_archive({SAVED_GAME: self._packed(), **self._entries})
        # What is packed by another program would be packed otherwise by us.
        game = {SAVED_GAME: self._packed()} if self._repacked else {}
        return self.archive.chunks({**game, **self._entries})

    def _packed(self) -> bytes:
        return obfuscate(self.text, self.veil)


def _veil(text: str, key: int | None) -> Veil:
    """A key byte for a new file: any will do, so that of its text, to be the same each time."""
    return Veil(hashlib.sha256(text.encode("utf-8", "replace")).digest()[0] if key is None else key)


def check_begin(root: CommandNode, place: Place) -> CommandNode:
    """The tree, if it is one of a saved game: a wrong key gives a tree that is not."""
    if not isinstance(root.command, BeginSave):
        raise VassalFormatError(
            "does not begin as a saved game does",
            place=place,
            hint="the obfuscation key or the file is damaged",
        )
    return root
