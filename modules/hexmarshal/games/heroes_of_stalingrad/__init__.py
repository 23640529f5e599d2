"""Heroes of Stalingrad: squads, heroes and tanks on squares, with hidden orders."""

from hexmarshal.games.heroes_of_stalingrad.plugin import HeroesOfStalingrad

__all__ = ["HeroesOfStalingrad"]
