"""The maps of a game, each read when it is first asked for."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Generic, TypeVar

from hexmarshal.errors import Place, RulesError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from hexmarshal.kit.game.scenario_card import ScenarioCard

__all__ = ["Boards"]

B = TypeVar("B")


class Boards(Generic[B]):
    """Maps by key; the `first` key comes first, and is meant where a position names none.

    `files` are names of data: a map is one file of a folder, `boards/KEY.yaml`, or a folder in it.
    """

    def __init__(self, files: Iterable[str], read: Callable[[str], B], first: str = "") -> None:
        keys = {PurePosixPath(PurePosixPath(name).parts[1]).stem for name in files}
        self.keys = tuple(sorted(keys, key=lambda key: (key != first, key)))
        self._read = read
        self._kept: dict[str, B] = {}

    def of(self, card: ScenarioCard) -> B:
        """The map of a scenario; that there is none is told with its place in the file."""
        key = str(card.data["board"])
        if key not in self.keys:
            raise card.fail(f"no board {key!r}; there are: {', '.join(self.keys)}", "board")
        return self[key]

    def __getitem__(self, key: str) -> B:
        """A map; the empty key means the first."""
        key = key or self.keys[0]
        if key not in self._kept:
            if key not in self.keys:
                raise RulesError(f"no board {key!r}", place=Place(field="board"))
            self._kept[key] = self._read(key)
        return self._kept[key]
