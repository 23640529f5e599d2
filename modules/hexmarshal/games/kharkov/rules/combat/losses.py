"""Section 9.5: steps, eliminations, garrisons and headquarters left behind."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.rules.combat import unrevealed
from hexmarshal.games.kharkov.rules.combat.engagement import Item, current, update
from hexmarshal.games.kharkov.state.situation import AXIS
from hexmarshal.rules.state.effects import ChangeUnit, MoveUnit, SetCell, SetTrack
from hexmarshal.rules.values import FrozenMap, Record, Value
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hexmarshal.games.kharkov.state.execution import Play
    from hexmarshal.rules.state.pieces import Unit

__all__ = [
    "choices",
    "clear_out",
    "eliminate",
    "lose_step",
    "raze",
    "remove_fled",
    "violations",
]


def lose_step(play: Play, unit_id: str) -> None:
    """The counter is turned over or replaced by the next lower one, or it is gone (KHA-9.51)."""
    unit = play.unit(unit_id)
    if not unit.cell:
        return
    now = play.now
    if unit.steps > 1 and now.kind(unit).pool:
        if not unrevealed.replacement(play, unit):
            eliminate(play, unit_id)
    elif unit.steps > 1:
        play.do(ChangeUnit(unit_id, steps=unit.steps - 1))
    else:
        # KHA-9.52, KHA-15.14: a last step; a 2-8 regiment does not become a 1-8.
        eliminate(play, unit_id)


def eliminate(play: Play, unit_id: str) -> None:
    """Off the map; a regiment's counter may be used again (KHA-15.15), its loss is counted."""
    unit = play.unit(unit_id)
    if unit.type == "regiment":
        play.do(
            MoveUnit(unit_id, box="regiments"),
            ChangeUnit(unit_id, steps=1, unflags=unit.flags, values=_blank(unit)),
            SetTrack("regiments-lost", play.now.position.track("regiments-lost") + 1),
        )
        return
    play.do(MoveUnit(unit_id, box="eliminated"))
    if unit.flags:
        play.do(ChangeUnit(unit_id, unflags=unit.flags))


def _blank(unit: Unit) -> Record:
    blank: dict[str, Value] = dict.fromkeys(unit.values)
    return FrozenMap(blank)


def violations(units: Sequence[Unit], affected: Sequence[Unit], steps: int) -> Iterator[Violation]:
    """KHA-9.57: so many steps, each from one of the affected units, as the owner chooses."""
    ids = tuple(u.id for u in units)
    theirs = {u.id: u for u in affected}
    for unit_id in dict.fromkeys(ids):
        if unit_id not in theirs:
            yield Violation("KHA-9.57", f"{unit_id} is not affected", units=(unit_id,))
    there = sum(u.steps for u in affected)
    wanted = min(steps, there)
    if len(ids) != wanted:
        text = f"{wanted} steps must go, {len(ids)} are named"
        cure = ("units",) if len(ids) < wanted else ()
        yield Violation("KHA-9.56", text, units=ids, field="units", cured_by=cure)
    for unit_id, times in Counter(ids).items():
        if unit_id in theirs and times > theirs[unit_id].steps:
            text = f"{unit_id} has only {theirs[unit_id].steps} steps"
            yield Violation("KHA-9.57", text, units=(unit_id,))


def choices(affected: Sequence[Unit], steps: int) -> Iterator[tuple[str, ...]]:
    """Every way to take the losses, each once."""

    def spread(index: int, left: int) -> Iterator[tuple[str, ...]]:
        if not left:
            yield ()
            return
        if index == len(affected):
            return
        unit = affected[index]
        for times in range(min(unit.steps, left), -1, -1):
            for rest in spread(index + 1, left - times):
                yield (unit.id,) * times + rest

    return spread(0, min(steps, sum(u.steps for u in affected)))


def remove_fled(play: Play, cells: Iterable[str], side: str) -> None:
    """KHA-9.65: who fell back onto these hexes this phase dies when they suffer in their turn."""
    if current(play.now).overrun:
        return
    for cell in cells:
        for unit in play.now.at(cell, side):
            if unit.has("fled"):
                eliminate(play, unit.id)


def clear_out(play: Play, cells: Iterable[str], side: str) -> None:
    """Hexes whose combat units are all gone: the headquarters there are displaced (KHA-10.13)."""
    for cell in dict.fromkeys(cells):
        now = play.now
        if now.fighters(cell, side):
            continue
        left = tuple(Item("displace", u.id) for u in now.at(cell, side) if u.type == "hq")
        if left:
            first, *rest = current(now).todo
            update(play, todo=(first, *left, *rest))


def raze(play: Play, cells: Iterable[str]) -> None:
    """Attacked city hexes without Axis combat units: the garrison falls, for good (KHA-15.34).

    KHA-15.32: alone, by any loss or retreat; KHA-15.33: with others, when all of them are gone.
    """
    for cell in dict.fromkeys(cells):
        if play.now.garrison(cell) and not play.now.fighters(cell, AXIS):
            play.do(SetCell(cell, FrozenMap({"garrison": 0})))
            play.note("garrison", f"the garrison of {cell} is destroyed", "KHA-15.34")
