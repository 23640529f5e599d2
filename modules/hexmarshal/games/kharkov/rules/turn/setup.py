"""Section 5: the set-up, ready-made or by the players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hexmarshal.games.kharkov.rules.movement import stacking
from hexmarshal.games.kharkov.state.situation import AXIS, SOVIET
from hexmarshal.rules.state.effects import ChangeUnit, MoveUnit
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hexmarshal.games.kharkov.state.board import Board
    from hexmarshal.games.kharkov.state.execution import Play
    from hexmarshal.games.kharkov.state.situation import Situation
    from hexmarshal.games.kharkov.state.tables import Tables
    from hexmarshal.rules.state.pieces import Unit

__all__ = [
    "Group",
    "deploy",
    "deployable",
    "forget",
    "groups",
    "hexes",
    "line_violations",
    "place_violations",
    "unfinished",
]


@dataclass(frozen=True, slots=True)
class Group:
    """One line of the set-up: who, how many of a type, and where (KHA-5.2, KHA-5.3).

    Any Guards division may take a Guards place: the player picks (KHA-5.3-N).
    """

    key: str
    row: Mapping[str, Any]

    def takes(self, unit: Unit) -> bool:
        """Whether the line is about this unit, by name, division or type."""
        return self.places(unit) or unit.type in self._picked

    def places(self, unit: Unit) -> bool:
        """Whether the line has this unit on the map."""
        return (
            unit.id in self.row.get("units", ())
            or unit.value("division") in self.row.get("divisions", ())
            or unit.type in self.row.get("types", {})
        )

    def box(self, unit: Unit) -> str:
        """The reserve in which the line has this unit; '' if it has it on the map."""
        return "" if self.places(unit) else f"reserve-{self.row['reserve']['army']}"

    def limit(self, unit: Unit) -> int | None:
        """How many units of its type the line has; None for one that it names."""
        if unit.id in self.row.get("units", ()):
            return None
        return {**self._picked, **self.row.get("types", {})}.get(unit.type)

    @property
    def _picked(self) -> Mapping[str, int]:
        found: Mapping[str, int] = self.row.get("reserve", {}).get("types", {})
        return found


def groups(now: Situation, side: str) -> dict[str, Group]:
    """The lines of a side that this map has the places for, by their key."""
    found: dict[str, Group] = {}
    armies = {u.value("army") for u in now.on_map(SOVIET) if u.type == "reserve"}
    for listed in now.tables.setup[side]:
        row = listed
        if "reserve" in row and row["reserve"]["army"] not in armies:
            row = {k: v for k, v in listed.items() if k != "reserve"}
        where = row.get("front") or f"{row['hex']}/{row.get('within', 0)}"
        fits = (
            where in now.board.stretches[side] if "front" in row else row["hex"] in now.board.hexes
        )
        if fits:
            found.setdefault(where, Group(where, row))
    return found


def picked(unit: Unit, board: Board, tables: Tables) -> bool:
    """Whether the player himself picks this unit of a reserve when he sets up (KHA-5.3-N)."""
    return any(
        unit.box == f"reserve-{row['reserve']['army']}"
        and unit.type in row["reserve"]["types"]
        and row.get("hex") in board.hexes
        for row in tables.setup[unit.side]
        if "reserve" in row
    )


def area(now: Situation, group: Group, side: str) -> int:
    """The hexes of a line of the set-up."""
    board = now.board
    if "hex" in group.row:
        return board.disk(group.row["hex"], group.row.get("within", 0))
    cells = board.mask(board.stretches[side][group.key])
    if now.option("setup_depth"):
        # KHA-18.1 says at most one hex from the line, KHA-5.14 next to it.
        own = board.soviet if side == SOVIET else board.all & ~board.soviet
        cells |= board.around(cells) & own
    return cells


def group_of(now: Situation, unit: Unit, key: str) -> Group | None:
    """The line that a unit is set up by: the one named, or the only one that names it."""
    lines = groups(now, unit.side)
    if key:
        return lines.get(key)
    known = unit.value("group")
    if isinstance(known, str):
        return lines.get(known)
    return next((g for g in lines.values() if g.takes(unit)), None)


def deployable(unit: Unit, side: str) -> bool:
    """Whether the side has this unit to set up, or to set up another time."""
    return unit.side == side and (unit.box == "deploy" or unit.value("group") is not None)


def _rule(side: str) -> str:
    return "KHA-5.2" if side == AXIS else "KHA-5.3"


def lists(group: Group | None, unit: Unit) -> bool:
    """Whether the line places this unit; a regiment goes where its division would."""
    return group is not None and (group.takes(unit) or unit.type == "regiment")


def line_violations(
    now: Situation, unit: Unit, group: Group | None, side: str
) -> Iterator[Violation]:
    """What is wrong with setting this unit up by this line."""
    mine, rule = (unit.id,), _rule(side)
    if group is None or not lists(group, unit):
        text = f"no line of the set-up places {unit.id} so"
        yield Violation(rule, text, units=mine, field="group")
        return
    yield from _full_strength(now, unit)
    limit = group.limit(unit)
    if limit is not None:
        placed = sum(
            u.value("group") == group.key and u.type == unit.type and u.id != unit.id
            for u in now.position.of_side(side)
        )
        if placed >= limit:
            yield Violation(rule, f"{group.key} has its {limit} {unit.type}", units=mine)


def place_violations(
    now: Situation, unit: Unit, cell: str, group: Group, side: str
) -> Iterator[Violation]:
    """What is wrong with starting it in this hex."""
    mine, rule = (unit.id,), _rule(side)
    if not area(now, group, side) & now.board.bit[cell] and not _in_city(now, unit, cell, group):
        front = "front" in group.row
        text = f"{cell} is not in {group.key}"
        yield Violation("KHA-5.14" if front else rule, text, cells=(cell,), units=mine)
    if now.closed(side) & now.board.bit[cell]:
        yield Violation("KHA-6.22", f"the enemy is in {cell}", cells=(cell,), units=mine)
    if not group.takes(unit) or not group.box(unit):
        yield from stacking.violations(now, (unit,), cell, side)


def _full_strength(now: Situation, unit: Unit) -> Iterator[Violation]:
    """KHA-5.11: units of several steps start with all of them."""
    full = len(now.ladder(unit))
    if unit.steps < full:
        text = f"{unit.id} starts with {full} steps, not with {unit.steps}"
        yield Violation("KHA-5.11", text, units=(unit.id,))


def _in_city(now: Situation, unit: Unit, cell: str, group: Group) -> bool:
    """KHA-5.2: one unit of the first line may start in Kharkov."""
    city = now.board.cities.get(str(group.row.get("city")))
    if city is None or cell not in city.garrisons:
        return False
    return not any(
        u.id != unit.id and u.cell in city.garrisons and u.value("group") == group.key
        for u in now.on_map(unit.side)
    )


def deploy(play: Play, unit: Unit, cell: str, key: str) -> None:
    """The unit starts there; until the set-up is over it may be put elsewhere."""
    group = group_of(play.now, unit, key)
    assert group is not None
    box = group.box(unit) if group.takes(unit) else ""
    place = MoveUnit(unit.id, box=box) if box else MoveUnit(unit.id, cell)
    play.do(place, ChangeUnit(unit.id, values=FrozenMap({"group": group.key})))


def unfinished(now: Situation, side: str) -> Iterator[Violation]:
    """What is still missing before the side may finish its set-up."""
    left = [u.id for u in now.position.in_box("deploy") if u.side == side]
    if left:
        text = f"{len(left)} units are not set up yet"
        yield Violation("KHA-5.0-P", text, units=tuple(left))
    covered = now.held(side) | now.zoc(side)
    # KHA-5.15: each hex of the line is held or controlled
    for cell in now.board.front(side):
        if not covered & now.board.bit[cell]:
            text = f"{cell} on the line is neither occupied nor controlled"
            yield Violation("KHA-5.15", text, cells=(cell,))


def forget(play: Play) -> None:
    """After the set-up nobody asks by which line a unit came; southern armies are noted."""
    for unit in play.now.position.units.values():
        if unit.value("group") is not None:
            play.do(ChangeUnit(unit.id, values=FrozenMap({"group": None})))
    mark_southern(play)


def mark_southern(play: Play) -> None:
    """Soviet units that begin in the south are bound to it for a while (KHA-6.77).

    Axis units are marked where it matters that they began there (KHA-6.51).
    """
    now = play.now
    marked = (SOVIET, AXIS) if now.option("sleepers") == "began" else (SOVIET,)
    south = [u.id for side in marked for u in now.on_map(side) if now.board.south(u.cell)]
    play.flag(south, "southern")


def hexes(now: Situation, group: Group, side: str) -> tuple[str, ...]:
    """Every hex that a line may place somebody in."""
    cells = area(now, group, side)
    if city := now.board.cities.get(str(group.row.get("city"))):
        cells |= now.board.mask(city.garrisons)
    return tuple(now.board.names(cells))
