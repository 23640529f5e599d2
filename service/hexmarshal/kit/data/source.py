"""Where a game's data comes from: the game's files, or file by file a user's own in their place."""

from __future__ import annotations

import os
import pickle
import re
import time
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.errors import HexMarshalError, NotFoundError, Place, RulesError
from hexmarshal.errors.names import did_you_mean
from hexmarshal.kit.data.lines import has, line_of
from hexmarshal.rules.rulebook import load_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hexmarshal.geometry.terrain.terrain_map import TerrainMap

__all__ = ["TERRAIN", "GameData", "Source", "variable"]

TERRAIN: Final = "terrain map"
"""The kind of files that `hexmarshal.geometry.terrain.terrain_file` reads and checks."""
_PATCH: Final = ".patch.yaml"
# Taking apart and checking YAML takes twenty times as long as copying what came of it.
_KEPT: Final[dict[tuple[Path, Path, str, tuple[int, int]], bytes]] = {}
_MOST_KEPT: Final = 500
_SETTLED: Final = 2_000_000_000  # nanoseconds
_QUOTED: Final = re.compile(r"'([^']*)' (?:was|were) unexpected|^'([^']*)'")


def variable(game: str) -> str:
    """The environment variable that names a folder of a user's own data of a game."""
    return f"HEXMARSHAL_{re.sub('[^A-Z0-9]', '_', game.upper())}_DATA"


@dataclass(frozen=True)
class GameData:
    """The data files of a game: a folder, and the kind of each file by its name or a pattern.

    The schemas of all kinds are in `schemas.yaml` beside them; terrain maps need none. `invented`
    tells of files, by name or pattern, what in them no rulebook prints.
    """

    game: str
    folder: Path
    kinds: Mapping[str, str]
    invented: Mapping[str, str] = field(default_factory=dict)

    def source(self, folder: Path | str | None = None) -> Source:
        """The game's data, with what a folder given here, or by the environment, has instead."""
        named = folder or os.environ.get(variable(self.game))
        if not named:
            return Source(self)
        path = Path(named)
        if not path.is_dir():
            raise NotFoundError(f"no such folder of {self.game} data", place=Place(file=str(path)))
        return Source(self, path)

    def kind(self, name: str) -> str:
        """The kind of a file of this name, empty if it is none of the game's."""
        path = PurePosixPath(name)
        return next((kind for pattern, kind in self.kinds.items() if path.match(pattern)), "")

    def told_of(self, name: str) -> str:
        """What in the game's file of this name no rulebook prints."""
        path = PurePosixPath(name)
        return next((text for one, text in self.invented.items() if path.match(one)), "")

    def schemas(self) -> Mapping[str, Any]:
        """The JSON Schemas, by kind."""
        return _schemas(self.folder)

    def files(self) -> tuple[str, ...]:
        """The names of the game's own files, in the order of the kinds."""
        return tuple(self._files())

    def _files(self) -> Iterator[str]:
        for pattern in self.kinds:
            yield from sorted(
                p.relative_to(self.folder).as_posix() for p in self.folder.glob(pattern)
            )


@cache
def _schemas(folder: Path) -> Mapping[str, Any]:
    return load_yaml(folder / "schemas.yaml")


@dataclass(frozen=True, slots=True)
class Source:
    """The files of one game, with a folder whose files stand in for the game's of the same name.

    A file `units.patch.yaml` there changes only what it names of the game's `units.yaml`; null
    takes something away.
    """

    data: GameData
    folder: Path | None = None

    def file(self, name: str) -> Path:
        """The file of this name: the user's if there is one."""
        if self.folder is not None and (self.folder / name).is_file():
            return self.folder / name
        return self.data.folder / name

    def patch(self, name: str) -> Path | None:
        """The user's file that changes parts of the one of this name, if there is one."""
        if self.folder is None:
            return None
        found = (self.folder / name).with_suffix(_PATCH)
        return found if found.is_file() else None

    def has(self, name: str) -> bool:
        """Whether there is such a file."""
        return self.file(name).is_file()

    def names(self, pattern: str) -> tuple[str, ...]:
        """Every file that fits, the user's and the game's, in order."""
        folders = [self.data.folder, *([self.folder] if self.folder is not None else ())]
        found = {p.relative_to(f).as_posix() for f in folders for p in f.glob(pattern)}
        return tuple(sorted(name for name in found if not name.endswith(_PATCH)))

    def read(self, name: str, kind: str = "") -> dict[str, Any]:
        """A file, checked against the schema of its kind; an error names file, line and field."""
        kind = kind or self.data.kind(name)
        file, patch = self.file(name), self.patch(name)
        if patch is None:
            return self._unpatched(file, name, kind)
        document: dict[str, Any] = _merged(load_yaml(file), load_yaml(patch))
        self._check(document, name, kind)
        return document

    def _unpatched(self, file: Path, name: str, kind: str) -> dict[str, Any]:
        """Read and checked once, as long as the file stays as it is; whoever asks has a copy."""
        stamp = _stamp(file)
        key = (self.data.folder, file, kind, stamp)
        if key in _KEPT:
            kept: dict[str, Any] = pickle.loads(_KEPT[key])  # noqa: S301 - our own, made below
            return kept
        document = load_yaml(file)
        self._check(document, name, kind)
        # One that was written just now may be written again without looking any younger.
        if time.time_ns() - stamp[0] > _SETTLED:
            if len(_KEPT) >= _MOST_KEPT:
                _KEPT.clear()
            _KEPT[key] = pickle.dumps(document)
        return document

    def terrain(self, name: str) -> TerrainMap:
        """A terrain map; an error names file and line."""
        from hexmarshal.geometry.terrain.terrain_file import load

        return load(self.file(name))

    def place(self, name: str, *keys: str | int) -> Place:
        """Where a value of a file stands: in the user's changes to it, or in the file itself."""
        file, patch = self.file(name), self.patch(name)
        if patch is not None and has(patch, keys):
            file = patch
        field = ".".join(map(str, keys)) or None
        return Place(file=str(file), line=line_of(file, keys), field=field)

    def _check(self, document: Mapping[str, Any], name: str, kind: str) -> None:
        from jsonschema import Draft202012Validator
        from jsonschema.exceptions import best_match

        schema = self.data.schemas().get(kind)
        if schema is None:
            known = ", ".join(self.data.schemas())
            raise RulesError(f"no schema of the kind {kind!r}", hint=f"there are: {known}")
        error = best_match(Draft202012Validator(schema).iter_errors(document))
        if error is not None:
            keys = [*error.absolute_path, *_extra(error.instance, error.message)]
            hint = f"hexmarshal data {self.data.game} --schema {kind} tells what may stand there"
            raise RulesError(error.message[:200], place=self.place(name, *keys), hint=hint)

    # What a check of a user's folder tells

    def problems(self) -> Iterator[HexMarshalError]:
        """What is wrong in the files one by one, at most one error a file."""
        for name in sorted({*self.data.files(), *self._own()}):
            kind = self.data.kind(name)
            if not kind:
                yield _unknown(self.data, self.file(name), name)
                continue
            try:
                _ = self.terrain(name) if kind == TERRAIN else self.read(name, kind)
            except HexMarshalError as error:
                yield error

    def whose(self, name: str) -> str:
        """Whose a file is: `ours`, `yours`, `changed` by yours, or `same` as ours."""
        own = self.file(name)
        if self.patch(name) is not None:
            return "changed"
        if own.parent == (self.data.folder / name).parent:
            return "ours"
        ours = self.data.folder / name
        same = ours.is_file() and ours.read_bytes() == own.read_bytes()
        return "same" if same else "yours"

    def _own(self) -> Iterator[str]:
        if self.folder is not None:
            for path in self.folder.rglob("*.yaml"):
                name = path.relative_to(self.folder).as_posix()
                yield name.removesuffix(_PATCH) + ".yaml" if name.endswith(_PATCH) else name


def _unknown(data: GameData, file: Path, name: str) -> HexMarshalError:
    hint = did_you_mean(name, data.files(), f"there are: {', '.join(data.kinds)}")
    return NotFoundError(
        "the game has no file of this name", place=Place(file=str(file)), hint=hint
    )


def _stamp(file: Path) -> tuple[int, int]:
    """By what one sees that a file was changed: when, and how large it is."""
    try:
        found = file.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


def _merged(one: Any, other: Any) -> Any:  # noqa: ANN401 - any part of a file
    """A document with another laid over it, as a JSON merge patch does."""
    if not isinstance(one, dict) or not isinstance(other, dict):
        return other
    found = {k: v for k, v in one.items() if k not in other or other[k] is not None}
    for key, value in other.items():
        if value is not None:
            found[key] = _merged(found.get(key), value)
    return found


def _extra(instance: object, message: str) -> Sequence[str]:
    """The key that is one too many, where the message names one of the value's own."""
    told = _QUOTED.search(message)
    name = str(told[1] or told[2]) if told else ""
    return (name,) if isinstance(instance, dict) and name in instance else ()
