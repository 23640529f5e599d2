"""Tracks and what else lies beside the map, in a log: markers moved, properties changed."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hexmarshal.table.placing.offmap import property_key
from hexmarshal.vassal.commands.game import ChangeProperty

if TYPE_CHECKING:
    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.placing.offmap import Laid, OffMap
    from hexmarshal.vassal.saves.logwriter import StepWriter

__all__ = ["ShownTracks"]


class ShownTracks:
    """Remembers what lies beside the map, and changes it until it shows another position."""

    def __init__(self, offmap: OffMap, position: Position) -> None:
        self._offmap = offmap
        self._lie = Counter(offmap.pieces(position))

    def show(self, step: StepWriter, after: Position) -> None:
        """Move, take away and lay down what is otherwise."""
        wanted = Counter(self._offmap.pieces(after))
        gone, new = self._lie - wanted, wanted - self._lie
        for laid in list(gone.elements()):
            piece = self._laid(step, laid)
            if piece is None:
                continue
            # A marker that only goes to another box is moved there.
            alike = (n for n in new.elements() if (n.gpid, n.shown) == (laid.gpid, laid.shown))
            to = next(alike, None)
            if to is None:
                step.remove(piece)
            else:
                new.subtract((to,))
                step.move(piece, to.map, *to.point)
        for laid in new.elements():
            made = self._offmap.piece(step.state, laid)
            step.add(made.id, made.type, made.state)
        self._lie = wanted
        for name, text in self._offmap.properties(after).items():
            container, _ = property_key(step.state, name)
            old = step.state.property_value(name, container) or ""
            if old != text:
                step.command(
                    ChangeProperty(name, old, text, container),
                    ChangeProperty(name, text, old, container),
                )

    def _laid(self, step: StepWriter, laid: Laid) -> str | None:
        items = step.state.table.items.values()
        return next((item.id for item in items if self._offmap.is_laid(item, laid)), None)
