"""Where the table shows something other than a position: the traces of what was done since."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hexmarshal.referee.case.table_comparison import apart, changed
from hexmarshal.table.reading.bookkeeping import Item, shown_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from hexmarshal.referee.case.mind import Sights
    from hexmarshal.referee.interpret.deed import Deed
    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.reading.bookkeeping import Books
    from hexmarshal.table.reading.sightings import UnitSighting

__all__ = ["TableView", "Traces"]


@dataclass(frozen=True, slots=True)
class Traces:
    """What is otherwise on the table than in a position.

    `ends` are the cells where units lie now that were elsewhere, `ways` those through which some
    were dragged, `cells` all where something is otherwise, `cards` what left a pile.
    """

    units: tuple[str, ...]
    items: tuple[Item, ...] = ()
    cells: frozenset[str] = frozenset()
    ends: Mapping[str, str] = field(default_factory=dict)
    ways: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    cards: frozenset[str] = frozenset()
    handed_over: bool = False

    @property
    def any(self) -> bool:
        """Whether there are any."""
        return bool(self.units or self.items or self.cards or self.handed_over)

    @property
    def tells_who(self) -> bool:
        """Whether they are about somebody: a track alone tells only that something was paid."""
        others = any(item.of != "track" for item in self.items)
        return bool(self.units or self.cards or self.handed_over or others)

    def is_about(self, before: Position, after: Position) -> bool:
        """Whether an action moves a track that shows something else, be it still otherwise."""
        tracks = (item.name for item in self.items if item.of == "track")
        return any(before.track(name) != after.track(name) for name in tracks)


class TableView:
    """The table at one moment, to be held against many positions.

    `ways` are those of units that were dragged, each with the cell where it began.
    What is `ignored` the players do not keep; only what was touched, or is changed by the rules, is
    looked at.
    """

    def __init__(
        self,
        books: Books,
        sights: Sights,
        ways: Mapping[str, tuple[tuple[str, ...], ...]],
        ignored: Collection[object] = (),
        *,
        cards: bool = False,
        lenient: bool = False,
        overruled: Mapping[str, str] | None = None,
    ) -> None:
        """With `lenient`, signs may be put on units later than it is done.

        Nor need one be taken off that is `overruled` by another.
        """
        self._lenient, self._overruled = lenient, overruled or {}
        self.books, self.sights, self._ways = books, sights, ways
        self._ignored = frozenset(ignored)
        self._piles = sights.piles() if cards else {}
        self._acting = sights.acting()
        self._cards = cards

    @property
    def piles(self) -> Mapping[str, tuple[str, ...]]:
        """What the piles hold, as far as somebody touched them."""
        return self._piles

    def shows(self, unit: str) -> UnitSighting | None:
        """A unit as its piece shows it."""
        return self.sights.units.get(unit)

    def lacks(self, position: Position, unit: str) -> bool:
        """Whether a piece shows less than its unit is there: a sign left on it is no lack."""
        seen, known = self.shows(unit), position.units.get(unit)
        if seen is None or known is None or not self.unit_apart(position, unit):
            return False
        left_on = all(right.of == "flag" and not right.value for right, _ in seen.against(known))
        return not (left_on and seen.at_place_of(known))

    def traces(
        self, start: Position, position: Position, units: Collection[str], items: Collection[Item]
    ) -> Traces:
        """What is otherwise, among what was touched since `start` or changed by the rules."""
        looked = dict.fromkeys((*sorted(units), *changed(start, position)))
        odd_units = tuple(u for u in looked if self.unit_apart(position, u))
        kept = dict.fromkeys((*sorted(items), *self.books.changed(start, position)))
        odd = tuple(item for item in kept if self.item_apart(position, item))
        ends: dict[str, str] = {}
        cells: set[str] = {item.place for item in odd if item.place and item.place not in looked}
        for unit in odd_units:
            seen, known = self.shows(unit), position.units.get(unit)
            here, there = (seen.where.cell if seen else ""), (known.cell if known else "")
            cells |= {here, there} - {""}
            if here and here != there:
                ends[unit] = here
        marked = tuple(
            item.place
            for item in odd
            if item.place in position.units and item.place not in odd_units
        )
        cells |= {position.units[unit].cell for unit in marked} - {""}
        return Traces(
            (*odd_units, *dict.fromkeys(marked)),
            odd,
            frozenset(cells),
            ends,
            {unit: self._ahead(unit, position) for unit in self._ways if unit in ends},
            frozenset(self._gone(position)),
            self._handed_over(position),
        )

    def agrees(
        self, start: Position, position: Position, units: Collection[str], items: Collection[Item]
    ) -> bool:
        """Whether the table shows just this position, as far as it was touched."""
        if self._handed_over(position):
            return False
        if any(self.unit_apart(position, unit) for unit in units):
            return False
        if any(self.item_apart(position, item) for item in items):
            return False
        if any(self.unit_apart(position, u) for u in changed(start, position) if u not in units):
            return False
        if any(self.item_apart(position, i) for i in self.books.changed(start, position)):
            return False
        return not self._cards_apart(start, position)

    def mends(self, traces: Traces, after: Position) -> bool:
        """Whether some of the traces are explained after an action."""
        units = after.units
        return (
            any(unit in units and units[unit].cell == end for unit, end in traces.ends.items())
            or any(not self.unit_apart(after, unit) for unit in traces.units)
            or any(not self.item_apart(after, item) for item in traces.items)
            or (traces.handed_over and not self._handed_over(after))
            or (bool(traces.cards) and traces.cards != frozenset(self._gone(after)))
        )

    def left_on_tracks(self, traces: Traces, after: Position) -> int | None:
        """By how much tracks with traces are still less than after an action.

        None if they are as they should be; 0 if nobody keeps them.
        """
        if any(Item("track", name) in self._ignored for name in after.tracks):
            return 0
        odd = [i for i in traces.items if i.of == "track" and self.item_apart(after, i)]
        shown = ((shown_of(self.sights.books, item), after.track(item.name)) for item in odd)
        left = sum(max(0, right - seen) for seen, right in shown if isinstance(seen, int))
        return left or None

    def is_paid_in_part(self, start: Position, after: Position, items: Collection[Item]) -> bool:
        """Whether tracks among these were lowered, and by no more than actions lower them."""
        tracks = [item for item in items if item.of == "track"]
        shown = ((shown_of(self.sights.books, item), item.name) for item in tracks)
        return all(
            isinstance(seen, int) and after.track(name) <= seen < start.track(name)
            for seen, name in shown
        )

    def is_raised(self, position: Position, items: Collection[Item]) -> bool:
        """Whether some of these tracks show more than in a position."""
        kept = (item for item in items if item.of == "track" and item not in self._ignored)
        shown = ((shown_of(self.sights.books, item), item.name) for item in kept)
        return any(isinstance(seen, int) and seen > position.track(name) for seen, name in shown)

    def is_overpaid(self, before: Position, after: Position, items: Collection[Item]) -> bool:
        """Whether an action takes more off one of these tracks than players took off it."""
        kept = (item for item in items if item.of == "track" and item not in self._ignored)
        shown = ((shown_of(self.sights.books, item), item.name) for item in kept)
        return any(
            isinstance(seen, int) and after.track(name) < seen < before.track(name)
            for seen, name in shown
        )

    def is_in_hand(self, before: Position, after: Position) -> bool:
        """Whether a card that an action plays lies in its hand still."""
        if after.piles is before.piles:
            return False
        shown = self.sights.piles()
        hands = [pile for pile in before.piles.values() if pile.known_to]
        return any(
            (Counter(pile.cards) - Counter(after.pile(pile.name).cards)) & Counter(shown[pile.name])
            for pile in hands
            if pile.name in shown
        )

    def leaves_own(self, traces: Traces, after: Position, side: str) -> bool:
        """Whether units of a side still look otherwise after an action: no points change that."""
        units = after.units
        return any(
            self.unit_apart(after, unit)
            for unit in traces.units
            if unit in units and units[unit].side == side
        )

    def comes_of(self, before: Position, after: Position, deed: Deed) -> bool:
        """Whether an action does to a unit what was done to its piece."""
        known = after.units.get(deed.unit)
        if before.units.get(deed.unit) is known:
            return False
        if deed.before is None or deed.after is None or known is None:
            return not apart(after, self.sights.units, deed.unit)
        if not deed.after.at_place_of(known):
            return False
        old = {fact.key: fact for fact in deed.before.facts}
        done = {fact.key for fact in deed.after.facts if not fact.aid and old.get(fact.key) != fact}
        wrong = {other.key for _, other in deed.after.against(known)}
        moved = deed.before.where != deed.after.where
        return (moved or bool(done)) and not wrong & done

    def missing(self, before: Position, after: Position, units: Collection[str]) -> int:
        """How much more than these units an action would change that the table does not show.

        A card that was played has left its hand.
        """
        others = (unit for unit in changed(before, after) if unit not in units)
        cards = sum(
            before.pile(name).cards != after.pile(name).cards
            and Counter(after.pile(name).cards) != Counter(shown)
            for name, shown in self.sights.piles().items()
        )
        return sum(self.unit_apart(after, u) for u in others) + self._handed_over(after) + cards

    def unit_apart(self, position: Position, unit: str) -> bool:
        """Whether the table shows a unit otherwise than a position has it."""
        if unit in self._ignored or not apart(position, self.sights.units, unit):
            return False
        if self._shares_sign(position, unit):
            return False
        return not (self._lenient and self._lacks_signs(position, unit))

    def _shares_sign(self, position: Position, unit: str) -> bool:
        """Whether it lacks only a sign that lies on another who acts with it."""
        known, seen = position.units.get(unit), self.sights.units.get(unit)
        if known is None or seen is None or not seen.at_place_of(known):
            return False
        return seen.lacks_signs(known, shared=True, borne=self._overruled) and any(
            self.sights.units[other.id].bears(right.name)
            for right, _ in seen.against(known)
            for other in position.units.values()
            if other.side == known.side and other.has(right.name) and other.id in self.sights.units
        )

    def _lacks_signs(self, position: Position, unit: str) -> bool:
        known, seen = position.units.get(unit), self.sights.units.get(unit)
        if known is None or seen is None or not seen.at_place_of(known):
            return False
        left_on = frozenset(sign for sign, by in self._overruled.items() if known.has(by))
        return seen.lacks_signs(known, left_on=left_on)

    def item_apart(self, position: Position, item: Item) -> bool:
        """Whether the table shows something of the books otherwise than a position has it."""
        if item in self._ignored or item in self.sights.left:
            return False
        return self.books.apart(position, self.sights.books, item)

    def _ahead(self, unit: str, position: Position) -> tuple[tuple[str, ...], ...]:
        """What is left of the ways that a unit was dragged, from where it is."""
        here = position.units[unit].cell if unit in position.units else ""
        if not here:
            return tuple(way[1:] for way in self._ways[unit])
        return tuple(way[way.index(here) + 1 :] for way in self._ways[unit] if here in way)

    def _handed_over(self, position: Position) -> bool:
        """Whether the marker for whose go it is lies with another."""
        if not self._acting or "acting" in self._ignored or len(position.active) != 1:
            return False
        return position.active[0] != self._acting

    def _gone(self, position: Position) -> Counter[str]:
        gone: Counter[str] = Counter()
        for name, cards in self._piles.items():
            gone += Counter(position.pile(name).cards) - Counter(cards)
        return gone

    def _cards_apart(self, start: Position, position: Position) -> bool:
        if not self._cards:
            # Nobody touched a pile: so nothing was drawn from one that lies on the table.
            return start.piles is not position.piles and any(
                start.pile(name).cards != position.pile(name).cards
                for name in self.sights.pile_names
            )
        return any(
            position.pile(name).cards != cards
            and Counter(position.pile(name).cards) != Counter(cards)
            for name, cards in self._piles.items()
        )
