"""Substitution: the unit or leader one level below or above another of its nation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.state.units.nations import CLASSES
from hexmarshal.games.asl.state.units.traits import is_commissar, is_partisan, nation_of

if TYPE_CHECKING:
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["higher", "levels_of_leaders", "lower"]

_ENGINEERS = "_ae"


def levels_of_leaders(now: Situation, unit: Unit) -> tuple[str, ...]:
    """ASL-A19.13b, ASL-NAT-FIN: the levels of a nation's leaders from the lowest up."""
    own = nation_of(now, unit).leaders
    return own or tuple(now.tables.heat["leaders"])


def _leader(now: Situation, unit: Unit, step: int) -> str:
    """The level next to a leader's; one between the levels falls to the next on either side."""
    levels = levels_of_leaders(now, unit)
    if unit.type in levels:
        at = levels.index(unit.type) + step
        return levels[at] if 0 <= at < len(levels) else ""
    own = now.counter(unit)
    ordered = levels if step > 0 else tuple(reversed(levels))
    for key in ordered:
        one = now.tables.counters[key]
        better = (one.morale - own.morale) * step, (own.leadership - one.leadership) * step
        if min(better) >= 0 and max(better) > 0:
            return key
    return ""


def lower(now: Situation, unit: Unit) -> str:
    """ASL-A19.13a, ASL-A19.13b, ASL-A19.13f: what replaces it; '' where nothing is lower."""
    counter = now.counter(unit)
    if is_commissar(now, unit):
        return ""
    if counter.kind == "leader":
        return _leader(now, unit, -1)
    chart = nation_of(now, unit).replaced_by
    if counter.kind == "squad":
        return chart.get(unit.type, "") or chart.get(unit.type.removesuffix(_ENGINEERS), "")
    if counter.kind != "half_squad":
        return ""
    squad = now.tables.squads_of.get(unit.type, "")
    below = chart.get(squad, "") or chart.get(squad.removesuffix(_ENGINEERS), "")
    return now.tables.counters[below].half if below else ""


def higher(now: Situation, unit: Unit) -> str:
    """ASL-BH-1: the weakest of the next class with no factor less; '' where it is the top."""
    counter = now.counter(unit)
    if is_commissar(now, unit):
        return ""
    if counter.kind == "leader":
        return _leader(now, unit, 1)
    nation = nation_of(now, unit)
    if counter.quality not in CLASSES or is_partisan(now, unit):
        return ""
    first = CLASSES.index(counter.quality)
    if first >= CLASSES.index(nation.fanatic_from):
        return ""
    for quality in CLASSES[first + 1 :]:
        found = [
            one
            for one in now.tables.counters.values()
            if one.nation == counter.nation
            and one.kind == counter.kind
            and one.quality == quality
            and one.is_reduced == counter.is_reduced
            and one.assault_engineer == counter.assault_engineer
            and one.fp >= counter.fp
            and one.range >= counter.range
            and one.morale >= counter.morale
        ]
        if found:
            return min(
                found, key=lambda one: (one.elr_5, one.fp, one.range + one.morale, one.key)
            ).key
    return ""
