"""The maps of a game, each read when it is first asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from hexmarshal.errors import Place, RulesError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["Boards"]

B = TypeVar("B")


class Boards(Generic[B]):
    """Maps by key; the `first` key comes first, and is meant where a position names none."""

    def __init__(self, keys: Iterable[str], read: Callable[[str], B], first: str = "") -> None:
        self.keys = tuple(sorted(keys, key=lambda key: (key != first, key)))
        self._read = read
        self._kept: dict[str, B] = {}

    def __getitem__(self, key: str) -> B:
        """A map; the empty key means the first."""
        key = key or self.keys[0]
        if key not in self._kept:
            if key not in self.keys:
                raise RulesError(f"no board {key!r}", place=Place(field="board"))
            self._kept[key] = self._read(key)
        return self._kept[key]
