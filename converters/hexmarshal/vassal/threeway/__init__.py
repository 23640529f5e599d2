"""Three versions of a file made into one: a base, and two that were made of it apart."""

from hexmarshal.vassal.threeway.account import FAVOURS, Account, Conflict
from hexmarshal.vassal.threeway.games import merge_games
from hexmarshal.vassal.threeway.kinship import demand_kindred_games
from hexmarshal.vassal.threeway.modules import merge_modules

__all__ = [
    "FAVOURS",
    "Account",
    "Conflict",
    "demand_kindred_games",
    "merge_games",
    "merge_modules",
]
