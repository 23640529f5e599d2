"""A shot: who fires with what at which location, and the firepower that each brings."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.rules.movement.stacking import overstack
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.traits import assault_fires
from hexmarshal.rules.verdict import Strength

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hexmarshal.games.asl.state.ground import Location
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = [
    "Member",
    "Mode",
    "Shot",
    "member_of",
    "reach_of",
    "firepower_of",
    "under_cover",
    "weapon_values",
]

HALF: Final = Fraction(1, 2)
FARTHEST: Final = 16
"""Beyond so many hexes machine guns need a leader (ASL-MG-4)."""


HERO: Final = 4
WOUNDED_HERO: Final = 3
"""The range of a hero, and of a wounded one."""


class Mode:
    """How a member fires: by the phase, and by what it has done before."""

    PREP: Final = "prep fire"
    FIRST: Final = "first fire"
    SUBSEQUENT: Final = "subsequent first fire"
    PROTECTIVE: Final = "final protective fire"
    FINAL: Final = "final fire"
    FINAL_AGAIN: Final = "final fire after first fire"
    ADVANCING: Final = "advancing fire"
    OPPORTUNITY: Final = "opportunity fire"

    AGAIN: Final = frozenset({SUBSEQUENT, PROTECTIVE, FINAL_AGAIN})


@dataclass(frozen=True, slots=True)
class Member:
    """One firing unit or weapon, and what its firepower is multiplied by."""

    unit: Unit
    user: Unit
    place: Location
    mode: str
    printed: int
    factors: tuple[tuple[str, Fraction, str], ...] = ()
    assault: bool = False

    @property
    def is_weapon(self) -> bool:
        """Whether it is a weapon, not the unit's own firepower."""
        return self.unit.id != self.user.id

    @property
    def counted(self) -> Fraction:
        """ASL-FIRE-2: all factors, fractions kept; assault fire rounds up and adds one."""
        total = Fraction(self.printed)
        for _, factor, _ in self.factors:
            total *= factor
        if self.assault:  # ASL-AF-1
            total = Fraction(-(-total.numerator // total.denominator) + 1)
        return total

    def strength(self) -> Strength:
        """As it stands in a resolution."""
        told = [f"{label} x{factor}" for label, factor, _ in self.factors]
        if self.assault:
            told.append("assault fire, rounded up + 1")
        rules = tuple(dict.fromkeys(rule for _, _, rule in self.factors))
        return Strength(
            ", ".join((self.unit.id, *told)),
            self.printed,
            self.counted,
            (*rules, *(("ASL-AF-1",) if self.assault else ())),
            (self.unit.id,),
            "attack",
        )


@dataclass(frozen=True, slots=True)
class Shot:
    """Fire at one location, or spraying fire at two."""

    side: str
    members: tuple[Member, ...]
    leaders: tuple[Unit, ...]
    target: Location
    moving: tuple[str, ...] | None = None
    """In the movement phase the units that are moving: nobody else is hit (ASL-FIRE-7)."""
    snap: tuple[str, str] | None = None
    """The two hexes whose common hexside is shot at (ASL-SNAP-1)."""
    spray: bool = False
    halved: tuple[tuple[str, Fraction, str], ...] = field(default=())
    everybody: bool = False
    """Whether friends are hit as well, and men alone (ASL-CCAFV-1)."""

    @property
    def firepower(self) -> Fraction:
        """The sum of all members."""
        return sum((member.counted for member in self.members), start=Fraction(0))


def under_cover(now: Situation, place: Location, side: str) -> list[Unit]:
    """ASL-A12.12a: vehicles and guns of a side under a "?"; fire takes them for men."""
    return [
        unit
        for unit in now.position.at(place.cell)
        if unit.side == side
        and unit.level == place.level
        and unit.has(marks.CONCEALED)
        and not now.is_personnel(unit)
    ]


def weapon_values(now: Situation, weapon: Unit) -> tuple[int, int, int]:
    """Firepower, range and rate of fire of a weapon; those of its dismantled side (ASL-A9.8)."""
    counter = now.counter(weapon)
    if weapon.has(marks.DISMANTLED):
        return counter.dm_fp, counter.dm_range, counter.dm_rof
    rof = counter.rof - bool(weapon.has("captured"))
    return counter.fp, counter.range or FARTHEST, max(rof, 0)


def reach_of(now: Situation, unit: Unit) -> int:
    """The normal range of a unit's own firepower, or of a weapon."""
    if now.is_weapon(unit):
        return weapon_values(now, unit)[1]
    if now.is_hero(unit):  # ASL-A15.2a, ASL-A15.2b: the wounded side of a hero
        return WOUNDED_HERO if unit.has(marks.WOUNDED) else HERO
    return now.counter(unit).range


def firepower_of(now: Situation, unit: Unit) -> int:
    """What a unit prints, or a weapon; a leader has none (ASL-UNIT-1)."""
    if now.is_weapon(unit):
        return weapon_values(now, unit)[0]
    return 1 if now.is_hero(unit) else now.counter(unit).fp


def member_of(
    now: Situation,
    unit: Unit,
    mode: str,
    target: Location,
    targets: Sequence[Unit],
    *,
    more: Iterable[tuple[str, Fraction, str]] = (),
    dashing: bool = False,
) -> Member:
    """A member with all that its firepower is multiplied by."""
    user = now.holder(unit) if now.is_weapon(unit) else unit
    assert user is not None, f"{unit.id} is fired by nobody"
    place = now.at(user)
    factors = [*_by_range(now, unit, place, target), *_by_state(now, unit, user, mode, place)]
    factors += _by_target(now, targets, target, now.ground.distance(place.cell, target.cell))
    if dashing:
        factors.append(("dash", HALF, "ASL-DASH-2"))
    factors += more
    long_range = any(rule == "ASL-FIRE-4" for _, _, rule in factors)
    assault = (
        mode == Mode.ADVANCING
        and unit.id == user.id
        and assault_fires(now, unit)
        and not long_range
    )
    return Member(unit, user, place, mode, firepower_of(now, unit), tuple(factors), assault)


def _by_range(
    now: Situation, unit: Unit, place: Location, target: Location
) -> list[tuple[str, Fraction, str]]:
    far = now.ground.distance(place.cell, target.cell)
    if place == target:
        return [("same location", Fraction(3), "ASL-TPBF-1")]  # ASL-TPBF-2: halved when advancing
    if is_point_blank(now, place, target):
        return [("point blank", Fraction(2), "ASL-PBF-1")]
    if far > reach_of(now, unit):
        return [("long range", HALF, "ASL-FIRE-4")]
    return []


def is_point_blank(now: Situation, place: Location, target: Location) -> bool:
    """ASL-PBF-1: the next hex or the next level; sight is checked apart."""
    apart = abs(now.ground.height(place) - now.ground.height(target))
    if place.cell == target.cell:
        return apart == 1
    return now.ground.distance(place.cell, target.cell) == 1 and apart <= 1


def _by_state(
    now: Situation, unit: Unit, user: Unit, mode: str, place: Location
) -> list[tuple[str, Fraction, str]]:
    found: list[tuple[str, Fraction, str]] = []
    if mode == Mode.ADVANCING:
        found.append(("advancing fire", HALF, "ASL-FIRE-5"))
    if mode == Mode.SUBSEQUENT:
        found.append(("subsequent first fire", HALF, "ASL-A8.3"))
    if mode == Mode.PROTECTIVE:  # ASL-A8.31d: at who enters the firer's location, too
        found.append(("final protective fire", HALF, "ASL-A8.31a"))
    if mode == Mode.FINAL_AGAIN:
        found.append(("marked First Fire", HALF, "ASL-A8.4"))
    if mode in Mode.AGAIN and now.is_weapon(unit) and now.option("sustained_halves_twice"):
        found.append(("sustained fire", HALF, "ASL-MG-3"))
    if user.has(marks.PINNED):
        found.append(("pinned", HALF, "ASL-PIN-3"))
    if now.is_weapon(unit) and _manned_by_one(now, unit, user):
        found.append(("one leader at the weapon", HALF, "ASL-MG-1"))
    terrain = now.ground.beneath(place.cell)
    if not place.level and (terrain.marsh or terrain.stream or terrain.ford):
        found.append((f"from {terrain.key}", HALF, "ASL-AREA-1"))
    return found


def _manned_by_one(now: Situation, weapon: Unit, user: Unit) -> bool:
    """ASL-MG-1, ASL-A15.2d: one leader halves a machine gun; a hero or two SMC do not."""
    if not now.counter(weapon).is_machine_gun or not now.is_smc(user) or now.is_hero(user):
        return False
    second = user.values.get("assisted_by")
    return not (isinstance(second, str) and second in now.position.units)


def _by_target(
    now: Situation, targets: Sequence[Unit], place: Location, far: int
) -> list[tuple[str, Fraction, str]]:
    if not targets:
        return []
    # Prisoners are hit with who guards them, friends with who is in melee: nothing hides these.
    beside = any(unit.has(marks.MELEE) or now.prisoners(unit) for unit in targets)
    if all(unit.flags & marks.UNSEEN for unit in targets) and not beside:
        return [("concealed target", HALF, "ASL-AREA-1")]
    if far > FARTHEST and not any(unit.flags & {marks.BROKEN, marks.BERSERK} for unit in targets):
        if overstack(now, place, targets[0].side):
            return []
        return [("beyond 16 hexes", HALF, "ASL-MG-4")]
    return []
