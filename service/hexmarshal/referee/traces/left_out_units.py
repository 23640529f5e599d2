"""Units that were turned up before dice were rolled: they took part in what those were for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError
from hexmarshal.rules.action import ParamType

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from hexmarshal.referee.case.mind import Anchor
    from hexmarshal.referee.interpret.rules_calls import Rules
    from hexmarshal.referee.results.marks import Marks
    from hexmarshal.rules.action import Action, ActionType
    from hexmarshal.rules.state.position import Position

__all__ = ["leaves_out", "turned_up"]


def turned_up(anchor: Anchor, marks: Marks) -> frozenset[str]:
    """Who was turned up before the dice since an anchor, or shortly before that."""
    if not anchor.dice:
        return frozenset()
    first = min(throw.step for throw in anchor.dice)
    since = {unit for unit, step in anchor.touched.items() if step < first}
    # Who fought since then was turned up for that.
    rolled = max((e.last for e in anchor.before.entries if e.dice), default=0)
    before = {one.unit for one in anchor.before.revealed if rolled < one.now.step < first}
    start = anchor.before.belief
    return frozenset(before | {unit for unit in since if marks.is_revealed(unit, start)})


def leaves_out(rules: Rules, turned: Collection[str], here: Position, action: Action) -> bool:
    """Whether somebody who was `turned` up could do an action with others, and does not.

    Without him its result may be another, which nobody had.
    """
    kind, units = rules.game.actions[action.kind], here.units
    several = [p.name for p in kind.params if p.type is ParamType.UNITS and p.required]
    if not turned or len(several) != 1 or any(p.type is ParamType.PATH for p in kind.params):
        return False
    names = action.texts(several[0])
    others = (u for u in turned if u in units and units[u].side == action.side)
    return any(
        _may(rules, here, replace(one, params=one.params.set(several[0], (*names, unit))))
        for unit in others
        if unit not in names
        for one in _at_each(kind, action)
    )


def _at_each(kind: ActionType, action: Action) -> Iterator[Action]:
    """An action, and the same at each of its aims alone."""
    yield action
    aims = [param.name for param in kind.params if param.type is ParamType.CELLS]
    cells = action.texts(aims[0]) if len(aims) == 1 else ()
    for cell in cells if len(cells) > 1 else ():
        yield replace(action, params=action.params.set(aims[0], (cell,)))


def _may(rules: Rules, here: Position, action: Action) -> bool:
    try:
        return rules.check(here, action).legal
    except HexMarshalError:
        return False
