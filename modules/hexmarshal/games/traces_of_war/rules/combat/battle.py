"""TOW-10.1 and 10.3: a combat from its declaration to its end, stage by stage."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.games.traces_of_war.rules.combat import advance, air, losses, retreat
from hexmarshal.games.traces_of_war.rules.combat.strength import Plan, plan_of
from hexmarshal.games.traces_of_war.rules.ground.control import sweep
from hexmarshal.games.traces_of_war.state.kinds import AXIS, other
from hexmarshal.games.traces_of_war.state.piles import AIR
from hexmarshal.rules.state.effects import ChangeFrame
from hexmarshal.rules.values import FrozenMap, Value
from hexmarshal.rules.verdict import Modifier, Resolution, Step

if TYPE_CHECKING:
    from hexmarshal.games.traces_of_war.state.execution import Play
    from hexmarshal.games.traces_of_war.state.situation import Situation
    from hexmarshal.rules.frames import Frame

__all__ = ["Result", "proceed", "read", "support_shown", "under_order"]

_DEFENDER = re.compile(r"(\d?)(R{1,2})")


@dataclass(frozen=True, slots=True)
class Result:
    """TOW-10.3d: what a code of the table means."""

    steps: int = 0
    retreat: int = 0
    attacker_steps: int = 0


def read(code: str) -> Result:
    """R, RR, 1RR: steps lost and hexes of retreat; A1: steps of the attacker; -: nothing."""
    found = _DEFENDER.fullmatch(code)
    if found:
        return Result(int(found[1] or 0), len(found[2]))
    if code.startswith("A"):
        return Result(attacker_steps=int(code[1:]))
    return Result()


def under_order(result: Result) -> Result:
    """TOW-12.2a: units under a Supreme Command order lose steps instead of retreating."""
    return Result(result.steps + result.retreat, 0, result.attacker_steps)


def _set(play: Play, **changes: Value) -> None:
    play.do(ChangeFrame("battle", about=FrozenMap(changes)))


def proceed(play: Play) -> None:
    """The next stage of the combat in progress."""
    frame = play.position.frame("battle")
    assert frame is not None
    match frame.text("stage"):
        case "declared":
            _set(play, stage="roll")
            # Asked whenever markers are at hand, whichever they are: asking betrays nothing.
            if play.position.pile(AIR).cards:
                play.ask("air_support", AXIS)
        case "roll":
            _roll(play, frame)
        case "losses":
            _set(play, stage="retreat")
            losses.begin(play, frame)
        case "retreat":
            if not retreat.begin(play, frame):
                _set(play, stage="advance")
        case "advance":
            _set(play, stage="over")
            advance.begin(play, frame)
        case _:
            play.answered("battle")
            _crossings(play)


def _crossings(play: Play) -> None:
    """Crossing points that fall because of who is gone."""
    taken = tuple(sweep(play))
    if taken:
        play.decide(Resolution("crossing points", str(play.now.crossing_points), steps=taken))


def support_shown(plan: Plan, now: Situation, offensive: int) -> tuple[int, tuple[Modifier, ...]]:
    """The column with air support, and the modifiers that lead to it."""
    assert plan.column is not None
    if not offensive:
        return plan.column, plan.shifts
    last = len(now.tables.columns) - 1
    shift = Modifier("offensive air support", air.COLUMNS * offensive, "TOW-7.0c", to="column")
    return air.supported(plan.column, offensive, last), (*plan.shifts, shift)


def _roll(play: Play, frame: Frame) -> None:
    """TOW-10.3a: one die on the column; then who loses what."""
    now = play.now
    side, cell = frame.text("side"), frame.text("cell")
    attackers = [now.unit(name) for name in frame.texts("attackers")]
    plan = plan_of(now, attackers, cell, side)
    offensive, defensive = _count(frame, air.OFFENSIVE), _count(frame, air.DEFENSIVE)
    column, modifiers = support_shown(plan, now, offensive)
    die = play.dice.roll(6, "combat", side)
    rolled = tuple(play.dice.rolls[-1:])
    if defensive:
        less = Modifier("defensive air support", air.DIE * defensive, "TOW-7.0d", to="die")
        modifiers = (*modifiers, less)
    counted = air.modified(die, defensive)
    found = now.known_cell(now.tables.result(column, counted), "the combat results table")
    code = str(found.value)
    result = read(code)
    name = now.tables.columns[column]
    steps = [*plan.steps, Step(f"die {counted} on {name}: {code}", "TOW-10.3a")]
    if found.ours:
        text = "this result is ours: the rulebook prints columns 5-1 and 6-1 alone"
        steps.append(Step(text, "TOW-10.3a"))
    if now.ordered(cell) and result.retreat:
        result = under_order(result)
        text = f"under a Supreme Command order: {result.steps} steps, no retreat"
        steps.append(Step(text, "TOW-12.2a"))
    loser = side if result.attacker_steps else other(side)
    resolution = Resolution(
        "combat",
        code,
        strengths=plan.strengths,
        base_column=now.tables.columns[plan.base],
        column=name,
        modifiers=modifiers,
        dice=rolled,
        steps=tuple(steps),
        values=FrozenMap({"steps": result.steps, "retreat": result.retreat, "die": counted}),
    )
    play.decide(resolution)
    lost = result.attacker_steps or result.steps
    _set(play, stage="losses", loser=loser, losses=lost, retreat=result.retreat)


def _count(frame: Frame, kind: str) -> int:
    value = frame.value(kind, 0)
    return value if isinstance(value, int) else 0
