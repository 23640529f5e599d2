"""What an attack brings against one target: firepower and defence, each modifier with its rule."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.fire import defence
from hexmarshal.games.conflict_of_heroes.rules.fire.attack_kinds import colour_of, higher
from hexmarshal.rules.odds import Distribution
from hexmarshal.rules.verdict import Modifier, Strength

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.conflict_of_heroes.rules.fire.attack_kinds import Assault
    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.rules.state.pieces import Marker, Unit

__all__ = [
    "Shot",
    "barred",
    "chances",
    "firepower",
    "lends",
    "on_unit",
    "on_work",
    "reach_of",
    "result_of",
]

TWO_DICE = Distribution.dice(2, 6)


@dataclass(frozen=True, slots=True)
class Shot:
    """One attack against one target, before the dice."""

    target: str
    colour: str
    power: int
    power_mods: tuple[Modifier, ...]
    rating: int
    rating_mods: tuple[Modifier, ...]
    facing: str = "front"
    barred: str = ""
    strengths: tuple[Strength, ...] = field(default=())
    margin: int = 0  # so much more hits twice

    @property
    def attack(self) -> int:
        """COH-7.2a: the firepower as it counts, before dice and CAP."""
        return self.power + sum(int(m.amount) for m in self.power_mods)

    @property
    def defence(self) -> int:
        """COH-7.3a: the defence value; command points never change it (COH-7.3b)."""
        return self.rating + sum(int(m.amount) for m in self.rating_mods)

    @property
    def needed(self) -> int:
        """The total of two dice that hits."""
        return self.defence - self.attack

    @property
    def critical(self) -> int:
        """The total of two dice that hits twice."""
        return self.needed + self.margin


def result_of(shot: Shot, total: int) -> str:
    """COH-7.0b."""
    if total >= shot.critical:
        return "critical"
    return "hit" if total >= shot.needed else "miss"


def chances(shot: Shot, cap: int = 0) -> Distribution[str]:
    """The exact chances of miss, hit and critical hit."""
    return TWO_DICE.map(lambda total: result_of(shot, total + cap))


def on_unit(now: Situation, assault: Assault, target: Unit) -> Shot:
    """The attack against one unit."""
    colour = colour_of(now, assault, target)
    power, barred = _printed_power(now, assault, colour)
    rating = defence.rating(now, assault, target)
    counter = now.counter(target)
    rules = ["COH-7.1a", *_arms_rules(assault)]
    if colour != counter.armour:
        rules.append("COH-15.5a")
    title = f"{counter.title} {rating.facing}"
    return Shot(
        target.id,
        colour,
        power,
        tuple(_power_mods(now, assault, colour)),
        rating.value,
        tuple(defence.modifiers(now, assault, target, rating.facing, colour)),
        rating.facing,
        barred,
        (
            Strength(f"{colour} firepower", power, power, tuple(rules), role="attack"),
            Strength(title, rating.value, rating.value, rating.rules, (target.id,), "defence"),
        ),
        now.tables.number("fire", "critical"),
    )


def _arms_rules(assault: Assault) -> tuple[str, ...]:
    if assault.flame:
        return ("COH-19.1a",)
    return (assault.weapon.rule,) if assault.weapon is not None else ()


def on_work(now: Situation, assault: Assault, marker: Marker) -> Shot:
    """COH-18.4a: the attack against a fortification or an obstacle."""
    work = now.tables.works[marker.kind]
    power, barred = _printed_power(now, assault, "red")
    rating = work.rating or 0
    kind = now.kind(marker.cell)
    mods = []
    if kind.defence and not assault.flame:
        # Of the terrain, forest too: shells that burst in trees hurt men, not timber and concrete.
        mods.append(Modifier(kind.title, kind.defence, "COH-18.4a", "defence"))
    mods += [replace(mod, rule="COH-18.4a") for mod in defence.smoke(now, assault)]
    return Shot(
        marker.id,
        "red",
        power,
        tuple(_power_mods(now, assault, "red")),
        rating,
        tuple(mods),
        "fortification",
        barred,
        (
            Strength("red firepower", power, power, ("COH-18.4a",), role="attack"),
            Strength(work.title, rating, rating, ("COH-18.4a",), role="defence"),
        ),
        now.tables.number("fire", "critical"),
    )


# Firepower


def _printed_power(now: Situation, assault: Assault, colour: str) -> tuple[int, str]:
    """The firepower to begin with, and the rule that bars it if it is lost."""
    if assault.flame:
        return now.tables.flame("power"), _lost(now, assault, colour)  # COH-19.1a
    if assault.weapon is not None:
        return assault.weapon.firepower(colour), _lost(now, assault, colour)
    if assault.unit is None:
        return 0, ""
    # COH-7.2b: zero and less may attack too.
    return now.counter(assault.unit).power(colour), _lost(now, assault, colour)


def barred(now: Situation, assault: Assault, target: Unit) -> str:
    """The rule by which the attacker has lost the firepower that counts against a target."""
    return _lost(now, assault, colour_of(now, assault, target))


def _lost(now: Situation, assault: Assault, colour: str) -> str:
    hit = now.hit(assault.unit) if assault.unit is not None else None
    # COH-7.5b: a colour that a marker strikes out is lost.
    return hit.rule if hit is not None and (colour in hit.no_fire or hit.only_rally) else ""


def _power_mods(now: Situation, assault: Assault, colour: str) -> Iterator[Modifier]:
    yield from _range_mods(now, assault, colour)
    if assault.unit is not None:
        hit = now.hit(assault.unit)
        if hit is not None and hit.power(colour):
            rule = "COH-8.4b" if assault.weapon is not None else hit.rule
            yield Modifier(hit.title, hit.power(colour), rule, "attack")
    if support := sum(lends(now, assault, unit, colour) for unit in assault.supporters):
        more = support * now.tables.number("fire", "support")
        yield Modifier("supporters", more, "COH-9.1.2c", "attack")
    if assault.aimed:
        yield Modifier("Aimed fire", now.tables.cards["09"].power, "COH-C09", "attack")
    # COH-11.2a; of indirect fire the observer's height counts (COH-12.0e), of artillery none.
    if assault.origin and not assault.close and higher(now, assault.origin, assault.cell):
        rule = "COH-12.0e" if assault.indirect else "COH-11.2a"
        yield Modifier(
            "from higher ground", now.tables.number("fire", "higher_firer"), rule, "attack"
        )


def firepower(now: Situation, assault: Assault, colour: str) -> int:
    """COH-7.2a: what the attack brings against a colour, whoever is at the other end."""
    mods = _power_mods(now, assault, colour)
    return _printed_power(now, assault, colour)[0] + sum(int(mod.amount) for mod in mods)


def lends(now: Situation, assault: Assault, unit: Unit, colour: str) -> bool:
    """COH-9.1.2a: whether one of a group has firepower of this colour, with the range's bonus.

    What a hit takes from it counts (COH-7.5b), and flames have a firepower of their own.
    """
    if unit.id in assault.thrown:
        card = now.tables.cards.get(str(unit.values.get("weapon")))
        return card is not None and card.firepower(colour) > 0
    counter, hit = now.counter(unit), now.hit(unit)
    flame = assault.flame and assault.unit is not None and unit.id == assault.unit.id
    bonus = 0 if hit is None else hit.power(colour)
    if assault.close:
        white = colour in counter.white and not flame
        bonus += now.tables.number("fire", "close_combat_white" if white else "close_combat")
    elif now.board.distance(now.cell(unit), assault.cell) == 1:
        bonus += now.tables.number("fire", "short_range")
    return (now.tables.flame("power") if flame else counter.power(colour)) + bonus > 0


def _range_mods(now: Situation, assault: Assault, colour: str) -> Iterator[Modifier]:
    if assault.artillery or assault.unit is None:
        return
    counter = now.counter(assault.unit)
    if assault.weapon is not None:
        # COH-CW1, COH-CW2: no modifier for close combat; thrown into the next hex it loses two.
        if not assault.close:
            power = now.tables.number("fire", "long_range")
            yield Modifier("thrown", power, assault.weapon.rule, "attack")
        return
    if assault.close:
        white = colour in counter.white and not assault.flame
        name = "close_combat_white" if white else "close_combat"
        yield Modifier("close combat", now.tables.number("fire", name), "COH-7.7.3b", "attack")
        return
    distance = now.board.distance(now.cell(assault.unit), assault.cell)
    if distance == 1:
        yield Modifier(
            "short range", now.tables.number("fire", "short_range"), "COH-7.7.2a", "attack"
        )
    elif distance > reach_of(now, assault.unit):
        rule = "COH-7.7.1a" if counter.foot else "COH-15.3a"
        yield Modifier("long range", now.tables.number("fire", "long_range"), rule, "attack")


def reach_of(now: Situation, unit: Unit) -> int:
    """The range of a unit, which some hits cut to 1."""
    hit = now.hit(unit)
    printed = now.counter(unit).range
    return min(printed, hit.range) if hit is not None and hit.range is not None else printed
