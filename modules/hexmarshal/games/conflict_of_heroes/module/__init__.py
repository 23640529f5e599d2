"""The game's VASSAL module, built from the game's data and pictures."""

from hexmarshal.games.conflict_of_heroes.module.plan import build_module

__all__ = ["build_module"]
