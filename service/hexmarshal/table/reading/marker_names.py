"""Names for markers that were called after their pieces, whose numbers are of one save alone."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hexmarshal.rules.values import FrozenMap, thaw

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from hexmarshal.rules.state.pieces import Marker
    from hexmarshal.rules.state.position import Position

__all__ = ["named_by_place"]

_NUMBER: Final = re.compile(r"[0-9]+")


def named_by_place(position: Position, pieces: Container[str]) -> Position:
    """The position with such markers called after what they are and where they lie.

    They keep those names when they are laid out again, on other `pieces`.
    """
    made = [
        marker
        for marker in position.markers.values()
        if any(number in pieces for number in _NUMBER.findall(marker.id))
    ]
    if not made:
        return position
    kept = position.markers.without(*(marker.id for marker in made))
    named = {marker.id: marker for marker in kept.values()}
    for marker in sorted(made, key=_looks):
        name = _free(f"{marker.kind}@{marker.cell or marker.box or marker.unit}", named)
        named[name] = replace(marker, id=name)
    return replace(position, markers=FrozenMap(named))


def _looks(marker: Marker) -> tuple[str, ...]:
    """What two markers of a kind differ by: equal ones may have either name."""
    values = sorted((name, str(thaw(value))) for name, value in marker.values.items())
    return (marker.kind, marker.side, str(values), str(marker.facing), str(marker.known_to))


def _free(name: str, taken: Iterable[str]) -> str:
    """The name, or the first numbered one that nothing has."""
    number, found, names = 0, name, set(taken)
    while found in names:
        number += 1
        found = f"{name}#{number}"
    return found
