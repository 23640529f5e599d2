"""A predefined set-up: a saved game made of the module's own pieces, placed by location name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.errors import NotFoundError, Place
from hexmarshal.vassal.commands.game import BoardChoice, SetTurn
from hexmarshal.vassal.components import GlobalProperty, PieceSlot
from hexmarshal.vassal.locator import place_boards
from hexmarshal.vassal.pieces import parse_add
from hexmarshal.vassal.placed import PlacedPiece, PlacedStack
from hexmarshal.vassal.prototypes import expand
from hexmarshal.vassal.savedata import save_entries
from hexmarshal.vassal.savegame import SavedGame
from hexmarshal.vassal.state import GameState
from hexmarshal.vassal.traits import PieceState

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hexmarshal.vassal.builder.maps import MapBuilder
    from hexmarshal.vassal.builder.module import ModuleBuilder
    from hexmarshal.vassal.commands.turn import TurnState
    from hexmarshal.vassal.locator import PlacedBoard
    from hexmarshal.vassal.pieces import Piece

__all__ = ["SetupBuilder"]

# Ids are time stamps in VASSAL; any numbers do, and fixed ones give the same file every time.
_FIRST_ID = 1_000_000_000_000


class SetupBuilder:
    """Pieces on maps, turn and properties; `save` puts the set-up into the module."""

    def __init__(self, module: ModuleBuilder, entry: str) -> None:
        self._module = module
        self._entry = entry
        self._next_id = _FIRST_ID
        self._boards: dict[str, list[PlacedBoard]] = {}
        self._stacks: dict[tuple[str, int, int], list[str]] = {}
        self.state = GameState(stacks_placed=True)
        self._definitions = {
            name: definition.text for name, definition in module.build().prototypes().items()
        }
        for prop in module.root.each(GlobalProperty):
            self.state.properties["", prop.name] = prop.get("initialValue")

    def boards(self, on: MapBuilder, *choices: BoardChoice | str) -> None:
        """The boards of a map, in one row if only names are given."""
        chosen = tuple(
            BoardChoice(choice, column=i) if isinstance(choice, str) else choice
            for i, choice in enumerate(choices)
        )
        self.state.boards[on.name] = chosen
        self._boards[on.name] = place_boards(self._module.build(), on.component, chosen, [])

    def place(
        self,
        slot: PieceSlot,
        on: MapBuilder,
        where: str | tuple[int, int],
        *,
        change: Callable[[Piece], Piece] | None = None,
    ) -> str:
        """Put a copy of a slot's piece at a location or pixel of a map; returns its id.

        Pieces that are put at one place form a stack, the first one lowest. `change` gives the
        piece another state before it is placed: a flipped side, a facing, a mask.
        """
        x, y = self._pixel(on, where) if isinstance(where, str) else where
        piece = expand(parse_add(slot.text), self._definitions).piece
        if change is not None:
            piece = change(piece)
        last = len(piece.traits) - 1
        piece = piece.with_state(last, PieceState(map=on.name, x=x, y=y, gpid=slot.gpid))
        new = self._new_id()
        self.state.table.add(PlacedPiece.of(new, piece.type.text, piece.state_text))
        self._stacks.setdefault((on.name, x, y), []).append(new)
        return new

    def turn(self, turn: TurnState, tracker: str = "TurnTracker0") -> None:
        """Where the turn tracker stands."""
        self.state.turns[tracker] = SetTurn(tracker, turn.encode())

    def save(self) -> SavedGame:
        """Write the set-up into the module."""
        self._choose_only_boards()
        for (on, x, y), members in self._stacks.items():
            if len(members) > 1:
                self.state.table.add(PlacedStack(self._new_id(), on, x, y, tuple(members), -1))
        self._stacks.clear()
        root = self._module.root
        entries = save_entries(root.name, root.version, module_data=self._module.module_data)
        saved = SavedGame.from_state(self.state, key=0, entries=entries)
        self._module.file(self._entry, saved.to_bytes())
        return saved

    def _new_id(self) -> str:
        self._next_id += 1
        return str(self._next_id)

    def _pixel(self, on: MapBuilder, location: str) -> tuple[int, int]:
        for board in self._placed(on):
            if (found := board.pixel_named(location)) is not None:
                return found
        raise NotFoundError("no board has this location", place=Place(field=on.name, cell=location))

    def _placed(self, on: MapBuilder) -> Sequence[PlacedBoard]:
        if on.name not in self._boards:
            self.boards(on, *(board.name for board in on.component.boards[:1]))
        return self._boards[on.name]

    def _choose_only_boards(self) -> None:
        for of_map in self._module.build().maps():
            if of_map.boards and of_map.name not in self.state.boards:
                self.state.boards[of_map.name] = (BoardChoice(of_map.boards[0].name),)
