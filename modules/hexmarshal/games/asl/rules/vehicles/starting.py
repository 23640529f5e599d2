"""A captured vehicle is started by infantry that mans it: by a die, and not always."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.vehicles.seizing import penalties_of
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.vehicles import is_vehicle, vehicle_of
from hexmarshal.rules.verdict import Modifier, Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.games.asl.state.units.vehicles import Vehicle
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.values import Value

__all__ = ["candidates", "check", "start", "start_modifiers"]

_CLUMSY = frozenset({"russian", "japanese"})
_FIRED = frozenset({marks.PREP_FIRE, marks.FIRST_FIRE, marks.FINAL_FIRE, marks.OPPORTUNITY})


def check(now: Situation, action: Action) -> Verdict:
    """ASL-CAPT-4b, ASL-CAPT-4c: a captured vehicle of the ATTACKER, once a phase."""
    return Verdict.of(_faults(now, action))


def _faults(now: Situation, action: Action) -> Iterator[Violation]:
    unit = now.unit(action.text("vehicle"))
    if not is_vehicle(unit) or unit.side != action.side or not unit.cell:
        yield Violation("ASL-CAPT-4b", f"{unit.id} is no vehicle of yours", units=(unit.id,))
        return
    if action.side != now.phasing:
        yield Violation("ASL-CAPT-4b", "the ATTACKER moves in this phase", units=(unit.id,))
    vehicle = vehicle_of(unit)
    for fault in cannot_start(vehicle):
        yield Violation(fault[0], f"{unit.id} {fault[1]}", units=(unit.id,))


def cannot_start(vehicle: Vehicle) -> list[tuple[str, str]]:
    """Why a vehicle cannot be started, each with its rule."""
    unit = vehicle.unit
    found = []
    if not unit.has(marks.CAPTURED):
        found.append(("ASL-CAPT-4b", "is not captured; its own crew starts it without a die"))
    if vehicle.immobile:
        found.append(("ASL-CAPT-4b", "is immobile"))
    if vehicle.in_motion:
        found.append(("ASL-CAPT-4b", "runs already"))
    if unit.has(marks.STARTED):
        found.append(("ASL-CAPT-4b", "was started in this phase, which counts as its move"))
    if vehicle.crew == "smc" and vehicle.exposed:
        found.append(("ASL-CAPT-4c", "is manned by one man, who is exposed and does not drive"))
    if vehicle.crew == "smc" and unit.flags & _FIRED:
        found.append(("ASL-CAPT-4c", "is manned by one man, who has fired"))
    return found


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """The captured vehicles of the side."""
    if slot != "vehicle":
        return None
    return tuple(
        unit.id
        for unit in now.position.of_side(action.side)
        if is_vehicle(unit) and unit.cell and not cannot_start(vehicle_of(unit))
    )


def start_modifiers(now: Situation, vehicle: Vehicle) -> tuple[Modifier, ...]:
    """ASL-CAPT-4b: Russians and Japanese are not good at it."""
    nation = str(now.position.extras.get(f"{vehicle.unit.side}_nation", ""))
    if nation not in _CLUMSY:
        return ()
    amount = now.tables.vehicle_combat.start["clumsy"]
    return (Modifier(nation.title(), amount, "ASL-CAPT-4b"),)


def start(play: Play, action: Action) -> None:
    """ASL-CAPT-4b: it runs, stays where it is for this phase, or bogs."""
    now = play.now
    name = action.text("vehicle")
    vehicle = vehicle_of(now.unit(name))
    play.mark(name, marks.STARTED)
    if not penalties_of(vehicle).starts_by_die:
        play.mark(name, marks.IN_MOTION)
        step = Step(f"{name} is started", "ASL-CAPT-4")
        play.decide(Resolution("start", "runs", steps=(step,)))
        return
    table = now.tables.vehicle_combat.start
    added = start_modifiers(now, vehicle)
    rolled, roll = play.roll_one(f"start of {name}", vehicle.unit.side)
    total = rolled + sum(int(m.amount) for m in added)
    result = "runs" if total <= table["runs"] else "stays" if total <= table["stays"] else "bogs"
    told = f"{name}: {rolled}" + "".join(f" {m.amount:+} {m.label}" for m in added)
    play.decide(
        Resolution(
            "start",
            result,
            modifiers=added,
            dice=(roll,),
            steps=(Step(f"{told} = {total}: {result}", "ASL-CAPT-4b"),),
        )
    )
    if result == "runs":
        play.mark(name, marks.IN_MOTION)
    else:
        play.mark(name, marks.MOVED, *((marks.BOGGED,) if result == "bogs" else ()))
