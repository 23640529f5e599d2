"""What the rules would have had instead of something wrong, in words."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.interpret.deed import Deed
from hexmarshal.referee.interpret.words import side_title, the_phase
from hexmarshal.rules.action import ParamType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.referee.drags.drag_run import DragRun
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
_WORDS: Final = (ParamType.CHOICE, ParamType.TEXT)
_ACTORS: Final = (ParamType.UNIT, ParamType.UNITS)
_AIMS: Final = (*_ACTORS, ParamType.CELL, ParamType.CELLS)


class WhatIsRight:
    """Says where a unit could have gone, or what could have been chosen."""

    def __init__(self, rules: Rules, interpreter: Interpreter) -> None:
        self._rules, self._interpreter = rules, interpreter

    def of(self, belief: Position, action: Action, run: DragRun | None) -> str:
        """Instead of an announcement, or of a drag."""
        way = self._way(action) if run is None else (run.units, run.cells)
        if way is None:
            return self._choice(belief, action)
        units, cells = way
        if len(units) != 1:
            return "the units stay where they were"
        return self._where(belief, action, units[0], cells)

    def _way(self, action: Action) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """Who goes which way by an announcement; None if it is about something else."""
        if action.kind not in self._interpreter.drags:
            return None
        units, cells = self._interpreter.way_of(action)
        return (units, cells) if len(units) == 1 and cells else None

    def _where(self, belief: Position, action: Action, unit: str, way: tuple[str, ...]) -> str:
        """Where a unit could have gone."""
        if action.side not in belief.active:
            return f"{unit} may not move now"
        if belief.state or not self._interpreter.moves_in(belief):
            offered = self._offered(belief, action.side, unit)
            if offered:
                return f"{unit} may go to {_listed(offered)}"
        if not self._interpreter.moves_in(belief):
            return self._interpreter.told_of_phase(belief) or f"{unit} may not move now"
        there = way[-1]
        # Where it went it may go as well, perhaps, but not like this.
        cells = [
            cell for cell in self._interpreter.reach_towards(belief, unit, there) if cell != there
        ]
        if not any(self._may_go(belief, unit, (cell,)) for cell in cells[:_TRIED]):
            return f"{unit} may not move"
        prefixes = (way[:length] for length in range(len(way) - 1, 0, -1))
        far = next((one for one in islice(prefixes, _TRIED) if self._may_go(belief, unit, one)), ())
        this_way = f"; on this way as far as {far[-1]}" if far else ""
        return f"{unit} may go to {_listed(cells)}{this_way}"

    def _may_go(self, belief: Position, unit: str, cells: tuple[str, ...]) -> bool:
        deeds = [Deed(unit, None, None, cells)]
        try:
            if self._interpreter.legal(belief, deeds) is not None:
                return True
            # No straight way, but perhaps a road.
            return self._interpreter.asked_way(belief, deeds) is not None
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
        """What could have been chosen last for something announced, all else as it was.

        Where nothing could, what could have been chosen before that; or what is done now at all.
        """
        kind = self._rules.game.actions[action.kind]
        if action.side not in belief.active or not kind.fits(belief.phase, belief.state):
            return self._now(belief, action.side)
        given = [param for param in kind.params if param.name in action.params]
        slots = [param.name for param in given if param.type in _AIMS]
        rest = [p.name for p in given if p.required and p.name not in slots and p.type in _WORDS]
        for slot in (*slots[-1:], *rest):
            found = self._others(belief, action, slot)
            if found and slot in rest:
                return f"{kind.title}, {slot.replace('_', ' ')}: {_values(found)}"
            if found:
                alone = len(slots) == 1 and any(p.name == slot and p.type in _ACTORS for p in given)
                return f"{kind.title} {'by' if alone else 'at'} {_values(found)}"
        if len(slots) > 1:
            # Nobody else to aim at: then somebody else might do it.
            actor = slots[0]
            found = self._others(belief, _without(action, slots[1:]), actor)
            more = f"{kind.title} by {_values(found)}" if found else self._now(belief, action.side)
            return f"nothing for {_told(action, actor)} to aim at; {more}"
        return self._now(belief, action.side)

    def _others(self, belief: Position, action: Action, slot: str) -> tuple[Value, ...]:
        try:
            found = self._rules.others(belief, action, slot)
        except HexMarshalError:
            return ()
        given = action.params[slot]
        chosen = given if isinstance(given, tuple) else (given,)
        return tuple(value for value in found if value is not None and value not in chosen)

    def _now(self, belief: Position, side: str) -> str:
        """What is asked, or belongs here, and of whom."""
        game = self._rules.game
        titles = dict.fromkeys(
            kind.title.lower()
            for kind in game.actions.values()
            if not kind.anytime and kind.fits(belief.phase, belief.state)
            if any(self._is_offered(belief, one, kind.name) for one in belief.active)
        )
        asked = game.frames[belief.state].title if belief.state in game.frames else ""
        acting = " and ".join(side_title(game, one) for one in belief.active)
        others = f"{acting} first" if side and acting and side not in belief.active else ""
        lead = ", ".join(filter(None, (others, asked))) or the_phase(game, belief.phase)
        return f"{lead}: {_listed(list(titles))}" if titles else lead

    def _is_offered(self, belief: Position, side: str, kind: str) -> bool:
        try:
            return next(iter(self._rules.offers(belief, side, (kind,))), None) is not None
        except HexMarshalError:
            return False


def _values(values: Sequence[Value]) -> str:
    return _listed([str(value) for value in values])


def _without(action: Action, slots: Sequence[str]) -> Action:
    return replace(action, params=action.params.without(*slots))


def _told(action: Action, slot: str) -> str:
    value = action.params[slot]
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _listed(cells: Sequence[str]) -> str:
    more = f" and {len(cells) - _TOLD_CELLS} more" if len(cells) > _TOLD_CELLS else ""
    return f"{', '.join(cells[:_TOLD_CELLS])}{more}"
