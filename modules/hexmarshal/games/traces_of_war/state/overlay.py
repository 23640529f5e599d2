"""What a position lays over the map: other terrain, rivers and roads, sources, hexes taken away.

A position's `cells` hold who controls a hex (`control`, `crossing`), and may hold facts of the
ground that differ from the map: a situation to try a rule on, a bridge that is down.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hexmarshal.games.traces_of_war.state.board import Board, City, Crossing, Side
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hexmarshal.rules.values import Record

__all__ = ["FACTS", "fact_problems", "overlaid", "shape_of"]

# What each fact of the ground says, and which values it may have.
FACTS: Mapping[str, str] = {
    "terrain": "the terrain of the hex, a list",
    "sides": "by neighbour, a list of what lies between: minor, major, road, rail, blocked",
    "source": "whose supply source it is: axis, soviet or none",
    "crossing_point": "true, or the hex from which alone it is commanded",
    "breakthrough": "whether it is a breakthrough hex",
    "west": "whether it lies west of the Dnipro",
    "off": "that it is no part of the map",
}
CONTROL = {"control": ("axis", "soviet"), "crossing": ("axis", "soviet")}
_BETWEEN = ("minor", "major", "road", "rail", "blocked")


def shape_of(cells: Mapping[str, Mapping[str, Any]]) -> tuple[tuple[str, Record], ...]:
    """The facts of the ground alone, without who controls what: they change seldom."""
    if not any(name in FACTS for facts in cells.values() for name in facts):
        return ()
    found = (
        (cell, FrozenMap({name: value for name, value in facts.items() if name in FACTS}))
        for cell, facts in cells.items()
    )
    return tuple((cell, facts) for cell, facts in found if facts)


def overlaid(board: Board, cells: Mapping[str, Record]) -> Board:
    """The board with these facts in place of its own."""
    off = {cell for cell, facts in cells.items() if facts.get("off")}
    terrain, cities = dict(board.terrain), dict(board.cities)
    sides, crossings = dict(board.sides), dict(board.crossings)
    sources = {side: set(found) for side, found in board.sources.items()}
    breakthrough, west = set(board.breakthrough), set(board.west)
    for cell, facts in cells.items():
        kinds = facts.get("terrain")
        if isinstance(kinds, tuple):
            terrain[cell] = tuple(str(kind) for kind in kinds)
            cities.pop(cell, None)
            if "city" in kinds or "major_city" in kinds:
                name = board.cities[cell].name if cell in board.cities else cell
                cities[cell] = City(name, "major_city" in kinds)
        between = facts.get("sides")
        if isinstance(between, FrozenMap):
            for other, words in between.items():
                made = Side.of(str(w) for w in words) if isinstance(words, tuple) else Side()
                sides[cell, other] = sides[other, cell] = made
        if "source" in facts:
            for side, found in sources.items():
                (found.add if facts["source"] == side else found.discard)(cell)
        point = facts.get("crossing_point")
        if point is not None:
            crossings.pop(cell, None)
            if point:
                crossings[cell] = Crossing(key=point if isinstance(point, str) else "")
        for name, chosen in (("breakthrough", breakthrough), ("west", west)):
            if name in facts:
                (chosen.add if facts[name] else chosen.discard)(cell)
    return replace(
        board,
        hexes={c: h for c, h in board.hexes.items() if c not in off},
        near={
            c: tuple(o for o in found if o not in off)
            for c, found in board.near.items()
            if c not in off
        },
        terrain=terrain,
        sides=sides,
        cities=cities,
        sources={side: frozenset(found - off) for side, found in sources.items()},
        crossings=crossings,
        breakthrough=frozenset(breakthrough),
        west=frozenset(west),
    )


def fact_problems(
    board: Board, known: Mapping[str, Any], cells: Mapping[str, Record]
) -> Iterator[tuple[str, str]]:
    """What is wrong with the facts of single hexes, each with its field."""
    for cell, facts in cells.items():
        for name, value in facts.items():
            at = f"cells.{cell}.{name}"
            if name in CONTROL:
                if value not in CONTROL[name]:
                    yield at, f"{value!r} is not one of {', '.join(CONTROL[name])}"
            elif name not in FACTS:
                yield at, f"no such fact of a hex; known: {', '.join((*CONTROL, *FACTS))}"
            elif name == "terrain":
                if not isinstance(value, tuple) or any(kind not in known for kind in value):
                    yield at, f"must be a list of: {', '.join(known)}"
            elif name == "sides":
                yield from _side_problems(board, cell, value, at)
            elif name == "source" and value not in ("axis", "soviet", "none"):
                yield at, f"{value!r} is not one of axis, soviet, none"
            elif name in ("breakthrough", "west", "off") and not isinstance(value, bool):
                yield at, "must be true or false"
            elif name == "crossing_point" and not (isinstance(value, bool) or value in board.hexes):
                yield at, "must be true, false or a hex"


def _side_problems(board: Board, cell: str, value: object, at: str) -> Iterator[tuple[str, str]]:
    if not isinstance(value, FrozenMap):
        yield at, "must name neighbours"
        return
    for other, words in value.items():
        if not board.adjacent(cell, other):
            yield f"{at}.{other}", f"{other} is not beside {cell}"
        elif not isinstance(words, tuple) or any(word not in _BETWEEN for word in words):
            yield f"{at}.{other}", f"must be a list of: {', '.join(_BETWEEN)}"
