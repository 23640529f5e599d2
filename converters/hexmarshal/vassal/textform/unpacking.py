"""`unpack`: an archive as a folder of text and images that git can follow."""

from __future__ import annotations

import base64
import os
import secrets as random_names
import shutil
import zlib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError, OutputError, Place, VassalFormatError
from hexmarshal.vassal.container.archive import Archive, FileKind
from hexmarshal.vassal.container.kind import BUILD_FILES, METADATA
from hexmarshal.vassal.container.zipraw import DEFLATED
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.privacy.scrubbing import defined_ids, foreign_code_note
from hexmarshal.vassal.privacy.secrets import foreign_code, scrub_bytes, scrubber_of
from hexmarshal.vassal.saves.savegame import SAVED_GAME, SavedGame
from hexmarshal.vassal.textform.filenames import MANIFEST, SECRETS, SOURCES, FileNames
from hexmarshal.vassal.textform.manifest import Exact, Form, Listed, Manifest, Secrets
from hexmarshal.vassal.textform.saveform import save_form
from hexmarshal.vassal.textform.xmlform import xml_form
from hexmarshal.vassal.textform.ziprecord import ZipRecord, find_level, raw_entry
from hexmarshal.vassal.xml.xmlio import Document

if TYPE_CHECKING:
    from collections.abc import Callable

    from hexmarshal.vassal.container.zipraw import Entry
    from hexmarshal.vassal.privacy.redactor import Redactor
    from hexmarshal.vassal.textform.ziprecord import RawEntry

__all__ = ["Unpacked", "unpack"]

_IGNORE: Final = f"/{SECRETS}"
_ATTRIBUTES: Final = "* -text"
_ZIP_SIGN: Final = b"PK\x03\x04"
_SAVE_FILE: Final = "savedGame.txt"


@dataclass(slots=True)
class Unpacked:
    """What was written, for a report; it names no player's id."""

    kind: str = ""
    files: int = 0
    saves: int = 0
    players: int = 0
    kept: int = 0
    """Entries whose packed bytes are kept, because no zlib level brings them back."""
    notes: list[str] = field(default_factory=list)


def unpack(
    archive: Archive,
    target: Path,
    *,
    force: bool = False,
    advance: Callable[[int], None] = lambda _: None,
) -> Unpacked:
    """Write the text form of an archive to a folder, whole or not at all.

    A folder that holds a text form already is brought up to date with `force`: what its manifest
    names and the archive does not is removed, anything else in it stays.
    """
    try:
        _refuse_used(target, force=force)
    except OSError as why:
        raise _unwritable(target, why) from why
    absolute = Path(os.path.abspath(target))  # noqa: PTH100 - a link stays a link
    draft = absolute.with_name(f".{absolute.name}.{random_names.token_hex(6)}.part")
    try:
        draft.mkdir(parents=True)
        try:
            job = _Job(draft, advance)
            job.archive(archive, "")
            _bring_in(draft, absolute)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    except OSError as why:
        raise _unwritable(target, why) from why
    return job.report


def _refuse_used(target: Path, *, force: bool) -> None:
    if target.is_symlink() or (target.exists() and not target.is_dir()):
        raise OutputError("exists and is not a folder", place=Place(file=str(target)))
    if target.exists() and any(target.iterdir()) and not force:
        raise OutputError(
            "exists already and is not empty",
            place=Place(file=str(target)),
            hint="choose another folder, or bring this one up to date with --force",
        )


def _unwritable(target: Path, why: OSError) -> OutputError:
    reason = f"cannot be written: {why.strerror or why}"
    return OutputError(reason, place=Place(file=str(target)))


@dataclass(frozen=True, slots=True)
class _Found:
    """An entry of the archive, read."""

    archive: Archive
    entry: Entry
    content: bytes
    raw: RawEntry
    record: ZipRecord
    game: tuple[SavedGame, Redactor] | None = None
    """The saved game of the archive, if it is one, and what hides its players' ids."""

    @property
    def place(self) -> Place:
        return Place(entry=self.entry.name).within(self.archive.place)


class _Job:
    """One unpacking: the folder, the secrets gathered so far, the level that last fitted."""

    def __init__(self, root: Path, advance: Callable[[int], None]) -> None:
        self.root = root
        self.advance = advance
        self.report = Unpacked()
        self.secrets = Secrets()
        self.likely = "9"
        self.sources = 0

    def archive(self, archive: Archive, path: str) -> bool:
        """Unpack an archive to a path inside the folder; whether it holds secrets."""
        names = FileNames()
        listed: list[Listed] = []
        game = self._game(archive, path) if archive.kind is FileKind.SAVE else None
        for entry in archive.entries:
            found = replace(self._read(archive, entry), game=game)
            listed.append(self._entry(found, path, names))
            if not path:
                self.advance(1)
        directory = archive.directory
        places = sorted(range(len(listed)), key=lambda i: archive.entries[i].start)
        manifest = Manifest(
            archive.kind.value,
            tuple(listed),
            () if places == sorted(places) else tuple(places),
            directory.comment.hex(),
            archive.source.read(0, directory.prefix).hex() if directory.prefix else "",
        )
        self._write(path + MANIFEST, manifest.to_text().encode())
        if not path:
            self.report.kind = archive.kind.value
            if self.secrets.players or self.secrets.exact:
                self._write(SECRETS, self.secrets.to_text().encode(), private=True)
        return any(entry.exact is None for entry in listed)

    def _game(self, archive: Archive, path: str) -> tuple[SavedGame, Redactor]:
        saved = SavedGame.from_archive(archive)
        redactor = scrubber_of(saved)
        own = tuple(foreign_code(saved.root))
        if own:
            where = path.rstrip("/")
            self.report.notes.append(f"{where}: " * bool(where) + foreign_code_note(own))
        return saved, redactor

    def _read(self, archive: Archive, entry: Entry) -> _Found:
        raw = raw_entry(entry, archive.source)
        content = b"" if entry.is_folder else archive.read(entry.name)
        if entry.is_folder and entry.size:
            here = Place(entry=entry.name).within(archive.place)
            raise VassalFormatError("a folder that holds data", place=here)
        level = "stored"
        if entry.method == DEFLATED:
            level = find_level(content, raw.body, self.likely) or "kept"
            self.likely = level
        return _Found(archive, entry, content, raw, ZipRecord.of(entry, raw, level))

    def _entry(self, found: _Found, path: str, names: FileNames) -> Listed:
        name = found.entry.name
        if found.entry.is_folder:
            listed = Listed(name, name, Form.FOLDER, found.record)
            return self._exact(found, listed, path)
        self.report.files += 1
        is_save = found.game is not None
        if found.game is not None and name == SAVED_GAME:
            return self._save(found, *found.game, path, names)
        listed = Listed(name, names.path(name), Form.BYTES, found.record)
        if not path and name in METADATA:
            Document.parse(found.content, found.place)
        if not is_save and name in BUILD_FILES:
            return self._xml(found, listed, path)
        if not is_save and found.content.startswith(_ZIP_SIGN):
            nested = self._nested(found, listed, path)
            if nested is not None:
                return nested
        if found.game is not None:
            return self._beside(found, found.game[1], listed, path)
        self._write(path + listed.file, found.content)
        return self._exact(found, listed, path)

    def _beside(self, found: _Found, redactor: Redactor, listed: Listed, path: str) -> Listed:
        """An entry beside a saved game: a player may have written an id into the comment."""
        shown = scrub_bytes(found.content, redactor)
        self._write(path + listed.file, shown)
        if shown == found.content:
            return self._exact(found, listed, path)
        return self._exact(found, listed, path, secret=True, text=shown)

    def _save(
        self, found: _Found, saved: SavedGame, redactor: Redactor, path: str, names: FileNames
    ) -> Listed:
        form = save_form(saved, redactor, found.content, found.archive.place)
        file = names.path(_SAVE_FILE)
        self._write(path + file, form.text.encode())
        self.report.saves += 1
        self.report.players += len(form.players)
        if form.players:
            self.secrets.players[path + file] = dict(form.players)
        listed = Listed(
            found.entry.name,
            file,
            Form.SAVE,
            found.record,
            veil=form.veil,
            players=len(form.players),
        )
        secret = bool(form.players) or not form.is_faithful
        return self._exact(
            found,
            listed,
            path,
            secret=secret,
            text=None if form.is_exact else form.text.encode(),
        )

    def _xml(self, found: _Found, listed: Listed, path: str) -> Listed:
        self._note_defined_ids(found)
        form = xml_form(found.content, found.place)
        if form is None:
            self.report.notes.append(f"{listed.name} is kept as it is: it is not plain XML")
            self._write(path + listed.file, found.content)
            return self._exact(found, listed, path)
        self._write(path + listed.file, form.text.encode())
        source = ""
        if form.source is not None:
            source = f"{SOURCES}/{listed.file}.source"
            self._write(path + source, form.source)
        listed = replace(listed, form=Form.XML, style=form.style, source=source)
        return self._exact(found, listed, path)

    def _note_defined_ids(self, found: _Found) -> None:
        """The definitions stay as the module has them, ids of its editors included: say so."""
        ids = len(defined_ids(Module(Document.parse(found.content, found.place))))
        if ids:
            self.report.notes.append(
                f"{found.entry.name} holds user ids of {ids} who edited the module, in concealment"
                " traits: scrub the module before you publish it"
            )

    def _nested(self, found: _Found, listed: Listed, path: str) -> Listed | None:
        """A saved game inside a module; None if this is another zip, such as help pages."""
        try:
            inner = Archive.from_bytes(found.content, found.place)
            if not inner.has(SAVED_GAME):
                return None
        except VassalFormatError as why:
            return self._unreadable(found, listed, path, why) if _is_save(listed.name) else None
        listed = replace(listed, form=Form.ARCHIVE)
        folder = f"{path}{listed.file}/"
        try:
            secret = self.archive(inner, folder)
        except HexMarshalError as why:
            shutil.rmtree(self.root / folder, ignore_errors=True)
            return self._unreadable(found, listed, path, why)
        return self._exact(found, listed, path, secret=secret)

    def _unreadable(self, found: _Found, listed: Listed, path: str, why: HexMarshalError) -> Listed:
        """What cannot be read may hold ids all the same: it goes where they go."""
        self.report.notes.append(
            f"{listed.name} cannot be read and is kept with the secrets: {why.message}"
        )
        listed = replace(listed, form=Form.BYTES)
        return self._exact(found, listed, path, secret=True, text=b"")

    def _exact(
        self,
        found: _Found,
        listed: Listed,
        path: str,
        *,
        secret: bool = False,
        text: bytes | None = None,
    ) -> Listed:
        """The entry with what makes it come back exactly, here or among the secrets.

        `text` is the text form that does not bring the content back by itself.
        """
        raw = found.raw
        again = found.record.raw(listed.name, found.content, raw.body)
        parts = (("head", raw.head), ("tail", raw.tail), ("central", raw.central))
        verbatim = {name: part.hex() for name, part in parts if part != getattr(again, name)}
        body = ""
        if found.record.level == "kept":
            self.report.kept += 1
            body = base64.b64encode(raw.body).decode() if secret else self._keep(raw.body)
        exact = Exact(
            _sum(found.content),
            _sum(raw.body),
            verbatim,
            body,
            "" if text is None else base64.b64encode(found.content).decode(),
            _sum(text) if text else "",
        )
        if not secret:
            return replace(listed, exact=exact)
        self.secrets.exact[path + listed.file] = exact
        return replace(listed, players=max(listed.players, 1))

    def _keep(self, body: bytes) -> str:
        self.sources += 1
        file = f"{SOURCES}/{self.sources}.deflate"
        self._write(file, body)
        return file

    def _write(self, path: str, data: bytes, *, private: bool = False) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        mode = 0o600 if private else 0o666
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as out:
            out.write(data)


def _bring_in(draft: Path, target: Path) -> None:
    """Move a finished draft to its place, over an older text form if there is one."""
    _name_in(draft, target, ".gitignore", _IGNORE)
    _name_in(draft, target, ".gitattributes", _ATTRIBUTES)
    if not target.exists():
        draft.rename(target)
        return
    for old in _former_files(target):
        (target / old).unlink(missing_ok=True)
    shutil.rmtree(target / SOURCES, ignore_errors=True)
    for file in sorted(draft.rglob("*")):
        into = target / file.relative_to(draft)
        if file.is_dir():
            into.mkdir(exist_ok=True)
        else:
            file.replace(into)


def _name_in(draft: Path, target: Path, name: str, line: str) -> None:
    """Put a line into a file of git's, keeping what an older one says."""
    old = target / name
    lines = old.read_text("utf-8").splitlines() if old.is_file() else []
    if line not in lines:
        lines.append(line)
    (draft / name).write_text("".join(f"{each}\n" for each in lines), "utf-8", newline="\n")


def _former_files(folder: Path, path: str = "") -> list[str]:
    """The files that an older text form's manifest names."""
    try:
        manifest = Manifest.read(folder / path if path else folder)
    except HexMarshalError:
        return []
    files = [path + MANIFEST] if path else []
    for entry in manifest.entries:
        if entry.form is Form.ARCHIVE:
            files += _former_files(folder, f"{path}{entry.file}/")
        elif entry.form is not Form.FOLDER:
            files.append(path + entry.file)
    return files


def _is_save(name: str) -> bool:
    return name.lower().endswith((".vsav", ".vlog"))


def _sum(data: bytes) -> str:
    return f"{zlib.crc32(data):08x}"
