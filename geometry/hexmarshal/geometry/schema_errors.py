"""What a JSON Schema finds wrong with a file, in words for the person who wrote the file."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.errors.names import did_you_mean

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

__all__ = ["keys_of", "worded"]

_KINDS: Final = {
    "object": "a mapping",
    "array": "a list",
    "integer": "a whole number",
    "number": "a number",
    "string": "text",
    "boolean": "true or false",
    "null": "null",
}
# So many names are listed for one who asked for another; more would hide the message.
_LISTED: Final = 16
_LONGEST, _SHOWN = 200, 40


def worded(error: ValidationError) -> str:
    """The message; a name that is not known comes with the one that is most like it."""
    match error.validator:
        case "additionalProperties":
            return _unknown(error)
        case "required":
            required: Any = error.validator_value
            lacking = [name for name in required if name not in _mapping(error)]
            return f"{lacking[0]!r} is missing" if lacking else error.message
        case "type":
            wanted: Any = error.validator_value
            kinds = [wanted] if isinstance(wanted, str) else wanted
            needed = " or ".join(_KINDS.get(kind, kind) for kind in kinds)
            return f"must be {needed}, not {_instance(error.instance)}"
        case "minLength" | "minItems" | "minProperties" if not error.instance:
            return "must not be empty"
    message = error.message
    return message if len(message) < _LONGEST else f"{message[:160]} ... {message[-30:]}"


def _instance(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def keys_of(error: ValidationError) -> tuple[str | int, ...]:
    """The keys that lead to what is wrong: for a name that is not known, to that name."""
    odd = _odd(error) if error.validator == "additionalProperties" else []
    return (*error.absolute_path, *odd[:1])


def _mapping(error: ValidationError) -> dict[str, Any]:
    return error.instance if isinstance(error.instance, dict) else {}


def _odd(error: ValidationError) -> list[str]:
    schema: Any = error.schema
    known, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
    return [
        name
        for name in _mapping(error)
        if name not in known and not any(re.search(pattern, str(name)) for pattern in patterns)
    ]


def _unknown(error: ValidationError) -> str:
    schema: Any = error.schema
    known = list(schema.get("properties", {}))
    odd = _odd(error)
    told = ", ".join(map(repr, odd))
    listed = f"known: {', '.join(known)}" if 0 < len(known) <= _LISTED else ""
    hint = did_you_mean(odd[0], known, listed) if odd else listed
    return f"{told} {'are' if len(odd) > 1 else 'is'} not known here{hint and f'; {hint}'}"
