"""`pack`: a text form back to the archive it came from, with what was changed in it."""

from __future__ import annotations

import os
import zlib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import NotFoundError, OutputError, Place, UsageError, VassalFormatError
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.container.atomic import refuse_existing, write_atomically
from hexmarshal.vassal.container.obfuscation import PLAIN
from hexmarshal.vassal.container.source import read_file
from hexmarshal.vassal.container.zipraw import END, check_name
from hexmarshal.vassal.textform.filenames import MANIFEST, SECRETS, SOURCES, folded
from hexmarshal.vassal.textform.manifest import (
    Exact,
    Form,
    Listed,
    Manifest,
    Secrets,
    decoded,
)
from hexmarshal.vassal.textform.saveform import read_save
from hexmarshal.vassal.textform.xmlform import read_xml
from hexmarshal.vassal.textform.ziprecord import RawEntry, ZipRecord, pack_content

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Packed", "pack", "packed_bytes"]

_FULL16, _FULL32 = 0xFFFF, 0xFFFFFFFF
_CLUTTER: Final = frozenset({"thumbs.db", "desktop.ini"})


@dataclass(slots=True)
class Packed:
    """What was packed, for a report: names of entries, those in set-ups as `SETUP/entry`."""

    entries: int = 0
    changed: list[str] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    repacked: list[str] = field(default_factory=list)
    """Unchanged, but packed by another zlib than once: the same content in other bytes."""
    scrubbed: bool = False

    @property
    def is_identical(self) -> bool:
        """Whether the archive is, byte for byte, the one that was unpacked."""
        return not (self.changed or self.added or self.removed or self.repacked or self.scrubbed)


def pack(
    folder: Path,
    target: Path,
    *,
    scrub: bool = False,
    force: bool = False,
    advance: Callable[[int], None] = lambda _: None,
) -> Packed:
    """Write the archive that a text form says; `target` is written whole or not at all.

    With `scrub` players' ids are left out: the names that stand for them in the text are used.
    """
    refuse_existing(target, force=force)
    job = _Job.open(folder, scrub=scrub, advance=advance)
    write_atomically(target, job.chunks("", top=True), force=force)
    return job.report


def packed_bytes(folder: Path, *, scrub: bool = False) -> bytes:
    """What `pack` would write."""
    return b"".join(_Job.open(folder, scrub=scrub).chunks("", top=True))


class _Job:
    def __init__(
        self,
        root: Path,
        secrets: Secrets | None,
        *,
        scrub: bool,
        advance: Callable[[int], None],
    ) -> None:
        self.root = root
        self.secrets = secrets
        self.scrub = scrub
        self.advance = advance
        self.report = Packed()

    @classmethod
    def open(
        cls, folder: Path, *, scrub: bool, advance: Callable[[int], None] = lambda _: None
    ) -> _Job:
        """Begin to pack a folder."""
        if not folder.is_dir():
            raise NotFoundError("no such folder", place=Place(file=str(folder)))
        if not (folder / MANIFEST).is_file():
            raise NotFoundError(
                f"holds no {MANIFEST}, so it is not a text form",
                place=Place(file=str(folder)),
                hint="hexmarshal unpack FILE DIR makes one",
            )
        file = folder / SECRETS
        secrets = Secrets.read(file) if file.is_file() and not scrub else None
        return cls(folder.resolve(), secrets, scrub=scrub, advance=advance)

    def chunks(self, path: str, *, top: bool = False) -> Iterator[bytes]:
        """The bytes of the archive at a path inside the folder."""
        manifest = Manifest.read(self.root / path)
        listed = [*manifest.entries, *self._new_entries(manifest, path)]
        order = [*(manifest.order or range(len(manifest.entries)))]
        order += range(len(manifest.entries), len(listed))
        records: dict[int, bytes] = {}
        prefix = _unhex(manifest.prefix, self._place(path + MANIFEST))
        at = 0
        if prefix:
            yield prefix
        for index in order:
            raw = self._entry(listed[index], path)
            if raw is not None:
                records[index] = _moved(raw.central, at)
                for part in (raw.head, raw.body, raw.tail):
                    at += len(part)
                    yield part
                if at >= _FULL32:
                    raise OutputError("more than the 4 GiB that an ordinary zip archive can hold")
            if top:
                self.advance(1)
        directory = b"".join(records[index] for index in sorted(records))
        comment = _unhex(manifest.comment, self._place(path + MANIFEST))
        if len(records) >= _FULL16 or at + len(directory) >= _FULL32:
            raise OutputError("more than an ordinary zip archive can hold")
        count = len(records)
        yield directory
        yield END.pack(b"PK\x05\x06", 0, 0, count, count, len(directory), at, len(comment))
        yield comment

    def _entry(self, listed: Listed, path: str) -> RawEntry | None:
        here = path + listed.file
        name = f"{path.rstrip('/')}/{listed.name}" if path else listed.name
        if listed.form is not Form.FOLDER and not os.path.lexists(self.root / here):
            exact = self._exact(listed, here)
            kept = exact is not None and exact.content and not exact.text
            if not (listed.players and kept):
                if listed.form is Form.BYTES and listed.players:
                    self._need_secrets(here)
                self.report.removed.append(name)
                return None
        self.report.entries += 1
        content = self._content(listed, path)
        exact = self._exact(listed, here)
        if listed.exact is None and listed.players == 0:
            self.report.added.append(name)
        elif exact is None:
            self.report.scrubbed = True
        elif exact.crc == f"{zlib.crc32(content):08x}":
            return self._unchanged(listed, content, exact, name)
        else:
            self.report.changed.append(name)
        record = (
            listed.record if listed.record.level != "kept" else replace(listed.record, level="9")
        )
        return record.raw(listed.name, content, pack_content(content, record.level))

    def _unchanged(self, listed: Listed, content: bytes, exact: Exact, name: str) -> RawEntry:
        place = self._place(MANIFEST)
        if exact.body:
            body = decoded(exact.body, place) if listed.exact is None else self._read(exact.body)
        else:
            level = "9" if listed.record.level == "kept" else listed.record.level
            body = pack_content(content, level)
        if f"{zlib.crc32(body):08x}" != exact.packed:
            self.report.repacked.append(name)
            body = pack_content(content, "9" if exact.body else listed.record.level)
            return replace(listed.record, level="9" if exact.body else listed.record.level).raw(
                listed.name, content, body
            )
        raw = listed.record.raw(listed.name, content, body)
        verbatim = {part: _unhex(text, place) for part, text in exact.verbatim.items()}
        return replace(raw, **{k: v for k, v in verbatim.items() if k in raw.__slots__})

    def _content(self, listed: Listed, path: str) -> bytes:
        here = path + listed.file
        exact = self._exact(listed, here)
        if listed.form is Form.FOLDER:
            return b""
        if listed.form is Form.ARCHIVE:
            data = b"".join(self.chunks(f"{here}/"))
            Archive.from_bytes(data, self._place(here))
            return data
        kept = exact is not None and exact.content and not exact.text
        if listed.form is Form.BYTES and exact is not None and kept:
            return decoded(exact.content, self._place(SECRETS))
        text = self._read(here)
        if exact is not None and exact.content and exact.text == f"{zlib.crc32(text):08x}":
            return decoded(exact.content, self._place(SECRETS))
        if listed.form is Form.XML:
            source = self._read(path + listed.source) if listed.source else None
            return read_xml(text, listed.style or {}, source, self._place(here))
        if listed.form is Form.SAVE:
            if listed.players and exact is None and not self.scrub:
                self._need_secrets(here)
            players = self.secrets.players.get(here, {}) if self.secrets else {}
            return read_save(text, listed.veil or PLAIN, players, self._place(here))
        return text

    def _exact(self, listed: Listed, here: str) -> Exact | None:
        if listed.exact is not None:
            return listed.exact
        return self.secrets.exact.get(here) if self.secrets else None

    def _need_secrets(self, here: str) -> None:
        raise NotFoundError(
            f"players' ids are missing: there is no {SECRETS} that knows this file",
            place=self._place(here),
            hint=f"put {SECRETS} back into the folder, or use --scrub to do without the ids",
        )

    def _new_entries(self, manifest: Manifest, path: str) -> list[Listed]:
        """Files that the manifest does not name, by name; hidden ones and our own apart."""
        folder = self.root / path
        known = {folded(entry.file): entry.file for entry in manifest.entries}
        folders = tuple(e.file + "/" for e in manifest.entries if e.form is Form.ARCHIVE)
        own = {MANIFEST, SECRETS}
        new: list[Listed] = []
        for file in sorted(_files(folder)):
            if (
                file in own
                or file.startswith(folders)
                or file.lower().rpartition("/")[2] in _CLUTTER
            ):
                continue
            if file in known.values() or any(p.startswith(".") for p in file.split("/")):
                continue
            twin = known.get(folded(file))
            if twin is not None and _same_file(folder / file, folder / twin):
                continue
            check_name(file, self._place(path))
            new.append(Listed(file, file, Form.BYTES, _fresh(file)))
        names = {entry.name for entry in manifest.entries}
        clash = next((entry.name for entry in new if entry.name in names), None)
        if clash is not None:
            raise UsageError(
                "the manifest names another file for this entry", place=self._place(path + clash)
            )
        return new

    def _read(self, path: str) -> bytes:
        file = self.root / path
        if not file.resolve().is_relative_to(self.root):
            raise VassalFormatError("a link that leads out of the folder", place=self._place(path))
        return read_file(file)

    def _place(self, path: str) -> Place:
        return Place(file=str(self.root / path))


def _files(folder: Path) -> Iterator[str]:
    for where, folders, files in os.walk(folder):
        folders[:] = sorted(f for f in folders if f != SOURCES and not f.startswith("."))
        for file in files:
            yield (Path(where) / file).relative_to(folder).as_posix()


def _same_file(one: Path, two: Path) -> bool:
    try:
        return one.samefile(two)
    except OSError:
        return False


def _fresh(name: str) -> ZipRecord:
    return ZipRecord(flags=0 if name.isascii() else 0x800)


def _moved(central: bytes, offset: int) -> bytes:
    # Verbatim records of zip64 archives hold offsets of their own; they are kept only unmoved.
    return central[:42] + offset.to_bytes(4, "little") + central[46:]


def _unhex(text: str, place: Place) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise VassalFormatError("holds bytes that are not hexadecimal", place=place) from None
