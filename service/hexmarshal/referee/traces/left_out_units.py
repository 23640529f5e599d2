"""Units that were turned up before dice were rolled: they took part in what those were for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.drags.drag_actions import named
from hexmarshal.rules.action import ParamType

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from hexmarshal.referee.case.mind import Anchor
    from hexmarshal.referee.drags.routes import Routes
    from hexmarshal.referee.interpret.rules_calls import Rules
    from hexmarshal.referee.results.marks import Marks
    from hexmarshal.rules.action import Action, ActionType
    from hexmarshal.rules.game import Game
    from hexmarshal.rules.state.position import Position

__all__ = ["beside", "lacks", "leaves_out", "turned_up"]


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
    slot = _doers(kind)
    if not turned or not slot:
        return False
    names = action.texts(slot)
    others = (u for u in turned if u in units and units[u].side == action.side)
    return any(
        _may(rules, here, replace(one, params=one.params.set(slot, (*names, unit))))
        for unit in others
        if unit not in names
        for one in _at_each(kind, action)
    )


def lacks(game: Game, told: Collection[str], here: Position, action: Action) -> bool:
    """Whether somebody who was `told` to do it with others, and is on the map, does not."""
    slot = _doers(game.actions[action.kind])
    if not told or not slot:
        return False
    names, units = action.texts(slot), here.units
    others = (units[one] for one in told if one in units and one not in names)
    return any(one.side == action.side and one.cell for one in others)


def beside(
    units: Collection[str],
    here: Position,
    action: Action,
    routes: Routes,
    others: Collection[str] = (),
) -> frozenset[str]:
    """Those of some units who stand next to what others of their side do something to.

    Or next to `others`, whom players named with it.
    """
    known = here.units
    aims = {known[name].cell if name in known else name for name in named(action)}
    aims |= {known[n].cell for n in others if n in known and known[n].side != action.side} - {""}
    own = {known[name].cell for name in named(action) if name in known}
    near = routes.around(aims - own, 1)
    return frozenset(unit for unit in units if unit in known and known[unit].cell in near)


def _doers(kind: ActionType) -> str:
    """The slot of those who do something together where they are; empty if there is none."""
    several = [p.name for p in kind.params if p.type is ParamType.UNITS and p.required]
    on_the_way = any(p.type is ParamType.PATH for p in kind.params)
    return "" if len(several) != 1 or on_the_way else several[0]


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
