"""A position read from a table: what pieces, decks, tracks and the turn tracker show."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hexmarshal.rules import engine
from hexmarshal.rules.values import FrozenMap, Record
from hexmarshal.table.binding.ties import carries, seated
from hexmarshal.table.reading.later import arrived, as_of
from hexmarshal.table.reading.look_alikes import ANY, fits
from hexmarshal.table.reading.loose_pieces import loose, shown_on
from hexmarshal.table.reading.marker_reader import MarkerReader, unit_below
from hexmarshal.table.reading.numbering import numbered, shown_board
from hexmarshal.table.reading.piece_reader import PieceReader
from hexmarshal.table.reading.sightings import MarkerSighting, UnitSighting
from hexmarshal.table.reading.stack_order import in_order, same_order
from hexmarshal.table.reading.turn_tracker import Tracker
from hexmarshal.vassal.state.locator import ModuleLocator

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Mapping

    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.pieces import Marker, Pile, Unit
    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.binding import Binding, PileRule, Spot
    from hexmarshal.table.reading.turn_tracker import Moment
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.state.game_state import GameState
    from hexmarshal.vassal.state.placed import PlacedDeck, PlacedPiece

__all__ = ["Note", "Reading", "TableReader"]


NOBODY: Final[Mapping[str, str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Note:
    """Something about the table that the binding does not cover, or that does not fit."""

    code: str
    text: str
    hint: str = ""
    piece: str = ""
    unit: str = ""

    def to_json(self) -> dict[str, object]:
        """As JSON-able data, without what is empty."""
        named = {"code": self.code, "text": self.text, "hint": self.hint, "unit": self.unit}
        return {key: value for key, value in named.items() if value}


@dataclass(frozen=True, slots=True)
class Reading:
    """A position, and what about it is doubtful."""

    position: Position
    notes: tuple[Note, ...] = ()


class TableReader:
    """A module with its binding and plugin, ready to read the states of one game."""

    def __init__(
        self, module: Module, binding: Binding, plugin: GamePlugin, state: GameState
    ) -> None:
        self.module = module
        self.plugin = plugin
        locator = ModuleLocator.for_game(module, state)
        self.binding = binding = numbered(binding, plugin, state, locator)
        self.reader = PieceReader(binding, module, locator, plugin.game.overruled)
        self.tracker = (
            Tracker(binding.turn, module, plugin.game) if binding.turn is not None else None
        )

    def moment(self, state: GameState) -> Moment | None:
        """What the turn tracker shows."""
        return self.tracker.read(state) if self.tracker is not None else None

    def units(self, state: GameState) -> dict[str, UnitSighting]:
        """Every unit on the table by its id."""
        self.look_for_signs(state)
        found: dict[str, UnitSighting] = {}
        for seen in self._seen(state):
            if isinstance(seen, UnitSighting):
                found.setdefault(seen.id, seen)
        return found

    def look_for_signs(self, state: GameState) -> set[str]:
        """See which markers lie on units; the pieces of those that are otherwise than before."""
        signs = self.reader.sign_markers
        return signs.look(self.reader, state) if signs.used else set()

    def _seen(self, state: GameState) -> Iterator[UnitSighting | MarkerSighting]:
        for piece in loose(state):
            seen = self.reader.see(piece)
            if seen is not None:
                yield seen

    def read(
        self,
        state: GameState,
        base: Position | None,
        bearers: Mapping[str, str] = NOBODY,
    ) -> Reading:
        """The position that the table shows, over what else is known of the game.

        `bearers` are the units of markers, by piece, where they are known.
        """
        notes: list[Note] = []
        if base is None:
            base = self.guessed_base(state, notes)
        self.look_for_signs(state)
        notes += self.tell_apart(state, base)
        base = as_of(base, self.moment(state), self.plugin.game)
        units = self._read_units(state, base, notes)
        markers, cells = self._read_markers(state, base, units, bearers, notes)
        position = replace(
            base,
            board=shown_board(self.binding, state) or base.board,
            units=FrozenMap(self._tied(state, units, markers, notes)),
            markers=markers,
            cells=cells,
            tracks=self._tracks(state, base, notes),
            piles=self._piles(state, base),
        )
        position, moved_on = self._at_moment(state, position, notes)
        position = self.plugin.completed(position)
        if moved_on:
            # Nobody sees on a table what is asked in the middle of a phase.
            position = self.plugin.opened(position)
        return Reading(self._whose_go(state, position), tuple(notes))

    def tell_apart(self, state: GameState, base: Position) -> Iterator[Note]:
        """Name the units that look alike, by where the position has them."""
        alike, others = self.alike(state)
        if alike:
            alikes = self.reader.alikes
            alikes.tell_apart(alike, base, others)
            for code, text in (("alike", alikes.told(base.units)), ("guessed", alikes.doubt())):
                if text:
                    yield Note(code, text, "nothing on them tells one from the other")

    def alike(self, state: GameState) -> tuple[list[UnitSighting], set[str]]:
        """The units that look like others, and the names of those that do not."""
        if not self.reader.has_alikes:
            return [], set(self.units(state))
        seen = [self.reader.sight(piece) for piece in loose(state)]
        units = [one for one in seen if isinstance(one, UnitSighting)]
        return [one for one in units if one.id == ANY], {one.id for one in units} - {ANY}

    def guessed_base(self, state: GameState, notes: list[Note]) -> Position:
        """The scenario that the game names, or the one that fits all units on the table best."""
        known = self.plugin.scenarios()
        told = state.property_value(self.binding.scenario) if self.binding.scenario else ""
        if told in {scenario.key for scenario in known}:
            return engine.start(self.plugin, told or "")
        alike, there = self.alike(state)
        started = known if there or alike else ()
        starts = (engine.start(self.plugin, scenario.key) for scenario in started)
        fitting = sorted(
            (
                (len(start.units), start)
                for start in starts
                if there <= set(start.units) and fits(alike, start, there)
            ),
            key=lambda pair: pair[0],
        )
        if fitting and (len(fitting) == 1 or fitting[0][0] < fitting[1][0]):
            _, found = fitting[0]
            text = f"taken for the scenario {found.scenario}: its units are on the table"
            notes.append(Note("scenario", text, "name another with --scenario"))
            return found
        named = ", ".join(scenario.key for scenario in known)
        notes.append(
            Note("scenario", "which scenario it is cannot be told", f"--scenario, one of {named}")
        )
        blank = self.plugin.blank()
        return replace(blank, options=FrozenMap(engine.complete_options(self.plugin, {})))

    def _read_units(self, state: GameState, base: Position, notes: list[Note]) -> dict[str, Unit]:
        units: dict[str, Unit] = {}
        ranks: dict[tuple[str, str], int] = {}
        spots: dict[str, tuple[str, str]] = {}
        unknown: dict[str, int] = {}
        for piece in loose(state):
            seen = self.reader.see(piece)
            if seen is None and self.reader.counts(piece):
                continue
            if seen is None:
                unknown[piece.name] = unknown.get(piece.name, 0) + 1
                continue
            if not isinstance(seen, UnitSighting):
                continue
            notes += (
                Note("sign", problem, "add the case to signs", piece.id, seen.id)
                for problem in seen.problems
            )
            if seen.id in units:
                text = f"two pieces are {seen.id}; the first counts"
                notes.append(Note("twice", text, "make id tell them apart", piece.id, seen.id))
                continue
            if not seen.where.known:
                text = f"{seen.id} lies at {seen.where}, which is no cell and no box"
                hint = "map.cells and boxes say which locations count"
                notes.append(Note("place", text, hint, piece.id, seen.id))
            known = base.units.get(seen.id)
            unit = arrived(seen.on(known), known, self.plugin.game.terms)
            # A box may have several places, one a turn: each has a stack of its own.
            spot = spots[seen.id] = (unit.cell, unit.box and f"{unit.box}, {seen.where.location}")
            rank = ranks[spot] = ranks.get(spot, -1) + 1
            units[seen.id] = unit if unit.carrier else replace(unit, rank=rank)
        for unit_id, unit in base.units.items():
            # A game may know units that no piece stands for: those that are carried inside others,
            # and those in boxes that the table does not have.
            away = unit.box and not any(rule.can_be(unit.box) for rule in self.binding.boxes)
            held = not unit.cell and any(holder in units for _, holder in unit.held_by())
            if unit_id not in units and (away or held):
                units[unit_id] = unit
        for name, count in sorted(unknown.items()):
            text = f"{count} piece{'s' if count > 1 else ''} {name!r} unknown to the binding"
            notes.append(Note("unbound", text, "add it to units or markers"))
        return same_order(self._carried(state, units, notes), base, spots)

    def _read_markers(
        self,
        state: GameState,
        base: Position,
        units: Mapping[str, Unit],
        bearers: Mapping[str, str],
        notes: list[Note],
    ) -> tuple[FrozenMap[Marker], FrozenMap[Record]]:
        reader = MarkerReader(self.binding, self.plugin.game, self.reader, state, bearers)
        found = reader.read(self._seen(state), base, units)
        for lost in reader.lost:
            hint = "lay it on its unit, directly above"
            notes.append(Note("loose", f"a marker {lost.kind} lies on no unit", hint, lost.piece))
        return found

    def _tied(
        self,
        state: GameState,
        units: dict[str, Unit],
        markers: Mapping[str, Marker],
        notes: list[Note],
    ) -> dict[str, Unit]:
        """The units carried by those below them, and in the works that they show to be in."""
        for seen in self._seen(state) if self.binding.ties else ():
            if not isinstance(seen, UnitSighting) or not seen.ties:
                continue
            unit, problem = seated(
                units[seen.id], seen.ties, self.binding.ties, tuple(markers.values())
            )
            if problem:
                notes.append(Note("tie", problem, "", seen.piece, seen.id))
            units[seen.id] = unit
        return units

    def _carried(
        self, state: GameState, units: dict[str, Unit], notes: list[Note]
    ) -> dict[str, Unit]:
        for seen in self._seen(state) if carries(self.binding) else ():
            if not isinstance(seen, UnitSighting) or not seen.aboard:
                continue
            below = unit_below(self.reader, state, seen.piece, carrier=True)
            if below is None:
                text = f"{seen.id} is aboard, and no unit is below it"
                notes.append(Note("tie", text, "", seen.piece, seen.id))
                continue
            own = units[seen.id]
            rank = own.rank if own.carrier else 0
            units[seen.id] = replace(own, carrier=below.id, cell="", box="", rank=rank)
        return units

    def _tracks(self, state: GameState, base: Position, notes: list[Note]) -> FrozenMap[int]:
        tracks = base.tracks
        lying = self._counted(state) if self.binding.tracks else {}
        for rule in self.binding.tracks:
            value: int | None = None
            if rule.property:
                text = state.property_value(rule.property) or ""
                value = int(text) if text.lstrip("-").isdecimal() else None
            else:
                value = shown_on(rule, lying)
            if value is None:
                # Of sides that do not play there is nothing to be shown.
                if rule.track in tracks or not base.scenario:
                    notes.append(Note("track", f"the track {rule.track} shows no number"))
            elif value != tracks.get(rule.track, 0):
                tracks = tracks.set(rule.track, value)
        return tracks

    def _counted(self, state: GameState) -> dict[Spot, list[int]]:
        """The pieces on each spot of the tracks: the number of the location of each."""
        found: dict[Spot, list[int]] = {}
        for piece in loose(state):
            for spot, number in self.reader.counted(piece):
                found.setdefault(spot, []).append(number)
        return found

    def _piles(self, state: GameState, base: Position) -> FrozenMap[Pile]:
        piles = base.piles
        mixed = {rule.pile for rule in self.binding.piles if rule.mixed}
        for name, cards in self.piles(state).items():
            pile = base.pile(name)
            # Where the order means nothing, as few as possible change their place.
            order = in_order(pile.cards, cards) if name in mixed else cards
            if pile.cards != order:
                piles = piles.set(name, replace(pile, cards=order))
        return piles

    def piles(self, state: GameState) -> dict[str, tuple[str, ...]]:
        """What the decks that are piles hold, the top first."""
        found: dict[str, tuple[str, ...]] = {}
        for deck in state.decks.values() if self.binding.piles else ():
            for rule in self.binding.piles:
                if rule.deck and deck.name == rule.deck:
                    found[rule.pile] = tuple(self.cards(state, deck, rule.card))
        for rule in self.binding.piles:
            if rule.map:
                found[rule.pile] = tuple(card for card, _ in self.hand(state, rule))
        return found

    def hand(self, state: GameState, rule: PileRule) -> list[tuple[str, PlacedPiece]]:
        """The cards in the places of a map that are a pile, with their pieces, in order."""
        found: list[tuple[int, str, PlacedPiece]] = []
        for piece in loose(state, rule.map) if rule.at is not None else ():
            place = rule.at.fullmatch(self.reader.where(piece.map, piece.x, piece.y, "").location)  # type: ignore[union-attr]
            card = self.reader.named_by(rule.card, piece)
            if place is not None and card:
                number = place.groupdict().get("n") or ""
                found.append((int(number) if number.isdecimal() else 0, card, piece))
        return [(card, piece) for _, card, piece in sorted(found, key=lambda one: one[0])]

    def cards(self, state: GameState, deck: PlacedDeck, card: str) -> Iterator[str]:
        """What a deck holds, the top first."""
        for piece in reversed(state.members(deck.id)):
            yield self.reader.named_by(card, piece) or piece.name

    def _at_moment(
        self, state: GameState, position: Position, notes: list[Note]
    ) -> tuple[Position, bool]:
        """The position with the turn and phase of the tracker, and whether they are others."""
        moment = self.moment(state)
        if moment is None:
            if self.binding.turn is not None:
                name = self.binding.turn.tracker
                notes.append(Note("tracker", f"no turn tracker {name!r} that can be read"))
            return position, False
        if not moment.known:
            hint = "add it to turn.phases, with null if it is no phase to the rules"
            notes.append(Note("phase", f"the tracker shows {moment.text!r}", hint))
        if moment.turn is not None:
            position = replace(position, turn=moment.turn)
            notes += self._marked_turn(state, moment.turn)
        if not moment.phase or moment.is_of(position):
            return position, False
        active = moment.active or position.active
        return replace(position, phase=moment.phase, state="", active=active, frames=()), True

    def _whose_go(self, state: GameState, position: Position) -> Position:
        """The side that the marker for it lies with."""
        for found in self._lying_at(state, self.binding.active):
            side = self.binding.sides.get(found["seat"])
            if side is not None:
                return replace(position, active=(side,))
        return position

    def _marked_turn(self, state: GameState, turn: int) -> Iterator[Note]:
        """A marker of turns that lies elsewhere than the tracker stands: one of them is lost."""
        rule = self.binding.turn.marker if self.binding.turn is not None else None
        for found in self._lying_at(state, rule):
            if found["n"].isdecimal() and int(found["n"]) != turn:
                text = f"the marker lies on turn {found['n']}, and the tracker shows turn {turn}"
                yield Note("turn", text, "the tracker is taken; move one of them")

    def _lying_at(self, state: GameState, spot: Spot | None) -> Iterator[re.Match[str]]:
        for piece in loose(state, spot.map) if spot is not None else ():
            assert spot is not None
            if spot.match.find(self.reader.look(piece)) is None:
                continue
            found = spot.at.fullmatch(self.reader.where(piece.map, piece.x, piece.y, "").location)
            if found is not None:
                yield found
