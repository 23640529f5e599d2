"""The VASSAL module of the game, built from its data."""

from hexmarshal.games.kharkov.module.plan import build_module

__all__ = ["build_module"]
