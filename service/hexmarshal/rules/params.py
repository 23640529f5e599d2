"""Parameters: what an action, a query or a frame holds, by types that the kernel can check."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from hexmarshal.rules.codec import (
    BOOL,
    INT,
    TEXT,
    TEXTS,
    VALUE,
    Converter,
    listed,
    mapped,
)
from hexmarshal.rules.values import (
    LARGEST,
    FieldError,
    FrozenMap,
    Record,
    Value,
    as_fraction,
    show_number,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = [
    "NESTED",
    "THINGS",
    "Param",
    "ParamType",
    "decode_fields",
    "fields_schema",
    "require_fields",
]


class ParamType(StrEnum):
    """What a parameter holds: a text, a list of texts, a whole number, true/false, or nested ones.

    A `list` holds `items`, a `map` has them under names, a `record` has `fields` of its own. An
    `action` is one of the game's own, in its flat form: an order that is kept. A `number` is whole,
    or a fraction as text such as '3/2'.
    """

    UNIT = "unit"
    UNITS = "units"
    CELL = "cell"
    CELLS = "cells"
    PATH = "path"
    MARKER = "marker"
    CARD = "card"
    CARDS = "cards"
    BOX = "box"
    SIDE = "side"
    FACING = "facing"
    INT = "int"
    BOOL = "bool"
    TEXT = "text"
    CHOICE = "choice"
    VALUE = "value"
    LIST = "list"
    MAP = "map"
    RECORD = "record"
    ACTION = "action"
    NUMBER = "number"

    # That of Enum is a call of Python for each look into a table.
    __hash__ = str.__hash__


# Movement, strength and points come in halves, thirds and the like.
FINEST = 1000
_LISTS = {ParamType.UNITS, ParamType.CELLS, ParamType.PATH, ParamType.CARDS}


def _number(value: object) -> int | str:
    if isinstance(value, str):
        number = as_fraction(value)
        if number.denominator > FINEST:
            raise FieldError(f"{value} is finer than a part in {FINEST}")
        return int(number) if number.denominator == 1 else show_number(number)
    return INT.decode(value)


_CONVERTERS: dict[ParamType, Converter[Any]] = {
    kind: TEXTS if kind in _LISTS else TEXT for kind in ParamType
} | {
    ParamType.FACING: INT,
    ParamType.INT: INT,
    ParamType.BOOL: BOOL,
    ParamType.VALUE: VALUE,
    ParamType.LIST: listed(VALUE),
    ParamType.MAP: mapped(VALUE),
    ParamType.RECORD: mapped(VALUE),
    ParamType.ACTION: mapped(VALUE),
    ParamType.NUMBER: Converter(_number, lambda value: value, {"type": ["integer", "string"]}),
}
NESTED = {ParamType.LIST, ParamType.MAP, ParamType.RECORD, ParamType.ACTION}
# What the types name that must be there: the things of the position and of the map.
THINGS = {
    ParamType.UNIT: "unit",
    ParamType.UNITS: "unit",
    ParamType.CELL: "cell",
    ParamType.CELLS: "cell",
    ParamType.PATH: "cell",
    ParamType.MARKER: "marker",
    ParamType.CARD: "card",
    ParamType.CARDS: "card",
    ParamType.BOX: "box",
    ParamType.SIDE: "side",
}


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter of an action, of a query or of a frame.

    A list is a set of things, each once, unless it is `ordered`: a path always is. A `VALUE` or a
    `LIST` that `grows` is chosen entry by entry too; one that is offered has at least the `fewest`
    entries, though one with fewer is no misprint. `minimum` and `maximum` bound a whole number, and
    the length of a list or map. `items` are what a list or a map holds (its own name does not
    matter), `keys` what the names of a map refer to, `fields` what a record has. `said` is how its
    value is told in a sentence, with `{}` for the value: one for all (`with {} CAP`), or by value
    (`yes` and `no` of what is true or false, nothing for an empty list, `*` for all others). What
    is true or false players may tell by one of its `words`: with planes, no aircraft.
    `many` follows: whether it holds a list, which is chosen entry by entry.
    """

    name: str
    type: ParamType
    doc: str
    required: bool = True
    choices: tuple[str, ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    ordered: bool = False
    grows: bool = False
    fewest: int = 0
    items: Param | None = None
    keys: ParamType = ParamType.TEXT
    fields: tuple[Param, ...] = ()
    said: str | Mapping[str, str] = field(default="", compare=False)
    words: tuple[str, ...] = field(default=(), compare=False)
    many: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "many", self.grows or self.type in _LISTS)

    def decode(self, value: object) -> Value:
        """The value, checked against this declaration."""
        found: Value = _CONVERTERS[self.type].decode(value)
        if self.choices and isinstance(found, str) and found not in self.choices:
            raise FieldError(f"{found!r} is not one of {', '.join(self.choices)}")
        if isinstance(found, int) or self.type is ParamType.NUMBER:
            number = found if isinstance(found, int) else as_fraction(found)
            if not -LARGEST <= number <= LARGEST:
                raise FieldError("is larger than any number of a game")
            if self.minimum is not None and number < self.minimum:
                raise FieldError(f"{found} is below {self.minimum}")
            if self.maximum is not None and number > self.maximum:
                raise FieldError(f"{found} is above {self.maximum}")
        elif isinstance(found, tuple | FrozenMap):
            if self.minimum is not None and len(found) < self.minimum:
                raise FieldError(f"{len(found)} of them, and at least {self.minimum} are needed")
            if self.maximum is not None and len(found) > self.maximum:
                raise FieldError(f"{len(found)} of them, and at most {self.maximum} are allowed")
            if self.type in NESTED:
                return self._nested(found)
        return found

    def _nested(self, found: tuple[Value, ...] | Record) -> Value:
        if self.type is ParamType.RECORD:
            assert isinstance(found, FrozenMap)
            declared = {param.name: param for param in self.fields}
            return require_fields(self.fields, decode_fields(self.name, declared, found))
        if self.items is None:
            return found
        if isinstance(found, tuple):
            return tuple(_under(i, self.items, item) for i, item in enumerate(found))
        return FrozenMap({name: _under(name, self.items, item) for name, item in found.items()})

    def named(self, value: Value, at: str = "") -> Iterator[tuple[str, str, str]]:
        """What a value of this parameter names that must be there: what it is, its name, where."""
        thing = THINGS.get(self.type)
        if thing is not None:
            if isinstance(value, str):
                yield thing, value, at
            elif isinstance(value, tuple):
                for i, name in enumerate(value):
                    if isinstance(name, str):
                        yield thing, name, f"{at}[{i}]"
        elif isinstance(value, tuple) and self.items is not None:
            for i, item in enumerate(value):
                yield from self.items.named(item, f"{at}[{i}]")
        elif isinstance(value, FrozenMap):
            if (thing := THINGS.get(self.keys)) is not None and self.type is ParamType.MAP:
                yield from ((thing, name, f"{at}.{name}") for name in value)
            if self.items is not None:
                for name, item in value.items():
                    yield from self.items.named(item, f"{at}.{name}")
            for field in self.fields:
                yield from field.named(value.get(field.name), f"{at}.{field.name}")

    def orders(self, value: Value, at: str = "") -> Iterator[tuple[Record, str]]:
        """The actions that a value of this parameter holds, and where."""
        if self.type is ParamType.ACTION:
            if isinstance(value, FrozenMap):
                yield value, at
        elif isinstance(value, tuple) and self.items is not None:
            for i, item in enumerate(value):
                yield from self.items.orders(item, f"{at}[{i}]")
        elif isinstance(value, FrozenMap):
            if self.items is not None:
                for name, item in value.items():
                    yield from self.items.orders(item, f"{at}.{name}")
            for field in self.fields:
                yield from field.orders(value.get(field.name), f"{at}.{field.name}")

    @property
    def schema(self) -> dict[str, object]:
        """As JSON Schema."""
        schema = dict(_CONVERTERS[self.type].schema)
        schema["description"] = self.doc
        if self.choices:
            schema["enum"] = list(self.choices)
        lower, upper = _BOUNDS.get(schema.get("type"), ("minimum", "maximum"))
        if self.minimum is not None:
            schema[lower] = self.minimum
        if self.maximum is not None:
            schema[upper] = self.maximum
        if self.items is not None:
            named = "items" if self.type is ParamType.LIST else "additionalProperties"
            schema[named] = self.items.schema
        if self.type is ParamType.RECORD:
            schema |= fields_schema(self.fields)
        return schema


_BOUNDS: dict[object, tuple[str, str]] = {
    "array": ("minItems", "maxItems"),
    "object": ("minProperties", "maxProperties"),
}


def _under(part: str | int, param: Param, value: Value) -> Value:
    try:
        return param.decode(value)
    except FieldError as error:
        raise error.under(part) from None


def decode_fields(
    owner: str, declared: Mapping[str, Param], document: Mapping[str, object], what: str = "value"
) -> Record:
    """Those of the fields of an object that are there, checked; an unknown one is an error."""
    found: dict[str, Value] = {}
    for name, value in document.items():
        param = declared.get(name)
        if param is None:
            known = ", ".join(declared) or "none"
            raise FieldError(f"{owner} has no such {what}; it has: {known}", name)
        if value is None and not param.required:
            continue
        try:
            found[name] = param.decode(value)
        except FieldError as error:
            raise error.under(name) from None
    return FrozenMap(found)


def require_fields(params: tuple[Param, ...], found: Record) -> Record:
    """The same, if none is missing."""
    for param in params:
        if param.required and param.name not in found:
            raise FieldError(f"is missing: {param.doc}", param.name)
    return found


def fields_schema(params: tuple[Param, ...]) -> dict[str, object]:
    """What JSON Schema says of an object with these fields."""
    return {
        "properties": {param.name: param.schema for param in params},
        "required": [param.name for param in params if param.required],
        "additionalProperties": False,
    }
