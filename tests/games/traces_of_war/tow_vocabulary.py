"""Situations in the words of vocabulary.yaml, turned into positions and actions of the game."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tow_ground import game, moving, position

from hexmarshal.rules import engine
from hexmarshal.rules.rulebook import load_yaml
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.verdict import Verdict

WORDS = load_yaml(Path(__file__).parent / "vocabulary.yaml")


def unit_of(row: Mapping[str, Any]) -> dict[str, object]:
    """A unit from side, kind, type, attack, defense, ma, steps, hex and supply."""
    kind = "hq" if row.get("kind") == "hq" else WORDS["types"][row.get("type", "infantry")]
    printed = (
        f"{row.get('attack', 0)}-{row.get('defense', row.get('attack', 0))}-{row.get('ma', 0)}"
    )
    steps = row.get("steps", 1)
    return {
        "type": kind,
        "side": row["side"],
        "cell": row["hex"],
        "steps": steps,
        "flags": WORDS["supply"][row.get("supply", "supplied")],
        "values": {"ladder": [printed] * max(steps, row.get("max_steps", steps))},
    }


def cells_of(situation: Mapping[str, Any]) -> dict[str, dict[str, object]]:
    """The ground: hexes that are not listed are clear, or off the map with `only_hexes`."""
    cells: dict[str, dict[str, Any]] = {}
    for cell, terrain in situation.get("terrain", {}).items():
        cells.setdefault(cell, {})["terrain"] = terrain
    for side in situation.get("hexsides", ()):
        one, other = side["between"]
        words = [side["river"]] if side.get("river") else []
        words += [word for word in ("road", "rail", "blocked") if side.get(word)]
        cells.setdefault(one, {}).setdefault("sides", {})[other] = words
    for side, sources in situation.get("sources", {}).items():
        for cell in sources:
            cells.setdefault(cell, {})["source"] = side
    only = set(situation.get("only_hexes", ()))
    if only:
        board = game().boards["plain"]
        for cell in board.hexes:
            if cell not in only:
                cells[cell] = {"off": True}
    return cells


def stage(situation: Mapping[str, Any], state: str = "") -> Position:
    """The position; with a state its side's units are activated and asked for that."""
    units = {name: unit_of(row) for name, row in situation["units"].items()}
    if not state:
        return position(units, cells_of(situation))
    side = situation["active"]
    names = situation.get("activated", [n for n, row in units.items() if row["side"] == side])
    made = moving(units, cells_of(situation), side, *names).to_json()
    frames: Any = made["frames"]
    frames[1]["kind"] = state
    return Position.from_json({**made, "frames": frames, "state": "", "active": []})


def judge(situation: Mapping[str, Any], kind: str, **params: object) -> Verdict:
    """The verdict on an action of this kind."""
    meant = WORDS["kinds"][kind]
    of = stage(situation, meant["state"])
    action = game().game.actions.make(meant["action"], situation["active"], **params)
    return engine.check(game(), of, action)


def explained(verdict: Verdict, reason: str) -> bool:
    """Whether a verdict refuses for this reason."""
    return not verdict.legal and any(rule in WORDS["reasons"][reason] for rule in verdict.rules)
