"""Section 5.0: how many units a hex holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.traces_of_war.state.kinds import HQ
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from hexmarshal.games.traces_of_war.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["LIMIT", "crowded", "overfull", "stacking_faults"]

LIMIT = 2


def crowded(now: Situation, unit: Unit, cell: str, leaving: Collection[str] = ()) -> str:
    """Which rule a unit would break by ending in a hex; '' if there is room for it.

    The nations of the Axis mix freely (TOW-5.0c), and the bridgehead does not count (TOW-5.0e).
    """
    gone = {unit.id, *leaving}
    if unit.type == HQ:
        # TOW-2.3b: one headquarters a hex.
        rivals = [u for u in now.headquarters(cell, unit.side) if u.id not in gone]
        return "TOW-2.3b" if rivals else ""
    # TOW-5.0a: two combat units, and a reduced one counts like a full one.
    there = [u for u in now.combat_units(cell, unit.side) if u.id not in gone]
    return "TOW-5.0a" if len(there) >= LIMIT else ""


def overfull(
    now: Situation, unit: Unit, cell: str, rule: str, ends: str = "TOW-5.0b", *cured_by: str
) -> Iterator[Violation]:
    """What a unit breaks that ends where there is no room: the limit, and the rule of its way."""
    text = (
        f"{cell} holds a headquarters already"
        if rule == "TOW-2.3b"
        else f"{cell} holds {LIMIT} combat units already"
    )
    for broken in (rule, ends):
        yield Violation(broken, text, cells=(cell,), units=(unit.id,), cured_by=cured_by)
    nations = {one.value("nation") for one in (unit, *now.combat_units(cell, unit.side))}
    if rule == "TOW-5.0a" and unit.side == "axis" and len(nations) > 1:
        text = f"nations mix in {cell}, and still it holds {LIMIT} combat units"
        yield Violation("TOW-5.0c", text, cells=(cell,), units=(unit.id,), cured_by=cured_by)


def stacking_faults(now: Situation) -> Iterator[Violation]:
    """Hexes of the position that hold what they may not."""
    for cell, stack in now.position.occupied.items():
        ids = tuple(unit.id for unit in stack)
        if len({unit.side for unit in stack}) > 1:
            yield Violation(
                "TOW-5.0d", f"{cell} holds units of both sides", cells=(cell,), units=ids
            )
            continue
        side = stack[0].side
        if len(now.combat_units(cell, side)) > LIMIT:
            text = f"{cell} holds more than {LIMIT} combat units"
            yield Violation("TOW-5.0a", text, cells=(cell,), units=ids)
        if len(now.headquarters(cell, side)) > 1:
            text = f"{cell} holds more than one headquarters"
            yield Violation("TOW-2.3b", text, cells=(cell,), units=ids)
