"""The command tree of a save, written from a state in the order in which VASSAL writes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.vassal.commands import game
from hexmarshal.vassal.commands.piece import AddPiece
from hexmarshal.vassal.commands.tree import CommandNode, tree
from hexmarshal.vassal.state.placed import PlacedDeck, PlacedPiece, PlacedStack

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.vassal.commands.codec import Command
    from hexmarshal.vassal.state.game_state import GameState
    from hexmarshal.vassal.state.placed import Placed

__all__ = ["restore_tree"]

# VASSAL writes its version checks, which have no text, as the first child.
_NOTHING: Final = CommandNode("")


def restore_tree(state: GameState) -> CommandNode:
    """A tree that brings `state` back when VASSAL loads it."""
    pieces = [tree(AddPiece(i.id, i.type, i.state)) for i in _in_writing_order(state)]
    group = [CommandNode("", tuple(pieces))] if pieces else []
    rest = [tree(command) for command in _components(state)]
    own = [CommandNode(text) for text in state.others]
    children = (_NOTHING, *group, *rest, *own, tree(game.EndSave()))
    return tree(game.BeginSave(), children)


def _in_writing_order(state: GameState) -> Iterator[Placed]:
    """Pieces off the map by id, then map by map in drawing order, members before their stack."""
    free: list[Placed] = []
    by_map: dict[str, list[Placed]] = {}
    for item in state.table.items.values():
        if item.map is None:
            free.append(item)
        else:
            by_map.setdefault(item.map, []).append(item)
    # A stack adopts only what exists: pieces come first among those without a map.
    yield from sorted(free, key=lambda i: (not isinstance(i, PlacedPiece), i.id))
    for _, items in sorted(by_map.items()):
        for item in items:
            if isinstance(item, PlacedStack | PlacedDeck):
                yield from state.members(item.id)
                yield item
            elif item.id not in state.table.holders:
                yield item


def _components(state: GameState) -> Iterator[Command]:
    for seat in state.seats.values():
        yield game.TakeSeat(seat.user, seat.name, seat.side)
    for (container, name), value in state.properties.items():
        yield game.SetGlobalProperty(name, value, container)
    for of_map, boards in state.boards.items():
        yield game.ChooseBoards(of_map, boards)
    # Without the marker VASSAL would place the at-start stacks a second time.
    yield game.StacksPlaced()
    yield from state.turns.values()
    yield game.ScenarioNotes(state.notes.scenario)
    yield game.PublicNotes(state.notes.public)
    for owner, text in state.notes.private.items():
        yield game.PrivateNote(owner, text)
    yield from state.notes.secret.values()
    if state.unmask is not None:
        yield game.Unmask(state.unmask)
    for command, done in state.startup_done.items():
        yield game.StartupCommandDone(command, done)
    yield from state.clocks.values()
    if state.clock_control is not None:
        yield state.clock_control
    if state.email is not None:
        yield game.ServerEmail(state.email)
    if state.events is not None:
        yield game.Events(state.events)
    yield from state.locks.values()
    for name, version in state.extensions.items():
        yield game.LoadedExtension(name, version)
    for name, version in state.plugins.items():
        yield game.LoadedPlugin(name, version)
