"""The sides of a scenario."""

__all__ = ["SIDES", "other"]

SIDES = ("attacker", "defender")
"""The sides of a scenario; whose player turn it is stands in `extras.phasing`."""


def other(side: str) -> str:
    """The other side."""
    return SIDES[1] if side == SIDES[0] else SIDES[0]
