"""What pieces show: units, markers, and where they lie."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from hexmarshal.rules.state.pieces import Marker, Unit
from hexmarshal.rules.values import EMPTY, Record
from hexmarshal.table.binding.facts import Fact, differ, differences, with_facts
from hexmarshal.table.binding.signs import OWN

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from hexmarshal.table.binding import MarkerRule
    from hexmarshal.table.binding.ties import Tie

__all__ = ["MarkerSighting", "Spotted", "UnitSighting", "Where"]


@dataclass(frozen=True, slots=True)
class Where:
    """A place of the table: a cell, a box with its values, or a location that is neither."""

    map: str
    location: str
    cell: str = ""
    box: str = ""
    values: Record = EMPTY

    @property
    def known(self) -> bool:
        """Whether the rules know the place."""
        return bool(self.cell or self.box)

    @property
    def beside(self) -> Where:
        """The same for what lies on a unit, and so in no cell by itself."""
        return replace(self, cell="")

    def __str__(self) -> str:
        return self.cell or self.box or self.location or "off the map"


@dataclass(frozen=True, slots=True)
class UnitSighting:
    """A unit as its piece shows it."""

    id: str
    type: str
    side: str
    where: Where
    facts: tuple[Fact, ...]
    piece: str = field(compare=False)
    problems: tuple[str, ...] = ()
    ties: tuple[Tie, ...] = ()
    worn: tuple[MarkerSighting, ...] = ()

    def since(self, before: UnitSighting | None, overruled: Mapping[str, str]) -> UnitSighting:
        """The same, when what the piece showed `before` is known.

        Who did not bear a sign of what ends by itself lacks none: only who is marked with that by
        which it is `overruled`, or from whom it is taken, bears it no more.
        """
        bare = {("flag", flag) for flag, by in overruled.items() if not self.bears(by)}
        bare -= {fact.key for fact in self.facts if fact.value}
        if before is not None:
            bare -= {
                fact.key
                for fact in before.facts
                if fact.key in bare and not (fact.aid or before.bears(overruled[fact.name]))
            }
        if not bare:
            return self
        facts = (fact._replace(aid=True) if fact.key in bare else fact for fact in self.facts)
        return replace(self, facts=tuple(facts))

    def with_aids(self, flags: Collection[str]) -> UnitSighting:
        """The same, when some flags follow from the rules: their signs only help to remember."""
        if not any(fact.of == "flag" and fact.name in flags for fact in self.facts):
            return self
        facts = (
            fact._replace(aid=True) if fact.of == "flag" and fact.name in flags else fact
            for fact in self.facts
        )
        return replace(self, facts=tuple(facts))

    def bears(self, flag: str) -> bool:
        """Whether the piece is marked with a flag."""
        return any(fact.key == ("flag", flag) and fact.value for fact in self.facts)

    @property
    def aboard(self) -> bool | None:
        """Whether the piece shows that another carries it; None if pieces do not show that."""
        return next((tie.tied for tie in self.ties if not tie.value), None)

    def on(self, unit: Unit | None, *, aids: bool = True) -> Unit:
        """The unit as known, with what the table shows made true; mere `aids` too, or not."""
        base = unit or Unit(self.id, self.type, self.side)
        found = with_facts(base, (fact for fact in self.facts if aids or not fact.aid))
        where = self.where
        moved = (found.cell, found.box) != (where.cell, where.box)
        if where.box:
            found = with_facts(found, (Fact("value", k, v) for k, v in where.values.items()))
        if not moved or (self.aboard and found.carrier):
            undecided = base.facing is None and base.seen_by is None and not found.facing
            # A piece shows some facing before its owner has chosen one.
            return replace(found, facing=None) if undecided else found
        return replace(found, cell=where.cell, box=where.box, carrier="", footprint=(), place="")

    def at_place_of(self, unit: Unit) -> bool:
        """Whether the piece lies where the unit is."""
        if unit.carrier and not (unit.cell or unit.box):
            return self.aboard is not False
        if self.aboard:
            return False
        return (unit.cell, unit.box) == (self.where.cell, self.where.box)

    def against(self, unit: Unit) -> tuple[tuple[Fact, Fact], ...]:
        """What the piece shows other than the unit is."""
        return differences(unit, self._telling(unit))

    def lacks_signs(
        self,
        unit: Unit,
        *,
        shared: bool = False,
        left_on: Collection[str] = (),
        borne: Collection[str] = (),
    ) -> bool:
        """Whether it only lacks flags; with `shared`, such as another may bear for it.

        Those are the ones that the binding says are, and what is `borne` by others. Or it bears
        some that may be `left_on`.
        """
        return all(
            right.of == "flag"
            and (right.value or right.name in left_on)
            and (not shared or shown.shared or right.name in borne)
            for right, shown in self.against(unit)
        )

    def contradicts(self, unit: Unit) -> bool:
        """Whether the piece shows anything other than the unit is."""
        return differ(unit, self._telling(unit))

    def _telling(self, unit: Unit) -> tuple[Fact, ...]:
        """What the piece shows that has to be so: nobody turns or marks who is carried.

        Nor does anybody take the marks off who lies in a box beside the map.
        """
        beside = not unit.cell and bool(unit.box) and unit.box == self.where.box
        if not (beside or (unit.carrier and self.aboard)):
            return self.facts
        return tuple(fact for fact in self.facts if fact.of not in ("flag", "facing"))


@dataclass(frozen=True, slots=True)
class MarkerSighting:
    """A marker, or a fact about a cell, as a piece shows it."""

    rule: MarkerRule
    id: str
    kind: str
    side: str
    where: Where
    piece: str = field(compare=False)
    facts: tuple[Fact, ...] = ()

    def on(self, known: Marker | None, unit: Unit | None = None) -> Marker:
        """The marker as known, on its unit if it has one, with what the table shows made true."""
        side = self.side
        own = self.id
        if unit is not None:
            own, side = (text.replace("{unit}", unit.id) for text in (own, side))
            side = side.replace("{unit side}", unit.side)
        base = known or Marker(own, self.kind, side)
        placed = replace(
            base,
            kind=self.kind,
            side=side or base.side,
            cell=self.where.cell,
            box=self.where.box if unit is None else "",
            unit="" if unit is None else unit.id,
        )
        return with_facts(placed, (_owned(fact, placed.side) for fact in self.facts))


Spotted = UnitSighting | MarkerSighting


def _owned(fact: Fact, side: str) -> Fact:
    """A fact about a marker, now that its side is known."""
    if isinstance(fact.value, frozenset) and OWN in fact.value:
        return fact._replace(value=frozenset((side,)))
    return fact
