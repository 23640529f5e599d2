"""Questions about close combat, concealment and prisoners."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hexmarshal.errors import Place, RulesError
from hexmarshal.games.asl.rules.close_combat import odds as chances
from hexmarshal.games.asl.rules.close_combat.ambush import ambush_modifiers, may_be_laid
from hexmarshal.games.asl.rules.close_combat.blow import Blow, aim
from hexmarshal.games.asl.rules.close_combat.units import contested
from hexmarshal.games.asl.rules.concealment.cover import in_concealment_terrain, observers
from hexmarshal.games.asl.rules.concealment.gain import gain_modifiers, way_of
from hexmarshal.games.asl.rules.prisoners.guards import held_by, is_tied_down, room_of
from hexmarshal.games.asl.rules.sequence.losses import captives, points_against
from hexmarshal.games.asl.rules.vehicles.armament import weapons_of
from hexmarshal.games.asl.rules.vehicles.assault import Assault, has_usable_gun
from hexmarshal.games.asl.rules.vehicles.assault import aim as aim_at_vehicle
from hexmarshal.games.asl.rules.vehicles.courage import is_feared
from hexmarshal.games.asl.rules.vehicles.odds import assault_odds
from hexmarshal.games.asl.rules.vehicles.seizing import penalties_of
from hexmarshal.games.asl.rules.vehicles.starting import start_modifiers
from hexmarshal.games.asl.state.ground import Location
from hexmarshal.games.asl.state.situation import SIDES, other
from hexmarshal.games.asl.state.tables import UNKNOWN
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.vehicles import aboard, is_vehicle, vehicle_of
from hexmarshal.rules.values import FrozenMap, Value, show_number
from hexmarshal.rules.verdict import Answer, Resolution, Step, amount_to_json

if TYPE_CHECKING:
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Record

__all__ = ["ambush", "close_combat", "concealment", "prisoners", "vehicle"]


def _units(now: Situation, value: Value, field: str) -> tuple[Unit, ...]:
    names = [str(name) for name in value] if isinstance(value, tuple) else []
    if not names:
        raise RulesError("nobody is named", place=Place(field=field))
    found = tuple(now.unit(name) for name in names)
    for unit in found:
        known = now.is_personnel(unit) or is_vehicle(unit)
        if not known or not now.position.cell_of(unit):
            raise RulesError(f"{unit.id} is no unit on the map", place=Place(field=field))
        if unit.type == UNKNOWN:
            raise RulesError(
                f"{unit.id} is concealed: its strength is shown in close combat alone",
                place=Place(field=field),
            )
        if unit.side != found[0].side:
            raise RulesError(f"{unit.id} is of the other side", place=Place(field=field))
    return found


def _odds(found: dict[str, Fraction]) -> FrozenMap[Value]:
    return FrozenMap({name: show_number(chance) for name, chance in found.items()})


def close_combat(now: Situation, params: Record) -> Answer:
    """`close_combat`: ratio, kill number, modifiers and exact odds of one attack."""
    attackers = _units(now, params["attackers"], "attackers")
    targets = _units(now, params["targets"], "targets")
    own = attackers[0].side == targets[0].side
    if own and not (is_vehicle(targets[0]) and targets[0].has(marks.ABANDONED)):
        raise RulesError("nobody attacks his own side", place=Place(field="targets"))
    ambusher = params.get("ambush")
    if any(is_vehicle(unit) for unit in targets):
        return _against_vehicle(now, attackers, targets, params)
    leaving = params.get("leaving", ())
    blow = Blow(
        attackers[0].side,
        attackers,
        targets,
        capture=params.get("capture") is True,
        hand_to_hand=params.get("hand_to_hand") is True,
        ambush=str(ambusher) if ambusher else "",
        leaving=frozenset(str(n) for n in leaving) if isinstance(leaving, tuple) else frozenset(),
        staying=_number(params.get("staying")),
    )
    ready = aim(now, blow)
    table = chances.unit_odds(now, blow)
    values: dict[str, Value] = {
        "firepower": amount_to_json(ready.power),
        "against": amount_to_json(ready.against),
        "odds": ready.odds.label,
        "kill_number": ready.number,
        "drm": int(ready.classes[0][0].total()),
        "targets": FrozenMap[Value](
            {name: int(found.total()) for found, names in ready.classes for name in names}
        ),
        "results": _odds(chances.attack_odds(now, blow)),
        "units": FrozenMap[Value]({name: _odds(found) for name, found in table.items()}),
    }
    steps = tuple(
        Step(
            f"{name}: " + ", ".join(f"{fate} {float(p):.1%}" for fate, p in sorted(found.items())),
            "ASL-CC-3",
        )
        for name, found in table.items()
    )
    resolution = Resolution(
        "close combat",
        strengths=ready.strengths,
        base_column=ready.odds.label,
        column=ready.odds.label,
        modifiers=ready.classes[0][0].modifiers,
    )
    return Answer(FrozenMap(values), steps=steps, resolution=resolution)


def _against_vehicle(
    now: Situation, attackers: tuple[Unit, ...], targets: tuple[Unit, ...], params: Record
) -> Answer:
    """Value, modifiers and exact odds of an attack on a vehicle."""
    if len(targets) > 1 or any(is_vehicle(unit) for unit in attackers):
        raise RulesError("men attack one vehicle at a time", place=Place(field="targets"))
    assault = Assault(
        attackers[0].side,
        attackers,
        vehicle_of(targets[0]),
        params.get("capture") is True,
        str(params.get("ambush") or ""),
    )
    ready = aim_at_vehicle(now, assault)
    odds = assault_odds(now, assault)
    values: dict[str, Value] = {
        "value": ready.value,
        "drm": int(ready.added.total()),
        "needed": ready.value - int(ready.added.total()),
        "results": _odds(odds),
        "units": FrozenMap[Value]({targets[0].id: _odds(odds)}),
    }
    steps = (
        Step(
            f"{targets[0].id}: "
            + ", ".join(f"{fate} {float(p):.1%}" for fate, p in sorted(odds.items())),
            "ASL-CCV-1",
        ),
    )
    resolution = Resolution(
        "close combat", strengths=ready.strengths, modifiers=ready.added.modifiers
    )
    return Answer(FrozenMap(values), steps=steps, resolution=resolution)


def vehicle(now: Situation, params: Record) -> Answer:
    """`vehicle`: what a vehicle can do in close combat, and by whom it is manned."""
    unit = now.unit(str(params["unit"]))
    if not is_vehicle(unit):
        raise RulesError(f"{unit.id} is no vehicle that you know", place=Place(field="unit"))
    found = vehicle_of(unit)
    lost = penalties_of(found)
    values: dict[str, Value] = {
        "armored": found.armored,
        "abandoned": found.abandoned,
        "immobile": found.immobile,
        "crew": "" if found.abandoned else found.crew,
        "weapons": FrozenMap[Value](dict(weapons_of(found))),
        "usable_machine_gun": has_usable_gun(found),
        "feared": is_feared(found),
        "aboard": tuple(man.id for man in aboard(now, unit)),
        "captured": unit.has(marks.CAPTURED),
        "breakdown": lost.breakdown,
        "rof": lost.rof,
        "to_hit": lost.to_hit,
        "movement": amount_to_json(Fraction(found.mp, 2 if lost.half_movement else 1)),
        "red_movement": lost.red_movement,
        "starts_by_die": lost.starts_by_die,
    }
    if lost.starts_by_die:
        table = now.tables.vehicle_combat.start
        extra = sum(int(m.amount) for m in start_modifiers(now, found))
        rolls = [rolled + extra for rolled in range(1, 7)]
        runs = sum(total <= table["runs"] for total in rolls)
        stays = sum(table["runs"] < total <= table["stays"] for total in rolls)
        values["start"] = _odds(
            {
                "runs": Fraction(runs, 6),
                "stays": Fraction(stays, 6),
                "bogs": Fraction(6 - runs - stays, 6),
            }
        )
    return Answer(FrozenMap(values))


def _number(value: Value) -> int:
    return value if isinstance(value, int) else 0


def ambush(now: Situation, params: Record) -> Answer:
    """`ambush`: whether one may be laid, what is added for whom, and how likely it is."""
    place = Location(str(params["cell"]), _number(params.get("level")))
    possible = may_be_laid(now, place) and contested(now, place)
    values: dict[str, Value] = {"possible": possible}
    steps: list[Step] = []
    if possible:
        values["odds"] = _odds(chances.ambush_odds(now, place))
        for side in SIDES:
            added = ambush_modifiers(now, place, side)
            values[side] = sum(int(m.amount) for m in added)
            steps += [Step(f"{side}: {m.amount:+} {m.label}", m.rule) for m in added]
    return Answer(FrozenMap(values), steps=tuple(steps))


def concealment(now: Situation, params: Record) -> Answer:
    """`concealment`: who sees a unit, and how it would gain a "?"; as far as is known."""
    unit = now.unit(str(params["unit"]))
    if not now.is_personnel(unit) or not unit.cell or unit.type == UNKNOWN:
        raise RulesError(f"{unit.id} is no unit that you know", place=Place(field="unit"))
    seen = observers(now, unit, within=None, unbroken=True)
    known = [one for one in seen if not one.has(marks.CONCEALED)]
    added = gain_modifiers(now, unit)
    way = way_of(now, unit, known)
    values: dict[str, Value] = {
        "concealed": now.is_hidden(unit),
        "terrain": in_concealment_terrain(now, now.at(unit)),
        "seen_by": tuple(one.id for one in known),
        "perhaps_seen_by": tuple(one.id for one in seen if one not in known),
        "gain": way,
        "needed": 5 - sum(int(m.amount) for m in added) if way == "roll" else None,
    }
    steps = tuple(Step(f"{m.amount:+} {m.label}", m.rule) for m in added) if way == "roll" else ()
    return Answer(FrozenMap(values), steps=steps)


def prisoners(now: Situation, params: Record) -> Answer:
    """`prisoners`: who is guarded by whom, how many more could be, and what they count."""
    side = str(params["side"])
    worth = captives(now, side)
    found: dict[str, Value] = {}
    steps = []
    for guard in now.on_map(side):
        held = now.prisoners(guard)
        if not held:
            continue
        found[guard.id] = FrozenMap[Value](
            {
                "prisoners": tuple(one.id for one in held),
                "size": held_by(now, guard),
                "room": room_of(now, guard),
                "tied_down": is_tied_down(now, guard),
            }
        )
        steps += [
            Step(f"{one.id} counts {worth[one.id]} for {side} while it is guarded", "ASL-PRIS-2")
            for one in held
        ]
    free = tuple(u.id for u in now.on_map(other(side)) if u.has(marks.UNARMED))
    values = FrozenMap[Value](
        {
            "guards": FrozenMap[Value](found),
            "free": free,
            "worth": FrozenMap[Value](worth),
            "points": points_against(now, other(side)),
        }
    )
    return Answer(values, steps=tuple(steps))
