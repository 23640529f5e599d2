"""Units under a "?": laid under it, shown, and who of the enemy could see them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.rules.morale.casualties import drop
from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units import marks, traits
from hexmarshal.games.asl.state.units.vehicles import is_vehicle, vehicle_of
from hexmarshal.games.asl.state.units.works import is_work
from hexmarshal.rules.state.effects import ChangeUnit, RemoveMarker, RemoveUnit
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.ground import Location
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = [
    "NEAR", "cloak", "conceal", "ground_units", "in_concealment_terrain", "is_lax", "is_stealthy",
    "known_to_all", "observers", "place_hidden", "remove_dummy", "reveal",
]  # fmt: skip

NEAR: Final = 16
"""Within so many hexes an enemy in sight takes concealment away (ASL-CONL-2)."""
_ALL = ("*",)


def conceal(play: Play, name: str) -> None:
    """ASL-A12.12a: a "?" is put on a unit; only its own side knows it from now on."""
    side = play.position.unit(name).side
    play.do(ChangeUnit(name, flags=frozenset({marks.CONCEALED}), known_to=(side,)))


def cloak(play: Play, name: str) -> None:
    """A secret of every "?" that goes somewhere, dummies too: weapons that it carries have some."""
    unit = play.position.unit(name)
    if play.now.is_hidden(unit) and unit.values.get("cloaked") is not True:
        play.note(name, cloaked=True)


def place_hidden(play: Play, name: str, why: str, rule: str = "ASL-HIP-1a") -> None:
    """ASL-HIP-1a: a hidden unit is put on the map, under a "?"."""
    unit = play.position.unit(name)
    if not unit.has(marks.HIDDEN):
        return
    if is_work(unit):  # ASL-HIP-2: there is no "?" on it
        reveal(play, name, why, rule)
        return
    play.do(
        ChangeUnit(
            name,
            flags=frozenset({marks.CONCEALED}),
            unflags=frozenset({marks.HIDDEN}),
            known_to=(unit.side,),
            seen_by=_ALL,
        )
    )
    step = Step(f"{name} is placed under a ? in {play.now.at(unit)}: {why}", rule)
    play.decide(Resolution("hidden unit", "placed", steps=(step,)))


def reveal(play: Play, name: str, why: str, rule: str) -> None:
    """A unit loses its "?", or its hiding; a dummy is gone (ASL-A12.12c)."""
    unit = play.position.unit(name)
    if not play.now.is_hidden(unit):
        return
    if play.now.is_dummy(unit):
        remove_dummy(play, name, why, rule)
        return
    play.do(
        ChangeUnit(
            name,
            unflags=frozenset({marks.CONCEALED, marks.HIDDEN, marks.STRENGTH_SHOWN}),
            known_to=_ALL,
            seen_by=_ALL,
        )
    )
    step = Step(f"{play.now.named(play.position.unit(name))} loses its concealment: {why}", rule)
    play.decide(Resolution("concealment", "lost", steps=(step,)))


def remove_dummy(play: Play, name: str, why: str, rule: str) -> None:
    """ASL-A12.12c: there was nothing under the "?"."""
    unit = play.position.unit(name)
    drop(play, unit, *play.now.weapons(unit))
    step = Step(f"{name} is a dummy and is removed: {why}", rule)
    play.decide(Resolution("concealment", "dummy", steps=(step,)))
    for marker in play.position.markers_on(name):
        play.do(RemoveMarker(marker.id))
    play.do(RemoveUnit(name))


def known_to_all(now: Situation, units: Iterable[Unit]) -> list[Unit]:
    """Those of them that are neither concealed nor hidden."""
    return [unit for unit in units if not now.is_hidden(unit)]


def observers(
    now: Situation, unit: Unit, *, within: int | None = NEAR, unbroken: bool = False
) -> list[Unit]:
    """ASL-CONL-2, ASL-CONL-5: the enemies in good order who see a unit, the known ones first.

    A concealed observer counts, and shows that he is no dummy; a hidden one keeps still. For
    gaining concealment every unbroken enemy counts.
    """
    place = now.at(unit)
    found = []
    for enemy in ground_units(now, other(unit.side)):
        if enemy.has(marks.HIDDEN) or now.is_dummy(enemy):
            continue
        if enemy.has(marks.BROKEN) or not (unbroken or now.good_order(enemy)):
            continue
        at = now.at(enemy)
        if within is not None and now.ground.distance(at.cell, place.cell) > within:
            continue
        if at == place or now.sees_unit(at, unit):
            found.append(enemy)
    return sorted(found, key=lambda one: (one.has(marks.CONCEALED), one.id))


def ground_units(now: Situation, side: str) -> Iterator[Unit]:
    """The personnel of a side on the map, and its vehicles whose crews look out for the enemy."""
    yield from now.on_map(side)
    for unit in now.position.of_side(side):
        if is_vehicle(unit) and unit.cell:
            vehicle = vehicle_of(unit)
            if not vehicle.abandoned and not vehicle.dazed:
                yield unit


def in_concealment_terrain(now: Situation, place: Location) -> bool:
    """ASL-A12.12a: terrain in which units can be concealed."""
    kind = now.ground.kind_of(place)
    if kind in ("rooftop", "bridge"):
        return False
    return now.ground.terrain(place.cell).concealment


def is_stealthy(now: Situation, unit: Unit) -> bool:
    """ASL-STEALTH-1: by nation or troops, heroes, or by the scenario; not who is lax."""
    by_scenario = unit.has(marks.STEALTHY) and not is_lax(now, unit)
    return not unit.has(marks.LAX) and (by_scenario or traits.is_stealthy(now, unit))


def is_lax(now: Situation, unit: Unit) -> bool:
    """ASL-STEALTH-1: the inexperienced and the like, or by the scenario."""
    return unit.has(marks.LAX) or traits.is_lax(now, unit)
