"""One side at one moment: what it knows, which kinds of action are its to take, what it may name.

Whoever checks one action after the other, or chooses slot by slot, asks the same of a position
again and again. A seat is what does not depend on the action.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from hexmarshal.rules.choosing.chooser import Chooser
from hexmarshal.rules.state.references import missing

if TYPE_CHECKING:
    from hexmarshal.rules.action import ActionType, Signature
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record, Value

__all__ = ["Seat"]


class Seat:
    """What holds for all actions of a side on a position; `known` is its view of it."""

    __slots__ = ("_acts", "_may", "_named", "_over", "chooser", "known", "plugin", "side")

    def __init__(self, plugin: GamePlugin, known: Position, side: str, *, over: bool) -> None:
        self.plugin, self.known, self.side = plugin, known, side
        self.chooser = Chooser(plugin, known, side)
        self._over, self._acts = over, side in known.active
        self._may: dict[str, bool] = {}
        # The names of units, of cells... that were found to be there.
        self._named: defaultdict[str, set[Value]] = defaultdict(set)

    def may_take(self, kind: ActionType) -> bool:
        """Whether actions of this kind are the side's to take now, as far as it knows."""
        found = self._may.get(kind.name)
        if found is None:
            in_turn = (self._acts or kind.anytime) and not self._over
            found = in_turn and kind.fits(self.known.phase, self.known.state)
            self._may[kind.name] = found
        return found

    def missing(self, kind: Signature, params: Record) -> list[tuple[str, str, str]]:
        """Everything named that is not there, as far as the side knows: what, its name, where."""
        if not params:
            return []
        named, given = self._named, params.plain()
        for param, what in kind.references:
            if param in given and not named[what].issuperset(_names(given[param])):
                break
        else:
            if not kind.nested:
                return []
        found = missing(self.plugin, self.known, kind, params, self.side)
        if not found:
            for param, what in kind.references:
                named[what].update(_names(given.get(param)))
        return found


def _names(value: Value) -> tuple[Value, ...]:
    return value if isinstance(value, tuple) else (value,) if isinstance(value, str) else ()
