"""The decisions to leave a close combat, and who is given up to a captor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.close_combat import combat
from hexmarshal.games.asl.rules.close_combat.ending import finish
from hexmarshal.games.asl.rules.close_combat.frame import add, combat_of
from hexmarshal.games.asl.rules.close_combat.leaving.withdrawal import (
    barred,
    leave,
    way_faults,
    ways_out,
)
from hexmarshal.games.asl.rules.close_combat.outcomes import CAPTURED
from hexmarshal.games.asl.rules.close_combat.units import fighters
from hexmarshal.games.asl.state.ground import Location
from hexmarshal.rules.state.effects import ChangeFrame
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.values import Value

__all__ = [
    "check_give_up", "check_slip", "check_withdraw", "give_up", "give_up_candidates",
    "slip_away", "slip_candidates", "stay", "withdraw", "withdraw_candidates",
]  # fmt: skip


def _end(action: Action) -> Location:
    return Location(action.text("to"), action.number("level"))


def check_withdraw(now: Situation, action: Action) -> Verdict:
    """ASL-A11.21a: out of a melee, or by those who lie in ambush."""
    return Verdict.of(_withdraw_faults(now, action))


def _withdraw_faults(now: Situation, action: Action) -> Iterator[Violation]:
    found = combat_of(now)
    if found is None:
        return
    unit = now.unit(action.text("unit"))
    if unit.id not in {one.id for one in fighters(now, found.place, action.side)}:
        text = f"{unit.id} is none of yours in {found.place}"
        yield Violation("ASL-A11.21a", text, units=(unit.id,))
        return
    if not found.melee and found.ambush != action.side:
        text = f"{unit.id} is not in melee, and its side lies in no ambush"
        yield Violation("ASL-A11.21a", text, units=(unit.id,))
    why = barred(unit)
    if why:
        yield Violation("ASL-A11.21a", f"{unit.id} {why}", units=(unit.id,))
    if unit.id in found.leaving:
        yield Violation("ASL-A11.21a", f"{unit.id} withdraws already", units=(unit.id,))
    yield from way_faults(now, unit, _end(action))


def withdraw_candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Who may leave, and where to."""
    found = combat_of(now)
    if found is None or not (found.melee or found.ambush == action.side):
        return ()
    if slot == "unit":
        return tuple(
            unit.id
            for unit in fighters(now, found.place, action.side)
            if not barred(unit) and unit.id not in found.leaving
        )
    return _ways(now, action, slot)


def _ways(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    unit = now.position.units.get(str(action.given("unit")))
    if unit is None or not unit.cell:
        return ()
    ends = ways_out(now, unit)
    if slot == "to":
        return tuple(dict.fromkeys(end.cell for end in ends))
    if slot == "level":
        cell = str(action.given("to", ""))
        return tuple((end.level or None) for end in ends if end.cell == cell)
    return None


def withdraw(play: Play, action: Action) -> None:
    """ASL-A11.21a: announced, out of melee; who has laid an ambush goes at once (ASL-AMB-2)."""
    found = combat_of(play.now)
    assert found is not None
    end = _end(action)
    if found.melee:
        entry: dict[str, Value] = {
            "kind": "leaving",
            "unit": action.text("unit"),
            "to": end.cell,
            "level": end.level,
        }
        add(play, entry)
    else:
        leave(play, action.text("unit"), end, "ASL-AMB-2")


# On a lucky roll


def check_slip(now: Situation, action: Action) -> Verdict:
    """ASL-A11.21b: those whom a roll lets go, to where they could withdraw."""
    return Verdict.of(_slip_faults(now, action))


def _may_slip(now: Situation) -> tuple[str, ...]:
    frame = now.position.frame("slip_away")
    return () if frame is None else frame.texts("units")


def _slip_faults(now: Situation, action: Action) -> Iterator[Violation]:
    unit = now.unit(action.text("unit"))
    if unit.id not in _may_slip(now):
        yield Violation("ASL-A11.21b", f"{unit.id} may not leave now", units=(unit.id,))
        return
    yield from way_faults(now, unit, _end(action))


def slip_candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Those whom the roll lets go."""
    if slot == "unit":
        return _may_slip(now)
    return _ways(now, action, slot)


def slip_away(play: Play, action: Action) -> None:
    """ASL-A11.21b: it is gone, without waiting for what comes."""
    name = action.text("unit")
    leave(play, name, _end(action), "ASL-A11.21b")
    left = tuple(one for one in _may_slip(play.now) if one != name and _is_there(play, one))
    if left:
        play.do(ChangeFrame("slip_away", FrozenMap({"units": left})))
    else:
        stay(play, action)


def _is_there(play: Play, name: str) -> bool:
    return name in play.position.units


def stay(play: Play, action: Action) -> None:
    """The others stay, and the combat goes on."""
    del action
    play.answered("slip_away")
    found = combat_of(play.now)
    assert found is not None
    frame = play.position.frame("combat")
    if frame is not None and frame.value("asked") is True:
        finish(play)
    else:
        combat.go_on(play)


# Who is given up


def check_give_up(now: Situation, action: Action) -> Verdict:
    """ASL-PRIS-3: one of those who were attacked."""
    return Verdict.of(_give_up_faults(now, action))


def _give_up_faults(now: Situation, action: Action) -> Iterator[Violation]:
    frame = now.position.frame("give_up")
    if frame is not None and action.text("unit") not in frame.texts("units"):
        text = f"{action.text('unit')} was not attacked"
        yield Violation("ASL-PRIS-3", text, units=(action.text("unit"),))


def give_up_candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Those who were attacked."""
    del action
    frame = now.position.frame("give_up")
    return frame.texts("units") if frame is not None and slot == "unit" else ()


def give_up(play: Play, action: Action) -> None:
    """ASL-PRIS-3: he is captured, when the losses of all attacks are taken."""
    frame = play.answered("give_up")
    entry: dict[str, Value] = {
        "kind": "loss",
        "unit": action.text("unit"),
        "fate": CAPTURED,
        "by": frame.texts("by"),
        "die": frame.value("die", 0),
        "number": frame.value("number", 0),
    }
    add(play, entry)
    if play.position.frame("slip_away") is None:
        combat.go_on(play)
