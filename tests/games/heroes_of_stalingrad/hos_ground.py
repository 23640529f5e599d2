"""Positions for tests: an open field, counters with any values, a unit about to act."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from hexmarshal.games.heroes_of_stalingrad import HeroesOfStalingrad
from hexmarshal.rules.state.position import Position

OTHER = {"russian": "german", "german": "russian"}


@cache
def game() -> HeroesOfStalingrad:
    return HeroesOfStalingrad()


def counter(
    side: str,
    cell: str,
    *,
    defence: int = 4,
    combat: Mapping[str, int | str] | None = None,
    family: str = "infantry",
    **abilities: object,
) -> dict[str, Any]:
    """A counter of the position's own."""
    values = {"infantry": 2, "light": 1, "heavy": 0, **(combat or {})}
    face = {"name": "intact", "defence": defence, "combat": values, "move": 4, "loss": "flip"}
    if abilities:
        face["abilities"] = abilities
    reduced = {**face, "name": "reduced", "loss": "destroyed"}
    row = {"family": family, "cells": 1, "faces": [face, reduced]}
    return {"type": "counter", "side": side, "cell": cell, "steps": 2, "values": {"counter": row}}


def printed(type: str, cell: str, **fields: object) -> dict[str, Any]:
    """A counter of the data."""
    side = game().tables.counters[type].side
    return {"type": type, "side": side, "cell": cell, "steps": 2, **fields}


def position(units: Mapping[str, Any], **fields: Any) -> Position:
    """A position on the empty field."""
    blank: dict[str, Any] = game().blank().to_json()
    extras = {**blank.get("extras", {}), **fields.pop("extras", {})}
    return Position.from_json({**blank, "units": dict(units), "extras": extras, **fields})


def acting(unit: str, units: Mapping[str, Any], **fields: Any) -> Position:
    """The same, with a unit about to act."""
    side = units[unit]["side"]
    about = {"side": side, "unit": unit, "source": "order", "following": OTHER[side], "done": []}
    frames = [
        {"kind": "activation", "about": about},
        {"kind": "act", "deciders": [{"side": side}], "about": {"unit": unit}},
    ]
    return position(units, frames=frames, state="", active=[], **fields)
