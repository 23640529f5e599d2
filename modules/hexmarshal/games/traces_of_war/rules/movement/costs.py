"""Sections 9.1 to 9.3: what one step of a move costs, and what forbids it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from hexmarshal.games.traces_of_war.state.situation import NOT_IN_BOOK
from hexmarshal.games.traces_of_war.state.tables import amount
from hexmarshal.rules.verdict import CostPart, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.traces_of_war.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.verdict import Amount

__all__ = ["MARSH", "Leg", "leg", "ours"]

MARSH = "marsh"


@dataclass(frozen=True, slots=True)
class Leg:
    """One step: its bill, what forbids it, whether the unit must stop after it."""

    parts: tuple[CostPart, ...]
    faults: tuple[Violation, ...] = ()
    stops: bool = False

    @property
    def cost(self) -> Amount:
        """The sum of the bill."""
        return sum((part.amount for part in self.parts), start=0)


def leg(
    now: Situation, unit: Unit, here: str, to: str, *, strategic: bool = False, first: bool = True
) -> Leg:
    """A step from a hex to its neighbour; `first` if nothing of the allowance is spent yet."""
    faults = list(_closed(now, unit, here, to))
    if faults:
        return Leg((), tuple(faults))
    if strategic:
        faults += _off_road(now, unit, here, to, first=first)
        half = amount(now.tables.terrain["strategic"])
        return Leg((CostPart(half, "road, strategic", "TOW-9.2a", to),), tuple(faults))
    faults += _crossing(now, unit, here, to, first=first)
    marsh, stops = _marsh(now, unit, here, to)
    parts = tuple(_bill(now, unit, here, to))
    faults += marsh
    faults += _unprinted(now, unit, here, to)
    return Leg(parts, tuple(faults), stops)


def _closed(now: Situation, unit: Unit, here: str, to: str) -> Iterator[Violation]:
    mine, pair = (unit.id,), (here, to)
    if to not in now.board.hexes:
        yield Violation("TOW-9.0c", f"{to} is off the map", cells=(to,), units=mine)
    elif not now.board.adjacent(here, to):
        yield Violation("TOW-9.1a", f"{to} is not adjacent to {here}", cells=pair, units=mine)
    else:
        if now.board.side(here, to).blocked:
            text = f"the hexside between {here} and {to} is blocked"
            yield Violation("TOW-9.0c", text, cells=pair, units=mine)
        if now.enemies(to, unit.side):
            yield Violation("TOW-5.0d", f"enemies are in {to}", cells=(to,), units=mine)


def _off_road(
    now: Situation, unit: Unit, here: str, to: str, *, first: bool
) -> Iterator[Violation]:
    side = now.board.side(here, to)
    mine, pair = (unit.id,), (here, to)
    if not side.road:
        # TOW-9.2d: a railway does not do.
        rule = "TOW-9.2d" if side.rail else "TOW-9.2b"
        yield Violation(rule, f"no road leads from {here} to {to}", cells=pair, units=mine)
        if not first:
            text = "a unit moves normally or strategically, not both"
            yield Violation("TOW-9.0d", text, cells=pair, units=mine)
    if now.in_enemy_zone(to, unit.side):
        text = f"strategic movement may not enter {to}, in an enemy zone of control"
        yield Violation("TOW-9.2c", text, cells=(to,), units=mine)


def _crossing(
    now: Situation, unit: Unit, here: str, to: str, *, first: bool
) -> Iterator[Violation]:
    side = now.board.side(here, to)
    if side.river != "major":
        return
    pair, mine = (here, to), (unit.id,)
    # TOW-9.3b: bridge or not, friends there or not.
    if now.in_enemy_zone(here, unit.side) and now.in_enemy_zone(to, unit.side):
        text = f"{here} and {to}, both in enemy zones, lie on two banks of a major river"
        yield Violation("TOW-9.3b", text, cells=pair, units=mine)
    if side.unbridged_major and not first:
        text = f"it crosses a major river without a bridge at {here} only at the start of its move"
        yield Violation("TOW-9.1c", text, cells=pair, units=mine)


def _marsh(now: Situation, unit: Unit, here: str, to: str) -> tuple[list[Violation], bool]:
    """What forbids entering a marsh, and whether the unit must stop in it.

    TOW-9.3e: by a road none of it holds.
    """
    if MARSH not in now.board.kinds(to) or now.board.side(here, to).road:
        return [], False
    found, mine = [], (unit.id,)
    if not now.board.adjacent(unit.cell, to):
        text = f"it may enter the marsh {to} only if it starts its move beside it"
        found.append(Violation("TOW-9.3c", text, cells=(unit.cell, to), units=mine))
    if now.in_enemy_zone(here, unit.side) and now.in_enemy_zone(to, unit.side):
        text = f"it may not enter the marsh {to} from one enemy zone into another"
        found.append(Violation("TOW-9.3d", text, cells=(here, to), units=mine))
    if found and (now.board.side(here, to).rail or _has_road(now, to)):
        text = f"only the hexsides of {to} that a road crosses lead into it freely"
        found.append(Violation("TOW-9.3e", text, cells=(here, to), units=mine))
    return found, True


def _has_road(now: Situation, cell: str) -> bool:
    return any(now.board.side(cell, near).road for near in now.board.near.get(cell, ()))


def _bill(now: Situation, unit: Unit, here: str, to: str) -> Iterator[CostPart]:
    side = now.board.side(here, to)
    if side.bridged:
        # TOW-9.1d: whatever the terrain; the bridge cancels the river's cost (TOW-2.1a).
        word = "road" if side.road else "railway"
        yield CostPart(amount(now.tables.terrain["road"]), word, "TOW-9.1d", to)
    elif side.unbridged_major:
        yield CostPart(now.allowance(unit), "the whole allowance: major river", "TOW-9.1c", to)
        if now.option("river_and_zone") == "included":
            return
    else:
        kind, cell = now.tables.entry(now.board.kinds(to))
        yield CostPart(cell.number, kind, "TOW-9.1a", to)
        if side.river == "minor":
            extra = amount(now.tables.terrain["sides"]["minor"]["cost"])
            yield CostPart(extra, "minor river", "TOW-9.1b", to)
    # TOW-9.3a: leaving and entering both cost; friendly units do not help.
    zone = amount(now.tables.terrain["zone"])
    if now.in_enemy_zone(here, unit.side):
        yield CostPart(zone, f"leaves an enemy zone at {here}", "TOW-9.3a", to)
    if now.in_enemy_zone(to, unit.side):
        yield CostPart(zone, "enters an enemy zone", "TOW-9.3a", to)


def ours(now: Situation, start: str, path: Iterable[str]) -> tuple[str, ...]:
    """The terrain on a way whose cost is no number of the rulebook."""
    found = (_ours(now, here, to) for here, to in pairwise((start, *path)))
    return tuple(dict.fromkeys(kind for kind in found if kind))


def _ours(now: Situation, here: str, to: str) -> str:
    side = now.board.side(here, to)
    if side.bridged or side.unbridged_major:
        return ""
    kind, cell = now.tables.entry(now.board.kinds(to))
    return kind if cell.ours else ""


def _unprinted(now: Situation, unit: Unit, here: str, to: str) -> Iterator[Violation]:
    kind = _ours(now, here, to)
    if kind and now.option("book_only"):
        text = f"{NOT_IN_BOOK}: what {kind} costs to enter"
        yield Violation("TOW-9.1a", text, cells=(to,), units=(unit.id,))
