"""File names for entries that every system can hold: no devices, no odd signs, no two alike."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from typing import Final

__all__ = ["MANIFEST", "SECRETS", "SOURCES", "FileNames", "folded"]

MANIFEST: Final = "hexmarshal.json"
SECRETS: Final = "secrets.json"
SOURCES: Final = ".hexmarshal"
_OWN: Final = (MANIFEST, SECRETS, SOURCES)
# Git would take these for its own, wherever they stand.
_GIT: Final = frozenset({".git", ".gitignore", ".gitattributes", ".gitmodules", "git~1"})
_DEVICES: Final = frozenset(
    {"con", "prn", "aux", "nul"} | {f"{kind}{n}" for kind in ("com", "lpt") for n in "123456789¹²³"}
)
_HOSTILE: Final = re.compile(r'[\x00-\x1f\x7f<>:"|?*\\]')
_LONGEST: Final = 120


def folded(path: str) -> str:
    """What two paths have in common that some file system cannot tell apart."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


class FileNames:
    """Gives each entry a path of its own; most keep their name."""

    def __init__(self) -> None:
        self._files = {folded(name) for name in _OWN}
        self._folders: dict[str, str] = {}

    def path(self, entry: str) -> str:
        """The path of a new entry, with `/` between its parts."""
        *folders, name = [_safe(part) for part in entry.split("/")]
        where = ""
        for folder in folders:
            where = self._folder(where, folder)
        chosen = self._free(where, name)
        self._files.add(folded(chosen))
        return chosen

    def _folder(self, where: str, name: str) -> str:
        wanted = folded(where + name)
        if wanted not in self._folders:
            path = where + name
            number = 1
            while folded(path) in self._files:
                number += 1
                path = f"{where}{name}~{number}"
            self._folders[wanted] = path + "/"
            self._folders[folded(path)] = path + "/"
        return self._folders[wanted]

    def _free(self, where: str, name: str) -> str:
        stem, dot, suffix = name.rpartition(".")
        if not stem:
            stem, dot, suffix = name, "", ""
        path, number = where + name, 1
        while folded(path) in self._files or folded(path) in self._folders:
            number += 1
            path = f"{where}{stem}~{number}{dot}{suffix}"
        return path


def _safe(part: str) -> str:
    name = _HOSTILE.sub(_hex, part)
    name = re.sub(r"[. ]+$", lambda found: "".join(f"%{ord(c):02X}" for c in found[0]), name)
    if not name:
        return "%00"
    if name.partition(".")[0].rstrip().lower() in _DEVICES or name.lower() in _GIT:
        name = f"_{name}"
    if len(name.encode("utf-8", "replace")) > _LONGEST:
        stem, dot, suffix = name.rpartition(".")
        mark = hashlib.sha256(part.encode("utf-8", "replace")).hexdigest()[:8]
        name = f"{(stem or name)[:30]}~{mark}{dot}{suffix[:10]}" if stem else f"{name[:30]}~{mark}"
    return name


def _hex(found: re.Match[str]) -> str:
    return f"%{ord(found[0]):02X}"
