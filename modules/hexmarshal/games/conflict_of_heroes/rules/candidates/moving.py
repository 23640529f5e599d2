"""How and where a unit moves, where it looks afterwards, and the members of a group move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.candidates.menu import (
    LEFT_OUT,
    OR_NOT,
    Menu,
    if_so,
    menu_of,
    unit_of,
)
from hexmarshal.games.conflict_of_heroes.rules.movement import reach
from hexmarshal.games.conflict_of_heroes.rules.offer_lists import FACINGS
from hexmarshal.games.conflict_of_heroes.rules.turn import payment
from hexmarshal.rules.choosing.slots import Grouped
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value


def modes(now: Situation, action: Action) -> Iterator[Value]:
    """How the unit may move."""
    ways = menu_of(now, action.side).modes(unit_of(now, action))
    return (None if mode == "normal" else mode for mode in ways)


def first_hexes(now: Situation, action: Action) -> Iterable[Value] | None:
    """The first hex of a way; then as any path."""
    return None if action.so_far("path") else reach.first_steps(now, unit_of(now, action))


def facings_after(_: Situation, action: Action) -> Iterable[Value]:
    """Where it looks after a move; one who moves hidden looks nowhere."""
    return if_so(action.text("mode") != "hidden", FACINGS)


def other_facings(now: Situation, action: Action) -> Iterator[int]:
    """Where it does not look yet."""
    facing = unit_of(now, action).facing
    return (way for way in FACINGS if way != facing)


def every_facing(_: Situation, __: Action) -> Iterable[int]:
    """All six."""
    return FACINGS


def occupying(now: Situation, action: Action) -> Iterable[Value]:
    """Into the trench or bunker at the end of the way, or not."""
    forts = any(menu_of(now, action.side).occupying(_end(action)))
    return if_so(forts and action.text("mode") != "hidden", OR_NOT)


def _end(action: Action) -> str:
    """The last hex of the way; none where there is no way."""
    return next(reversed(action.texts("path")), "")


def forts(now: Situation, action: Action) -> Iterable[Value]:
    """Which of them, where there are several."""
    if action.kind == "shift":
        unit = unit_of(now, action)
        cell = "" if now.fort(unit) is not None else unit.cell
    else:
        cell = _end(action) if action.flag("occupy") else ""
    if not cell:
        return LEFT_OUT
    named = [given.get("fort") for given in menu_of(now, action.side).occupying(cell)]
    return list(dict.fromkeys(named)) or LEFT_OUT


def entries(now: Situation, action: Action) -> Grouped[Unit]:
    """COH-9.1.1a: one more unit of the group with what it does; each beside one of the others."""
    menu = menu_of(now, action.side)
    held = action.given("moves")
    made = held if isinstance(held, tuple) else ()
    group = [now.position.units[str(e["unit"])] for e in made if isinstance(e, FrozenMap)]
    rapid = payment.way(action) == "card" and action.text("card") == "05"
    way = payment.way(action)
    members = [
        unit
        for unit in menu.units
        if not unit.carrier
        and unit not in group
        and _pays(now, action, unit)
        and (not group or any(_joins(now, menu, one, unit) for one in group))
    ]
    return Grouped(members, lambda unit: menu.entries(unit, way, rapid=rapid))


def _pays(now: Situation, action: Action, unit: Unit) -> bool:
    """Whether the unit has a part in this way to pay at all."""
    match payment.way(action):
        case "ap":
            return not unit.has("spent")
        case "opportunity":
            return now.fresh(unit)
        case _:
            return True


def _joins(now: Situation, menu: Menu, one: Unit, other: Unit) -> bool:
    """Beside each other on the map, or both waiting off it."""
    if now.cell(one) and now.cell(other):
        return menu.beside(one, other)
    return not now.cell(one) and not now.cell(other)
