"""What happened to one piece on the table, and what it shows since."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.reading.sightings import UnitSighting

__all__ = [
    "Deed",
    "changed_where_it_stands",
    "dragged_along",
    "facing_of",
    "is_turned",
    "only_marks",
    "shows_otherwise",
]


@dataclass(frozen=True, slots=True)
class Deed:
    """What happened to one unit: as it was shown before and after, and the cells it went through.

    None: it was not on the table.
    """

    unit: str
    before: UnitSighting | None
    after: UnitSighting | None
    cells: tuple[str, ...] = ()

    @property
    def source(self) -> str:
        """The cell or the box that it came from."""
        if self.before is None:
            return ""
        return self.before.where.cell or self.before.where.box


def facing_of(deed: Deed) -> int | None:
    """Where the piece looks now, if it shows that."""
    facts = deed.after.facts if deed.after is not None else ()
    shown = next((fact.value for fact in facts if fact.of == "facing"), None)
    return shown if isinstance(shown, int) else None


def is_turned(deed: Deed) -> bool:
    """Whether nothing was done to a unit but that it was turned where it stands."""
    return changed_where_it_stands(deed) == {"facing"}


def changed_where_it_stands(deed: Deed) -> frozenset[str]:
    """What its piece shows otherwise, in the same place; nothing, if it went anywhere."""
    before, after = deed.before, deed.after
    if before is None or after is None or deed.cells or before.where != after.where:
        return frozenset()
    return frozenset(fact.of for fact in {*before.facts} ^ {*after.facts})


def only_marks(deed: Deed) -> bool:
    """Whether nothing but flags was put on a unit, or taken off."""
    if deed.before is None or deed.after is None:
        return False
    return {fact.of for fact in {*deed.before.facts} ^ {*deed.after.facts}} <= {"flag"}


def shows_otherwise(position: Position, deeds: Sequence[Deed]) -> bool:
    """Whether the piece of some unit shows something else, wherever it lies."""
    return any(
        deed.after is not None
        and deed.unit in position.units
        and any(fact.of != "facing" for fact, _ in deed.after.against(position.units[deed.unit]))
        for deed in deeds
    )


def dragged_along(deeds: Sequence[Deed], units: Mapping[str, Unit]) -> frozenset[str]:
    """Those who went the same way as what carries them."""
    ways = {deed.unit: deed.cells for deed in deeds if deed.cells}
    return frozenset(
        name
        for name, way in ways.items()
        if name in units and units[name].carrier and ways.get(units[name].carrier) == way
    )
