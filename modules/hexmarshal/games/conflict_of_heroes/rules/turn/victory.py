"""Objectives, points, and how a firefight ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.state.execution import mapped
from hexmarshal.games.conflict_of_heroes.state.situation import CAMPS, camp
from hexmarshal.rules.state.effects import SetCell, SetTrack
from hexmarshal.rules.values import EMPTY, FrozenMap, Value
from hexmarshal.rules.verdict import Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.games.conflict_of_heroes.state.execution import Play
    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position

__all__ = [
    "controller",
    "outcome",
    "pass_over",
    "score",
    "score_objectives",
    "scores",
    "settle_control",
]


def controller(position: Position, cell: str) -> str:
    """The camp that holds an objective; '' if nobody does."""
    held = position.cells.get(cell, EMPTY).get("control")
    return str(held) if isinstance(held, str) else ""


def pass_over(play: Play, unit: str, cell: str) -> None:
    """COH-2.5.2a: an objective changes hands when an enemy is there alone, even in passing."""
    if "control" not in play.position.cells.get(cell, EMPTY):
        return
    own = play.unit(unit)
    now = play.now
    if not _takes(now, own):
        return
    if camp(own.side) == controller(play.position, cell):
        return
    if now.enemies_at(cell, own.side):
        return  # COH-2.5.2b
    _take(play, cell, camp(own.side))


def _take(play: Play, cell: str, side: str) -> None:
    play.do(SetCell(cell, FrozenMap({"control": side})))
    play.tell("control", f"{side} takes {cell}", "COH-2.5.2a")


def _takes(now: Situation, unit: Unit) -> bool:
    """COH-2.5.2c: not trucks and wagons, nor who is not seen; those aboard never."""
    return not (unit.carrier or now.hidden(unit) or now.counter(unit).transport)


def settle_control(play: Play) -> None:
    """COH-2.5.2b: who is left alone on an objective takes it."""
    now = play.now
    for cell, values in play.position.cells.items():
        if "control" not in values:
            continue
        there = now.at(cell)
        camps = {camp(u.side) for u in there}
        takers = [u for u in there if _takes(now, u)]
        if len(camps) == 1 and takers and camp(takers[0].side) != values["control"]:
            _take(play, cell, camp(takers[0].side))


def score(play: Play, side: str, points: int, text: str, rule: str) -> None:
    """Points for a side."""
    if points:
        track = f"vp-{side}"
        play.do(SetTrack(track, play.position.track(track) + points))
        play.tell("score", f"{points} VP for {side}: {text}", rule)


def score_objectives(play: Play, when: str, rule: str) -> None:
    """The points of objectives that count at this moment: each turn's end, or the game's."""
    for cell, values in play.position.cells.items():
        held = controller(play.position, cell)
        points = values.get("vp")
        if values.get("when") == when and isinstance(points, int) and held:
            score(play, _force(play.position, held), points, f"holds {cell}", rule)


def score_secret(play: Play) -> None:
    """COH-CE1: secret objectives are revealed at the end of the game."""
    listed = mapped(play.position.extras.get("secret_objectives"))
    for side in play.position.sides:
        drawn = play.position.knowledge.get(side, EMPTY).get("objective")
        goal = mapped(listed.get(str(drawn)))
        cell, points = goal.get("hex"), goal.get("vp")
        if isinstance(cell, str) and isinstance(points, int):
            play.tell("objective", f"{side}'s secret objective was {cell}", "COH-CE1")
            if controller(play.position, cell) == camp(side):
                score(play, side, points, f"secret objective {cell}", "COH-CE1")


def _force(position: Position, held: str) -> str:
    return next((side for side in position.sides if camp(side) == held), held)


def scores(position: Position) -> Mapping[str, int]:
    """The points of each camp."""
    found: dict[str, int] = {}
    for side in position.sides:
        found[camp(side)] = found.get(camp(side), 0) + position.track(f"vp-{side}")
    return found


def outcome(position: Position) -> Outcome | None:
    """COH-2.4a: after the last turn, or when the firefight's own conditions are met."""
    turns = position.extras.get("turns")
    goal = position.extras.get("victory_points")
    points = scores(position)
    reached = isinstance(goal, int) and any(p >= goal for p in points.values())
    over = position.extras.get("over") is True or (isinstance(turns, int) and position.turn > turns)
    if not over and not reached:
        return None
    best = max(points.values())
    leaders = [side for side, won in points.items() if won == best]
    listed: FrozenMap[Value] = FrozenMap(points)
    if len(leaders) > 1:
        text = f"{best} VP each: both sides lose"
        return Outcome((), text, "COH-2.4a", listed)
    winners = tuple(side for side in position.sides if CAMPS.get(side) == leaders[0])
    return Outcome(winners, f"{leaders[0]} has {best} VP", "COH-2.4a", listed)
