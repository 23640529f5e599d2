"""A folder of a user's own, to begin with: the game's files, to be changed or thrown away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.errors import OutputError, Place
from hexmarshal.vassal.container.atomic import write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from hexmarshal.kit.data.source import GameData

__all__ = ["write_template"]


def write_template(
    data: GameData, folder: Path, *, names: Iterable[str] = (), force: bool = False
) -> Iterator[Path]:
    """Write the game's files, all or those named; with `force` over a user's own."""
    wanted = tuple(names) or data.files()
    for name in wanted:
        if name not in data.files():
            raise OutputError("the game has no such file", place=Place(file=name))
    taken = [name for name in wanted if (folder / name).exists()]
    if taken and not force:
        raise OutputError(
            "there is a file already", place=Place(file=str(folder / taken[0])),
            hint="--force overwrites it",
        )  # fmt: skip
    for name in wanted:
        target = folder / name
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            why = error.strerror or str(error)
            raise OutputError(f"cannot be made: {why}", place=Place(file=str(target))) from None
        write_atomically(target, [(data.folder / name).read_bytes()], force=force)
        yield target
