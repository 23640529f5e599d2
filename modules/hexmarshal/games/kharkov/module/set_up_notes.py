"""The notes of a set-up: what scores, who comes when, and what the air forces have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hexmarshal.kit.pages.notes import table_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hexmarshal.rules.charts import Chart

__all__ = ["notes"]


def notes(scenario: Mapping[str, Any], victory: Chart) -> Iterator[str]:
    """In words, one line for each thing."""
    for table in victory.tables:
        yield from table_lines(table)
        yield ""
    yield from _arrivals(scenario.get("arrivals", ()))
    yield "Air points, turn by turn"
    for side, points in scenario["air"].items():
        yield f"{side.capitalize()}: {', '.join(map(str, points))}"


def _arrivals(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if not rows:
        return
    yield "Reinforcements"
    for row in rows:
        where = str(row["entry"]).replace("_", " ")
        yield f"Turn {row['turn']}, {where}: {', '.join(row['units'])}"
    yield ""
