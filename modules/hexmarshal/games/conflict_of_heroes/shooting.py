"""Fire: who may shoot at which hex, in which way, at what cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes import attack, payment, source
from hexmarshal.games.conflict_of_heroes.attack import Assault, reach_of
from hexmarshal.games.conflict_of_heroes.rolling import roll_objections, total_cap
from hexmarshal.rules.verdict import Cost, CostPart, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.conflict_of_heroes.scene import Scene
    from hexmarshal.games.conflict_of_heroes.source import Card, Counter
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.pieces import Marker, Unit

__all__ = ["Fire", "aim", "check_fire", "fire_of", "targets_at", "works_at"]

EMPTY_HEX = "hex"
OBSERVER_REACH = 2


@dataclass(frozen=True, slots=True)
class Fire:
    """A fire action, read: who, where, how."""

    unit: Unit
    cell: str
    mode: str
    observer: str
    supporters: tuple[Unit, ...]
    weapon: Card | None
    aimed: bool
    facing: int | None
    thrown: frozenset[str] = frozenset()  # supporters who use their weapon cards

    @property
    def all(self) -> tuple[Unit, ...]:
        """Everyone who takes part."""
        return (self.unit, *self.supporters)


def fire_of(scene: Scene, action: Action) -> Fire:
    """What a fire or close-combat action says."""
    unit = scene.position.unit(action.text("unit"))
    named = unit.values.get("weapon")
    weapon = source.cards().get(str(named)) if action.flag("weapon") else None
    facing = action.params.get("facing")
    return Fire(
        unit,
        action.text("cell"),
        action.text("mode", "direct"),
        action.text("observer"),
        tuple(scene.position.unit(u) for u in action.texts("supporters")),
        weapon,
        action.flag("aimed"),
        facing if isinstance(facing, int) else None,
        frozenset(action.texts("thrown")),
    )


def aim(scene: Scene, fire: Fire) -> Assault:
    """The attack as it is made."""
    origin = fire.observer if fire.mode == "indirect" else scene.cell(fire.unit)
    crossed = scene.judged(origin, fire.cell).smoke if origin and origin != fire.cell else 0
    return Assault(
        fire.unit,
        origin,
        fire.cell,
        indirect=fire.mode == "indirect",
        flame=fire.mode == "flame",
        support=len(fire.supporters),
        aimed=fire.aimed,
        weapon=fire.weapon,
        crossed=crossed,
    )


def targets_at(scene: Scene, cell: str, side: str) -> list[Unit]:
    """COH-7.5.1a, COH-7.7.3i: fire from outside is at every unit in the hex, friend and foe.

    Units that the firer's enemies keep hidden are none of them: who shoots at them shoots at a hex
    that seems empty.
    """
    return [u for u in scene.at(cell) if not (scene.hidden(u) and scene.hostile(side, u))]


def works_at(scene: Scene, assault: Assault) -> list[Marker]:
    """COH-18.4a, COH-18.3.1c: the fortifications and obstacles that this fire can destroy."""
    if not _breaks_works(scene, assault):
        return []
    return [
        m for m, work in scene.works(assault.cell) if work.rating is not None and m.seen_by is None
    ]


def _breaks_works(scene: Scene, assault: Assault) -> bool:
    if assault.artillery:
        return True
    if assault.unit is None:
        return False
    counter = scene.counter(assault.unit)
    if assault.weapon is not None:
        return assault.close and assault.weapon.he
    if assault.close:
        return counter.infantry
    return counter.kind in ("mortar", "gun", "tank", "spg") and not assault.flame


def check_fire(scene: Scene, action: Action) -> Verdict:
    """Every objection to a shot; how often a target was shot at is none (COH-7.0c)."""
    fire = fire_of(scene, action)
    cost = fire_cost(scene, fire, action)
    found = list(firer_objections(scene, fire, fire.unit))
    found += _place_objections(scene, fire)
    found += weapon_objections(scene, fire, action)
    found += _support_objections(scene, fire)
    if scene.hidden(fire.unit) and fire.facing is not None and not 0 <= fire.facing <= 5:
        found.append(Violation("COH-5.1a", f"no hexside {fire.facing}", field="facing"))
    rolls = rolls_of(scene, fire, action.side)
    if not found:
        found += _target_objections(scene, fire, action.side)
    found += roll_objections(scene, action, rolls)
    found += payment.objections(scene, action, fire.all, cost, total_cap(action, rolls))
    return Verdict(tuple(found), payment.bill(action, cost))


def rolls_of(scene: Scene, fire: Fire, side: str) -> list[str]:
    """What the firer knows that he rolls against."""
    if fire.mode == "smoke":
        return []
    found = [u.id for u in targets_at(scene, fire.cell, side)] or [EMPTY_HEX]
    return found + [m.id for m in works_at(scene, _shape(scene, fire))]


def _shape(scene: Scene, fire: Fire) -> Assault:
    """The attack without its line: enough to tell what it is able to destroy."""
    flame = fire.mode == "flame"
    return Assault(fire.unit, scene.cell(fire.unit), fire.cell, flame=flame, weapon=fire.weapon)


# Cost


def fire_cost(scene: Scene, fire: Fire, action: Action) -> Cost:
    """COH-7.0a: the printed cost, what a hit adds, and two for a turret turned out of its arc."""
    if fire.weapon is not None:
        return Cost((CostPart(fire.weapon.cost, fire.weapon.title, fire.weapon.rule),), "AP")
    counter = scene.counter(fire.unit)
    if fire.mode == "smoke" and counter.kind == "engineers":
        price = source.number("costs", "engineer_smoke")
        return Cost((CostPart(price, "smoke", "COH-19.0b"),), "AP")
    # COH-9.1.2c: a group pays its leader's cost alone.
    parts = [CostPart(counter.fire or 0, "fire", "COH-7.0a")]
    if fire.mode == "indirect":
        parts = [CostPart(counter.indirect or 0, "indirect fire", "COH-12.0a")]
    hit = scene.hit(fire.unit)
    if hit is not None and hit.fire:
        parts.append(CostPart(hit.fire, hit.title, hit.rule))
    # COH-15.4a, COH-15.4b
    if out_of_arc(scene, fire) and may_swing(counter, fire):
        if payment.way(action) in ("opportunity", "card"):
            parts.append(CostPart(0, "turret", "COH-15.4b"))
        else:
            parts.append(CostPart(source.number("costs", "turret"), "turret", "COH-15.4a"))
    return Cost(tuple(parts), "AP")


def out_of_arc(scene: Scene, fire: Fire, unit: Unit | None = None) -> bool:
    """Whether the target is outside a unit's arc of fire (COH-6.1a)."""
    shooter = unit or fire.unit
    here = scene.cell(shooter)
    if not here or here == fire.cell or fire.cell not in scene.board.hexes:
        return False
    if scene.hidden(shooter):
        # COH-10.0a: it takes its facing as it comes to light.
        facing = fire.facing if shooter is fire.unit else None
        return facing is not None and not scene.board.in_arc(here, facing % 6, fire.cell)
    fort = scene.fort(shooter)
    if fort is not None and fort.kind == "trench":
        return False  # COH-18.1.1b
    facing = scene.facing(shooter)
    return facing is not None and not scene.board.in_arc(here, facing, fire.cell)


def may_swing(counter: Counter, fire: Fire) -> bool:
    """COH-15.4a, COH-19.1b: a turret turns; a flamethrower in the hull does not."""
    return counter.turret and not (fire.mode == "flame" and counter.flame != "turret")


# Objections


def firer_objections(scene: Scene, fire: Fire, unit: Unit) -> Iterator[Violation]:
    me = (unit.id,)
    here = scene.cell(unit)
    counter = scene.counter(unit)
    if not here or unit.box:
        yield Violation("COH-7.0a", f"{unit.id} is not on the map", units=me)
        return
    if unit.carrier:
        yield Violation("COH-17.0e", f"{unit.id} is aboard {unit.carrier}", units=me)
    if counter.fire is None and fire.weapon is None:
        yield Violation("COH-16.0a", f"{counter.title} never attacks", units=me)
    hit = scene.hit(unit)
    if hit is not None and hit.only_rally:
        rule = "COH-8.4b" if fire.weapon is not None else hit.rule
        yield Violation(rule, f"{unit.id} is {hit.title.lower()}: it can only rally", units=me)
    elif hit is not None and hit.no_fire >= {"red", "blue"}:
        rule = "COH-8.4b" if fire.weapon is not None else hit.rule
        yield Violation(rule, f"{unit.id} is {hit.title.lower()}: it cannot fire", units=me)
    if here != fire.cell and any(not scene.hidden(u) for u in scene.enemies_at(here, unit.side)):
        text = f"{unit.id} has enemies in its own hex and cannot fire out of it"
        yield Violation("COH-7.7.3f", text, units=me, cells=(here,))
    fort = scene.fort(unit)
    if fort is not None and fort.kind == "bunker" and counter.kind == "mortar":
        yield Violation("COH-18.1.2a", "mortars cannot fire from a bunker", units=me)


def _place_objections(scene: Scene, fire: Fire) -> Iterator[Violation]:
    """Arc, sight and range of the leader."""
    unit, here, cell = fire.unit, scene.cell(fire.unit), fire.cell
    me, places = (unit.id,), (here, cell)
    if not here:
        return
    counter = scene.counter(unit)
    if here == cell:
        if not (fire.mode == "smoke" and counter.kind == "engineers"):
            text = "an enemy in the same hex is fought in close combat"
            yield Violation("COH-7.7.3a", text, units=me, cells=(cell,))
        return
    if out_of_arc(scene, fire) and not may_swing(counter, fire):
        yield _arc_violation(scene, fire)
    if fire.mode == "indirect":
        yield from _observer_objections(scene, fire)
    elif scene.judged(here, cell).blocked:
        yield Violation("COH-6.0a", f"no line of sight from {here} to {cell}", cells=places)
    distance = scene.board.distance(here, cell)
    yield from _range_objections(scene, fire, distance)


def _arc_violation(scene: Scene, fire: Fire) -> Violation:
    unit, counter = fire.unit, scene.counter(fire.unit)
    fort = scene.fort(unit)
    if fort is not None and fort.kind == "bunker":
        rule, text = "COH-18.1.2a", "the target is outside the bunker's arc"
    elif fire.mode == "flame" and counter.turret:
        rule, text = "COH-19.1b", "a flamethrower in the hull fires into the arc alone"
    elif counter.vehicle:
        rule, text = "COH-15.4c", f"{unit.id} has no turret: it must pivot first"
    else:
        rule, text = "COH-6.1a", f"{fire.cell} is outside the arc of {unit.id}"
    return Violation(rule, text, cells=(fire.cell,), units=(unit.id,))


def _range_objections(scene: Scene, fire: Fire, distance: int) -> Iterator[Violation]:
    unit, counter = fire.unit, scene.counter(fire.unit)
    me, cells = (unit.id,), (fire.cell,)
    if fire.weapon is not None:
        if distance > fire.weapon.reach:
            text = f"{fire.weapon.title} reach {fire.weapon.reach} hexes"
            yield Violation(fire.weapon.rule, text, units=me, cells=cells)
        return
    if fire.mode == "flame":
        if distance > source.flame("range"):
            yield Violation("COH-19.1a", "flames reach one hex", units=me, cells=cells)
        return
    if fire.mode == "smoke" and counter.kind == "engineers":
        if distance > 1:
            text = "engineers lay smoke in their own hex or the next"
            yield Violation("COH-19.0b", text, units=me, cells=cells)
        return
    if distance > 2 * reach_of(scene, unit):
        rule = "COH-16.0a" if counter.transport else "COH-7.7.1a"
        text = f"{distance} hexes are more than twice the range of {reach_of(scene, unit)}"
        yield Violation(rule, text, units=me, cells=cells)
    if distance < counter.min_range:
        rule = "COH-12.0d" if distance == 1 else "COH-12.0c"
        text = f"{distance} hexes are less than the minimum range of {counter.min_range}"
        yield Violation(rule, text, units=me, cells=cells)


def _observer_objections(scene: Scene, fire: Fire) -> Iterator[Violation]:
    """COH-12.0b: a hex near the mortar, in its sight, without enemies, that sees the target."""
    unit, here, spot = fire.unit, scene.cell(fire.unit), fire.observer
    me = (unit.id,)
    counter = scene.counter(unit)
    if counter.indirect is None:
        yield Violation("COH-12.0a", f"{counter.title} has no indirect fire", units=me)
    if not spot:
        yield Violation("COH-12.0b", "indirect fire needs an observer's hex", field="observer")
        return
    rule = "COH-12.0b"
    if scene.board.distance(here, spot) > OBSERVER_REACH:
        yield Violation(rule, f"{spot} is more than 2 hexes from the mortar", cells=(spot,))
    if spot != here and scene.judged(here, spot).blocked:
        yield Violation(rule, f"the mortar does not see {spot}", cells=(here, spot))
    if scene.enemies_at(spot, unit.side):
        yield Violation(rule, f"an enemy is in {spot}", cells=(spot,))
    if spot != fire.cell and scene.judged(spot, fire.cell).blocked:
        text = f"no line of sight from the observer in {spot}"
        yield Violation(rule, text, cells=(spot, fire.cell))


def weapon_objections(scene: Scene, fire: Fire, action: Action) -> Iterator[Violation]:
    unit, counter, me = fire.unit, scene.counter(fire.unit), (fire.unit.id,)
    if action.flag("weapon") and fire.weapon is None:
        yield Violation("COH-8.4a", f"{unit.id} was given no weapon card", units=me)
    if fire.mode == "flame" and not counter.flame:
        yield Violation("COH-19.1a", f"{unit.id} has no flamethrower", units=me)
    if fire.mode == "smoke" and not may_smoke(scene, unit):
        yield Violation("COH-13.1a", f"{unit.id} cannot lay smoke", units=me)
    if fire.mode == "smoke" and fire.supporters:
        yield Violation("COH-9.1.2a", "nobody supports smoke", units=me)
    if fire.weapon is not None and fire.weapon.vehicles_only and fire.supporters:
        text = f"{fire.weapon.title} is not for group fire"
        yield Violation(fire.weapon.rule, text, units=me)
    if fire.aimed and "09" not in scene.hand(action.side):
        yield Violation("COH-C09", f"{action.side} has no card 09", field="aimed")


def may_smoke(scene: Scene, unit: Unit) -> bool:
    """COH-13.1a: mortars of 8 cm and more and engineers; others as the firefight allows."""
    allowed = scene.position.extras.get("smoke_units", ())
    named = isinstance(allowed, tuple) and unit.id in allowed
    barred = scene.position.extras.get("no_smoke") is True
    return named or (scene.counter(unit).smoke and not barred)


def _support_objections(scene: Scene, fire: Fire) -> Iterator[Violation]:
    """COH-9.1.2a, COH-9.1.2b: who may support, and how."""
    if not fire.supporters:
        return
    ids = [u.id for u in fire.all]
    if len(set(ids)) != len(ids):
        yield Violation("COH-9.1.2a", "a unit is named twice", field="supporters")
    here = scene.cell(fire.unit)
    colours = {
        attack.colour_of(scene, Assault(fire.unit, here, fire.cell), u)
        for u in targets_at(scene, fire.cell, fire.unit.side)
    } or {"red", "blue"}
    yield from _strong_enough(scene, fire, fire.unit, colours)
    for unit in fire.supporters:
        me, place = (unit.id,), scene.cell(unit)
        yield from firer_objections(scene, fire, unit)
        if not place or not here:
            continue
        if scene.board.distance(here, place) > 1:
            text = f"{unit.id} is not beside its fire leader"
            yield Violation("COH-9.1.2b", text, units=me, cells=(place,))
        if place == fire.cell:
            text = f"{unit.id} stands in the target's hex"
            yield Violation("COH-9.1.2b", text, units=me)
            continue
        if out_of_arc(scene, fire, unit):
            text = f"{fire.cell} is outside the arc of {unit.id}: supporters do not turn turrets"
            yield Violation("COH-9.1.2b", text, units=me)
        if scene.judged(place, fire.cell).blocked:
            text = f"no line of sight from {place}"
            yield Violation("COH-9.1.2b", text, units=me, cells=(place, fire.cell))
        if scene.board.distance(place, fire.cell) > reach_of(scene, unit):
            text = f"{unit.id} is not in normal range"
            yield Violation("COH-9.1.2b", text, units=me)
        if scene.board.distance(place, fire.cell) < scene.counter(unit).min_range:
            yield Violation("COH-12.0c", f"{unit.id} is too near", units=me)
        hit = scene.hit(unit)
        if hit is not None and (hit.red or hit.blue or hit.no_fire):
            text = f"{unit.id} is {hit.title.lower()}: it cannot support"
            yield Violation("COH-9.1.2b", text, units=me)
        yield from _strong_enough(scene, fire, unit, colours)


def _strong_enough(scene: Scene, fire: Fire, unit: Unit, colours: set[str]) -> Iterator[Violation]:
    """COH-9.1.2a: firepower above zero with the bonus of the range."""
    counter = scene.counter(unit)
    place = scene.cell(unit)
    near = place and scene.board.distance(place, fire.cell) == 1
    bonus = source.number("fire", "short_range") if near else 0
    if fire.weapon is not None and unit is fire.unit:
        return
    if unit.id in fire.thrown:
        yield from thrown_objections(scene, fire, unit)
        return
    if all(counter.power(colour) + bonus <= 0 for colour in colours):
        text = f"{unit.id} has no firepower to add"
        yield Violation("COH-9.1.2a", text, units=(unit.id,))


def thrown_objections(scene: Scene, fire: Fire, unit: Unit) -> Iterator[Violation]:
    """COH-CW1, COH-CW2: grenades and bottles may support; COH-CW3: mines may not."""
    card = source.cards().get(str(unit.values.get("weapon")))
    if card is None:
        text = f"{unit.id} was given no weapon card"
        yield Violation("COH-8.4a", text, units=(unit.id,))
    elif card.vehicles_only or scene.board.distance(scene.cell(unit), fire.cell) > card.reach:
        text = f"{card.title} cannot support this"
        yield Violation(card.rule, text, units=(unit.id,))


def _target_objections(scene: Scene, fire: Fire, side: str) -> Iterator[Violation]:
    if fire.mode == "smoke":
        return
    targets = targets_at(scene, fire.cell, side)
    assault = aim(scene, fire)
    if targets and not any(scene.hostile(side, u) for u in targets):
        if not works_at(scene, assault):
            text = f"there are only friends in {fire.cell}"
            yield Violation("COH-7.0a", text, cells=(fire.cell,))
        return
    shots = [attack.on_unit(scene, assault, u) for u in targets]
    lost = [shot.barred for shot in shots if shot.barred]
    if shots and len(lost) == len(shots) and not works_at(scene, assault):
        text = f"{fire.unit.id} cannot harm anything there: its gun is damaged"
        yield Violation(lost[0], text, units=(fire.unit.id,))
    picky = fire.weapon is not None and fire.weapon.vehicles_only
    if picky and targets and not any(scene.counter(u).vehicle for u in targets):
        assert fire.weapon is not None
        yield Violation(fire.weapon.rule, "only against vehicles", cells=(fire.cell,))
