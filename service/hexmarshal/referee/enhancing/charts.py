"""Charts drawn from the rules' data, as pages in a window of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.kit.pages.charts import chart_page, declared_charts
from hexmarshal.referee.enhancing.additions import FOLDER, Addition, Outcome, Part
from hexmarshal.vassal.builder.windows import chart_window, html_chart
from hexmarshal.vassal.components import Chart as PictureChart
from hexmarshal.vassal.components import ChartWindow, HtmlChart, TabWidget

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.referee.enhancing.additions import Bench, Shelf

__all__ = ["add_charts", "chart_tabs"]

_WINDOW: Final = "Rules charts"


def add_charts(bench: Bench) -> Iterator[Addition]:
    """Put in the charts whose titles the module has none of."""
    charts = bench.plugin.charts() or declared_charts(bench.plugin.game)
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
        outcome = bench.put(entry, chart_page(chart))
        if chart.title.casefold() not in known:
            html_chart(chart_tabs(bench), chart.title, entry)
            outcome = Outcome.ADDED
        yield Addition(Part.CHARTS, outcome, what)


def chart_tabs(bench: Shelf) -> TabWidget:
    """The tabs of the window for charts, which is put in if it is not there."""
    windows = bench.module.root.each(ChartWindow, deep=False)
    window = next((one for one in windows if one.name == _WINDOW), None)
    if window is None:
        window = chart_window(bench.module.root, _WINDOW)
    tabs = window.child(TabWidget)
    return tabs or window.add(TabWidget, {"entryName": "", "description": ""})
