"""Lays a written set-up out on the table of its module, and tells what is not clear in it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import Place
from hexmarshal.errors.counts import some
from hexmarshal.errors.names import did_you_mean
from hexmarshal.vassal.commands.game import BoardChoice, SetTurn
from hexmarshal.vassal.saves.savedata import save_entries
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.state.at_start import new_game
from hexmarshal.vassal.state.game_state import Problem
from hexmarshal.vassal.state.locator import ModuleLocator
from hexmarshal.vassal.state.placed import PlacedDeck, PlacedPiece, PlacedStack
from hexmarshal.vassal.state.stacking import forms_stacks
from hexmarshal.vassal.tabletop.reading import middle_of
from hexmarshal.vassal.tabletop.slots import Slots, state_keys
from hexmarshal.vassal.traits import PieceState

if TYPE_CHECKING:
    from hexmarshal.vassal.components import PieceSlot
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.pieces.piece import Piece
    from hexmarshal.vassal.state.game_state import GameState
    from hexmarshal.vassal.tabletop.tabletop import PieceEntry, Tabletop

__all__ = ["LaidTable", "lay_table"]

_CHOICE: Final = re.compile(r"(.*?)(?: @ ([0-9]+),([0-9]+))?( turned)?")
_MOST: Final = 6


@dataclass(frozen=True, slots=True)
class LaidTable:
    """A set-up laid out, and what is wrong with it; nothing is laid of an entry that is wrong."""

    state: GameState
    problems: tuple[Problem, ...]

    def save(self, module: Module) -> SavedGame:
        """As a saved game of the module."""
        metadata = module.metadata
        data = metadata.to_bytes() if metadata is not None else None
        entries = save_entries(module.name, module.version, module_data=data)
        return SavedGame.from_state(self.state, key=0, entries=entries)


def lay_table(module: Module, tabletop: Tabletop, places: tuple[Place, ...] = ()) -> LaidTable:
    """The set-up on a fresh table; `places` tells where each piece is written down."""
    return _Laying(module, tabletop, places).laid()


class _Laying:
    def __init__(self, module: Module, tabletop: Tabletop, places: tuple[Place, ...]) -> None:
        self.module, self.tabletop, self.places = module, tabletop, places
        self.problems: list[Problem] = []
        self.slots = Slots(module)
        chosen = {name: tuple(map(_board, said)) for name, said in tabletop.boards.items()}
        self.state = new_game(module, chosen or None)
        self.locator = ModuleLocator(module, self.state.boards)
        self.fresh_decks = {deck.name: deck for deck in self.state.decks.values()}
        self.maps = [one.name or f"Map{n}" for n, one in enumerate(module.maps())]
        self.numbered = {f"Map{n}": name for n, name in enumerate(self.maps)}
        self._last_id = int(self.state.table.new_id())

    def laid(self) -> LaidTable:
        state = self.state
        for piece in list(state.pieces.values()):
            state.table.remove(piece.id)
        for stack in list(state.stacks.values()):
            state.table.remove(stack.id)
        for deck in list(state.decks.values()):
            state.table.remove(deck.id)
        state.table.emptied.clear()
        cards: dict[str, list[str]] = {}
        made = [(entry, self._made(i, entry)) for i, entry in enumerate(self.tabletop.pieces)]
        laid = [(entry, item) for entry, item in made if item is not None]
        stacks = self._stacks_of(laid)
        last = {members[-1]: number for number, members in stacks.items()}
        for entry, item in laid:
            state.table.add(item)
            if entry.deck:
                cards.setdefault(entry.deck, []).append(item.id)
            elif item.id in last:
                # As soon as all of it lies there: the drawing order stays as it was written.
                number = last[item.id]
                layer = self.tabletop.layers.get(number, -1)
                on, members = item.map or "", tuple(stacks[number])
                state.table.add(PlacedStack(self._next_id(), on, item.x, item.y, members, layer))
        self._lay_decks(cards)
        for name, text in self.tabletop.properties.items():
            container, _, prop = name.rpartition("/")
            state.properties[container, prop] = text
        for tracker, text in self.tabletop.turns.items():
            state.turns[tracker] = SetTurn(tracker, text)
        state.notes.scenario = self.tabletop.notes
        return LaidTable(state, tuple(self.problems))

    def _next_id(self) -> str:
        self._last_id += 1
        return str(self._last_id)

    def _wrong(self, i: int, message: str) -> None:
        entry = self.tabletop.pieces[i]
        place = self.places[i] if i < len(self.places) else Place(field=f"pieces[{i}]")
        self.problems.append(Problem(message, Place(unit=entry.piece).within(place)))

    # One piece

    def _made(self, i: int, entry: PieceEntry) -> PlacedPiece | None:
        where = self._where(i, entry)
        if where is None:
            return None
        on, x, y = where
        new = self._next_id()
        if entry.saved is not None:
            found = PlacedPiece.of(new, *entry.saved)
            return found.moved(on or None, x, y)
        slot = self._slot(i, entry)
        piece = self.slots.new(slot) if slot is not None else None
        if slot is None or piece is None:
            if slot is not None:
                self._wrong(i, "the module's definition of it cannot be read")
            return None
        dressed = self._dressed(i, entry, piece)
        last = len(dressed.traits) - 1
        basic = PieceState(map=on or None, x=x, y=y, gpid=slot.gpid)
        if "Properties" in entry.state:
            kept = PieceState.decode(entry.state["Properties"])
            basic = PieceState(map=on or None, x=x, y=y, gpid=slot.gpid, properties=kept.properties)
        dressed = dressed.with_state(last, basic)
        return PlacedPiece.of(new, dressed.type.text, dressed.state_text)

    def _slot(self, i: int, entry: PieceEntry) -> PieceSlot | None:
        if entry.slot:
            slot = self.slots.by_id.get(entry.slot)
            if slot is not None:
                return slot
        found = self.slots.called(entry.piece, entry.side)
        if len(found) == 1:
            return found[0]
        if not found:
            known = (slot.name for slots in self.slots.by_name.values() for slot in slots)
            hint = did_you_mean(entry.piece, known)
            self._wrong(i, f"the module has no piece {entry.piece!r}{'; ' + hint if hint else ''}")
            return None
        listed = (
            f"{self.slots.id_of(slot)} ({' > '.join(reversed(self.slots.path(slot)))})"
            for slot in found
        )
        self._wrong(i, f"which one is meant? Give its slot: {some(listed, _MOST, '; ')}")
        return None

    def _dressed(self, i: int, entry: PieceEntry, piece: Piece) -> Piece:
        keys = {key: number for number, key in state_keys(piece)}
        for key, text in entry.state.items():
            if key == "Properties":
                continue
            if key in keys:
                piece = piece.with_state(keys[key], text)
            else:
                self._wrong(i, f"it has no {key!r}{_has(list(keys))}")
        return piece

    def _where(self, i: int, entry: PieceEntry) -> tuple[str, int, int] | None:
        if entry.deck:
            deck = next((d for d in self.tabletop.decks if d.name == entry.deck), None)
            fresh = self.fresh_decks.get(entry.deck)
            if deck is not None:
                return deck.map, *deck.at
            if fresh is not None:
                return fresh.map or "", fresh.x, fresh.y
            self._wrong(i, f"there is no deck {entry.deck!r}{_has(list(self.fresh_decks))}")
            return None
        if not entry.map and not entry.location and entry.at is None:
            return "", 0, 0
        maps = self.maps
        on = entry.map or (maps[0] if maps else "")
        # Games of when a map had no name yet know it by its number.
        on = on if on in maps else self.numbered.get(on, on)
        if on not in maps:
            self._wrong(i, f"there is no map {on!r}{_has(maps)}")
            return None
        if entry.at is not None:
            named = self.locator.locate(on, *entry.at).name
            if not entry.location or named == entry.location:
                return on, *entry.at
        middle = middle_of(self.locator, on, entry.location)
        if middle is None:
            self._wrong(i, f"the map {on} has no location {entry.location!r}")
            return None
        return on, *middle

    # Together

    def _stacks_of(self, laid: list[tuple[PieceEntry, PlacedPiece]]) -> dict[int, list[str]]:
        """The members of each stack: pieces of one number, and what is put where others lie."""
        stacks: dict[int, list[str]] = {}
        where: dict[int, tuple[str | None, int, int]] = {}
        tops: dict[tuple[str | None, int, int], int] = {}
        free = max((entry.stack or 0 for entry, _ in laid), default=0)
        for entry, item in laid:
            if entry.stack == 0 or entry.deck or not forms_stacks(item):
                continue
            point = (item.map, item.x, item.y)
            number = entry.stack
            if number is None or where.setdefault(number, point) != point:
                # New here, or moved out of its stack.
                free += point not in tops
                number = tops.setdefault(point, free)
                where[number] = point
            stacks.setdefault(number, []).append(item.id)
            tops[point] = number
        return {number: members for number, members in stacks.items() if len(members) > 1}

    def _lay_decks(self, cards: dict[str, list[str]]) -> None:
        table = self.state.table
        said = {deck.name: deck for deck in self.tabletop.decks}
        for name in dict.fromkeys([*said, *self.fresh_decks]):
            entry, fresh = said.get(name), self.fresh_decks.get(name)
            kind = entry.saved if entry is not None and entry.saved else fresh.type if fresh else ""
            if not kind:
                text = f"the module has no deck {name!r}"
                self.problems.append(Problem(text, Place(field=f"decks.{name}")))
                continue
            on, x, y, down = (
                (entry.map, *entry.at, entry.face_down)
                if entry is not None
                else (fresh.map or "", fresh.x, fresh.y, fresh.face_down)  # type: ignore[union-attr]
            )
            members = tuple(cards.get(name, ()))
            table.add(PlacedDeck(self._next_id(), kind, on, x, y, down, members, name))


def _has(names: list[str]) -> str:
    return f"; it has {', '.join(names[: _MOST * 2])}" if names else ""


def _board(text: str) -> BoardChoice:
    found = _CHOICE.fullmatch(text)
    assert found is not None
    name, column, row, turned = found.groups()
    return BoardChoice(name, int(column or 0), int(row or 0), bool(turned))
