"""A predefined set-up: a saved game made of the module's own pieces, placed by location name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.errors import GeometryError, NotFoundError, Place
from hexmarshal.vassal.commands.game import BoardChoice, SetTurn
from hexmarshal.vassal.saves.savedata import save_entries
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.state.at_start import new_game, placed_copy
from hexmarshal.vassal.state.locator import lay_boards
from hexmarshal.vassal.state.placed import PlacedPiece, PlacedStack
from hexmarshal.vassal.state.stacking import forms_stacks

if TYPE_CHECKING:
    from collections.abc import Callable

    from hexmarshal.geometry.terrain.boards import BoardMap
    from hexmarshal.vassal.builder.maps import MapBuilder
    from hexmarshal.vassal.builder.module import ModuleBuilder
    from hexmarshal.vassal.commands.turn import TurnState
    from hexmarshal.vassal.components import PieceSlot
    from hexmarshal.vassal.pieces.piece import Piece

__all__ = ["SetupBuilder"]


class SetupBuilder:
    """Pieces on maps, turn and properties; `save` puts the set-up into the module.

    It begins with what every new game has: at-start stacks, decks, global properties. Make it
    after the module's maps and prototypes.
    """

    def __init__(self, module: ModuleBuilder, entry: str) -> None:
        self._module = module
        self._entry = entry
        self._boards: dict[str, BoardMap] = {}
        self._stacks: dict[tuple[str, int, int], list[str]] = {}
        self.state = new_game(module.build())
        self._definitions = {
            name: definition.text for name, definition in module.build().prototypes().items()
        }

    def boards(self, on: MapBuilder, *choices: BoardChoice | str) -> None:
        """The boards of a map, in one row if only names are given."""
        chosen = tuple(
            BoardChoice(choice, column=i) if isinstance(choice, str) else choice
            for i, choice in enumerate(choices)
        )
        self.state.boards[on.name] = chosen
        self._boards[on.name] = lay_boards(self._module.build(), on.component, chosen, [])

    def place(
        self,
        slot: PieceSlot,
        on: MapBuilder,
        where: str | tuple[int, int],
        *,
        change: Callable[[Piece], Piece] | None = None,
    ) -> str:
        """Put a copy of a slot's piece at a location or pixel of a map; returns its id.

        Pieces that are put at one place form a stack, the first one lowest; those with a "does
        not stack" trait lie by themselves. `change` gives the
        piece another state before it is placed: a flipped side, a facing, a mask.
        """
        x, y = self._pixel(on, where) if isinstance(where, str) else where
        piece = placed_copy(slot, self._definitions, on.name, (x, y))
        if change is not None:
            piece = change(piece)
        new = self._new_id()
        placed = PlacedPiece.of(new, piece.type.text, piece.state_text)
        self.state.table.add(placed)
        if forms_stacks(placed):
            self._stacks.setdefault((on.name, x, y), []).append(new)
        return new

    def turn(self, turn: TurnState, tracker: str = "TurnTracker0") -> None:
        """Where the turn tracker stands."""
        self.state.turns[tracker] = SetTurn(tracker, turn.encode())

    def save(self) -> SavedGame:
        """Write the set-up into the module."""
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
        return self.state.table.new_id()

    def _pixel(self, on: MapBuilder, location: str) -> tuple[int, int]:
        if on.name not in self._boards:
            self.boards(on, *self.state.boards.get(on.name, ()))
        try:
            return self._boards[on.name].pixel_named(location)
        except GeometryError:
            raise NotFoundError(
                "no board has this location", place=Place(field=on.name, cell=location)
            ) from None
