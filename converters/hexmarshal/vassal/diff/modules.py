"""What differs between two modules or extensions: metadata, components, pieces, files."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError, VassalFormatError
from hexmarshal.errors.counts import counted
from hexmarshal.vassal.container.kind import BUILD_FILES
from hexmarshal.vassal.container.metadata import Metadata
from hexmarshal.vassal.diff.changes import Change, Detail, Difference
from hexmarshal.vassal.diff.components import BuildFileDiff
from hexmarshal.vassal.diff.saves import diff_saves
from hexmarshal.vassal.images.image_size import image_size
from hexmarshal.vassal.privacy.scrubbing import redactor_of_modules
from hexmarshal.vassal.privacy.secrets import Redactor, find_user_ids
from hexmarshal.vassal.saves.nested_saves import nested_saves, open_nested

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.saves.savegame import SavedGame

__all__ = ["diff_modules"]

_METADATA: Final = frozenset({"moduledata", "extensiondata"})
_FOLDERS: Final = {"images": "images", "sounds": "sounds"}


def diff_modules(old: Module, new: Module, *, show_secrets: bool = False) -> Difference:
    """Everything that differs, from the metadata to the files."""
    difference = Difference()
    difference.add(_metadata_changes(old, new))
    build = BuildFileDiff(old, new)
    difference.add(build.components)
    difference.add(build.pieces)
    if difference and not show_secrets:
        hide = redactor_of_modules(old, new)
        difference.changes = [change.rewritten(hide) for change in difference.changes]
    difference.add(_file_changes(old, new, show_secrets))
    return difference


def _metadata_changes(old: Module, new: Module) -> Iterator[Change]:
    before, after = (
        {} if m.metadata is None else {e.tag: e.text or "" for e in m.metadata.document.root}
        for m in (old, new)
    )
    # The date of saving differs whenever anything does.
    names = [n for n in dict.fromkeys((*before, *after)) if n != "dateSaved"]
    details = tuple(
        Detail(str(n), before.get(n), after.get(n)) for n in names if before.get(n) != after.get(n)
    )
    if details:
        yield Change("changed", "metadata", "metadata", details=details)
    if old.buildfile_name != new.buildfile_name:
        detail = Detail("build file", old.buildfile_name, new.buildfile_name)
        yield Change("changed", "metadata", "build file", details=(detail,))


def _file_changes(old: Module, new: Module, show_secrets: bool) -> Iterator[Change]:
    if old.archive is None or new.archive is None:
        return
    before, after = (_digests(m) for m in (old, new))
    saves = {*nested_saves(old), *nested_saves(new)}
    gone: dict[bytes, list[str]] = {}
    for name, digest in before.items():
        if name not in after:
            gone.setdefault(digest, []).append(name)
    for name, digest in after.items():
        if name not in before:
            if not gone.get(digest):
                yield Change("added", _group(name), _name(name))
                continue
            detail = Detail("renamed", _name(gone[digest].pop(0)), _name(name))
            yield Change("renamed", _group(name), _name(name), details=(detail,))
    for name in (name for names in gone.values() for name in names):
        yield Change("removed", _group(name), _name(name))
    for name in before:
        if name in after and before[name] != after[name]:
            if name in saves:
                yield from _setup_changes(old, new, name, show_secrets)
            else:
                yield Change("changed", _group(name), _name(name), details=_sizes(old, new, name))


def _digests(module: Module) -> dict[str, bytes]:
    skipped = {*BUILD_FILES, *_METADATA}
    return {
        name: hashlib.sha256(module.read(name)).digest()
        for name in module.entries()
        if name not in skipped
    }


def _group(entry: str) -> str:
    return _FOLDERS.get(entry.partition("/")[0], "files")


def _name(entry: str) -> str:
    return entry.removeprefix("images/") if entry.startswith("images/") else entry


def _sizes(old: Module, new: Module, entry: str) -> tuple[Detail, ...]:
    one, other = old.read(entry), new.read(entry)
    details = [Detail("bytes", str(len(one)), str(len(other)))]
    before, after = image_size(one), image_size(other)
    if before and after and before != after:
        details.append(Detail("pixels", f"{before[0]}x{before[1]}", f"{after[0]}x{after[1]}"))
    return tuple(details)


def _setup_changes(old: Module, new: Module, entry: str, show_secrets: bool) -> Iterator[Change]:
    """A saved game inside the module, told as a game."""
    try:
        games = open_nested(old, entry), open_nested(new, entry)
        found = diff_saves(*games, modules=(old, new), show_secrets=show_secrets)
    except HexMarshalError as why:
        yield Change("changed", "files", entry, details=(Detail("as a game", None, why.message),))
        return
    details = tuple(
        Detail(f"{change.group}: {change.name}" + (f": {d.what}" if d.what else ""), d.old, d.new)
        for change in found.changes
        for d in change.details or (Detail(change.kind, None, ""),)
    )
    if details:
        yield Change("changed", "files", entry, details=details)
        return
    change = Change("changed", "files", entry, details=_beside(*games))
    users = [user for saved in games for user in find_user_ids(saved.root)]
    yield change if show_secrets else change.rewritten(Redactor(users))


def _beside(old: SavedGame, new: SavedGame) -> tuple[Detail, ...]:
    """What differs about two files that hold the same game: metadata, form, order of commands."""
    details: list[Detail] = []
    for name in dict.fromkeys((*old.entry_names(), *new.entry_names())):
        one, other = old.entry(name), new.entry(name)
        if one == other:
            continue
        try:
            before, after = (_elements(data) for data in (one, other))
        except VassalFormatError:
            details.append(Detail(name, None, "another content"))
            continue
        tags = [
            tag for tag in dict.fromkeys((*before, *after)) if before.get(tag) != after.get(tag)
        ]
        details += (Detail(f"{name}: {tag}", before.get(tag), after.get(tag)) for tag in tags)
    forms = [saved.veil.form.layout.told for saved in (old, new)]
    if forms[0] != forms[1]:
        details.append(Detail("form", *forms))
    if old.text != new.text:
        counts = [Counter(node.text for node in saved.root.walk()) for saved in (old, new)]
        gone, come = counts[0] - counts[1], counts[1] - counts[0]
        if not gone and not come:
            details.append(Detail("commands", None, "the same in another order"))
        else:
            details.append(
                Detail("commands", counted(gone.total(), "other"), counted(come.total(), "other"))
            )
    return tuple(details) or (Detail("the same game", None, "packed anew"),)


def _elements(data: bytes | None) -> dict[str, str]:
    root = None if data is None else Metadata.parse(data).document.root
    return {} if root is None else {str(e.tag): e.text or "" for e in root}
