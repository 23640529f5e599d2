"""HOS-2.20, HOS-2.24, HOS-2.100, HOS-7.2: whose turn it is to act, and which units may."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.state.kinds import ACTIVATED, MOVED
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["acting", "in_reserve", "mover_faults", "movers", "reserve_faults"]

BLUFF = "bluff"


def acting(now: Situation, unit: Unit, side: str, what: str) -> Iterator[Violation]:
    """HOS-2.20, HOS-2.24: the unit activated takes one action, or as many as a card allows."""
    mine = (unit.id,)
    frame = now.activation
    if unit.side != side:
        yield Violation("HOS-2.20", f"{unit.id} is not {side}'s", units=mine)
    elif not now.is_live(unit):
        yield Violation("HOS-2.20", f"{unit.id} is not on the board", units=mine)
    elif frame is None or frame.text("unit") != unit.id:
        yield _not_now(now, unit)
    elif what in (done := frame.texts("done")):
        yield Violation("HOS-2.24", f"{unit.id} has taken its {what} action", units=mine)
    elif done and frame.value("second") is not True:
        yield Violation("HOS-2.24", f"{unit.id} has taken its action", units=mine)


def _not_now(now: Situation, unit: Unit) -> Violation:
    """Why it is not the unit that is activated now, by the token that it bears."""
    token = now.token_on(unit)
    if token is not None and token.values.get("token") == BLUFF:
        return Violation("HOS-2.11", f"a bluff does not activate {unit.id}", units=(unit.id,))
    if token is not None and token.known_to is None:
        text = f"{unit.id} has had its activation in this turn"
        return Violation("HOS-2.24", text, units=(unit.id,))
    return Violation("HOS-2.20", f"{unit.id} is not activated now", units=(unit.id,))


def reserve_faults(now: Situation, unit: Unit, side: str) -> Iterator[Violation]:
    """HOS-2.100: who has no order and no Activated marker moves once in the Reserve Phase."""
    mine = (unit.id,)
    token = now.token_on(unit)
    if unit.side != side or not now.is_live(unit):
        yield Violation("HOS-2.100", f"{unit.id} is no unit of {side} on the board", units=mine)
        return
    if token is not None and token.values.get("token") != BLUFF:
        yield Violation("HOS-2.100", f"{unit.id} had an order in this turn", units=mine)
    if unit.has(ACTIVATED):
        for rule in ("HOS-2.100", "HOS-7.2"):
            yield Violation(rule, f"{unit.id} bears an Activated marker", units=mine)
    if unit.has(MOVED):
        yield Violation("HOS-2.100", f"{unit.id} has moved in this phase", units=mine)


def in_reserve(now: Situation) -> bool:
    """Whether it is the Reserve Phase."""
    return now.position.phase == "reserve"


def mover_faults(now: Situation, unit: Unit, side: str) -> Iterator[Violation]:
    """Whether a unit may take a Move Action now."""
    if in_reserve(now) and now.activation is None:
        yield from reserve_faults(now, unit, side)
    else:
        yield from acting(now, unit, side, "move")
    if unit.has("damage_tracks"):
        # HOS-2.93: without tracks there is no Move Action any more.
        yield Violation("HOS-2.93", f"the tracks of {unit.id} are damaged", units=(unit.id,))


def movers(now: Situation, side: str, cells: int) -> tuple[str, ...]:
    """The units, of one cell or of two, that may move now."""
    if in_reserve(now) and now.activation is None:
        units = list(now.live(side))
    else:
        frame = now.activation
        found = None if frame is None else now.position.units.get(frame.text("unit"))
        units = [] if found is None else [found]
    return tuple(
        u.id
        for u in units
        if now.counter(u).cells == cells and not any(True for _ in mover_faults(now, u, side))
    )
