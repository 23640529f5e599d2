"""Section 11.1: Soviet reinforcements and replacements, group by group."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.traces_of_war.rules.reinforcements import landing, negotiation, placing
from hexmarshal.games.traces_of_war.rules.sequence.agenda import go_on
from hexmarshal.games.traces_of_war.state.kinds import SOVIET
from hexmarshal.games.traces_of_war.state.situation import ISOLATED, OUT_OF_SUPPLY
from hexmarshal.rules.state.effects import ChangeFrame, MoveUnit, SetTrack
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.traces_of_war.state.execution import Play
    from hexmarshal.games.traces_of_war.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

__all__ = [
    "ARRIVALS",
    "REMOVED",
    "begin",
    "candidates",
    "check_end",
    "check_place",
    "check_replace",
    "end",
    "place",
    "replace",
    "replaceable",
]

ARRIVALS, REMOVED = "arrivals", "removed"


def begin(play: Play, *, airborne: bool) -> None:
    """TOW-11.1a: the n-th draw brings the counters numbered n, the airborne draw too (TOW-11.1c).

    Counters of earlier groups that found no place come along.
    """
    number = play.position.track("draws") + 1
    play.do(SetTrack("draws", number))
    due = [
        unit.id
        for unit in play.position.in_box(ARRIVALS)
        if unit.side == SOVIET and 0 < unit.number("arrival") <= number
    ]
    rule = "TOW-11.1c" if airborne else "TOW-11.1a"
    step = Step(f"Soviet reinforcements, draw {number}: {len(due)} units", rule)
    play.decide(Resolution("reinforcements", str(number), steps=(step,)))
    if airborne:
        landing.begin(play)
    if due:
        # On top of the landing: the group arrives first.
        play.ask("reinforcements", SOVIET, about={"draw": number, "units": due})


def _due(now: Situation, unit: Unit) -> Iterator[Violation]:
    frame = now.position.frame("reinforcements")
    if frame is not None and unit.id in frame.texts("units"):
        return
    number = unit.number("arrival")
    if unit.box == ARRIVALS and number:
        text = f"{unit.id} comes with draw {number}"
    else:
        text = f"{unit.id} is no reinforcement that arrives now"
    yield Violation("TOW-11.1a", text, units=(unit.id,))


def check_place(now: Situation, action: Action) -> Verdict:
    """A reinforcement on a railway: the Soviets' due ones, or one that the Axis pays for."""
    return Verdict.of(_placed(now, action))


def _placed(now: Situation, action: Action) -> Iterator[Violation]:
    unit = now.unit(action.text("unit"))
    if action.side == SOVIET:
        wrong = list(_due(now, unit))
        if not wrong and unit.values.get("replacement"):
            text = f"{unit.id} comes as a replacement"
            wrong = [Violation("TOW-11.1b", text, units=(unit.id,))]
    else:
        wrong = list(negotiation.unaffordable(now, unit))
    yield from wrong
    if not wrong or action.side != SOVIET:
        yield from placing.faults(now, unit, action.text("cell"))


def replaceable(now: Situation, unit: Unit) -> list[Unit]:
    """TOW-11.1b: units of the same type anywhere on the map, neither cut off nor isolated."""
    return [
        old
        for old in now.on_map(unit.side)
        if old.type == unit.type and not old.has(OUT_OF_SUPPLY) and not old.has(ISOLATED)
    ]


def check_replace(now: Situation, action: Action) -> Verdict:
    """A replacement for a unit on the map."""
    return Verdict.of(_replaced(now, action))


def _replaced(now: Situation, action: Action) -> Iterator[Violation]:
    unit = now.unit(action.text("unit"))
    wrong = list(_due(now, unit))
    if not wrong and not unit.values.get("replacement"):
        text = f"{unit.id} is no replacement: it arrives on a railway"
        wrong = [Violation("TOW-11.1b", text, units=(unit.id,))]
    yield from wrong
    if wrong:
        return
    old = now.unit(action.text("replaced"))
    if old.side != unit.side or not old.cell:
        text = f"{old.id} is no {unit.side} unit on the map"
        yield Violation("TOW-11.1b", text, units=(old.id,))
        return
    if old.type != unit.type:
        text = f"{old.id} is {old.type}, not {unit.type}"
        yield Violation("TOW-11.1b", text, units=(old.id,))
    if old.has(OUT_OF_SUPPLY) or old.has(ISOLATED):
        yield Violation("TOW-11.1b", f"{old.id} is not supplied", units=(old.id,))


def _waiting(now: Situation, *, replacements: bool) -> list[str]:
    frame = now.position.frame("reinforcements")
    names = () if frame is None else frame.texts("units")
    return [n for n in names if bool(now.unit(n).values.get("replacement")) is replacements]


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Who arrives, and where; whom a replacement replaces."""
    if slot == "unit":
        if action.kind == "place" and action.side != SOVIET:
            return negotiation.affordable(now)
        return _waiting(now, replacements=action.kind == "replace")
    unit = now.unit(action.text("unit"))
    if slot == "replaced":
        return [old.id for old in replaceable(now, unit)]
    return placing.open_stations(now, unit)


def place(play: Play, action: Action) -> None:
    """The unit arrives."""
    unit, cell = play.now.unit(action.text("unit")), action.text("cell")
    if action.side == SOVIET:
        placing.put(play, unit, cell, "TOW-11.1a")
        _arrived(play, unit.id)
    else:
        placing.put(play, unit, cell, "TOW-11.2")
        negotiation.pay(play, play.tables.cost(str(unit.values.get("category"))))
    go_on(play)


def replace(play: Play, action: Action) -> None:
    """TOW-11.1b: at full strength even for a reduced unit, which leaves play."""
    unit, old = play.now.unit(action.text("unit")), play.now.unit(action.text("replaced"))
    cell = old.cell
    play.do(MoveUnit(old.id, box=REMOVED))
    placing.put(play, unit, cell, "TOW-11.1b")
    _arrived(play, unit.id)
    go_on(play)


def _arrived(play: Play, name: str) -> None:
    frame = play.position.frame("reinforcements")
    assert frame is not None
    left = tuple(other for other in frame.texts("units") if other != name)
    if left:
        play.do(ChangeFrame("reinforcements", about=FrozenMap({"units": left})))
    else:
        play.answered("reinforcements")


def check_end(now: Situation, action: Action) -> Verdict:
    """The group is received: only those that cannot arrive wait for the next draw."""
    del action
    frame = now.position.frame("reinforcements")
    for name in () if frame is None else frame.texts("units"):
        unit = now.unit(name)
        able = (
            replaceable(now, unit)
            if unit.values.get("replacement")
            else placing.open_stations(now, unit)
        )
        if able:
            text = f"{name} can arrive"
            return Verdict((Violation("TOW-11.1a", text, units=(name,)),))
    return Verdict()


def end(play: Play, action: Action) -> None:
    """The others wait."""
    del action
    play.answered("reinforcements")
    go_on(play)
