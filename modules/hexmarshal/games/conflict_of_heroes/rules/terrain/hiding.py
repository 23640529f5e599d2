"""Hidden units: what gives them away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.terrain import sight
from hexmarshal.games.conflict_of_heroes.rules.turn import solitaire
from hexmarshal.rules.state.effects import ChangeUnit

if TYPE_CHECKING:
    from hexmarshal.games.conflict_of_heroes.state.execution import Play
    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit

__all__ = [
    "apply_face",
    "in_cover",
    "look_around",
    "reveal",
    "reveal_actor",
]


def in_cover(now: Situation, unit: Unit, watcher: str) -> bool:
    """COH-10.0f: whether a hidden unit is in cover as seen from a hex; height is no cover."""
    cell = now.cell(unit)
    if now.kind(cell).cover or unit.has("hasty") or now.fort(unit) is not None:
        return True
    # COH-5.0.2d
    return watcher != cell and sight.crosses_wall(now.board, watcher, cell)


def betrayed(now: Situation, unit: Unit) -> bool:
    """Whether a hidden unit can be hidden no longer where it is."""
    cell = now.cell(unit)
    if _shares(now, unit):
        return True
    for watcher in now.watchers(unit.side):
        if now.hidden(watcher):
            continue
        place = now.cell(watcher)
        # COH-10.0f, COH-10.1b
        if (
            now.board.distance(place, cell) <= solitaire.NEAR
            and not in_cover(now, unit, place)
            and now.sees(place, cell)
        ):
            return True
    return False


def look_around(play: Play) -> None:
    """Reveal every hidden unit that has been given away."""
    hidden = [u for u in play.position.units.values() if u.seen_by is not None and u.cell]
    for unit in hidden:
        as_it_is = play.position.units[unit.id]
        if as_it_is.seen_by is not None and betrayed(play.now, as_it_is):
            reveal(play, unit.id, "COH-10.0c" if _shares(play.now, as_it_is) else "COH-10.0f")
    solitaire.turn_coins(play)


def _shares(now: Situation, unit: Unit) -> bool:
    """COH-10.0c, COH-10.0f: in one hex with a unit that is not hidden, or with any enemy."""
    others = (other for other in now.at(now.cell(unit)) if other.id != unit.id)
    return any(not now.hidden(o) or now.hostile(unit.side, o) for o in others)


def reveal(play: Play, unit: str, rule: str, facing: int | None = None) -> None:
    """COH-10.0a, COH-10.0b: a unit comes to light with all hidden ones in its hex.

    Its owner chooses the facing: now, if his own action reveals it, else as a decision.
    """
    first = play.unit(unit)
    if first.seen_by is None:
        return
    # COH-10.0c: whose they are does not matter.
    mates = [u for u in play.now.at(first.cell) if u.seen_by is not None and u.id != unit]
    for one in (first, *mates):
        play.do(ChangeUnit(one.id, seen_by=("*",)))
        play.tell("revealed", f"{one.id} is revealed in {one.cell}", rule)
        if one.id == unit and facing is not None:
            play.do(ChangeUnit(one.id, facing=facing))
        elif one.facing is None and not one.carrier:
            play.queue("face", one.side, {"unit": one.id})


def reveal_actor(play: Play, unit: str, facing: int | None) -> None:
    """COH-10.0b: who acts is revealed, even out of every enemy's sight."""
    if play.unit(unit).seen_by is not None:
        reveal(play, unit, "COH-10.0b", facing)


def apply_face(play: Play, action: Action) -> None:
    """The owner of a unit that came to light says where it looks."""
    from hexmarshal.games.conflict_of_heroes.rules.turn.turn_order import advance

    asked = play.settled()
    play.do(ChangeUnit(asked.text("unit"), facing=action.number("facing")))
    advance(play)
