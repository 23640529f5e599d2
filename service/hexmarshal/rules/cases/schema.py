"""The format of conformance cases, as JSON Schema."""

from __future__ import annotations

__all__ = ["DOES", "SCHEMA"]

# What a case is about: exactly one of these.
DOES = ("action", "query", "offers", "next", "validate", "view", "script")

_SITUATION: dict[str, object] = {
    "position": {
        "type": "object",
        "description": "The position; what it leaves out is as in an empty position of the game.",
    },
    "scenario": {"type": "string", "description": "Start from the set-up of this scenario."},
    "options": {"type": "object", "description": "Switches of the game."},
    "seed": {"type": ["string", "integer"], "description": "The seed of the game's generator."},
    "changes": {
        "type": "object",
        "description": "Changes to the position, as a JSON merge patch: null removes.",
    },
}
_ACTION: dict[str, object] = {
    "type": "object",
    "required": ["kind", "side"],
    "description": "Kind, side and parameters of an action.",
}
_QUERY: dict[str, object] = {
    "type": "object",
    "required": ["name"],
    "description": "Name and parameters of a query.",
}
_AS: dict[str, object] = {"type": "string", "description": "The side that asks the query."}
_CHANCE: dict[str, object] = {
    "dice": {
        "type": "array",
        "items": {"type": "integer"},
        "description": "The dice of the table, in the order in which they are rolled.",
    },
    "picks": {
        "type": "array",
        "items": {"type": "integer"},
        "description": "What is drawn: the number of the card or chit among those there are.",
    },
    "resolution": {
        "description": "Which of several resolutions result, column, modifiers and the like of the "
        "expectation are about: its kind, or its kind and which of that kind. Else the first.",
        "anyOf": [
            {"type": "string"},
            {
                "type": "object",
                "required": ["kind"],
                "additionalProperties": False,
                "properties": {
                    "kind": {"type": "string"},
                    "nth": {"type": "integer", "minimum": 1},
                },
            },
        ],
    },
}
_BEGUN: dict[str, object] = {
    "type": "object",
    "required": ["side"],
    "description": "An action begun: side, and as much of kind and parameters as is chosen. `slot` "
    "names the one to choose next, if it is not the one that follows.",
}
_EXPECT: dict[str, object] = {
    "type": "object",
    "minProperties": 1,
    "description": "Matched as a subset of what comes out.",
}
_LISTED: dict[str, object] = {
    "type": "array",
    "minItems": 1,
    "description": "Actions, each with as many of its parameters as matter.",
    "items": {"type": "object", "required": ["kind"]},
}
_STEP: dict[str, object] = {
    "type": "object",
    "minProperties": 1,
    "additionalProperties": False,
    "dependentSchemas": {
        "refuse": {"required": ["action"], "not": {"required": ["expect"]}},
        "dice": {"required": ["action"]},
        "picks": {"required": ["action"]},
        "resolution": {"required": ["action"]},
        "as": {"required": ["query"]},
        "query": {"not": {"required": ["action"]}},
    },
    "properties": {
        "note": {"type": "string", "description": "What happens here, for a reader."},
        "action": _ACTION,
        "query": _QUERY,
        "as": _AS,
        **_CHANCE,
        "refuse": {
            "type": "array",
            "minItems": 1,
            "description": "The action is against these rules (ids, or objects as in violations), "
            "and everything stays as it was.",
        },
        "expect": {
            **_EXPECT,
            "description": "Matched as a subset of what the action or the query brings.",
        },
        "position": {
            "type": "object",
            "description": "Facts of the position after the step; null: absent.",
        },
        "views": {
            "type": "object",
            "description": "By side: what it sees after the step; null: it does not see that.",
            "additionalProperties": {"type": "object"},
        },
        "offers": {
            "type": "object",
            "description": "By side: legal actions that are listed for it after the step, or not.",
            "additionalProperties": {
                "type": "object",
                "minProperties": 1,
                "additionalProperties": False,
                "properties": {
                    "contain": _LISTED,
                    "lack": _LISTED,
                    "count": {"type": "integer", "minimum": 0},
                },
            },
        },
        "next": {
            "type": "array",
            "minItems": 1,
            "description": "What may be chosen next for actions begun.",
            "items": {
                "type": "object",
                "required": ["of"],
                "minProperties": 2,
                "additionalProperties": False,
                "properties": {
                    "of": _BEGUN,
                    "slot": {"type": "string", "description": "The slot that is open."},
                    "contain": {"type": "array", "minItems": 1},
                    "lack": {"type": "array", "minItems": 1},
                    "exactly": {"type": "array", "description": "The values, in any order."},
                    "complete": {"type": "boolean"},
                    "ready": {"type": "boolean"},
                },
            },
        },
        "frames": {
            "type": "array",
            "items": {"type": "object", "minProperties": 1},
            "description": "Decisions that play waits for after the step; empty: none.",
        },
        "outcome": {"description": "How the game ended: a winner or an object; null: not yet."},
    },
}
SCHEMA: dict[str, object] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "HexMarshal conformance cases",
    "type": "object",
    "required": ["game", "cases"],
    "additionalProperties": False,
    "properties": {
        "game": {"type": "string", "description": "The key of the game."},
        "title": {"type": "string"},
        "base": {
            "type": "object",
            "description": "What every case of the file starts from.",
            "additionalProperties": False,
            "properties": _SITUATION,
        },
        "cases": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["id", "rules"],
                "additionalProperties": False,
                "oneOf": [{"required": [name]} for name in DOES],
                "if": {"required": ["script"]},
                "then": {"not": {"required": ["expect"]}},
                "else": {"required": ["expect"]},
                "properties": {
                    "id": {"type": "string", "minLength": 1},
                    "rules": {
                        "type": "array",
                        "items": {"type": "string"},
                        "minItems": 1,
                        "description": "The ids of the rules that the case is about.",
                    },
                    "note": {"type": "string"},
                    **_SITUATION,
                    "action": _ACTION,
                    "query": _QUERY,
                    "as": _AS,
                    "offers": {
                        "type": "string",
                        "description": "List the legal actions of this side.",
                    },
                    "next": {**_BEGUN},
                    "validate": {
                        "enum": [True, "set_up"],
                        "description": "Check the position itself, or as a set-up.",
                    },
                    "view": {"type": "string", "description": "What this side sees."},
                    "script": {
                        "type": "array",
                        "minItems": 1,
                        "items": _STEP,
                        "description": "Several steps, one after the other on the same game.",
                    },
                    **_CHANCE,
                    "expect": _EXPECT,
                },
            },
        },
    },
}
