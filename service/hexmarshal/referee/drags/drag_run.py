"""Units on their way: drag after drag of the same pieces is one run."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.referee.interpret.deed import Deed

__all__ = ["DragRun", "Now"]


@dataclass(frozen=True, slots=True)
class Now:
    """Where in the log we are, and who acts."""

    step: int
    player: str = ""
    side: str = ""


@dataclass(frozen=True, slots=True)
class DragRun:
    """Units on their way, drag by drag, until something else happens.

    `whole` is the way with what was taken back in it, if something was; `over`: it was another's
    go since then.
    """

    units: tuple[str, ...]
    start: str
    cells: tuple[str, ...]
    first: int
    now: Now
    whole: tuple[str, ...] = ()
    over: bool = False

    @property
    def ways(self) -> tuple[tuple[str, ...], ...]:
        """The way without what was taken back, and with it; both with the cell at its start."""
        return tuple((self.start, *way) for way in (self.cells, self.whole) if way)

    def goes_on(self, deeds: Sequence[Deed]) -> bool:
        """Whether all these units, and no others, are dragged on from where they are."""
        if self.over:
            return False
        return self.units == tuple(sorted(deed.unit for deed in deeds)) and all(
            deed.cells and deed.source == self.cells[-1] and deed.cells == deeds[0].cells
            for deed in deeds
        )

    def turns(self, deeds: Sequence[Deed]) -> bool:
        """Whether nothing happens but that these units are turned where they are."""
        return all(
            deed.unit in self.units
            and deed.before is not None
            and deed.after is not None
            and deed.before.where == deed.after.where
            and {fact.of for fact in set(deed.before.facts) ^ set(deed.after.facts)} == {"facing"}
            for deed in deeds
        )

    def further(self, cells: tuple[str, ...], now: Now) -> DragRun | None:
        """One cell back takes the last drag back, and back to the start all of it."""
        if cells == (self.start,) and len(self.cells) == 1:
            return None
        if len(self.cells) > 1 and cells == (self.cells[-2],):
            whole = (*(self.whole or self.cells), *cells)
            return replace(self, cells=self.cells[:-1], now=now, whole=whole)
        whole = (*self.whole, *cells) if self.whole else ()
        return replace(self, cells=(*self.cells, *cells), now=now, whole=whole)

    def __str__(self) -> str:
        return f"{', '.join(self.units)}: {' -> '.join((self.start, *self.cells))}"
