"""A sheet that shows counters, order tokens and markers side by side."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, Final

from hexmarshal.games.heroes_of_stalingrad.art import army, counters, tokens
from hexmarshal.games.heroes_of_stalingrad.rules.sequence.orders import TOKENS
from hexmarshal.games.heroes_of_stalingrad.state.kinds import SIDES
from hexmarshal.kit.drawing.counter_sheet import counter_sheet as drawn
from hexmarshal.kit.drawing.counter_sheet import layered
from hexmarshal.kit.drawing.counters import SIZE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.heroes_of_stalingrad.plugin import HeroesOfStalingrad
    from hexmarshal.kit.drawing.canvas import Canvas
    from hexmarshal.kit.drawing.counter_sheet import Draw

__all__ = ["counter_sheet"]

_COLUMNS: Final = 14


def counter_sheet(plugin: HeroesOfStalingrad) -> str:
    """The sheet as SVG, from the data of the game."""
    shown = {title: list(draws) for title, draws in _rows(plugin)}
    return drawn(shown, SIZE, columns=_COLUMNS)


def _rows(plugin: HeroesOfStalingrad) -> Iterator[tuple[str, Iterator[Draw]]]:
    every, gap = plugin.tables.counters.values(), ""
    for side in SIDES:
        for title, long in (
            ("infantry and small vehicles", False),
            ("vehicles of two cells", True),
        ):
            own = [c for c in every if c.side == side and (c.cells > 1) == long]
            for number, which in enumerate(("", ", other side")):
                row = [counters.faces(c)[number] for c in own if len(c.faces) > number]
                yield f"{side.capitalize()} {title}{which}", map(_long if long else _draw, row)
                if long:
                    # They reach down into the next row, which holds nothing else.
                    gap += " "
                    yield gap, iter((layered(SIZE),))
        backs = (counters.BACK[side], tokens.order_back(side))
        faces = (tokens.order(side, token) for token in TOKENS)
        yield f"{side.capitalize()} order tokens", map(_draw, (*backs, *faces))
    unit = counters.faces(plugin.tables.counters["fire_group"])[0]
    signs = (tokens.ACTIVATED, tokens.REPAIRED, tokens.SCOUTED, tokens.ABOARD)
    over = (*signs, *tokens.SUPPRESSED[1:4], *tokens.DAMAGED.values())
    yield "Signs on units", (layered(SIZE, unit, sign) for sign in over)
    lying = (*map(tokens.destruction, range(1, 7)), tokens.INITIATIVE, tokens.TURN)
    yield "Markers", map(_draw, (*lying, *tokens.CONTROL.values(), army.windows(1)))
    for side in SIDES:
        tables = plugin.tables
        rows = (*tables.recruitment_tiles.values(), *tables.recruitment_options.values())
        mine = [army.recruited(side, row) for row in rows if row.get("side", side) == side]
        yield f"{side.capitalize()} army", map(_draw, (*mine, army.taken(side)))


def _draw(svg: str) -> Draw:
    return layered(SIZE, svg)


def _long(svg: str) -> Draw:
    href = f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"
    high = 2 * counters.CELL + SIZE

    def draw(canvas: Canvas) -> None:
        canvas.element("image", x=0, y=-counters.CELL, width=SIZE, height=high, href=href)

    return draw
