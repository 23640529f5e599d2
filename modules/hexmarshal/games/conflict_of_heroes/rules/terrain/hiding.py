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


def in_cover(scene: Situation, unit: Unit, watcher: str) -> bool:
    """COH-10.0f: whether a hidden unit is in cover as seen from a hex; height is no cover."""
    cell = scene.cell(unit)
    if scene.kind(cell).cover or unit.has("hasty") or scene.fort(unit) is not None:
        return True
    # COH-5.0.2d
    return watcher != cell and sight.crosses_wall(scene.board, watcher, cell)


def betrayed(scene: Situation, unit: Unit) -> bool:
    """Whether a hidden unit can be hidden no longer where it is."""
    cell = scene.cell(unit)
    if _shares(scene, unit):
        return True
    for watcher in scene.watchers(unit.side):
        if scene.hidden(watcher):
            continue
        place = scene.cell(watcher)
        # COH-10.0f, COH-10.1b
        if (
            scene.board.distance(place, cell) <= solitaire.NEAR
            and not in_cover(scene, unit, place)
            and scene.sees(place, cell)
        ):
            return True
    return False


def look_around(table: Play) -> None:
    """Reveal every hidden unit that has been given away."""
    hidden = [u for u in table.position.units.values() if u.seen_by is not None and u.cell]
    for unit in hidden:
        now = table.position.units[unit.id]
        if now.seen_by is not None and betrayed(table.scene, now):
            reveal(table, unit.id, "COH-10.0c" if _shares(table.scene, now) else "COH-10.0f")
    solitaire.turn_coins(table)


def _shares(scene: Situation, unit: Unit) -> bool:
    """COH-10.0c, COH-10.0f: in one hex with a unit that is not hidden, or with any enemy."""
    others = (other for other in scene.at(scene.cell(unit)) if other.id != unit.id)
    return any(not scene.hidden(o) or scene.hostile(unit.side, o) for o in others)


def reveal(table: Play, unit: str, rule: str, facing: int | None = None) -> None:
    """COH-10.0a, COH-10.0b: a unit comes to light with all hidden ones in its hex.

    Its owner chooses the facing: now, if his own action reveals it, else as a decision.
    """
    first = table.unit(unit)
    if first.seen_by is None:
        return
    # COH-10.0c: whose they are does not matter.
    mates = [u for u in table.scene.at(first.cell) if u.seen_by is not None and u.id != unit]
    for one in (first, *mates):
        table.do(ChangeUnit(one.id, seen_by=("*",)))
        table.tell("revealed", f"{one.id} is revealed in {one.cell}", rule)
        if one.id == unit and facing is not None:
            table.do(ChangeUnit(one.id, facing=facing))
        elif one.facing is None and not one.carrier:
            table.queue("face", one.side, {"unit": one.id})


def reveal_actor(table: Play, unit: str, facing: int | None) -> None:
    """COH-10.0b: who acts is revealed, even out of every enemy's sight."""
    if table.unit(unit).seen_by is not None:
        reveal(table, unit, "COH-10.0b", facing)


def apply_face(table: Play, action: Action) -> None:
    """The owner of a unit that came to light says where it looks."""
    from hexmarshal.games.conflict_of_heroes.rules.turn.turn_order import advance

    asked = table.settled()
    table.do(ChangeUnit(asked.text("unit"), facing=action.number("facing")))
    advance(table)
