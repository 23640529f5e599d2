"""Effects: what an action changed, as a small vocabulary of data that the kernel can apply."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from hexmarshal.errors import NotFoundError, Place
from hexmarshal.rules.copying import copied, quick
from hexmarshal.rules.frames.effects import ChangeFrame, PopFrame, PushFrame
from hexmarshal.rules.frames.frame import Resume, base_of, settled
from hexmarshal.rules.state.pieces import (
    NO_BONDS,
    NO_FLAGS,
    Bonds,
    Marker,
    Pile,
    Unit,
    sides_after,
)
from hexmarshal.rules.values import EMPTY, FrozenMap, Record, Value, changed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.rules.state.position import Position

__all__ = [
    "AddMarker",
    "AddUnit",
    "ChangeFrame",
    "ChangeUnit",
    "Effect",
    "MoveCards",
    "MoveUnit",
    "PopFrame",
    "Proceed",
    "PushFrame",
    "RemoveMarker",
    "RemoveUnit",
    "SetCell",
    "SetExtra",
    "SetKnowledge",
    "SetPile",
    "SetTrack",
    "apply_effects",
    "change_units",
]


@quick
@dataclass(frozen=True, slots=True)
class MoveUnit:
    """A unit goes to a cell, a box or onto a carrier, on top of what is there.

    On top of what all know of who see the unit itself: its place in the stack betrays nobody.
    """

    effect: ClassVar[str] = "move_unit"
    unit: str
    cell: str = ""
    level: int = 0
    box: str = ""
    carrier: str = ""
    footprint: tuple[str, ...] = ()
    facing: int | None = None  # None: as before
    place: str = ""

    def on(self, position: Position) -> Position:
        """The position after it."""
        unit = position.unit(self.unit)
        there = (
            position.at(self.cell)
            if self.cell
            else position.in_box(self.box)
            if self.box
            else position.carried_by(self.carrier)
            if self.carrier
            else ()
        )
        seen = unit.seen_by
        top = 0
        for other in there:
            known = other.seen_by is None or (seen is not None and seen <= other.seen_by)
            if known and other.rank >= top and other.id != unit.id:
                top = other.rank + 1
        return position.with_unit(
            copied(
                unit,
                cell=self.cell,
                level=self.level,
                box=self.box,
                carrier=self.carrier,
                footprint=self.footprint,
                rank=top,
                facing=unit.facing if self.facing is None else self.facing,
                place=self.place,
            )
        )


@quick
@dataclass(frozen=True, slots=True)
class ChangeUnit:
    """A unit's facing, steps, flags, values, type, side or secrecy changes; null removes a value.

    `bonds` names by role the units that hold it from now on, none to end a bond. `seen_by` and
    `known_to` hold None to leave them, ("*",) for all sides, else the sides.
    """

    effect: ClassVar[str] = "change_unit"
    unit: str
    type: str = ""
    side: str = ""
    facing: int | None = None
    steps: int | None = None
    rank: int | None = None
    level: int | None = None
    flags: frozenset[str] = NO_FLAGS
    unflags: frozenset[str] = NO_FLAGS
    values: Record = EMPTY
    seen_by: tuple[str, ...] | None = None
    known_to: tuple[str, ...] | None = None
    place: str | None = None
    bonds: Bonds = NO_BONDS

    def on(self, position: Position) -> Position:
        """The position after it."""
        return position.with_unit(self.of(position.unit(self.unit)))

    def of(self, unit: Unit) -> Unit:
        """The unit after it."""
        changes: dict[str, Any] = {}
        if self.type:
            changes["type"] = self.type
        if self.side:
            changes["side"] = self.side
        if self.facing is not None:
            changes["facing"] = self.facing
        if self.steps is not None:
            changes["steps"] = self.steps
        if self.rank is not None:
            changes["rank"] = self.rank
        if self.level is not None:
            changes["level"] = self.level
        if self.place is not None:
            changes["place"] = self.place
        if self.flags or self.unflags:
            changes["flags"] = (unit.flags | self.flags) - self.unflags
        if self.values is not EMPTY:
            changes["values"] = changed(unit.values, self.values)
        if self.seen_by is not None:
            changes["seen_by"] = sides_after(self.seen_by, unit.seen_by)
        if self.known_to is not None:
            changes["known_to"] = sides_after(self.known_to, unit.known_to)
        if self.bonds is not NO_BONDS:
            changes["bonds"] = _rebound(unit.bonds, self.bonds)
        return copied(unit, **changes)


@dataclass(frozen=True, slots=True)
class AddUnit:
    """A unit enters the game, or takes the place of the one with its id."""

    effect: ClassVar[str] = "add_unit"
    id: str
    unit: Unit

    def on(self, position: Position) -> Position:
        """The position after it."""
        return position.with_unit(copied(self.unit, id=self.id))


@dataclass(frozen=True, slots=True)
class RemoveUnit:
    """A unit leaves the game for good; a game that counts losses moves it to a box instead."""

    effect: ClassVar[str] = "remove_unit"
    unit: str

    def on(self, position: Position) -> Position:
        """The position after it."""
        position.unit(self.unit)
        return position.without_unit(self.unit)


@dataclass(frozen=True, slots=True)
class AddMarker:
    """A marker is put down, or replaced."""

    effect: ClassVar[str] = "add_marker"
    id: str
    marker: Marker

    def on(self, position: Position) -> Position:
        """The position after it."""
        return position.with_marker(copied(self.marker, id=self.id))


@dataclass(frozen=True, slots=True)
class RemoveMarker:
    """A marker is taken off."""

    effect: ClassVar[str] = "remove_marker"
    marker: str

    def on(self, position: Position) -> Position:
        """The position after it."""
        if self.marker not in position.markers:
            raise NotFoundError(f"no marker {self.marker!r}", place=Place(field="marker"))
        return copied(position, markers=position.markers.without(self.marker))


@quick
@dataclass(frozen=True, slots=True)
class SetTrack:
    """A track's marker goes to this value."""

    effect: ClassVar[str] = "set_track"
    track: str
    value: int

    def on(self, position: Position) -> Position:
        """The position after it."""
        return position.with_track(self.track, self.value)


@quick
@dataclass(frozen=True, slots=True)
class SetPile:
    """A pile is as given: made, shuffled, or emptied."""

    effect: ClassVar[str] = "set_pile"
    name: str
    pile: Pile

    def on(self, position: Position) -> Position:
        """The position after it."""
        return position.with_pile(copied(self.pile, name=self.name))


@dataclass(frozen=True, slots=True)
class MoveCards:
    """Cards go, in the order named, from one pile onto the top of another (or under it)."""

    effect: ClassVar[str] = "move_cards"
    source: str
    target: str
    cards: tuple[str, ...]
    place: str = "top"

    def on(self, position: Position) -> Position:
        """The position after it."""
        source, target = position.pile(self.source), position.pile(self.target)
        left = list(source.cards)
        for card in self.cards:
            if card not in left:
                raise NotFoundError(
                    f"no card {card!r} in {self.source!r}", place=Place(field="cards")
                )
            left.remove(card)
        kept = tuple(left) if self.source == self.target else target.cards
        joined = (*self.cards, *kept) if self.place == "top" else (*kept, *self.cards)
        return position.with_pile(copied(source, cards=tuple(left)), copied(target, cards=joined))


@dataclass(frozen=True, slots=True)
class SetCell:
    """Something about a cell changes: control, rubble, a bridge; null removes a value."""

    effect: ClassVar[str] = "set_cell"
    cell: str
    values: Record

    def on(self, position: Position) -> Position:
        """The position after it."""
        after = changed(position.cells.get(self.cell, EMPTY), self.values)
        cells = position.cells
        return copied(
            position, cells=cells.set(self.cell, after) if after else cells.without(self.cell)
        )


@quick
@dataclass(frozen=True, slots=True)
class SetExtra:
    """One of the game's own values changes; null removes it."""

    effect: ClassVar[str] = "set_extra"
    name: str
    value: Value = None

    def on(self, position: Position) -> Position:
        """The position after it."""
        extras = changed(position.extras, FrozenMap({self.name: self.value}))
        return copied(position, extras=extras)


@dataclass(frozen=True, slots=True)
class SetKnowledge:
    """One side learns, or forgets, something that the others do not know."""

    effect: ClassVar[str] = "set_knowledge"
    side: str
    values: Record

    def on(self, position: Position) -> Position:
        """The position after it."""
        known = changed(position.knowledge.get(self.side, EMPTY), self.values)
        return copied(position, knowledge=position.knowledge.set(self.side, known))


@quick
@dataclass(frozen=True, slots=True)
class Proceed:
    """The game goes on: another turn, phase, state or active side; None leaves one as it is.

    While frames are open, the state and the active sides are those that play goes back to.
    """

    effect: ClassVar[str] = "proceed"
    turn: int | None = None
    phase: str | None = None
    state: str | None = None
    active: tuple[str, ...] | None = None

    def on(self, position: Position) -> Position:
        """The position after it."""
        if position.frames:
            base = base_of(position)
            base = Resume(
                base.state if self.state is None else self.state,
                base.active if self.active is None else self.active,
            )
            position = settled(position, position.frames, base)
            return copied(
                position,
                turn=position.turn if self.turn is None else self.turn,
                phase=position.phase if self.phase is None else self.phase,
            )
        return copied(
            position,
            turn=position.turn if self.turn is None else self.turn,
            phase=position.phase if self.phase is None else self.phase,
            state=position.state if self.state is None else self.state,
            active=position.active if self.active is None else self.active,
        )


Effect: TypeAlias = (
    MoveUnit
    | ChangeUnit
    | AddUnit
    | RemoveUnit
    | AddMarker
    | RemoveMarker
    | SetTrack
    | SetPile
    | MoveCards
    | SetCell
    | SetExtra
    | SetKnowledge
    | Proceed
    | PushFrame
    | ChangeFrame
    | PopFrame
)


def _rebound(bonds: Bonds, changes: Bonds) -> Bonds:
    ended = [role for role, units in changes.items() if not units]
    return bonds.merged(changes).without(*ended)


def apply_effects(position: Position, effects: Iterable[Effect]) -> Position:
    """The position after all of them, in order."""
    for effect in effects:
        position = effect.on(position)
    return position


def change_units(position: Position, effects: Iterable[ChangeUnit]) -> Position:
    """The same where all of them change units: in one stroke."""
    units: dict[str, Unit] = {}
    for effect in effects:
        name = effect.unit
        units[name] = effect.of(units.get(name) or position.unit(name))
    return position.with_unit(*units.values())
