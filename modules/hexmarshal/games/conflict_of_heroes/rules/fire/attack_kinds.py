"""An attack as it is made: from where, with what, and which colour of firepower it needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.games.conflict_of_heroes.state.tables import Card
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["Assault", "colour_of", "explosive", "higher", "shells"]


@dataclass(frozen=True, slots=True)
class Assault:
    """How an attack is made, whoever is at the other end.

    `origin` is where it is aimed from: the firer's hex, the observer's for indirect fire, '' for
    artillery off the map. `weapon` is a card used instead of the unit's own arms.
    """

    unit: Unit | None
    origin: str
    cell: str
    close: bool = False
    indirect: bool = False
    flame: bool = False
    artillery: bool = False
    supporters: tuple[Unit, ...] = ()
    thrown: frozenset[str] = frozenset()  # supporters who use their weapon cards
    aimed: bool = False
    weapon: Card | None = None
    crossed: int = 0  # smoke between the two hexes


def explosive(now: Situation, assault: Assault) -> bool:
    """COH-12.1a: whether the attack carries the burst symbol, and so finds every flank."""
    if assault.artillery:
        return True
    if assault.weapon is not None:
        return assault.weapon.he
    own_arms = not assault.close and not assault.flame
    return own_arms and assault.unit is not None and now.counter(assault.unit).he


def shells(now: Situation, assault: Assault) -> bool:
    """Whether it is the fire of a mortar or of artillery, on the map or off it (COH-12.1a)."""
    return assault.artillery or (assault.weapon is None and explosive(now, assault))


def colour_of(now: Situation, assault: Assault, target: Unit) -> str:
    """COH-7.1a, COH-15.0a: the colour of the target's defence, which the firepower must match."""
    counter = now.counter(target)
    if counter.armour == "blue" and counter.open_top:
        # COH-15.5a: a roof of nothing against shells, and against men in close combat.
        storming = assault.close and assault.unit is not None and now.counter(assault.unit).infantry
        if explosive(now, assault) or storming:
            if storming and _prefers_blue(now, assault):
                return "blue"
            return "red"
    return counter.armour


def _prefers_blue(now: Situation, assault: Assault) -> bool:
    """COH-15.5a: tank hunters may use their blue firepower all the same."""
    if assault.unit is None or assault.weapon is not None or assault.flame:
        return False
    counter = now.counter(assault.unit)
    return counter.kind == "at_team" and counter.blue > counter.red


def higher(now: Situation, one: str, other: str) -> bool:
    """Whether one hex lies higher than another."""
    return now.board.levels[one] > now.board.levels[other]
