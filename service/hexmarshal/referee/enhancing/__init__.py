"""Adds to an existing module what the rules of its game can give, and takes nothing away."""

from hexmarshal.referee.enhancing.additions import Addition, Enhancement, Outcome, Part
from hexmarshal.referee.enhancing.run import enhance
from hexmarshal.referee.enhancing.setups import Setup, read_setup

__all__ = ["Addition", "Enhancement", "Outcome", "Part", "Setup", "enhance", "read_setup"]
