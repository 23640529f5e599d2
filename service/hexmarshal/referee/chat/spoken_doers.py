"""Who does something by what players said beside the dice for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.referee.chat.chat_mentions import cells_of, spoken_near
from hexmarshal.referee.chat.told_apart import told_fights
from hexmarshal.referee.drags.drag_actions import named

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hexmarshal.referee.interpret.log_dice import Throw
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.plugin import Game
    from hexmarshal.rules.state.position import Position

__all__ = ["doers_named_for", "named_doers"]


def named_doers(throws: Iterable[Throw], here: Position, side: str) -> tuple[str, ...]:
    """The units of a side that players named beside dice: rather those did it than others."""
    units = here.units
    return tuple(n for n in spoken_near(throws) if n in units and units[n].side == side)


def doers_named_for(
    game: Game, action: Action, throws: Iterable[Throw], here: Position
) -> frozenset[str]:
    """The units of whoever acts that players named for what an action aims at.

    Who tells several attacks in one line names the attackers and the aim of each.
    """
    units = here.units
    aims = {*cells_of(action, game.actions[action.kind])}
    aims |= {units[n].cell for n in named(action) if n in units and units[n].side != action.side}
    found: set[str] = set()
    for throw in dict.fromkeys(throws):
        fights = told_fights(throw.parts, here, action.side)
        apart = len(fights) > 1
        for own, others in (
            (_own_and_others(fight, here, action.side) for fight in fights)
            if apart
            else _parts(throw.about, here, action.side)
        ):
            if not aims.isdisjoint(units[n].cell if n in units else n for n in others):
                found |= {*own}
    return frozenset(found)


def _own_and_others(
    names: Sequence[str], here: Position, side: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    own = tuple(n for n in names if n in here.units and here.units[n].side == side)
    return own, tuple(n for n in names if n not in own)


def _parts(
    about: Sequence[str], here: Position, side: str
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Names in parts of own units and what else they go with, in whichever order that stands."""
    units = here.units
    is_own = [name in units and units[name].side == side for name in about]
    first = 0
    for at in range(1, len(about) + 1):
        kinds = {*is_own[first:at]}
        begins = at < len(about) and len(kinds) > 1 and is_own[at] is is_own[first]
        if at < len(about) and (not begins or is_own[at] is is_own[at - 1]):
            continue
        part = range(first, at)
        yield (
            tuple(about[i] for i in part if is_own[i]),
            tuple(about[i] for i in part if not is_own[i]),
        )
        first = at
