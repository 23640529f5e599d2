"""Conflict of Heroes: the rules of the game as a plugin, its data, its module."""

from hexmarshal.games.conflict_of_heroes.plugin import ConflictOfHeroes

__all__ = ["ConflictOfHeroes"]
