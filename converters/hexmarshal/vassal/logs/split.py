"""A log as several: where a turn or a phase begins, or after so many steps."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal.saves.log import logged_commands
from hexmarshal.vassal.saves.restore import restore_tree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.vassal.commands.tree import CommandNode
    from hexmarshal.vassal.saves.savegame import SavedGame
    from hexmarshal.vassal.state.game_state import GameState

__all__ = ["Cut", "Piece", "split_log"]


class Cut(StrEnum):
    """Where a log is cut."""

    TURN = "turn"
    PHASE = "phase"
    STEP = "step"


@dataclass(frozen=True, slots=True)
class Piece:
    """A log of some steps, which begins as the game stood then."""

    saved: SavedGame
    first: int
    last: int


def split_log(saved: SavedGame, cut: Cut, every: int = 1) -> Iterator[Piece]:
    """The pieces in order; joined they are the same game again.

    A piece ends with the step that moves the turn tracker on, or after `every` steps.
    """
    state = saved.state()
    begun, first = state.copy(), 1
    groups: list[CommandNode] = []
    number = 0
    for number, node in enumerate(saved.log_part(), 1):
        before = _moment(state, cut)
        state.apply_all(logged_commands(node))
        groups.append(node)
        full = len(groups) >= every if cut is Cut.STEP else _moment(state, cut) != before
        if full:
            yield Piece(_written(saved, begun, groups), first, number)
            begun, groups, first = state.copy(), [], number + 1
    if groups:
        yield Piece(_written(saved, begun, groups), first, number)


def _moment(state: GameState, cut: Cut) -> object:
    if cut is Cut.STEP:
        return None
    shown = []
    for tracker, turn in sorted(state.turns.items()):
        if cut is Cut.PHASE:
            shown.append((tracker, turn.state))
            continue
        try:
            levels = turn.turn.levels
        except VassalFormatError:
            continue
        shown.append((tracker, str([level.current for level in levels])))
    return shown


def _written(saved: SavedGame, begun: GameState, groups: list[CommandNode]) -> SavedGame:
    start = saved.with_root(restore_tree(begun))
    return start.with_root(start.root.with_children([*start.root.children, *groups]))
