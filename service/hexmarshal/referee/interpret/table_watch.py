"""Watches the table step by step: which units, markers and tracks look otherwise than before."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hexmarshal.referee.interpret.deed import Deed
from hexmarshal.referee.tokens.fallen import Fallen
from hexmarshal.rules.values import FrozenMap
from hexmarshal.table.reading import Note
from hexmarshal.table.reading.bookkeeping import Books, Item
from hexmarshal.table.reading.loose_pieces import loose, shown_on
from hexmarshal.table.reading.marker_reader import unit_below
from hexmarshal.table.reading.sightings import MarkerSighting, UnitSighting
from hexmarshal.vassal.commands.game import ChangeProperty
from hexmarshal.vassal.commands.piece import AddPiece, ChangePiece, MovePiece, RemovePiece
from hexmarshal.vassal.state.placed import PlacedDeck, PlacedPiece, PlacedStack

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping

    from hexmarshal.table.binding import Spot
    from hexmarshal.table.reading import TableReader
    from hexmarshal.table.reading.bookkeeping import Kept
    from hexmarshal.vassal.saves.log import Step
    from hexmarshal.vassal.state.game_state import GameState

__all__ = ["PIECE_COMMANDS", "Watch"]

PIECE_COMMANDS: Final = (AddPiece, ChangePiece, MovePiece, RemovePiece)
"""The commands by which pieces enter, leave, move or change."""


class Watch:
    """Remembers what each piece showed, so that only those that a step touches are looked at."""

    def __init__(
        self, table: TableReader, state: GameState, tell: Callable[[int, Note], None]
    ) -> None:
        self._table = table
        self._tell = tell
        self.books = Books(table.binding, table.plugin.game)
        self._units: dict[str, UnitSighting] = {}
        self._marks: dict[str, MarkerSighting] = {}
        self._riders: dict[str, MarkerSighting] = {}
        self._ridden: dict[str, str] = {}
        self._worn: dict[str, tuple[Item, ...]] = {}
        self._kinds_of_riders: dict[str, str] = {}
        self._counted: dict[str, tuple[tuple[Spot, int], ...]] = {}
        self._strangers: dict[str, str] = {}
        self._signed: set[tuple[str, str]] = set()
        self._strange: frozenset[str] | None = None
        self._go_markers: dict[str, bool] = {}
        self._fallen = Fallen(table.plugin.game)
        self.acting = ""
        """The side that the marker for whose go it is lies with, if there is one."""
        self.cards_touched = False
        """Whether the last step touched something that is neither unit nor marker."""
        self.look_at_all(state)
        self._fallen.begin(self._ridden)

    # All of it

    def look_at_all(self, state: GameState) -> None:
        """Look at every piece: at first, and again once those that look alike are told apart."""
        self._table.look_for_signs(state)
        for piece in loose(state):
            self._look(piece.id, piece)
        self._ridden = self._lie_on(state)

    def units(self) -> dict[str, UnitSighting]:
        """Every unit on the table by its id; of two pieces for one the first counts."""
        found: dict[str, UnitSighting] = {}
        for seen in map(self._fallen.shown, self._units.values()):
            if seen is not None:
                found.setdefault(seen.id, seen)
        return found

    def fallen(self) -> frozenset[str]:
        """Who lies on the map still, under a marker that says that he is gone."""
        return self._fallen.units()

    @property
    def bearers(self) -> Mapping[str, str]:
        """Whose each marker is that lies on units, by piece: he may have left it behind."""
        return self._ridden

    @property
    def tells_faces(self) -> bool:
        """Whether markers on units show who knows what they are: some lie face up for all."""
        return any(fact.of == "known_to" for one in self._riders.values() for fact in one.facts)

    def kept(self, state: GameState) -> dict[Item, Kept]:
        """Everything that the table shows in the books."""
        items = {item for mark in self._marks.values() for item in _items(mark)}
        items |= {Item("track", name) for name in self.books.tracks}
        items.update(*self._worn.values())
        items |= {
            Item("marker", self._riders[piece].kind, unit) for piece, unit in self._ridden.items()
        }
        return self._kept(items, state)

    def strange(self) -> frozenset[str]:
        """The cells where pieces lie that the binding does not know."""
        if self._strange is None:
            self._strange = frozenset(filter(None, self._strangers.values()))
        return self._strange

    # A step

    def step(
        self, step: Step, state: GameState, *, undone: bool = False
    ) -> tuple[list[Deed], dict[Item, Kept]]:
        """What became of units, and what the books show now that they did not before."""
        before_it: dict[str, UnitSighting | None] = {}
        items: set[Item] = set()
        touched = self._touched(step, state)
        if touched:
            touched |= dict.fromkeys(sorted(self._table.look_for_signs(state)))
        self.cards_touched = False
        for piece in touched:
            before, marked = self._units.get(piece), self._marks.get(piece)
            counted, worn = self._counted.get(piece, ()), self._worn.get(piece, ())
            item = state.find(piece)
            there = isinstance(item, PlacedPiece) and item.map is not None
            if there and _is_loose(piece, state):
                assert isinstance(item, PlacedPiece)
                if not self._look(piece, item):
                    text = f"a piece {item.name!r} is unknown"
                    hint = "add it to units or markers of the binding"
                    self._tell(step.number, Note("unbound", text, hint))
            else:
                self._forget(piece)
            known = before or marked or counted or piece in self._counted or piece in self._marks
            if not known and piece not in self._units and not self._is_aid(item):
                self.cards_touched = True
            before_it[piece] = self._fallen.shown(before)
            for mark in (marked, self._marks.get(piece)):
                items.update(_items(mark) if mark is not None else ())
            items.update({*worn} ^ {*self._worn.get(piece, ())})
            if counted or piece in self._counted:
                spots = {spot for spot, _ in (*counted, *self._counted.get(piece, ()))}
                items.update(self._tracks(spots))
        if touched:
            items.update(self._changed_riders(state, touched))
            before_it = self._see_fallen(before_it, anew=undone) | before_it
        deeds = [deed for p, old in before_it.items() if (deed := self._deed(p, old, step.number))]
        if any(isinstance(command, ChangeProperty) for command in step.commands):
            rules = self._table.binding.tracks
            items |= {Item("track", rule.track) for rule in rules if rule.property and not rule.aid}
        return deeds, self._kept(items, state) if items else {}

    def _see_fallen(
        self, touched: Mapping[str, UnitSighting | None], *, anew: bool
    ) -> dict[str, UnitSighting | None]:
        """The units that nobody touched, and of which a marker tells now that they are gone."""
        if not self._fallen.may_be:
            return {}
        old = {seen.id: self._fallen.shown(seen) for seen in self._units.values()}
        odd = self._fallen.look(self._kinds_of_riders, self._ridden, self._by_id(), anew=anew)
        return {p: old[s.id] for p, s in self._units.items() if s.id in odd and p not in touched}

    def _by_id(self) -> dict[str, UnitSighting]:
        return {seen.id: seen for seen in self._units.values()}

    def _touched(self, step: Step, state: GameState) -> dict[str, None]:
        touched = dict.fromkeys(move.id for move in step.moves)
        for command in step.commands:
            if isinstance(command, PIECE_COMMANDS):
                touched |= dict.fromkeys(_pieces(command.id or "", state))
        return touched

    def _lie_on(self, state: GameState, kept: Mapping[str, str] | None = None) -> dict[str, str]:
        """The markers that lie on units, each with its unit; of some that is known."""
        heaps = bool(self._table.binding.laid)
        found = (
            (piece, unit_below(self._table.reader, state, piece, carrier=heaps))
            for piece in self._riders
            if kept is None or piece not in kept
        )
        return {**(kept or {}), **{piece: unit.id for piece, unit in found if unit is not None}}

    def _left_behind(self, touched: Container[str]) -> dict[str, str]:
        """Tokens that nobody touched, with their units: one that goes on has no less its orders."""
        if not self._table.binding.laid:
            return {}
        on_map = {seen.id for seen in self._units.values() if seen.where.cell}
        return {
            piece: unit
            for piece, unit in self._ridden.items()
            if piece in self._riders and piece not in touched and unit in on_map
        }

    def _changed_riders(self, state: GameState, touched: Container[str]) -> Iterator[Item]:
        """What is otherwise about markers on units; a unit may also be pulled from under one."""
        if not self._riders and not self._ridden:
            return
        old, self._ridden = self._ridden, self._lie_on(state, self._left_behind(touched))
        for piece in {**old, **self._ridden}:
            if old.get(piece) != self._ridden.get(piece):
                kind = self._kinds_of_riders[piece]
                if self._fallen.tells(piece, kind):
                    continue
                for unit in (old.get(piece), self._ridden.get(piece)):
                    if unit is not None:
                        yield Item("marker", kind, unit)

    def _is_aid(self, item: object) -> bool:
        """Whether it is the marker for the turn, or for whose go it is."""
        binding = self._table.binding
        spots = (binding.active, None if binding.turn is None else binding.turn.marker)
        return isinstance(item, PlacedPiece) and any(
            spot is not None
            and spot.map == item.map
            and spot.match.find(self._table.reader.look(item)) is not None
            for spot in spots
        )

    def _look(self, piece: str, placed: PlacedPiece) -> bool:
        """Note what a piece shows; whether the binding speaks of it."""
        before = self._units.get(piece)
        self._forget(piece)
        self._see_whose_go(piece, placed)
        seen = self._table.reader.see(placed)
        counted = tuple(self._table.reader.counted(placed))
        if counted:
            self._counted[piece] = counted
        if isinstance(seen, UnitSighting):
            # Who has laid such a sign once lays it, and then it tells where none lies.
            game = self._table.plugin.game
            seen, ending = seen.with_aids(game.aids), game.overruled
            self._signed |= {(seen.side, flag) for flag in ending if seen.bears(flag)}
            bare = {f: by for f, by in ending.items() if (seen.side, f) not in self._signed}
            self._units[piece] = seen.since(before, bare)
            worn = (one.kind for one in seen.worn if not one.rule.aid)
            self._worn[piece] = tuple(Item("marker", kind, seen.id) for kind in worn)
        elif isinstance(seen, MarkerSighting):
            if not seen.rule.aid and seen.rule.on_unit:
                self._riders[piece] = seen
                self._kinds_of_riders[piece] = seen.kind
                if seen.where.box:
                    self._marks[piece] = seen
            elif not seen.rule.aid and seen.where.known:
                self._marks[piece] = seen
        elif not self._table.reader.counts(placed):
            where = self._table.reader.where(placed.map, placed.x, placed.y, "")
            self._strangers[piece] = where.cell
            self._strange = None
            return False
        return True

    def _see_whose_go(self, piece: str, placed: PlacedPiece) -> None:
        spot = self._table.binding.active
        if spot is None or placed.map != spot.map:
            return
        if piece not in self._go_markers:
            look = self._table.reader.look(placed)
            self._go_markers[piece] = spot.match.find(look) is not None
        if self._go_markers[piece]:
            where = self._table.reader.where(placed.map, placed.x, placed.y, "")
            found = spot.at.fullmatch(where.location)
            self.acting = self._table.binding.sides.get(found["seat"], "") if found else ""

    def _forget(self, piece: str) -> None:
        self._units.pop(piece, None)
        self._marks.pop(piece, None)
        self._riders.pop(piece, None)
        self._worn.pop(piece, None)
        self._counted.pop(piece, None)
        if self._strangers.pop(piece, None) is not None:
            self._strange = None

    def _deed(self, piece: str, before: UnitSighting | None, step: int) -> Deed | None:
        after = self._fallen.shown(self._units.get(piece))
        seen = after or before
        if before is not None and after is not None and before.where.box == after.where.box != "":
            # Who had fallen is taken off the map.
            before = replace(before, where=after.where)
        if seen is None or (before is not None and after is not None and _same(before, after)):
            return None
        cells: tuple[str, ...] = ()
        if after is not None and after.where.cell:
            if before is not None and before.where.cell != after.where.cell:
                cells = (after.where.cell,)
        elif after is not None and not after.where.known:
            hint = "map.cells and boxes of the binding say which locations count"
            text = f"{seen.id} lies at {after.where}, which is no cell and no box"
            self._tell(step, Note("place", text, hint, piece, seen.id))
        return Deed(seen.id, before, after, cells)

    # Books

    def _tracks(self, spots: set[Spot]) -> Iterator[Item]:
        for rule in self._table.binding.tracks:
            if not rule.aid and any(spot in spots for spot in rule.spots()):
                yield Item("track", rule.track)

    def _kept(self, items: Iterable[Item], state: GameState) -> dict[Item, Kept]:
        number = Counter(
            Item("marker", mark.kind, mark.where.cell or mark.where.box)
            for piece, mark in self._marks.items()
            if mark.kind and piece not in self._ridden
        )
        number.update(
            Item("marker", self._riders[piece].kind, unit) for piece, unit in self._ridden.items()
        )
        for worn in self._worn.values():
            number.update(worn)
        found: dict[Item, Kept] = {}
        for item in items:
            match item.of:
                case "marker":
                    found[item] = number[item]
                case "cell":
                    found[item] = FrozenMap(
                        {
                            name: value
                            for mark in self._marks.values()
                            if mark.where.cell == item.place
                            for name, value in mark.rule.cell.items()
                        }
                    )
                case _:
                    found[item] = self._number(item.name, state)
        return found

    def _number(self, track: str, state: GameState) -> int | None:
        (rule, *_) = (rule for rule in self._table.binding.tracks if rule.track == track)
        if rule.property:
            text = state.property_value(rule.property) or ""
            return int(text) if text.lstrip("-").isdecimal() else None
        lying: dict[Spot, list[int]] = {}
        for counted in self._counted.values():
            for spot, number in counted:
                lying.setdefault(spot, []).append(number)
        return shown_on(rule, lying)


def _items(mark: MarkerSighting) -> Iterator[Item]:
    if mark.rule.cell and mark.where.cell:
        yield Item("cell", "", mark.where.cell)
    elif mark.kind:
        yield Item("marker", mark.kind, mark.where.cell or mark.where.box)


def _same(before: UnitSighting, after: UnitSighting) -> bool:
    """Whether nothing that is judged has changed."""
    if before.where != after.where:
        return False
    if before.facts == after.facts:
        return True
    judged = ([fact for fact in seen.facts if not fact.aid] for seen in (before, after))
    return next(judged) == next(judged)


def _pieces(id: str, state: GameState) -> Iterable[str]:
    item = state.find(id)
    if isinstance(item, PlacedStack | PlacedDeck):
        return item.members
    return (id,)


def _is_loose(piece: str, state: GameState) -> bool:
    holder = state.table.holders.get(piece)
    return holder is None or not isinstance(state.find(holder), PlacedDeck)
