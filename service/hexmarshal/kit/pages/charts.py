"""Charts as pages: plain tables with colours; and the charts that a game's declaration makes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.kit.pages.markup import Html, element, joined
from hexmarshal.rules.charts import Chart, ChartTable
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.rules.plugin import Game
    from hexmarshal.rules.values import Record

__all__ = ["chart_page", "declared_charts"]

_HEAD, _STRIPE, _PAPER = "#5a4a3a", "#efe7cf", "#fffaf0"


def chart_page(chart: Chart) -> bytes:
    """A chart, its tables below each other."""
    body = joined(
        (
            element("h2", chart.title),
            *(part for table in chart.tables for part in _table(table, chart.title)),
        )
    )
    return _document(chart.title, body)


def _document(title: str, body: Html) -> bytes:
    head = element("head", element("title", title))
    return f"<html>{head}{element('body', body, bgcolor=_PAPER)}</html>\n".encode()


def _table(table: ChartTable, under: str) -> Iterator[Html]:
    if table.title and table.title != under:
        yield element("h3", table.title)
    heads = (
        element("th", element("font", head or " ", color="#ffffff"), align="left")
        for head in table.heads
    )
    rows = (
        element(
            "tr",
            *(element("td", element("b", cell) if i == 0 else cell) for i, cell in enumerate(row)),
            bgcolor=_PAPER if number % 2 else _STRIPE,
        )
        for number, row in enumerate(table.rows)
    )
    yield element(
        "table",
        element("tr", *heads, bgcolor=_HEAD),
        *rows,
        border=0,
        cellpadding=4,
        cellspacing=1,
    )
    if table.note:
        yield element("p", element("i", table.note))


def declared_charts(game: Game) -> tuple[Chart, ...]:
    """What a game that has no charts of its own declares of terrain and unit types."""
    return tuple(_declared(game))


def _declared(game: Game) -> Iterator[Chart]:
    terrain = [(one.title or one.key, one.values) for one in game.terrain]
    units = [(one.title or one.key, one.values) for one in game.unit_types]
    for key, title, listed in (
        ("terrain", "Terrain effects", terrain),
        ("units", "Unit types", units),
    ):
        table = _values(title, listed)
        if table is not None:
            yield Chart(key, title, (table,))


def _values(title: str, listed: Sequence[tuple[str, Record]]) -> ChartTable | None:
    names = list(dict.fromkeys(name for _, values in listed for name in values))
    if not names:
        return None
    rows = tuple((own, *(_word(values.get(name)) for name in names)) for own, values in listed)
    return ChartTable(
        (title.split(maxsplit=1)[0], *(name.replace("_", " ") for name in names)), rows
    )


def _word(value: object) -> str:
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case tuple():
            return ", ".join(map(_word, value))
        case FrozenMap():
            return ", ".join(f"{name} {_word(own)}" for name, own in value.items())
    return str(value)
