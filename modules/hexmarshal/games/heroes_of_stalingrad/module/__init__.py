"""The game's VASSAL module, declared for the kit."""

from hexmarshal.games.heroes_of_stalingrad.module.plan import build_module

__all__ = ["build_module"]
