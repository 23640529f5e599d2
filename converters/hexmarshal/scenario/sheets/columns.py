"""The columns of order-of-battle and set-up sheets: what they are called and what they hold."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import MISSING, dataclass, fields
from enum import Enum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.scenario.model import UnitEntry
from hexmarshal.scenario.sheets.cells import ColumnKind, write_cell

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "CELLS",
    "COLUMNS",
    "COUNT",
    "DEFAULTS",
    "ENTRY",
    "GOALS",
    "MARKER",
    "NOTE",
    "OBJECTIVE",
    "OWN",
    "PLACES",
    "SPECIAL_RULE",
    "VALUE",
    "Column",
    "Part",
    "column_called",
    "field_called",
    "is_total",
    "known_titles",
    "norm",
    "value_called",
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


COLUMNS: Final = (
    Column("id", "Unit", ColumnKind.TEXT, Part.BOTH),
    Column("side", "Side", ColumnKind.TEXT, Part.BATTLE),
    Column("type", "Type", ColumnKind.TEXT, Part.BATTLE),
    Column("steps", "Steps", ColumnKind.WHOLE, Part.BATTLE),
    Column("face", "Face", ColumnKind.TEXT, Part.BATTLE),
    Column("known_to", "Known to", ColumnKind.LIST, Part.BATTLE),
    Column("cell", "Cell", ColumnKind.TEXT, Part.SETUP),
    Column("box", "Box", ColumnKind.TEXT, Part.SETUP),
    Column("carrier", "Carrier", ColumnKind.TEXT, Part.SETUP),
    Column("turn", "Turn", ColumnKind.WHOLE, Part.SETUP),
    Column("entry", "Entry", ColumnKind.ANY, Part.SETUP),
    Column("area", "Area", ColumnKind.TEXT, Part.SETUP),
    Column("order", "Order", ColumnKind.WHOLE, Part.SETUP),
    Column("rank", "Rank", ColumnKind.WHOLE, Part.SETUP),
    Column("facing", "Facing", ColumnKind.WHOLE, Part.SETUP),
    Column("level", "Level", ColumnKind.WHOLE, Part.SETUP),
    Column("place", "Place", ColumnKind.TEXT, Part.SETUP),
    Column("bonds", "Bonds", ColumnKind.ANY, Part.SETUP),
    Column("flags", "Flags", ColumnKind.LIST, Part.SETUP),
    Column("footprint", "Footprint", ColumnKind.LIST, Part.SETUP),
    Column("seen_by", "Seen by", ColumnKind.LIST, Part.SETUP),
)
# Columns of other tables than that of units, or read and not written: how many units a row stands
# for; the cells of an area, in a sheet of areas; the id of a marker, in one of markers; the words
# of an objective and the title of a special rule in theirs; what is for people alone.
COUNT: Final = Column("count", "Count", ColumnKind.WHOLE, Part.BATTLE)
CELLS: Final = Column("cells", "Cells", ColumnKind.LIST, Part.BOTH)
MARKER: Final = Column("marker", "Marker", ColumnKind.TEXT, Part.BOTH)
OBJECTIVE: Final = Column("objective", "Objective", ColumnKind.TEXT, Part.BOTH)
SPECIAL_RULE: Final = Column("special_rule", "Special rule", ColumnKind.TEXT, Part.BOTH)
GOALS: Final = (OBJECTIVE, SPECIAL_RULE)
NOTE: Final = Column("note", "#", ColumnKind.TEXT, Part.BOTH)
PLACES: Final = frozenset({"cell", "box", "carrier", "turn", "entry", "area"})
ENTRY: Final = "entry"
VALUE: Final = "value:"
# Fields of a unit that have a column of the same name.
OWN: Final = frozenset(f.name for f in fields(UnitEntry)) - {"id", "values"}
# What each field of a unit is where nothing is said.
DEFAULTS: Final = {
    f.name: f.default if f.default_factory is MISSING else f.default_factory()
    for f in fields(UnitEntry)
}


def norm(text: str) -> str:
    """A title without what does not count: case, accents, spaces, a colon or stop at its end."""
    bare = unicodedata.normalize("NFKD", text.strip().lstrip("\ufeff"))
    bare = "".join(sign for sign in bare if not unicodedata.combining(sign))
    return re.sub(r"[\s_]+", " ", bare.replace("’", "'")).rstrip(" :.").casefold()


@cache
def _words() -> dict[str, Any]:
    import yaml

    text = Path(__file__).with_name("column_names.yaml").read_text(encoding="utf-8")
    words: dict[str, Any] = yaml.safe_load(text)
    return words


@cache
def _by_name() -> dict[str, Column]:
    columns = {column.key: column for column in (*COLUMNS, COUNT, CELLS, MARKER, *GOALS, NOTE)}
    named = {
        norm(name): columns[key] for key, names in _words()["columns"].items() for name in names
    }
    for column in columns.values():
        named[norm(column.title)] = named[norm(column.key)] = column
    return named


@cache
def _by_title(part: str) -> dict[str, str]:
    return {norm(name): key for key, names in _words()[part].items() for name in (key, *names)}


def column_called(title: str) -> Column | None:
    """The column of this title."""
    return _by_name().get(norm(title))


def field_called(title: str) -> str:
    """The fact of a whole scenario that a row of this title tells; empty if it is none."""
    return _by_title("fields").get(norm(title), "")


def is_total(text: str) -> bool:
    """Whether a row that begins so adds up others."""
    return norm(text) in {norm(word) for word in _words()["totals"]}


def value_called(title: str, kinds: Mapping[str, ColumnKind]) -> str:
    """The value of the game's counters that a column of this title holds; empty if none."""
    named = {norm(name): name for name in kinds if name != ENTRY}
    name = norm(title)
    if name in named:
        return named[name]
    common = _by_title("values").get(name, "")
    return common if common in kinds else ""


def known_titles(kinds: Mapping[str, ColumnKind]) -> list[str]:
    """Every title that is known, the ones that we write first."""
    own = [column.title for column in (*COLUMNS, COUNT)]
    return [*own, *(name for name in kinds if name != ENTRY), *_by_name()]


def value_header(name: str, kinds: Mapping[str, ColumnKind]) -> str:
    """The header of a column of values: the bare name where it cannot be mistaken."""
    alike = [known for known in kinds if norm(known) == norm(name)]
    if (
        alike == [name]
        and norm(name) not in _by_name()
        and write_cell(name, ColumnKind.TEXT) == name
    ):
        return name
    return VALUE + write_cell(name, ColumnKind.TEXT)
