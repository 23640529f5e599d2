"""Questions about fire: firepower and modifiers of an attack, its odds, who could make it."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hexmarshal.errors import Place, RulesError
from hexmarshal.games.asl.rules.fire import odds as chances
from hexmarshal.games.asl.rules.fire.attack import aim
from hexmarshal.games.asl.rules.fire.cowering import cowers_by
from hexmarshal.games.asl.rules.fire.declare import members_for
from hexmarshal.games.asl.rules.fire.eligibility import firer_faults
from hexmarshal.games.asl.rules.fire.group import sees_target
from hexmarshal.games.asl.rules.fire.shot import Shot, reach_of
from hexmarshal.games.asl.state.ground import Location
from hexmarshal.rules.values import FrozenMap, Value, as_fraction, show_number
from hexmarshal.rules.verdict import Answer, Resolution, Step, amount_to_json

if TYPE_CHECKING:
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.values import Record

__all__ = ["attack", "fire_table", "firers", "odds"]

_PHASES = ("prep_fire", "movement", "defensive_fire", "advancing_fire")


def _shot(now: Situation, params: Record) -> Shot:
    target = Location(str(params["target"]), _number(params.get("level")))
    if target.level not in now.ground.levels(target.cell):
        raise RulesError(f"{target.cell} has no level {target.level}", place=Place(field="level"))
    names = [str(name) for name in _tuple(params["firers"])]
    if not names:
        raise RulesError("nobody fires", place=Place(field="firers"))
    side = now.unit(names[0]).side
    for name in names:
        unit = now.unit(name)
        if unit.side != side or not now.position.cell_of(unit):
            raise RulesError(f"{name} does not fire with the others", place=Place(field="firers"))
        if now.is_weapon(unit) and now.holder(unit) is None:
            text = f"{name} is possessed by nobody who could fire it"
            raise RulesError(text, place=Place(field="firers"))
        if not now.is_weapon(unit) and not now.is_personnel(unit):
            raise RulesError(f"{name} has no firepower", place=Place(field="firers"))
    leaders = tuple(now.unit(str(name)) for name in _tuple(params.get("leaders", ())))
    moving = now.position.frame("first_fire")
    targets = None
    if moving is not None and moving.text("cell") == target.cell:
        targets = moving.texts("targets")
    members = members_for(now, names, target)
    for leader in leaders:  # ASL-FD-1
        if not now.is_leader(leader) or all(m.place != now.at(leader) for m in members):
            text = f"{leader.id} is no leader with those who fire"
            raise RulesError(text, place=Place(field="leaders"))
    return Shot(side, tuple(members), leaders, target, targets)


def _tuple(value: Value) -> tuple[Value, ...]:
    return value if isinstance(value, tuple) else ()


def _number(value: Value) -> int:
    return value if isinstance(value, int) else 0


def attack(now: Situation, params: Record) -> Answer:
    """`attack`: what the firepower comes to, the column, and what is added for whom."""
    shot = _shot(now, params)
    blind = [m.unit.id for m in shot.members if not sees_target(now, m, shot)]
    aimed = aim(now, shot)
    columns = now.tables.fire.columns
    column = str(columns[aimed.base]) if aimed.base >= 0 else "-"
    found = aimed.classes[0][0]
    values: dict[str, Value] = {
        "firepower": amount_to_json(shot.firepower),
        "cowers": cowers_by(now, shot),
        "drm": int(found.total()),
        "without_sight": tuple(blind),
        "targets": FrozenMap(
            {name: int(one.total()) for one, names in aimed.classes for name in names}
        ),
    }
    resolution = Resolution(
        "attack",
        strengths=tuple(member.strength() for member in shot.members),
        base_column=column,
        column=column,
        modifiers=found.modifiers,
    )
    return Answer(FrozenMap(values), resolution=resolution)


def odds(now: Situation, params: Record) -> Answer:
    """`odds`: what becomes of each unit in the target, exactly."""
    shot = _shot(now, params)
    table = chances.unit_odds(now, shot)
    results = chances.result_odds(now, shot)
    values: dict[str, Value] = {
        "results": FrozenMap[Value]({name: show_number(p) for name, p in results.items()}),
        "units": FrozenMap[Value](
            {
                name: FrozenMap[Value]({fate: show_number(p) for fate, p in fates.items()})
                for name, fates in table.items()
            }
        ),
    }
    steps = tuple(
        Step(
            f"{name}: " + ", ".join(f"{fate} {float(p):.1%}" for fate, p in sorted(fates.items())),
            "ASL-IFT-1",
        )
        for name, fates in table.items()
    )
    return Answer(FrozenMap(values), steps)


def firers(now: Situation, params: Record) -> Answer:
    """`firers`: every unit and weapon of a side that could fire at a location now, alone."""
    target = Location(str(params["target"]), _number(params.get("level")))
    side = str(params["side"])
    found: dict[str, Value] = {}
    steps = []
    for unit in now.position.of_side(side):
        if not (now.is_weapon(unit) or now.is_personnel(unit)) or not now.position.cell_of(unit):
            continue
        if now.position.phase in _PHASES and any(True for _ in firer_faults(now, unit.id, side)):
            continue
        if now.is_weapon(unit) and now.holder(unit) is None:
            continue
        if not now.is_weapon(unit) and not now.counter(unit).fp:
            continue
        far = now.ground.distance(now.position.cell_of(unit), target.cell)
        if far > 2 * reach_of(now, unit):
            continue
        members = members_for(now, (unit.id,), target)
        shot = Shot(side, tuple(members), (), target)
        if not sees_target(now, members[0], shot):
            continue
        aimed = aim(now, shot)
        column = now.tables.fire.columns[aimed.base] if aimed.base >= 0 else 0
        chance = sum(
            (p for name, p in chances.result_odds(now, shot).items() if name != "-"),
            start=Fraction(0),
        )
        found[unit.id] = FrozenMap(
            {
                "range": far,
                "firepower": amount_to_json(shot.firepower),
                "column": column,
                "drm": int(aimed.classes[0][0].total()),
                "any_result": show_number(chance),
            }
        )
        steps.append(Step(f"{unit.id}: {shot.firepower} firepower, any result {float(chance):.1%}"))
    return Answer(FrozenMap({"firers": FrozenMap(found)}), tuple(steps))


def fire_table(now: Situation, params: Record) -> Answer:
    """`fire_table`: column and result for a firepower and a final roll."""
    table = now.tables.fire
    power = as_fraction(params["firepower"])
    column = table.column(power)
    total = _number(params["total"])
    if column < 0:
        return Answer(FrozenMap({"column": 0, "result": "-"}))
    return Answer(
        FrozenMap(
            {
                "column": table.columns[column],
                "result": table.result(column, total),
                "kill_number": table.vehicle_line[table.columns[column]],
                "residual": table.residual[table.columns[column]],
            }
        )
    )
