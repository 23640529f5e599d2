"""A position with its map and tables around it, and the questions that many rules ask of it."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, TypeVar

from hexmarshal.errors import RulesError
from hexmarshal.games.traces_of_war.state.kinds import (
    AXIS,
    HQ,
    KINDS,
    SOVIET,
    Printed,
    UnitKind,
    other,
    printed,
)
from hexmarshal.games.traces_of_war.state.options import DEFAULTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from hexmarshal.games.traces_of_war.state.board import Board
    from hexmarshal.games.traces_of_war.state.tables import Cell, Tables
    from hexmarshal.rules.frames import Frame
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Value

__all__ = ["ISOLATED", "NOT_IN_BOOK", "ORDER", "OUT_OF_SUPPLY", "BRIDGEHEAD", "Situation"]

OUT_OF_SUPPLY, ISOLATED = "out_of_supply", "isolated"
ORDER, BRIDGEHEAD = "order", "bridgehead"
NOT_IN_BOOK = "the table is not in the book"

T = TypeVar("T")


class Situation:
    """What the checks get: the position as the acting side knows it, the map, the tables."""

    __slots__ = ("board", "position", "tables")

    def __init__(self, position: Position, board: Board, tables: Tables) -> None:
        self.position, self.board, self.tables = position, board, tables

    def remember(self, name: str, make: Callable[[], T]) -> T:
        """Something worked out once for this position on this map."""
        return self.position.remember(f"{name} on {id(self.board)}", make)

    def option(self, name: str) -> Value:
        """How a switch is set."""
        return self.position.option(name, DEFAULTS[name])

    def barred_by_book(self, cell: Cell) -> bool:
        """Whether a cell of ours may not be used: by the switch `book_only`."""
        return cell.ours and bool(self.option("book_only"))

    def known_cell(self, cell: Cell, what: str) -> Cell:
        """A cell that may be used; else an error that says what is missing."""
        if self.barred_by_book(cell):
            raise RulesError(
                f"{NOT_IN_BOOK}: {what}",
                hint="give the numbers of your copy with --data, or play without book_only",
            )
        return cell

    # Units

    def unit(self, name: str) -> Unit:
        """The unit with this id."""
        return self.position.unit(name)

    def kind(self, unit: Unit) -> UnitKind:
        """Its type."""
        return KINDS[unit.type]

    def printed(self, unit: Unit) -> Printed:
        """What its visible side prints: the reduced one if it has lost a step (TOW-2.2b)."""
        ladder = unit.values.get("ladder")
        if not isinstance(ladder, tuple) or not ladder:
            return Printed(0, 0, 0)
        return printed(str(ladder[min(max(len(ladder) - unit.steps, 0), len(ladder) - 1)]))

    def allowance(self, unit: Unit) -> int:
        """Its movement points: half, rounded down, when isolated (TOW-8.2b, TOW-1.3a)."""
        full = self.printed(unit).move
        return full // 2 if unit.has(ISOLATED) else full

    def name(self, unit: Unit) -> str:
        """What a player calls it."""
        return str(unit.values.get("name") or unit.id)

    def on_map(self, side: str) -> tuple[Unit, ...]:
        """The units of a side that stand on the map."""
        return tuple(u for u in self.position.of_side(side) if u.cell)

    def combat_units(self, cell: str, side: str) -> list[Unit]:
        """The combat units of a side in a hex."""
        return [u for u in self.position.at(cell) if u.side == side and u.type != HQ]

    def headquarters(self, cell: str, side: str) -> list[Unit]:
        """The headquarters of a side in a hex."""
        return [u for u in self.position.at(cell) if u.side == side and u.type == HQ]

    def enemies(self, cell: str, side: str) -> list[Unit]:
        """The enemy units in a hex, headquarters too."""
        return [u for u in self.position.at(cell) if u.side != side]

    def friends(self, cell: str, side: str) -> list[Unit]:
        """The units of a side in a hex, headquarters too."""
        return [u for u in self.position.at(cell) if u.side == side]

    # Zones of control and distances

    def zone(self, side: str) -> frozenset[str]:
        """The hexes in the zones of control of a side."""
        return self.remember(f"zone of {side}", lambda: frozenset(self._zone(side)))

    def _zone(self, side: str) -> Iterable[str]:
        # TOW-6.0a: every combat unit and every headquarters (TOW-2.3a), into its six neighbours.
        # TOW-6.0b: across major rivers, never across blocked hexsides. TOW-6.0c: as one.
        for cell in {unit.cell for unit in self.on_map(side)}:
            for near in self.board.near.get(cell, ()):
                if not self.board.side(cell, near).blocked:
                    yield near

    def in_enemy_zone(self, cell: str, side: str) -> bool:
        """Whether a hex lies in a zone of control of the side's enemy."""
        return cell in self.zone(other(side))

    def near(self, distance: int, limit: int) -> bool:
        """Whether a distance is within a limit, as the switch reads 'a moins de'."""
        return distance < limit + (self.option("distances") == "at_most")

    def command(self, cell: str, radius: int) -> dict[str, int]:
        """The hexes within a command radius, each with its distance.

        TOW-2.3i: counted in hexes, not across blocked hexsides. TOW-2.3j, TOW-6.0d: supply,
        enemies and zones do not matter.
        """
        found = {cell: 0}
        waiting = deque([cell])
        while waiting:
            here = waiting.popleft()
            if found[here] == radius:
                continue
            for near in self.board.near.get(here, ()):
                if near not in found and not self.board.side(here, near).blocked:
                    found[near] = found[here] + 1
                    waiting.append(near)
        return found

    # Control

    def controller(self, cell: str) -> str:
        """Who controls a city: the Axis until a Soviet unit enters (TOW-3.0e, TOW-8.1c)."""
        facts = self.position.cells.get(cell)
        return SOVIET if facts is not None and facts.get("control") == SOVIET else AXIS

    def crossing_controller(self, cell: str) -> str:
        """Who controls a crossing point (TOW-3.0e, TOW-12.3d)."""
        facts = self.position.cells.get(cell)
        return SOVIET if facts is not None and facts.get("crossing") == SOVIET else AXIS

    def soviet_crossings(self) -> list[str]:
        """The crossing points of the map under Soviet control."""
        return [c for c in self.board.crossings if self.crossing_controller(c) == SOVIET]

    @property
    def crossing_points(self) -> int:
        """How many count for the tables: a bridgehead is one for good (TOW-12.3a, TOW-11.1e)."""
        return len(self.soviet_crossings()) + self.position.track("bridgehead")

    def ordered(self, cell: str) -> bool:
        """Whether a city is under a Supreme Command order."""
        return any(marker.kind == ORDER for marker in self.position.markers_at(cell))

    def bridgehead(self) -> str:
        """Where the airborne bridgehead lies; '' if it is not on the map."""
        found = (m.cell for m in self.position.markers.values() if m.kind == BRIDGEHEAD)
        return next(found, "")

    # What is going on

    @property
    def activation(self) -> Frame | None:
        """The activation in progress."""
        return self.position.frame("activation")
