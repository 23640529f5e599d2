"""A picture of a scenario: the map with its units, areas, objectives and markers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.rules.showing.map_picture import Marked, map_picture
from hexmarshal.table.scenarios.to_position import position_of

if TYPE_CHECKING:
    from hexmarshal.geometry.svg import Picture
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.scenario import Scenario
    from hexmarshal.table.scenarios.reading import Loaded

__all__ = ["scenario_picture"]


def scenario_picture(loaded: Loaded, *, names: bool = True, legend: bool = True) -> Picture:
    """The map as the scenario begins; a game that keeps no map of its own cannot be drawn."""
    plugin, scenario = loaded.plugin, loaded.scenario
    position = loaded.position or position_of(plugin, scenario)
    title = scenario.title or plugin.game.title
    marked = _marked(plugin, scenario)
    return map_picture(plugin, position, title, marked, names=names, legend=legend)


def _marked(plugin: GamePlugin, scenario: Scenario) -> Marked:
    titles = {kind.key: kind.title for kind in plugin.game.markers}
    goals = [one.cell for one in scenario.objectives if one.cell]
    for one in scenario.objectives:
        if one.area in scenario.areas:
            goals += scenario.areas[one.area].cells
    return Marked(
        [(area.title or key, tuple(area.cells)) for key, area in scenario.areas.items()],
        goals,
        [(m.cell, titles.get(m.kind, m.kind)) for m in scenario.markers.values()],
    )
