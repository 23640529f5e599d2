"""PIC-1, PIC-2: both sides write orders at once, and nobody learns of the other's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hexmarshal.rules.state.effects import ChangeFrame, SetKnowledge
from hexmarshal.rules.values import EMPTY, FrozenMap, Record
from hexmarshal.rules.verdict import Verdict, Violation
from tutorial2 import marching
from tutorial2.board import SIDES, allowance, around, data, is_of

if TYPE_CHECKING:
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.ledger import Ledger
    from hexmarshal.rules.state.position import Position

ORDERS = "orders"


def written(position: Position, side: str) -> Record:
    """The paths that a side has ordered, by unit: in its own knowledge."""
    found = position.knowledge.get(side, EMPTY).get(ORDERS)
    return found if isinstance(found, FrozenMap) else EMPTY


def check(position: Position, action: Action) -> Verdict:
    """PIC-2."""
    return Verdict.of(_wrong(position, action))


def _wrong(position: Position, action: Action) -> Iterator[Violation]:
    unit = position.unit(action.text("unit"))
    if unit.side != action.side:
        yield Violation("PIC-2", f"{unit.id} is not yours", units=(unit.id,))
        return
    here, path = unit.cell, action.texts("path")
    for cell in path:
        if cell == here or cell not in around(here):
            yield Violation("PIC-2", f"{cell} is not adjacent to {here}", cells=(cell,))
        if any(is_of(cell, closed) for closed in data()["closed"]):
            yield Violation("PIC-2", f"nobody enters {cell}", cells=(cell,))
        here = cell
    if len(path) > allowance(unit.type):
        yield Violation("PIC-2", f"{unit.id} goes {allowance(unit.type)} squares", units=(unit.id,))


def write(ledger: Ledger, action: Action) -> None:
    """PIC-2: a new order takes the place of the old one; one without squares is none."""
    mine = written(ledger.position, action.side)
    unit, path = action.text("unit"), action.texts("path")
    after = mine.set(unit, path) if path else mine.without(unit)
    ledger.do(SetKnowledge(action.side, FrozenMap({ORDERS: after or None})))


def ready(ledger: Ledger, action: Action) -> None:
    """PIC-3: when both are ready, a die says who goes first, and the orders are carried out."""
    ledger.do(ChangeFrame("orders", answered=(action.side,)))
    frame = ledger.position.frame("orders")
    if frame is not None and frame.open:
        return
    ledger.answered("orders")
    odd = ledger.dice.throw("initiative", 6)[0] % 2 == 1
    sides = SIDES if odd else SIDES[::-1]
    steps = [step for side in sides for step in _steps(ledger.position, side)]
    steps.sort(key=lambda step: step[0])
    for side in SIDES:
        ledger.do(SetKnowledge(side, FrozenMap({ORDERS: None})))
    # Nobody knows what is still to be done: the steps of hidden units are among it.
    entries = [{"kind": "step", "unit": unit, "cell": cell} for _, unit, cell in steps]
    ledger.ask("march", known_to=(), agenda=entries)
    marching.carry_on(ledger)


def _steps(position: Position, side: str) -> Iterator[tuple[int, str, str]]:
    for unit, path in written(position, side).items():
        assert isinstance(path, tuple)
        yield from ((number, unit, str(cell)) for number, cell in enumerate(path))
