"""A stack on the move: what the frame of a move holds, and who may begin one."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.rules.movement.allowance import (
    SMC_MOST,
    allowance,
    burden,
    is_carried,
)
from hexmarshal.games.asl.state.ground import Location
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.frames import Frame
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["ENTERING", "Moving", "begin_faults", "left_of", "moving"]

ENTERING: Final = "entering"
"""The box of those who wait to enter the map."""
_NOT_MOVING = {
    marks.BROKEN: ("ASL-MOVE-1", "is broken"),
    marks.TI: ("ASL-MOVE-1", "is TI"),
    marks.PREP_FIRE: ("ASL-MOVE-1", "has fired in the prep fire phase"),
    marks.OPPORTUNITY: ("ASL-MOVE-1", "waits for opportunity fire"),
    marks.MELEE: ("ASL-MOVE-1", "is held in melee"),
    marks.PINNED: ("ASL-PIN-3", "is pinned"),
    marks.MOVED: ("ASL-MOVE-2", "has ended its move"),
}


@dataclass(frozen=True, slots=True)
class Moving:
    """The frame of a move, read."""

    units: tuple[str, ...]
    spent: Fraction
    here: Fraction
    """Movement factors spent in the present location (ASL-DF-2)."""
    assault: bool
    double_time: int
    minimum: bool
    dash: tuple[str, ...]
    steps: int
    roads: bool
    """Whether every hexside so far was a road's (ASL-MOVE-6)."""
    left: str
    """The hex that was left by the last step."""
    found: str
    """The hex where a single man was found who may be overrun (ASL-A12.15d)."""

    @classmethod
    def of(cls, frame: Frame) -> Moving:
        """From the frame."""
        return cls(
            frame.texts("units"),
            _fraction(frame.value("spent", 0)),
            _fraction(frame.value("here", 0)),
            frame.value("assault") is True,
            int(_fraction(frame.value("double_time", 0))),
            frame.value("minimum") is True,
            frame.texts("dash"),
            int(_fraction(frame.value("steps", 0))),
            frame.value("roads", True) is True,
            frame.text("left"),
            frame.text("found"),
        )


def _fraction(value: object) -> Fraction:
    return Fraction(value) if isinstance(value, (int, str)) else Fraction(0)


def moving(now: Situation) -> Moving | None:
    """The move that is going on."""
    return now.remember("moving", lambda: _read(now))


def _read(now: Situation) -> Moving | None:
    frame = now.position.frame("moving")
    return None if frame is None else Moving.of(frame)


def left_of(now: Situation, move: Moving, *, road: bool = False) -> Fraction:
    """The movement factors that the whole group has left."""
    known = now.remember("factors left", dict[tuple[Moving, bool], Fraction])
    found = known.get((move, road))
    if found is None:
        found = known[move, road] = _left(now, move, road=road)
    return found


def _left(now: Situation, move: Moving, *, road: bool) -> Fraction:
    group = [now.unit(name) for name in move.units]
    whole = [
        allowance(now, unit, group, double_time=move.double_time, road=road and move.roads)
        for unit in group
        if not is_carried(unit, group)
    ]
    return min(whole, default=Fraction(0)) - move.spent


NOBODY: Final = Violation("ASL-MOVE-2", "nobody of the stack can go on")


def place_of_group(now: Situation, move: Moving) -> Location:
    """Where the group is; nowhere if it waits to enter."""
    return now.at(now.unit(move.units[0])) if move.units else Location("")


def unit_faults(now: Situation, name: str, side: str) -> Iterator[Violation]:
    """ASL-MOVE-1, ASL-MOVE-2: what keeps one unit from beginning a move."""
    unit = now.unit(name)
    if unit.side != side or not now.is_personnel(unit):
        yield Violation("ASL-MOVE-1", f"{name} does not move for {side}", units=(name,))
        return
    for flag, (rule, words) in _NOT_MOVING.items():
        if unit.has(flag):
            yield Violation(rule, f"{name} {words}", units=(name,))
    if now.is_smc(unit) and burden(now, unit) > SMC_MOST:
        text = f"{name} carries {burden(now, unit)} PP and may carry {SMC_MOST}"
        yield Violation("ASL-SW-1", text, units=(name,))
    if not unit.cell and not _may_enter(now, unit):
        yield Violation("ASL-MOVE-1", f"{name} is not there yet", units=(name,))


def _may_enter(now: Situation, unit: Unit) -> bool:
    due = unit.values.get("turn", 1)
    return unit.box == ENTERING and isinstance(due, int) and due <= now.position.turn


def begin_faults(now: Situation, names: tuple[str, ...], side: str) -> Iterator[Violation]:
    """ASL-MOVE-3: one unit, or a stack from one location."""
    for name in names:
        yield from unit_faults(now, name, side)
    places = {(now.at(now.unit(name)), now.unit(name).box) for name in names}
    if len(places) > 1:
        yield Violation("ASL-MOVE-3", "a stack begins its move in one location", units=names)
