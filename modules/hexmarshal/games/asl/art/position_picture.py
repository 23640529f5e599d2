"""A position on its board with counters of our own, an attack, the ways of a rout."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.art.landscape import text
from hexmarshal.games.asl.art.sight_picture import document
from hexmarshal.games.asl.state.units import marks
from hexmarshal.kit.drawing.counters import SIZE, Face, Value
from hexmarshal.vassal.vasl.outlines.polygons import regions_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hexmarshal.games.asl.art.landscape import Box
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["counter_face", "draw_attack", "draw_position", "draw_rout"]

_COLOURS: Final = {
    "german": "#8fa3b8", "ss": "#4c5058", "russian": "#b88a4a", "american": "#9aa64e",
    "british": "#c9a36b", "french": "#6f8fd0", "italian": "#a8a8a0", "finnish": "#c8d0d8",
}  # fmt: skip
_OTHER: Final = "#b9b29a"
_SIGNS: Final = (
    (marks.BROKEN, "B", "#d01414"), (marks.DM, "DM", "#7a0000"), (marks.PINNED, "PIN", "#b35c00"),
    (marks.CX, "CX", "#333"), (marks.PREP_FIRE, "PF", "#1a3fb0"),
    (marks.FIRST_FIRE, "1F", "#1a3fb0"), (marks.FINAL_FIRE, "FF", "#1a3fb0"),
    (marks.WOUNDED, "W", "#d01414"),
)  # fmt: skip
_SCALE: Final = 0.62
_LINE, _WAY, _DANGER = "#d01414", "#1a3fb0", "#e07b00"


def counter_face(now: Situation, unit: Unit) -> Face:
    """The counter of a unit: what it prints, its weapons, and what it is marked with."""
    counter = now.counter(unit)
    ground = _COLOURS.get(now.nation(unit), _OTHER)
    values = []
    signs = [(word, colour) for flag, word, colour in _SIGNS if unit.has(flag)]
    for (word, colour), spot in zip(signs, ("nw", "ne", "w"), strict=False):
        values.append(Value(word, spot, colour, "plate"))  # type: ignore[arg-type]
    held = " ".join(now.counter(weapon).text for weapon in now.weapons(unit))
    broken = unit.has(marks.BROKEN)
    strength = str(counter.broken) if broken else counter.text
    return Face(
        ground,
        symbol="hq" if counter.is_smc else "infantry",
        echelon="" if counter.is_smc else "section" if counter.kind == "squad" else "",
        title=held,
        strength=strength,
        reduced=broken,
        values=tuple(values),
    )


def _inner(face: Face, x: float, y: float) -> str:
    body = re.sub(r"^<\?xml[^>]*\?>\s*", "", face.svg())
    return f'<g transform="translate({x:g} {y:g}) scale({_SCALE})">{body}</g>'


def _at(now: Situation, cell: str) -> tuple[float, float]:
    grid = now.ground.board.grid
    index = now.ground.index(cell)
    return float(grid.x[index] / grid.scale), float(grid.y[index] / grid.scale)


def _counters(now: Situation, cells: Iterable[str]) -> Iterator[str]:
    side = SIZE * _SCALE
    for cell in cells:
        x, y = _at(now, cell)
        units = now.position.at(cell)
        people = [unit for unit in units if now.is_personnel(unit)]
        lying = [u for u in units if now.is_weapon(u) and u.cell]
        for number, unit in enumerate(people):
            shift = 5.5 * (number - (len(people) - 1) / 2)
            left, top = x - side / 2 + shift, y - side / 2 + 3 - shift
            yield _inner(counter_face(now, unit), left, top)
        for number, weapon in enumerate(lying):
            words = now.counter(weapon).text
            yield text(x, y + 26 - 9 * number, words, "#222", 9)
        for marker in now.position.markers_at(cell):
            yield from _marker(marker.kind, marker.values.get("fp"), x, y)


def _marker(kind: str, fp: object, x: float, y: float) -> Iterator[str]:
    if kind == "smoke":
        yield f'<circle cx="{x:g}" cy="{y:g}" r="25" fill="#fff" fill-opacity="0.6"/>'
    elif kind == "residual":
        yield f'<circle cx="{x + 20:g}" cy="{y + 17:g}" r="9" fill="#ffd23f" stroke="#7a0000"/>'
        yield text(x + 20, y + 21, str(fp), "#7a0000", 11, rim=False)
    elif kind == "wreck":
        yield text(x, y + 4, "WRECK", "#333", 9)


def _picture(now: Situation, parts: Iterable[str], words: Sequence[str], box: Box | None) -> str:
    board = now.ground.board
    whole = (0.0, 0.0, float(board.grid.width), float(board.grid.height))
    frame = box or whole
    return document(board, parts, regions_of(board), words, frame, frame[3])


def _title(now: Situation) -> str:
    position = now.position
    words = [position.scenario, f"turn {position.turn}", position.phase.replace("_", " ")]
    return ", ".join(word for word in words if word)


def draw_position(now: Situation) -> str:
    """Everything on the board."""
    return _picture(now, _counters(now, now.position.occupied), [_title(now)], None)


def draw_attack(now: Situation, firers: Sequence[str], target: str, lines: Sequence[str]) -> str:
    """The lines of an attack over the position, and below it its arithmetic."""
    x2, y2 = _at(now, target)
    parts = list(_counters(now, now.position.occupied))
    places = dict.fromkeys(now.at(now.unit(name)).cell for name in firers)
    for cell in places:
        x1, y1 = _at(now, cell)
        parts.append(
            f'<path d="M{x1:g} {y1:g}L{x2:g} {y2:g}" stroke="{_LINE}" stroke-width="3"'
            ' stroke-opacity="0.85" stroke-linecap="round"/>'
        )
    parts.append(f'<circle cx="{x2:g}" cy="{y2:g}" r="27" fill="none" stroke="{_LINE}"'
                 ' stroke-width="3"/>')  # fmt: skip
    return _picture(now, parts, lines, None)


def draw_rout(
    now: Situation,
    unit: str,
    paths: Sequence[Sequence[str]],
    danger: Iterable[str],
    lines: Sequence[str],
) -> str:
    """The ways of a rout over the position; hexes under interdiction are ringed."""
    parts = list(_counters(now, now.position.occupied))
    start = now.at(now.unit(unit)).cell
    for path in paths:
        points = [_at(now, cell) for cell in (start, *path)]
        way = "L".join(f"{x:g} {y:g}" for x, y in points)
        x, y = points[-1]
        parts.append(
            f'<path d="M{way}" fill="none" stroke="{_WAY}" stroke-width="4" stroke-opacity="0.8"'
            ' stroke-linejoin="round" stroke-linecap="round"/>'
            f'<circle cx="{x:g}" cy="{y:g}" r="7" fill="{_WAY}"/>'
        )
    for cell in danger:
        x, y = _at(now, cell)
        parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="24" fill="none" stroke="{_DANGER}"'
                     ' stroke-width="4" stroke-dasharray="7 5"/>')  # fmt: skip
    return _picture(now, parts, lines, None)
