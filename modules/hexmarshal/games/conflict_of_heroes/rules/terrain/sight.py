"""Lines of sight: what a line crosses, what blocks it, and the smoke that it goes through.

A line is a straight segment between two centres (COH-6.0a), the same both ways (COH-6.0c); units,
fortifications and obstacles never stand in it (COH-6.0d). Where it runs exactly between two hexes
the less blocking one counts (COH-6.0b); a hex that it touches in one point only does not count.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from hexmarshal.geometry.lattice.hex_route import (
    CellSpan,
    SideCross,
    SideRun,
    VertexPass,
    centre_route,
)
from hexmarshal.geometry.lattice.hexes import Hex

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hexmarshal.games.conflict_of_heroes.state.board import Board
    from hexmarshal.rules.state.position import Position

__all__ = [
    "Course",
    "Crossing",
    "Judged",
    "Line",
    "course",
    "crosses_wall",
    "field_of_view",
    "judge",
    "line",
    "smoke_of",
]

Offset = tuple[int, int]


class Course(NamedTuple):
    """What lies between two centres, as steps from the first: one hex, or two beside a hexside.

    `gates` are the sides by which the line enters the last hex, each as the hex outside it: one,
    or two where it comes in through a vertex.
    """

    steps: tuple[tuple[Offset, ...], ...]
    gates: tuple[Offset, ...]


@lru_cache(maxsize=1 << 13)
def course(dq: int, dr: int) -> Course:
    """The course from the centre of (0, 0) to that of (dq, dr)."""
    pieces = centre_route(dq, dr)
    ends = (Hex(0, 0), Hex(dq, dr))
    steps: list[tuple[Offset, ...]] = []
    gates: tuple[Offset, ...] = ()
    for piece in pieces:
        cells = (piece.cell,) if isinstance(piece, CellSpan) else piece.cells
        found = tuple((c.q, c.r) for c in cells if isinstance(c, Hex))
        if isinstance(piece, SideRun) or (isinstance(piece, CellSpan) and piece.cell not in ends):
            steps.append(found)
        elif isinstance(piece, SideCross | VertexPass) and ends[1] in cells:
            gates = tuple(c for c in found if c != ends[1])
    return Course(tuple(steps), gates)


class Judged(NamedTuple):
    """Blocked or not, and the points of smoke that the line goes through."""

    blocked: bool
    smoke: int


CLEAR = Judged(False, 0)
BLOCKED = Judged(True, 0)


def smoke_of(position: Position, board: Board) -> Mapping[Offset, int]:
    """The points of smoke by hex; several markers in one hex add up (COH-13.0e)."""

    def make() -> dict[Offset, int]:
        found: dict[Offset, int] = {}
        for marker in position.markers.values():
            if marker.kind == "smoke" and marker.cell in board.hexes:
                points = marker.values.get("points", 2)
                cell = board.hexes[marker.cell]
                found[cell] = found.get(cell, 0) + (points if isinstance(points, int) else 2)
        return found

    return position.remember("smoke", make)


def judge(board: Board, smoke: Mapping[Offset, int], a: Hex, b: Hex) -> Judged:
    """Whether the line between two hexes is blocked, and by how much smoke it is hindered."""
    aq, ar = a
    steps, _gates = course(b[0] - aq, b[1] - ar)
    if not steps:
        return CLEAR
    heights, tops = board.heights, board.tops
    ground_a, ground_b = heights[a], heights[b]
    # COH-11.3a: one test for both ways of looking: nothing as high as the higher of the two ends.
    high = max(ground_b, ground_a)
    level = ground_a == ground_b
    haze = 0
    for step in steps:
        if len(step) == 1:
            ((q, r),) = step
            cell = (aq + q, ar + r)
            top = tops.get(cell, 0)
            # COH-11.3b: bare ground is an obstacle too, but not to ends on its own level.
            if top >= high and (top > high or not level or top > heights.get(cell, 0)):
                return BLOCKED
            if smoke and (points := smoke.get(cell, 0)):
                haze += _haze(points, heights.get(cell, 0), high)
        else:
            # COH-6.0b
            beside = [(aq + q, ar + r) for q, r in step]
            if all(_stops(board, cell, high, level) for cell in beside):
                return BLOCKED
            if smoke:
                haze += min(
                    _haze(smoke.get(cell, 0), heights.get(cell, 0), high)
                    for cell in beside
                    if not _stops(board, cell, high, level)
                )
        if haze > 1:
            # COH-13.0a, COH-13.0e: two points of smoke let nothing through.
            return BLOCKED
    if not level and _blind(board, a, b, steps, forward=ground_a > ground_b):
        return BLOCKED
    return Judged(False, haze) if haze else CLEAR


def _stops(board: Board, cell: Offset, high: int, level: bool) -> bool:
    top = board.tops.get(cell, 0)
    ground = board.heights.get(cell, 0)
    return bool(top >= high and (top > high or not level or top > ground))


def _haze(points: int, ground: int, high: int) -> int:
    """COH-13.0f: each point of smoke rises one level; what stays below the line does not count."""
    return points if points and ground + points >= high else 0


def _blind(
    board: Board, a: Hex, b: Hex, steps: tuple[tuple[Offset, ...], ...], *, forward: bool
) -> bool:
    """COH-11.4a: whether the lower end lies directly behind an obstacle higher than itself."""
    aq, ar = a
    low = board.heights[b if forward else a]
    ordered = steps if forward else steps[::-1]
    last = [(aq + q, ar + r) for q, r in ordered[-1]]
    if all(board.tops.get(cell, 0) <= low for cell in last):
        return False
    # COH-11.4b: bare ground blinds nobody who looks down the same slope.
    slope = board.heights[a if forward else b]
    for step in ordered:
        grounds = [board.heights.get((aq + q, ar + r), 0) for q, r in step]
        below = [g for g in grounds if g <= slope]
        if not below:
            slope = -1
            break
        slope = max(below)
    same_slope = slope >= 0
    for cell in last:
        top, ground = board.tops.get(cell, 0), board.heights.get(cell, 0)
        if top <= low or (top == ground and same_slope):
            return False
    return True


class Crossing(NamedTuple):
    """One step of a line and what it does to it."""

    cells: tuple[str, ...]
    text: str
    effect: str  # clear, blocks, hinders
    rule: str


class Line(NamedTuple):
    """A line with its work shown."""

    start: str
    end: str
    range: int
    blocked: bool
    smoke: int
    crossings: tuple[Crossing, ...]

    @property
    def visible(self) -> bool:
        """Not blocked."""
        return not self.blocked


def line(board: Board, smoke: Mapping[Offset, int], start: str, end: str) -> Line:
    """The line between two hexes, step by step: what it crosses, what blocks it, and why."""
    a, b = board.hexes[start], board.hexes[end]
    judged = judge(board, smoke, a, b)
    crossings = list(_crossings(board, smoke, a, b))
    if judged.blocked and not any(c.effect == "blocks" for c in crossings):
        low = end if board.levels[end] < board.levels[start] else start
        behind = crossings[-1] if low == end else crossings[0]
        text = f"{low} lies directly behind {' and '.join(behind.cells)}: a blind hex"
        crossings.append(Crossing(behind.cells, text, "blocks", "COH-11.4a"))
    return Line(start, end, a.distance(b), judged.blocked, judged.smoke, tuple(crossings))


def _crossings(board: Board, smoke: Mapping[Offset, int], a: Hex, b: Hex) -> Iterator[Crossing]:
    high = max(board.heights[a], board.heights[b])
    level = board.heights[a] == board.heights[b]
    haze = 0
    for step in course(b.q - a.q, b.r - a.r).steps:
        hexes = [a + offset for offset in step]
        names = tuple(board.names.get(h, "the map's edge") for h in hexes)
        if all(_stops(board, h, high, level) for h in hexes):
            yield Crossing(
                names, _why(board, hexes[0], high), "blocks", _rule(board, hexes[0], high)
            )
            continue
        free = [h for h in hexes if not _stops(board, h, high, level)]
        points = min(_haze(smoke.get(h, 0), board.heights.get(h, 0), high) for h in free)
        haze += points
        if points:
            effect = "blocks" if haze > 1 else "hinders"
            rule = "COH-13.0a" if points > 1 else "COH-13.0e" if haze > 1 else "COH-13.0d"
            yield Crossing(names, f"smoke of {points}", effect, rule)
        elif len(hexes) > 1:
            both = " and ".join(_ground(board, h) for h in hexes)
            text = f"runs along the side between {both}: the less blocking one counts"
            yield Crossing(names, text, "clear", "COH-6.0b")
        else:
            yield Crossing(names, _ground(board, hexes[0]), "clear", "COH-6.0a")


def _ground(board: Board, cell: Hex) -> str:
    name = board.names.get(cell)
    return f"{board.kinds[name].title}, level {board.levels[name]}" if name else "the map's edge"


def _why(board: Board, cell: Hex, high: int) -> str:
    name = board.names.get(cell, "")
    kind = board.kinds[name]
    what = kind.title if kind.blocks else "Bare hill"
    return f"{what}, an obstacle of level {board.tops[cell]} against {high}"


def _rule(board: Board, cell: Hex, high: int) -> str:
    if not board.kinds[board.names[cell]].blocks:
        return "COH-11.3b"
    return "COH-11.3c" if high or board.heights[cell] else "COH-6.0a"


def crosses_wall(board: Board, start: str, end: str) -> bool:
    """COH-5.0.2a: whether a shot crosses a wall that borders the target's hex.

    Through a vertex it comes in by two sides at once: then both must be walls.
    """
    a, b = board.hexes[start], board.hexes[end]
    gates = course(b.q - a.q, b.r - a.r).gates
    return bool(gates) and all(board.wall(end, board.names.get(a + g, "")) for g in gates)


def field_of_view(board: Board, smoke: Mapping[Offset, int], cell: str) -> dict[str, int]:
    """Every hex that is seen from this one, with the smoke on the way."""
    a = board.hexes[cell]
    seen = {}
    for b, name in board.names.items():
        judged = judge(board, smoke, a, b)
        if not judged.blocked:
            seen[name] = judged.smoke
    return seen
