"""Where the pages of a folder are: the report of all of it, and that of each file."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self
from urllib.parse import quote

from hexmarshal.errors import OutputError, Place
from hexmarshal.referee.report.folder_report import folder_page
from hexmarshal.referee.report.page import is_ours
from hexmarshal.vassal.container.atomic import make_folder, write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from hexmarshal.referee.batch.results_store import Results

__all__ = ["Pages"]

# With more bytes than this in its name, a page would be too long for a file system.
_LONG: Final = 200


@dataclass(frozen=True, slots=True)
class Pages:
    """The page about the folder, and the folder with a page for each file, in folders as they are.

    Only pages that were made here are ever written over or removed, unless `force` says so.
    """

    index: Path
    root: Path
    title: str
    force: bool = False
    rule_title: Callable[[str, str], str] | None = None

    @classmethod
    def at(
        cls,
        index: Path,
        title: str,
        *,
        force: bool = False,
        rule_title: Callable[[str, str], str] | None = None,
    ) -> Self:
        """Those of files in a folder beside the index: `season.html`, `season-files`."""
        pages = cls(index, index.with_name(f"{index.stem}-files"), title, force, rule_title)
        pages.refuse_foreign()
        return pages

    def refuse_foreign(self) -> None:
        """Nobody's own file is written over; told before anything is checked."""
        if not self.index.parent.is_dir():
            raise OutputError(
                "no such folder",
                place=Place(file=str(self.index.parent)),
                hint="make it first, or choose another name",
            )
        if os.path.lexists(self.index) and not self.force and not is_ours(self.index):
            raise OutputError(
                "exists already, and is no report of ours",
                place=Place(file=str(self.index)),
                hint="choose another name, or overwrite it with --force",
            )

    def of(self, name: str) -> Path:
        """Where the page about a file is."""
        way, slash, last = name.rpartition("/")
        if len(last.encode()) > _LONG:
            last = f"{last[:60]}-{hashlib.sha256(last.encode()).hexdigest()[:16]}"
        return self.root / f"{way}{slash}{last}.html"

    def has(self, name: str, *, failed: bool) -> bool:
        """Whether the page is there; of a file that cannot be read there is none."""
        return failed or os.path.lexists(self.of(name))

    def link(self, name: str) -> str:
        """From the index to the page about a file; nothing if there is none."""
        page = self.of(name)
        if not is_ours(page):
            return ""
        way = os.path.relpath(page, self.index.parent).replace(os.sep, "/")
        return quote(os.fsencode(way))

    def write(self, name: str, text: str) -> None:
        """Put the page about a file in its place; without a text there is none any more."""
        if not text:
            self.remove(name)
            return
        target = self.of(name)
        if os.path.lexists(target) and not is_ours(target):
            # Somebody's own file has the name: who drops one in must not stop the others.
            return
        make_folder(target.parent)
        write_atomically(target, [text.encode("utf-8", "replace")], force=True)

    def remove(self, name: str) -> None:
        """Of a file that is gone no page is left."""
        page = self.of(name)
        if is_ours(page):
            page.unlink(missing_ok=True)

    def write_index(self, results: Results) -> None:
        """The page about all files."""
        self.refuse_foreign()
        parts = folder_page(results, self.title, self.link, self.rule_title)
        chunks = (part.encode("utf-8", "replace") for part in parts)
        write_atomically(self.index, chunks, force=True)
