"""A picture of a scenario: the map with its units, areas, objectives and markers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.rules.showing.map_picture import Marked, map_picture
from hexmarshal.table.scenarios.to_position import position_of

if TYPE_CHECKING:
    from collections.abc import Iterator

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
        dict(_waiting(scenario)),
    )


def _waiting(scenario: Scenario) -> Iterator[tuple[str, str]]:
    """Units that begin on no cell, and what the scenario says of where and when they come."""
    for key, stack in scenario.setup.areas.items():
        area = scenario.areas.get(key)
        title = (area.title if area is not None else "") or key
        yield from ((unit, f"to be set up in {title}") for unit in stack)
    for group in scenario.reinforcements:
        entry = group.entry
        where = " ".join(map(str, entry)) if isinstance(entry, list) else str(entry or "")
        told = f"turn {group.turn}" + (f", {where}" if where else "")
        yield from ((unit, told) for unit in group.units)
