"""Whether a decision is really asked for: positions come from outside, and may say anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.artillery import falling
from hexmarshal.games.conflict_of_heroes.marching import Way
from hexmarshal.games.conflict_of_heroes.minefields import in_mines
from hexmarshal.games.conflict_of_heroes.table import listed, mapped
from hexmarshal.rules.values import EMPTY, FrozenMap

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.games.conflict_of_heroes.scene import Scene
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.values import Value

__all__ = ["DECISIONS", "asked"]

# The actions that answer the first entry of the queue.
DECISIONS = ("plot", "barrage", "bid", "face", "mines", "obstacle")


def asked(scene: Scene, action: Action) -> bool:
    """Whether the first entry of the queue asks this side for this, about things that exist."""
    if action.kind not in DECISIONS:
        return True
    queue = scene.position.extras.get("queue", ())
    head = queue[0] if isinstance(queue, tuple) and queue else None
    if not isinstance(head, FrozenMap):
        return False
    if head.get("kind") != action.kind or head.get("side") != action.side:
        return False
    match action.kind:
        case "barrage":
            return falling(scene, action.side) is not None
        case "face":
            return head.get("unit") in scene.position.units
        case "mines":
            # Of a hidden unit its owner alone knows, and who applies the roll.
            return "of" in head or in_mines(scene, Way.of(head))
        case "obstacle":
            secret = scene.position.knowledge.get(action.side, EMPTY).get("move")
            return _is_move(scene, mapped(head.get("action", secret)))
        case _:
            return True


def _on_board(scene: Scene, cells: tuple[str, ...]) -> bool:
    return all(cell in scene.board.hexes for cell in cells)


def _is_move(scene: Scene, move: Mapping[str, Value]) -> bool:
    if move.get("kind") == "group_move":
        return isinstance(move.get("moves"), tuple)
    known = move.get("unit") in scene.position.units and move.get("kind") == "move"
    return known and _on_board(scene, listed(move.get("path", ())))
