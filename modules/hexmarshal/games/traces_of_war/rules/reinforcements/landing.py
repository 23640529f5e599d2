"""TOW-11.1d and 11.1e: the airborne operation and its bridgehead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.traces_of_war.rules.ground.stacking import crowded, overfull
from hexmarshal.games.traces_of_war.rules.reinforcements import placing
from hexmarshal.games.traces_of_war.rules.sequence.agenda import go_on
from hexmarshal.games.traces_of_war.state.kinds import SOVIET
from hexmarshal.games.traces_of_war.state.situation import BRIDGEHEAD, ISOLATED, OUT_OF_SUPPLY
from hexmarshal.rules.state.effects import AddMarker, SetTrack
from hexmarshal.rules.state.pieces import Marker
from hexmarshal.rules.verdict import Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.traces_of_war.state.execution import Play
    from hexmarshal.games.traces_of_war.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

__all__ = ["AIRBORNE", "begin", "candidates", "check", "land"]

AIRBORNE = "airborne"
RANGE = 8


def _paratroops(now: Situation) -> Unit | None:
    return next((u for u in now.position.in_box(AIRBORNE) if u.side == SOVIET), None)


def begin(play: Play) -> None:
    """Ask for the hex, if there is one within range."""
    if next(iter(_hexes(play.now)), None) is not None:
        play.ask("landing", SOVIET)


def _supplied(now: Situation) -> list[str]:
    """Where supplied Soviet units stand: by their markers, not by a fresh line (TOW-8.1e)."""
    units = now.on_map(SOVIET)
    return sorted({u.cell for u in units if not u.has(OUT_OF_SUPPLY) and not u.has(ISOLATED)})


def check(now: Situation, action: Action) -> Verdict:
    """Any hex within eight hexes of a supplied Soviet unit."""
    return Verdict.of(_faults(now, action.text("cell")))


def _faults(now: Situation, cell: str) -> Iterator[Violation]:
    there = (cell,)
    if cell not in now.board.hexes:
        yield Violation("TOW-11.1d", f"{cell} is off the map", cells=there)
        return
    if not any(now.near(now.board.distance(cell, base), RANGE) for base in _supplied(now)):
        text = f"no supplied Soviet unit is within {RANGE} hexes of {cell}"
        yield Violation("TOW-11.1d", text, cells=there)
    if now.enemies(cell, SOVIET):
        yield Violation("TOW-5.0d", f"enemies are in {cell}", cells=there)
    unit = _paratroops(now)
    # TOW-5.0e: the marker itself needs no room.
    if unit is not None and (rule := crowded(now, unit, cell)):
        yield from overfull(now, unit, cell, rule)


def _hexes(now: Situation) -> Iterator[str]:
    return (cell for cell in now.board.hexes if next(_faults(now, cell), None) is None)


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """The hexes within range."""
    del action, slot
    return list(_hexes(now))


def land(play: Play, action: Action) -> None:
    """The token becomes the bridgehead: a source of supply, and a crossing point for good."""
    play.answered("landing")
    cell = action.text("cell")
    play.do(
        AddMarker(BRIDGEHEAD, Marker(BRIDGEHEAD, BRIDGEHEAD, SOVIET, cell)),
        SetTrack("bridgehead", 1),
    )
    step = Step(f"the airborne bridgehead is in {cell}", "TOW-11.1d")
    play.decide(Resolution("landing", cell, steps=(step,)))
    unit = _paratroops(play.now)
    if unit is not None:
        placing.put(play, unit, cell, "TOW-11.1d")
    go_on(play)
