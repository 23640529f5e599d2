"""The window of charts: each a picture of the tables that the rules themselves use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.kit.drawing.charts import chart_svg

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.kit.drawing.charts import ChartLook
    from hexmarshal.kit.module.pictures import Pictures
    from hexmarshal.rules.charts import Chart
    from hexmarshal.vassal.builder import ModuleBuilder

__all__ = ["add_charts"]


def add_charts(
    module: ModuleBuilder, pictures: Pictures, charts: Iterable[Chart], look: ChartLook
) -> None:
    """Make the window, if there are any charts."""
    listed = tuple(charts)
    if not listed:
        return
    tabs = module.charts("Charts", icon=pictures.icon("charts")).tabs("Charts")
    for chart in listed:
        tabs.picture(chart.title, pictures.add(f"chart-{chart.key}", chart_svg(chart, look)))
