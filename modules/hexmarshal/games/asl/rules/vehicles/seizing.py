"""Vehicles captured in close combat: who takes them, who mans them, what they can do then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.rules.close_combat.units import fighters, open_places
from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.vehicles import aboard, is_vehicle, vehicle_of
from hexmarshal.rules.state.effects import ChangeUnit, MoveUnit
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.games.asl.state.units.vehicles import Vehicle
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

__all__ = [
    "Penalties", "candidates", "capture_faults", "check", "listed", "mixed", "penalties_of",
    "relieve_drivers", "seize", "take",
]  # fmt: skip

DRIVER: Final = "driver"
VEHICLE_CREW: Final = 1
"""The firepower of a crew that comes out of a vehicle; a gun's crew has two."""
_WEAK: Final = frozenset({marks.BROKEN, marks.BERSERK, marks.UNARMED, marks.TI})


def capture_faults(now: Situation, vehicle: Vehicle, side: str) -> Iterator[Violation]:
    """ASL-CCV-4, ASL-CAPT-3: armour only if it is abandoned, and nobody of the enemy's is in it."""
    unit = vehicle.unit
    if vehicle.armored and not vehicle.abandoned:
        text = f"{unit.id} is armoured and manned: it is not captured"
        yield Violation("ASL-CAPT-3", text, units=(unit.id,))
    inside = [man.id for man in aboard(now, unit) if man.side != side]
    if inside:
        text = f"{', '.join(inside)} must be captured or lost before {unit.id}"
        yield Violation("ASL-CCV-4", text, units=(unit.id, *inside))


# Without a fight


def check(now: Situation, action: Action) -> Verdict:
    """ASL-CAPT-3: an abandoned vehicle with no enemy about, when all close combat is over."""
    return Verdict.of(_faults(now, action))


def _faults(now: Situation, action: Action) -> Iterator[Violation]:
    unit, side = now.unit(action.text("vehicle")), action.side
    if not is_vehicle(unit) or not unit.cell:
        yield Violation("ASL-CAPT-3", f"{unit.id} is no vehicle on the map", units=(unit.id,))
        return
    vehicle = vehicle_of(unit)
    if not vehicle.abandoned:
        yield Violation("ASL-CAPT-3", f"{unit.id} is not abandoned", units=(unit.id,))
    if open_places(now):
        text = f"{unit.id} is taken without a fight when all close combat is over"
        yield Violation("ASL-CAPT-3", text, units=(unit.id,))
    enemies = [one.id for one in fighters(now, now.at(unit), other(side))]
    if enemies:
        text = f"{', '.join(enemies)} is in {unit.cell}: {unit.id} must be fought for"
        yield Violation("ASL-CAPT-3a", text, units=(unit.id, *enemies), cells=(unit.cell,))
    for name in action.so_far("units"):
        yield from _taker_faults(now, now.unit(name), vehicle, side)
    if mixed(now, [now.unit(name) for name in action.so_far("units")]):
        yield Violation("ASL-CAPT-4a", "one MMC or single men take a vehicle", cured_by=("units",))


def mixed(now: Situation, units: Sequence[Unit]) -> bool:
    """More than one MMC, or an MMC with single men."""
    return len(units) > 1 and any(now.is_mmc(unit) for unit in units)


def _taker_faults(now: Situation, unit: Unit, vehicle: Vehicle, side: str) -> Iterator[Violation]:
    here = {one.id for one in now.people(now.at(vehicle.unit), side)}
    if unit.id not in here or now.is_dummy(unit):
        text = f"{unit.id} is none of yours beside {vehicle.name}"
        yield Violation("ASL-CAPT-3", text, units=(unit.id, vehicle.name))
    elif unit.flags & _WEAK or not now.good_order(unit):
        text = f"{unit.id} is in no state to man {vehicle.name}"
        yield Violation("ASL-CAPT-3", text, units=(unit.id,))


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Abandoned vehicles, and who stands beside them."""
    side = action.side
    if slot == "vehicle":
        return tuple(
            unit.id
            for unit in now.position.units.values()
            if is_vehicle(unit)
            and unit.cell
            and vehicle_of(unit).abandoned
            and now.people(now.at(unit), side)
            and not fighters(now, now.at(unit), other(side))
        )
    vehicle = now.position.units.get(str(action.given("vehicle", "")))
    if slot == "units" and vehicle is not None and vehicle.cell:
        return tuple(
            unit.id
            for unit in now.people(now.at(vehicle), side)
            if not unit.flags & _WEAK and now.good_order(unit) and not now.is_dummy(unit)
        )
    return None


def listed(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """In lists: one taker alone."""
    if slot != "units":
        return None
    return tuple((name,) for name in candidates(now, action, slot) or ())


def seize(play: Play, action: Action) -> None:
    """ASL-CAPT-3: without a roll."""
    take(play, action.text("vehicle"), action.texts("units"), "ASL-CAPT-3")


# Manning it


def take(play: Play, name: str, takers: Sequence[str], rule: str) -> None:
    """ASL-CAPT-4, ASL-CAPT-4a: the vehicle changes sides, and is manned."""
    now = play.now
    unit = now.unit(name)
    men = [now.unit(one) for one in takers]
    side = men[0].side
    if unit.side == side:
        mark, unmark = frozenset[str](), frozenset[str]()
    elif unit.has(marks.CAPTURED):  # retaken
        mark, unmark = frozenset[str](), frozenset({marks.CAPTURED})
    else:
        mark, unmark = frozenset({marks.CAPTURED}), frozenset[str]()
    crew, told = _crew(play, vehicle_of(unit), men)
    play.do(
        ChangeUnit(
            name,
            side=side,
            flags=mark,
            unflags=(unmark | {marks.ABANDONED, marks.STUNNED, marks.SHOCKED}) & unit.flags,
            values=FrozenMap({"crew": crew}),
        )
    )
    steps = (Step(f"{name} is taken by {', '.join(takers)}", rule), told)
    play.decide(Resolution("vehicle", "captured", steps=steps))


def _crew(play: Play, vehicle: Vehicle, men: Sequence[Unit]) -> tuple[str, Step]:
    """Who mans it from now on, and what that costs the captors."""
    now = play.now
    first = men[0]
    kind = now.counter(first).kind
    if now.is_mmc(first) and not vehicle.armed:
        text = f"{first.id} gives {vehicle.name} a driver and is no weaker for it"
        return DRIVER, Step(text, "ASL-CAPT-4")
    if now.is_mmc(first):
        if kind == "squad":
            half = now.counter(first).after_casualties
            play.do(ChangeUnit(first.id, type=half))
            text = f"{first.id} becomes {half} and mans {vehicle.name} with the other half"
            return "half_squad", Step(text, "ASL-CAPT-4a")
        _board(play, vehicle.name, first)
        text = f"{first.id} mans {vehicle.name}"
        own = kind == "crew" and now.counter(first).fp == VEHICLE_CREW
        crew = "crew" if own else "infantry_crew" if kind == "crew" else "half_squad"
        return crew, Step(text, "ASL-CAPT-4a")
    for man in men:
        _board(play, vehicle.name, man)
    names = ", ".join(man.id for man in men)
    if not vehicle.armed:
        return DRIVER, Step(f"{names} drives {vehicle.name}", "ASL-CAPT-4")
    if len(men) == 1:
        return "smc", Step(f"{names} mans {vehicle.name} alone", "ASL-CAPT-4c")
    heroes = all(now.is_hero(man) for man in men)
    crew = "infantry_crew" if heroes else "half_squad"
    return crew, Step(f"{names} man {vehicle.name} like a {crew}", "ASL-CAPT-4c")


def _board(play: Play, vehicle: str, man: Unit) -> None:
    """He is part of the vehicle until it is abandoned, or somebody relieves him."""
    play.unmark(man.id, marks.MELEE, *marks.UNSEEN)
    play.do(MoveUnit(man.id, carrier=vehicle))
    play.note(man.id, seat=DRIVER)


def relieve_drivers(play: Play) -> None:
    """ASL-CAPT-4: a single man at the wheel is back when an MMC is there in a rally phase."""
    for unit in tuple(play.position.units.values()):
        if not is_vehicle(unit) or not unit.cell:
            continue
        vehicle = vehicle_of(unit)
        relief = [
            one
            for one in play.now.people(play.now.at(unit), unit.side)
            if play.now.is_mmc(one) and not one.flags & _WEAK
        ]
        if not vehicle.abandoned and (vehicle.crew != DRIVER or not relief):
            continue
        for man in aboard(play.now, unit):
            if man.values.get("seat") == DRIVER:
                play.do(MoveUnit(man.id, unit.cell, unit.level))
                play.note(man.id, seat=None)
                text = f"{man.id} leaves {unit.id}"
                play.decide(Resolution("vehicle", "relieved", steps=(Step(text, "ASL-CAPT-4"),)))


# What a captured vehicle can do


@dataclass(frozen=True, slots=True)
class Penalties:
    """What a captured vehicle suffers by who mans it."""

    breakdown: int = 0
    rof: int = 0
    to_hit: int = 0
    half_movement: bool = False
    red_movement: bool = False
    starts_by_die: bool = False


def penalties_of(vehicle: Vehicle) -> Penalties:
    """ASL-CAPT-4a, ASL-CAPT-4b, ASL-CAPT-4c: doubled for a half-squad; drivers have no weapons."""
    if not vehicle.unit.has(marks.CAPTURED):
        return Penalties()
    times = {"half_squad": 2, DRIVER: 0}.get(vehicle.crew, 1)
    clumsy = vehicle.crew in ("half_squad", "infantry_crew")
    return Penalties(-2 * times, -times, 2 * times, clumsy, vehicle.crew == "crew", clumsy)
