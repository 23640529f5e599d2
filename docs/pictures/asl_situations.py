"""Draws the pictures of docs/geometry/asl-sight.md, on boards of our own: run it as it is."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from hexmarshal.games.asl.art.sight_picture import draw_field, draw_line, draw_terrain
from hexmarshal.games.asl.maps.board_cache import Cache
from hexmarshal.games.asl.maps.boards import load
from hexmarshal.games.asl.sight import Spot
from hexmarshal.games.asl.sight.explain import explain
from hexmarshal.geometry.svg.png import png
from hexmarshal.vassal.vasl.painting import Painting

HERE = Path(__file__).resolve().parent


def hill() -> Painting:
    """A hill of three levels, and behind a valley one of two levels with another valley beyond."""
    canvas = Painting(17, 8, "bdHill")
    canvas.hill(1, "B2", "B3", "C2", "C3", "C4", "D2", "D3", radius=35)
    canvas.hill(2, "C2", "C3", radius=28).hill(3, "C3", radius=15)
    canvas.hill(1, "F3", "F4", "F5", "G4", "G5", radius=30).hill(2, "F4", "G4", "G5", radius=20)
    for name in ("B6", "C6", "K2", "L2", "L3"):
        canvas.spot("Woods", name, 27)
    return canvas.fill("Grain", "M6", "M7", "N5").spot("Wooden Building", "J7", 18)


def wall() -> Painting:
    """Walls between fields: along one of them one sees, along another one does not."""
    canvas = Painting(17, 6, "bdWall")
    for name, side in (("D3", 0), ("D3", 5), ("H3", 0), ("G4", 0), ("H3", 1), ("J4", 0), ("J4", 1)):
        canvas.side("Wall", name, side)
    for name in ("M2", "N2", "B5"):
        canvas.spot("Woods", name, 27)
    return canvas


def fields() -> Painting:
    """Grain and an orchard between two hamlets."""
    canvas = Painting(17, 6, "bdFields")
    canvas.fill("Grain", "D3", "E3", "E4", "F3", "G4", "F2", "G2").fill("Orchard", "H3", "I4", "I3")
    canvas.fill("Brush", "K4", "L5").fill("Wooden Building", "C2", "M4")
    return canvas.spot("Woods", "K2", 28).spot("Woods", "L2", 28)


Line = tuple[str, Callable[[], Painting], Spot, Spot]

LINES: tuple[Line, ...] = (
    ("asl-hill-blind", hill, Spot("C3"), Spot("H5")),
    ("asl-hill-seen", hill, Spot("C3"), Spot("I6")),
    ("asl-wall-along", wall, Spot("C3"), Spot("E3")),
    ("asl-wall-between", wall, Spot("E3"), Spot("K3")),
    ("asl-grain-orchard", fields, Spot("D2"), Spot("J4")),
    ("asl-grain-total", fields, Spot("C3"), Spot("J4")),
)


def main() -> None:
    """Write every picture as SVG and PNG beside this file."""
    with tempfile.TemporaryDirectory() as name:
        for picture, paint, a, b in LINES:
            ready = load(paint().write(Path(name)), cache=Cache(None))
            story = explain(ready.sight, a, b)
            save(picture, draw_line(ready.board, story, (a, b), ready.regions))
            print(picture, story.answer.blocked, story.answer.hindrance, story.answer.rule)
        ready = load(fields().write(Path(name)), cache=Cache(None))
        spot, title = Spot("D2"), "What a squad in D2 sees of the ground"
        view = draw_field(ready.board, spot, ready.sight.field(spot), title, ready.regions)
        save("asl-field", view)
        ready = load(hill().write(Path(name)), cache=Cache(None))
        save("asl-polygons", draw_terrain(ready.board, ready.regions, "Terrain as polygons"))


def save(name: str, svg: str) -> None:
    """Keep a picture in both forms."""
    (HERE / f"{name}.svg").write_text(svg, "utf-8")
    (HERE / f"{name}.png").write_bytes(png(svg, zoom=1.5))


if __name__ == "__main__":
    main()
