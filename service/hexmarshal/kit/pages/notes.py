"""Tables of a game as lines of text, for the notes of a set-up."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.rules.charts import ChartTable

__all__ = ["table_lines"]


def table_lines(table: ChartTable) -> Iterator[str]:
    """A heading, a line for each row, and the note."""
    first, *others = table.heads
    columns = ", ".join(others).lower() if len(others) > 1 else first
    yield f"{table.title} ({columns})" if table.title else columns
    for first, *others in table.rows:
        yield f"{first}: {', '.join(others)}"
    if table.note:
        yield table.note
