"""Charts as pictures: the tables that players look things up in, from the rules' own data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from hexmarshal.kit.drawing.canvas import Drawing, lines_of, width
from hexmarshal.kit.drawing.colours import INK, PAPER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.kit.drawing.canvas import Canvas
    from hexmarshal.rules.charts import Chart, ChartTable

__all__ = ["ChartLook", "chart_svg"]

_TEXT, _LINE, _PAD = 9.0, 25.0, 12.0
_TITLE, _NOTE, _NOTE_LINE = 13.0, 7.5, 14.0
_MARGIN, _GAP = 24.0, 16.0
# A column with a longer text than this stands flush left.
_LONG: Final = 12
# A note is broken where it would make the table much wider than its columns do.
_NOTE_WIDE: Final = 620.0


@dataclass(frozen=True, slots=True)
class ChartLook:
    """The colours of a game's charts; `tints` colour cells by what stands in them."""

    paper: str = PAPER
    stripe: str = "#eadfc2"
    head: str = "#5a4a3a"
    title: str = "#7a2a20"
    ink: str = INK
    tints: Mapping[str, str] = field(default_factory=dict)


def chart_svg(chart: Chart, look: ChartLook | None = None) -> str:
    """A chart: its tables below each other under its title."""
    look = look or ChartLook()
    tables = [_Drawn(table, look, chart.title) for table in chart.tables]
    wide = max(*(table.size[0] for table in tables), width(chart.title, 18)) + 2 * _MARGIN
    high = 58 + sum(table.size[1] + _GAP for table in tables)
    canvas = Drawing(round(wide), round(high))
    canvas.rectangle((0, 0), wide, high, fill=look.paper)
    canvas.write(chart.title, (_MARGIN, 38), 18, anchor="start", weight=1.5, colour=look.title)
    y = 52.0
    for table in tables:
        table.draw(canvas, _MARGIN, y)
        y += table.size[1] + _GAP
    return canvas.svg(chart.title)


class _Drawn:
    """A table with its measures."""

    def __init__(self, table: ChartTable, look: ChartLook, under: str) -> None:
        self.look = look
        self.title = table.title if table.title != under else ""
        self.rows = (table.heads, *table.rows)
        self.widths = [
            max(width(text, _TEXT) for text in column) + 2 * _PAD
            for column in zip(*self.rows, strict=True)
        ]
        room = max(sum(self.widths), _NOTE_WIDE)
        self.notes = lines_of(table.note, _NOTE, room) if table.note else ()
        self.top = 30.0 if self.title else 6.0

    @property
    def size(self) -> tuple[float, float]:
        """The table with its title and note, in pixels."""
        notes = [width(line, _NOTE) + 4 for line in self.notes]
        wide = max([sum(self.widths), width(self.title, _TITLE) + 4, *notes])
        below = 8 + _NOTE_LINE * len(self.notes) if self.notes else 4
        return wide, self.top + _LINE * len(self.rows) + below

    def draw(self, canvas: Canvas, x: float, y: float) -> None:
        """Draw the table with its upper left corner at a point."""
        look = self.look
        at = (x, y + 18)
        canvas.write(self.title, at, _TITLE, anchor="start", weight=1.4, colour=look.ink)
        top = y + self.top
        for r, row in enumerate(self.rows):
            self._row(canvas, r, row, (x, top + r * _LINE))
        self._rules(canvas, x, top)
        bottom = top + _LINE * len(self.rows) + _NOTE_LINE
        for i, line in enumerate(self.notes):
            at = (x, bottom + i * _NOTE_LINE)
            canvas.write(line, at, _NOTE, anchor="start", colour=look.head)

    def _row(self, canvas: Canvas, r: int, row: tuple[str, ...], at: tuple[float, float]) -> None:
        look, (left, line) = self.look, at
        ground = look.head if r == 0 else look.stripe if r % 2 else look.paper
        canvas.rectangle((left, line), sum(self.widths), _LINE, fill=ground)
        for c, (text, wide) in enumerate(zip(row, self.widths, strict=True)):
            if r and text in look.tints:
                canvas.rectangle((left, line), wide, _LINE, fill=look.tints[text])
            flush = self._flush(c)
            canvas.write(
                text,
                (left + _PAD if flush else left + wide / 2, line + 17),
                _TEXT,
                anchor="start" if flush else "middle",
                weight=1.35 if r == 0 or c == 0 else 1.1,
                colour=look.ink if r else look.paper,
            )
            left += wide

    def _flush(self, column: int) -> bool:
        """Words stand flush left, numbers in the middle: the whole column one way."""
        return column == 0 or any(len(row[column]) > _LONG for row in self.rows[1:])

    def _rules(self, canvas: Canvas, x: float, top: float) -> None:
        high = _LINE * len(self.rows)
        with canvas.group(fill="none", stroke=self.look.head, stroke_width=1):
            canvas.rectangle((x, top), sum(self.widths), high)
            left = x
            for wide in self.widths[:-1]:
                left += wide
                canvas.polyline(((left, top), (left, top + high)))
