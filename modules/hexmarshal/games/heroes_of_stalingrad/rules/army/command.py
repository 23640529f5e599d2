"""HOS-2.5 to HOS-2.8, HOS-2.14, HOS-5.81, HOS-5.82: order stars, tokens, inspiration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.rules.sight.lines import sees
from hexmarshal.games.heroes_of_stalingrad.rules.sight.measure import unit_range
from hexmarshal.games.heroes_of_stalingrad.state.army import entries, slot_of
from hexmarshal.games.heroes_of_stalingrad.state.kinds import INFANTRY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["inspired_units", "star_list", "stars", "tokens_of"]


def star_list(now: Situation, side: str) -> Iterator[tuple[str, int]]:
    """HOS-2.5, HOS-2.6: who gives order stars, and how many.

    Stars beside a unit on its tile only recall those of the unit: data do not list them twice.
    """
    for entry in entries(now, side).values():
        if entry.broken:
            continue
        if own := int(entry.row.get("stars", 0)):
            yield entry.id, own
        # HOS-8.3: an Order that a filled slot unlocks benefits the whole army.
        if entry.option and (given := (slot_of(now, entry).get("unlocks") or {}).get("order")):
            yield f"{entry.of}, slot {entry.slot}", int(given)
    for unit in now.live(side):
        # HOS-5.82, HOS-2.8: of the face that shows; who is lost gives none from now on.
        # HOS-5.5: what a crew lends its vehicle is still its own one star.
        order = now.ability(unit, "order") if now.crew_with(unit, "order") is None else None
        if isinstance(order, int) and not isinstance(order, bool) and order:
            yield unit.id, order
        if now.has(unit, "personal_order") and now.crew_with(unit, "personal_order") is None:
            yield unit.id, 1  # HOS-5.83


def stars(now: Situation, side: str) -> int:
    """All order stars of a side."""
    return sum(count for _, count in star_list(now, side))


def tokens_of(now: Situation, side: str) -> dict[str, int]:
    """HOS-2.5, HOS-2.14: how many tokens of each sort a side takes at the start of a turn."""
    given = {"special": 0, "bluff": 0}
    for entry in entries(now, side).values():
        for name, count in (entry.row.get("gives") or {}).items():
            if not entry.broken:
                given[name] = given.get(name, 0) + int(count)
    caps = now.tables.caps
    extra = given["bluff"] if now.option("bluff_option") == "order" else 0
    bluffs = int(now.tables.limits["bluffs"]) + given["bluff"] - extra
    each_turn = now.option("battle_plan") == "each_turn" or now.position.turn == 1
    return {
        "numbered": min(stars(now, side) + extra, caps["numbered"]),
        "special": min(given["special"], caps["special"]) if each_turn else 0,
        "bluff": min(bluffs, caps["bluff"]),
    }


def inspired_units(now: Situation, unit: Unit) -> Iterator[Unit]:
    """HOS-5.81: Suppressed friendly infantry within reach and in sight of an inspiring unit."""
    reach = now.ability(unit, "inspiration")
    if not isinstance(reach, int) or isinstance(reach, bool):
        return
    for one in now.live(unit.side):
        if not now.suppressed(one) or now.family(one) != INFANTRY:
            continue
        if one.id == unit.id:
            if now.option("inspires_itself"):
                yield one
        elif unit_range(now, unit, one) <= reach and _seen(now, unit, one):
            yield one


def _seen(now: Situation, unit: Unit, one: Unit) -> bool:
    line = sees(now, unit, one)
    return line is not None and line.visible
