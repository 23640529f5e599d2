"""The faces of the counters: infantry and small vehicles square, vehicles of two cells long."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.heroes_of_stalingrad.art import colours
from hexmarshal.games.heroes_of_stalingrad.art.abilities import combat, signs
from hexmarshal.games.heroes_of_stalingrad.state.kinds import HEAVY, INFANTRY
from hexmarshal.kit.drawing.canvas import Drawing, fitted, lines_of, written
from hexmarshal.kit.drawing.colours import INK, PAPER, tone
from hexmarshal.kit.drawing.counters import SIZE
from hexmarshal.kit.drawing.signs import plate, shield, star
from hexmarshal.kit.drawing.silhouettes import draw_silhouette

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.games.heroes_of_stalingrad.state.counters import Counter, Face
    from hexmarshal.kit.drawing.canvas import Canvas

__all__ = ["BACK", "CELL", "faces", "hidden"]

CELL: Final = 78
"""How far the middle of the next cell is, in the units that faces are drawn in."""
_LONG: Final = SIZE + CELL
_LEAST: Final = 4.8
_TINY: Final = 4.2
"""The letters of signs, and of those of which there are many."""
_WIDE: Final = SIZE - 8
_MIDDLE: Final = SIZE / 2
_SILHOUETTES: Final = {
    "maxim": "mg",
    "mg34": "mg",
    "mg42": "mg",
    "mortar_82": "mortar",
    "granatwerfer": "mortar",
    "rifle_grenade": "at_team",
    "ptrd": "at_team",
    "zis_3": "gun",
    "pak_38": "gun",
    "flame_team": "engineers",
    "pioneers": "engineers",
    "storm_group": "engineers",
    "gaz_aa": "truck",
    "quad_maxim": "truck",
    "ba_64": "car",
    "kubelwagen": "car",
    "sdkfz_251_1": "apc",
    "stug_iii": "spg",
}
_PLAIN: Final = {INFANTRY: "squad", "light": "car", HEAVY: "tank"}


def faces(counter: Counter) -> tuple[str, ...]:
    """A counter's faces as the data have them, the first one intact or active."""
    return tuple(_svg(counter, number) for number in range(len(counter.faces)))


def _svg(counter: Counter, number: int) -> str:
    face = counter.faces[number]
    title = f"{counter.title}, {face.name}"
    if counter.cells < 2:
        canvas = Drawing(SIZE)
        _card(canvas, counter, face, SIZE)
        _front(canvas, counter, face)
        return canvas.svg(title)
    # The front lies in the middle of the picture, around which it turns.
    canvas = Drawing(SIZE, 2 * (CELL + _MIDDLE))
    with canvas.group(transform=f"translate(0 {CELL})"):
        _card(canvas, counter, face, _LONG)
        _long(canvas, counter, face)
    return canvas.svg(title)


def _card(canvas: Canvas, counter: Counter, face: Face, high: float) -> None:
    ground = colours.WRECK if face.wreck else colours.SIDES[counter.side]
    shades = tone(ground)
    border = colours.BORDERS.get(counter.border, shades.shaded)
    canvas.rectangle(
        (0.8, 0.8), SIZE - 1.6, high - 1.6, rx=6, fill=ground, stroke="#2e2a22", stroke_width=1.6
    )
    canvas.rectangle(
        (2.6, 2.6), SIZE - 5.2, high - 5.2, rx=4.6, fill="none", stroke=border, stroke_width=2.2
    )
    if face.name in ("reduced", "inactive"):
        canvas.rectangle((3.8, 13.2), SIZE - 7.6, 20, fill=PAPER, fill_opacity=0.55)


def _front(canvas: Canvas, counter: Counter, face: Face) -> None:
    """What a square counter shows: name, picture, defence, movement, combat values, abilities."""
    _title(canvas, counter.title, 8, SIZE - 9)
    kind = _SILHOUETTES.get(counter.key, _PLAIN[counter.family])
    draw_silhouette(canvas, kind, 15.8, 13.2, 0.6)
    if face.wreck:
        _cross(canvas)
        return
    if counter.character:
        canvas.polygon(star((47, 15.8), 4.8), fill=colours.BORDERS["yellow"], stroke=INK)
    shield(canvas, str(face.defence["front"]), (11, 21), fill=INK, colour="#fff", border=PAPER)
    _movement(canvas, face, (45.8, 26))
    lines = _sign_lines(tuple(signs(face.abilities)))
    # Two lines of signs have room below a plate that stands a little higher.
    lift = 0 if len(lines) < 2 else 2.8
    _combat(canvas, combat(face.weapons[0].combat), 38.6 - lift)
    _signs(canvas, lines)
    _states(canvas, face, lift)


def _long(canvas: Canvas, counter: Counter, face: Face) -> None:
    """What a vehicle of two cells shows; up is where it looks."""
    _title(canvas, counter.title, 8.4, SIZE - 10)
    kind = _SILHOUETTES.get(counter.key, _PLAIN[counter.family])
    draw_silhouette(canvas, kind, 13.6, 30, 0.72)
    if face.wreck:
        _cross(canvas)
        return
    shield(
        canvas, str(face.defence["front"]), (_MIDDLE, 20.6), fill=INK, colour="#fff", border=PAPER
    )
    if counter.family == HEAVY:
        for x in (9.6, SIZE - 9.6):
            shield(
                canvas, str(face.defence["side"]), (x, 58), fill=INK, colour="#fff", border=PAPER
            )
        shield(
            canvas,
            str(face.defence["rear"]),
            (_MIDDLE, _LONG - 11),
            fill=INK,
            colour="#fff",
            border=PAPER,
        )
    _movement(canvas, face, (_MIDDLE, 57))
    y = 72.0
    for weapon in face.weapons:
        _combat(canvas, combat(weapon.combat), y, main=weapon.main and len(face.weapons) > 1)
        own = {k: v for k, v in weapon.abilities.items() if weapon.name and k not in face.abilities}
        arc = f" {weapon.arc}'" if weapon.arc < 360 else ""
        y = _abilities(canvas, " ".join(signs(own)) + arc, y + 9, SIZE - 8) + 4.6
    _abilities(canvas, " ".join(signs(face.abilities)), y - 3, SIZE - 8)


def _title(canvas: Canvas, title: str, y: float, wide: float) -> None:
    written(canvas, title, (_MIDDLE, y), fitted(title, 6.2, wide), INK, weight=1.35)


def _movement(canvas: Canvas, face: Face, at: tuple[float, float]) -> None:
    text = "X" if face.move is None else str(face.move)
    canvas.circle(at, 6.4, fill="#fdfcf6", stroke=INK, stroke_width=1)
    written(canvas, text, at, 8, INK, weight=1.7)


def _combat(canvas: Canvas, text: str, y: float, *, main: bool = False) -> None:
    fill = "#7c2a23" if main else "#33302a"
    plate(
        canvas, text, (_MIDDLE, y), fill=fill, colour="#fff", border=PAPER, wide=38, high=11.2,
        size=9,
    )  # fmt: skip


def _sign_lines(found: Sequence[str]) -> tuple[str, ...]:
    """The signs in one line; many take two, parted where those can be largest."""
    whole = " ".join(found)
    if len(found) < 2 or fitted(whole, 6.6, _WIDE) >= _TINY:
        return (whole,)
    parted = [(" ".join(found[:n]), " ".join(found[n:])) for n in range(1, len(found))]
    return max(parted, key=lambda lines: min(fitted(line, 6.6, _WIDE) for line in lines))


def _signs(canvas: Canvas, lines: Sequence[str]) -> None:
    size = min(fitted(line, 6.6 if len(lines) < 2 else 4.6, _WIDE) for line in lines)
    for line, y in zip(lines, (49.0,) if len(lines) < 2 else (44.9, 50.2), strict=True):
        written(canvas, line, (_MIDDLE, y), size, INK, weight=1.4 if len(lines) < 2 else 1.2)


def _abilities(canvas: Canvas, text: str, y: float, wide: float, size: float = _LEAST) -> float:
    """The signs in lines below each other; returns where the next line would be."""
    for line in lines_of(text, size, wide):
        written(canvas, line, (_MIDDLE, y), size, INK, weight=1.3)
        y += 1.26 * size
    return y


def _states(canvas: Canvas, face: Face, lift: float) -> None:
    if face.arc < 360:
        written(canvas, f"{face.arc}'", (8 if lift else 11, 31 - lift / 2), _LEAST, INK, weight=1.2)
    if face.loss == "destroyed":
        canvas.circle((50.2, 38.6 - lift), 2, fill="#b3261e", stroke=PAPER, stroke_width=0.7)


def _cross(canvas: Canvas) -> None:
    for one, other in (((14, 12), (42, 44)), ((42, 12), (14, 44))):
        canvas.polyline((one, other), stroke="#c9452b", stroke_width=4, stroke_linecap="round")
    written(canvas, "WRECK", (_MIDDLE, 49), 5.4, PAPER, weight=1.4)


def hidden(side: str) -> str:
    """What the other side sees of a unit in ambush."""
    canvas = Drawing(SIZE)
    shades = tone(colours.SIDES[side])
    canvas.rectangle(
        (0.8, 0.8), SIZE - 1.6, SIZE - 1.6, rx=6, fill=shades.shaded, stroke="#2e2a22",
        stroke_width=1.6,
    )  # fmt: skip
    written(canvas, "?", (_MIDDLE, 24), 24, PAPER, weight=2.6)
    written(canvas, "AMBUSH", (_MIDDLE, 46), 6, PAPER, weight=1.4)
    return canvas.svg("A unit in ambush")


BACK: Final = {side: hidden(side) for side in colours.SIDES}
"""The back of units in ambush, by side."""
