"""Writes down what lies on the table of a module."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError
from hexmarshal.vassal.state.at_start import new_game
from hexmarshal.vassal.state.locator import OFFBOARD, ModuleLocator
from hexmarshal.vassal.state.placed import PlacedDeck, PlacedPiece, PlacedStack
from hexmarshal.vassal.tabletop.slots import Slots, same_definition, state_keys
from hexmarshal.vassal.tabletop.tabletop import DeckEntry, PieceEntry, Tabletop
from hexmarshal.vassal.traits import PieceState

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.state.game_state import GameState

__all__ = ["basic_text", "middle_of", "read_table"]


def read_table(module: Module, state: GameState) -> tuple[Tabletop, tuple[str, ...]]:
    """What lies on the table, and what of the game is left out, in words."""
    reading = _Reading(module, state)
    return reading.tabletop(), tuple(reading.left_out())


def basic_text(held: PieceState) -> str:
    """The lasting properties of a piece, as text; empty if it has none."""
    return PieceState(properties=held.properties).encode() if held.properties else ""


class _Reading:
    def __init__(self, module: Module, state: GameState) -> None:
        self.module, self.state = module, state
        self.slots = Slots(module)
        self.locator = ModuleLocator.for_game(module, state)
        self.fresh = new_game(module, state.boards)

    def tabletop(self) -> Tabletop:
        table = self.state.table
        crowd = Counter(
            (i.map, i.x, i.y) for i in table.items.values() if i.id not in table.holders
        )
        numbered = [
            s
            for s in self.state.stacks.values()
            if len(s.members) > 1 or crowd[s.map, s.x, s.y] > 1
        ]
        stacks = {stack.id: number for number, stack in enumerate(numbered, 1)}
        entries: list[PieceEntry] = []
        decks: list[DeckEntry] = []
        for item in table.items.values():
            if isinstance(item, PlacedDeck):
                decks.append(self._deck(item))
                entries += (self._entry(p, deck=item.name) for p in table.members_of(item.id))
            elif isinstance(item, PlacedStack):
                number = stacks.get(item.id)
                entries += (self._entry(p, stack=number) for p in table.members_of(item.id))
            elif item.id not in table.holders:
                alone = crowd[item.map, item.x, item.y] == 1
                entries.append(self._entry(item, stack=None if alone else 0))
        default = self.fresh.properties
        properties = {
            "/".join(filter(None, key)): text
            for key, text in self.state.properties.items()
            if default.get(key) != text
        }
        return Tabletop(
            self.module.name,
            self.module.version,
            tuple(entries),
            tuple(decks),
            {
                name: tuple(_choice(one) for one in choices)
                for name, choices in self.state.boards.items()
            },
            properties,
            {name: turn.state for name, turn in self.state.turns.items()},
            {
                stacks[s.id]: s.layer
                for s in self.state.stacks.values()
                if s.id in stacks and s.layer is not None and s.layer != -1
            },
            self.state.notes.scenario,
        )

    def left_out(self) -> Iterator[str]:
        """What a set-up does not hold."""
        state = self.state
        if state.seats:
            yield f"players: {len(state.seats)} at their sides"
        if state.notes.private or state.notes.secret or state.notes.public:
            yield "notes of players"
        for text in state.others[:3]:
            yield f"a command of the module's own: {text[:40]}"

    def _deck(self, deck: PlacedDeck) -> DeckEntry:
        own = next((one for one in self.fresh.decks.values() if one.name == deck.name), None)
        known = own is not None and own.type == deck.type
        saved = "" if known else deck.type
        return DeckEntry(deck.name, deck.map or "", (deck.x, deck.y), deck.face_down, saved)

    def _entry(self, item: PlacedPiece, *, stack: int | None = None, deck: str = "") -> PieceEntry:
        piece = item.piece
        key = self.slots.defining(item.gpid, item.name, item.type)
        slot = self.slots.by_id.get(key)
        new = self.slots.new(slot) if slot is not None else None
        side = self.slots.side(slot) if slot is not None else ""
        state: dict[str, str] = {}
        saved: tuple[str, str] | None = (item.type, item.state)
        known = new is not None and same_definition(new.type.text, item.type)
        if new is not None and known and piece.problem is None:
            saved = None
            for i, trait in state_keys(piece):
                if piece.state_texts[i] != new.state_texts[i]:
                    state[trait] = piece.state_texts[i]
            held = piece.states[-1]
            if isinstance(held, PieceState) and (text := basic_text(held)):
                state["Properties"] = text
        where, at = self._place(item) if not deck else ("", None)
        return PieceEntry(
            item.name,
            item.map or "",
            where,
            side,
            key or item.gpid,
            at,
            stack,
            deck,
            state,
            saved,
        )

    def _place(self, item: PlacedPiece) -> tuple[str, tuple[int, int] | None]:
        """The name of the location, and the point if it is not the middle of it."""
        if item.map is None:
            return "", None
        name = self.locator.locate(item.map, item.x, item.y).name
        if not name or name == OFFBOARD:
            return "", (item.x, item.y)
        middle = middle_of(self.locator, item.map, name)
        return name, None if middle == (item.x, item.y) else (item.x, item.y)


def middle_of(locator: ModuleLocator, map: str, name: str) -> tuple[int, int] | None:
    """Where a piece comes to lie that is put on a location by its name."""
    try:
        x, y = locator.on(map).pixel_named(name)
    except HexMarshalError:
        return None
    return locator.snap(map, x, y)


def _choice(choice: object) -> str:
    name = str(getattr(choice, "name", ""))
    column, row = getattr(choice, "column", 0), getattr(choice, "row", 0)
    turned = " turned" if getattr(choice, "reversed", False) else ""
    return f"{name} @ {column},{row}{turned}" if (column, row, turned) != (0, 0, "") else name
