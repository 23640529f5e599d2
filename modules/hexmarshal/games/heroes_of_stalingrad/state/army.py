"""Recruited armies: tiles and options by id, their markers, what is lost of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hexmarshal.rules.state.effects import SetExtra
from hexmarshal.rules.values import EMPTY, FrozenMap

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hexmarshal.games.heroes_of_stalingrad.state.execution import Play
    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.games.heroes_of_stalingrad.state.tables import Tables
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Record, Value

__all__ = [
    "Entry",
    "barring_rule",
    "carriers",
    "entries",
    "entry_of",
    "free_name",
    "lost",
    "spend",
    "unlocked",
    "update",
]


@dataclass(frozen=True, slots=True)
class Entry:
    """One recruitment tile, or one option in a slot of a tile."""

    id: str
    key: str
    side: str
    row: Mapping[str, Any]
    option: bool
    of: str = ""
    slot: int = 0
    broken: bool = False
    record: Record = EMPTY

    @property
    def type(self) -> str:
        """support, equipment, trait or ordinance; '' for a tile."""
        return str(self.row.get("type", "")) if self.option else ""

    @property
    def bands(self) -> frozenset[str]:
        """Its coloured bands."""
        return frozenset(self.row.get("bands") or ())

    def left(self, marker: str) -> int:
        """HOS-8.6: how many markers of a sort are still on it."""
        kept = self.record.get("left")
        if isinstance(kept, FrozenMap) and marker in kept:
            value = kept[marker]
            return value if isinstance(value, int) else 0
        return int((self.row.get("markers") or {}).get(marker, 0))


def entries(now: Situation, side: str) -> dict[str, Entry]:
    """The army of a side, by id."""
    return now.remember(f"army of {side}", lambda: _entries(now, side))


def _entries(now: Situation, side: str) -> dict[str, Entry]:
    mine = now.kept("army").get(side)
    found = {}
    for name, record in mine.items() if isinstance(mine, FrozenMap) else ():
        if isinstance(record, FrozenMap):
            entry = read_entry(now.tables, side, name, record)
            if entry is not None:
                found[name] = replace(entry, broken=entry.broken or _is_broken(now, entry))
    return found


def free_name(key: str, army: Mapping[str, object]) -> str:
    """What a new tile or option of an army is called: what it is, with a number if need be."""
    number = 1
    while (name := key if number == 1 else f"{key}-{number}") in army:
        number += 1
    return name


def lost(now: Situation, side: str, group: str) -> int:
    """HOS-2.91: how many counters of a tile or an option are destroyed."""
    return sum(
        now.destroyed(unit) for unit in now.position.of_side(side) if unit.value("group") == group
    )


def _is_broken(now: Situation, entry: Entry) -> bool:
    """HOS-8.4: as the table shows it: as many of its counters are destroyed."""
    limit = int(entry.row.get("break", 0))
    return limit > 0 and lost(now, entry.side, entry.id) >= limit


def read_entry(tables: Tables, side: str, name: str, record: Record) -> Entry | None:
    """An entry of an army; None if the data have no such tile or option."""
    option = "option" in record
    key = str(record.get("option" if option else "tile", ""))
    row = (tables.recruitment_options if option else tables.recruitment_tiles).get(key)
    if row is None:
        return None
    slot = record.get("slot", 0)
    return Entry(
        name,
        key,
        side,
        row,
        option,
        str(record.get("of", "")),
        slot if isinstance(slot, int) else 0,
        record.get("broken") is True,
        record,
    )


def entry_of(now: Situation, unit: Unit) -> Entry | None:
    """HOS-2.91: the tile or option that a unit belongs to."""
    return entries(now, unit.side).get(str(unit.value("group", "")))


def unlocked(now: Situation, unit: Unit) -> Mapping[str, Any]:
    """HOS-8.3: the abilities that a filled slot gives to the units of the option in it."""
    entry = entry_of(now, unit)
    if entry is None or not entry.option or entry.broken:
        return {}
    found = slot_of(now, entry).get("unlocks") or {}
    return {name: value for name, value in found.items() if name != "order"}


def slot_of(now: Situation, entry: Entry) -> Mapping[str, Any]:
    """The slot that an option lies in."""
    tile = entries(now, entry.side).get(entry.of)
    slots = () if tile is None else tile.row.get("slots") or ()
    return slots[entry.slot] if 0 <= entry.slot < len(slots) else {}


def _bears_bands(now: Situation, unit: Unit, tile: Entry) -> bool:
    """Whether a unit has the bands of a tile: its own units, and supports that share them."""
    mine = entry_of(now, unit)
    if mine is None:
        return False
    return mine.id == tile.id or (
        mine.option and mine.of == tile.id and bool(mine.bands & tile.bands)
    )


def carriers(now: Situation, unit: Unit, marker: str) -> Iterator[Entry]:
    """HOS-8.5, HOS-8.6, HOS-8.9: the tiles and options whose markers a unit may use."""
    army = entries(now, unit.side)
    for entry in army.values():
        if entry.left(marker) < 1:
            continue
        if not entry.option:
            usable = _bears_bands(now, unit, entry) or (
                bool(entry.row.get("command")) and entry.type != ""
            )
        elif entry.type == "support":
            usable = str(unit.value("group", "")) == entry.id
        elif entry.type == "ordinance":
            usable = True
        else:
            tile = army.get(entry.of)
            usable = tile is not None and (
                bool(tile.row.get("command")) or _bears_bands(now, unit, tile)
            )
        if usable:
            yield entry


def barring_rule(now: Situation, unit: Unit, marker: str) -> str:
    """Which rule keeps a unit from markers: those of other tiles and supports, or equipment."""
    left = [e for e in entries(now, unit.side).values() if e.left(marker) > 0]
    of_tiles = [e for e in left if e.type in ("", "support")]
    return "HOS-8.5" if left and len(of_tiles) == len(left) else "HOS-8.6"


def update(play: Play, entry: Entry, **changes: Value) -> None:
    """Something about a tile or an option changes."""
    army = play.now.kept("army")
    mine = army.get(entry.side)
    assert isinstance(mine, FrozenMap)
    record = mine[entry.id]
    assert isinstance(record, FrozenMap)
    after = army.set(entry.side, mine.set(entry.id, record.merged(changes)))
    play.do(SetExtra("army", after))


def spend(play: Play, unit: Unit, marker: str, count: int = 1) -> None:
    """HOS-8.6: markers are used up, each once in the game."""
    for _ in range(count):
        entry = next(carriers(play.now, play.unit(unit.id), marker))
        take(play, entry, marker)


def take(play: Play, entry: Entry, marker: str) -> None:
    """One marker less on a tile or an option."""
    kept = entry.record.get("left")
    left = kept if isinstance(kept, FrozenMap) else EMPTY
    update(play, entry, left=left.set(marker, entry.left(marker) - 1))
