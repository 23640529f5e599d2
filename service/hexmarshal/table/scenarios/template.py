"""An example workbook for a game: a scenario of it, with lists of types, sides and hexes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hexmarshal.rules.values import thaw
from hexmarshal.scenario.sheets import Part
from hexmarshal.scenario.sheets.columns import VALUE
from hexmarshal.scenario.sheets.listing import (
    facts_of,
    marker_table,
    objective_table,
    rule_table,
    unit_table,
)
from hexmarshal.table.scenarios.forms import sheet_kinds
from hexmarshal.table.scenarios.spelling import Spelling
from hexmarshal.workbook import NewSheet, make_workbook

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.values import Record
    from hexmarshal.scenario.model import Scenario
    from hexmarshal.workbook.model import NewValue

__all__ = ["template_workbook"]

# Columns that a designer may want, used or not by the example, in this order.
_OFFERED: Final = ("Unit", "Side", "Type", "Count", "Steps", "Cell", "Facing", "Turn", "Entry")
_MORE: Final = ("Area", "Box", "Order", "Flags")
_REMARKS: Final = "Remarks"


def template_workbook(
    plugin: GamePlugin, scenario: Scenario, name: str, *, empty: bool = False
) -> bytes:
    """A workbook with the scenario as an example, or with its titles and lists alone."""
    shown = replace(scenario, title=scenario.title or plugin.game.title)
    titles, rows = _units(plugin, shown)
    if empty:
        rows = []
    lists = _lists(plugin, scenario)
    choices = {i: lists[title] for i, title in enumerate(titles, 1) if lists.get(title)}
    about: list[list[NewValue]] = [
        ["Scenario", None],
        *([t, _plain(v)] for t, v in facts_of(shown)),
    ]
    areas = [
        [area.key, area.title or None, "; ".join(area.cells)] for area in scenario.areas.values()
    ]
    kinds = plugin.game.unit_types
    sheets = [
        NewSheet("Units", [[*titles], *rows], choices=choices),
        NewSheet("Areas", [["Area", "Title", "Cells"], *areas]),
        NewSheet(
            "Markers",
            marker_table(replace(shown, markers={}) if empty else shown),
            choices={2: [kind.key for kind in plugin.game.markers], 4: lists["Cell"]},
        ),
        NewSheet(
            "Objectives",
            objective_table(replace(shown, objectives=()) if empty else shown),
            choices={2: lists["Cell"]},
        ),
        NewSheet("Special rules", rule_table(shown)),
        NewSheet("Scenario", about),
        NewSheet(
            "# Types",
            [
                ["# Type", "# Title", "# Side", "# Values"],
                *([k.key, k.title, k.side or None, _words(k.values)] for k in kinds),
            ],
        ),
    ]
    return make_workbook(sheets, name)


def _plain(value: object) -> NewValue:
    return value if isinstance(value, int | str) else str(value)


def _words(values: Record) -> str:
    """Values as the cells of a sheet have them."""
    told = {name: thaw(value) for name, value in values.items()}
    return ", ".join(
        f"{name} {'|'.join(map(str, value)) if isinstance(value, list) else value}"
        for name, value in told.items()
        if value is not False
    )


def _units(plugin: GamePlugin, scenario: Scenario) -> tuple[list[str], list[list[NewValue]]]:
    (used, *rows) = unit_table(scenario, Part.BOTH, sheet_kinds(plugin), typed=True)
    own = [str(title) for title in used]
    fixed = (*_OFFERED, *_MORE)
    values = [title for title in own if title not in fixed]
    facing = any(unit.facing is not None for unit in scenario.units.values())
    wanted = [t for t in _OFFERED if t != "Facing" or facing] + list(_MORE)
    titles = [*wanted, *values, _REMARKS]
    at = {title: own.index(title) for title in titles if title in own}
    return titles, [[row[at[t]] if t in at else None for t in titles] for row in rows]


def _lists(plugin: GamePlugin, scenario: Scenario) -> dict[str, Sequence[str]]:
    """What each column offers to choose from."""
    game = plugin.game
    position = Spelling(plugin, scenario).position
    cells = sorted(plugin.cells(position) or ())
    entry = next((p for p in game.attributes if p.name == game.terms.arrival_entry), None)
    lists: dict[str, Sequence[str]] = {
        "Side": list(scenario.sides or (side.key for side in game.sides)),
        "Type": [kind.key for kind in game.unit_types],
        "Cell": cells,
        "Box": [box.key for box in game.boxes],
        "Area": list(scenario.areas),
        "Entry": list(entry.choices) if entry is not None and entry.choices else [],
    }
    if entry is not None and not entry.choices:
        lists["Entry"] = cells
    for param in game.attributes:
        if param.choices:
            lists[param.name] = lists[VALUE + param.name] = list(param.choices)
    return lists
