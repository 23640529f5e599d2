"""The books that players keep beside the units: markers, what they tell of cells, and tracks.

The rules know them as `Position.markers`, `cells` and `tracks`. Here each is an `Item` with what it
shows, so that the table and a position can be laid side by side.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, Union

from hexmarshal.rules.state.pieces import Marker
from hexmarshal.rules.values import EMPTY, FrozenMap, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from hexmarshal.rules.plugin import Game
    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.binding import Binding, MarkerRule

__all__ = ["Books", "Item", "Kept", "marker_kinds", "shown_of"]

# A number of markers, what markers tell of a cell, or the number on a track; None: unreadable.
Kept: TypeAlias = Union[int, Record, None]  # noqa: UP007 - `Record` is a name, not yet a type


class Item(NamedTuple):
    """One thing in the books: `of` is marker, cell or track; `name` a kind of marker or a track."""

    of: str
    name: str
    place: str = ""

    def __str__(self) -> str:
        match self.of:
            case "marker":
                return f"markers {self.name} on {self.place}"
            case "cell":
                return f"the cell {self.place}"
            case _:
                return f"the track {self.name}"

    def tells(self, kept: Kept) -> str:
        """In words."""
        if isinstance(kept, FrozenMap):
            told = ", ".join(f"{name} {value}" for name, value in kept.items())
            return told or "nothing special"
        if self.of == "marker":
            return str(kept or "none")
        return "no number" if kept is None else str(kept)


class Books:
    """Which books a binding lets the referee see, and what a position has in them.

    What is judged leaves out the mere aids; what is read, `aids` too, does not.
    """

    def __init__(self, binding: Binding, game: Game, *, aids: bool = False) -> None:
        markers = [rule for rule in binding.markers if aids or not rule.aid]
        self.facts = tuple(rule for rule in markers if rule.cell)
        self.kinds = marker_kinds(markers, game)
        self.tracks = tuple(rule.track for rule in binding.tracks if aids or not rule.aid)
        named = (("track", game.tracks), ("marker", game.markers))
        self._titles = {(of, one.key): one.title for of, all_of in named for one in all_of}
        # What pieces call the markers that lie on units.
        self._on_units = next((r.id for r in markers if r.on_unit and "{piece}" not in r.id), "")
        self._sides = {rule.kind: rule.side for rule in markers if "{" not in rule.side}
        self._of_units = frozenset(rule.kind for rule in markers if rule.on_unit and rule.kind)
        self._boxes = frozenset(box.key for box in game.boxes)
        self._in_heaps = bool(binding.laid)

    def told(self, record: Record) -> Record:
        """What markers would show of a cell with this record."""
        if not record:
            return EMPTY
        found = {
            name: value
            for rule in self.facts
            if rule.cell.items() <= record.items()
            for name, value in rule.cell.items()
        }
        return FrozenMap(found)

    def expected(self, position: Position, item: Item) -> Kept:
        """What the books should show by the rules."""
        match item.of:
            case "marker":
                return len(self._lying(position, item))
            case "cell":
                return self.told(position.cells.get(item.place, EMPTY))
            case _:
                return position.track(item.name)

    def _lying(self, position: Position, item: Item) -> list[Marker]:
        return [
            marker
            for marker in position.markers.values()
            if marker.kind == item.name and self.place(position, marker) == item.place
        ]

    def changed(self, before: Position, after: Position) -> Iterator[Item]:
        """What is in the books otherwise than before."""
        if before.tracks is not after.tracks:
            for name in self.tracks:
                if before.track(name) != after.track(name):
                    yield Item("track", name)
        if before.cells is not after.cells and self.facts:
            for cell in dict.fromkeys((*before.cells, *after.cells)):
                old, new = before.cells.get(cell, EMPTY), after.cells.get(cell, EMPTY)
                if old is not new and self.told(old) != self.told(new):
                    yield Item("cell", "", cell)
        if before.markers is not after.markers and self.kinds:
            old_count, new_count = self._count(before), self._count(after)
            for item in dict.fromkeys((*old_count, *new_count)):
                if old_count[item] != new_count[item]:
                    yield item

    def on_units_apart(self, before: Position, after: Position, shown: Mapping[Item, Kept]) -> int:
        """How many kinds of markers lie on units otherwise than they should since `before`."""
        if before.markers is after.markers:
            return 0
        items = {item for item in self.changed(before, after) if item.of == "marker"}
        # Of a kind that nothing shows it may be one that is shown.
        drawn = {marker.unit for marker in self.unseen(before, after)}
        items.update(item for item in shown if item.of == "marker" and item.place in drawn)
        return sum(self.apart(after, shown, item) for item in items if item.place in after.units)

    def unseen(self, before: Position, after: Position) -> Iterator[Marker]:
        """The markers that came onto units, and of which no piece shows what they are."""
        for marker in after.markers.values():
            if marker.unit and marker.kind not in self.kinds and marker.id not in before.markers:
                yield marker

    def _count(self, position: Position) -> Counter[Item]:
        return Counter(
            Item("marker", marker.kind, place)
            for marker in position.markers.values()
            if marker.kind in self.kinds and (place := self.place(position, marker))
        )

    def place(self, position: Position, marker: Marker) -> str:
        """Where a marker lies: a cell, a box, or a unit.

        Tokens on who is carried lie in one heap with those of the carrier, and nobody can tell
        whose is which.
        """
        bearer = position.units.get(marker.unit) if self._in_heaps and marker.unit else None
        carrier = "" if bearer is None else bearer.carrier
        return marker.cell or marker.box or carrier or marker.unit

    def differences(
        self,
        position: Position,
        shown: Mapping[Item, Kept],
        items: Iterable[Item],
        drawn: str = "",
    ) -> Iterator[str]:
        """In words: how the table keeps these items other than the rules do.

        Which marker lies where something was `drawn` by chance nobody knows.
        """
        for item in items:
            right, seen = self.expected(position, item), shown_of(shown, item)
            if right == seen:
                continue
            title = self._titles.get((item.of, item.name), "") or item.name.replace("_", " ")
            if item.of == "marker" and drawn and right and not seen:
                yield f"{item.place} has a {drawn} by the rules, and none on the table"
            elif item.of == "marker":
                here, there = (_markers(title, count) for count in (right, seen))
                yield f"{item.place} has {here} by the rules, and {there} on the table"
            else:
                named = title if item.of == "track" else str(item)
                told = f"{item.tells(right)} by the rules, and shows {item.tells(seen)}"
                yield f"{named}: {told}"

    def apart(self, position: Position, shown: Mapping[Item, Kept], item: Item) -> bool:
        """Whether table and rules differ."""
        expected = self.expected(position, item)
        return expected != shown_of(shown, item) and not self._lies_aside(position, item)

    def _lies_aside(self, position: Position, item: Item) -> bool:
        """Whether a marker of units was laid into a box in which the rules have no markers.

        It was taken off its unit, and lies somewhere.
        """
        if item.name not in self._of_units or item.place not in self._boxes:
            return False
        return all(marker.box != item.place for marker in position.markers.values())

    def believing(
        self, position: Position, shown: Mapping[Item, Kept], items: Iterable[Item]
    ) -> Position:
        """The position with these items as the table shows them."""
        for item in items:
            seen = shown_of(shown, item)
            if self.expected(position, item) == seen:
                continue
            if isinstance(seen, FrozenMap):
                position = self._with_cell(position, item.place, seen)
            elif item.of == "marker":
                position = self._with_markers(position, item, seen or 0)
            elif seen is not None:
                position = position.with_track(item.name, seen)
        return position

    def without_told(self, record: Record) -> Record:
        """A cell's record without what markers would show of it."""
        told = self.told(record)
        return FrozenMap({name: value for name, value in record.items() if name not in told})

    def _with_cell(self, position: Position, cell: str, seen: Record) -> Position:
        rest = self.without_told(position.cells.get(cell, EMPTY))
        record = FrozenMap({**rest, **seen})
        cells = position.cells.set(cell, record) if record else position.cells.without(cell)
        return replace(position, cells=cells)

    def _with_markers(self, position: Position, item: Item, wanted: int) -> Position:
        there = self._lying(position, item)
        gone = [marker.id for marker in there[wanted:]]
        markers = position.markers.without(*gone) if gone else position.markers
        for number in range(len(there), wanted):
            made = self._made(position, item, number, in_box=any(m.box for m in there))
            markers = markers.set(made.id, made)
        return replace(position, markers=markers)

    def _made(self, position: Position, item: Item, number: int, *, in_box: bool) -> Marker:
        """A marker that is on the table, and that the rules know nothing of."""
        unit = position.units.get(item.place)
        if unit is not None:
            own = self._on_units.replace("{unit}", unit.id) or f"{item.name}@{unit.id}"
            return Marker(f"{own}#{number}" if number else own, item.name, unit.side, unit=unit.id)
        made = Marker(
            f"{item.name}@{item.place}#{number}", item.name, self._sides.get(item.name, "")
        )
        return replace(made, box=item.place) if in_box else replace(made, cell=item.place)


def _markers(title: str, count: Kept) -> str:
    """So many markers of one kind."""
    named = title if title.lower().endswith(("marker", "token")) else f"{title} marker"
    if count in (0, 1):
        one = "an" if named[0] in "AEIOUaeiou" else "a"
        return f"{one if count else 'no'} {named}"
    return f"{count} {named}s"


def marker_kinds(rules: Iterable[MarkerRule], game: Game) -> frozenset[str]:
    """The kinds of markers that pieces show; one that is written on the piece may be any."""
    named = {rule.kind for rule in rules if rule.kind}
    if any("{" in kind for kind in named):
        return frozenset(kind.key for kind in game.markers)
    return frozenset(named)


def shown_of(shown: Mapping[Item, Kept], item: Item) -> Kept:
    """What the table shows of an item; what was never there is none, or nothing."""
    if item in shown:
        return shown[item]
    match item.of:
        case "marker":
            return 0
        case "cell":
            return EMPTY
        case _:
            return None
