"""The game's data: read once from data.yaml, and the hexes that it names."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from hexmarshal.geometry.lattice.hexes import Hex
from hexmarshal.rules.rulebook import load_yaml

FOLDER = Path(__file__).parent


@cache
def data() -> dict[str, Any]:
    return load_yaml(FOLDER / "data.yaml")


def cell(hex: Hex) -> str:
    """A letter for the column, a number for the row: A1 is the corner at the top left."""
    col, row = hex.to_offset()
    return f"{chr(ord('A') + col)}{row + 1}"


@cache
def hexes() -> dict[str, Hex]:
    rows = data()["board"]
    found = (Hex.from_offset(col, row) for row, line in enumerate(rows) for col in range(len(line)))
    return {cell(one): one for one in found}


@cache
def terrain(name: str) -> str:
    col, row = hexes()[name].to_offset()
    sign = data()["board"][row][col]
    return next(str(key) for key, value in data()["terrain"].items() if value["sign"] == sign)


@cache
def neighbours(name: str) -> tuple[str, ...]:
    return tuple(c for c in map(cell, hexes()[name].neighbours()) if c in hexes())


def crossroads() -> str:
    return next(name for name in hexes() if terrain(name) == "crossroads")


def printed(type: str, value: str) -> int:
    """A value printed on the counter; the mask of an unknown unit has none."""
    number = data()["types"].get(type, {}).get(value, 0)
    assert isinstance(number, int)
    return number
