"""Sight that may not be checked freely: a player declares first, and learns then what blocks it.

A game names a switch of its own (`Game.free_sight`); where it is off, players neither get an answer
to a query that goes by sight nor a verdict that rests on it. Whoever sees the whole position may
ask: a referee, a director; and so may all once the game is over.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.errors import RulesError

if TYPE_CHECKING:
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.verdict import Verdict

__all__ = ["SightNotFreeError", "is_free", "without_sight"]


class SightNotFreeError(RulesError):
    """A player asked what only declaring an action may tell."""

    code = "sight-not-free"


def is_free(plugin: GamePlugin, known: Position) -> bool:
    """Whether who knows this may check lines of sight."""
    name = plugin.game.free_sight
    if not name or not known.viewer or known.option(name, default=True):
        return True
    return plugin.outcome(known) is not None


def without_sight(plugin: GamePlugin, known: Position, verdict: Verdict) -> Verdict:
    """The verdict as a player may know it: blocked sight is a result of declaring, no violation."""
    if not any(v.by_sight for v in verdict.violations) or is_free(plugin, known):
        return verdict
    return replace(verdict, violations=tuple(v for v in verdict.violations if not v.by_sight))
