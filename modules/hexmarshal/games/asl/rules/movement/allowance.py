"""Movement factors: what a unit has, by what it is, carries, and goes with."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.traits import leads
from hexmarshal.rules.verdict import CostPart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["allowance", "allowance_parts", "burden", "capacity", "is_carried", "portage"]

SMC_FACTORS: Final = 6
MMC_FACTORS: Final = 4
INEXPERIENCED_FACTORS: Final = 3
WOUNDED_FACTORS: Final = 3
BERSERK_FACTORS: Final = 8
MMC_CAPACITY: Final = 3
SMC_CAPACITY: Final = 1
SMC_MOST: Final = 2
WOUNDED_MAN: Final = 5
"""The portage points of a wounded man who is carried."""


def portage(now: Situation, weapon: Unit) -> int:
    """The portage points of a weapon; fewer when dismantled (ASL-A9.8)."""
    counter = now.counter(weapon)
    if weapon.has(marks.DISMANTLED) and counter.dm_pp is not None:
        return counter.dm_pp
    return counter.pp


def burden(now: Situation, unit: Unit) -> int:
    """The portage points that a unit carries, with a wounded man whom it carries (ASL-WOUND-2)."""
    men = WOUNDED_MAN * _carriers(now).count(unit.id)
    return men + sum(portage(now, weapon) for weapon in now.weapons(unit))


def _carriers(now: Situation) -> tuple[str, ...]:
    return now.remember(
        "carriers",
        lambda: tuple(
            str(unit.values["carried_by"])
            for unit in now.position.units.values()
            if "carried_by" in unit.values
        ),
    )


def is_carried(unit: Unit, group: Sequence[Unit]) -> bool:
    """ASL-WOUND-2: whether an MMC of the group carries this wounded man."""
    by = unit.values.get("carried_by")
    return by is not None and any(one.id == by for one in group)


def capacity(
    now: Situation, unit: Unit, group: Sequence[Unit] = (), *, exhausted: bool = False
) -> int:
    """ASL-SW-1, ASL-SW-2, ASL-CX-2: what a unit carries without loss, with an SMC's help."""
    mmc = now.is_mmc(unit)
    own = MMC_CAPACITY if mmc else 0 if unit.has(marks.WOUNDED) else SMC_CAPACITY
    tired = exhausted or unit.has(marks.CX)
    own -= tired
    if not mmc or unit.has(marks.BROKEN):
        return max(own, 0)
    for helper in group:
        free = now.is_smc(helper) and not helper.flags & {marks.BROKEN, marks.PINNED, marks.WOUNDED}
        if (
            free
            and helper.id != unit.id
            and not now.weapons(helper)
            and helps(now, helper, unit, group)
        ):
            own += SMC_CAPACITY - (exhausted or helper.has(marks.CX))
            break
    return max(own, 0)


def helps(now: Situation, helper: Unit, unit: Unit, group: Sequence[Unit]) -> bool:
    """An SMC adds his capacity to one unit: the one that carries most."""
    loaded = sorted(
        (one for one in group if now.is_mmc(one)), key=lambda one: (-burden(now, one), one.id)
    )
    helpers = sorted(one.id for one in group if now.is_smc(one) and not now.weapons(one))
    place = helpers.index(helper.id) if helper.id in helpers else 0
    return place < len(loaded) and loaded[place].id == unit.id


def allowance_parts(
    now: Situation, unit: Unit, group: Sequence[Unit], *, double_time: int = 0, road: bool = False
) -> list[CostPart]:
    """The movement factors of a unit in a group, item by item."""
    parts = [_base(now, unit)]
    leader = next(
        (
            one
            for one in group
            if one.id != unit.id
            and now.is_leader(one)
            and not one.flags & {marks.BROKEN, marks.PINNED}
            and leads(now, one, unit)
        ),
        None,
    )
    on_foot = now.is_mmc(unit) or now.is_dummy(unit)  # ASL-A12.12d
    if leader is not None and on_foot and not unit.flags & {marks.BERSERK, marks.WAVE}:
        parts.append(CostPart(2, f"with {leader.id}", "ASL-MOVE-7"))
    if double_time:
        parts.append(CostPart(double_time, "double time", "ASL-CX-1"))
    if road and not unit.has(marks.WAVE):
        parts.append(CostPart(1, "road bonus", "ASL-MOVE-6"))
    over = burden(now, unit) - capacity(now, unit, group, exhausted=double_time > 0)
    if over > 0:
        parts.append(CostPart(-over, f"{over} PP too many", "ASL-MOVE-8"))
    return parts


def _base(now: Situation, unit: Unit) -> CostPart:
    if unit.has(marks.WOUNDED):
        return CostPart(WOUNDED_FACTORS, "wounded", "ASL-WOUND-2")
    if unit.has(marks.BERSERK):
        return CostPart(BERSERK_FACTORS, "berserk", "ASL-A15.42a")
    if unit.has(marks.WAVE):
        return CostPart(BERSERK_FACTORS, "human wave", "ASL-A25.23b")
    if now.is_smc(unit):
        return CostPart(SMC_FACTORS, "SMC", "ASL-MOVE-4")
    if now.is_inexperienced(unit):
        return CostPart(INEXPERIENCED_FACTORS, "inexperienced", "ASL-MOVE-4")
    return CostPart(MMC_FACTORS, "MMC", "ASL-MOVE-4")


def allowance(
    now: Situation, unit: Unit, group: Sequence[Unit], *, double_time: int = 0, road: bool = False
) -> Fraction:
    """The movement factors of a unit in a group; never less than none."""
    parts = allowance_parts(now, unit, group, double_time=double_time, road=road)
    return max(Fraction(0), Fraction(sum(part.amount for part in parts)))
