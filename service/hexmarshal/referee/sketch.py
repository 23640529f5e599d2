"""Small pictures of the map around a finding: cells, counters, the way that was taken."""

from __future__ import annotations

import base64
import io
from html import escape
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.vassal.locator import ModuleLocator

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hexmarshal.geometry.boards import PlacedBoard
    from hexmarshal.referee.binding import Binding
    from hexmarshal.rules.pieces import Unit
    from hexmarshal.rules.position import Position
    from hexmarshal.vassal.module import Module

__all__ = ["Sketcher"]

_WIDE: Final = 460
_COLOURS: Final = ("#3b6ea5", "#b5473c", "#5d8a3f", "#8a6fb0")
_MOST_CELLS: Final = 600
_STACK: Final = 4

_Point = tuple[float, float]
_Box = tuple[float, float, float, float]


class Sketcher:
    """Draws parts of a module's map."""

    def __init__(self, module: Module, binding: Binding) -> None:
        self._rule = binding.map
        self._boards = [
            placed
            for placed in ModuleLocator(module).on(binding.map.name).boards
            if placed.board.grid is not None
        ]
        self._module = module
        self._cells: dict[str, tuple[_Point, ...]] = {}
        self._images: dict[str, Any] = {}

    def outline(self, cell: str) -> tuple[_Point, ...]:
        """The corners of a cell on the map; none if the grid does not know it."""
        found = self._cells.get(cell)
        if found is None:
            found = self._cells[cell] = self._outline(cell)
        return found

    def _outline(self, cell: str) -> tuple[_Point, ...]:
        location = self._rule.location(cell)
        for placed in self._boards:
            grid: Any = placed.board.grid
            for own in grid.cells_named(location):
                shape = grid.polygon(own)
                ring = getattr(shape, "exterior", None)
                if ring is not None:
                    return tuple(_on_map(placed, x, y) for x, y in list(ring.coords)[:-1])
        return ()

    def draw(
        self,
        position: Position,
        focus: Iterable[str],
        path: Sequence[str] = (),
        marked: Iterable[str] = (),
        units: Iterable[str] = (),
    ) -> str:
        """The map around the cells in focus, as SVG; empty if the map has none of them."""
        outlines = [o for cell in dict.fromkeys((*focus, *path)) if (o := self.outline(cell))]
        if not outlines:
            return ""
        box = _around(outlines)
        shown = self._within(box)
        own = set(units)
        ground = self._ground(box)
        parts = [ground]
        wrong = set(marked)
        # A picture of the map has its own names.
        named = "<image" not in ground
        for name, outline in shown.items():
            parts.append(_polygon(outline, "wrong" if name in wrong else "cell"))
            if named:
                parts.append(_name(outline, name))
        for name in shown:
            stack = [u for u in position.at(name) if u.seen_by is None or u.id in own]
            parts += self._counters(stack, self.outline(name), position, own)
        if len(path) > 1:
            points = [_middle(o) for cell in path if (o := self.outline(cell))]
            line = " ".join(f"{x:.0f},{y:.0f}" for x, y in points)
            parts.append(f'<polyline class="path" points="{line}" marker-end="url(#tip)"/>')
        x, y, right, bottom = box
        wide, high = right - x, bottom - y
        scale = _WIDE / wide
        return (
            f'<svg class="map" viewBox="{x:.0f} {y:.0f} {wide:.0f} {high:.0f}" '
            f'width="{_WIDE}" height="{high * scale:.0f}" role="img">{"".join(parts)}</svg>'
        )

    def _within(self, box: _Box) -> dict[str, tuple[_Point, ...]]:
        """The cells whose middle is in the picture."""
        found: dict[str, tuple[_Point, ...]] = {}
        for placed in self._boards:
            grid: Any = placed.board.grid
            for cell in grid.cells():
                x, y = placed.outward(placed.board.laid(grid.centre(cell)))
                if not (box[0] < x < box[2] and box[1] < y < box[3]):
                    continue
                name = grid.name(cell)
                known = self._rule.cell(name) if name else ""
                if known and len(found) < _MOST_CELLS:
                    found[known] = self.outline(known)
        return found

    def _counters(
        self, stack: Sequence[Unit], outline: Sequence[_Point], position: Position, own: set[str]
    ) -> list[str]:
        parts = []
        cx, cy = _middle(outline)
        size = 0.62 * min(_extent(outline))
        for i, unit in enumerate(stack[-_STACK:]):
            lift = (i - min(len(stack), _STACK) / 2 + 0.5) * size * 0.14
            x, y = cx - size / 2 + lift, cy - size / 2 - lift
            at = position.sides.index(unit.side) if unit.side in position.sides else 0
            kind = "unit own" if unit.id in own else "unit"
            parts.append(
                f'<g class="{kind}"><title>{escape(unit.id)}, {escape(unit.type)}, '
                f"{unit.steps} steps</title>"
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{size:.1f}" height="{size:.1f}" '
                f'rx="{size / 12:.1f}" fill="{_COLOURS[at % len(_COLOURS)]}"/>'
                f'<text x="{x + size / 2:.1f}" y="{y + size * 0.5:.1f}" '
                f'font-size="{min(size / 3, size * 1.6 / max(4, len(unit.id))):.1f}">'
                f"{escape(unit.id)}</text>"
                f'<text x="{x + size / 2:.1f}" y="{y + size * 0.82:.1f}" '
                f'font-size="{size / 4:.1f}">{"●" * min(unit.steps, 5)}</text></g>'
            )
        return parts

    def _ground(self, box: _Box) -> str:
        x, y, right, bottom = box
        area = f'x="{x:.0f}" y="{y:.0f}" width="{right - x:.0f}" height="{bottom - y:.0f}"'
        parts = [f'<rect {area} fill="#efe9d8"/>']
        for placed in self._boards:
            data = self._crop(placed, box)
            if data:
                parts.append(f'<image {area} preserveAspectRatio="none" href="{data}"/>')
        return "".join(parts)

    def _crop(self, placed: PlacedBoard, box: _Box) -> str:
        """The part of a board's picture as a data URI; none without Pillow or without a picture."""
        image = self._image(placed)
        if image is None or placed.board.reversed or placed.board.magnification != 1:
            return ""
        dx, dy = placed.x - placed.board.crop[0], placed.y - placed.board.crop[1]
        x, y, right, bottom = box
        part = image.crop((int(x - dx), int(y - dy), int(right - dx), int(bottom - dy)))
        part.thumbnail((_WIDE, _WIDE))
        out = io.BytesIO()
        part.save(out, "JPEG", quality=62, optimize=True)
        return "data:image/jpeg;base64," + base64.b64encode(out.getvalue()).decode()

    def _image(self, placed: PlacedBoard) -> Any:  # noqa: ANN401 - Pillow is optional
        name = placed.board.name
        if name not in self._images:
            self._images[name] = self._load(name)
        return self._images[name]

    def _load(self, name: str) -> Any:  # noqa: ANN401
        try:
            from PIL import Image, UnidentifiedImageError
        except ImportError:
            return None
        for of_map in self._module.maps():
            if of_map.name != self._rule.name:
                continue
            for board in of_map.boards:
                data = self._module.image(str(board.image)) if board.image else None
                if board.name == name and data is not None:
                    try:
                        return Image.open(io.BytesIO(data)).convert("RGB")
                    except (UnidentifiedImageError, OSError, ValueError):
                        return None
        return None


def _on_map(placed: PlacedBoard, x: float, y: float) -> _Point:
    left, top = placed.outward(placed.board.laid((round(x), round(y))))
    return float(left), float(top)


def _extent(outline: Sequence[_Point]) -> tuple[float, float]:
    xs, ys = zip(*outline, strict=True)
    return max(xs) - min(xs), max(ys) - min(ys)


def _middle(outline: Sequence[_Point]) -> _Point:
    return sum(x for x, _ in outline) / len(outline), sum(y for _, y in outline) / len(outline)


def _around(outlines: Sequence[Sequence[_Point]]) -> _Box:
    """A box with a cell or so of room on every side, wider than high."""
    xs = [x for outline in outlines for x, _ in outline]
    ys = [y for outline in outlines for _, y in outline]
    room = max(_extent(outlines[0]))
    x, y, right, bottom = min(xs) - room, min(ys) - room, max(xs) + room, max(ys) + room
    lack = (bottom - y) * 1.4 - (right - x)
    if lack > 0:
        x, right = x - lack / 2, right + lack / 2
    return x, y, right, bottom


def _polygon(outline: Sequence[_Point], kind: str) -> str:
    points = " ".join(f"{x:.0f},{y:.0f}" for x, y in outline)
    return f'<polygon class="{kind}" points="{points}"/>'


def _name(outline: Sequence[_Point], name: str) -> str:
    x = _middle(outline)[0]
    top = min(y for _, y in outline)
    size = _extent(outline)[1] / 6
    return (
        f'<text class="name" x="{x:.0f}" y="{top + size * 1.2:.0f}" font-size="{size:.1f}">'
        f"{escape(name)}</text>"
    )
