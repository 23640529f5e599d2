"""What the rules would have had instead of something wrong, in words."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.interpret.deed import Deed
from hexmarshal.rules.action import ParamType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.referee.interpret.drag_run import DragRun
    from hexmarshal.referee.interpret.interpreter import Interpreter
    from hexmarshal.referee.interpret.rules_calls import Rules
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Value

__all__ = ["WhatIsRight"]

_TOLD_CELLS: Final = 12
_TRIED: Final = 4
_OFFERS: Final = 400
# What players mean when they say whom or what an action is aimed at.
_AIMS: Final = (ParamType.UNIT, ParamType.UNITS, ParamType.CELL, ParamType.CELLS)


class WhatIsRight:
    """Says where a unit could have gone, or what could have been chosen."""

    def __init__(self, rules: Rules, interpreter: Interpreter) -> None:
        self._rules, self._interpreter = rules, interpreter

    def of(self, belief: Position, action: Action, run: DragRun | None) -> str:
        """Instead of an announcement, or of a drag."""
        if run is None:
            return self._choice(belief, action)
        if len(run.units) != 1:
            return "the units stay where they were"
        unit = run.units[0]
        if action.side not in belief.active:
            return f"{unit} may not move now"
        if belief.state or not self._interpreter.moves_in(belief):
            offered = self._offered(belief, action.side, unit)
            if offered:
                return f"{unit} may go to {_listed(offered)}"
        if not self._interpreter.moves_in(belief):
            return self._interpreter.told_of_phase(belief) or f"{unit} may not move now"
        there = run.cells[-1]
        # Where it went it may go as well, perhaps, but not like this.
        cells = [
            cell for cell in self._interpreter.reach_towards(belief, unit, there) if cell != there
        ]
        if not any(self._may_go(belief, unit, (cell,)) for cell in cells[:_TRIED]):
            return f"{unit} may not move"
        prefixes = (run.cells[:length] for length in range(len(run.cells) - 1, 0, -1))
        far = next((way for way in islice(prefixes, _TRIED) if self._may_go(belief, unit, way)), ())
        this_way = f"; on this way as far as {far[-1]}" if far else ""
        return f"{unit} may go to {_listed(cells)}{this_way}"

    def _may_go(self, belief: Position, unit: str, cells: tuple[str, ...]) -> bool:
        try:
            return self._interpreter.legal(belief, [Deed(unit, None, None, cells)]) is not None
        except HexMarshalError:
            return False

    def _offered(self, belief: Position, side: str, unit: str) -> list[str]:
        """Where what is asked, or what belongs into the phase, takes a unit."""
        ends: dict[str, None] = {}
        try:
            kinds = tuple(self._interpreter.drags)
            for offer in islice(self._rules.offers(belief, side, kinds), _OFFERS):
                units, cells = self._interpreter.way_of(offer.action)
                ends |= dict.fromkeys(cells[-1:] if units == (unit,) else ())
        except HexMarshalError:
            return []
        return list(ends)

    def _choice(self, belief: Position, action: Action) -> str:
        """What could have been chosen last for something announced, all else as it was."""
        kind = self._rules.game.actions[action.kind]
        slots = [p.name for p in kind.params if p.type in _AIMS and p.name in action.params]
        found: tuple[Value, ...] = ()
        if slots and action.side in belief.active:
            try:
                found = self._rules.others(belief, action, slots[-1])
            except HexMarshalError:
                found = ()
        if not found:
            in_time = kind.fits(belief.phase, belief.state) and action.side in belief.active
            return f"another choice, or none: {kind.title}" if in_time else f"not now: {kind.title}"
        return f"{kind.title}, {slots[-1].replace('_', ' ')}: {_listed([str(v) for v in found])}"


def _listed(cells: Sequence[str]) -> str:
    more = f" and {len(cells) - _TOLD_CELLS} more" if len(cells) > _TOLD_CELLS else ""
    return f"{', '.join(cells[:_TOLD_CELLS])}{more}"
