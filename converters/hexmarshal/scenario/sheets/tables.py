"""Finds the tables in sheets as people make them: under titles, under merged headers, repeated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import BadInputError, Place
from hexmarshal.scenario.sheets.cells import ColumnKind, read_cell
from hexmarshal.scenario.sheets.columns import (
    CELLS,
    ENTRY,
    GOALS,
    MARKER,
    NOTE,
    OBJECTIVE,
    SPECIAL_RULE,
    VALUE,
    column_called,
    known_titles,
    norm,
    value_called,
)
from hexmarshal.scenario.sheets.goals import reads_beside

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hexmarshal.workbook import Row, Sheet

__all__ = ["Header", "Table", "Titled", "is_note", "known_columns", "preface_of", "tables_of"]

_NAMING: Final = frozenset({"id", "type"})
_AREAS: Final = frozenset({"area", CELLS.key})
_OF_GOALS: Final = frozenset(column.key for column in GOALS)
# How alike a title must be to a known one to be a misprint of it.
_ALIKE: Final = 0.8


@dataclass(frozen=True, slots=True)
class Titled:
    """A column of a table: its number from 1, its title, what it is (`value:NAME` for values)."""

    number: int
    title: str
    key: str
    kind: ColumnKind


@dataclass(frozen=True, slots=True)
class Header:
    """The columns of a table that are read, and the titles of those that are not."""

    columns: Mapping[int, Titled]
    unread: Mapping[int, str]

    @property
    def keys(self) -> frozenset[str]:
        """What the columns are."""
        return frozenset(column.key for column in self.columns.values())

    @property
    def lists_areas(self) -> bool:
        """Whether its rows are areas and not units."""
        return self.keys >= _AREAS and not self.keys & _NAMING

    @property
    def lists_markers(self) -> bool:
        """Whether its rows are markers and not units."""
        return MARKER.key in self.keys

    @property
    def lists_objectives(self) -> bool:
        """Whether its rows are objectives and not units."""
        return OBJECTIVE.key in self.keys

    @property
    def lists_rules(self) -> bool:
        """Whether its rows are special rules and not units."""
        return SPECIAL_RULE.key in self.keys

    @property
    def lists_units(self) -> bool:
        """Whether its rows are units."""
        others = self.lists_areas or self.lists_markers or self.lists_objectives
        return not others and not self.lists_rules


@dataclass(frozen=True, slots=True)
class Table:
    """A header and the rows under it; `last` is the number of the last row of the header."""

    header: Header
    last: int
    rows: tuple[Row, ...]


def _titled(number: int, text: str, kinds: Mapping[str, ColumnKind]) -> Titled | None:
    column = column_called(text)
    if column is NOTE or text.startswith("#"):
        return None
    if column is not None:
        # Where units enter is told in the game's own way.
        kind = kinds.get(ENTRY, ColumnKind.ANY) if column.key == ENTRY else column.kind
        return Titled(number, text, column.key, kind)
    if text.casefold().startswith(VALUE):
        name = read_cell(text[len(VALUE) :], ColumnKind.TEXT)
        value = name if isinstance(name, str) else ""
        return Titled(number, text, VALUE + value, kinds.get(value, ColumnKind.ANY))
    value = value_called(text, kinds)
    return Titled(number, text, VALUE + value, kinds[value]) if value else None


def known_columns(cells: Sequence[str], kinds: Mapping[str, ColumnKind]) -> int:
    """How many of the titles are known; tells the right separator."""
    return sum(_titled(0, text.strip(), kinds) is not None for text in cells if text.strip())


def is_note(text: str) -> bool:
    """Whether a column of this title is for people alone, and known to be."""
    return text.startswith("#") or column_called(text) is NOTE


def _header_keys(texts: Mapping[int, str], kinds: Mapping[str, ColumnKind]) -> list[str] | None:
    """What the columns of a row of titles are; None if it is no such row."""
    found = [_titled(i, text, kinds) for i, text in texts.items()]
    keys = [one.key for one in found if one is not None]
    whole = all(
        one is not None or is_note(text) for one, text in zip(found, texts.values(), strict=True)
    )
    if set(keys) >= _AREAS or _lists_goals(set(keys), texts):
        return keys
    if not _NAMING & set(keys) or not (len(keys) > 1 or whole):
        return None
    return keys


def _lists_goals(keys: set[str], texts: Mapping[int, str]) -> bool:
    """Whether the titles are of objectives, which lie somewhere, or of rules, which have words."""
    if keys & _NAMING:
        return False
    return (OBJECTIVE.key in keys and bool(keys & {"cell", "area"})) or (
        SPECIAL_RULE.key in keys and any(map(reads_beside, texts.values()))
    )


def _texts(row: Row) -> dict[int, str]:
    """The titles; the name of a value may end in a space."""
    texts = {i: cell.text.strip() for i, cell in enumerate(row.cells, 1) if cell.text.strip()}
    return {
        i: row.cells[i - 1].text.lstrip() if text.casefold().startswith(VALUE) else text
        for i, text in texts.items()
    }


def tables_of(
    sheet: Sheet, kinds: Mapping[str, ColumnKind], place: Place, *, typed: bool
) -> tuple[tuple[Row, ...], tuple[Table, ...]]:
    """The rows before the first header, and the tables; `typed` for all but CSV.

    In CSV, the one header is the first row that is one; a workbook may have several tables, one
    below the other, and headers of two rows.
    """
    starts = list(_starts(sheet, kinds, typed=typed))
    if not starts:
        return sheet.rows, ()
    tables = []
    for n, (first, last, texts) in enumerate(starts):
        end = starts[n + 1][0] if n + 1 < len(starts) else len(sheet.rows)
        row = sheet.rows[first].number
        where = Place(row=row) if typed else Place(line=row)
        header = _header(texts, kinds, where.within(place))
        tables.append(Table(header, sheet.rows[last].number, sheet.rows[last + 1 : end]))
    return sheet.rows[: starts[0][0]], tuple(tables)


def preface_of(sheet: Sheet, kinds: Mapping[str, ColumnKind], *, typed: bool) -> tuple[Row, ...]:
    """The rows before the first header; all, if there is none."""
    first = next(_starts(sheet, kinds, typed=typed), None)
    return sheet.rows if first is None else sheet.rows[: first[0]]


def _starts(
    sheet: Sheet, kinds: Mapping[str, ColumnKind], *, typed: bool
) -> Iterator[tuple[int, int, dict[int, str]]]:
    """The first and last row of each header, by their place in the list, and its titles."""
    skip = -1
    begun = False
    for i, row in enumerate(sheet.rows):
        if i <= skip or (begun and not typed):
            continue
        texts = _texts(row)
        below = _texts(sheet.rows[i + 1]) if typed and i + 1 < len(sheet.rows) else {}
        keys = _header_keys(texts, kinds)
        if begun and (keys is None or not _is_header_again(texts, kinds)):
            continue
        both = {**texts, **below}
        joined = _header_keys(both, kinds) if below and _belongs(texts, below, kinds) else None
        if joined is not None and len(joined) > len(keys or ()):
            yield i, i + 1, both
            skip, begun = i + 1, True
        elif keys is not None:
            yield i, i, texts
            begun = True


def _is_header_again(texts: Mapping[int, str], kinds: Mapping[str, ColumnKind]) -> bool:
    return len(texts) > 1 and all(
        _titled(i, text, kinds) is not None or is_note(text) for i, text in texts.items()
    )


def _belongs(
    above: Mapping[int, str], below: Mapping[int, str], kinds: Mapping[str, ColumnKind]
) -> bool:
    """Whether the lower of two rows tells what the upper one leaves open."""
    return bool(above) and all(
        _titled(i, text, kinds) is not None
        and (i not in above or _titled(i, above[i], kinds) is None or text != above[i])
        for i, text in below.items()
    )


def _header(texts: Mapping[int, str], kinds: Mapping[str, ColumnKind], place: Place) -> Header:
    columns: dict[int, Titled] = {}
    unread: dict[int, str] = {}
    seen: dict[str, str] = {}
    goals = _lists_goals({f.key for i, t in texts.items() if (f := _titled(i, t, kinds))}, texts)
    for i, text in texts.items():
        found = _titled(i, text, kinds)
        # What somebody writes of a unit's objective is for people.
        of_a_unit = found is not None and not goals and found.key in _OF_GOALS
        if of_a_unit or (goals and reads_beside(text)):
            unread[i] = text
            continue
        at = Place(column=text).within(place)
        if found is None:
            if not is_note(text) and (meant := _misspelt(text, kinds)):
                raise BadInputError(
                    f"no column is called {text!r}",
                    place=at,
                    hint=f"did you mean {meant}? Begin the title with # if it is a note",
                )
            unread[i] = text
        elif found.key in seen:
            raise BadInputError(
                f"two columns are {_title_of(found.key)}: {seen[found.key]!r} and {text!r}",
                place=at,
                hint="begin the title of one with # to have it left alone",
            )
        else:
            seen[found.key] = text
            columns[i] = found
    return Header(columns, unread)


def _misspelt(text: str, kinds: Mapping[str, ColumnKind]) -> str:
    """The title that this one can only be a misprint of; empty for a column of another kind."""
    from difflib import get_close_matches

    titles = {norm(title): title for title in reversed(known_titles(kinds))}
    near = get_close_matches(norm(text), titles, 1, _ALIKE)
    return titles[near[0]] if near else ""


def _title_of(key: str) -> str:
    column = column_called(key)
    return column.title if column is not None else key
