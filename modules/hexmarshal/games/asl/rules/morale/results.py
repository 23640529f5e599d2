"""What a result of the fire table does to the units in the target: K, KIA, MC, PTC, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.heat_of_battle import heat
from hexmarshal.games.asl.rules.morale import casualties
from hexmarshal.games.asl.rules.morale.checks import (
    Fate,
    Test,
    exposed_to_pin,
    fate_of_check,
    fate_of_task,
    leader_helping,
    modifiers_of,
)
from hexmarshal.games.asl.rules.quality.elr import beyond_elr, replace_unit
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.traits import is_commissar, leads
from hexmarshal.rules.rolling.modifiers import tally
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = [
    "check_morale", "check_task", "chosen_by_lot", "in_order", "inflict", "loss_of", "missed",
    "misses", "suffer", "those_who_miss",
]  # fmt: skip

NONE = "-"
_CRITICAL = 6


def suffer(play: Play, names: Sequence[str], result: str, column: int, side: str) -> None:
    """ASL-IFT-2 to ASL-IFT-5: what one result does to these units of the target, and to no others.

    `column` is the column of the attack, on which weapons are lost; `side` is who rolls for them.
    """
    units = in_order(play.now, names)
    if not units or result == NONE:
        return
    if result.endswith("KIA"):
        _killed(play, units, int(result.removesuffix("KIA")), column, side)
    elif result.startswith("K/"):
        _casualties(play, units, int(result.removeprefix("K/")), side)
    elif result == "PTC":
        for name in units:
            if name in play.position.units:
                check_task(play, name, Test("PTC", rule="ASL-IFT-5"), units)
    else:
        worse = 0 if result == "NMC" else int(result.removesuffix("MC"))
        _check_all(play, units, worse)


def in_order(now: Situation, names: Sequence[str]) -> tuple[str, ...]:
    """ASL-MOR-1, ASL-NAT-COM: a commissar, the leader of the best morale, others as they lie."""
    known = [now.unit(name) for name in names if name in now.position.units]
    leaders = sorted(
        (unit for unit in known if now.is_leader(unit)),
        key=lambda unit: (not is_commissar(now, unit), -now.morale(unit)),
    )
    rest = [unit for unit in known if not now.is_leader(unit)]
    return tuple(unit.id for unit in (*leaders, *rest))


def chosen_by_lot(
    play: Play, names: Sequence[str], count: int, label: str, side: str
) -> tuple[str, ...]:
    """ASL-RANDSEL-1: a die for each; the highest, and all that tie for the last place."""
    if len(names) <= count:
        return tuple(names)
    values = play.dice.throw(label, *(6,) * len(names), side=side)
    least = sorted(values, reverse=True)[count - 1]
    chosen = tuple(n for n, value in zip(names, values, strict=True) if value >= least)
    told = ", ".join(f"{n} {value}" for n, value in zip(names, values, strict=True))
    step = Step(f"{label}: {told}: {' and '.join(chosen)}", "ASL-RANDSEL-1")
    play.decide(Resolution("selection", " and ".join(chosen), steps=(step,)))
    return chosen


def _killed(play: Play, units: Sequence[str], number: int, column: int, side: str) -> None:
    """ASL-IFT-2: so many by lot are lost, the others break; their leaders are missed afterwards."""
    lost: list[Unit] = []
    for name in chosen_by_lot(play, units, number, "who is killed", side):
        unit = play.position.unit(name)
        _destroy_weapons(play, unit, column, side)
        if play.now.is_leader(unit):
            lost.append(unit)
        casualties.eliminate(play, name)
    for name in units:
        if name in play.position.units:
            before = play.position.unit(name)
            casualties.break_unit(play, name, dm=True)
            if play.now.is_leader(before) and name not in play.position.units:
                lost.append(before)
    for leader in lost:
        missed(play, leader, units)


def _destroy_weapons(play: Play, unit: Unit, column: int, side: str) -> None:
    """ASL-SWENG-3: a die for each weapon of a unit that is killed, on the same column."""
    table = play.tables.fire
    for weapon in play.now.weapons(unit):
        rolled, roll = play.roll_one("weapon of the dead", side)
        found = table.result(column, rolled)
        if found.endswith("KIA") or (found.startswith("K/") and weapon.has(marks.MALFUNCTION)):
            result = "eliminated"
        elif found.startswith("K/"):
            result = "malfunctioned"
        else:
            result = "intact"
        step = Step(f"{weapon.id}: {rolled} is {found}: {result}", "ASL-SWENG-3")
        play.decide(Resolution("weapon", result, dice=(roll,), steps=(step,)))
        if result == "eliminated":
            casualties.lose_weapon(play, weapon.id)
        elif result == "malfunctioned":
            play.mark(weapon.id, marks.MALFUNCTION)


def _casualties(play: Play, units: Sequence[str], worse: int, side: str) -> None:
    """ASL-IFT-3: whoever the lot falls on loses men, then all check their morale."""
    for name in chosen_by_lot(play, units, 1, "who is hit", side):
        before = play.position.units.get(name)
        if before is None:  # lost already, for a leader who was hit before it
            continue
        casualties.reduce(play, name)
        if play.now.is_leader(before) and name not in play.position.units:
            missed(play, before, units)
    _check_all(play, units, worse)


def _check_all(play: Play, units: Sequence[str], worse: int) -> None:
    name = f"{worse}MC" if worse else "NMC"
    for one in units:
        if one in play.position.units:
            check_morale(play, one, Test(name, worse), units)


def _show_by_check(play: Play, name: str, test: Test) -> None:
    """ASL-CONL-3: who checks for a lost leader in sight loses his "?", and the leader who helps."""
    if not any(play.now.is_hidden(one) for one in play.position.units.values()):
        return
    from hexmarshal.games.asl.rules.concealment.loss import expose

    unit = play.now.unit(name)
    if test.rule in ("ASL-LLMC-1", "ASL-LLTC-1"):
        expose(play, (name,), "misses its leader", "ASL-CONL-3")
    leader = leader_helping(play.now, unit) if test.led and test.name != "PAATC" else None
    if leader is not None:
        expose(play, (leader.id,), "leads others", "ASL-CONL-3")


def check_morale(
    play: Play, name: str, test: Test, group: Sequence[str], *, dm: bool = True
) -> Fate:
    """One morale check; `group` are those who would miss a leader."""
    _show_by_check(play, name, test)
    now = play.now
    unit = now.unit(name)
    found = tally(modifiers_of(now, unit, test))
    dice, rolls = play.roll_two(f"{test.name} of {name}", unit.side, calls=True)
    critical = test.critical if dice[0] == _CRITICAL else 0
    original, total = sum(dice), sum(dice) + int(found.total()) + critical
    fate = fate_of_check(now, unit, original, total, pins=test.pins)
    step = Step(
        f"{now.named(unit)}: {dice[0]} + {dice[1]}"
        + "".join(f" {m.amount:+}" for m in found.counted)
        + f" = {total} against {now.morale(unit)}: {fate}",
        test.rule,
    )
    play.decide(
        Resolution(
            "morale",
            fate.value,
            modifiers=found.modifiers,
            dice=rolls,
            steps=(step,),
            known_to=now.readers(unit),
        )
    )
    inflict(play, unit, fate, group, dm=dm, beyond=beyond_elr(now, unit, total, fate))
    if original == heat.LUCKY:
        broke = name in play.position.units and play.position.unit(name).has(marks.BROKEN)
        flared = heat.kindle(play, name, broken=unit.has(marks.BROKEN))
        if flared is not None and flared.surrender and now.is_leader(unit) and not broke:
            _faltering(play, unit, group)
    return fate


def inflict(
    play: Play, unit: Unit, fate: Fate, group: Sequence[str], *, dm: bool, beyond: bool = False
) -> None:
    """Let the fate of a check come to pass, and others miss the leader whom it befalls."""
    name = unit.id
    was_broken = unit.has(marks.BROKEN)
    match fate:
        case Fate.PINNED:
            casualties.pin(play, name)
        case Fate.BROKEN:
            casualties.break_unit(play, name, dm=dm)
            if beyond:  # ASL-A19.13e: both halves of a squad that is split are broken
                replace_unit(play, name, "ASL-A19.13a")
        case Fate.REDUCED:
            casualties.reduce(play, name)
            if was_broken and dm and name in play.position.units:
                play.mark(name, marks.DM)
        case Fate.REDUCED_AND_BROKEN:
            # ASL-A10.31, ASL-A19.13d: the replacement comes first
            twice = beyond and replace_unit(play, name, "ASL-A19.13d", alone=True).twice
            if not twice:
                casualties.reduce(play, name)
            if name in play.position.units:
                casualties.break_unit(play, name, dm=dm)
        case Fate.ELIMINATED:
            casualties.eliminate(play, name)
    if not play.now.is_leader(unit):
        return
    after = play.position.units.get(name)
    if after is None:
        missed(play, unit, group)
    elif not was_broken and after.has(marks.BROKEN):
        _faltering(play, unit, group)


def check_task(play: Play, name: str, test: Test, group: Sequence[str]) -> Fate:
    """ASL-IFT-5: a pin task check; broken units and those pinned already take none."""
    _show_by_check(play, name, test)
    now = play.now
    unit = now.unit(name)
    del group
    if not exposed_to_pin(now, unit):
        return Fate.PASSED
    found = tally(modifiers_of(now, unit, test))
    dice, rolls = play.roll_two(f"{test.name} of {name}", unit.side, calls=True)
    total = sum(dice) + int(found.total())
    fate = fate_of_task(now, unit, total)
    step = Step(
        f"{now.named(unit)}: {dice[0]} + {dice[1]}"
        + "".join(f" {m.amount:+}" for m in found.counted)
        + f" = {total} against {now.morale(unit)}: {fate}",
        test.rule,
    )
    play.decide(
        Resolution(
            "task",
            fate.value,
            modifiers=found.modifiers,
            dice=rolls,
            steps=(step,),
            known_to=now.readers(unit),
        )
    )
    if fate is Fate.PINNED:
        casualties.pin(play, name)
    return fate


# The loss of leaders


def misses(now: Situation, leader: Unit, unit: Unit) -> bool:
    """ASL-LLMC-1, ASL-A15.42a, ASL-NAT-COM: whether a unit is shaken by the loss of a leader.

    Not the berserk, commissars and whoever he does not lead; a commissar is missed by all others.
    """
    if unit.id == leader.id or unit.has(marks.BERSERK) or is_commissar(now, unit):
        return False
    if unit.side != leader.side or unit.by(marks.GUARDS):  # ASL-A20.5e
        return False
    if not leads(now, leader, unit):
        return False
    if is_commissar(now, leader):
        return True
    return now.morale(unit) < now.morale(leader)


def loss_of(now: Situation, leader: Unit, unit: Unit) -> int:
    """ASL-LLMC-1, ASL-LDR-1: his negative modifier as it was for this unit; none when berserk."""
    return 0 if leader.has(marks.BERSERK) else max(0, -now.leadership(leader, unit))


def those_who_miss(now: Situation, leader: Unit, group: Sequence[str]) -> list[str]:
    """ASL-LLMC-1: units of lower morale that were with him, or moved with him."""
    return [
        name for name in group if name in now.position.units and misses(now, leader, now.unit(name))
    ]


def missed(play: Play, leader: Unit, group: Sequence[str]) -> None:
    """ASL-LLMC-1: a leader is gone; a negative modifier of his counts against them."""
    for name in those_who_miss(play.now, leader, group):
        if name in play.position.units:
            worse = loss_of(play.now, leader, play.position.unit(name))
            test = Test(f"LLMC for {leader.id}", worse, "ASL-LLMC-1", pins=False, led=False)
            check_morale(play, name, test, group)


def _faltering(play: Play, leader: Unit, group: Sequence[str]) -> None:
    """ASL-LLTC-1: a leader breaks; who fails his check is pinned. Not for a pinned leader."""
    if leader.has(marks.PINNED):
        return
    for name in those_who_miss(play.now, leader, group):
        if name in play.position.units:
            worse = loss_of(play.now, leader, play.position.unit(name))
            test = Test(f"LLTC for {leader.id}", worse, "ASL-LLTC-1", led=False)
            check_task(play, name, test, group)
