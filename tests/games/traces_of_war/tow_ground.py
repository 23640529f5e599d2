"""Small positions on the plain, written in a few words each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from hexmarshal.games.traces_of_war import TracesOfWar
from hexmarshal.games.traces_of_war.state.situation import Situation
from hexmarshal.rules.state.position import Position


@cache
def game() -> TracesOfWar:
    """One plugin for all tests: it never changes."""
    return TracesOfWar()


def unit(side: str, type: str, cell: str, *ladder: str, flags: Iterable[str] = ()) -> object:
    """A unit at full strength."""
    return {
        "type": type,
        "side": side,
        "cell": cell,
        "steps": len(ladder),
        "flags": list(flags),
        "values": {"ladder": list(ladder), "radius": 3},
    }


def position(
    units: Mapping[str, object], cells: Mapping[str, object] | None = None, **rest: object
) -> Position:
    """A position on the plain with these units and this ground."""
    document = game().blank().to_json() | {"units": units, "cells": cells or {}} | rest
    return Position.from_json(document)


def moving(
    units: Mapping[str, object], cells: Mapping[str, object], side: str, *names: str
) -> Position:
    """The same with these units activated, and moves asked for."""
    about = {
        "side": side,
        "units": list(names),
        "mode": "move_combat",
        "segment": 1,
        "moved": [],
        "fought": [],
        "targets": [],
    }
    frames = [
        {"kind": "activation", "about": about},
        {"kind": "movement", "deciders": [{"side": side}]},
    ]
    return position(units, cells, frames=frames)


def situation(of: Position) -> Situation:
    """What the rules see of a position."""
    return game().situation(of)
