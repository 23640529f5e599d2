"""What kind of VASSAL file an archive is, told from its content as the engine does."""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING, Protocol

from hexmarshal.errors import VassalFormatError

if TYPE_CHECKING:
    from hexmarshal.errors import Place

__all__ = ["BUILD_FILES", "METADATA", "FileKind", "kind_of"]

BUILD_FILES = ("buildFile.xml", "buildFile")
METADATA = ("moduledata", "extensiondata", "savedata")

_MODULE_ROOT = re.compile(rb".(VASSAL\.launch\.BasicModule|VASSAL\.build\.GameModule)")
_EXTENSION_ROOT = re.compile(rb".VASSAL\.build\.module\.ModuleExtension")
_LINES_SCANNED = 10


class FileKind(Enum):
    """A save and a log are of one kind on disk: only their commands differ."""

    MODULE = "module"
    EXTENSION = "extension"
    SAVE = "save"


class _Members(Protocol):
    @property
    def place(self) -> Place: ...

    def has(self, name: str) -> bool: ...

    def read(self, name: str) -> bytes: ...


def kind_of(archive: _Members) -> FileKind:
    """The kind by the members present; extensions hold a module's metadata too, so order counts."""
    if archive.has("savedGame"):
        return FileKind.SAVE
    build_file = next((name for name in BUILD_FILES if archive.has(name)), None)
    if build_file is not None:
        if archive.has("extensiondata"):
            return FileKind.EXTENSION
        if archive.has("moduledata"):
            return FileKind.MODULE
        for line in archive.read(build_file).split(b"\n", _LINES_SCANNED)[:_LINES_SCANNED]:
            if _MODULE_ROOT.search(line):
                return FileKind.MODULE
            if _EXTENSION_ROOT.search(line):
                return FileKind.EXTENSION
    raise VassalFormatError(
        "a zip archive, but neither a VASSAL module or extension nor a saved game",
        place=archive.place,
        hint="a module holds buildFile.xml or buildFile, a saved game holds savedGame",
    )
