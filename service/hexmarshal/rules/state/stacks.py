"""Where units are: the stacks of a position by cell, place, box, side and bond."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping

    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import FrozenMap

__all__ = ["Changed", "Spot", "Stacks", "listed"]

T = TypeVar("T")
K = TypeVar("K", bound="Hashable")
Stack = tuple["Unit", ...]
# A side and a type of its units.
Kind: TypeAlias = tuple[str, str]
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
            self._cells = _grouped(found)
        return self._cells

    @property
    def places(self) -> Mapping[Spot, Stack]:
        """Each place within a cell with its stack."""
        if self._places is None:
            units = self.units.values()
            self._places = _grouped((spot, unit) for unit in units for spot in self._spots(unit))
        return self._places

    @property
    def boxes(self) -> Mapping[str, Stack]:
        """Each off-map box with its units."""
        if self._boxes is None:
            self._boxes = _grouped((unit.box, unit) for unit in self.units.values() if unit.box)
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
            self._veiled = frozenset(_veiled(self.units.values()))
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
        return tuple(sorted(map(self.units.__getitem__, ids), key=_rank))

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
                all_stay = _stays(old, new)
        if self._veiled is not None:
            made._veiled = _still_veiled(self._veiled, changed, changes)
        if self._kinds is not None:
            made._kinds = _retyped(self._kinds, pairs)
        if all_stay:
            self._hand_on(made, changes)
            return made
        if same_sides:
            made._members = self._members
            if self._sides is not None and len(pairs) <= FEW:
                made._sides = _in_their_sides(self._sides, self._members[0], changes)
        if self._boxes is not None:
            made._boxes = _reboxed(self._boxes, pairs)
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
            made._cells = _restacked(self._cells, left, come)
            made._carried = self._carried_over(dict(left).keys() | dict(come).keys())
        if self._places is not None:
            gone = [(spot, u.id) for u, _ in pairs if u is not None for spot in self._spots(u)]
            here = [(spot, u) for _, u in pairs if u is not None for spot in made._spots(u)]
            made._places = _restacked(self._places, gone, here)
        return made

    def _hand_on(self, made: Stacks, changed: list[Unit]) -> None:
        """The indices, where units on the map are others and all of them stay where they are."""
        made._members, made._boxes, made._held = self._members, self._boxes, self._held
        if self._sides is not None and len(changed) <= FEW:
            made._sides = _in_their_sides(self._sides, self._members[0], changed)
        if self._cells is not None:
            cells = [(cell, unit) for unit in changed for cell in unit.cells]
            made._cells = _replaced(self._cells, cells)
            made._carried = self._carried_over(dict(cells).keys())
        if self._places is not None:
            spots = ((spot, unit) for unit in changed for spot in made._spots(unit))
            made._places = _replaced(self._places, spots)

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


def _veiled(units: Iterable[Unit]) -> list[str]:
    return [u.id for u in units if u.seen_by is not None or u.known_to is not None]


def _still_veiled(
    before: frozenset[str], changed: Collection[str], units: Iterable[Unit]
) -> frozenset[str]:
    now = _veiled(units)
    return before.difference(changed).union(now) if before or now else before


def _retyped(
    kinds: dict[Kind, tuple[str, ...]], pairs: Iterable[tuple[Unit | None, Unit | None]]
) -> dict[Kind, tuple[str, ...]]:
    """The ids by side and type once some units, as they were and as they are, have changed."""
    found = kinds
    for old, new in pairs:
        was = old and (old.side, old.type)
        now = new and (new.side, new.type)
        if was != now:
            found = dict(found) if found is kinds else found
            if old and was:
                found[was] = tuple([name for name in found[was] if name != old.id])
            if new and now:
                found[now] = tuple(sorted((*found.get(now, ()), new.id)))
    return found


def _stays(old: Unit, new: Unit) -> bool:
    """Whether a unit on the map is where it was, at the same place in its stack, with its bonds."""
    return (
        new.cell != ""
        and old.cell == new.cell
        and old.rank == new.rank
        and old.side == new.side
        and old.place == new.place
        and old.footprint == new.footprint
        and not old.box
        and not new.box
        and old.carrier == new.carrier
        and old.bonds == new.bonds
    )


class Changed(NamedTuple):
    """Stacks that nobody has asked for since some units changed, who are named."""

    before: Stacks
    ids: frozenset[str]


def _in_their_sides(
    sides: Mapping[str, Stack],
    members: Mapping[str, tuple[str, ...]],
    changed: Iterable[Unit],
) -> dict[str, Stack]:
    """The units of each side, some of them as they are now: each is where its id is."""
    found = dict(sides)
    for unit in changed:
        if unit.side:
            stack = list(found[unit.side])
            stack[bisect_left(members[unit.side], unit.id)] = unit
            found[unit.side] = tuple(stack)
    return found


def _reboxed(
    boxes: dict[str, Stack], pairs: Iterable[tuple[Unit | None, Unit | None]]
) -> dict[str, Stack]:
    """The boxes once some units, given as they were and as they are, have changed."""
    left: list[tuple[str, str]] = []
    come: list[tuple[str, Unit]] = []
    for old, new in pairs:
        if old is not None and old.box:
            left.append((old.box, old.id))
        if new is not None and new.box:
            come.append((new.box, new))
    return _restacked(boxes, left, come) if left or come else boxes


def _rank(unit: Unit) -> tuple[int, str]:
    return unit.rank, unit.id


def listed(pairs: Iterable[tuple[K, T]]) -> dict[K, tuple[T, ...]]:
    """The things of each key, in the order given."""
    groups: dict[K, list[T]] = {}
    for where, thing in pairs:
        groups.setdefault(where, []).append(thing)
    return {where: tuple(things) for where, things in groups.items()}


def _grouped(pairs: Iterable[tuple[K, Unit]]) -> dict[K, Stack]:
    """Stacks, the bottom first; equal ranks stay in the order of their ids."""
    return {
        where: stack if len(stack) == 1 else tuple(sorted(stack, key=lambda unit: unit.rank))
        for where, stack in listed(pairs).items()
    }


def _replaced(index: dict[K, Stack], units: Iterable[tuple[K, Unit]]) -> dict[K, Stack]:
    """The index with these units in the places of those with their ids."""
    changed = dict(index)
    for where, unit in units:
        changed[where] = tuple([unit if one.id == unit.id else one for one in changed[where]])
    return changed


def _restacked(
    index: dict[K, Stack], left: Iterable[tuple[K, str]], come: Iterable[tuple[K, Unit]]
) -> dict[K, Stack]:
    """The index with some units out of their stacks and others in theirs."""
    changed = dict(index)
    for where, gone in left:
        stack = tuple([unit for unit in changed.pop(where, ()) if unit.id != gone])
        if stack:
            changed[where] = stack
    for where, unit in come:
        beside = changed.get(where)
        changed[where] = (unit,) if beside is None else tuple(sorted((*beside, unit), key=_rank))
    return changed
