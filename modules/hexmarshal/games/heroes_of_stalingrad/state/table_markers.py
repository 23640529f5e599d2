"""What a table shows of armies and of cards that last: markers, laid out and taken up again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hexmarshal.games.heroes_of_stalingrad.state.army import entries, free_name, read_entry
from hexmarshal.games.heroes_of_stalingrad.state.kinds import ARMY, ARTILLERY, ORDER, SIDES
from hexmarshal.rules.state.pieces import Marker
from hexmarshal.rules.values import EMPTY, FrozenMap

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.games.heroes_of_stalingrad.state.tables import Tables
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record, Value

__all__ = [
    "BONUS", "FURY", "OPTION", "TAKEN", "TILE", "WINDOWS", "flipped", "laid_out", "taken_up",
]  # fmt: skip

TILE, OPTION = "army_tile", "army_option"
FURY, BONUS, WINDOWS, TAKEN = "fury", "bonus", "windows", "tokens"
_KINDS: Final = frozenset((TILE, OPTION, FURY, BONUS, WINDOWS, TAKEN))


def laid_out(position: Position, tables: Tables) -> Position:
    """With markers for the armies, for cards in force and for the tokens taken in this turn."""
    made = {
        marker.id: marker
        for marker in (*_army(position, tables), *_cards(position), *_tokens(position))
    }
    return replace(position, markers=position.markers.merged(made)) if made else position


def _army(position: Position, tables: Tables) -> Iterator[Marker]:
    for side, name, record in _records(position):
        entry = read_entry(tables, side, name, record)
        if entry is None:
            continue
        left = {marker: entry.left(marker) for marker in entry.row.get("markers") or {}}
        slot: dict[str, Value] = {"of": entry.of, "slot": entry.slot} if entry.option else {}
        kind, key = (OPTION, "option") if entry.option else (TILE, "tile")
        values: Record = FrozenMap({key: entry.key, "entry": name, **slot, **left})
        yield Marker(f"{kind}-{side}-{name}", kind, side, box=ARMY, values=values)


def _records(position: Position) -> Iterator[tuple[str, str, Record]]:
    army = position.extras.get("army")
    for side in SIDES:
        mine = army.get(side) if isinstance(army, FrozenMap) else None
        for name, record in mine.items() if isinstance(mine, FrozenMap) else ():
            if isinstance(record, FrozenMap):
                yield side, name, record


def _cards(position: Position) -> Iterator[Marker]:
    furious = position.extras.get("fury", ())
    for side in furious if isinstance(furious, tuple) else ():
        yield Marker(f"{FURY}-{side}", FURY, str(side), box=ARMY)
    for side, sort in _record(position, "bonus").items():
        values = FrozenMap({"sort": sort})
        yield Marker(f"{BONUS}-{side}", BONUS, side, box=ARMY, values=values)
    for name, count in _record(position, "windows").items():
        unit = position.units.get(name)
        if unit is not None and count:
            values = FrozenMap({"count": count})
            yield Marker(f"{WINDOWS}-{name}", WINDOWS, unit.side, unit=name, values=values)


def _tokens(position: Position) -> Iterator[Marker]:
    kept = _record(position, "tokens")
    for side in SIDES:
        mine = kept.get(side)
        if isinstance(mine, FrozenMap):
            values = mine.set("turn", kept.get("turn", position.turn))
            yield Marker(f"{TAKEN}-{side}", TAKEN, side, box=ARMY, values=values)


def _record(position: Position, name: str) -> Record:
    found = position.extras.get(name)
    return found if isinstance(found, FrozenMap) else EMPTY


def taken_up(position: Position, tables: Tables) -> Position:
    """The markers that `laid_out` makes as what the game keeps; a table without them tells nothing.

    A token beside the only artillery of its side is for that, whatever is written on it.
    """
    lying = [marker for marker in position.markers.values() if marker.kind in _KINDS]
    if lying:
        extras = {**position.extras, **_told(lying, position, tables)}
        kept = {key: value for key, value in extras.items() if value not in (None, EMPTY, ())}
        markers = position.markers.without(*(marker.id for marker in lying))
        position = replace(position, markers=markers, extras=FrozenMap(kept))
    return _tokens_known(position, tables)


def _told(lying: Iterable[Marker], position: Position, tables: Tables) -> dict[str, Value]:
    army: dict[str, dict[str, Value]] = {side: {} for side in SIDES}
    bonus: dict[str, Value] = {}
    windows: dict[str, Value] = {}
    tokens: dict[str, Value] = {}
    furious = []
    for marker in lying:
        if marker.side not in army:
            continue
        match marker.kind:
            case "fury":
                furious.append(marker.side)
            case "bonus":
                bonus[marker.side] = marker.values.get("sort")
            case "windows":
                if marker.unit:
                    windows[marker.unit] = marker.values.get("count", 1)
            case "tokens":
                tokens[marker.side] = marker.values.without("turn")
                tokens["turn"] = marker.values.get("turn", position.turn)
            case _:
                name, record = _entry(marker, tables, army[marker.side])
                army[marker.side][name] = record
    found: dict[str, Value] = {
        "fury": tuple(side for side in SIDES if side in furious),
        "bonus": FrozenMap(bonus),
        "windows": FrozenMap(windows),
    }
    if tokens:
        found["tokens"] = FrozenMap(tokens)
    if any(army.values()):
        found["army"] = FrozenMap({side: FrozenMap(mine) for side, mine in army.items()})
    return found


def _entry(marker: Marker, tables: Tables, army: Mapping[str, Value]) -> tuple[str, Record]:
    """A recruitment tile or an option; one without a name is called what it is.

    A second one of a name gets a number, so that nothing is lost.
    """
    values, option = marker.values, marker.kind == OPTION
    kind = "option" if option else "tile"
    key = str(values.get(kind, ""))
    name = free_name(str(values.get("entry") or key), army)
    record: dict[str, Value] = {kind: key}
    if option:
        record |= {"of": str(values.get("of", "")), "slot": values.get("slot", 0)}
    entry = read_entry(tables, marker.side, name, FrozenMap(record))
    full = (entry.row.get("markers") or {}) if entry is not None else {}
    left = {m: values[m] for m, count in full.items() if values.get(m, count) != count}
    return name, FrozenMap({**record, "left": FrozenMap(left)} if left else record)


def flipped(now: Situation) -> Position:
    """HOS-8.4: tiles and options whose counters on the table say so have reached their break."""
    army = now.kept("army")
    for side in SIDES:
        for entry in entries(now, side).values():
            mine = army.get(side)
            if entry.broken and not entry.record.get("broken") and isinstance(mine, FrozenMap):
                army = army.set(side, mine.set(entry.id, entry.record.set("broken", True)))
    if army is now.kept("army"):
        return now.position
    return replace(now.position, extras=now.position.extras.set("army", army))


def _tokens_known(position: Position, tables: Tables) -> Position:
    """Order tokens with their back; each for artillery under the name of its option."""
    markers = position.markers
    for marker in position.markers.values():
        if marker.kind == ORDER:
            found = replace(marker, face=ORDER)
            if marker.box == ARTILLERY:
                found = _aimed(found, position, tables)
            if found != marker:
                markers = markers.without(marker.id).set(found.id, found)
    return position if markers is position.markers else replace(position, markers=markers)


def _aimed(marker: Marker, position: Position, tables: Tables) -> Marker:
    guns = [
        name
        for side, name, record in _records(position)
        if side == marker.side
        and (entry := read_entry(tables, side, name, record)) is not None
        and "artillery" in (entry.row.get("markers") or {})
    ]
    name = str(marker.values.get("entry") or (guns[0] if len(guns) == 1 else ""))
    if not name:
        return marker
    own = f"{ORDER}-{marker.side}-{name}"
    return replace(marker, id=own, values=marker.values.set("entry", name))
