"""Section 3.0: the first position, and the security divisions that the Axis player places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.traces_of_war.rules.ground.stacking import crowded, overfull
from hexmarshal.games.traces_of_war.rules.sequence.agenda import go_on
from hexmarshal.games.traces_of_war.state.situation import ORDER
from hexmarshal.rules.state.effects import ChangeFrame, MoveUnit
from hexmarshal.rules.state.pieces import Marker
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.traces_of_war.state.board import Board
    from hexmarshal.games.traces_of_war.state.execution import Play
    from hexmarshal.games.traces_of_war.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.values import Value

__all__ = ["DEPLOY", "candidates", "check", "deploy", "orders"]

DEPLOY = "deploy"


def orders(board: Board) -> Iterator[Marker]:
    """TOW-3.0c: the Supreme Command orders."""
    for cell in board.orders:
        yield Marker(f"order-{cell}", ORDER, cell=cell)


def check(now: Situation, action: Action) -> Verdict:
    """TOW-3.0d: each in a major city, one a hex."""
    return Verdict.of(_faults(now, action))


def _faults(now: Situation, action: Action) -> Iterator[Violation]:
    unit = now.unit(action.text("unit"))
    mine = (unit.id,)
    if unit.box != DEPLOY or unit.side != action.side:
        yield Violation("TOW-3.0d", f"{unit.id} is not to be placed", units=mine)
        return
    cell = action.text("cell")
    city = now.board.cities.get(cell)
    if city is None or not city.major:
        yield Violation("TOW-3.0d", f"{cell} is no major city", cells=(cell,), units=mine)
        return
    frame = now.position.frame("deployment")
    if frame is not None and cell in frame.texts("taken"):
        text = f"{city.name} has a security division already"
        yield Violation("TOW-3.0d", text, cells=(cell,), units=mine)
    if now.enemies(cell, unit.side):
        yield Violation("TOW-5.0d", f"enemies are in {cell}", cells=(cell,), units=mine)
    elif rule := crowded(now, unit, cell):
        yield from overfull(now, unit, cell, rule)


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Who is to be placed, and the major cities."""
    del action
    if slot == "unit":
        return [unit.id for unit in now.position.in_box(DEPLOY)]
    return sorted(now.board.majors())


def deploy(play: Play, action: Action) -> None:
    """Place one; after the last the first turn begins."""
    unit, cell = play.now.unit(action.text("unit")), action.text("cell")
    play.do(MoveUnit(unit.id, cell))
    frame = play.position.frame("deployment")
    text = f"{play.now.name(unit)} is placed in {cell}"
    play.decide(Resolution("deployment", cell, steps=(Step(text, "TOW-3.0d"),)))
    if frame is not None:
        if play.position.in_box(DEPLOY):
            taken = (*frame.texts("taken"), cell)
            play.do(ChangeFrame("deployment", about=FrozenMap({"taken": taken})))
        else:
            play.answered("deployment")
    go_on(play)
