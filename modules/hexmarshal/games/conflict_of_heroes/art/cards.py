"""Playing cards: kind, title, cost, and what the card does in one sentence."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hexmarshal.games.conflict_of_heroes.art.colours import BLUE, GREEN, INK, PAPER, RED
from hexmarshal.kit.drawing.canvas import written
from hexmarshal.kit.drawing.cards import CARD, CardFace, card_back, cost_disc, emblem
from hexmarshal.kit.drawing.signs import burst, cross, plate, puff, star
from hexmarshal.rules.rulebook import load_yaml

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.games.conflict_of_heroes.state.tables import Card, Tables
    from hexmarshal.geometry.svg.canvas import Canvas

__all__ = ["CARD", "card_back_svg", "card_svg", "card_text"]

_BANDS: Final = {
    "action": "#3d5a3a",
    "bonus": "#8a5a10",
    "weapon": "#6d2b22",
    "event": "#34466b",
}
_POINTS: Final = {"action": 4, "bonus": 5, "event": 8}
_PAID: Final = {"cap": (BLUE, BLUE), "ap": (GREEN, GREEN), "either": (GREEN, BLUE)}


@cache
def _texts() -> Mapping[str, str]:
    return load_yaml(Path(__file__).with_name("cards.yaml"))


def card_text(tables: Tables, entry: Card) -> str:
    """What a card does, in our words."""
    lost = "; ".join(f"{die}: {points}" for die, points in tables.sniper.items())
    values = {name: getattr(entry, name) for name in ("power", "change", "pattern")}
    return _texts().get(entry.key, f"{entry.title}.").format(**values, sniper=lost)


def card_svg(entry: Card, text: str) -> str:
    """The face of a card; `text` says what it does."""
    band = _BANDS[entry.kind]
    picture = emblem(band, _POINTS.get(entry.kind, 5), rim=PAPER)
    face = CardFace(
        entry.kind,
        entry.title,
        text,
        band,
        entry.key if entry.key.isdigit() else "",
        partial(_weapon, entry=entry) if entry.kind == "weapon" else picture,
        partial(_corner, entry=entry),
    )
    return face.svg()


def _weapon(canvas: Canvas, entry: Card) -> None:
    """The middle of the card: side, firepower and range of a weapon."""
    x, y = CARD[0] / 2, 72.0
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
        "off-board" if entry.artillery else f"range 0-{entry.reach}" if entry.reach else "range 0"
    )
    written(canvas, reach, (x, y + 16), 5, INK, weight=1.2)
    if entry.he or entry.artillery:
        burst(canvas, (x + 42, y - 8), 9)
    if entry.smoke:
        puff(canvas, (x + 42, y + 14), 7)


def _corner(canvas: Canvas, entry: Card) -> None:
    """What it costs, and whether a group may play it."""
    if entry.kind != "event":
        paid = _PAID[entry.pay] if entry.cost else ()
        cost_disc(str(entry.cost), *paid)(canvas)
    if entry.group:
        high = CARD[1]
        for i in range(3):
            canvas.circle((60 + 8 * i, high - 13), 3.2, fill=INK)
            canvas.element("path", d=f"M{55.6 + 8 * i} {high - 4}a4.4 5 0 0 1 8.8 0z", fill=INK)


def card_back_svg() -> str:
    """The back of every card."""

    def signs(canvas: Canvas) -> None:
        x, y = CARD[0] / 2, CARD[1] / 2
        canvas.polygon(star((x - 12, y - 8), 17), fill="#a3372b", stroke="#f3d774")
        canvas.polygon(cross((x + 13, y - 8), 13, 9), fill="#1b1b1b", stroke="#f5eeda")

    return card_back("CONFLICT", "OF HEROES", picture=signs)
