"""The counters of a module by what the rules call them, dressed to show a unit, marker or card."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from hexmarshal.rules.state.pieces import Unit
from hexmarshal.table.binding.facts import told
from hexmarshal.table.binding.patterns import PieceLook, fill
from hexmarshal.table.binding.signs import UnreadableError
from hexmarshal.table.placing.piece_states import show
from hexmarshal.table.placing.slot_index import in_slots
from hexmarshal.vassal.state.at_start import moved_copy, placed_copy
from hexmarshal.vassal.state.placed import PlacedPiece

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from hexmarshal.rules.state.pieces import Marker
    from hexmarshal.table.binding import MarkerRule, PileRule, UnitRule
    from hexmarshal.table.binding.facts import Fact
    from hexmarshal.table.placing.slot_index import InSlot
    from hexmarshal.table.reading import TableReader
    from hexmarshal.table.reading.piece_reader import Identity
    from hexmarshal.vassal.components import PieceSlot
    from hexmarshal.vassal.pieces.piece import Piece
    from hexmarshal.vassal.state.game_state import GameState
    from hexmarshal.vassal.values import PieceAccess

__all__ = ["CounterFactory"]

_PLAIN: Final = re.compile(r"[\w -]+")
_NOBODY: Final = "nobody"
_PROPERTY: Final = re.compile(r"\{([^{}]+)\}")
_Point = tuple[str, tuple[int, int]]


class CounterFactory:
    """Takes pieces from slots and sets their traits; `cannot` hears what no piece can show."""

    def __init__(self, table: TableReader, cannot: Callable[[str, str], None]) -> None:
        self._table, self._binding, self._cannot = table, table.binding, cannot
        self.definitions = {name: one.text for name, one in table.module.prototypes().items()}
        self.looks: list[tuple[PieceSlot, PieceLook]] = []
        self.slots: dict[str, PieceSlot] = {}
        self._units: dict[str, tuple[str, PieceSlot]] = {}
        self._kinds: dict[tuple[str, str], PieceSlot] = {}
        self._types: dict[str, PieceSlot] = {}
        self._markers: dict[str, list[tuple[Identity, PieceSlot]]] = {}
        self._cards: dict[tuple[str, str, str], PieceSlot | None] = {}
        self._expanded: dict[PieceSlot, Piece] = {}
        # What is set on a piece that is to show a marker by itself, where that can be told.
        told = (
            {name: pattern.pattern for name, pattern in rule.match.properties.items()}
            for rule in self._binding.markers
            if rule.worn
        )
        self._wearing = [one for one in told if all(map(_PLAIN.fullmatch, one.values()))]
        slots = tuple(table.module.slots())
        for slot, held in zip(slots, in_slots(slots, self.definitions, table.reader), strict=True):
            self.slots.setdefault(slot.gpid, slot)
            if held is not None:
                self._index(slot, held)

    def _index(self, slot: PieceSlot, held: InSlot) -> None:
        self._expanded[slot] = held.piece
        self.looks.append((slot, held.look))
        known = held.known
        if known is None:
            return
        if known.marker is not None:
            if known.kind:
                self._markers.setdefault(known.kind, []).append((known, slot))
            return
        self._units.setdefault(known.id, (known.kind, slot))
        self._kinds.setdefault((known.kind, known.side), slot)
        self._types.setdefault(known.kind, slot)

    def _look(self, piece: Piece, gpid: str) -> PieceLook:
        return PieceLook(piece, gpid=gpid, prototypes=self._table.reader.prototypes_of(gpid))

    # Pieces that enter the game

    def taken(self, slot: PieceSlot, on: str, at: tuple[int, int]) -> Piece:
        """A piece as it stands when it is taken from a slot of the module."""
        if slot not in self._expanded:
            self._expanded[slot] = placed_copy(slot, self.definitions, "", (0, 0))
        return moved_copy(self._expanded[slot], on, at)

    def unit(
        self, unit: Unit, state: GameState, where: _Point, carrier: Unit | None = None
    ) -> PlacedPiece | None:
        """The piece for a unit; None, and told, if the module has no such counter.

        A passenger's piece looks where its carrier looks, as far as that means nothing.
        """
        slot = self._slot(unit)
        if slot is None:
            text = f"no counter of the module is {unit.id} ({unit.type} of {unit.side})"
            self._cannot(text, "")
            return None
        piece = self.taken(slot, *where)
        piece = self.dressed(piece, unit, state, slot.gpid)
        if carrier is not None:
            piece = self._turned_along(piece, carrier, slot.gpid)
        return self._entering(piece, state)

    def _turned_along(self, piece: Piece, carrier: Unit, gpid: str) -> Piece:
        look = self._look(piece, gpid)
        for sign in self._binding.signs:
            if sign.number == "facing" and not sign.concerns(look):
                text = str((carrier.facing or 0) + sign.first)
                piece = show(piece, sign.prop, text, lambda _: "") or piece
        return piece

    def size(self, thing: Unit | Marker) -> tuple[int, int]:
        """How large the counter is; (0, 0) if the module does not say."""
        slot = self._slot(thing) if isinstance(thing, Unit) else self._marker_slot(thing)
        return (0, 0) if slot is None else (slot.width or 0, slot.height or 0)

    def _slot(self, unit: Unit) -> PieceSlot | None:
        kind, own = self._units.get(unit.id, ("", None))
        if own is not None and kind in ("", unit.type):
            return own
        # Another unit that has the name of one of the game's own: its type counts.
        return self._kinds.get((unit.type, unit.side)) or self._types.get(unit.type) or own

    def marker(self, marker: Marker, state: GameState, where: _Point) -> PlacedPiece | None:
        """The piece for a marker; None, and told, if the module has no such counter."""
        slot = self._marker_slot(marker)
        if slot is None:
            self._cannot(f"no counter of the module shows the marker {marker.id}", "")
            return None
        return self._made(slot, marker, state, where)

    def _marker_slot(self, marker: Marker) -> PieceSlot | None:
        found = self._markers.get(marker.kind, [])
        best = sorted(found, key=lambda one: (one[0].side != marker.side, _unlike(one[0], marker)))
        for known, slot in best:
            assert known.marker is not None
            settable = _property(known.marker.side) or known.marker.on_unit
            if settable or known.side in ("", marker.side):
                return slot
        return None

    def card(
        self, rule: PileRule, card: str, side: str, state: GameState, where: _Point
    ) -> PlacedPiece | None:
        """The piece for a card; one in a hand shows its back to the others.

        Of cards of one name in several decks it is one that names the side.
        """
        key = (rule.card, card, side)
        if key not in self._cards:
            found = [one for one in self.looks if fill(rule.card, one[1].words()) == card]
            found.sort(key=lambda one: side not in one[1].properties.values())
            self._cards[key] = found[0][0] if found else None
        slot = self._cards[key]
        if slot is None:
            self._cannot(f"no counter of the module is the card {card}", "")
            return None
        piece = self.taken(slot, *where)
        return self._entering(self.turned(piece, state, side if rule.map else ""), state)

    def turned(self, piece: Piece, state: GameState, side: str) -> Piece:
        """A card face down for all but this side; without a side, face up."""
        owner = self._owner(side, state)
        return show(piece, "Obscured", "true" if side else "false", owner) or piece

    def _made(
        self, slot: PieceSlot, thing: Unit | Marker, state: GameState, where: _Point
    ) -> PlacedPiece:
        piece = self.taken(slot, *where)
        return self._entering(self.dressed(piece, thing, state, slot.gpid), state)

    def _entering(self, piece: Piece, state: GameState) -> PlacedPiece:
        return PlacedPiece.of(state.table.new_id(), piece.type.text, piece.state_text)

    # Markers that say something about a unit

    def signs_of(self, unit: Unit) -> list[MarkerRule]:
        """The markers that lie on a unit to show what it is."""
        return [
            rule
            for rule in self._binding.markers
            if rule.shows and all(fact.allows(told(unit, fact).value) for fact in rule.shows)
        ]

    def sign(self, rule: MarkerRule, state: GameState, where: _Point) -> PlacedPiece | None:
        """The piece of such a marker; None if the module has no such counter."""
        fitting = (slot for slot, look in self.looks if rule.match.find(look) is not None)
        slot = next(fitting, None)
        return None if slot is None else self._entering(self.taken(slot, *where), state)

    # Markers that have no piece

    def is_worn(self, marker: Marker) -> bool:
        """Whether the module has no piece for it, and that of its unit shows it."""
        return bool(marker.unit) and marker.kind not in self._markers and bool(self._wearing)

    def wearing(self, placed: PlacedPiece, marker: Marker) -> PlacedPiece | None:
        """A unit's piece that shows a marker as well; None if nothing on it can."""
        look = self._look(placed.piece, placed.gpid)
        for shown in self._wearing:
            piece = look.piece
            for name, text in shown.items():
                piece = show(piece, name, text, lambda _: "") or piece
            known = self._table.reader.identify(self._look(piece, placed.gpid))
            if known is not None and marker.kind in {worn.kind for worn in known.worn}:
                return PlacedPiece.of(placed.id, piece.type.text, piece.state_text)
        return None

    def bare(self, placed: PlacedPiece, unit: Unit) -> PlacedPiece:
        """A unit's piece that shows no such marker, as when it was taken from its slot."""
        slot = self._slot(unit)
        piece = placed.piece
        if slot is not None:
            fresh = self._look(self.taken(slot, "", (0, 0)), slot.gpid).properties
            for name in dict.fromkeys(name for shown in self._wearing for name in shown):
                if name in fresh:
                    piece = show(piece, name, fresh[name], lambda _: "") or piece
        return PlacedPiece.of(placed.id, piece.type.text, piece.state_text)

    # Dressing

    def dressed(self, piece: Piece, thing: Unit | Marker, state: GameState, gpid: str) -> Piece:
        """The piece with every sign set so that it shows the unit or marker."""
        owner = self._owner(thing.side, state)
        look = self._look(piece, gpid)

        def put(look: PieceLook, shown: Iterable[tuple[str, str]]) -> PieceLook:
            changed = look.piece
            for name, text in shown:
                changed = self._set(changed, name, text, thing, owner)
            # What a piece shows is worked out once, until something is changed on it.
            return look if changed == look.piece else self._look(changed, gpid)

        look = put(look, self._names(look, thing))
        if isinstance(thing, Unit):
            for tie in self._binding.ties:
                if tie.concerns(look):
                    look = put(look, tie.write(look, thing))
        known = self._table.reader.identify(look)
        own = known.kind if known is not None else ""
        spoken: set[str] = set()
        for sign in self._binding.signs:
            if not sign.concerns(look):
                continue
            spoken |= sign.sets
            try:
                shown = sign.write(look, thing, own)
            except UnreadableError as why:
                self._cannot(str(why), thing.id)
                continue
            look = put(look, shown.items())
        covered = "Obscured" not in spoken and look.properties.get("Obscured") == "true"
        if covered and _worth(known) != _worth(self._table.reader.identify(look)):
            if thing.known_to is None:  # what everybody knows lies open, though no sign says so
                return show(look.piece, "Obscured", "false", owner) or look.piece
            text = f"{thing.id} lies face down: no sign says when Obscured is false"
            self._cannot(text, thing.id)
        return look.piece

    def _set(
        self,
        piece: Piece,
        name: str,
        text: str,
        thing: Unit | Marker,
        owner: Callable[[PieceAccess], str],
    ) -> Piece:
        changed = show(piece, name, text, owner)
        if changed is None:
            self._cannot(f"nothing on {thing.id} sets {name}", thing.id)
            return piece
        return changed

    def _names(self, look: PieceLook, thing: Unit | Marker) -> Iterator[tuple[str, str]]:
        """Id and side, where properties of the piece hold them and do not yet."""
        rules: tuple[UnitRule | MarkerRule, ...] = self._binding.markers
        if isinstance(thing, Unit):
            rules = self._binding.units
        rule = next((rule for rule in rules if rule.match.find(look) is not None), None)
        if rule is None:
            return
        for template, text in ((rule.id, thing.id), (rule.side, thing.side)):
            name = _property(template)
            if name in look.properties and look.properties[name] != text:
                yield name, text

    def _owner(self, side: str, state: GameState) -> Callable[[PieceAccess], str]:
        """In whose name a piece of this side is hidden or masked."""
        seats = [name for name, own in self._binding.sides.items() if own == side]

        def owner(access: PieceAccess) -> str:
            if access.kind != "player":
                return seats[0] if seats else side
            users = (seat.user for seat in state.seats.values() if seat.side in seats)
            return next(users, _NOBODY)

        return owner


def _property(template: str) -> str:
    """The property that alone fills a template, if one does."""
    found = _PROPERTY.fullmatch(template)
    return found[1] if found is not None else ""


def _unlike(known: Identity, marker: Marker) -> int:
    """How much would have to be set on a piece, or is not on it; of several the right is least."""
    spoken = {fact.name for fact in known.facts if fact.of == "value"}
    unlike = sum(not fact.allows(told(marker, fact).value) for fact in known.facts)
    return unlike + len(marker.values.keys() - spoken)


def _worth(known: Identity | None) -> list[Fact]:
    """What a piece tells of what it is, rather than of how it stands."""
    facts = known.facts if known is not None else ()
    return [fact for fact in facts if fact.of in ("type", "steps", "value")]
