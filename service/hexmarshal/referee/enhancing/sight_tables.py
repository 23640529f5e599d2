"""Tables of what is hidden from where, for VASSAL's players: its threads know no terrain."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import GeometryError
from hexmarshal.geometry.sight.fields import visible_from

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.geometry.terrain.terrain_map import TerrainMap

__all__ = ["hidden_from", "sight_table"]

_MOST_ENTRIES: Final = 200_000
"""VASSAL shows a page with more than this slowly, or not at all."""


def hidden_from(terrain: TerrainMap, far: int) -> Iterator[tuple[str, list[str]]]:
    """Each cell by name, with those within a range that cannot be seen from it."""
    for cell, name in sorted(terrain.names.items(), key=lambda item: item[1]):
        cells, visible, _ = visible_from(terrain, cell)
        yield (
            name,
            sorted(
                terrain.names[other]
                for other, clear in zip(cells, visible, strict=True)
                if not clear and (terrain.tiling.distance(cell, other) or 0) <= far
            ),
        )


def sight_table(terrain: TerrainMap, far: int) -> str:
    """The body of a page: what is hidden within so many cells; what is not listed is seen."""
    if not terrain.tiling.repeats:
        raise GeometryError("only maps of hexes or squares have tables of sight")
    rows, entries = [], 0
    for name, hidden in hidden_from(terrain, far):
        entries += len(hidden)
        if entries > _MOST_ENTRIES:
            raise GeometryError(
                f"more than {_MOST_ENTRIES:,} lines are blocked within {far} cells",
                hint="ask for a shorter range with --sight-range",
            )
        if hidden:
            told = " ".join(map(escape, hidden))
            rows.append(f"<tr><th>{escape(name)}</th><td>{told}</td></tr>")
    head = (
        f"<p>From the place on the left, the places on the right cannot be seen. Told are places"
        f" within {far}; what is not listed is seen. Between ground levels, by terrain alone:"
        " smoke, units and special rules are not counted.</p>\n"
    )
    return f'{head}<table border="1" cellpadding="3">\n' + "\n".join(rows) + "\n</table>\n"
