"""Section 14: a mechanised division that fights together counts double."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.state.situation import AXIS, SOVIET

if TYPE_CHECKING:
    from hexmarshal.games.kharkov.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["doubling"]

PARTS = 3


def division(now: Situation, unit: Unit) -> tuple[Unit, ...]:
    """The units of the mechanised division that are on the map (KHA-14.31)."""
    name = unit.value("division")
    if unit.side != AXIS or not name or not now.kind(unit).mechanised:
        return ()
    divisions = now.position.remember("divisions", lambda: _divisions(now))
    return divisions.get(str(name), ())


def _divisions(now: Situation) -> dict[str, tuple[Unit, ...]]:
    found: dict[str, tuple[Unit, ...]] = {}
    for unit in now.on_map(AXIS):
        if now.kind(unit).mechanised and (name := unit.value("division")):
            found[str(name)] = (*found.get(str(name), ()), unit)
    return found


def doubling(now: Situation, unit: Unit, role: str) -> str:
    """The rule that doubles the unit; '' if none does.

    KHA-14.0-G: only all three units of one division, reduced ones too; with one eliminated it is
    over for good (KHA-14.32).
    """
    units = division(now, unit)
    if len(units) != PARTS:
        return ""
    if len({u.cell for u in units}) == 1:
        return "KHA-14.1"  # stacked: attack, defence and overrun
    if role == "defence" and _mobile(now, units):
        return "KHA-14.2"
    return ""


def _mobile(now: Situation, units: tuple[Unit, ...]) -> bool:
    """Mobile defence: alone in their hexes, and each linked to another of the division."""
    ids = {u.id for u in units}
    alone = all(other.id in ids for u in units for other in now.fighters(u.cell, AXIS))
    return alone and all(any(_linked(now, u, v, ids) for v in units if v.id != u.id) for u in units)


def _linked(now: Situation, one: Unit, two: Unit, ids: set[str]) -> bool:
    """At most 2 hexes, the far end counted; no enemy and no other division on the way.

    Zones of control do not matter here.
    """
    far = now.board.distance(one.cell, two.cell)
    if far <= 1:
        return True
    if far > now.tables.schedule["links"]:
        return False
    between = set(now.board.near[one.cell]) & set(now.board.near[two.cell])
    return any(_clear(now, cell, ids) for cell in between)


def _clear(now: Situation, cell: str, ids: set[str]) -> bool:
    return not now.at(cell, SOVIET) and all(u.id in ids for u in now.fighters(cell, AXIS))
