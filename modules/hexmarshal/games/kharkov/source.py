"""Where the game's data comes from: ours, or file by file a user's own in its place."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexmarshal.errors import NotFoundError, Place, RulesError
from hexmarshal.rules.rulebook import load_yaml

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["DATA", "VARIABLE", "Source", "schemas"]

DATA = Path(__file__).parent / "data"
# Names a folder of a user's own files.
VARIABLE = "HEXMARSHAL_KHARKOV_DATA"


@cache
def schemas() -> Mapping[str, Any]:
    """The JSON Schemas of our files, by the kind of file."""
    return load_yaml(DATA / "schemas.yaml")


@dataclass(frozen=True, slots=True)
class Source:
    """A folder whose files stand in for ours of the same name."""

    folder: Path | None = None

    @classmethod
    def chosen(cls, folder: Path | str | None) -> Source:
        """The folder given, or the one that the environment names."""
        named = folder or os.environ.get(VARIABLE)
        if not named:
            return cls()
        path = Path(named)
        if not path.is_dir():
            raise NotFoundError("no such folder of Kharkov data", place=Place(file=str(path)))
        return cls(path)

    def file(self, name: str) -> Path:
        """The file of this name: the user's if there is one."""
        if self.folder is not None and (self.folder / name).is_file():
            return self.folder / name
        return DATA / name

    def has(self, name: str) -> bool:
        """Whether there is such a file."""
        return self.file(name).is_file()

    def names(self, pattern: str) -> tuple[str, ...]:
        """Every file that fits, the user's and ours, in order."""
        folders = [DATA] if self.folder is None else [DATA, self.folder]
        found = {p.relative_to(f).as_posix() for f in folders for p in f.glob(pattern)}
        return tuple(sorted(found))

    def read(self, name: str, kind: str) -> dict[str, Any]:
        """A file, checked against the schema of its kind; an error names file and field."""
        file = self.file(name)
        document = load_yaml(file)
        check(document, kind, str(file))
        return document


def check(document: Mapping[str, Any], kind: str, file: str) -> None:
    """Raise unless the document fits the schema of its kind."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    error = best_match(Draft202012Validator(schemas()[kind]).iter_errors(document))
    if error is not None:
        field = ".".join(str(part) for part in error.absolute_path)
        raise RulesError(error.message[:200], place=Place(file=file, field=field or None))
