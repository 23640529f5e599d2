"""A sheet that shows counters, tokens and markers side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.traces_of_war.art import counters, tokens
from hexmarshal.kit.drawing.counter_sheet import counter_sheet as drawn
from hexmarshal.kit.drawing.counter_sheet import layered
from hexmarshal.kit.drawing.counters import SIZE
from hexmarshal.kit.drawing.markers import moved

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hexmarshal.games.traces_of_war.plugin import TracesOfWar

__all__ = ["counter_sheet"]


def counter_sheet(plugin: TracesOfWar) -> str:
    """The sheet as SVG, from the data of the game."""
    rows = plugin.data.read("counters.yaml", "counters")["counters"]
    shown = {title: list(svgs) for title, svgs in _rows(plugin, rows)}
    return drawn(
        {title: [layered(SIZE, *one) for one in svgs] for title, svgs in shown.items()},
        SIZE,
        columns=22,
    )


def _rows(
    plugin: TracesOfWar, rows: Mapping[str, Mapping[str, object]]
) -> Iterator[tuple[str, Iterator[tuple[str, ...]]]]:
    staff = [row for row in rows.values() if row["type"] == "hq"]
    yield "Headquarters, and the fronts as Ukrainian Fronts", _staff(staff)
    axis = [row for row in rows.values() if row["nation"] not in ("soviet", "guards")]
    soviet = [row for row in rows.values() if row["nation"] in ("soviet", "guards")]
    for title, side in (("Axis", axis), ("Soviet", soviet)):
        own = [row for row in side if row["type"] != "hq"]
        yield f"{title} units", _fronts(own)
        yield f"{title} units, reduced", _backs(own)
    given = {token.key: token for token in plugin.tables.tokens.values()}
    yield "Command tokens", ((tokens.token(one),) for one in given.values())
    yield "Markers and signs", _markers(rows)


def _staff(rows: list[Mapping[str, object]]) -> Iterator[tuple[str, ...]]:
    yield from ((counters.face(row),) for row in rows)
    yield from ((counters.ukrainian(row),) for row in rows if "ukrainian" in row)


def _fronts(rows: list[Mapping[str, object]]) -> Iterator[tuple[str, ...]]:
    yield from ((counters.faces(row)[0],) for row in rows)


def _backs(rows: list[Mapping[str, object]]) -> Iterator[tuple[str, ...]]:
    yield from ((counters.faces(row)[1],) for row in rows if len(counters.faces(row)) > 1)


def _markers(rows: Mapping[str, Mapping[str, object]]) -> Iterator[tuple[str, ...]]:
    unit = next(row for row in rows.values() if row["type"] == "infantry")
    yield (tokens.TOKEN_BACK,)
    yield (tokens.AIR_BACK,)
    yield from ((tokens.air_marker(kind),) for kind in ("offensive", "defensive"))
    yield from ((one,) for one in (tokens.ORDER, tokens.CROSSING, tokens.bridgehead()))
    yield from ((one,) for one in tokens.CONTROL.values())
    yield from ((counters.face(unit), sign) for sign in (tokens.OUT_OF_SUPPLY, tokens.ISOLATED))
    yield (counters.face(unit), moved())
    yield (tokens.turn_marker(),)
