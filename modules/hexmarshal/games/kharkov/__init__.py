"""Kharkov, May 1942: the rules of the game as a plugin, its data, its module."""

from hexmarshal.games.kharkov.plugin import Kharkov

__all__ = ["Kharkov"]
