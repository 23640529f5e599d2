"""Playing cards: kind, title, cost, and what the card does in one sentence."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hexmarshal.games.conflict_of_heroes.art.colours import BLUE, GREEN, INK, PAPER, RED
from hexmarshal.games.conflict_of_heroes.source import sniper
from hexmarshal.kit.drawing.canvas import Drawing
from hexmarshal.kit.drawing.lettering import fitted, lines_of, written
from hexmarshal.kit.drawing.signs import burst, cross, plate, puff, star
from hexmarshal.rules.rulebook import load_yaml

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.games.conflict_of_heroes.source import Card
    from hexmarshal.geometry.svg.canvas import Canvas

__all__ = ["CARD", "card_back_svg", "card_own_svg", "card_svg", "card_text"]

CARD: Final = (150, 210)
_BANDS: Final = {
    "action": "#3d5a3a",
    "bonus": "#8a5a10",
    "weapon": "#6d2b22",
    "event": "#34466b",
}
_PAID: Final = {"cap": (BLUE, BLUE), "ap": (GREEN, GREEN), "either": (GREEN, BLUE)}


@cache
def _texts() -> Mapping[str, str]:
    return load_yaml(Path(__file__).with_name("cards.yaml"))


def card_text(entry: Card) -> str:
    """What a card does, in our words."""
    lost = "; ".join(f"{die}: {points}" for die, points in sniper().items())
    values = {name: getattr(entry, name) for name in ("power", "change", "pattern")}
    return _texts().get(entry.key, f"{entry.title}.").format(**values, sniper=lost)


def card_svg(entry: Card, text: str) -> str:
    """The face of a card; `text` says what it does."""
    canvas = Drawing(*CARD)
    wide, high = CARD
    band = _BANDS[entry.kind]
    canvas.rectangle(
        (1, 1), wide - 2, high - 2, rx=9, fill="#f5eeda", stroke="#2a2418", stroke_width=2
    )
    canvas.element(
        "path", d=f"M2 10a8 8 0 0 1 8 -8h{wide - 20}a8 8 0 0 1 8 8v30h{4 - wide}z", fill=band
    )
    written(canvas, entry.kind.upper(), (wide / 2, 11), 4.6, "#e9dfc4", weight=1.2)
    size = fitted(entry.title, 9, wide - 16)
    written(canvas, entry.title, (wide / 2, 26), size, "#fffaec", weight=1.4)
    canvas.rectangle((8, 46), wide - 16, 52, rx=4, fill="#e7dcbd", stroke="#b7a676")
    _emblem(canvas, entry)
    _text(canvas, text)
    _cost(canvas, entry)
    number = entry.key if entry.key.isdigit() else ""
    if number:
        written(canvas, number, (wide - 14, high - 12), 6, "#8a7a50", weight=1.3)
    if entry.group:
        for i in range(3):
            canvas.circle((60 + 8 * i, high - 13), 3.2, fill=INK)
            canvas.element("path", d=f"M{55.6 + 8 * i} {high - 4}a4.4 5 0 0 1 8.8 0z", fill=INK)
    return canvas.svg(entry.title)


def _emblem(canvas: Canvas, entry: Card) -> None:
    """The middle of the card: firepower of a weapon, or the sign of its kind."""
    x, y = CARD[0] / 2, 72.0
    if entry.kind == "weapon":
        sign = -44
        if entry.side == "soviet":
            canvas.polygon(star((x + sign, y), 13), fill=RED, stroke="#f3d774")
        else:
            canvas.polygon(cross((x + sign, y), 11, 9), fill="#1b1b1b", stroke="#ffffff")
        for value, colour, at in ((entry.red, RED, x - 12), (entry.blue, BLUE, x + 12)):
            plate(
                canvas, str(value), (at, y - 6), fill=colour, colour="#ffffff", border=INK, wide=21,
                high=18, size=11,
            )  # fmt: skip
        reach = (
            "off-board"
            if entry.artillery
            else f"range 0-{entry.reach}"
            if entry.reach
            else "range 0"
        )
        written(canvas, reach, (x, y + 16), 5, INK, weight=1.2)
        if entry.he or entry.artillery:
            burst(canvas, (x + 42, y - 8), 9)
        if entry.smoke:
            puff(canvas, (x + 42, y + 14), 7)
        return
    shape = {"action": 4, "bonus": 5, "event": 8}[entry.kind]
    canvas.polygon(
        star((x, y), 23, points=shape, depth=0.55), fill=_BANDS[entry.kind], fill_opacity=0.25
    )
    canvas.polygon(
        star((x, y), 17, points=shape, depth=0.5),
        fill=_BANDS[entry.kind],
        stroke=PAPER,
        stroke_width=1.4,
    )


def _text(canvas: Canvas, text: str) -> None:
    size, pitch = 7.0, 11.8
    lines = lines_of(text, size, CARD[0] - 22)
    while len(lines) * pitch > 84 and size > 3.6:
        size, pitch = size - 0.2, pitch - 0.4
        lines = lines_of(text, size, CARD[0] - 22)
    for i, line in enumerate(lines):
        canvas.write(line, (11, 112 + i * pitch), size, anchor="start", colour=INK, weight=1.1)


def _cost(canvas: Canvas, entry: Card) -> None:
    if entry.kind == "event":
        return
    x, y, r = 17, CARD[1] - 16, 10.5
    if not entry.cost:
        canvas.circle((x, y), r, fill="#fffdf4", stroke=INK, stroke_width=1.2)
        written(canvas, "0", (x, y), 8.6, INK, weight=1.6)
        return
    left, right = _PAID[entry.pay]
    canvas.circle((x, y), r, fill=right, stroke=INK, stroke_width=1.2)
    canvas.element("path", d=f"M{x} {y - r}a{r} {r} 0 0 0 0 {2 * r}z", fill=left)
    written(canvas, str(entry.cost), (x, y), 9, "#ffffff", weight=1.7)


def card_own_svg() -> str:
    """Laid over a card that its owner alone can read: a small back at the edge."""
    canvas = Drawing(*CARD)
    wide, _ = CARD
    canvas.rectangle((wide - 24, 5), 15, 20, rx=2.4, fill="#2f4a33", stroke="#f5eeda")
    canvas.polygon(star((wide - 16.5, 15), 4.6), fill="#f3d774")
    return canvas.svg("Only you see this card")


def card_back_svg() -> str:
    """The back of every card."""
    canvas = Drawing(*CARD)
    wide, high = CARD
    canvas.rectangle(
        (1, 1), wide - 2, high - 2, rx=9, fill="#4b5640", stroke="#1e2118", stroke_width=2
    )
    canvas.rectangle(
        (8, 8), wide - 16, high - 16, rx=5, fill="none", stroke="#c9bf94", stroke_width=1.4
    )
    lattice = "".join(
        f"M{x} 10L{x + 60} {high - 10}M{x + 60} 10L{x} {high - 10}" for x in range(-40, wide, 14)
    )
    inner = f'<rect x="10" y="10" width="{wide - 20}" height="{high - 20}"/>'
    clip = f'<clipPath id="in">{inner}</clipPath>'
    with canvas.group(clip_path=canvas.define("in", clip)):
        canvas.element("path", d=lattice, stroke="#5d6a4f", stroke_width=1.2)
    canvas.circle((wide / 2, high / 2), 38, fill="#3b4532", stroke="#c9bf94", stroke_width=1.6)
    canvas.polygon(star((wide / 2 - 12, high / 2 - 8), 17), fill="#a3372b", stroke="#f3d774")
    canvas.polygon(cross((wide / 2 + 13, high / 2 - 8), 13, 9), fill="#1b1b1b", stroke="#f5eeda")
    written(canvas, "CONFLICT", (wide / 2, high / 2 + 17), 5.2, "#f5eeda", weight=1.3)
    written(canvas, "OF HEROES", (wide / 2, high / 2 + 26), 5.2, "#f5eeda", weight=1.3)
    return canvas.svg()
