"""The JSON Schema of recipes, made from the declarations of the traits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hexmarshal.vassal.recipes.fields import field_schema
from hexmarshal.vassal.recipes.renames import KINDS
from hexmarshal.vassal.recipes.selection import trait_kinds

if TYPE_CHECKING:
    from hexmarshal.vassal.traits.codec import Record

__all__ = ["recipe_schema"]

_WORD: Final = {"type": ["string", "number", "boolean"]}
_PATTERN: Final = {
    "description": "a glob such as *Infantry, a /regular expression/, or a list of them",
    "anyOf": [_WORD, {"type": "array", "items": _WORD, "minItems": 1}],
}
_NOT_ADDED: Final = ("BasicPiece", "Stack", "Deck")


def recipe_schema() -> dict[str, Any]:
    """The schema, as a new document each time."""
    kinds = trait_kinds()
    addable = {name: cls for name, cls in kinds.items() if name not in _NOT_ADDED}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A HexMarshal recipe: batch changes to a VASSAL module or saved game",
        **_object(
            {
                "recipe": {"const": 1, "description": "the version of this format"},
                "about": {"type": "string"},
                "refresh_setups": {
                    "type": "boolean",
                    "description": "bring the module's set-ups up to the changed pieces",
                },
                "steps": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/step"}},
            },
            ("recipe", "steps"),
        ),
        "$defs": {
            "pattern": _PATTERN,
            "substitution": _object(
                {"replace": {"type": "string"}, "with": {"type": ["string", "number"]}},
                ("replace", "with"),
            ),
            "trait": {
                "anyOf": [
                    {"type": "string"},
                    _object(
                        {
                            "kind": {"type": "string"},
                            "where": {
                                "type": "object",
                                "additionalProperties": {"$ref": "#/$defs/pattern"},
                            },
                        },
                        ("kind",),
                    ),
                ]
            },
            "pieces": _object(
                {
                    **{name: {"$ref": "#/$defs/pattern"} for name in _PATTERNED},
                    "trait": {"$ref": "#/$defs/trait"},
                    "property": {
                        "type": "object",
                        "additionalProperties": {"$ref": "#/$defs/pattern"},
                    },
                    "in": {"type": "string", "description": "a query for a component around it"},
                    "path": {"type": "string", "description": "the component path of the slot"},
                    "not": {"$ref": "#/$defs/pieces"},
                }
            ),
            "piece_verb": {
                "type": "object",
                "minProperties": 1,
                "maxProperties": 1,
                "additionalProperties": False,
                "properties": _piece_verbs(),
            },
            "component_verb": {
                "type": "object",
                "minProperties": 1,
                "maxProperties": 1,
                "additionalProperties": False,
                "properties": {
                    "set": {
                        "type": "object",
                        "minProperties": 1,
                        "additionalProperties": {
                            "anyOf": [
                                {"type": ["string", "number", "boolean", "null"]},
                                {"$ref": "#/$defs/substitution"},
                            ]
                        },
                    },
                    "remove": {"const": True},
                    "add": _object(
                        {
                            "class": {"type": "string", "description": "short or full class name"},
                            "set": {
                                "type": "object",
                                "additionalProperties": {"type": ["string", "number", "boolean"]},
                            },
                        },
                        ("class",),
                    ),
                },
            },
            "step": _step(),
            **{f"add_{name}": _added(name, cls) for name, cls in addable.items()},
            "add_trait": {
                "type": "object",
                "required": ["kind"],
                "properties": {"kind": {"enum": [*addable]}},
                "allOf": [
                    {
                        "if": {"properties": {"kind": {"const": name}}},
                        "then": {"$ref": f"#/$defs/add_{name}"},
                    }
                    for name in addable
                ],
            },
        },
    }


_PATTERNED: Final = ("name", "gpid", "image", "prototype")


def _piece_verbs() -> dict[str, Any]:
    values = {"type": "object"}
    text = {"anyOf": [{"type": ["string", "number"]}, {"$ref": "#/$defs/substitution"}]}
    return {
        "add_trait": {"$ref": "#/$defs/add_trait"},
        "change_trait": _object(
            {"trait": {"$ref": "#/$defs/trait"}, "set": values, "state": values}, ("trait",)
        ),
        "remove_trait": {"$ref": "#/$defs/trait"},
        "set_markers": {"type": "object", "minProperties": 1, "additionalProperties": _WORD},
        "remove_markers": {"type": "array", "items": _WORD, "minItems": 1},
        "add_prototype": {"type": "string"},
        "remove_prototype": {"type": "string"},
        "set_name": text,
        "set_image": text,
    }


def _step() -> dict[str, Any]:
    """One of four, told apart by the key that it has: so an error speaks of the one meant."""
    about = {"about": {"type": "string"}}
    verbs = {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/piece_verb"}}
    own = {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/component_verb"}}
    pairs = {
        "anyOf": [
            {"type": "object", "minProperties": 1, "additionalProperties": _WORD},
            {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/substitution"}},
        ]
    }
    rename = {"minProperties": 1, **_object(dict.fromkeys(KINDS, pairs))}
    selected = {"$ref": "#/$defs/pieces"}
    forms = {
        "pieces": _object({**about, "pieces": selected, "do": verbs}, ("do",)),
        "prototypes": _object({**about, "prototypes": selected, "do": verbs}, ("do",)),
        "components": _object({**about, "components": {"type": "string"}, "do": own}, ("do",)),
        "rename": _object({**about, "rename": rename}),
    }
    return {
        "type": "object",
        "allOf": [{"if": {"required": [key]}, "then": form} for key, form in forms.items()],
        "anyOf": [{"required": [key]} for key in forms],
    }


def _added(name: str, cls: type[Any]) -> dict[str, Any]:
    beside = {"$ref": "#/$defs/trait"}
    return {
        "title": cls.title,
        **_object(
            {
                "kind": {"const": name},
                "fields": _fields(cls),
                "state": _fields(cls.state_type),
                "at": {
                    "anyOf": [
                        {"enum": ["outermost", "innermost"]},
                        _object({"before": beside}, ("before",)),
                        _object({"after": beside}, ("after",)),
                    ]
                },
            },
            ("kind",),
        ),
    }


def _fields(record: type[Record]) -> dict[str, Any]:
    return _object({spec.name: field_schema(spec) for spec in record.layout.fields})


def _object(properties: dict[str, Any], required: tuple[str, ...] = ()) -> dict[str, Any]:
    made = {"type": "object", "additionalProperties": False, "properties": properties}
    return {**made, "required": list(required)} if required else made
