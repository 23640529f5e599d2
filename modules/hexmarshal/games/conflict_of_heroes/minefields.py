"""Minefields: the owner's roll when somebody is in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes import casualties, marching, source, victory
from hexmarshal.games.conflict_of_heroes.flow import advance
from hexmarshal.games.conflict_of_heroes.movement import able_to_move
from hexmarshal.games.conflict_of_heroes.rolling import Roller, roll_objections, total_cap
from hexmarshal.games.conflict_of_heroes.table import listed
from hexmarshal.rules.verdict import Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from hexmarshal.games.conflict_of_heroes.scene import Scene
    from hexmarshal.games.conflict_of_heroes.table import Table
    from hexmarshal.rules.action import Action

__all__ = ["apply_mines", "check_mines"]

ROLL = "mines"


def check_mines(scene: Scene, action: Action) -> Verdict:
    """COH-18.3.3b: the owner may buy points for the roll."""
    found = list(roll_objections(scene, action, [ROLL]))
    if total_cap(action, [ROLL]) > scene.cap(action.side):
        text = f"{action.side} has {scene.cap(action.side)} CAP"
        found.append(Violation("COH-3.2.3a", text, field="cap"))
    return Verdict(tuple(found))


def apply_mines(table: Table, action: Action) -> None:
    """8 or more hits, whatever the ground; then who is left goes on with his way."""
    entry = table.answered()
    table.spend_cap(action.side, total_cap(action, [ROLL]))
    unit, need = str(entry["unit"]), source.number("fire", "mines")
    rolled = Roller(table, action.side, action).two("mines", ROLL, (need,))
    hit = rolled.total >= need
    table.decide(
        Resolution(
            "mines",
            "hit" if hit else "miss",
            modifiers=rolled.modifiers,
            dice=rolled.dice,
            steps=(Step(f"{rolled.total} of {need} against {unit}", "COH-18.3.3b"),),
        )
    )
    if hit:
        casualties.apply_hits(table, unit, 1, action.side)
    rest = listed(entry.get("rest", ()))
    facing = entry.get("facing")
    facing = facing if isinstance(facing, int) else None
    occupy = entry.get("occupy") is True
    own = table.unit(unit)
    if own.cell:
        if not rest:
            marching.arrive(table, unit, own.cell, occupy=occupy)
        elif not any(able_to_move(table.scene, own)):
            hidden = entry.get("hidden") is True
            marching.march(table, unit, rest, facing, hidden=hidden, occupy=occupy)
    victory.settle_control(table)
    advance(table)
