"""Leader creation: a man of the ranks who takes command after a self-rally or in close combat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.heat_of_battle.heroes import join_move
from hexmarshal.games.asl.rules.quality.elr import free_name
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.traits import nation_of
from hexmarshal.rules.rolling.modifiers import tally
from hexmarshal.rules.state.effects import AddUnit
from hexmarshal.rules.state.pieces import Unit
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Modifier, Resolution, Step

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation

__all__ = ["LUCKY", "base_of", "leader_for", "modifiers_of", "new_leader", "promote"]

LUCKY = 2
"""The original roll that brings a leader."""
_SHARED = frozenset({marks.PINNED, marks.FANATIC, marks.MOVED, marks.MELEE, marks.CLOSE})


def base_of(now: Situation, names: Sequence[str]) -> str:
    """ASL-A18.2b: of several MMC the best one decides; by class and factors, ours for the BPV."""
    order = ("", "conscript", "green", "second", "first", "elite")

    def worth(name: str) -> tuple[int, int, int]:
        counter = now.counter(now.unit(name))
        factors = counter.fp + counter.range + counter.morale
        return (counter.kind == "squad", factors, order.index(counter.quality))

    return max(names, key=worth)


def modifiers_of(
    now: Situation, unit: Unit, *, broken: bool, below: int = 0, vehicle: bool = False
) -> list[Modifier]:
    """ASL-A18.2: nation, morale of the base unit, whether it was broken, and the odds."""
    table = now.tables.heat["leader_creation"]
    amounts = table["modifiers"]
    found = []
    nation = nation_of(now, unit).promotion
    if nation:
        found.append(Modifier(now.nation(unit).replace("_", " "), nation, "ASL-A18.2"))
    morale = now.counter(unit).morale
    if morale >= table["high_morale"]:
        found.append(Modifier(f"morale {morale}", amounts["high_morale"], "ASL-A18.2"))
    elif morale <= table["low_morale"]:
        found.append(Modifier(f"morale {morale}", amounts["low_morale"], "ASL-A18.2"))
    if broken:
        found.append(Modifier("broken", amounts["broken"], "ASL-A18.2"))
    if vehicle:
        found.append(Modifier("against a vehicle", amounts["vehicle"], "ASL-A18.2"))
    if below:
        label = f"{below} column(s) below 1-1"
        found.append(Modifier(label, below * amounts["column"], "ASL-A18.2"))
    return found


def leader_for(now: Situation, total: int) -> str:
    """ASL-A18.2: the counter of who is created by a final die; '' for nobody."""
    rows = now.tables.heat["leader_creation"]["results"]
    return next((str(row["leader"]) for row in rows if total <= row["to"]), "")


def new_leader(now: Situation, unit: Unit, name: str, key: str) -> Unit:
    """The leader who comes of an MMC: where it is, of its nation, fanatic with it."""
    nation = now.nation(unit)
    return Unit(
        name,
        key,
        unit.side,
        cell=unit.cell,
        level=unit.level,
        place=unit.place,
        flags=unit.flags & _SHARED,
        values=FrozenMap({"nation": nation} if nation else {}),
    )


def promote(
    play: Play, name: str, *, broken: bool = False, below: int = 0, vehicle: bool = False
) -> str:
    """ASL-A18.11, ASL-A18.2: a die for who takes command; his name, '' if there is nobody.

    In close combat `below` are the columns below 1-1. He may not be refused, and costs nobody.
    """
    now = play.now
    unit = now.unit(name)
    if nation_of(now, unit).promotion is None or not now.is_mmc(unit):
        return ""
    found = tally(modifiers_of(now, unit, broken=broken, below=below, vehicle=vehicle))
    rolled, roll = play.roll_one(f"leader creation of {name}", unit.side)
    total = rolled + int(found.total())
    key = leader_for(now, total)
    told = (
        f"{now.named(unit)}: {rolled}"
        + "".join(f" {m.amount:+} {m.label}" for m in found.counted)
        + f" = {total}: {key or 'nobody'}"
    )
    play.decide(
        Resolution(
            "leader creation",
            key or "none",
            modifiers=found.modifiers,
            dice=(roll,),
            steps=(Step(told, "ASL-A18.2"),),
        )
    )
    if not key:
        return ""
    leader = free_name(play, name, "leader")
    play.do(AddUnit(leader, new_leader(play.now, play.position.unit(name), leader, key)))
    join_move(play, name, leader)
    return leader
