"""Where units are: the stacks of a position by cell, place, box, side and bond."""

from hexmarshal.rules.state.stacks.indices import Changed, Spot, Stacks
from hexmarshal.rules.state.stacks.regrouping import listed

__all__ = ["Changed", "Spot", "Stacks", "listed"]
