"""A name for every row, and one row a unit: counts get numbers, sheets on one unit are joined."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.errors import BadInputError
from hexmarshal.scenario.sheets.columns import VALUE, norm
from hexmarshal.scenario.sheets.lexicon import same_name

if TYPE_CHECKING:
    from hexmarshal.scenario.sheets.sheet_rows import Row

__all__ = ["merged", "named"]


def named(rows: list[Row]) -> list[Row]:
    """Every row with an id: those that count, and those that have none, get numbers."""
    taken = {row.id for row in rows if row.id and row.share == (1, 1)}
    numbers: dict[str, int] = {}
    out = []
    for row in rows:
        if row.id and row.share == (1, 1):
            out.append(row)
            continue
        stem = row.id or re.sub(r"\s+", "-", norm(str(row.said["type"])))
        number = numbers.get(stem, 0) + 1
        while f"{stem}-{number}" in taken:
            number += 1
        numbers[stem] = number
        out.append(replace(row, id=f"{stem}-{number}"))
    return out


def merged(rows: list[Row], file: str | None, *, typed: bool) -> tuple[Row, ...]:
    """One row a unit: a unit of two sheets has what both say, if they do not disagree."""
    found: dict[str, Row] = {}
    alike: dict[str, str] = {}
    for row in rows:
        known = found.get(row.id)
        if known is None and (other := alike.get(same_name(row.id))) is not None:
            # Only from sheet to sheet: within one, two spellings are told when it is checked.
            known = found[other] if found[other].at.sheet != row.at.sheet else None
        if known is None:
            found[row.id] = row
            alike.setdefault(same_name(row.id), row.id)
        elif known.at.sheet == row.at.sheet:
            where = f"row {known.line}" if typed else f"line {known.line}"
            raise BadInputError(
                f"the unit {row.id} is in {where} already",
                place=row.at.place(file, row.id),
            )
        else:
            found[known.id] = _joined(known, row, file)
    return tuple(found.values())


def _joined(one: Row, other: Row, file: str | None) -> Row:
    for mine, theirs, head in (
        (one.said, other.said, ""),
        (one.values, other.values, VALUE),
    ):
        for name in mine.keys() & theirs.keys():
            if mine[name] != theirs[name]:
                spot = other.spots.get(head + name, other.at)
                raise BadInputError(
                    f"two sheets disagree about {one.id}: {theirs[name]!r} here, "
                    f"{mine[name]!r} in {one.spots.get(head + name, one.at)}",
                    place=spot.place(file, one.id),
                    hint="tell it in one of them",
                )
    return replace(
        one,
        said={**one.said, **other.said},
        values={**one.values, **other.values},
        spots={**other.spots, **one.spots},
        columns=one.columns | other.columns,
        value_columns=one.value_columns | other.value_columns,
        bare=False,
    )
