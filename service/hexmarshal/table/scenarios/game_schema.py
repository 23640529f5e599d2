"""The JSON Schema of one game's scenarios: editors complete its types, sides, hexes and values."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hexmarshal.rules.params import ParamType, fields_schema
from hexmarshal.scenario import schema

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.rules.params import Param
    from hexmarshal.rules.plugin import GamePlugin

__all__ = ["game_schema"]

Document = dict[str, Any]


def game_schema(plugin: GamePlugin) -> Document:
    """The schema of scenarios of this game, with all the names that it knows."""
    game = plugin.game
    found = deepcopy(schema())
    found["title"] = f"A HexMarshal scenario of {game.title}"
    top, parts = found["properties"], found["$defs"]
    cells = _cells(plugin)
    sides = [side.key for side in game.sides]
    top["game"] = {"const": game.key}
    top["sides"]["items"] = {"enum": sides}
    top["briefings"]["propertyNames"] = {"enum": sides}
    if game.boards:
        top["map"] = {**top["map"], **_one_of([board.key for board in game.boards])}
        top["map"].pop("type")
    top["based_on"] = {
        "description": top["based_on"]["description"],
        "enum": ["", *(one.key for one in plugin.scenarios())],
    }
    top["options"] = _record(option.param for option in game.options)
    unit = parts["unit"]["properties"]
    unit["values"] = _record(game.attributes)
    if game.flags is not None:
        unit["flags"]["items"] = {"enum": [flag.key for flag in game.flags]}
    top["units"] = {
        "description": top["units"]["description"],
        "type": "object",
        "additionalProperties": False,
        "properties": {side: _side(plugin, side, parts["unit"]) for side in sides},
    }
    if cells:
        parts["cell"] = _one_of(cells)
        parts["setup"]["properties"]["cells"]["propertyNames"] = {"enum": cells}
        parts["area"]["properties"]["cells"]["items"] = {"$ref": "#/$defs/cell"}
        for part in ("objective", "marker"):
            parts[part]["properties"]["cell"] = {"$ref": "#/$defs/cell"}
    parts["setup"]["properties"]["boxes"]["propertyNames"] = {"enum": [b.key for b in game.boxes]}
    parts["marker"]["properties"]["kind"] = {"enum": [kind.key for kind in game.markers]}
    entry = next((p for p in game.attributes if p.name == game.terms.arrival_entry), None)
    if entry is not None and entry.choices:
        parts["reinforcement"]["properties"]["entry"] = {"enum": list(entry.choices)}
    elif entry is not None and cells and entry.type in (ParamType.CELL, ParamType.CELLS):
        one = {"$ref": "#/$defs/cell"}
        parts["reinforcement"]["properties"]["entry"] = {
            "anyOf": [one, {"type": "array", "items": one}]
        }
    parts["start"]["properties"]["phase"] = {"enum": [phase.key for phase in game.phases]}
    parts["start"]["properties"]["active"]["items"] = {"enum": sides}
    return found


def _one_of(names: Iterable[str]) -> Document:
    """One of these names; of digits alone it may stand without quotes, and is a number then."""
    listed = list(names)
    if any(name.isdecimal() for name in listed):
        return {"anyOf": [{"enum": listed}, {"type": "integer"}]}
    return {"enum": listed}


def _side(plugin: GamePlugin, side: str, unit: Document) -> Document:
    """The units of a side: the types that may be its own, each with its title."""
    kinds = [
        kind
        for kind in plugin.game.unit_types
        if not kind.side or side == kind.side or side.startswith(kind.side)
    ]
    own = {**unit, "properties": {**unit["properties"]}}
    own["properties"]["type"] = {
        "description": "; ".join(f"{kind.key}: {kind.title}" for kind in kinds),
        "enum": [kind.key for kind in kinds],
    }
    return {"type": "object", "additionalProperties": own}


def _record(params: Iterable[Param]) -> Document:
    return {"type": "object", **fields_schema(tuple(params)), "required": []}


def _cells(plugin: GamePlugin) -> list[str]:
    """The cells of all maps of the game."""
    blank = plugin.blank()
    boards = [board.key for board in plugin.game.boards] or [blank.board]
    found: dict[str, None] = {}
    for board in boards:
        found |= dict.fromkeys(plugin.cells(replace(blank, board=board)) or ())
    return list(found)
