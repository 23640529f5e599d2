"""The game's VASSAL module, declared for the kit."""

from hexmarshal.games.traces_of_war.module.plan import build_module

__all__ = ["build_module"]
