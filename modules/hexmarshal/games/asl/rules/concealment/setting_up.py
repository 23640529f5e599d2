"""What may be concealed or hidden at set-up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.concealment.cover import in_concealment_terrain, observers
from hexmarshal.games.asl.rules.concealment.large_counters import is_hidden_with_gun, seen_work
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.vehicles import is_vehicle
from hexmarshal.games.asl.state.units.works import is_gun, is_work
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.asl.state.situation import Situation

__all__ = ["cover_faults"]


def cover_faults(now: Situation) -> Iterator[Violation]:
    """ASL-A12.12a, ASL-HIP-1: units in good order, in concealment terrain."""
    for unit in now.position.units.values():
        if not unit.cell or not now.is_hidden(unit):
            continue
        name, cell = unit.id, unit.cell
        if is_work(unit):
            if why := seen_work(now, unit):  # ASL-HIP-2
                text = f"{name} in {cell} is put on the map: {why}"
                yield Violation("ASL-HIP-2", text, "", (cell,), (name,), f"units.{name}.flags")
            continue
        if unit.has(marks.HIDDEN) and is_hidden_with_gun(now, unit):  # ASL-HIP-3
            seen = observers(now, unit, within=None)
            if seen and not in_concealment_terrain(now, now.at(unit)):
                text = f"{name} in {cell} is in the open in sight of {seen[0].id}"
                yield Violation("ASL-HIP-3", text, "", (cell,), (name,), f"units.{name}.cell")
            continue
        if not now.is_personnel(unit) and not is_vehicle(unit) and not is_gun(unit):
            continue
        rule = "ASL-HIP-1" if unit.has(marks.HIDDEN) else "ASL-A12.12a"
        if not in_concealment_terrain(now, now.at(unit)):
            text = f"{name} in {cell} is not in concealment terrain"
            yield Violation(rule, text, "", (cell,), (name,), f"units.{name}.cell")
        if not now.good_order(unit):
            text = f"{name} is not in good order"
            yield Violation(rule, text, "", (cell,), (name,), f"units.{name}.flags")
