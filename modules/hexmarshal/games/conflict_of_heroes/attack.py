"""What an attack brings against one target: firepower and defence, each modifier with its rule."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes import sight, source
from hexmarshal.games.conflict_of_heroes.table import listed, mapped
from hexmarshal.rules.odds import Distribution
from hexmarshal.rules.verdict import Modifier, Strength

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from hexmarshal.games.conflict_of_heroes.scene import Scene
    from hexmarshal.games.conflict_of_heroes.source import Card
    from hexmarshal.rules.pieces import Marker, Unit

__all__ = ["Assault", "Shot", "chances", "on_unit", "on_work", "result_of"]

TWO_DICE = Distribution.dice(2, 6)


@dataclass(frozen=True, slots=True)
class Assault:
    """How an attack is made, whoever is at the other end.

    `origin` is where it is aimed from: the firer's hex, the observer's for indirect fire, '' for
    artillery off the map. `weapon` is a card used instead of the unit's own arms.
    """

    unit: Unit | None
    origin: str
    cell: str
    close: bool = False
    indirect: bool = False
    flame: bool = False
    artillery: bool = False
    support: int = 0
    aimed: bool = False
    weapon: Card | None = None
    crossed: int = 0  # smoke between the two hexes


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
        return self.needed + source.number("fire", "critical")


def result_of(shot: Shot, total: int) -> str:
    """COH-7.0b."""
    if total >= shot.critical:
        return "critical"
    return "hit" if total >= shot.needed else "miss"


def chances(shot: Shot, cap: int = 0) -> Distribution[str]:
    """The exact chances of miss, hit and critical hit."""
    return TWO_DICE.map(lambda total: result_of(shot, total + cap))


def chance_to_hit(shot: Shot, cap: int = 0) -> Fraction:
    """How likely it is that the target is hit at all."""
    return TWO_DICE.probability(lambda total: total + cap >= shot.needed)


def explosive(scene: Scene, assault: Assault) -> bool:
    """COH-12.1a: whether the attack carries the burst symbol, and so finds every flank."""
    if assault.artillery:
        return True
    if assault.weapon is not None:
        return assault.weapon.he
    return assault.unit is not None and scene.counter(assault.unit).he and not assault.close


def shells(scene: Scene, assault: Assault) -> bool:
    """Whether it is mortar or artillery fire."""
    if assault.artillery:
        return True
    if assault.unit is None or assault.weapon is not None or assault.close or assault.flame:
        return False
    return scene.counter(assault.unit).kind == "mortar"


def colour_of(scene: Scene, assault: Assault, target: Unit) -> str:
    """COH-7.1a, COH-15.0a: the colour of the target's defence, which the firepower must match."""
    counter = scene.counter(target)
    if counter.armour == "blue" and counter.open_top:
        # COH-15.5a: a roof of nothing against shells, and against men in close combat.
        storming = assault.close and assault.unit is not None and _infantry(scene, assault.unit)
        if explosive(scene, assault) or storming:
            if storming and _prefers_blue(scene, assault):
                return "blue"
            return "red"
    return counter.armour


def _infantry(scene: Scene, unit: Unit) -> bool:
    return scene.counter(unit).infantry


def _prefers_blue(scene: Scene, assault: Assault) -> bool:
    """COH-15.5a: tank hunters may use their blue firepower all the same."""
    assert assault.unit is not None
    counter = scene.counter(assault.unit)
    return counter.kind == "at_team" and counter.blue > counter.red


def on_unit(scene: Scene, assault: Assault, target: Unit) -> Shot:
    """The attack against one unit."""
    colour = colour_of(scene, assault, target)
    power, barred = _printed_power(scene, assault, colour)
    facing, rating = _rating(scene, assault, target)
    counter = scene.counter(target)
    return Shot(
        target.id,
        colour,
        power,
        tuple(_power_mods(scene, assault, colour)),
        rating,
        tuple(_rating_mods(scene, assault, target, facing, colour)),
        facing,
        barred,
        (
            Strength(f"{colour} firepower", power, power, ("COH-7.1a",), role="attack"),
            Strength(
                f"{counter.title} {facing}", rating, rating, ("COH-7.3a",), (target.id,), "defence"
            ),
        ),
    )


def on_work(scene: Scene, assault: Assault, marker: Marker) -> Shot:
    """COH-18.4a: the attack against a fortification or an obstacle."""
    work = source.works()[marker.kind]
    power, barred = _printed_power(scene, assault, "red")
    rating = work.rating or 0
    kind = scene.kind(marker.cell)
    mods = []
    if kind.defence:
        # Of the terrain, forest too: shells that burst in trees hurt men, not timber and concrete.
        mods.append(Modifier(kind.title, kind.defence, "COH-18.4a", "defence"))
    if smoke := scene.smoke(marker.cell):
        mods.append(Modifier("smoke", smoke, "COH-18.4a", "defence"))
    return Shot(
        marker.id,
        "red",
        power,
        tuple(_power_mods(scene, assault, "red")),
        rating,
        tuple(mods),
        "fortification",
        barred,
        (
            Strength("red firepower", power, power, ("COH-18.4a",), role="attack"),
            Strength(work.title, rating, rating, ("COH-18.4a",), role="defence"),
        ),
    )


# Firepower


def _printed_power(scene: Scene, assault: Assault, colour: str) -> tuple[int, str]:
    """The firepower to begin with, and the rule that bars it if it is lost."""
    if assault.flame:
        return source.flame("power"), _lost(scene, assault, colour)  # COH-19.1a
    if assault.weapon is not None:
        return assault.weapon.firepower(colour), _lost(scene, assault, colour)
    if assault.unit is None:
        return 0, ""
    # COH-7.2b: zero and less may attack too.
    return scene.counter(assault.unit).power(colour), _lost(scene, assault, colour)


def _lost(scene: Scene, assault: Assault, colour: str) -> str:
    hit = scene.hit(assault.unit) if assault.unit is not None else None
    # COH-7.5b: a colour that a marker strikes out is lost.
    return hit.rule if hit is not None and (colour in hit.no_fire or hit.only_rally) else ""


def _power_mods(scene: Scene, assault: Assault, colour: str) -> Iterator[Modifier]:
    yield from _range_mods(scene, assault, colour)
    if assault.unit is not None:
        hit = scene.hit(assault.unit)
        if hit is not None and hit.power(colour):
            rule = "COH-8.4b" if assault.weapon is not None else hit.rule
            yield Modifier(hit.title, hit.power(colour), rule, "attack")
    if assault.support:
        more = assault.support * source.number("fire", "support")
        yield Modifier("supporters", more, "COH-9.1.2c", "attack")
    if assault.aimed:
        yield Modifier("Aimed fire", source.cards()["09"].power, "COH-C09", "attack")
    # COH-11.2a; of indirect fire the observer's height counts (COH-12.0e), of artillery none.
    if assault.origin and not assault.close and _higher(scene, assault.origin, assault.cell):
        rule = "COH-12.0e" if assault.indirect else "COH-11.2a"
        yield Modifier("from higher ground", source.number("fire", "higher_firer"), rule, "attack")


def _higher(scene: Scene, one: str, other: str) -> bool:
    return scene.board.levels[one] > scene.board.levels[other]


def _range_mods(scene: Scene, assault: Assault, colour: str) -> Iterator[Modifier]:
    if assault.artillery or assault.unit is None:
        return
    counter = scene.counter(assault.unit)
    if assault.weapon is not None:
        # COH-CW1, COH-CW2: no modifier for close combat; thrown into the next hex it loses two.
        if not assault.close:
            power = source.number("fire", "long_range")
            yield Modifier("thrown", power, assault.weapon.rule, "attack")
        return
    if assault.close:
        white = colour in counter.white and not assault.flame
        name = "close_combat_white" if white else "close_combat"
        yield Modifier("close combat", source.number("fire", name), "COH-7.7.3b", "attack")
        return
    distance = scene.board.distance(scene.cell(assault.unit), assault.cell)
    if distance == 1:
        yield Modifier("short range", source.number("fire", "short_range"), "COH-7.7.2a", "attack")
    elif distance > reach_of(scene, assault.unit):
        rule = "COH-7.7.1a" if counter.foot else "COH-15.3a"
        yield Modifier("long range", source.number("fire", "long_range"), rule, "attack")


def reach_of(scene: Scene, unit: Unit) -> int:
    """The range of a unit, which some hits cut to 1."""
    hit = scene.hit(unit)
    printed = scene.counter(unit).range
    return min(printed, hit.range) if hit is not None and hit.range is not None else printed


# Defence


def _rating(scene: Scene, assault: Assault, target: Unit) -> tuple[str, int]:
    """COH-7.3a: the front or the flank rating."""
    counter = scene.counter(target)
    if _on_flank(scene, assault, target):
        return "flank", counter.flank
    return "front", counter.front


def _on_flank(scene: Scene, assault: Assault, target: Unit) -> bool:
    # COH-7.7.3c close combat; COH-12.1a shells; COH-19.1a flames; COH-17.1a passengers.
    if assault.close or assault.flame or assault.weapon is not None or target.carrier:
        return True
    if explosive(scene, assault):
        return True
    facing = scene.facing(target)
    if facing is None or not assault.origin:
        return False
    # COH-6.1b, COH-18.4c
    return not scene.board.in_arc(scene.cell(target), facing, assault.origin)


def _rating_mods(
    scene: Scene, assault: Assault, target: Unit, facing: str, colour: str
) -> Iterator[Modifier]:
    yield from _terrain_mods(scene, assault, target, colour)
    yield from _smoke_mods(scene, assault)
    yield from _shelter_mods(scene, assault, target)
    hit = scene.hit(target)
    if hit is not None:
        change = hit.front if facing == "front" else hit.flank
        if change:
            yield Modifier(hit.title, change, hit.rule, "defence")
    last = mapped(scene.position.extras.get("last"))
    if target.id in listed(last.get("exposed", ())) and not target.carrier:
        amount = source.number("movement", "exposed")
        yield Modifier("moved without caution", amount, "COH-5.0.3a", "defence")


def _terrain_mods(scene: Scene, assault: Assault, target: Unit, colour: str) -> Iterator[Modifier]:
    cell = scene.cell(target)
    kind = scene.kind(cell)
    weapon = assault.weapon
    # COH-19.1a, COH-CW3: flames and mines under tracks do not care.
    ignored = assault.flame or (weapon is not None and weapon.vehicles_only)
    # COH-12.2a: shells burst in the trees; a closed vehicle does not feel it.
    airburst = kind.key == "forest" and shells(scene, assault) and colour == "red"
    if kind.defence and not ignored and not airburst:
        yield Modifier(kind.title, kind.defence, "COH-5.0b", "defence")
    if airburst:
        yield Modifier("airburst: no forest", 0, "COH-12.2a", "defence")
    distant = assault.origin and not assault.close and not ignored
    # COH-5.0.2a; not against shells (COH-5.0.2b).
    direct = distant and not shells(scene, assault) and assault.origin != cell
    if direct and sight.crosses_wall(scene.board, assault.origin, cell):
        wall = source.terrain()["wall"].defence
        yield Modifier("wall", wall, "COH-5.0.2a", "defence")
    if assault.origin and not assault.close and _higher(scene, cell, assault.origin):
        rule = "COH-12.0e" if assault.indirect else "COH-11.2a"
        amount = source.number("fire", "higher_target")
        yield Modifier("on higher ground", amount, rule, "defence")


def _smoke_mods(scene: Scene, assault: Assault) -> Iterator[Modifier]:
    """COH-13.0a, COH-13.0d: smoke at either end, and thin smoke on the way."""
    if points := scene.smoke(assault.cell):
        rule = "COH-13.0a" if points > 1 else "COH-13.0d"
        yield Modifier("smoke on the target", points, rule, "defence")
    elsewhere = assault.origin and assault.origin != assault.cell
    if elsewhere and (points := scene.smoke(assault.origin)):
        rule = "COH-13.0a" if points > 1 else "COH-13.0d"
        yield Modifier("smoke on the firer", points, rule, "defence")
    if assault.crossed:
        yield Modifier("smoke on the way", assault.crossed, "COH-13.0d", "defence")


def _shelter_mods(scene: Scene, assault: Assault, target: Unit) -> Iterator[Modifier]:
    cell = scene.cell(target)
    counter = scene.counter(target)
    if target.carrier:
        carrier = scene.position.units.get(target.carrier)
        shield = scene.counter(carrier).shield if carrier is not None else 0
        if shield:
            yield Modifier("armoured carrier", shield, "COH-16.1a", "defence")
        return  # COH-17.0f: no other vehicle protects who rides on it.
    fort = scene.fort(target)
    if fort is not None:
        # COH-18.1a, COH-7.7.3j: only those inside.
        work = source.works()[fort.kind]
        if fort.kind == "bunker":
            weak = _on_bunker_flank(scene, assault, fort)
            flank = work.defence if work.defence_flank is None else work.defence_flank
            yield Modifier("bunker", flank if weak else work.defence, "COH-18.1.2b", "defence")
        else:
            yield Modifier(work.title, work.defence, "COH-18.1.1b", "defence")
    if target.has("hasty"):
        amount = source.supply("hasty_defence", "defence")
        yield Modifier("hasty defence", amount, "COH-18.1.3b", "defence")
    if scene.work(cell, "roadblock"):
        amount = source.works()["roadblock"].defence
        yield Modifier("roadblock", amount, "COH-18.3.2b", "defence")
    if counter.infantry:
        # Each vehicle in the hex, whosever it is.
        vehicles = sum(scene.counter(u).vehicle and not u.carrier for u in scene.at(cell))
        if vehicles:
            amount = vehicles * source.number("fire", "vehicle_shelter")
            yield Modifier("behind vehicles", amount, "COH-15.6a", "defence")


def _on_bunker_flank(scene: Scene, assault: Assault, fort: Marker) -> bool:
    if assault.close or assault.weapon is not None or explosive(scene, assault):
        return True
    if fort.facing is None or not assault.origin:
        return True
    return not scene.board.in_arc(fort.cell, fort.facing, assault.origin)
