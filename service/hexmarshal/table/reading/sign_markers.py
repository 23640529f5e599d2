"""Markers that say something about the unit on which they lie: moved, out of supply, activated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.table.binding.ties import beneath
from hexmarshal.table.reading.loose_pieces import loose
from hexmarshal.table.reading.sightings import MarkerSighting, UnitSighting

if TYPE_CHECKING:
    from hexmarshal.table.binding import Binding
    from hexmarshal.table.binding.facts import Fact
    from hexmarshal.table.reading.piece_reader import PieceReader
    from hexmarshal.vassal.state.game_state import GameState

__all__ = ["SignMarkers"]


class SignMarkers:
    """What such markers show of each unit's piece; a unit without one is none of it."""

    def __init__(self, binding: Binding) -> None:
        shown = [fact for rule in binding.markers for fact in rule.shows]
        # Of which nothing tells, there is none.
        self._bare = {
            fact.key: fact._replace(value=False if fact.of == "flag" else None) for fact in shown
        }
        self._on: dict[str, tuple[Fact, ...]] = {}

    @property
    def used(self) -> bool:
        """Whether the binding has any."""
        return bool(self._bare)

    def look(self, reader: PieceReader, state: GameState) -> set[str]:
        """Look where they lie; the pieces of units of which they show something else now."""
        found: dict[str, tuple[Fact, ...]] = {}
        for piece in loose(state):
            seen = reader.sight(piece)
            if not isinstance(seen, MarkerSighting) or not seen.rule.shows:
                continue
            for below in beneath(state, piece.id):
                if isinstance(reader.sight(below), UnitSighting):
                    found[below.id] = (*found.get(below.id, ()), *seen.rule.shows)
                    break
        old, self._on = self._on, found
        return {piece for piece in {*old, *found} if old.get(piece) != found.get(piece)}

    def with_signs(self, piece: str, facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
        """The facts that a piece shows, with those of the markers on it."""
        signs = {**self._bare, **{fact.key: fact for fact in self._on.get(piece, ())}}
        return (*(fact for fact in facts if fact.key not in signs), *signs.values())
