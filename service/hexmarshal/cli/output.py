"""What commands print: JSON for machines, tables and progress bars for people."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from rich.console import Console

__all__ = ["console", "print_fields", "print_json", "print_table", "progress"]


def print_json(document: object, *, file: TextIO | None = None, lines: bool = False) -> None:
    """One JSON document, in a stable order of keys as given; on one line where `lines` says so.

    Where the stream cannot hold every letter, as on Windows when it goes into a file, letters
    beyond ASCII are written as JSON's escapes: still the same document.
    """
    stream = file or sys.stdout
    plain = not (stream.encoding or "utf-8").lower().startswith("utf")
    text = json.dumps(document, ensure_ascii=plain, indent=None if lines else 2)
    print(text, file=stream, flush=lines)


def console() -> Console:
    """Standard output for people: no markup guessing, no wrapping when it is not a terminal."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else 200
    return Console(highlight=False, markup=False, width=width, soft_wrap=not sys.stdout.isatty())


def print_table(
    title: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    right: Iterable[str] = (),
) -> None:
    """A plain table; the columns named in `right` are aligned right."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    numbers = set(right)
    table = Table(title=Text(title) if title else None, title_justify="left", box=box.SIMPLE_HEAD)
    for name in columns:
        table.add_column(Text(name), justify="right" if name in numbers else "left")
    for row in rows:
        table.add_row(*(Text(str(value)) for value in row))
    console().print(table)


@contextmanager
def progress(label: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """A bar on standard error for long work, with the time that is left.

    Silent where standard error is not a terminal.
    """
    if not sys.stderr.isatty():
        yield lambda _steps: None
        return
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress

    count = (MofNCompleteColumn(),) if total is not None else ()
    columns = (*Progress.get_default_columns(), *count)
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=total)
        yield lambda steps: bar.advance(task, steps)


def print_fields(fields: Mapping[str, object]) -> None:
    """Name and value, one a line, names aligned."""
    width = max((len(name) for name in fields), default=0)
    for name, value in fields.items():
        print(f"{name:<{width}}  {value}")
