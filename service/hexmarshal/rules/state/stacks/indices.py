"""Where units are: the stacks of a position by cell, place, box, side and bond."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from hexmarshal.rules.state.stacks.regrouping import (
    Kind,
    Stack,
    grouped,
    in_their_sides,
    listed,
    rank,
    reboxed,
    replaced,
    restacked,
    retyped,
    stays,
    still_veiled,
    veiled,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import FrozenMap

__all__ = ["Changed", "Spot", "Stacks"]

T = TypeVar("T")
# What a change of units makes of something carried: see `Stacks.carried`.
Change: TypeAlias = "Callable[[T, Stacks, Collection[str]], T]"


class Spot(NamedTuple):
    """A cell and the place within it; both empty off the map."""

    cell: str
    place: str


NOWHERE = Spot("", "")
NOTHING: frozenset[str] = frozenset()
# So many units are sooner exchanged one by one than all looked up again.
FEW = 6


class Stacks:
    """The indices over the units of one position, each made when first asked for.

    A change of some units hands them on: only the stacks that those units leave or enter, with what
    goes along with them, are made anew. So a change costs the same however many bonds there are.
    """

    __slots__ = (
        "_boxes",
        "_carried",
        "_cells",
        "_held",
        "_kinds",
        "_members",
        "_places",
        "_sides",
        "_veiled",
        "units",
    )

    def __init__(self, units: FrozenMap[Unit]) -> None:
        self.units = units
        self._cells: dict[str, Stack] | None = None
        self._places: dict[Spot, Stack] | None = None
        self._held: dict[str, tuple[tuple[str, str], ...]] | None = None
        self._boxes: dict[str, Stack] | None = None
        self._sides: dict[str, Stack] | None = None
        self._kinds: dict[Kind, tuple[str, ...]] | None = None
        self._veiled: frozenset[str] | None = None
        # The ids of each side's units, once asked for: shared by all who have them alike.
        self._members: list[dict[str, tuple[str, ...]]] = []
        # As they were, and the cells whose stacks are others since.
        self._carried: dict[str, tuple[Any, frozenset[str]]] = {}

    @property
    def cells(self) -> Mapping[str, Stack]:
        """Each cell with its stack, the bottom first, what is carried included."""
        if self._cells is None:
            found = ((cell, unit) for unit in self.units.values() for cell in self._covered(unit))
            self._cells = grouped(found)
        return self._cells

    @property
    def places(self) -> Mapping[Spot, Stack]:
        """Each place within a cell with its stack."""
        if self._places is None:
            units = self.units.values()
            self._places = grouped((spot, unit) for unit in units for spot in self._spots(unit))
        return self._places

    @property
    def boxes(self) -> Mapping[str, Stack]:
        """Each off-map box with its units."""
        if self._boxes is None:
            self._boxes = grouped((unit.box, unit) for unit in self.units.values() if unit.box)
        return self._boxes

    @property
    def sides(self) -> Mapping[str, Stack]:
        """The units of each side, in the order of their ids."""
        if self._sides is None:
            if not self._members:
                pairs = ((unit.side, name) for name, unit in self.units.items() if unit.side)
                self._members.append(listed(pairs))
            find = self.units.__getitem__
            self._sides = {side: tuple(map(find, ids)) for side, ids in self._members[0].items()}
        return self._sides

    def of_type(self, side: str, kind: str) -> Stack:
        """The units of a side that are of this type, in the order of their ids."""
        if self._kinds is None:
            self._kinds = listed(((u.side, u.type), name) for name, u in self.units.items())
        return tuple(map(self.units.__getitem__, self._kinds.get((side, kind), ())))

    @property
    def veiled(self) -> frozenset[str]:
        """The ids of the units that not all sides see, or know."""
        if self._veiled is None:
            self._veiled = frozenset(veiled(self.units.values()))
        return self._veiled

    @property
    def held(self) -> dict[str, tuple[tuple[str, str], ...]]:
        """By unit, the bonds that it holds others by: the role and the other's id."""
        if self._held is None:
            self._held = listed(
                (holder, (role, unit.id))
                for unit in self.units.values()
                if unit.carrier or unit.bonds
                for role, holder in unit.held_by()
            )
        return self._held

    def carried(self, name: str, make: Callable[[Stacks], T], change: Change[T]) -> T:
        """What follows from the stacks cell by cell, such as the hexes that a side is in.

        It is made once; when it is asked for after units have changed, `change` gets it as it was,
        the stacks as they are now, and the cells whose stacks are others since.
        """
        held = self._carried.get(name)
        if held is None:
            found = make(self)
        else:
            found, touched = held
            if not touched:
                return found
            found = change(found, self, touched)
        self._carried[name] = (found, NOTHING)
        return found

    def bonded(self, unit: str, role: str) -> Stack:
        """The units that this one carries, possesses, tows..., the bottom of the stack first."""
        ids = [other for bond, other in self.held.get(unit, ()) if bond == role]
        return tuple(sorted(map(self.units.__getitem__, ids), key=rank))

    def spot(self, unit: Unit) -> Spot:
        """Where the unit is: its own cell and place, or those of the unit that it goes along with.

        A unit without a cell or a box of its own goes along with its carrier, or else with the
        first of its bonds, by role, that is on the map.
        """
        if unit.cell:
            return Spot(unit.cell, unit.place)
        return self._along(unit)

    def _along(self, unit: Unit) -> Spot:
        """Where what a unit is bonded to is, however many bonds away."""
        seen = {unit.id}
        way = [unit]
        onward = [iter(() if unit.box else unit.held_by())]
        while onward:
            bond = next(onward[-1], None)
            if bond is None:
                onward.pop()
                way.pop()
                continue
            holder = self.units.get(bond[1])
            if holder is None or holder.id in seen:
                continue
            seen.add(holder.id)
            if holder.cell:
                places = (one.place for one in (*way, holder) if one.place)
                return Spot(holder.cell, next(places, ""))
            if not holder.box:
                way.append(holder)
                onward.append(iter(holder.held_by()))
        return NOWHERE

    def _covered(self, unit: Unit) -> tuple[str, ...]:
        if unit.cell:
            return unit.cells
        if unit.carrier or unit.bonds:
            cell = self._along(unit).cell
            return (cell,) if cell else ()
        return ()

    def _spots(self, unit: Unit) -> Iterator[Spot]:
        if unit.cell:
            return (Spot(cell, unit.place) for cell in unit.cells)
        spot = self.spot(unit)
        return iter((spot,) if spot.cell else ())

    def after(self, units: FrozenMap[Unit], changed: Collection[str]) -> Stacks:
        """The stacks once the units are these, which differ from those before in `changed` only."""
        made = Stacks(units)
        pairs: list[tuple[Unit | None, Unit | None]] = []
        changes: list[Unit] = []
        all_stay = same_sides = True
        for name in changed:
            old, new = self.units.get(name), units.get(name)
            pairs.append((old, new))
            if new is not None:
                changes.append(new)
            if old is None or new is None or old.side != new.side:
                all_stay = same_sides = False
            elif all_stay:
                all_stay = stays(old, new)
        if self._veiled is not None:
            made._veiled = still_veiled(self._veiled, changed, changes)
        if self._kinds is not None:
            made._kinds = retyped(self._kinds, pairs)
        if all_stay:
            self._hand_on(made, changes)
            return made
        if same_sides:
            made._members = self._members
            if self._sides is not None and len(pairs) <= FEW:
                made._sides = in_their_sides(self._sides, self._members[0], changes)
        if self._boxes is not None:
            made._boxes = reboxed(self._boxes, pairs)
        if self._cells is None and self._places is None:
            return made
        held = made._held = self._held_after(pairs)
        if held:
            along = made._going_along([name for name in changed if name in held])
            pairs += [(self.units[name], units[name]) for name in along if name not in changed]
        if self._cells is not None:
            left: list[tuple[str, str]] = []
            come: list[tuple[str, Unit]] = []
            for old, new in pairs:
                if old is not None:
                    left += [(cell, old.id) for cell in self._covered(old)]
                if new is not None:
                    come += [(cell, new) for cell in made._covered(new)]
            made._cells = restacked(self._cells, left, come)
            made._carried = self._carried_over(dict(left).keys() | dict(come).keys())
        if self._places is not None:
            gone = [(spot, u.id) for u, _ in pairs if u is not None for spot in self._spots(u)]
            here = [(spot, u) for _, u in pairs if u is not None for spot in made._spots(u)]
            made._places = restacked(self._places, gone, here)
        return made

    def _hand_on(self, made: Stacks, changed: list[Unit]) -> None:
        """The indices, where units on the map are others and all of them stay where they are."""
        made._members, made._boxes, made._held = self._members, self._boxes, self._held
        if self._sides is not None and len(changed) <= FEW:
            made._sides = in_their_sides(self._sides, self._members[0], changed)
        if self._cells is not None:
            cells = [(cell, unit) for unit in changed for cell in unit.cells]
            made._cells = replaced(self._cells, cells)
            made._carried = self._carried_over(dict(cells).keys())
        if self._places is not None:
            spots = ((spot, unit) for unit in changed for spot in made._spots(unit))
            made._places = replaced(self._places, spots)

    def _carried_over(self, touched: Iterable[str]) -> dict[str, tuple[Any, frozenset[str]]]:
        """What is carried, where the stacks of these cells are others as well."""
        return {name: (value, old.union(touched)) for name, (value, old) in self._carried.items()}

    def _held_after(
        self, pairs: Iterable[tuple[Unit | None, Unit | None]]
    ) -> dict[str, tuple[tuple[str, str], ...]]:
        """The bonds once some units, given as they were and as they are, have changed."""
        first = held = self.held
        for old, new in pairs:
            before = old.held_by() if old is not None else ()
            now = new.held_by() if new is not None else ()
            if before == now:
                continue
            name = (old or new).id  # type: ignore[union-attr]
            if held is first:
                held = dict(held)
            for role, holder in before:
                left = tuple(bond for bond in held.pop(holder, ()) if bond != (role, name))
                if left:
                    held[holder] = left
            for role, holder in now:
                held[holder] = (*held.get(holder, ()), (role, name))
        return held

    def _going_along(self, holders: list[str]) -> dict[str, None]:
        """The units that are where one of these is, over however many bonds."""
        held = self.held
        along: dict[str, None] = {}
        while holders:
            for _, other in held.get(holders.pop(), ()):
                if other not in along and not self.units[other].cell:
                    along[other] = None
                    holders.append(other)
        return along


class Changed(NamedTuple):
    """Stacks that nobody has asked for since some units changed, who are named."""

    before: Stacks
    ids: frozenset[str]
