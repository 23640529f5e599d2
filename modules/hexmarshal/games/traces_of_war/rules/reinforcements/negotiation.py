"""TOW-11.2 and TOW-12.2b: what the Axis buys with negotiation points."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hexmarshal.games.traces_of_war.rules.sequence.agenda import go_on
from hexmarshal.games.traces_of_war.state.kinds import AXIS
from hexmarshal.games.traces_of_war.state.situation import ORDER
from hexmarshal.rules.state.effects import ChangeFrame, RemoveMarker
from hexmarshal.rules.values import FrozenMap, as_fraction
from hexmarshal.rules.verdict import Resolution, Step, Verdict, Violation, amount_to_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.traces_of_war.state.execution import Play
    from hexmarshal.games.traces_of_war.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value
    from hexmarshal.rules.verdict import Amount

__all__ = [
    "RESERVE",
    "affordable",
    "begin",
    "check_lift",
    "end",
    "lift",
    "orders",
    "pay",
    "points",
    "unaffordable",
]

RESERVE = "reserve"


def begin(play: Play) -> None:
    """TOW-4.2.2g: as many points as the table gives; what is not spent now is lost."""
    now = play.now
    cell = now.tables.by_count("negotiation", now.crossing_points)
    text = f"{now.crossing_points} crossing points are Soviet: {cell.value} negotiation points"
    steps = [Step(text, "TOW-4.2.2g")]
    if cell.ours:
        steps.append(Step("this cell of the negotiation table is ours", "TOW-4.2.2g"))
    play.decide(Resolution("negotiation", str(cell.value), steps=tuple(steps)))
    play.ask("negotiation", AXIS, about={"points": amount_to_json(cell.number)})


def points(now: Situation) -> Fraction:
    """The points that are left."""
    frame = now.position.frame("negotiation")
    return Fraction(0) if frame is None else as_fraction(frame.value("points"))


def pay(play: Play, price: Amount) -> None:
    """Take points off; without any left the negotiation is over."""
    left = points(play.now) - price
    if left:
        play.do(ChangeFrame("negotiation", about=FrozenMap({"points": amount_to_json(left)})))
    else:
        play.answered("negotiation")


def unaffordable(now: Situation, unit: Unit) -> Iterator[Violation]:
    """TOW-11.2: panzers, infantry and minor allies each have their price."""
    category = unit.values.get("category")
    if unit.side != AXIS or unit.box != RESERVE or not isinstance(category, str):
        text = f"{unit.id} is no Axis reinforcement"
        yield Violation("TOW-11.2", text, units=(unit.id,))
        return
    price = now.tables.cost(category)
    if price > points(now):
        text = f"{unit.id} costs {price} negotiation points, and {points(now)} are left"
        yield Violation("TOW-11.2", text, units=(unit.id,))


def affordable(now: Situation) -> list[str]:
    """The reinforcements that the points left can buy."""
    reserve = now.position.in_box(RESERVE)
    return [unit.id for unit in reserve if next(unaffordable(now, unit), None) is None]


def orders(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """The cities under an order."""
    del action, slot
    return sorted(m.cell for m in now.position.markers.values() if m.kind == ORDER)


def check_lift(now: Situation, action: Action) -> Verdict:
    """TOW-12.2b: a Supreme Command order is lifted for 3 points."""
    return Verdict.of(_lifted(now, action))


def _lifted(now: Situation, action: Action) -> Iterator[Violation]:
    price = now.tables.cost("order")
    if price > points(now):
        text = f"lifting an order costs {price} negotiation points, and {points(now)} are left"
        yield Violation("TOW-12.2b", text)
    cell = action.text("cell")
    if not now.ordered(cell):
        yield Violation("TOW-12.2b", f"{cell} is under no order", cells=(cell,))


def lift(play: Play, action: Action) -> None:
    """The marker leaves play."""
    cell = action.text("cell")
    for marker in play.position.markers_at(cell):
        if marker.kind == ORDER:
            play.do(RemoveMarker(marker.id))
    step = Step(f"the order for {cell} is lifted", "TOW-12.2b")
    play.decide(Resolution("order", cell, steps=(step,)))
    pay(play, play.tables.cost("order"))
    go_on(play)


def end(play: Play, action: Action) -> None:
    """The rest of the points is lost."""
    del action
    play.answered("negotiation")
    go_on(play)
