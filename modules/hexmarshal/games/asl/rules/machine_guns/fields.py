"""Fields of fire: a heavier machine gun in cover goes on firing where it began."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.state.effects import AddMarker
from hexmarshal.rules.state.pieces import Marker
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.games.asl.rules.fire.shot import Member
    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.ground import Location
    from hexmarshal.games.asl.state.situation import Situation

__all__ = ["arc_faults", "in_arc", "lay_arc"]


def in_arc(now: Situation, cell: str, vertex: int, target: str) -> bool:
    """Whether a hex lies within the arc that opens at a vertex: its two sides included."""
    if cell == target:
        return True
    grid = now.ground.board.grid
    one, two = now.ground.index(cell), now.ground.index(target)
    x, y = int(grid.x[two] - grid.x[one]), int(grid.y[two] - grid.y[one])
    spokes = grid.spokes
    (ax, ay), (bx, by) = spokes[vertex - 1], spokes[(vertex + 1) % 6]
    return ax * y - ay * x >= 0 and x * by - y * bx >= 0


def arc_of(now: Situation, cell: str, target: str) -> int:
    """The vertex nearest to the line of fire, clockwise of two that are as near."""
    return next(
        (v for v in range(6) if in_arc(now, cell, v, target) and _nearest(now, cell, v, target)), 0
    )


def _nearest(now: Situation, cell: str, vertex: int, target: str) -> bool:
    grid = now.ground.board.grid
    one, two = now.ground.index(cell), now.ground.index(target)
    x, y = int(grid.x[two] - grid.x[one]), int(grid.y[two] - grid.y[one])
    dots = [sx * x + sy * y for sx, sy in grid.spokes]
    return dots[vertex] == max(dots)


def _bound(now: Situation, member: Member) -> bool:
    """ASL-MG-2: medium and heavy machine guns in woods, rubble and buildings."""
    if not member.is_weapon or now.counter(member.unit).kind not in ("mmg", "hmg"):
        return False
    terrain = now.ground.terrain(member.place.cell)
    return not member.unit.has(marks.DISMANTLED) and (
        terrain.shelter or terrain.key.startswith("rubble")
    )


def arc_faults(now: Situation, members: Sequence[Member], target: Location) -> Iterator[Violation]:
    """ASL-MG-2, ASL-DASH-3: later shots fall within the first arc, at a dash too."""
    for member in members:
        arc = now.position.markers.get(f"arc {member.unit.id}")
        if arc is None or not _bound(now, member):
            continue
        vertex = arc.values.get("vertex")
        if isinstance(vertex, int) and not in_arc(now, member.place.cell, vertex, target.cell):
            text = f"{target} is outside of the arc in which {member.unit.id} fires"
            frame = now.position.frame("moving")
            dash = frame is not None and bool(frame.texts("dash"))
            rule = "ASL-DASH-3" if dash else "ASL-MG-2"
            yield Violation(rule, text, units=(member.unit.id,), cells=(target.cell,))


def lay_arc(play: Play, member: Member, target: Location) -> None:
    """ASL-MG-2: the weapon keeps its rate of fire, and its arc with it."""
    name = f"arc {member.unit.id}"
    if not _bound(play.now, member) or name in play.position.markers:
        return
    if member.place.cell == target.cell:
        return
    vertex = arc_of(play.now, member.place.cell, target.cell)
    marker = Marker(
        name, "covered_arc", member.unit.side, unit=member.unit.id,
        values=FrozenMap({"vertex": vertex}),
    )  # fmt: skip
    play.do(AddMarker(name, marker))
