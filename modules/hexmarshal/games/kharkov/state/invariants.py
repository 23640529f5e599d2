"""What holds in every position that play can reach."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.state import pending
from hexmarshal.games.kharkov.state.situation import AXIS, SOVIET
from hexmarshal.rules.state.sound import Sound
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.kharkov.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["problems"]

_SOUND = Sound()
# No counter prints a number of more.
DIGITS = 3


def problems(now: Situation) -> Iterator[Violation]:
    """What is wrong with a position. Too many units in a hex is not: the book has a remedy."""
    strange = [u for u in now.position.units.values() if u.type not in now.tables.kinds]
    for unit in strange:
        # Nobody's view hides a type in this game: a unit without one is no counter.
        text = f"{unit.id} is of no type that the game has"
        yield Violation("KHA-3.23", text, units=(unit.id,), field=f"units.{unit.id}.type")
    if strange:
        return
    both = now.occupied(AXIS) & now.occupied(SOVIET)
    for cell in now.board.names(both):
        ids = tuple(u.id for u in now.position.at(cell))
        text = f"both sides are in {cell}"
        yield Violation("KHA-6.22", text, cells=(cell,), units=ids, field=f"units.{ids[0]}.cell")
    for cell in now.board.names(now.occupied(SOVIET) & now.garrisons()):
        ids = tuple(u.id for u in now.at(cell, SOVIET))
        text = f"a Soviet unit is in {cell}, and its garrison stands"
        yield Violation("KHA-15.3", text, cells=(cell,), units=ids, field=f"units.{ids[0]}.cell")
    units = now.position.units.values()
    sound = _SOUND.under(now.tables, now.position.options)
    yield from sound.problems(units, partial(_unit, now))
    yield from pending.problems(now)


def _unit(now: Situation, unit: Unit) -> Iterator[Violation]:
    mine, field = (unit.id,), f"units.{unit.id}"
    kind = now.kind(unit)
    if kind.side and unit.side != kind.side:
        text = f"{unit.id} is {unit.side}'s, and its counter ({kind.title}) {kind.side}'s"
        yield Violation("KHA-3.23", text, units=mine, field=f"{field}.side")
    ladder = unit.values.get("ladder")
    if ladder is not None and not _printable(ladder, unit.side):
        text = f"{unit.id} has no readable values"
        yield Violation("KHA-3.23", text, units=mine, field=f"{field}.values.ladder")
        return
    most = max(len(now.ladder(unit)), 2 if kind.pool else 1)
    if unit.cell and not 1 <= unit.steps <= most:
        text = f"{unit.id} has {unit.steps} steps of {most}"
        yield Violation("KHA-9.51", text, units=mine, field=f"{field}.steps")
    if unit.seen_by is not None:
        text = f"{unit.id} is hidden, and this game hides values, not places"
        yield Violation("KHA-12.0", text, units=mine, field=f"{field}.seen_by")
    if unit.has("strongpoint") and unit.type != "regiment":
        text = f"{unit.id} is no regiment and no strongpoint"
        yield Violation("KHA-15.21", text, units=mine, field=f"{field}.flags")
    if unit.has("disrupted") and not kind.combat:
        text = f"{unit.id} cannot be disrupted"
        yield Violation("KHA-7.34", text, units=mine, field=f"{field}.flags")


def _printable(ladder: object, side: str) -> bool:
    parts = 2 if side == AXIS else 3
    return (
        isinstance(ladder, tuple)
        and bool(ladder)
        and all(isinstance(s, str) and _numbers(s) == parts for s in ladder)
    )


def _numbers(text: str) -> int:
    parts = text.split("-")
    return len(parts) if all(part.isdecimal() and len(part) <= DIGITS for part in parts) else 0
