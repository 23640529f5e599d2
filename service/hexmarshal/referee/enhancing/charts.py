"""Charts drawn from the rules' data, as pages in a window of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.referee.enhancing.additions import FOLDER, Addition, Outcome, Part
from hexmarshal.referee.report.markup import Html, element, joined
from hexmarshal.rules.charts import Chart, ChartTable
from hexmarshal.rules.values import FrozenMap
from hexmarshal.vassal.builder.windows import chart_window, html_chart
from hexmarshal.vassal.components import Chart as PictureChart
from hexmarshal.vassal.components import ChartWindow, HtmlChart, TabWidget

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.referee.enhancing.additions import Bench
    from hexmarshal.rules.plugin import Game
    from hexmarshal.rules.values import Record

__all__ = ["add_charts", "page"]

_WINDOW: Final = "Rules charts"
_HEAD, _STRIPE, _PAPER = "#5a4a3a", "#efe7cf", "#fffaf0"


def add_charts(bench: Bench) -> Iterator[Addition]:
    """Put in the charts whose titles the module has none of."""
    charts = bench.plugin.charts() or tuple(_declared(bench.plugin.game))
    if not charts:
        yield Addition(Part.CHARTS, Outcome.LEFT_OUT, "charts", "the game has no tables")
    known = {
        one.name.casefold(): one.get("fileName")
        for cls in (PictureChart, HtmlChart)
        for one in bench.module.each(cls)
    }
    for chart in charts:
        entry = f"{FOLDER}chart-{chart.key}.html"
        what = f"chart {chart.title!r}"
        if known.get(chart.title.casefold(), entry) != entry:
            yield Addition(Part.CHARTS, Outcome.THERE, what)
            continue
        outcome = bench.put(entry, page(chart))
        if chart.title.casefold() not in known:
            html_chart(_tabs(bench), chart.title, entry)
            outcome = Outcome.ADDED
        yield Addition(Part.CHARTS, outcome, what)


def _tabs(bench: Bench) -> TabWidget:
    windows = bench.module.root.each(ChartWindow, deep=False)
    window = next((one for one in windows if one.name == _WINDOW), None)
    if window is None:
        window = chart_window(bench.module.root, _WINDOW, text=_WINDOW, tooltip=_WINDOW)
    tabs = window.child(TabWidget)
    return tabs or window.add(TabWidget, {"entryName": "", "description": ""})


def page(chart: Chart) -> bytes:
    """A chart as a page that VASSAL's own viewer shows: plain tables with colours."""
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


# What a game declares, where it gives no charts of its own.


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
