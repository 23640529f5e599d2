"""HOS-5.70, HOS-5.81: a mechanic repairs, an officer inspires."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.rules.army.command import inspired_units
from hexmarshal.games.heroes_of_stalingrad.rules.sequence.activation import begin_reserve, take_up
from hexmarshal.games.heroes_of_stalingrad.rules.sequence.agenda import go_on
from hexmarshal.games.heroes_of_stalingrad.rules.sequence.whose import (
    acting,
    in_reserve,
    reserve_faults,
)
from hexmarshal.games.heroes_of_stalingrad.state.kinds import DAMAGE, REPAIRED
from hexmarshal.rules.state.effects import ChangeUnit
from hexmarshal.rules.verdict import Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.heroes_of_stalingrad.state.execution import Play
    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

__all__ = ["candidates", "check", "check_inspire", "inspire", "inspirers", "repair"]


def _beside(now: Situation, unit: Unit, vehicle: Unit) -> bool:
    near = {c for mine in now.cells(unit) for c in now.ground.near.get(mine, ())}
    return not near.isdisjoint(vehicle.cells)


def check(now: Situation, action: Action) -> Verdict:
    """HOS-5.70: who may repair what."""
    return Verdict.of(_faults(now, action))


def _faults(now: Situation, action: Action) -> Iterator[Violation]:
    unit = now.unit(action.text("unit"))
    if in_reserve(now) and now.activation is None:
        yield from reserve_faults(now, unit, action.side)
    else:
        yield from acting(now, unit, action.side, "repair")
    if not now.has(unit, "mechanic"):
        yield Violation("HOS-5.70", f"{unit.id} is no mechanic", units=(unit.id,))
    if unit.has(REPAIRED):
        yield Violation("HOS-5.70", f"{unit.id} has repaired in this turn", units=(unit.id,))
    vehicle = now.unit(action.text("vehicle"))
    both = (unit.id, vehicle.id)
    if not now.is_live(vehicle) or not now.is_heavy(vehicle) or vehicle.side != unit.side:
        yield Violation("HOS-5.70", f"{vehicle.id} is no heavy vehicle of yours", units=both)
    elif not _beside(now, unit, vehicle):
        yield Violation("HOS-5.70", f"{vehicle.id} is not adjacent", units=both)
    damage = action.text("damage")
    if not vehicle.has(DAMAGE[damage]):
        yield Violation("HOS-5.70", f"{vehicle.id} has no damage to its {damage}", units=both)


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Mechanics, and damaged vehicles."""
    if slot == "unit":
        return [u.id for u in now.live(action.side) if now.has(u, "mechanic")]
    if slot == "vehicle":
        return [u.id for u in now.live(action.side) if now.is_heavy(u)]
    return None


def repair(play: Play, action: Action) -> None:
    """HOS-5.70: one damage marker comes off."""
    unit, vehicle, damage = (action.text(name) for name in ("unit", "vehicle", "damage"))
    take_up(play, play.unit(unit), "repair")
    play.do(ChangeUnit(vehicle, unflags=frozenset((DAMAGE[damage],))))
    play.mark(unit, REPAIRED)
    play.tell("repair", f"{vehicle}: {damage}", (f"{unit} repairs it", "HOS-5.70"))
    play.first({"kind": "action_done", "what": "repair"})
    go_on(play)


def check_inspire(now: Situation, action: Action) -> Verdict:
    """HOS-5.81: besides its action a unit inspires others, once in its activation."""
    return Verdict.of(_inspire_faults(now, action))


def _inspirer(now: Situation, action: Action) -> Unit | None:
    """The unit activated; between the activations of the Reserve Phase the one that is named."""
    frame = now.activation
    name = action.text("unit") if frame is None else frame.text("unit")
    unit = now.position.units.get(str(name))
    return unit if unit is not None and unit.side == action.side else None


def _inspire_faults(now: Situation, action: Action) -> Iterator[Violation]:
    frame, unit = now.activation, _inspirer(now, action)
    if unit is None:
        yield Violation("HOS-5.81", "none of your units is activated now")
        return
    named = action.given("unit", unit.id)
    if named != unit.id:
        yield Violation("HOS-5.81", f"{named} is not activated now", units=(str(named),))
    if frame is None:
        yield from reserve_faults(now, unit, action.side)
    if not now.has(unit, "inspiration"):
        yield Violation("HOS-5.81", f"{unit.id} has no Inspiration", units=(unit.id,))
    elif frame is not None and frame.value("inspired") is True:
        yield Violation("HOS-5.81", f"{unit.id} has inspired already", units=(unit.id,))
    elif not any(True for _ in inspired_units(now, unit)):
        yield Violation("HOS-5.81", "there is nobody to inspire", units=(unit.id,))


def inspirers(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """In the Reserve Phase those who may begin their activation by inspiring others."""
    if slot != "unit":
        return None
    if now.activation is not None:
        return ()
    return [u.id for u in now.live(action.side) if now.has(u, "inspiration")]


def inspire(play: Play, action: Action) -> None:
    """One Suppressed marker comes off every unit inspired."""
    unit = _inspirer(play.now, action)
    assert unit is not None
    begins = play.now.activation is None
    if begins:
        begin_reserve(play, unit)
    names = []
    for one in list(inspired_units(play.now, unit)):
        play.mark(one.id, suppressed=play.now.suppressed(one) - 1)
        names.append(one.id)
    play.tell("inspiration", ", ".join(names), (f"inspired by {unit.id}", "HOS-5.81"))
    play.change("activation", inspired=True)
    frame = play.now.activation
    assert frame is not None
    done = frame.texts("done")
    if begins:
        play.ask("act", unit.side, about={"unit": unit.id})
    elif done and not (frame.value("second") is True and len(done) == 1):
        play.answered("act")
        play.first({"kind": "end_activation"})
        go_on(play)
