"""What a table that was laid out does not show: the position is read back from it and compared."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from hexmarshal.errors.counts import some
from hexmarshal.rules import engine
from hexmarshal.rules.values import EMPTY
from hexmarshal.table.reading.look_alikes import LookAlikes

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from hexmarshal.rules.state.pieces import Marker, Unit
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record
    from hexmarshal.table.reading import TableReader
    from hexmarshal.vassal.state.game_state import GameState

__all__ = ["unshown"]

# So many units or cells are named in one line.
_NAMED: Final = 3
_PLAIN: Final = ("type", "steps", "facing", "level", "face", "seen_by", "known_to", "footprint")


def unshown(
    table: TableReader, state: GameState, position: Position, laid: Collection[str]
) -> Iterator[str]:
    """In words: what somebody who has nothing but the table and the scenario does not know.

    What has no counter or no place was told when the others were laid out; `laid` are the markers
    that have.
    """
    known = {scenario.key for scenario in table.plugin.scenarios()}
    if position.scenario not in known:
        return
    base = engine.start(table.plugin, position.scenario, position.options.plain())
    read = table.read(state, base).position
    yield from _alike(table, state, base)
    if read.board != position.board:
        yield f"the module has no board for the map {position.board!r}"
    if (read.state, read.active) != (position.state, position.active):
        by = _all(position.active)
        what = (
            f"what is decided now: {position.state}, by {by}" if position.state else f"{by} to act"
        )
        yield f"nothing on the table shows {what}"
    elif read.frames != position.frames:
        yield f"nothing on the table shows how far {position.state or position.phase} is"
    lost: dict[str, list[str]] = {}
    passing = {name for lifetime in table.plugin.game.lifetimes for name in lifetime.values}
    for unit in position.units.values():
        shown, own = read.units.get(unit.id), base.units.get(unit.id)
        if shown is None or own is None or (own.type, own.side) != (unit.type, unit.side):
            continue  # not laid out, or another unit than the scenario's by this name
        for name in _unlike(unit, shown, passing):
            lost.setdefault(name, []).append(unit.id)
    for cell, record in position.cells.items():
        for name in _lacking(record, read.cells.get(cell, EMPTY)):
            lost.setdefault(name, []).append(cell)
    for name, of in sorted(lost.items()):
        yield f"nothing on the table shows {name} of {some(of, _NAMED)}"
    yield from _markers(position, read, laid)
    for name in sorted({*read.extras, *position.extras}):
        if read.extras.get(name) != position.extras.get(name):
            yield f"nothing on the table shows {name}"
    for side in sorted({*read.knowledge, *position.knowledge}):
        secrets = position.knowledge.get(side, EMPTY)
        for name in _lacking(secrets, read.knowledge.get(side, EMPTY)):
            yield f"nothing on the table shows what {side} alone knows: {name}"


def _alike(table: TableReader, state: GameState, base: Position) -> Iterator[str]:
    """Units that look alike, and of which the place where they lie does not tell which is which."""
    alike, others = table.alike(state)
    if alike:
        guess = LookAlikes()
        guess.tell_apart(alike, base, others)
        mixed = guess.otherwise(table.reader.alikes)
        if mixed:
            yield f"nothing on the table tells which is which of {some(mixed, _NAMED)}"


def _unlike(unit: Unit, shown: Unit, passing: set[str]) -> Iterator[str]:
    """What a piece does not show of its unit; what the unit has none of may look like anything.

    But for values that come and go as the game goes on, the `passing` ones.
    """
    for name in _PLAIN:
        told = getattr(unit, name)
        if name == "facing" and not unit.cell:
            continue  # who is in no cell looks nowhere
        if told not in (None, "", ()) and told != getattr(shown, name):
            yield name.replace("_", " ")
    yield from sorted(unit.flags ^ shown.flags)
    yield from _lacking(unit.values, shown.values)
    for name in sorted(passing & shown.values.keys() - unit.values.keys()):
        yield f"that there is no {name}"


def _lacking(record: Record, shown: Record) -> list[str]:
    """The names of what a record has and another has not so; none is as good as nothing."""
    return [name for name in sorted(record) if record[name] and record[name] != shown.get(name)]


def _markers(position: Position, read: Position, laid: Collection[str]) -> Iterator[str]:
    """Markers that were laid out and are not read as what they are."""
    lying = [marker for marker in position.markers.values() if marker.id in laid]
    seen = Counter(map(_spot, read.markers.values()))
    for kind, place in sorted((Counter(map(_spot, lying)) - seen).elements()):
        yield f"nothing on the table shows the marker {kind} at {place}"
    lost: dict[tuple[str, str], list[str]] = {}
    for marker in lying:
        alike = [one for one in read.markers.values() if _spot(one) == _spot(marker)]
        if alike:
            lacking = min((_lacking(marker.values, one.values) for one in alike), key=len)
            for name in lacking:
                lost.setdefault((name, marker.kind), []).append(_spot(marker)[1])
    for (name, kind), places in sorted(lost.items()):
        yield f"nothing on the table shows {name} of the marker {kind} at {some(places, _NAMED)}"


def _spot(marker: Marker) -> tuple[str, str]:
    return marker.kind, marker.cell or marker.box or marker.unit


def _all(sides: Iterable[str]) -> str:
    return " and ".join(sides) or "nobody"
