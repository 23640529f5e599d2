"""What units are by nation, troops and state: elite, stealthy, lax, never disrupted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.nations import Nation, Troops

if TYPE_CHECKING:
    from hexmarshal.games.asl.state.ground import Location
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = [
    "armour_check", "assault_fires", "at_home", "broken_bonus", "commissar_with", "elr_of",
    "faces_no_quarter", "is_commissar", "is_elite", "is_lax", "is_partisan", "is_stealthy",
    "leads", "may_cower", "may_deploy", "nation_of", "never_disrupted", "never_surrenders",
    "short_of_ammunition", "troops_of",
]  # fmt: skip

_NO_TROOPS = Troops()
_UNDERLINED_ELR = 5


def nation_of(now: Situation, unit: Unit) -> Nation:
    """The traits of a unit's nation."""
    return now.tables.nation(now.nation(unit))


def troops_of(now: Situation, unit: Unit) -> Troops:
    """The traits of the troops that a unit belongs to."""
    return now.tables.troops.get(str(unit.values.get("branch", "")), _NO_TROOPS)


def at_home(now: Situation) -> bool:
    """ASL-NAT-FIN: the traits of the Finns count inside the borders of 1939 alone."""
    return now.option("finns_abroad") is not True


def is_commissar(now: Situation, unit: Unit) -> bool:
    """ASL-NAT-COM."""
    counter = now.tables.counters.get(unit.type)
    return counter is not None and (counter.commissar or unit.values.get("branch") == "commissar")


def is_partisan(now: Situation, unit: Unit) -> bool:
    """ASL-NAT-PAR."""
    return nation_of(now, unit).apart or unit.values.get("branch") == "partisan"


def leads(now: Situation, leader: Unit, unit: Unit) -> bool:
    """ASL-NAT-PAR: leaders of partisans lead partisans alone, and nobody else leads those."""
    return is_partisan(now, leader) == is_partisan(now, unit)


def commissar_with(now: Situation, place: Location, side: str) -> Unit | None:
    """ASL-NAT-COM: an unbroken, unpinned commissar in a location."""
    if not now.remember("commissars", lambda: _any_commissar(now)):
        return None
    for one in now.people(place, side):
        if is_commissar(now, one) and not one.flags & {marks.BROKEN, marks.PINNED, marks.BERSERK}:
            return one
    return None


def _any_commissar(now: Situation) -> bool:
    return any(is_commissar(now, unit) for unit in now.position.units.values())


def is_elite(now: Situation, unit: Unit) -> bool:
    """ASL-NAT-BRI, ASL-NAT-PAR: elite counters, troops that count as such, and single men."""
    if is_partisan(now, unit):
        return False
    counter = now.counter(unit)
    if counter.is_smc or counter.quality == "elite":
        return True
    known = counter.quality not in ("green", "conscript")
    return known and (troops_of(now, unit).elite or nation_of(now, unit).elite)


def is_stealthy(now: Situation, unit: Unit) -> bool:
    """ASL-A15.2c, ASL-INEXP-2, ASL-NAT-FIN, ASL-NAT-PAR, ASL-NAT-BRI: heroes always."""
    if now.is_hero(unit):
        return True
    if is_lax(now, unit) or not now.is_personnel(unit):
        return False
    counter = now.counter(unit)
    if counter.quality in ("green", "conscript"):
        return False
    if troops_of(now, unit).stealthy:
        return unit.values.get("branch") not in ("anzac", "partisan") or now.good_order(unit)
    nation = nation_of(now, unit)
    if not nation.stealthy or (nation.home_traits and not at_home(now)):
        return False
    return not nation.apart or now.good_order(unit)


def is_lax(now: Situation, unit: Unit) -> bool:
    """ASL-INEXP-1, ASL-A15.43b, ASL-A25.23e, ASL-NAT-ITA: the inexperienced, berserk and others."""
    if not now.is_personnel(unit) or now.is_hero(unit):
        return False
    if unit.flags & {marks.BERSERK, marks.WAVE} or now.is_inexperienced(unit):
        return True
    return nation_of(now, unit).lax_below_elite and not is_elite(now, unit)


def faces_no_quarter(now: Situation, unit: Unit) -> bool:
    """Whether the enemy of a unit takes no prisoners."""
    from hexmarshal.games.asl.state.situation import other

    sides = now.position.extras.get("no_quarter", ())
    return isinstance(sides, tuple) and other(unit.side) in sides


def never_surrenders(now: Situation, unit: Unit) -> bool:
    """ASL-A15.1b: who goes berserk rather than surrender."""
    if unit.has(marks.FANATIC) or is_commissar(now, unit) or faces_no_quarter(now, unit):
        return True
    return _never(now, unit)


def _never(now: Situation, unit: Unit) -> bool:
    from hexmarshal.games.asl.state.situation import other

    nation = nation_of(now, unit)
    enemy = str(now.position.extras.get(f"{other(unit.side)}_nation", ""))
    return nation.never or troops_of(now, unit).never or enemy in nation.never_against


def never_disrupted(now: Situation, unit: Unit) -> bool:
    """ASL-A19.13c, ASL-FAN-1: commissars, Gurkhas, partisans, Marines, Japanese, fanatics, PRC."""
    if unit.has(marks.FANATIC) or is_commissar(now, unit) or unit.carrier:
        return True
    return _never(now, unit) or troops_of(now, unit).never_disrupted


def elr_of(now: Situation, unit: Unit) -> int | None:
    """ASL-A19.13a, ASL-A19.13e, ASL-NAT-PAR: its side's, 5 for underlined morale; None: none."""
    extras = now.position.extras
    side = extras.get(f"{unit.side}_elr")
    if not isinstance(side, int):
        return None
    if now.counter(unit).elr_5:
        given = extras.get(f"{unit.side}_elr_underlined")
        return given if isinstance(given, int) else _UNDERLINED_ELR
    own = nation_of(now, unit).elr
    return side if own is None else own


def broken_bonus(now: Situation, unit: Unit) -> int:
    """ASL-NAT-ALM: broken Greeks and Yugoslavs have one more against Italians alone."""
    from hexmarshal.games.asl.state.situation import other

    against = troops_of(now, unit).broken_against
    if not against or not now.is_mmc(unit):
        return 0
    return int(now.position.extras.get(f"{other(unit.side)}_nation") == against)


def may_cower(now: Situation, unit: Unit) -> bool:
    """ASL-COWER-2: MMC that are neither berserk nor fanatic, by nation and class."""
    counter = now.counter(unit)
    if not counter.is_mmc or unit.flags & {marks.BERSERK, marks.FANATIC}:
        return False
    nation = nation_of(now, unit)
    if nation.home_traits and not at_home(now):
        return True
    return counter.quality in nation.cowering if counter.quality else bool(nation.cowering)


def may_deploy(now: Situation, unit: Unit) -> bool:
    """ASL-DEP-1, ASL-NAT-ITA, ASL-NAT-RUS: nations that do not deploy, or their elite alone."""
    how = nation_of(now, unit).deploys
    return how != "none" and (how != "elite" or now.counter(unit).quality == "elite")


def assault_fires(now: Situation, unit: Unit) -> bool:
    """ASL-AF-1, ASL-NAT-GER, ASL-NAT-FFL, ASL-NAT-ALM: printed, by date, or by special rule."""
    if now.counter(unit).assault_fire or unit.values.get("assault_fire") is True:
        return True
    since, date = nation_of(now, unit).assault_fire_from, now.option("date")
    known = isinstance(date, int) and date > 0
    return bool(since) and known and isinstance(date, int) and date >= since and now.is_mmc(unit)


def armour_check(now: Situation, unit: Unit) -> int:
    """ASL-INEXP-1, ASL-NAT-ITA, ASL-NAT-ALM: what is added to a check before armour."""
    if now.is_inexperienced(unit):
        return 1
    return 0 if is_elite(now, unit) else nation_of(now, unit).armour_check_below_elite


def short_of_ammunition(now: Situation, side: str) -> bool:
    """ASL-AMMO-1: by special rule."""
    return now.position.extras.get(f"{side}_ammunition_shortage") is True
