"""Watches the markers on the table, as they are over what is believed of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hexmarshal.rules.state.pieces import Marker
    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.reading import TableReader
    from hexmarshal.vassal.state.game_state import GameState

__all__ = ["MarkerWatch"]

_Shown = tuple["Position", "Mapping[str, Marker]"]


class MarkerWatch:
    """Reads them again when the table has changed, or what is believed, and no sooner."""

    def __init__(
        self,
        table: TableReader,
        state: Callable[[], GameState],
        bearers: Callable[[], Mapping[str, str]],
    ) -> None:
        """`state` is the table as it is now, `bearers` are the units of markers by piece."""
        self._table, self._state, self._bearers = table, state, bearers
        self._when: tuple[int, Mapping[str, str]] = (-1, {})
        self._read: dict[int, _Shown] = {}

    def now(self, belief: Position) -> Mapping[str, Marker]:
        """The markers that lie there."""
        state, bearers = self._state(), self._bearers()
        if self._when != (state.done, bearers):
            self._when, self._read = (state.done, dict(bearers)), {}
        found = self._read.get(id(belief))
        if found is None:
            # The position is kept with it, so that no other takes its place.
            shown = self._table.read(state, belief, bearers).position.markers
            found = self._read[id(belief)] = (belief, shown)
        return found[1]
