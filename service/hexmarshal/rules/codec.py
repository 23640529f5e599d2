"""One engine between dataclasses and JSON: fields declared as data, errors that name the field."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, Generic, TypeVar

from hexmarshal.rules.values import (
    INT_MAX,
    INT_MIN,
    FieldError,
    FrozenMap,
    Record,
    Value,
    freeze,
    record,
    thaw,
)

__all__ = [
    "BOOL",
    "FLAGS",
    "INT",
    "NATURAL",
    "OPTIONAL_INT",
    "RECORD",
    "SIDES",
    "TEXT",
    "TEXTS",
    "VALUE",
    "Converter",
    "Shape",
    "keyed",
    "listed",
    "mapped",
    "optional",
]

T = TypeVar("T")
Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Converter(Generic[T]):
    """How one kind of field goes from and to JSON, and how JSON Schema describes it."""

    decode: Callable[[object], T]
    encode: Callable[[T], object]
    schema: Schema


def _same(value: object) -> object:
    return value


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    raise FieldError(f"must be text, not {_kind(value)}")


def _int(value: object) -> int:
    if type(value) is int or (isinstance(value, int) and not isinstance(value, bool)):
        if INT_MIN <= value <= INT_MAX:
            return value
        raise FieldError("a whole number must fit into 64 bits")
    raise FieldError(f"must be a whole number, not {_kind(value)}")


def _natural(value: object) -> int:
    if (number := _int(value)) < 0:
        raise FieldError("must not be negative")
    return number


def _bool(value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise FieldError(f"must be true or false, not {_kind(value)}")


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        raise FieldError(f"must be a list of texts, not {_kind(value)}")
    for item in value:
        if not isinstance(item, str):
            raise FieldError(f"must be text, not {_kind(item)}", value.index(item))
    return tuple(value)


def _record(value: object) -> Record:
    if type(value) is FrozenMap:
        return value
    if type(value) is dict or isinstance(value, Mapping):
        return record(value)
    raise FieldError(f"must be an object, not {_kind(value)}")


def _kind(value: object) -> str:
    names = {bool: "true or false", int: "a number", float: "a fraction", str: "text"}
    if value is None:
        return "nothing"
    if isinstance(value, Mapping):
        return "an object"
    return names.get(type(value), "a list" if isinstance(value, list | tuple) else "that")


NAMES: Schema = {"type": "array", "items": {"type": "string"}}
TEXT: Converter[str] = Converter(_text, _same, {"type": "string"})
INT: Converter[int] = Converter(_int, _same, {"type": "integer"})
NATURAL: Converter[int] = Converter(_natural, _same, {"type": "integer", "minimum": 0})
BOOL: Converter[bool] = Converter(_bool, _same, {"type": "boolean"})
TEXTS: Converter[tuple[str, ...]] = Converter(_texts, list, NAMES)
FLAGS: Converter[frozenset[str]] = Converter(
    lambda value: frozenset(_texts(value)), sorted, {**NAMES, "uniqueItems": True}
)
VALUE: Converter[Value] = Converter(freeze, thaw, {})
RECORD: Converter[Record] = Converter(_record, thaw, {"type": "object"})


def optional(inner: Converter[T]) -> Converter[T | None]:
    """The same field, where null is allowed too."""
    return Converter(
        lambda value: None if value is None else inner.decode(value),
        lambda value: None if value is None else inner.encode(value),
        {"anyOf": [inner.schema, {"type": "null"}]},
    )


OPTIONAL_INT: Converter[int | None] = optional(INT)
SIDES: Converter[frozenset[str] | None] = optional(FLAGS)


def listed(inner: Converter[T]) -> Converter[tuple[T, ...]]:
    """A list of such things."""

    def decode(value: object) -> tuple[T, ...]:
        if not isinstance(value, list | tuple):
            raise FieldError(f"must be a list, not {_kind(value)}")
        out = []
        for i, item in enumerate(value):
            try:
                out.append(inner.decode(item))
            except FieldError as error:
                raise error.under(i) from None
        return tuple(out)

    def encode(items: tuple[T, ...]) -> object:
        return [inner.encode(item) for item in items]

    return Converter(decode, encode, {"type": "array", "items": inner.schema})


def _walk(value: object, one: Callable[[str, object], T]) -> FrozenMap[T]:
    if type(value) is not dict and not isinstance(value, Mapping):
        raise FieldError(f"must be an object, not {_kind(value)}")
    out = {}
    for key, item in value.items():
        if not isinstance(key, str) or not key:
            raise FieldError(f"a name must be text, not {key!r}")
        try:
            out[key] = one(key, item)
        except FieldError as error:
            raise error.under(key) from None
    return FrozenMap(out)


def mapped(inner: Converter[T]) -> Converter[FrozenMap[T]]:
    """An object whose names are free and whose values are such things."""
    return Converter(
        lambda value: _walk(value, lambda _key, item: inner.decode(item)),
        lambda things: {key: inner.encode(item) for key, item in things.items()},
        {"type": "object", "additionalProperties": inner.schema},
    )


class Shape(Generic[T]):
    """The JSON form of one dataclass: each field by its converter, defaults left out.

    With `key`, that field is not in the object: it is the name under which the object stands.
    """

    def __init__(
        self, cls: type[T], converters: Mapping[str, Converter[Any]], *, key: str = ""
    ) -> None:
        self.cls = cls
        self.key = key
        self._decoders = {name: c.decode for name, c in converters.items()}
        # Of each field its name, how it is written, and what it is by default.
        self.fields: list[tuple[str, Callable[[Any], object], object]] = []
        self._required: list[str] = []
        properties: dict[str, Schema] = {}
        for f in fields(cls):  # type: ignore[arg-type]
            if f.name not in converters:
                continue
            default: object = MISSING
            if f.default is not MISSING:
                default = f.default
            elif f.default_factory is not MISSING:
                default = f.default_factory()
            else:
                self._required.append(f.name)
            self.fields.append((f.name, converters[f.name].encode, default))
            properties[f.name] = converters[f.name].schema
        self.schema: Schema = {
            "type": "object",
            "properties": properties,
            "required": list(self._required),
            "additionalProperties": False,
        }

    def decode(self, value: object, key: str = "") -> T:
        """The object from its JSON form."""
        if type(value) is not dict and not isinstance(value, Mapping):
            raise FieldError(f"must be an object, not {_kind(value)}")
        found: dict[str, Any] = {self.key: key} if self.key else {}
        decoders = self._decoders
        for name, item in value.items():
            decode = decoders.get(name)
            if decode is _text and type(item) is str:
                found[name] = item  # most fields are names: the call would cost more than the check
                continue
            if decode is None:
                raise FieldError(f"no such field; known: {', '.join(decoders)}", str(name))
            try:
                found[name] = decode(item)
            except FieldError as error:
                raise error.under(name) from None
        for name in self._required:
            if name not in found:
                raise FieldError("is missing", name)
        return self.cls(**found)

    def encode(self, thing: T) -> dict[str, object]:
        """The JSON form, without what is as by default."""
        out: dict[str, object] = {}
        for name, encode, default in self.fields:
            value = getattr(thing, name)
            if value is not default and value != default:  # nothing is MISSING
                out[name] = encode(value)
        return out

    @property
    def converter(self) -> Converter[T]:
        """For a field that holds one such object."""
        return Converter(self.decode, self.encode, self.schema)


def keyed(shape: Shape[T]) -> Converter[FrozenMap[T]]:
    """An object of such objects, each under its key."""
    return Converter(
        lambda value: _walk(value, lambda key, item: shape.decode(item, key)),
        lambda things: {key: shape.encode(item) for key, item in things.items()},
        {"type": "object", "additionalProperties": shape.schema},
    )
