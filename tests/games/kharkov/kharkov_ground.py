"""Small positions on the exercise ground, written in a line each."""

from __future__ import annotations

from functools import cache

from hexmarshal.games.kharkov import Kharkov
from hexmarshal.rules.state.position import Position

HEADQUARTERS = {
    "type": "hq",
    "side": "soviet",
    "values": {"radius": 20, "move": 10, "inactive_move": 4, "army": "6"},
}


@cache
def game() -> Kharkov:
    """One plugin for all tests: it never changes."""
    return Kharkov()


def unit(text: str) -> dict[str, object]:
    """`infantry 0306`, `rifle 0305 4-4-6`, `panzer 0306 6-12 3-12 +moved`: type, hex, steps."""
    kind, cell, *rest = text.split()
    flags = [word[1:] for word in rest if word.startswith("+")]
    ladder = [word for word in rest if not word.startswith("+")]
    if kind == "hq":
        return {**HEADQUARTERS, "cell": cell, "flags": flags}
    side = game().tables.kinds[kind].side
    steps = len(ladder or game().tables.kinds[kind].ladder) or 1
    made: dict[str, object] = {"type": kind, "side": side, "cell": cell, "steps": steps}
    if ladder:
        made["values"] = {"ladder": ladder}
    if flags:
        made["flags"] = flags
    return made


def position(phase: str, side: str, /, *, turn: int = 5, **units: str) -> Position:
    """A position of that phase with these units; the south is awake."""
    document = game().blank().to_json() | {
        "board": "ground",
        "phase": phase,
        "active": [side],
        "turn": turn,
        "extras": {"south": 0},
        "units": {name: unit(text) for name, text in units.items()},
    }
    return Position.from_json(document)
