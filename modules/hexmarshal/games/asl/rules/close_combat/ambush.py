"""Ambush: where one may be laid, and what is added to the die of each side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.close_combat.units import fighters
from hexmarshal.games.asl.rules.concealment.cover import is_lax, is_stealthy, reveal
from hexmarshal.games.asl.state.situation import SIDES, other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.vehicles import vehicles_in
from hexmarshal.rules.verdict import Modifier, Resolution, Step

if TYPE_CHECKING:
    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.ground import Location
    from hexmarshal.games.asl.state.situation import Situation

__all__ = ["ambush_modifiers", "lay", "may_be_laid", "winner"]

_JUNGLE = frozenset({"Light Jungle", "Dense Jungle", "Bamboo", "Kunai"})


def may_be_laid(now: Situation, place: Location) -> bool:
    """ASL-AMB-1: in woods or a building, or where somebody is concealed; not in a melee."""
    here = [unit for side in SIDES for unit in fighters(now, place, side)]
    if any(unit.has(marks.MELEE) for unit in here):
        return False
    row = now.ground.terrain(place.cell)
    return (
        now.ground.in_building(place)
        or row.key == "woods"
        or any(now.is_hidden(unit) for unit in here)
    )


def ambush_modifiers(now: Situation, place: Location, side: str) -> tuple[Modifier, ...]:
    """ASL-AMB-2: what is against a side counts for any unit, what is for it for all."""
    here = fighters(now, place, side)
    mounted = [one for one in vehicles_in(now, place, side) if not one.abandoned]
    amount = now.tables.ambush
    found = []
    for name, bad in (
        ("cx", any(unit.has(marks.CX) for unit in here)),
        ("lax", any(is_lax(now, unit) for unit in here)),
        ("broken", any(unit.has(marks.BROKEN) for unit in here)),
        ("pinned", any(unit.has(marks.PINNED) for unit in here)),
        ("berserk", any(unit.has(marks.BERSERK) for unit in here)),
        ("jungle", side == now.phasing and _in_jungle(now, place)),
        ("vehicle", bool(mounted)),
        ("buttoned_up", any(one.buttoned_up for one in mounted)),
        ("stunned", any(one.dazed for one in mounted)),
    ):
        if bad:
            found.append(
                Modifier(
                    name.upper() if name == "cx" else name.replace("_", " "),
                    amount(name),
                    "ASL-AMB-2",
                )
            )
    if here and all(is_stealthy(now, unit) for unit in here):
        found.append(Modifier("stealthy", amount("stealthy"), "ASL-AMB-2"))
    if here and all(unit.has(marks.CONCEALED) for unit in here):
        found.append(Modifier("concealed", amount("concealed"), "ASL-AMB-2"))
    leaders = [
        unit
        for unit in here
        if now.is_leader(unit) and now.good_order(unit) and not unit.has(marks.PINNED)
    ]
    # ASL-AMB-2: not one alone, nor where somebody is berserk
    if leaders and len(here) > 1 and not any(unit.has(marks.BERSERK) for unit in here):
        best = min(now.leadership(one) for one in leaders)
        if best:
            found.append(Modifier("leadership", best, "ASL-AMB-2"))
    return tuple(found)


def _in_jungle(now: Situation, place: Location) -> bool:
    board = now.ground.board
    code = int(board.facts.centre[now.ground.index(place.cell)])
    return board.catalogue.by_code[code].name in _JUNGLE


def winner(now: Situation, totals: dict[str, int]) -> str:
    """ASL-AMB-1: the side that is lower by three; '' if none is."""
    for side in SIDES:
        if totals[other(side)] - totals[side] >= now.tables.ambush_margin:
            return side
    return ""


def lay(play: Play, place: Location) -> str:
    """ASL-AMB-1: a die for each side, the ATTACKER first; who is ambushed loses his "?"."""
    now = play.now
    totals: dict[str, int] = {}
    rolls, steps = [], []
    modifiers: list[Modifier] = []
    for side in (now.phasing, now.opposing):
        own = ambush_modifiers(now, place, side)
        value, roll = play.roll_one("ambush", side)
        totals[side] = value + sum(int(m.amount) for m in own)
        rolls.append(roll)
        modifiers.extend(own)
        told = "".join(f" {m.amount:+} {m.label}" for m in own)
        steps.append(Step(f"{side}: {value}{told} = {totals[side]}", "ASL-AMB-2"))
    first = winner(now, totals)
    steps.append(Step(f"{first} lies in ambush" if first else "no ambush", "ASL-AMB-1"))
    play.decide(
        Resolution(
            "ambush",
            first or "none",
            modifiers=tuple(modifiers),
            dice=tuple(rolls),
            steps=tuple(steps),
        )
    )
    if first:
        for unit in fighters(play.now, place, other(first)):
            if unit.has(marks.CONCEALED):
                reveal(play, unit.id, "it is ambushed", "ASL-AMB-1")
    return first
