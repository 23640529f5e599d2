"""The attack of a sniper: which hex, which of those in it, and what it does to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from hexmarshal.games.asl.rules.concealment.cover import reveal
from hexmarshal.games.asl.rules.fire.modifiers import terrain_inside
from hexmarshal.games.asl.rules.morale import casualties
from hexmarshal.games.asl.rules.morale.checks import can_break
from hexmarshal.games.asl.rules.morale.results import chosen_by_lot, missed
from hexmarshal.games.asl.rules.snipers import search
from hexmarshal.games.asl.rules.snipers.whereabouts import lose, put, sniper_of
from hexmarshal.games.asl.state.ground import Location
from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.vehicles import is_vehicle, vehicle_of
from hexmarshal.rules.verdict import Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.games.asl.state.units.vehicles import Vehicle
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

__all__ = [
    "Aim", "aim", "candidates", "check_target", "eligible", "is_inside", "options", "target",
]  # fmt: skip

_KILLS: Final = 1
_ACTIVE: Final = 2


class Aim(NamedTuple):
    """What a sniper may choose: a location, the enemy's sniper in a hex, or a vehicle."""

    place: Location
    sniper: bool = False
    vehicle: str = ""


def is_inside(now: Situation, cell: str) -> bool:
    """ASL-SAN-5: a hex whose building goes on across all six hexsides."""
    if not now.ground.terrain(cell).building:
        return False
    near = now.ground.near[cell]
    return len(near) == 6 and all(now.ground.same_building(cell, one) for one in near)


def eligible(now: Situation, side: str, place: Location) -> list[Unit]:
    """ASL-SAN-5, ASL-SAN-7: the enemies of a sniper's side in a location whom it can attack."""
    if is_inside(now, place.cell):
        return []
    return [
        unit
        for unit in now.people(place, other(side))
        if not unit.flags & {marks.CAPTURED, marks.HIDDEN} and unit.seen_by is None
    ]


def _places(now: Situation, side: str) -> set[Location]:
    found = {now.at(unit) for unit in now.on_map(other(side))}
    return {place for place in found if eligible(now, side, place)}


def _vehicles(now: Situation, side: str) -> list[Vehicle]:
    """ASL-SAN-3, ASL-SAN-5: armour with an exposed crew, and soft vehicles, as far as known."""
    return [
        vehicle
        for unit in now.position.of_side(other(side))
        if is_vehicle(unit) and unit.cell and not now.is_hidden(unit)
        for vehicle in (vehicle_of(unit),)
        if not vehicle.armored or _has_exposed_crew(vehicle)
    ]


def _has_exposed_crew(vehicle: Vehicle) -> bool:
    return vehicle.armored and vehicle.exposed and not vehicle.abandoned


def options(now: Situation, side: str, cell: str) -> tuple[Aim, ...]:
    """ASL-SAN-3: what is in the hex; else the nearest hexes with a target, the lowest TEM first."""
    vehicles = _vehicles(now, side)
    crews = {Location(one.unit.cell) for one in vehicles if _has_exposed_crew(one)}
    men = _places(now, side)
    places = men | crews
    hostile = sniper_of(now, other(side))
    here = sorted(place for place in men if place.cell == cell)
    found = [Aim(place) for place in here]
    found += [Aim(Location(cell), vehicle=one.name) for one in vehicles if one.unit.cell == cell]
    if hostile is not None and hostile.cell == cell:
        found.append(Aim(Location(cell), sniper=True))
    if found:
        return tuple(found)
    if not places:
        return ()
    near = min(now.ground.distance(cell, place.cell) for place in places)
    close = [p for p in sorted(places) if now.ground.distance(cell, p.cell) == near]
    least = min(_terrain(now, place) for place in close)
    best = [place for place in close if _terrain(now, place) == least]
    chosen = [Aim(place) for place in best if place in men]
    cells = {place.cell for place in best}
    chosen += [
        Aim(Location(one.unit.cell), vehicle=one.name) for one in vehicles if one.unit.cell in cells
    ]
    if hostile is not None and any(one.place.cell == hostile.cell for one in chosen):
        chosen.append(Aim(Location(hostile.cell), sniper=True))
    return tuple(chosen)


def _terrain(now: Situation, place: Location) -> int:
    found = terrain_inside(now, place)
    return max(0, int(found.amount)) if found is not None else 0


def aim(play: Play, side: str, cell: str, result: int) -> None:
    """ASL-SAN-3: one target is attacked at once; of several the owner chooses."""
    found = options(play.now, side, cell)
    if not found:
        step = Step(f"nobody near {cell} can be attacked", "ASL-SAN-5")
        play.decide(Resolution("sniper", "no target", steps=(step,)))
    elif len(found) == 1:
        _attack(play, side, found[0], result)
    else:
        play.ask("sniper_target", side, about={"cell": cell, "result": result})


def check_target(now: Situation, action: Action) -> Verdict:
    """ASL-SAN-3: one of those that the roll leaves."""
    frame = now.position.frame("sniper_target")
    if frame is None:
        return Verdict()
    found = options(now, action.side, frame.text("cell"))
    if _chosen(action) in found:
        return Verdict()
    names = ", ".join(
        f"the sniper in {one.place.cell}" if one.sniper else one.vehicle or str(one.place)
        for one in found
    )
    text = f"{action.text('to')} is none of {names}"
    return Verdict((Violation("ASL-SAN-3", text, cells=(action.text("to"),)),))


def _chosen(action: Action) -> Aim:
    sniper = action.flag("sniper")
    vehicle = str(action.given("vehicle") or "")
    level = 0 if sniper or vehicle else action.number("level")
    return Aim(Location(action.text("to"), level), sniper, vehicle)


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """The targets that may be chosen."""
    frame = now.position.frame("sniper_target")
    if frame is None:
        return ()
    found = options(now, action.side, frame.text("cell"))
    if slot == "to":
        return tuple(dict.fromkeys(one.place.cell for one in found))
    cell = action.given("to")
    if slot == "level":
        levels = [one.place.level for one in found if one.place.cell == cell]
        return tuple(dict.fromkeys(level or None for level in levels))
    if slot == "vehicle":
        return tuple(dict.fromkeys(one.vehicle or None for one in found if one.place.cell == cell))
    return None


def target(play: Play, action: Action) -> None:
    """ASL-SAN-3."""
    frame = play.answered("sniper_target")
    result = frame.value("result", 1)
    _attack(play, action.side, _chosen(action), result if isinstance(result, int) else 1)


def _attack(play: Play, side: str, chosen: Aim, result: int) -> None:
    """ASL-SAN-3, ASL-SAN-4: one by lot, then all others with a die each; then the check."""
    place = chosen.place
    put(play, side, place.cell)
    if chosen.sniper:
        _against_sniper(play, other(side), result)
        return
    if chosen.vehicle:
        _against_vehicle(play, chosen.vehicle, result)
        return
    units = eligible(play.now, side, place)
    known = [unit.id for unit in units if not unit.has(marks.CONCEALED)]
    hidden = [unit.id for unit in units if unit.has(marks.CONCEALED)]
    stack = "?" if hidden else ""
    names = [*known, *([stack] if stack else [])]
    hit = chosen_by_lot(play, names, 1, "whom the sniper hits", other(side))
    for name in hit:
        _hit(play, hidden if name == stack else [name], result, place)
    for name in names:
        if name in hit:
            continue
        rolled, roll = play.roll_one(f"sniper at {name}", side)
        told = f"{name}: {rolled}: {'hit' if rolled <= _ACTIVE else 'nothing'}"
        step = Step(told, "ASL-SAN-3")
        play.decide(
            Resolution(
                "sniper", "hit" if rolled <= _ACTIVE else "none", dice=(roll,), steps=(step,)
            )
        )
        if rolled <= _ACTIVE:
            _hit(play, hidden if name == stack else [name], rolled, place)
    search.offer(play, side, place)


def _hit(play: Play, names: list[str], result: int, place: Location) -> None:
    """ASL-SAN-4: of a concealed stack the lot says who."""
    there = [name for name in names if name in play.position.units]
    if not there:
        return
    side = play.position.unit(there[0]).side
    for name in chosen_by_lot(play, there, 1, "who of them is hit", side):
        _suffer(play, play.position.unit(name), result, place)


def _suffer(play: Play, unit: Unit, result: int, place: Location) -> None:
    """ASL-SAN-6: 1 kills or breaks, 2 wounds or pins; the broken despair."""
    reveal(play, unit.id, "a sniper shoots at it", "ASL-CONL-1")
    if unit.id not in play.position.units:
        return  # a dummy
    now = play.now
    unit = now.unit(unit.id)
    here = [one.id for one in now.people(place, unit.side)]
    if now.is_smc(unit):
        what = "eliminated" if result == _KILLS else "wounded"
    elif unit.has(marks.BROKEN):
        what = "dm"
    elif result == _KILLS:
        what = "broken" if can_break(now, unit) else "reduced"
    else:
        what = "pinned" if now.can_be_pinned(unit) else "unharmed"
    step = Step(f"{now.named(unit)}: {result}: {what}", "ASL-SAN-6")
    play.decide(Resolution("sniper", what, steps=(step,)))
    if what == "eliminated":
        casualties.eliminate(play, unit.id)
    elif what == "wounded":
        casualties.wound(play, unit)
    elif what == "broken":
        casualties.break_unit(play, unit.id, dm=True)
    elif what == "reduced":
        casualties.reduce(play, unit.id)
    elif what == "pinned":
        casualties.pin(play, unit.id)
    if unit.id in play.position.units and unit.has(marks.BROKEN):
        play.mark(unit.id, marks.DM)
    if now.is_leader(unit) and unit.id not in play.position.units:
        missed(play, unit, here)


def _against_vehicle(play: Play, name: str, result: int) -> None:
    """ASL-SAN-6, ASL-SAN-7: an exposed crew is stunned, a soft vehicle immobilized by a 1 alone."""
    vehicle = vehicle_of(play.position.unit(name))
    if vehicle.armored:
        what, mark = "stunned", marks.STUNNED
    elif result == _KILLS:
        what, mark = "immobilized", marks.IMMOBILE
    else:
        what, mark = "unharmed", ""
    step = Step(f"{name}: {result}: {what}", "ASL-SAN-6")
    play.decide(Resolution("sniper", what, steps=(step,)))
    if mark:
        play.mark(name, mark)


def _against_sniper(play: Play, side: str, result: int) -> None:
    """ASL-SAN-6, ASL-SAN-7: the other sniper is eliminated or pinned."""
    if result == _KILLS:
        lose(play, side, "ASL-SAN-6")
        return
    marker = sniper_of(play.now, side)
    if marker is not None:
        put(play, side, marker.cell, pinned=True)
        step = Step(f"the sniper of {side} is pinned", "ASL-SAN-6")
        play.decide(Resolution("sniper", "pinned", steps=(step,)))
