"""A picture of a map: ground, answers, units and legend, put together in the right order."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol

from hexmarshal.geometry.svg.canvas import Canvas, Point
from hexmarshal.geometry.svg.ground import draw_areas, draw_lines, draw_names, draw_sample
from hexmarshal.geometry.svg.lettering import width
from hexmarshal.geometry.svg.palette import style
from hexmarshal.geometry.svg.png import SVG, fonts_work, png
from hexmarshal.geometry.svg.units import Unit, draw_units
from hexmarshal.geometry.svg.view import View

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.geometry.terrain.terrain_map import TerrainMap

__all__ = ["Backdrop", "Entry", "Layer", "Picture", "Sample"]

_PAPER = "#fbfaf3"
_INK = "#2b2a26"
# Terrain over the picture of its own board is seen through.
_SHEER = 0.4


Sample = Callable[[Canvas, Point, float], None]
"""Draws into a box with this left upper corner and width."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the legend: a sample and what it stands for."""

    text: str
    draw: Sample


class Layer(Protocol):
    """An answer laid over the map: a sight line, a reach, a field of fire."""

    def under(self, canvas: Canvas, view: View) -> None:
        """What lies under grid, roads, names and units: tints."""

    def over(self, canvas: Canvas, view: View) -> None:
        """What lies over everything: lines, marks, numbers."""

    def entries(self, view: View) -> Iterable[Entry]:
        """What the legend says of it."""

    def captions(self, view: View) -> Iterable[str]:
        """Lines under the title."""


@dataclass(frozen=True, slots=True)
class Backdrop:
    """The picture of the board itself, which lies under everything: a file's bytes and its size."""

    data: bytes
    kind: str
    width: int
    height: int

    def draw(self, canvas: Canvas) -> None:
        """Lay it where the board is: its pixels are those of the map."""
        text = base64.b64encode(self.data).decode("ascii")
        canvas.element(
            "image", href=f"data:image/{self.kind};base64,{text}",
            x=0, y=0, width=self.width, height=self.height,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Picture:
    """What to draw; the same picture gives the same bytes."""

    terrain: TerrainMap
    layers: tuple[Layer, ...] = ()
    units: tuple[Unit, ...] = ()
    title: str = ""
    names: bool = True
    legend: bool = True
    backdrop: Backdrop | None = None

    def svg(self, *, native_text: bool = True) -> str:
        """The picture as SVG.

        Texts are drawn in strokes of our own, or, in scripts that we have none for, as native
        text; without `native_text` those show as boxes.
        """
        canvas = Canvas(native_text=native_text)
        view = View(self.terrain)
        size = max(9.0, min(0.3 * view.unit, 15.0))
        left, top, right, bottom = view.bounds
        if self.backdrop is not None:
            left, top = min(left, 0.0), min(top, 0.0)
            right, bottom = max(right, self.backdrop.width), max(bottom, self.backdrop.height)
        margin = 0.5 * view.unit
        left, top, right, bottom = left - margin, top - margin, right + margin, bottom + margin
        title = self.title or self.terrain.name_of_map
        captions = [text for layer in self.layers for text in layer.captions(view) if text]
        heads = [(title, size * 1.25, 1.35)] if title else []
        heads += [(text, size * 0.9, 1.0) for text in captions]
        gap = size * 0.85
        right = max([right, *(left + 2 * margin + width(text, high) for text, high, _ in heads)])
        start = top - sum(high + gap for _, high, _ in heads)
        rows = list(self._rows(view, size, right - left - 2 * margin)) if self.legend else []
        end = bottom + (len(rows) * size * 2.3 + size if rows else 0)
        canvas.rectangle((left, start), right - left, end - start, fill=_PAPER)
        baseline = start
        for text, high, weight in heads:
            baseline += high + gap
            canvas.write(
                text, (left + margin, baseline), high, anchor="start", colour=_INK, weight=weight
            )
        if self.backdrop is None:
            draw_areas(canvas, view)
        else:
            self.backdrop.draw(canvas)
            with canvas.group(opacity=_SHEER):
                draw_areas(canvas, view)
        for layer in self.layers:
            layer.under(canvas, view)
        draw_lines(canvas, view)
        if self.names:
            draw_names(canvas, view)
        draw_units(canvas, view, self.units)
        for layer in self.layers:
            layer.over(canvas, view)
        for nth, row in enumerate(rows):
            y = bottom + nth * size * 2.3
            for entry, x in row:
                entry.draw(canvas, (left + margin + x, y), size * 2.2)
                canvas.write(
                    entry.text, (left + margin + x + size * 2.8, y + size * 1.25), size * 0.85,
                    anchor="start", colour=_INK,
                )  # fmt: skip
        return canvas.render((left, start, right, end), title)

    def png(self, *, zoom: float = 1.0) -> bytes:
        """The picture as PNG; needs the extra `render`."""
        drawing = self.svg()
        if "<text" in drawing and not fonts_work():
            drawing = self.svg(native_text=False)
        return png(drawing, zoom=zoom, instead=SVG)

    def _rows(self, view: View, size: float, wide: float) -> Iterator[list[tuple[Entry, float]]]:
        """The legend's entries, as many to a row as fit."""
        row: list[tuple[Entry, float]] = []
        x = 0.0
        for entry in self._entries(view):
            needed = size * 2.8 + width(entry.text, size * 0.85)
            if row and x + needed > wide:
                yield row
                row, x = [], 0.0
            row.append((entry, x))
            x += needed + size * 1.6
        if row:
            yield row

    def _entries(self, view: View) -> Iterator[Entry]:
        for layer in self.layers:
            yield from layer.entries(view)
        terrain = self.terrain
        areas = {kind for kinds in terrain.cell_terrain.values() for kind in kinds}
        areas |= {shape.terrain for shape in terrain.shapes}
        lines = {kind for kinds in terrain.side_terrain.values() for kind in kinds}
        lines |= {path.terrain for path in terrain.paths}
        for name, kind in terrain.types.items():
            look = style(kind)
            if name in areas and look.fill != "none":
                yield Entry(name, partial(draw_sample, look=look, line=False))
            elif name in lines:
                yield Entry(name, partial(draw_sample, look=look, line=True))
