"""Night picket: squares, secret orders on both sides at once, hidden units, reaction fire."""

from tutorial2.plugin import Picket

__all__ = ["Picket"]
