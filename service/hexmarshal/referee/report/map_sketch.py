"""Small pictures of the map around a finding: ground, counters, the way or the line that counts."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.kit.pages.markup import Html, element, joined
from hexmarshal.referee.report.board_tiles import Box, Gallery, Ground, pictures_of
from hexmarshal.referee.report.counter_pictures import Faces
from hexmarshal.table.placing import Placer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.binding import Binding
    from hexmarshal.vassal.module import Module

__all__ = ["Excerpt", "Sketcher"]

_WIDE: Final = 480
_SIDES: Final = ("#3b6ea5", "#b5473c", "#5d8a3f", "#8a6fb0")
_MOST_CELLS: Final = 600
_STACK: Final = 5
# Of the shorter way through a cell: how much a block without a picture takes.
_BLOCK: Final = 0.62
_PROPORTION: Final = 1.5

_Point = tuple[float, float]
_Outline = tuple[_Point, ...]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What a picture is to show: a position around some cells, with what matters in it.

    `marked` cells are those that a rule is broken in, `units` those concerned; `path` was taken,
    and each of `lines` joins a unit and what it does something to.
    """

    position: Position
    focus: tuple[str, ...]
    units: tuple[str, ...] = ()
    marked: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    lines: tuple[tuple[str, str], ...] = ()
    label: str = ""


class Sketcher:
    """Draws parts of a module's map; every picture that they share is in `definitions`."""

    def __init__(
        self, module: Module, binding: Binding, plugin: GamePlugin, position: Position
    ) -> None:
        """The boards are those of the position's game."""
        self._rule = binding.map
        placer = Placer(module, binding, plugin, position)
        boards = placer.table.reader.locator.on(binding.map.name).boards
        self._boards = [placed for placed in boards if placed.board.grid is not None]
        pictures = pictures_of(module)
        self._gallery = Gallery()
        self._ground = Ground(module, binding.map.name, self._boards, pictures, self._gallery)
        self._faces = Faces(placer, pictures, self._gallery)
        self._cells: dict[str, _Outline] = {}
        self._centres: list[tuple[str, _Point]] | None = None

    def definitions(self) -> Html:
        """What the drawings made so far refer to."""
        return self._gallery.definitions()

    def outline(self, cell: str) -> _Outline:
        """The corners of a cell on the map; none if the grid does not know it."""
        found = self._cells.get(cell)
        if found is None:
            found = self._cells[cell] = self._outline(cell)
        return found

    def _outline(self, cell: str) -> _Outline:
        location = self._rule.location(cell)
        for placed in self._boards:
            grid: Any = placed.board.grid
            for own in grid.cells_named(location):
                shape = grid.polygon(own)
                ring = getattr(shape, "exterior", None)
                if ring is not None:
                    corners = list(ring.coords)[:-1]
                    laid = (placed.board.laid((round(x), round(y))) for x, y in corners)
                    return tuple((float(x), float(y)) for x, y in map(placed.outward, laid))
        return ()

    def draw(self, excerpt: Excerpt) -> Html:
        """The map around the cells in focus, as SVG; empty if the map has none of them."""
        wanted = dict.fromkeys(
            (*excerpt.focus, *excerpt.path, *(c for line in excerpt.lines for c in line))
        )
        outlines = [outline for cell in wanted if (outline := self.outline(cell))]
        if not outlines:
            return Html("")
        box = _around(outlines)
        shown = self._within(box)
        size = min(_extent(outlines[0]))
        tiles = list(self._ground.under(box))
        x, y, right, bottom = box
        parts: list[Html] = [
            element("rect", class_="paper", x=x, y=y, width=right - x, height=bottom - y),
            *tiles,
        ]
        wrong = set(excerpt.marked)
        for name, outline in shown.items():
            parts.append(_polygon(outline, "wrong" if name in wrong else "cell"))
            # A picture of the map has its own names.
            if not tiles:
                parts.append(_name(outline, name))
        for face, on, (left, top) in self._faces.markers(excerpt.position):
            if on == self._rule.name and x < left < right and y < top < bottom:
                parts.append(element("use", href=f"#{face.id}", x=left - face.x, y=top - face.y))
        labels: list[Html] = []
        for name in shown:
            parts += self._stack(name, excerpt, size, labels)
        parts += labels
        parts += self._ways(excerpt, size)
        scale = _WIDE / (right - x)
        return element(
            "svg",
            joined(parts),
            class_="map",
            viewBox=f"{x:.0f} {y:.0f} {right - x:.0f} {bottom - y:.0f}",
            width=_WIDE,
            height=round((bottom - y) * scale),
            role="img",
            aria_label=excerpt.label,
        )

    def _within(self, box: Box) -> dict[str, _Outline]:
        """The cells whose middle is in the picture."""
        if self._centres is None:
            self._centres = list(self._all_cells())
        inside = (
            name for name, (x, y) in self._centres if box[0] < x < box[2] and box[1] < y < box[3]
        )
        return {name: self.outline(name) for name in islice(inside, _MOST_CELLS)}

    def _all_cells(self) -> Iterator[tuple[str, _Point]]:
        for placed in self._boards:
            grid: Any = placed.board.grid
            for cell in grid.cells():
                location = grid.name(cell)
                name = self._rule.cell(location) if location else ""
                if name:
                    yield name, placed.outward(placed.board.laid(grid.centre(cell)))

    # Counters

    def _stack(
        self, cell: str, excerpt: Excerpt, size: float, labels: list[Html]
    ) -> Iterator[Html]:
        own = set(excerpt.units)
        # A reader may be a player: what one side alone sees stays unseen unless it is the matter.
        stack = [u for u in excerpt.position.at(cell) if u.seen_by is None or u.id in own]
        # What it is about lies on top.
        stack = sorted(stack, key=lambda unit: unit.id in own)[-_STACK:]
        cx, cy = _middle(self.outline(cell))
        step = size * 0.07
        for i, unit in enumerate(stack):
            lift = (i - (len(stack) - 1) / 2) * step
            yield self._counter(unit, excerpt.position, cx + lift, cy - lift, size, unit.id in own)
        named = [unit.id for unit in stack if unit.id in own]
        if named:
            labels.append(_label(named, cx, cy + size * 0.5, size * 0.17))

    def _counter(
        self, unit: Unit, position: Position, x: float, y: float, size: float, own: bool
    ) -> Html:
        known = unit.known_to is None or own
        face = self._faces.of_unit(unit) if known else None
        at = position.sides.index(unit.side) if unit.side in position.sides else 0
        told = f"{unit.id}, {unit.type}, steps {unit.steps}" if known else f"a unit of {unit.side}"
        parts: list[Html] = [element("title", told)]
        if face is not None:
            left, top, width, height = x - face.x, y - face.y, float(face.width), float(face.height)
            parts.append(element("use", href=f"#{face.id}", x=left, y=top))
        else:
            width = height = size * _BLOCK
            left, top = x - width / 2, y - height / 2
            fill = _SIDES[at % len(_SIDES)]
            box = {"x": left, "y": top, "width": width, "height": height, "rx": width / 12}
            parts += (
                element("rect", class_="block", **box, fill=fill),
                _text(unit.id if known else "?", x, y, width / max(3.2, 0.66 * len(unit.id))),
                _text("●" * min(unit.steps, 5) if known else "", x, y + height * 0.32, width / 4),
            )
        if own:
            ring = {"x": left, "y": top, "width": width, "height": height, "rx": width / 14}
            parts.append(element("rect", class_="own", **ring))
        return element("g", joined(parts))

    # What was done

    def _ways(self, excerpt: Excerpt, size: float) -> Iterator[Html]:
        points = [_middle(outline) for cell in excerpt.path if (outline := self.outline(cell))]
        if len(points) > 1:
            yield from _arrow(points, "path", size)
        for start, end in excerpt.lines:
            ends = [_middle(outline) for cell in (start, end) if (outline := self.outline(cell))]
            if len(ends) == 2 and ends[0] != ends[1]:
                yield from _arrow(ends, "aim", size)


def _arrow(points: Sequence[_Point], kind: str, size: float) -> Iterator[Html]:
    """A line that ends in a tip, on a lighter one so that it shows on any ground."""
    (bx, by), (x, y) = points[-2], points[-1]
    length = ((x - bx) ** 2 + (y - by) ** 2) ** 0.5 or 1.0
    ux, uy = (x - bx) / length, (y - by) / length
    tip, half = size * 0.2, size * 0.11
    foot = x - ux * tip, y - uy * tip
    wings = ((foot[0] - uy * half, foot[1] + ux * half), (foot[0] + uy * half, foot[1] - ux * half))
    line = _points((*points[:-1], foot))
    head = _points((wings[0], (x, y), wings[1]))
    yield element("polyline", class_="halo", points=line, stroke_width=size * 0.13)
    yield element("polygon", class_="halo", points=head, stroke_width=size * 0.06)
    yield element("polyline", class_=kind, points=line, stroke_width=size * 0.07)
    yield element("polygon", class_=f"{kind} tip", points=head)
    yield element("circle", class_="from", cx=points[0][0], cy=points[0][1], r=size * 0.07)


def _label(names: Sequence[str], x: float, y: float, size: float) -> Html:
    width = max(map(len, names)) * size * 0.62 + size * 0.8
    height = size * (1.15 * len(names) + 0.3)
    return element(
        "g",
        element(
            "rect", class_="tag", x=x - width / 2, y=y, width=width, height=height, rx=size * 0.3
        ),
        joined(_text(name, x, y + size * (1.02 + 1.15 * i), size) for i, name in enumerate(names)),
    )


def _text(text: str, x: float, y: float, size: float) -> Html:
    return element("text", text, x=x, y=y, font_size=size)


def _points(points: Sequence[_Point]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _polygon(outline: _Outline, kind: str) -> Html:
    points = " ".join(f"{x:.0f},{y:.0f}" for x, y in outline)
    return element("polygon", class_=kind, points=points)


def _name(outline: _Outline, name: str) -> Html:
    size = _extent(outline)[1] / 6
    top = min(y for _, y in outline)
    return element(
        "text", name, class_="name", x=_middle(outline)[0], y=top + size * 1.2, font_size=size
    )


def _extent(outline: _Outline) -> tuple[float, float]:
    xs, ys = zip(*outline, strict=True)
    return max(xs) - min(xs), max(ys) - min(ys)


def _middle(outline: _Outline) -> _Point:
    return sum(x for x, _ in outline) / len(outline), sum(y for _, y in outline) / len(outline)


def _around(outlines: Sequence[_Outline]) -> Box:
    """A box with a cell or so of room on every side, wider than high."""
    xs = [x for outline in outlines for x, _ in outline]
    ys = [y for outline in outlines for _, y in outline]
    room = max(_extent(outlines[0]))
    x, y, right, bottom = min(xs) - room, min(ys) - room, max(xs) + room, max(ys) + room
    wide = (bottom - y) * _PROPORTION - (right - x)
    if wide > 0:
        return x - wide / 2, y, right + wide / 2, bottom
    high = (right - x) / _PROPORTION - (bottom - y)
    return x, y - high / 2, right, bottom + high / 2
