"""Charts as pictures: tables of text with a heading, drawn from the rules' own data."""

from __future__ import annotations

from dataclasses import dataclass, field

from hexmarshal.games.kharkov.art import colours
from hexmarshal.games.kharkov.art.ink import Canvas
from hexmarshal.geometry.svg.lettering import width

__all__ = ["Chart", "Table"]

_TEXT, _LINE, _PAD = 9.0, 25.0, 12.0
_LONG = 12
_HEAD, _STRIPE = "#5a4a3a", "#eadfc2"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells; the first row is the heading. A colour may stand by a cell's text."""

    title: str
    rows: tuple[tuple[str, ...], ...]
    tints: dict[str, str] = field(default_factory=dict)
    note: str = ""

    def widths(self) -> list[float]:
        """How wide each column must be."""
        return [
            max(width(row[i], _TEXT) for row in self.rows) + 2 * _PAD
            for i in range(len(self.rows[0]))
        ]

    def size(self) -> tuple[float, float]:
        """The table with its title and note, in pixels."""
        wide = max(sum(self.widths()), width(self.title, 13) + 4, width(self.note, 7.5) + 4)
        high = self._heading() + _LINE * len(self.rows) + (22 if self.note else 4)
        return wide, high

    def _heading(self) -> float:
        return 30.0 if self.title else 6.0

    def _flush(self, column: int) -> bool:
        """Words stand flush left, numbers in the middle: the whole column one way."""
        return column == 0 or any(len(row[column]) > _LONG for row in self.rows[1:])

    def draw(self, canvas: Canvas, x: float, y: float) -> None:
        """Draw the table with its upper left corner at a point."""
        canvas.write(self.title, (x, y + 18), 13, anchor="start", weight=1.4, colour=colours.INK)
        top = y + self._heading()
        widths = self.widths()
        for r, row in enumerate(self.rows):
            line = top + r * _LINE
            ground = _HEAD if r == 0 else _STRIPE if r % 2 else colours.PAPER
            canvas.rectangle((x, line), sum(widths), _LINE, fill=ground)
            left = x
            for c, text in enumerate(row):
                if r and text in self.tints:
                    canvas.rectangle((left, line), widths[c], _LINE, fill=self.tints[text])
                flush = self._flush(c)
                at = (left + _PAD if flush else left + widths[c] / 2), line + 17
                canvas.write(
                    text,
                    at,
                    _TEXT,
                    anchor="start" if flush else "middle",
                    weight=1.35 if r == 0 or c == 0 else 1.1,
                    colour=colours.INK if r else colours.PAPER,
                )
                left += widths[c]
        with canvas.group(fill="none", stroke=_HEAD, stroke_width=1):
            canvas.rectangle((x, top), sum(widths), _LINE * len(self.rows))
            left = x
            for wide in widths[:-1]:
                left += wide
                canvas.polyline(((left, top), (left, top + _LINE * len(self.rows))))
        if self.note:
            bottom = top + _LINE * len(self.rows) + 14
            canvas.write(self.note, (x, bottom), 7.5, anchor="start", colour="#5a4a3a")


@dataclass(frozen=True, slots=True)
class Chart:
    """One picture: tables below each other under a title."""

    title: str
    tables: tuple[Table, ...]

    def svg(self) -> str:
        """The picture."""
        canvas = Canvas(native_text=False)
        sizes = [table.size() for table in self.tables]
        wide = max(*(w for w, _ in sizes), width(self.title, 18)) + 48
        high = 58 + sum(h + 16 for _, h in sizes)
        canvas.rectangle((0, 0), wide, high, fill=colours.PAPER)
        canvas.write(self.title, (24, 38), 18, anchor="start", weight=1.5, colour=colours.FRONT)
        y = 52.0
        for table, (_, h) in zip(self.tables, sizes, strict=True):
            table.draw(canvas, 24, y)
            y += h + 16
        return canvas.render((0, 0, round(wide), round(high)), self.title)
