"""The columns of order-of-battle and set-up sheets: what they are called and what they hold."""

from __future__ import annotations

import re
from dataclasses import MISSING, dataclass, fields, replace
from enum import Enum
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import BadInputError, Place
from hexmarshal.scenario.model import UnitEntry
from hexmarshal.scenario.sheets.cells import ColumnKind, read_cell, write_cell

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = [
    "COLUMNS",
    "ENTRY",
    "OWN",
    "PLACES",
    "Column",
    "Header",
    "Part",
    "known_columns",
    "value_header",
]


class Part(Enum):
    """Which sheet a column belongs to."""

    BATTLE = "battle"
    SETUP = "setup"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Column:
    """A column that every game has."""

    key: str
    title: str
    kind: ColumnKind
    part: Part
    also: tuple[str, ...] = ()


COLUMNS: Final = (
    Column("id", "Unit", ColumnKind.TEXT, Part.BOTH, ("id", "unit id", "counter")),
    Column("side", "Side", ColumnKind.TEXT, Part.BATTLE, ("force", "nation")),
    Column("type", "Type", ColumnKind.TEXT, Part.BATTLE, ("unit type",)),
    Column("steps", "Steps", ColumnKind.WHOLE, Part.BATTLE, ("step",)),
    Column("face", "Face", ColumnKind.TEXT, Part.BATTLE, ("shown as",)),
    Column("known_to", "Known to", ColumnKind.LIST, Part.BATTLE),
    Column("cell", "Cell", ColumnKind.TEXT, Part.SETUP, ("hex", "square", "location")),
    Column("box", "Box", ColumnKind.TEXT, Part.SETUP, ("off-map box",)),
    Column("carrier", "Carrier", ColumnKind.TEXT, Part.SETUP, ("carried by",)),
    Column("turn", "Turn", ColumnKind.WHOLE, Part.SETUP, ("arrives", "arrival", "turn of arrival")),
    Column("entry", "Entry", ColumnKind.ANY, Part.SETUP, ("enters", "entry area", "entry hex")),
    Column("area", "Area", ColumnKind.TEXT, Part.SETUP, ("set-up area", "setup area", "zone")),
    Column("order", "Order", ColumnKind.WHOLE, Part.SETUP, ("stack order",)),
    Column("rank", "Rank", ColumnKind.WHOLE, Part.SETUP),
    Column("facing", "Facing", ColumnKind.WHOLE, Part.SETUP, ("direction",)),
    Column("level", "Level", ColumnKind.WHOLE, Part.SETUP, ("storey", "elevation")),
    Column("place", "Place", ColumnKind.TEXT, Part.SETUP, ("place in the cell",)),
    Column("bonds", "Bonds", ColumnKind.ANY, Part.SETUP, ("held by",)),
    Column("flags", "Flags", ColumnKind.LIST, Part.SETUP, ("status", "state")),
    Column("footprint", "Footprint", ColumnKind.LIST, Part.SETUP, ("covers",)),
    Column("seen_by", "Seen by", ColumnKind.LIST, Part.SETUP, ("visible to",)),
)
PLACES: Final = frozenset({"cell", "box", "carrier", "turn", "entry", "area"})
ENTRY: Final = "entry"
# Fields of a unit that have a column of the same name.
OWN: Final = frozenset(f.name for f in fields(UnitEntry)) - {"id", "values"}
# What each field of a unit is where nothing is said.
DEFAULTS: Final = {
    f.name: f.default if f.default_factory is MISSING else f.default_factory()
    for f in fields(UnitEntry)
}
_VALUE: Final = "value:"


def _norm(text: str) -> str:
    return re.sub(r"[\s_]+", " ", text.strip().lstrip("\ufeff")).casefold()


_BY_NAME: Final = {
    name: column for column in COLUMNS for name in (_norm(column.title), *column.also, column.key)
} | {_norm(column.key): column for column in COLUMNS}


def value_header(name: str, kinds: Mapping[str, ColumnKind]) -> str:
    """The header of a column of values: the bare name where it cannot be mistaken."""
    alike = [known for known in kinds if _norm(known) == _norm(name)]
    if (
        alike == [name]
        and _norm(name) not in _BY_NAME
        and write_cell(name, ColumnKind.TEXT) == name
    ):
        return name
    return _VALUE + write_cell(name, ColumnKind.TEXT)


class Header:
    """Which column of a sheet is what; columns whose title begins with # are notes."""

    def __init__(self, cells: Sequence[str], kinds: Mapping[str, ColumnKind], place: Place) -> None:
        self.fixed: dict[int, Column] = {}
        self.values: dict[int, tuple[str, ColumnKind]] = {}
        self.notes: set[int] = set()
        named = {_norm(name): name for name in kinds}
        seen: set[str] = set()
        for i, cell in enumerate(cells):
            text = cell.strip()
            if not text or text.startswith("#"):
                self.notes |= {i} if text else set()
                continue
            name = _norm(text)
            if name in _BY_NAME:
                self.fixed[i] = _BY_NAME[name]
                if self.fixed[i].key == ENTRY:
                    # Where units enter is told in the game's own way.
                    kind = kinds.get(ENTRY, ColumnKind.ANY)
                    self.fixed[i] = replace(self.fixed[i], kind=kind)
                said = self.fixed[i].title
            elif name.startswith(_VALUE) or name in named:
                value = _value_name(cell.lstrip()) if name.startswith(_VALUE) else named[name]
                self.values[i] = (value, kinds.get(value, ColumnKind.ANY))
                said = _VALUE + value
            else:
                known = ", ".join([c.title for c in COLUMNS] + list(kinds))
                raise BadInputError(
                    f"no column is called {text!r}",
                    place=Place(field=text).within(place),
                    hint=f"known are {known}; begin a title with # for notes, with value: for "
                    "a value of the counter",
                )
            if said in seen:
                raise BadInputError(
                    f"two columns are {said}", place=Place(field=text).within(place)
                )
            seen.add(said)
        if "Unit" not in seen:
            raise BadInputError(
                "no column is called Unit",
                place=place,
                hint="the first row names the columns; Unit holds the ids",
            )


def known_columns(cells: Sequence[str], kinds: Mapping[str, ColumnKind]) -> int:
    """How many of the titles are known; tells the right separator."""
    named = {_norm(name) for name in kinds}
    return sum(
        name in _BY_NAME or name in named or name.startswith(_VALUE) for name in map(_norm, cells)
    )


def _value_name(text: str) -> str:
    name = read_cell(text[len(_VALUE) :], ColumnKind.TEXT)
    return name if isinstance(name, str) else ""
