"""Arms out of a vehicle: the unarmed look through one in their rally phase."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.rules.prisoners.capture import split_off
from hexmarshal.games.asl.rules.prisoners.rearming import arm
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.vehicles import is_vehicle, vehicle_of
from hexmarshal.rules.verdict import Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

__all__ = ["candidates", "check", "look"]

RULE: Final = "ASL-A20.54c"
MOST: Final = 3
_BUSY: Final = frozenset({marks.TI, marks.RALLIED, marks.BROKEN, marks.MELEE})


def check(now: Situation, action: Action) -> Verdict:
    """ASL-A20.54c: in one's own rally phase, an abandoned or friendly vehicle, each once."""
    return Verdict.of(_faults(now, action))


def _faults(now: Situation, action: Action) -> Iterator[Violation]:
    unit, vehicle = now.unit(action.text("unit")), now.unit(action.text("vehicle"))
    if action.side != now.phasing:
        yield Violation(RULE, "arms are looked for in one's own rally phase", units=(unit.id,))
        return
    if not _is_unarmed(now, unit, action.side):
        yield Violation(RULE, f"{unit.id} is no unarmed MMC of yours", units=(unit.id,))
        return
    if unit.flags & _BUSY:
        yield Violation(RULE, f"{unit.id} cannot do more in this phase", units=(unit.id,))
    if not is_vehicle(vehicle) or now.at(vehicle) != now.at(unit):
        text = f"{vehicle.id} is no vehicle where {unit.id} is"
        yield Violation(RULE, text, units=(unit.id, vehicle.id))
    elif vehicle.side != action.side and not vehicle_of(vehicle).abandoned:
        yield Violation(RULE, f"{vehicle.id} is manned by the enemy", units=(vehicle.id,))
    elif vehicle.values.get("scrounged") is True:
        yield Violation(RULE, f"{vehicle.id} has armed somebody", units=(vehicle.id,))


def _is_unarmed(now: Situation, unit: Unit, side: str) -> bool:
    free = unit.side == side and bool(unit.cell) and now.guard(unit) is None
    return free and now.is_mmc(unit) and unit.has(marks.UNARMED)


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """The unarmed, and the vehicles where they are."""
    if slot == "unit":
        return tuple(
            unit.id
            for unit in now.position.of_side(action.side)
            if _is_unarmed(now, unit, action.side) and not unit.flags & _BUSY
        )
    unit = now.position.units.get(str(action.given("unit", "")))
    if slot == "vehicle" and unit is not None and unit.cell:
        return tuple(one.id for one in now.position.at(unit.cell) if is_vehicle(one))
    return None


def look(play: Play, action: Action) -> None:
    """ASL-A20.54c: 1 to 3 arms a half-squad, of a squad one half; it is TI then."""
    name, vehicle = action.text("unit"), action.text("vehicle")
    rolled, roll = play.roll_one("scrounging", action.side)
    found = rolled <= MOST
    step = Step(f"{name} in {vehicle}: {rolled}, {MOST} or less needed", RULE)
    play.decide(Resolution("scrounging", "armed" if found else "none", dice=(roll,), steps=(step,)))
    play.mark(name, marks.RALLIED)
    if not found:
        return
    split_off(play, name)
    play.mark(name, marks.TI)
    play.note(vehicle, scrounged=True)
    arm(play, name, f"with what was in {vehicle}")
