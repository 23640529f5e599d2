"""What a change of some units makes of the stacks: only those that they leave or enter."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Mapping

    from hexmarshal.rules.state.pieces import Unit

__all__ = [
    "Kind",
    "Stack",
    "grouped",
    "in_their_sides",
    "listed",
    "rank",
    "reboxed",
    "replaced",
    "restacked",
    "retyped",
    "stays",
    "still_veiled",
    "veiled",
]

T = TypeVar("T")
K = TypeVar("K", bound="Hashable")
Stack = tuple["Unit", ...]
# A side and a type of its units.
Kind: TypeAlias = tuple[str, str]


def veiled(units: Iterable[Unit]) -> list[str]:
    """The ids of those that not all sides see, or know."""
    return [u.id for u in units if u.seen_by is not None or u.known_to is not None]


def still_veiled(
    before: frozenset[str], changed: Collection[str], units: Iterable[Unit]
) -> frozenset[str]:
    """The same once some units have changed, who are named and given as they are."""
    now = veiled(units)
    return before.difference(changed).union(now) if before or now else before


def retyped(
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


def stays(old: Unit, new: Unit) -> bool:
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


def in_their_sides(
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


def reboxed(
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
    return restacked(boxes, left, come) if left or come else boxes


def rank(unit: Unit) -> tuple[int, str]:
    """The place of a unit in its stack."""
    return unit.rank, unit.id


def listed(pairs: Iterable[tuple[K, T]]) -> dict[K, tuple[T, ...]]:
    """The things of each key, in the order given."""
    groups: dict[K, list[T]] = {}
    for where, thing in pairs:
        groups.setdefault(where, []).append(thing)
    return {where: tuple(things) for where, things in groups.items()}


def grouped(pairs: Iterable[tuple[K, Unit]]) -> dict[K, Stack]:
    """Stacks, the bottom first; equal ranks stay in the order of their ids."""
    return {
        where: stack if len(stack) == 1 else tuple(sorted(stack, key=lambda unit: unit.rank))
        for where, stack in listed(pairs).items()
    }


def replaced(index: dict[K, Stack], units: Iterable[tuple[K, Unit]]) -> dict[K, Stack]:
    """The index with these units in the places of those with their ids."""
    changed = dict(index)
    for where, unit in units:
        changed[where] = tuple([unit if one.id == unit.id else one for one in changed[where]])
    return changed


def restacked(
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
        changed[where] = (unit,) if beside is None else tuple(sorted((*beside, unit), key=rank))
    return changed
