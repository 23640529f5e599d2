"""How long marks last: flags, values and markers that end by themselves, for all games alike.

A game declares them; the ledger lets them end when the phase, the player's turn or the game turn
ends, or when the unit moves. What ends is an effect like any other, and stands in the account.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from hexmarshal.rules.frames.frame import base_of
from hexmarshal.rules.state.effects import ChangeUnit, MoveUnit, Proceed, RemoveMarker, SetExtra
from hexmarshal.rules.state.pieces import NO_FLAGS
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.rules.state.effects import Effect
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Value

__all__ = ["ENDING", "Lifetime", "Until", "after", "before"]


# With other effects nothing ends.
ENDING = (Proceed, MoveUnit)


class Until(StrEnum):
    """What ends a mark."""

    PHASE = "phase"
    PLAYER_TURN = "player turn"
    TURN = "turn"
    MOVED = "moved"


@dataclass(frozen=True, slots=True)
class Lifetime:
    """Marks of one length: flags and values of units, kinds of markers, extras.

    A phase ends when another one, another player's or another turn begins; a player's turn when
    another side may act and the phase or the turn is another one too. With `phases` they end with
    these phases alone; with `own` only on units and markers of the sides whose phase it was; units
    of the types `kept_by` keep theirs. Until moved: those on the unit that goes to another cell.
    """

    until: Until
    flags: frozenset[str] = NO_FLAGS
    values: tuple[str, ...] = ()
    markers: tuple[str, ...] = ()
    extras: tuple[str, ...] = ()
    phases: tuple[str, ...] = ()
    own: bool = False
    kept_by: tuple[str, ...] = ()
    rule: str = ""


def before(lifetimes: Sequence[Lifetime], position: Position, effect: Effect) -> tuple[Effect, ...]:
    """What ends before this effect happens: marks of a phase, of a player's turn, of a turn."""
    if not isinstance(effect, Proceed):
        return ()
    moments = _moments(position, effect)
    due = [
        lifetime
        for lifetime in lifetimes
        if lifetime.until in moments and (not lifetime.phases or position.phase in lifetime.phases)
    ]
    return tuple(_ended(due, position)) if due else ()


def after(lifetimes: Sequence[Lifetime], position: Position, effect: Effect) -> tuple[Effect, ...]:
    """What ends after this effect, on the position before it: marks of a unit that moved."""
    if not isinstance(effect, MoveUnit) or effect.cell == position.unit(effect.unit).cell:
        return ()
    due = [lifetime for lifetime in lifetimes if lifetime.until is Until.MOVED]
    if not due:
        return ()
    unit = position.unit(effect.unit)
    kinds = {kind for lifetime in due for kind in lifetime.markers}
    gone = (RemoveMarker(m.id) for m in position.markers_on(unit.id) if m.kind in kinds)
    return (*_unmarked(unit, due), *gone)


def _moments(position: Position, effect: Proceed) -> set[Until]:
    turn = effect.turn is not None and effect.turn != position.turn
    phase = effect.phase is not None and effect.phase != position.phase
    sides = effect.active is not None and set(effect.active) != set(base_of(position).active)
    found = set()
    if turn or phase:
        found.add(Until.PHASE)
        if sides:
            found.add(Until.PLAYER_TURN)
    if turn:
        found.add(Until.TURN)
    return found


def _ended(due: Sequence[Lifetime], position: Position) -> Iterator[Effect]:
    whose = base_of(position).active
    flags = NO_FLAGS.union(*(one.flags for one in due))
    values = {name for one in due for name in one.values}
    for unit in position.units.values():
        if flags.isdisjoint(unit.flags) and values.isdisjoint(unit.values):
            continue
        yield from _unmarked(unit, [one for one in due if not one.own or unit.side in whose])
    for marker in position.markers.values():
        for lifetime in due:
            if marker.kind in lifetime.markers and (not lifetime.own or marker.side in whose):
                yield RemoveMarker(marker.id)
                break
    for name in dict.fromkeys(name for lifetime in due for name in lifetime.extras):
        if name in position.extras:
            yield SetExtra(name)


def _unmarked(unit: Unit, lifetimes: Sequence[Lifetime]) -> Iterator[Effect]:
    due = [lifetime for lifetime in lifetimes if unit.type not in lifetime.kept_by]
    flags = NO_FLAGS.union(*(lifetime.flags for lifetime in due)) & unit.flags
    gone: dict[str, Value] = {
        name: None for lifetime in due for name in lifetime.values if name in unit.values
    }
    if flags or gone:
        yield ChangeUnit(unit.id, unflags=flags, values=FrozenMap(gone))
