"""The results of the parts of a folder, checked apart, put together as if it had been one check."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from hexmarshal.errors import BadInputError, NotFoundError, OutputError, Place
from hexmarshal.referee.batch.folder import FolderSummary, summed
from hexmarshal.referee.batch.results_store import FORMAT, LINES, STORE, Results
from hexmarshal.vassal.container.atomic import make_folder, refuse_existing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["known_results", "merge_results"]


def merge_results(
    parts: Sequence[Path],
    output: Path,
    *,
    partial: bool = False,
    force: bool = False,
    progress: Callable[[int], None] | None = None,
) -> FolderSummary:
    """Put the results of all parts into one folder; nothing is written if they do not fit."""
    stores = [known_results(part) for part in parts]
    if any(output.resolve() == part.resolve() for part in parts):
        raise OutputError("is one of the parts", place=Place(file=str(output)))
    shards = [shard for part in stores for shard in _shards(part)]
    if not partial:
        _refuse_missing(shards)
    refuse_existing(output / STORE, force=force)
    make_folder(output)
    # Made apart, so that parts that do not fit leave everything as it was.
    with TemporaryDirectory(dir=output, prefix=".merging-") as place:
        apart = Path(place)
        with Results(apart) as results:
            for part in stores:
                results.take_in(part)
                if progress is not None:
                    progress(1)
            made = summed(results)
        for name in (STORE, LINES):
            (apart / name).replace(output / name)
    return replace(made, output=output)


def known_results(folder: Path) -> Path:
    """The folder of results that a user names, or the one inside; refused if there are none."""
    for place in (folder, folder / "hexmarshal-check"):
        if (place / STORE).is_file():
            _refuse_unreadable(place / STORE)
            return place
    raise NotFoundError(
        f"holds no {STORE}",
        place=Place(file=str(folder)),
        hint="name the folder that check wrote with --output",
    )


def _refuse_unreadable(store: Path) -> None:
    try:
        with closing(sqlite3.connect(f"{store.resolve().as_uri()}?mode=ro", uri=True)) as opened:
            (made,) = opened.execute("PRAGMA user_version").fetchone()
    except sqlite3.Error as error:
        raise BadInputError(
            f"cannot be read: {error}", place=Place(file=str(store)), hint="check it again"
        ) from None
    if made != FORMAT:
        raise BadInputError(
            f"results of another version (format {made}, not {FORMAT})",
            place=Place(file=str(store)),
            hint="check the part again with this version",
        )


def _shards(folder: Path) -> list[tuple[int, int]]:
    store = sqlite3.connect(folder / STORE)
    try:
        return store.execute("SELECT number, of FROM shards").fetchall()
    finally:
        store.close()


def _refuse_missing(shards: Sequence[tuple[int, int]]) -> None:
    wholes = {of for _, of in shards}
    if len(wholes) > 1:
        told = ", ".join(f"{number}/{of}" for number, of in sorted(shards))
        raise BadInputError(
            f"parts of different divisions: {told}", hint="check with the same n in --shard i/n"
        )
    for of in wholes:
        missing = sorted(set(range(1, of + 1)) - {number for number, _ in shards})
        if missing:
            told = ", ".join(f"{number}/{of}" for number in missing[:10])
            raise BadInputError(
                f"not all parts are there: {told}{' ...' if len(missing) > 10 else ''}",
                hint="name them too, or merge what there is with --partial",
            )
