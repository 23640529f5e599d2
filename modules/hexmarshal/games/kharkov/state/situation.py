"""A position with its map and tables: the questions that all rules ask."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar, cast

from hexmarshal.games.kharkov.state.tables import UnitKind, printed
from hexmarshal.rules.copying import quick

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from hexmarshal.games.kharkov.state.board import Board
    from hexmarshal.games.kharkov.state.tables import Tables
    from hexmarshal.geometry.lattice.cellsets import Ways
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.state.stacks import Stacks
    from hexmarshal.rules.values import Record, Value
    from hexmarshal.rules.verdict import Amount

__all__ = ["AXIS", "SOVIET", "Situation", "other"]

AXIS, SOVIET = "axis", "soviet"
T = TypeVar("T")


class Hexes(NamedTuple):
    """Sets of hexes of one side: with a unit, with a combat unit, in its zones, markers alone.

    And what these follow from: with a unit that has a zone, with more than a marker. Last those
    that hold as many combat units as they may, and more.
    """

    present: int = 0
    fighting: int = 0
    zones: int = 0
    markers: int = 0
    projecting: int = 0
    manned: int = 0
    full: int = 0
    crowded: int = 0


# By side.
Sets: TypeAlias = dict[str, Hexes]


def other(side: str) -> str:
    """The other side."""
    return SOVIET if side == AXIS else AXIS


@quick
@dataclass(frozen=True, slots=True)
class Situation:
    """What is where. Derived sets are worked out once for a position."""

    position: Position
    board: Board
    tables: Tables
    defaults: Record

    # Switches and the clock

    def option(self, name: str) -> Value:
        """How a switch is set; a position that says nothing has it as by default."""
        found = self.position.options.get(name)
        return self.defaults[name] if found is None else found

    @property
    def turn(self) -> int:
        """The game turn."""
        return self.position.turn

    # Counters

    def kind(self, unit: Unit) -> UnitKind:
        """Its type."""
        return self.tables.kinds[unit.type]

    def fights(self, unit: Unit) -> bool:
        """Whether it is a combat unit."""
        return self.tables.kinds[unit.type].combat

    def revealed(self, unit: Unit) -> bool:
        """Whether its values are known (KHA-12.0)."""
        return bool(unit.values.get("ladder")) or bool(self.kind(unit).ladder)

    def ladder(self, unit: Unit) -> tuple[str, ...]:
        """Its steps, full strength first; empty while it is unrevealed."""
        own = unit.values.get("ladder")
        return cast("tuple[str, ...]", own) if own else self.kind(unit).ladder

    def strength(self, unit: Unit) -> str:
        """What the counter prints now: the step that it is on (KHA-9.51)."""
        ladder = self.ladder(unit)
        if not ladder:
            return ""
        return ladder[min(max(0, len(ladder) - unit.steps), len(ladder) - 1)]

    def printed(self, unit: Unit) -> tuple[int, int, int]:
        """Attack, defence, movement as printed; an unrevealed unit prints its movement alone."""
        text = self.strength(unit)
        if text:
            return printed(text)
        return 0, 0, unit.number("move") or self.kind(unit).move

    def allowance(self, unit: Unit) -> int:
        """Movement points of a phase; half, rounded down, without supply (KHA-6.26, KHA-11.41)."""
        if unit.type == "hq":
            # KHA-10.12: an inactive headquarters is slow.
            full = unit.number("inactive_move" if unit.has("inactive") else "move")
        else:
            full = self.printed(unit)[2]
        return full // 2 if unit.has("unsupplied") else full

    def german(self, unit: Unit) -> bool:
        """Axis and not Romanian; the one Axis headquarters is Romanian."""
        return unit.side == AXIS and unit.type not in ("romanian", "hq")

    def commanded(self, unit: Unit) -> bool:
        """Whether it attacks and is supplied through headquarters (KHA-10.0-G)."""
        return unit.side == SOVIET or unit.type == "romanian"

    def moves_as(self, unit: Unit) -> str:
        """infantry, other or hq (KHA-6.3)."""
        moves = self.kind(unit).moves
        if unit.type == "cavalry" and self.option("cavalry") == "infantry":
            return "infantry"
        return moves

    # Where they are

    def at(self, cell: str, side: str) -> tuple[Unit, ...]:
        """The units of one side on a hex, headquarters and markers too."""
        return tuple([u for u in self.position.at(cell) if u.side == side])

    def fighters(self, cell: str, side: str) -> tuple[Unit, ...]:
        """The combat units of one side on a hex."""
        kinds = self.tables.kinds
        here = self.position.at(cell)
        return tuple([u for u in here if u.side == side and kinds[u.type].combat])

    def on_map(self, side: str) -> Sequence[Unit]:
        """The side's units on the map."""
        position = self.position
        return position.remember(
            f"on the map {side}", lambda: [u for u in position.of_side(side) if u.cell]
        )

    def occupied(self, side: str) -> int:
        """Every hex with a unit of the side, headquarters and markers too."""
        return self._sets()[side].present

    def held(self, side: str) -> int:
        """Every hex with a combat unit of the side."""
        return self._sets()[side].fighting

    def zoc(self, side: str) -> int:
        """The side's zones of control (KHA-8.0-G, KHA-8.21)."""
        return self._sets()[side].zones

    def full(self, side: str) -> int:
        """Every hex with at least as many combat units of the side as it holds (KHA-8.1)."""
        return self._sets()[side].full

    def crowded(self, side: str) -> int:
        """Every hex with more of them than it holds."""
        return self._sets()[side].crowded

    def garrisons(self) -> int:
        """Every city hex whose garrison stands (KHA-15.3)."""
        return self.position.remember("garrisons", self._garrisons)

    def garrison(self, cell: str) -> int:
        """The strength of the garrison of a hex; 0 where none stands (KHA-15.31)."""
        return self.board.garrison(cell) if self.board.bit[cell] & self.garrisons() else 0

    def barring(self, side: str) -> int:
        """Hexes that the side's units keep enemies out of.

        So do reserve markers, unless they give way by the switch and have somebody to go to.
        """
        sets = self._sets()[side]
        if sets.fighting and self.option("reserve_marker") == "displaced":
            return sets.present & ~sets.markers
        return sets.present

    def closed(self, side: str) -> int:
        """Hexes that the side cannot enter: enemy units, and garrisons for the Soviets."""
        enemy = self.barring(other(side))
        return enemy | self.garrisons() if side == SOVIET else enemy

    def friendly(self, side: str) -> int:
        """Hexes where the side's presence cancels enemy zones for lines and retreats.

        KHA-8.25: its units do, its zones do not; KHA-15.31: so do Axis garrisons.
        """
        own = self.occupied(side)
        return own | self.garrisons() if side == AXIS else own

    def traceable(self, side: str) -> int:
        """Hexes that supply and communication lines may run through (KHA-10.23, KHA-11.1)."""
        return self.position.remember(f"traceable by {side}", lambda: self._traceable(side))

    def _traceable(self, side: str) -> int:
        hostile = self.zoc(other(side)) & ~self.friendly(side)
        return self.board.all & ~self.closed(side) & ~hostile

    def controllers(self, cell: str, side: str) -> frozenset[str]:
        """The ids of the enemy units whose zones cover this hex, for a unit of `side`."""
        enemy = other(side)
        return frozenset(
            u.id
            for near in self.board.near[cell]
            for u in self.position.at(near)
            if u.side == enemy and self.projects(u)
        )

    def projects(self, unit: Unit) -> bool:
        """Whether the unit has a zone of control: every combat unit but a strongpoint.

        KHA-8.21, KHA-10.15: headquarters have none; KHA-15.24: nor has a strongpoint.
        """
        return self.fights(unit) and not unit.has("strongpoint")

    def _garrisons(self) -> int:
        gone = self.board.mask(c for c, r in self.position.cells.items() if r.get("garrison") == 0)
        return self.board.kept("garrisons", self._all_garrisons) & ~gone

    def _all_garrisons(self) -> int:
        cities = self.board.cities.values()
        empty = (c for city in cities for c, n in city.garrisons.items() if not n)
        return self.board.region("city") & ~self.board.mask(empty)

    def lines(self, name: str) -> Ways:
        """Ways to step for supply and communication lines (KHA-10.23, KHA-11.1)."""
        return self.board.crossing(name, dnieper=bool(self.option("dnieper_lines")))

    def _sets(self) -> Sets:
        return self.position.remember("sets of hexes", self._make_sets)

    def _make_sets(self) -> Sets:
        board, tables = self.board, self.tables
        return self.position.stacks.carried(
            f"sets of hexes of {board.key}",
            lambda stacks: _recounted(board, tables, NO_SETS, stacks, stacks.cells),
            partial(_recounted, board, tables),
        )


NO_SETS: Sets = {AXIS: Hexes(), SOVIET: Hexes()}


def _recounted(
    board: Board, tables: Tables, before: Sets, stacks: Stacks, touched: Collection[str]
) -> Sets:
    """The sets of each side as they are once the stacks of some hexes are others."""
    bit, kinds, cells = board.bit, tables.kinds, stacks.cells
    limit: int = tables.schedule["stacking"]
    same = ~board.mask(touched)
    found = {
        side: [
            old.present & same,
            old.fighting & same,
            old.projecting & same,
            old.manned & same,
            old.full & same,
            old.crowded & same,
        ]
        for side, old in before.items()
    }
    for cell in touched:
        here = bit[cell]
        stack = cells.get(cell, ())
        for unit in stack:
            if unit.cell != cell:
                continue
            sets = found[unit.side]
            sets[0] |= here
            if unit.type != "reserve":
                sets[3] |= here
            if kinds[unit.type].combat:
                sets[1] |= here
                if "strongpoint" not in unit.flags:
                    sets[2] |= here
        if len(stack) >= limit:
            fighters = [unit.side for unit in stack if kinds[unit.type].combat]
            for side in set(fighters):
                number = fighters.count(side)
                found[side][4] |= here if number >= limit else 0
                found[side][5] |= here if number > limit else 0
    return {side: _hexes(board, before[side], *sets) for side, sets in found.items()}


def _hexes(
    board: Board,
    before: Hexes,
    present: int,
    fighting: int,
    projecting: int,
    manned: int,
    full: int,
    crowded: int,
) -> Hexes:
    """The sets with what follows from them; mostly they are as before."""
    zones = before.zones if projecting == before.projecting else board.around(projecting)
    made = Hexes(present, fighting, zones, present & ~manned, projecting, manned, full, crowded)
    return before if made == before else made


def halves(amount: Amount) -> int:
    """Movement points counted in halves: whole numbers for the search."""
    return int(amount * 2)
