"""What a new game of a module begins with: its boards, at-start stacks, decks and properties."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError, Place
from hexmarshal.vassal import sequence
from hexmarshal.vassal.commands.game import BoardChoice
from hexmarshal.vassal.components import DeckGlobalKeyCommand, DrawPile, GlobalProperty, Start
from hexmarshal.vassal.pieces.piece import Piece, parse_add
from hexmarshal.vassal.pieces.prototypes import expand
from hexmarshal.vassal.state.game_state import GameState, Problem
from hexmarshal.vassal.state.locator import ModuleLocator, default_boards
from hexmarshal.vassal.state.placed import PlacedDeck, PlacedPiece, PlacedStack
from hexmarshal.vassal.state.stacking import forms_stacks
from hexmarshal.vassal.traits import Deck, DeckState, PieceState

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hexmarshal.vassal.components import Map, PieceSlot
    from hexmarshal.vassal.module import Module

__all__ = ["deck_of", "moved_copy", "new_game", "own_boards", "placed_copy"]

# Ids are time stamps in VASSAL; any numbers do, and fixed ones give the same game every time.
_FIRST_ID: Final = 1_000_000_000_000


def new_game(
    module: Module, boards: Mapping[str, tuple[BoardChoice, ...]] | None = None
) -> GameState:
    """The state when a new game has started, with these boards chosen.

    A map that is not named shows the boards chosen in its own set-up, or its first board. A start
    that cannot be read or placed is left out and told of in `problems`.
    """
    state = GameState(stacks_placed=True)
    for of_map in module.maps():
        chosen = (boards or {}).get(of_map.name) or tuple(own_boards(of_map))
        if chosen and of_map.name:
            state.boards[of_map.name] = chosen
    for prop in module.each(GlobalProperty):
        state.properties[_container(prop), prop.name] = prop.get("initialValue")
    definitions = {name: found.text for name, found in module.prototypes().items()}
    locator = ModuleLocator(module, state.boards)
    for number, of_map in enumerate(module.maps()):
        name = of_map.name or f"Map{number}"
        for start in of_map.each(Start):
            try:
                _place(state, start, name, of_map, locator, definitions)
            except HexMarshalError as why:
                place = why.place.within(Place(unit=start.name))
                state.problems.append(Problem(why.message, place))
    return state


def placed_copy(
    slot: PieceSlot, definitions: Mapping[str, str], on: str, at: tuple[int, int]
) -> Piece:
    """A piece as it stands when it is taken from a slot: prototypes expanded, on a map."""
    piece = expand(parse_add(slot.text.strip()), definitions).piece
    return _at(piece, on, at, slot.gpid)


def moved_copy(piece: Piece, on: str, at: tuple[int, int]) -> Piece:
    """Such a piece on another map."""
    return _at(piece, on, at, piece.gpid)


def _at(piece: Piece, on: str, at: tuple[int, int], gpid: str) -> Piece:
    last = len(piece.traits) - 1
    return piece.with_state(last, PieceState(map=on, x=at[0], y=at[1], gpid=gpid))


def deck_of(pile: DrawPile) -> Deck:
    """The deck that a draw pile makes."""
    return Deck(
        draw_outline=pile.draw_outline,
        outline=pile.color,
        width=pile.width,
        height=pile.height,
        face_down=pile.face_down,
        shuffle=pile.shuffle,
        allow_multiple=pile.allow_multiple,
        allow_select=pile.allow_select,
        reversible=pile.reversible,
        reshuffle_command=pile.reshuffle_command,
        reshuffle_target=pile.reshuffle_target,
        reshuffle_message=pile.reshuffle_message,
        name=pile.name,
        shuffle_format=pile.shuffle_format,
        reverse_format=pile.reverse_format,
        face_down_format=pile.face_down_format,
        draw_face_up=pile.draw_face_up,
        can_save=pile.can_save,
        shuffle_key=pile.shuffle_hotkey,
        reshuffle_key=pile.reshuffle_hotkey,
        max_stack=pile.max_stack,
        count_expressions=pile.count_expressions,
        expression_counting=pile.expression_counting,
        global_commands=tuple(_told(command) for command in pile.each(DeckGlobalKeyCommand)),
        hotkey_on_empty=pile.hotkey_on_empty,
        empty_key=pile.empty_hotkey,
        select_display=pile.select_display_property,
        select_sort=pile.select_sort_property,
        restrict=pile.restrict,
        restrict_expression=pile.restrict_expression,
        shuffle_command=pile.shuffle_command,
        reverse_command=pile.reverse_command,
        reverse_key=pile.reverse_hotkey,
        draw_multiple_text=pile.draw_multiple_message,
        draw_specific_text=pile.draw_specific_message,
        face_up_text=pile.face_up_message,
        face_down_text=pile.face_down_message,
        face_up_key=pile.face_up_hotkey,
        face_up_format=pile.face_up_format,
        face_flip_key=pile.face_flip_hotkey,
        face_down_key=pile.face_down_hotkey,
        save_text=pile.save_message,
        save_key=pile.save_hotkey,
        save_report=pile.save_format,
        load_text=pile.load_message,
        load_key=pile.load_hotkey,
        load_report=pile.load_format,
        restrict_access=pile.restrict_access,
        owners=pile.owners,
    )


def _told(command: DeckGlobalKeyCommand) -> str:
    """A key command of a deck as the deck itself keeps it."""
    name = command.name
    fields = ["hotkey", "filter", "deckCount", "reportFormat"]
    rest = [command.get("reportSingle") or "false", command.get("suppressSounds") or "false"]
    texts = [name, *map(command.get, fields), name, command.get("target"), *rest]
    return sequence.join([*texts, command.get("parameters")], "|")


def own_boards(of_map: Map) -> Iterator[BoardChoice]:
    """The boards that a map shows by itself: chosen in its own set-up, or the first."""
    chosen = tuple(default_boards(of_map))
    yield from chosen or (BoardChoice(board.name) for board in of_map.boards[:1])


def _container(prop: GlobalProperty) -> str:
    """What commands call the owner of a property: empty for the module, else a map."""
    for above in prop.ancestors():
        if above.short_name.endswith("Map"):
            return above.name
    return ""


def _place(
    state: GameState,
    start: Start,
    on: str,
    of_map: Map,
    locator: ModuleLocator,
    definitions: Mapping[str, str],
) -> None:
    at = _point(start, on, of_map, locator)
    if at is None:
        return  # its board is not on the map
    members = []
    for slot in start.slots:
        piece = placed_copy(slot, definitions, on, at)
        new = _new_id(state)
        placed = PlacedPiece.of(new, piece.type.text, piece.state_text)
        state.table.add(placed)
        if isinstance(start, DrawPile) or forms_stacks(placed):
            members.append(new)
    if isinstance(start, DrawPile):
        held = DeckState(
            map=on,
            x=at[0],
            y=at[1],
            face_down=start.face_down in {"Always", "Via right-click Menu"},
            pieces=tuple(members),
        )
        state.table.add(PlacedDeck.of(_new_id(state), deck_of(start).encode(), held.encode()))
    elif len(members) > 1:
        state.table.add(PlacedStack(_new_id(state), on, *at, tuple(members), -1))


def _point(start: Start, on: str, of_map: Map, locator: ModuleLocator) -> tuple[int, int] | None:
    if not start.owning_board:
        return of_map.edge_width + start.x, of_map.edge_height + start.y
    boards = locator.on(on)
    for placed in boards.boards:
        if placed.board.name == start.owning_board:
            if start.get("useGridLocation") == "true" and start.get("location"):
                with contextlib.suppress(HexMarshalError):
                    return boards.pixel_named(start.get("location"), board=placed.board.name)
            return placed.outward((start.x, start.y))
    return None


def _new_id(state: GameState) -> str:
    return str(_FIRST_ID + len(state.table.items) + 1)
