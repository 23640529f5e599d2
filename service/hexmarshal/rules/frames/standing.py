"""Standing orders: what a side answers before it is asked, in its own knowledge alone.

A window for a reaction opens by what all sides know, never because a hidden unit, a held token or a
card could use it; and so it must open often. A side that does not want to be asked each time says
so once, and windows that its order closes are never there: no event, no view, no wait.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

from hexmarshal.errors import RulesError
from hexmarshal.rules.action import Action, ActionType, Param, ParamType, Seal
from hexmarshal.rules.choosing.slots import by_slot
from hexmarshal.rules.params import decode_fields, require_fields
from hexmarshal.rules.state.effects import SetKnowledge
from hexmarshal.rules.values import EMPTY, FieldError, FrozenMap, Record, Value

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from hexmarshal.rules.frames.declared import FrameTable
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position

__all__ = ["STANDING", "Order", "passes", "standing_order", "standing_problems"]

# Where in a side's knowledge its orders are, by the kind of decision.
STANDING = "standing_orders"


class Order(StrEnum):
    """What a side wants to be asked."""

    ASK = "ask"
    PASS_PHASE = "pass_phase"  # noqa: S105 - a word of the game
    PASS_UNTIL_ADJACENT = "pass_until_adjacent"  # noqa: S105


FIELDS = (
    Param("order", ParamType.CHOICE, "what is answered", choices=tuple(Order)),
    Param("turn", ParamType.INT, "the turn in which it holds", required=False),
    Param("phase", ParamType.TEXT, "the phase in which it holds", required=False),
    Param("cells", ParamType.CELLS, "cells that count as one's own units do", required=False),
)
BY_NAME = {param.name: param for param in FIELDS}


def standing_order(frames: FrameTable, *kinds: str, rules: tuple[str, ...] = ()) -> ActionType:
    """The action with which a side says what it answers to decisions of these kinds.

    Nobody else is told of it. It may be given at any time and holds from the next window on.
    """
    for kind in kinds:
        if frames[kind].silence is None:
            raise RulesError(f"{kind} must be answered: no order can stand for that")
    return ActionType(
        "standing_order",
        "Standing order",
        (
            Param("decision", ParamType.CHOICE, "what one is asked", choices=kinds),
            FIELDS[0],
            Param(
                "cells",
                ParamType.CELLS,
                "cells that count as one's own units do where an order waits for somebody adjacent",
                required=False,
            ),
        ),
        "What is answered to a decision before it is asked: ask me; pass in this phase; pass until "
        "somebody is adjacent to a unit of ours that all see, or to one of these cells.",
        rules,
        anytime=True,
        sealed=Seal.SILENT,
        apply=_give,
        # There are always some, and none of them is a move in the game: they are not listed.
        listed=by_slot(decision=lambda *_: ()),
    )


def _give(ledger: Any, action: Action) -> None:  # noqa: ANN401 - a Ledger, or what a game makes of it
    position: Position = ledger.position
    order = Order(action.text("order"))
    said: dict[str, Value] = {"order": order.value}
    if order is Order.PASS_PHASE:
        said |= {"turn": position.turn, "phase": position.phase}
    if cells := action.texts("cells"):
        said["cells"] = cells
    mine = position.knowledge.get(action.side, EMPTY).get(STANDING)
    others = mine if isinstance(mine, FrozenMap) else EMPTY
    orders = others.set(action.text("decision"), FrozenMap(said))
    ledger.do(SetKnowledge(action.side, FrozenMap({STANDING: orders})))


def passes(position: Position, side: str, kind: str, near: Collection[str]) -> bool:
    """Whether a side has ordered to pass a decision of this kind.

    `near` are the cells where it happens and those adjacent. Units that not all see do not count:
    to be asked would betray them. Who wants to be asked because of one names its cell in the order.
    """
    said = _said(position, side, kind)
    match said.get("order"):
        case Order.PASS_PHASE:
            return (said.get("turn"), said.get("phase")) == (position.turn, position.phase)
        case Order.PASS_UNTIL_ADJACENT:
            named = said.get("cells")
            if isinstance(named, tuple) and not set(named).isdisjoint(near):
                return False
            return not any(
                unit.side == side and seen_by_all(position, unit)
                for cell in near
                for unit in position.at(cell)
            )
    return False


def _said(position: Position, side: str, kind: str) -> Record:
    orders = position.knowledge.get(side, EMPTY).get(STANDING)
    said = orders.get(kind) if isinstance(orders, FrozenMap) else None
    return said if isinstance(said, FrozenMap) else EMPTY


def seen_by_all(position: Position, unit: Unit) -> bool:
    """Whether every side knows that the unit is there: so that all know what it goes along with."""
    if unit.seen_by is not None and not unit.seen_by.issuperset(position.sides):
        return False
    if unit.cell or unit.box or not (unit.carrier or unit.bonds):
        return True
    return any(
        holder in position.units and seen_by_all(position, position.units[holder])
        for _, holder in unit.held_by()
    )


def standing_problems(plugin: GamePlugin, position: Position) -> Iterator[tuple[str, str]]:
    """Everything wrong with standing orders, each with its field."""
    for side, known in position.knowledge.items():
        if STANDING not in known:
            continue
        at = f"knowledge.{side}.{STANDING}"
        orders = known[STANDING]
        if not isinstance(orders, FrozenMap):
            yield at, "must be an object: an order for each kind of decision"
            continue
        for kind, said in orders.items():
            frame = plugin.game.frames.get(kind)
            if frame is None or frame.silence is None:
                yield f"{at}.{kind}", "no decision that an order can answer"
            elif not isinstance(said, FrozenMap):
                yield f"{at}.{kind}", "must be an object"
            else:
                try:
                    require_fields(FIELDS, decode_fields(kind, BY_NAME, said))
                except FieldError as error:
                    yield f"{at}.{kind}.{'.'.join(map(str, error.path))}", error.message
