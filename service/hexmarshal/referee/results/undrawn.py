"""Units that are lost by a draw which nobody made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.check.findings import Certainty, Status
from hexmarshal.referee.interpret.log_dice import LogDice

if TYPE_CHECKING:
    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.case.mind import Done
    from hexmarshal.rules.state.position import Position

__all__ = ["tell_undrawn"]


def tell_undrawn(case: Case) -> None:
    """Tell of the last action, if units are lost by its draw, and nothing left that pile."""
    mind, done = case.mind, case.mind.done
    if done is None or done.after is not mind.belief:
        return
    entry, sights = mind.entries[done.entry], case.sights
    lost = _lost(done.before, done.after)
    if entry.status is not Status.LEGAL or not lost or any(map(case.apart, lost)):
        return
    sizes = {name: len(done.before.pile(name).cards) for name in sights.piles()}
    piles = [name for name, size in sizes.items() if size in done.counts]
    if not piles or any(sights.touched.get(name, 0) >= entry.first for name in piles):
        return
    drawn = [unit for unit in lost if _is_drawn(case, done, unit)]
    if drawn:
        told = [f"{unit} is lost, and nothing was drawn by which it would be" for unit in drawn]
        case.amend_result(done.entry, told, Certainty.LIKELY, drawn, right="it is drawn first")


def _lost(before: Position, after: Position) -> list[str]:
    there = after.units
    on_map = (name for name, unit in before.units.items() if unit.cell)
    return [name for name in on_map if name not in there or not there[name].cell]


def _is_drawn(case: Case, done: Done, unit: str) -> bool:
    """Whether it would not be lost by another draw."""
    for at, count in enumerate(done.counts):
        for pick in range(count):
            picks = (*done.picks[:at], pick, *done.picks[at + 1 :])
            try:
                dice = LogDice(done.throws, picks)
                after = case.rules.apply(done.before, done.action, dice).position
            except HexMarshalError:
                continue
            if unit in after.units and after.units[unit].cell:
                return True
    return False
