"""Draws what a unit sees, and an explosion, on a board of Heroes of Stalingrad."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

from hexmarshal.games.heroes_of_stalingrad import HeroesOfStalingrad
from hexmarshal.games.heroes_of_stalingrad.art.boards import board
from hexmarshal.games.heroes_of_stalingrad.art.tokens import blast
from hexmarshal.games.heroes_of_stalingrad.state.tiles import laid
from hexmarshal.geometry.svg.view import View
from hexmarshal.kit.drawing.canvas import Drawing, pixels
from hexmarshal.kit.drawing.counter_sheet import layered
from hexmarshal.rules import engine
from hexmarshal.rules.values import FrozenMap, thaw

HERE = Path(__file__).parent
UNIT, CELL = "r4", 60


def draw() -> None:
    """The board before the tractor works as one unit sees it; and an explosion at a corner."""
    plugin = HeroesOfStalingrad()
    start = engine.start(plugin, "tractor_works")
    terrain, own = plugin.terrain_map(start), start.units[UNIT].cell
    seen = plugin.query(start, "field_of_view", FrozenMap({"unit": UNIT}))
    told = thaw(seen.values)
    cells = {*told["clear"], *told["reduced"]}
    picture = board(plugin.boards[start.board], plugin.tables, laid(start.markers))
    view, canvas = View(terrain), Drawing(16 * CELL, 12 * CELL)
    for cell, name in terrain.names.items():
        if name not in cells and name != own:
            canvas.polygon(view.corners(cell), fill="#1c1a24", fill_opacity=0.55)
        elif name == own:
            canvas.polygon(view.corners(cell), fill="none", stroke="#e8b820", stroke_width=4)
    over = canvas.svg()
    template = Drawing(16 * CELL, 12 * CELL)
    with template.group(transform=f"translate({12 * CELL - 94} {9 * CELL - 94})"):
        layered(188, blast(1.5, CELL))(template)
    both = Drawing(16 * CELL, 12 * CELL)
    for one in (picture, over, template.svg()):
        href = f"data:image/svg+xml;base64,{b64encode(one.encode()).decode()}"
        both.element("image", x=0, y=0, width=16 * CELL, height=12 * CELL, href=href)
    (HERE / "heroes-of-stalingrad-sight.png").write_bytes(pixels(both.svg()))


if __name__ == "__main__":
    draw()
