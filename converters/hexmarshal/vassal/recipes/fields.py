"""Fields of traits and states as a recipe writes them, and as JSON Schema describes them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.errors import BadInputError, HexMarshalError, Place
from hexmarshal.vassal.recipes.patterns import compiled
from hexmarshal.vassal.values import ExactText, KeyStroke, KeyStrokes

if TYPE_CHECKING:
    from hexmarshal.vassal.traits import FieldSpec

__all__ = ["Substitution", "field_schema", "field_value", "shown"]

_TUPLES: Final = frozenset({"A", "IMAGES", "LEVELS", "REST", "PIECES", "UPTO"})
_TEXT: Final = {"type": ["string", "number"]}
_REPLACE: Final = {"$ref": "#/$defs/substitution"}
_SCHEMAS: Final[dict[str, dict[str, Any]]] = {
    "B": {"type": "boolean"},
    "I": {"type": "integer"},
    "F": {"type": "number"},
}
_HINTS: Final = {
    "K": "a key such as Ctrl+Shift+F, F5, [MyCommand], or VASSAL's own 70,195",
    "KA": "a list of keys",
    "C": "a colour such as 255,0,0",
    "FS": "a text with $property$, or {an expression}",
    "PE": "a property expression: {BeanShell} or name = value",
    "IMAGE": "the name of an image",
}


@dataclass(frozen=True, slots=True)
class Substitution:
    """Replace what a regular expression finds in the present value."""

    pattern: re.Pattern[str]
    replacement: str

    @classmethod
    def read(cls, found: dict[str, Any], place: Place) -> Substitution:
        """From `{replace: ..., with: ...}`."""
        if set(found) != {"replace", "with"}:
            raise BadInputError(
                "neither a value nor a replacement", place=place, hint="{replace: ..., with: ...}"
            )
        pattern = compiled(str(found["replace"]), place)
        try:
            pattern.sub(str(found["with"]), "")
        except (re.error, IndexError) as why:
            raise BadInputError(f"the replacement makes no sense: {why}", place=place) from None
        return cls(pattern, str(found["with"]))

    def text(self, value: str) -> str:
        """The value with everything found replaced."""
        return self.pattern.sub(self.replacement, value)

    def apply(self, value: Any, place: Place) -> Any:  # noqa: ANN401 - a field of any kind
        """The same for a field's value: a text, a list of texts, or a text with a meaning."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, ExactText):
            return type(value)(self.text(value.text))
        if isinstance(value, tuple) and all(isinstance(each, str) for each in value):
            return tuple(map(self.text, value))
        raise BadInputError("this field holds no text to replace in", place=place)


def field_value(spec: FieldSpec, given: Any, now: Any, place: Place) -> Any:  # noqa: ANN401
    """The value of a field that a recipe gives; `now` is what the field holds."""
    if isinstance(given, Substitution):
        return given.apply(now, place)
    code = spec.code
    default = spec.default
    if code in _SCHEMAS:
        return _number(code, given, place)
    if code == "K":
        return _key(given, place)
    if code == "KA":
        keys = given if isinstance(given, list) else [given]
        return KeyStrokes.of(*(_key(key, place) for key in keys))
    if isinstance(default, ExactText):
        made = type(default)(_text(given, place))
        problem = made.problem()
        if problem is not None:
            raise BadInputError(problem, place=place)
        return made
    if isinstance(default, tuple):
        return _members(code, given, place)
    if given is None and default is None:
        return None
    return _text(given, place)


def _number(code: str, given: object, place: Place) -> bool | int | float:
    if code == "B" and isinstance(given, bool):
        return given
    if code == "I" and isinstance(given, int) and not isinstance(given, bool):
        return given
    if code == "F" and isinstance(given, int | Decimal) and not isinstance(given, bool):
        return float(given)
    wanted = {"B": "true or false", "I": "a whole number", "F": "a number"}[code]
    raise BadInputError(f"{given!r} is not {wanted}", place=place)


def _key(given: object, place: Place) -> KeyStroke:
    text = _text("" if given is None else given, place)
    if re.fullmatch(r"-?\d+,\d+(,.*)?", text):
        return KeyStroke(text)
    try:
        return KeyStroke.from_human(text)
    except HexMarshalError as why:
        raise BadInputError(why.message, place=place, hint=why.hint) from None


def _members(code: str, given: object, place: Place) -> tuple[Any, ...]:
    members = given if isinstance(given, list) else [given]
    if code in _TUPLES:
        return tuple(_text(member, place) for member in members)
    if code == "COUNTED":
        return tuple(
            tuple(_text(part, place) for part in member)
            if isinstance(member, list)
            else _text(member, place)
            for member in members
        )
    raise BadInputError("this field cannot be set by a recipe", place=place)


def _text(given: object, place: Place) -> str:
    if isinstance(given, bool) or given is None or isinstance(given, list | dict):
        raise BadInputError(f"{given!r} is not a text", place=place, hint="put it in quotes")
    text = str(given)
    if any(char < " " and char != "\n" for char in text):
        raise BadInputError("a text with a control character", place=place)
    return text


def field_schema(spec: FieldSpec) -> dict[str, Any]:
    """What a recipe may write for a field."""
    code = spec.code
    if code in _SCHEMAS:
        return {**_SCHEMAS[code]}
    about = {"description": _HINTS[code]} if code in _HINTS else {}
    if code == "KA" or isinstance(spec.default, tuple):
        own: list[dict[str, Any]] = [_TEXT, {"type": "array"}]
    else:
        own = [{"type": [*_TEXT["type"], "null"]}]
    return {"anyOf": [*own, _REPLACE], **about}


def shown(value: object) -> str:
    """A field's value for a person."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, KeyStroke | KeyStrokes):
        return value.human() or "no key"
    if isinstance(value, tuple):
        return ", ".join(map(shown, value)) or "nothing"
    text = str(value)
    return f"'{text}'" if text else "nothing"
