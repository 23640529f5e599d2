"""An SVG document in the making: shapes and writing in order, the same bytes for the same calls."""

from __future__ import annotations

import re
from contextlib import contextmanager
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Literal
from xml.sax.saxutils import escape, quoteattr

from hexmarshal.geometry.svg.lettering import CAP, glyph, has_strokes, width

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["FONTS", "Canvas", "Point", "bend", "number", "points"]

Point = tuple[float, float]
Anchor = Literal["start", "middle", "end"]
Attribute = str | float | None

FONTS = "DejaVu Sans, Noto Sans, Liberation Sans, Arial, Helvetica, sans-serif"

# What nearly every attribute consists of: nothing in it is escaped.
_PLAIN = re.compile(r"[\w #%()+,./:;=-]*", re.ASCII)
# XML 1.0 knows no such characters, not even escaped.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def number(value: float) -> str:
    """At most two decimals, no exponent, no negative zero: the same text on every machine."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def points(corners: Iterable[Point]) -> str:
    """Coordinates as polygons and polylines take them."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in corners)


def bend(through: Sequence[Point]) -> str:
    """A path through the middles of the legs, round at the corners, to both ends."""

    def text(point: Point) -> str:
        return f"{number(point[0])} {number(point[1])}"

    parts = [f"M{text(through[0])}"]
    for here, there in pairwise(through[1:]):
        middle = ((here[0] + there[0]) / 2, (here[1] + there[1]) / 2)
        parts.append(f"Q{text(here)} {text(middle)}")
    parts.append(f"L{text(through[-1])}")
    return "".join(parts)


def _clean(text: str) -> str:
    return _NO_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def _attributes(named: dict[str, Attribute]) -> str:
    parts = []
    for name, value in named.items():
        if value is not None:
            parts.append(f" {_attribute(name)}={_quoted(value)}")
    return "".join(parts)


@cache
def _attribute(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


def _quoted(value: str | float) -> str:
    if not isinstance(value, str):
        return f'"{number(value)}"'
    return f'"{value}"' if _PLAIN.fullmatch(value) else quoteattr(_clean(value))


class Canvas:
    """A list of elements within bounds; attributes are keyword arguments (`stroke_width=2`)."""

    def __init__(self, *, native_text: bool = True) -> None:
        self._lines: list[str] = []
        self._defs: dict[str, str] = {}
        self._depth = 1
        self._native_text = native_text
        self.has_native_text = False

    def element(self, tag: str, title: str = "", **attributes: Attribute) -> None:
        """One element; `title` is what a browser shows when the pointer rests on it."""
        start = f"<{tag}{_attributes(attributes)}"
        if title:
            self._put(f"{start}><title>{escape(_clean(title))}</title></{tag}>")
        else:
            self._put(f"{start}/>")

    @contextmanager
    def group(self, **attributes: Attribute) -> Iterator[None]:
        """Everything drawn inside shares the attributes."""
        self._put(f"<g{_attributes(attributes)}>")
        self._depth += 1
        yield
        self._depth -= 1
        self._put("</g>")

    def define(self, name: str, content: str) -> str:
        """Keep a definition (a pattern, a marker) once; returns `url(#name)`."""
        self._defs.setdefault(name, content)
        return f"url(#{name})"

    def polygon(self, corners: Iterable[Point], title: str = "", **attributes: Attribute) -> None:
        """A closed shape."""
        self.element("polygon", title, points=points(corners), **attributes)

    def polyline(self, corners: Iterable[Point], title: str = "", **attributes: Attribute) -> None:
        """An open line."""
        attributes.setdefault("fill", "none")
        self.element("polyline", title, points=points(corners), **attributes)

    def circle(self, centre: Point, r: float, title: str = "", **attributes: Attribute) -> None:
        """A circle."""
        self.element("circle", title, cx=centre[0], cy=centre[1], r=r, **attributes)

    def rectangle(self, corner: Point, wide: float, high: float, **attributes: Attribute) -> None:
        """A rectangle with its upper left corner."""
        self.element("rect", "", x=corner[0], y=corner[1], width=wide, height=high, **attributes)

    def write(
        self,
        text: str,
        at: Point,
        size: float,
        *,
        anchor: Anchor = "middle",
        colour: str = "#222",
        weight: float = 1.0,
        halo: str | None = None,
    ) -> None:
        """A text whose capitals are `size` high, its baseline at `at`.

        Texts in letters that we have no strokes for become SVG text, if the canvas may use it.
        """
        text = _clean(text)
        if not text.strip():
            return
        if self._native_text and not has_strokes(text):
            self._write_natively(text, at, size, anchor, colour, halo)
            return
        scale = size / CAP
        left = at[0] - {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * width(text, size)
        place = f"translate({number(left)} {number(at[1] - size)}) scale({scale:.4f})"
        strokes = "".join(self._strokes(text))
        name = quoteattr(text)
        line = f'fill="none" stroke-linecap="round" stroke-linejoin="round" transform="{place}"'
        pen = 1.5 * weight
        if halo is not None:
            self._put(f'<g {line} stroke="{halo}" stroke-width="{number(pen + 3.6)}">{strokes}</g>')
        self._put(
            f'<g {line} stroke="{colour}" stroke-width="{number(pen)}" role="img"'
            f" aria-label={name}>{strokes}</g>"
        )

    def render(self, bounds: tuple[float, float, float, float], title: str = "") -> str:
        """The document; `bounds` are left, top, right and bottom."""
        left, top, right, bottom = bounds
        wide, high = number(right - left), number(bottom - top)
        head = [
            '<?xml version="1.0" encoding="UTF-8"?>',
            (
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}"'
                f' viewBox="{number(left)} {number(top)} {wide} {high}">'
            ),
        ]
        if title:
            head.append(f" <title>{escape(_clean(title))}</title>")
        if self._defs:
            head.append(" <defs>")
            head += [f"  {content}" for content in self._defs.values()]
            head.append(" </defs>")
        return "\n".join([*head, *self._lines, "</svg>", ""])

    def _put(self, line: str) -> None:
        self._lines.append(" " * self._depth + line)

    def _strokes(self, text: str) -> Iterator[str]:
        pen = 0.0
        for character in text:
            shape = glyph(character)
            if shape.path:
                code = f"g{ord(character):x}"
                marks = "".join(
                    f'<path d="{d}" transform="translate({number(x)} {number(y)})"/>'
                    for d, x, y in shape.accents
                )
                body = f'<path d="{shape.path}"/>'
                self.define(code, f'<g id="{code}">{body}{marks}</g>')
                yield f'<use href="#{code}" x="{number(pen)}"/>'
            pen += shape.advance

    def _write_natively(
        self, text: str, at: Point, size: float, anchor: Anchor, colour: str, halo: str | None
    ) -> None:
        self.has_native_text = True
        attributes: dict[str, Attribute] = {
            "x": at[0],
            "y": at[1],
            "font_family": FONTS,
            "font_size": size / 0.72,
            "text_anchor": None if anchor == "start" else anchor,
        }
        content = f">{escape(text)}</text>"
        if halo is not None:
            around = _attributes(
                {**attributes, "fill": "none", "stroke": halo, "stroke_width": size * 0.3}
            )
            self._put(f"<text{around}{content}")
        self._put(f"<text{_attributes({**attributes, 'fill': colour})}{content}")
