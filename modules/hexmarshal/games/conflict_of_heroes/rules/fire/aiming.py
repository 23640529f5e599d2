"""A fire action as it is read: who fires, how, at whom, and at what cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.fire.attack_kinds import Assault
from hexmarshal.rules.verdict import Cost, CostPart

if TYPE_CHECKING:
    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.games.conflict_of_heroes.state.tables import Card, Counter
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Marker, Unit

__all__ = [
    "EMPTY_HEX",
    "Fire",
    "aim",
    "fire_cost",
    "fire_of",
    "may_swing",
    "out_of_arc",
    "rolls_of",
    "targets_at",
    "weapon_of",
    "works_at",
    "works_before",
]

# What is rolled against where no enemy is seen.
EMPTY_HEX = "hex"
# COH-18.4a: who fires red high explosive.
SHELLS_WORKS = ("mortar", "gun", "tank", "spg")


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

    @property
    def indirect(self) -> bool:
        """Whether an observer directs it: smoke shells are directed like others (COH-13.1a)."""
        return self.mode == "indirect" or (self.mode == "smoke" and bool(self.observer))


def weapon_of(now: Situation, unit: Unit) -> Card | None:
    """The weapon card given to a unit; a battery off the map is nobody's."""
    card = now.tables.cards.get(str(unit.values.get("weapon")))
    return card if card is not None and card.kind == "weapon" and not card.artillery else None


def fire_of(now: Situation, action: Action) -> Fire:
    """What a fire or close-combat action says, as far as it is chosen beyond unit and arms."""
    unit = now.position.unit(action.text("unit"))
    facing = action.given("facing")
    return Fire(
        unit,
        str(action.given("cell", "")),
        action.text("mode", "direct"),
        str(action.given("observer", "")),
        tuple(now.position.unit(u) for u in action.so_far("supporters")),
        weapon_of(now, unit) if action.flag("weapon") else None,
        action.given("aimed") is True,
        facing if isinstance(facing, int) else None,
        frozenset(action.so_far("thrown")),
    )


def aim(now: Situation, fire: Fire) -> Assault:
    """The attack as it is made."""
    origin = fire.observer if fire.indirect else now.cell(fire.unit)
    crossed = now.judged(origin, fire.cell).smoke if origin and origin != fire.cell else 0
    return Assault(
        fire.unit,
        origin,
        fire.cell,
        indirect=fire.indirect,
        flame=fire.mode == "flame",
        supporters=fire.supporters,
        thrown=fire.thrown,
        aimed=fire.aimed,
        weapon=fire.weapon,
        crossed=crossed,
    )


def targets_at(now: Situation, cell: str, side: str) -> list[Unit]:
    """COH-7.5.1a, COH-7.7.3i: fire from outside is at every unit in the hex, friend and foe.

    Units that the firer's enemies keep hidden are none of them: who shoots at them shoots at a hex
    that seems empty.
    """
    return [u for u in now.at(cell) if not (now.hidden(u) and now.hostile(side, u))]


def works_at(now: Situation, assault: Assault) -> list[Marker]:
    """COH-18.4a, COH-18.3.1c: the fortifications and obstacles that this fire can destroy."""
    hit = now.hit(assault.unit) if assault.unit is not None else None
    # COH-15.2M2: works have a red rating.
    return [] if hit is not None and "red" in hit.no_fire else works_before(now, assault)


def works_before(now: Situation, assault: Assault) -> list[Marker]:
    """Those that such arms are made for, were they whole."""
    if not _breaks_works(now, assault):
        return []
    return [
        m for m, work in now.works(assault.cell) if work.rating is not None and m.seen_by is None
    ]


def _breaks_works(now: Situation, assault: Assault) -> bool:
    if assault.artillery:
        return True
    if assault.unit is None:
        return False
    counter = now.counter(assault.unit)
    if assault.weapon is not None:
        return assault.close and assault.weapon.he
    if assault.close:
        return counter.infantry
    return counter.kind in SHELLS_WORKS and not assault.flame


def rolls_of(now: Situation, fire: Fire, side: str) -> list[str]:
    """What the firer knows that he rolls against."""
    if fire.mode == "smoke":
        return []
    found = [u.id for u in targets_at(now, fire.cell, side)] or [EMPTY_HEX]
    return found + [m.id for m in works_at(now, _shape(now, fire))]


def _shape(now: Situation, fire: Fire) -> Assault:
    """The attack without its line: enough to tell what it is able to destroy."""
    flame = fire.mode == "flame"
    return Assault(fire.unit, now.cell(fire.unit), fire.cell, flame=flame, weapon=fire.weapon)


# Cost


def fire_cost(now: Situation, fire: Fire) -> Cost:
    """COH-7.0a: the printed cost, what a hit adds, and two for a turret turned out of its arc."""
    if fire.weapon is not None:
        return Cost((CostPart(fire.weapon.cost, fire.weapon.title, fire.weapon.rule),), "AP")
    counter = now.counter(fire.unit)
    if fire.mode == "smoke" and counter.kind == "engineers":
        price = now.tables.number("costs", "engineer_smoke")
        parts = [CostPart(price, "smoke", "COH-19.0b")]
    elif not fire.indirect:
        # COH-9.1.2c: a group pays its leader's cost alone.
        parts = [CostPart(counter.fire or 0, "fire", "COH-7.0a")]
    else:
        parts = [CostPart(counter.indirect or 0, "indirect fire", "COH-12.0a")]
    hit = now.hit(fire.unit)
    if hit is not None and hit.fire:
        parts.append(CostPart(hit.fire, hit.title, hit.rule))
    # COH-15.4a; by opportunity and with a card nothing of all this is paid (COH-15.4b).
    if out_of_arc(now, fire) and may_swing(counter, fire):
        parts.append(CostPart(now.tables.number("costs", "turret"), "turret", "COH-15.4a"))
    return Cost(tuple(parts), "AP")


def out_of_arc(now: Situation, fire: Fire, unit: Unit | None = None) -> bool:
    """Whether the target is outside a unit's arc of fire (COH-6.1a)."""
    shooter = unit or fire.unit
    here = now.cell(shooter)
    if not here or here == fire.cell or fire.cell not in now.board.hexes:
        return False
    if now.hidden(shooter):
        # COH-10.0a: it takes its facing as it comes to light.
        facing = fire.facing if shooter is fire.unit else None
        return facing is not None and not now.board.in_arc(here, facing % 6, fire.cell)
    fort = now.fort(shooter)
    if fort is not None and fort.kind == "trench":
        return False  # COH-18.1.1b
    facing = now.facing(shooter)
    return facing is not None and not now.board.in_arc(here, facing, fire.cell)


def may_swing(counter: Counter, fire: Fire) -> bool:
    """COH-15.4a, COH-19.1b: a turret turns; a flamethrower in the hull does not."""
    return counter.turret and not (fire.mode == "flame" and counter.flame != "turret")
