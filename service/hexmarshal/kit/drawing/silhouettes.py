"""Small pictures of what a counter stands for, in a box 40 wide and 26 high.

Each is a list of strokes and areas as SVG paths: `dark` and `light` ones are filled, `line` ones
are drawn with a thin pen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hexmarshal.kit.drawing.canvas import Canvas

__all__ = ["KINDS", "draw_silhouette"]

Part = tuple[str, str, float, float]

_MAN = (
    ("dark", "M2.2 3.6a2.7 2.5 0 0 1 5.4 0l.8 1.1h-6.6z"),  # helmet
    ("dark", "M3.2 4.6h3.6v1.9l-1.2 1h-1.6z"),  # face
    ("dark", "M2 8l2-1h2.6l1.8 1.4.6 4.2-1.4.3-.4-2.1-.3 4.4h-4.8z"),  # coat
    ("dark", "M2.3 14.6h4.6l2.2 4.6 1.6 4.9-2.3.2-2-4.5-1.8-2.4-2.2 3.2-.6 3.9h-2.5l.9-5.2z"),
    ("line", "M-.6 12.6L12 6.4"),  # rifle
)
_WHEEL = "M0-4.6a4.6 4.6 0 1 0 .01 0zM0-2.7a2.7 2.7 0 1 1-.01 0z"
_HUB = "M0-1.2a1.2 1.2 0 1 0 .01 0z"


def _at(parts: tuple[tuple[str, str], ...], x: float, y: float) -> tuple[Part, ...]:
    return tuple((style, d, x, y) for style, d in parts)


def _wheels(y: float, *xs: float) -> tuple[Part, ...]:
    return tuple((s, d, x, y) for x in xs for s, d in (("dark", _WHEEL), ("dark", _HUB)))


def _track(left: float, right: float, top: float, bottom: float) -> tuple[Part, ...]:
    """A running gear: the chain around a row of wheels."""
    r = (bottom - top) / 2
    bend = f"a{r} {r} 0 0 1 0"
    chain = f"M{left + r} {top}H{right - r}{bend} {2 * r}H{left + r}{bend} {-2 * r}z"
    count = max(3, round((right - left) / 5.2))
    step = (right - left - 2 * r) / (count - 1)
    dots = "".join(
        f"M{left + r + i * step:.1f} {top + r - 1.9:.1f}a1.9 1.9 0 1 0 .01 0z" for i in range(count)
    )
    return (("dark", chain, 0, 0), ("light", dots, 0, 0))


_HORSE = "M29 10.6l6.4-.8 1-3.8 2.6 1.4.6 3.4-2 1-.6 4.4.6 8h-1.6l-1-6.4h-3.6l-1.6 6.4H28.2l.8-8z"
_GROUND = (("line", "M1 25.2H39", 0.0, 0.0),)

KINDS: dict[str, tuple[Part, ...]] = {
    "squad": (*_at(_MAN, 3, 2.5), *_at(_MAN, 14.5, 0.5), *_at(_MAN, 26, 2.5)),
    "engineers": (
        *_at(_MAN, 6, 1),
        *_at(_MAN, 20, 1),
        ("dark", "M5.4 7.6h3v7.4h-3z", 0, 0),
        ("line", "M33.5 3V16.5", 0, 0),
        ("dark", "M31 16.4h5v4.2l-2.5 3.4-2.5-3.4z", 0, 0),
    ),
    "at_team": (
        *_at(_MAN[:4], 13, 1),
        *_at(_MAN[:4], 24, 2),
        ("line", "M3 15.4L38 6.2", 0, 0),
        ("dark", "M1 13.8l8-2 .7 2.6-8 2z", 0, 0),
    ),
    "mg": (
        ("dark", "M4 9.4a2.8 2.6 0 0 1 5.6 0l.8 1.2h-7z", 0, 0),
        ("dark", "M5 10.6h3.8v2l3.6 1.8 6.6.2-.2 2.4-7-.2-1 5.4-7.4 2.8-2.2-3z", 0, 0),
        ("dark", "M14 11.6h11v3.4h-11z", 0, 0),
        ("dark", "M25 12.4h13v1.8h-13z", 0, 0),
        ("line", "M22 15L16 24.4M22 15L28.4 24.4M22 15V22", 0, 0),
    ),
    "mortar": (
        ("dark", "M15 22.6L27.4 1.4l3.8 2.2L18.8 24.8z", 0, 0),
        ("dark", "M10 23h13v2.2h-13z", 0, 0),
        ("line", "M25.6 10.4L35 25M25.6 10.4L31.4 25", 0, 0),
        ("dark", "M3.6 10.2a2.7 2.5 0 0 1 5.4 0l.8 1.1H2.8z", 0, 0),
        ("dark", "M4.2 11.3h4v1.4l3.2 3-.8 1.4-2.6-1.4.6 4.4 1.2 4.6H2.6l-.6-7z", 0, 0),
    ),
    "gun": (
        ("dark", "M15.5 3.5l3.4-.6 1.6 15.4-3.8.4z", 0, 0),
        ("dark", "M18.5 9.6L39 7.6v2.2l-20.3 2.6z", 0, 0),
        ("dark", "M8 10.4l11.4-.8.2 4.4-11.2.6z", 0, 0),
        ("dark", "M14.5 14.4L2 22.4.6 25h4l12.6-8z", 0, 0),
        *_wheels(20.2, 18.6),
    ),
    "tank": (
        *_track(2, 36.5, 16.6, 24.8),
        ("dark", "M2.4 16.4l2.4-4.6H33l4.6 3.6-.6 2z", 0, 0),
        ("dark", "M10.6 11.6l1-6.4 2-1.4h9.6l3.2 4.4.8 3.4z", 0, 0),
        ("dark", "M25 6.6h14.6v1.9H26z", 0, 0),
        ("dark", "M13.6 2.2h5v1.8h-5z", 0, 0),
    ),
    "spg": (
        *_track(2, 34, 16.6, 24.8),
        ("dark", "M2.4 16.4l1.4-4.2H32l3.6 3.4-.6 2z", 0, 0),
        ("dark", "M13.6 4.4l2.6-.6L20 12.2h-5z", 0, 0),
        ("dark", "M15 7.4L39.4 5.4v2.2L16 9.8z", 0, 0),
        ("dark", "M6 8.6h9.4v3.8H6z", 0, 0),
    ),
    "apc": (
        *_track(2, 23, 17.4, 24.8),
        *_wheels(20.6, 31.2),
        ("dark", "M1.4 16.6L4 8.6h15.6l3 2.2 12.6 2.4 2.6 4.2-1 .8h-34z", 0, 0),
        ("dark", "M15.8 5.2h2.2v3.4h-2.2z", 0, 0),
        ("line", "M17 5.8H27", 0, 0),
    ),
    "car": (
        *_wheels(20.4, 7.4, 32),
        *_wheels(20.4, 19.8),
        ("dark", "M1.4 16.6l2.4-6.4h9.4l1-5h9.2l2.4 5h7l4.6 3.6-1 3.4z", 0, 0),
        ("dark", "M22.6 6.8H36v1.7H23z", 0, 0),
    ),
    "truck": (
        *_wheels(20.4, 8.6, 31.4),
        ("dark", "M1 4.4q11-2.6 21.6 0v13.4H1z", 0, 0),
        ("light", "M6 4.2v13M11.6 3.6v14M17.2 4v13", 0, 0),
        ("dark", "M23.6 6.2h6.2l2 5.4 6.4 1.6.4 4.6H23.6z", 0, 0),
        ("light", "M25.2 7.8h3.4l1.4 3.6h-4.8z", 0, 0),
    ),
    "wagon": (
        *_wheels(19.8, 6.8, 21),
        ("dark", "M1.4 10.4h25l-1.6 6H3z", 0, 0),
        ("dark", "M3 9.4q10.6-7.6 21.4 0z", 0, 0),
        ("line", "M25 15L38 13", 0, 0),
        (
            "dark",
            _HORSE,
            0,
            0,
        ),
    ),
}


def draw_silhouette(canvas: Canvas, kind: str, left: float, top: float, scale: float) -> None:
    """Draw the picture of a kind of unit."""
    ink, paper = "#211f18", "#cfc9b4"
    with canvas.group(transform=f"translate({left:.2f} {top:.2f}) scale({scale:.3f})"):
        for style, d, x, y in (*KINDS[kind], *_GROUND):
            move = f"translate({x:g} {y:g})" if x or y else None
            if style == "line":
                canvas.element(
                    "path", d=d, transform=move, fill="none", stroke=ink, stroke_width=1.3,
                    stroke_linecap="round",
                )  # fmt: skip
            elif style == "light":
                canvas.element(
                    "path", d=d, transform=move, fill=paper, stroke=paper, stroke_width=0.35
                )
            else:
                canvas.element("path", d=d, transform=move, fill=ink, fill_rule="evenodd")
