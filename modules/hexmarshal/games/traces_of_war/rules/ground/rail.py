"""Section 11.0: the railway hexes where reinforcements may be placed."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.games.traces_of_war.state.situation import Situation

__all__ = ["barred", "stations"]


def barred(now: Situation, cell: str, side: str, *, friends: bool = False) -> str:
    """TOW-11.0a: why no rail route leads through a hex; '' if one may.

    With `friends`, as if friendly units opened enemy zones: they do not (TOW-11.0b).
    """
    if now.enemies(cell, side):
        return "enemy units"
    if now.in_enemy_zone(cell, side) and not (friends and now.friends(cell, side)):
        return "an enemy zone of control"
    city = now.board.cities.get(cell)
    if city is None or now.controller(cell) == side:
        return ""
    if city.major:
        return "an enemy-controlled major city"
    if now.option("rail_cities") == "any":
        return "an enemy-controlled city"
    return ""


def stations(now: Situation, side: str, *, friends: bool = False) -> Mapping[str, str]:
    """Every railway hex with a rail route to a friendly source, each with the next hex there.

    A bridgehead is no source for this (TOW-11.1e).
    """
    name = f"stations of {side} {friends}"
    return now.remember(name, lambda: _stations(now, side, friends=friends))


def _stations(now: Situation, side: str, *, friends: bool) -> dict[str, str]:
    board = now.board
    begin = sorted(
        cell
        for cell in board.sources[side]
        if board.has_rail(cell) and not barred(now, cell, side, friends=friends)
    )
    found = {cell: cell for cell in begin}
    waiting = deque(begin)
    while waiting:
        here = waiting.popleft()
        for near in board.near[here]:
            between = board.side(here, near)
            if near in found or not between.rail or between.blocked:
                continue
            if not barred(now, near, side, friends=friends):
                found[near] = here
                waiting.append(near)
    return found
