"""Plain immutable values: what a position, an action or an effect may hold."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

from hexmarshal.errors import Place, RulesError

__all__ = [
    "EMPTY",
    "INT_MAX",
    "INT_MIN",
    "LARGEST",
    "FieldError",
    "FrozenMap",
    "Record",
    "Value",
    "as_fraction",
    "changed",
    "freeze",
    "in_order",
    "show_number",
    "thaw",
]

V = TypeVar("V")
D = TypeVar("D")

INT_MIN, INT_MAX = -(2**63), 2**63 - 1
# No number of a game is larger: what is added to one still fits into 64 bits.
LARGEST = 2**53
MAX_DEPTH = 32
SMALL = 2**31


class FieldError(Exception):
    """A value that does not fit its field; each layer adds its part of the path on the way out."""

    def __init__(self, message: str, *path: str | int, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.path: list[str | int] = list(path)
        self.hint = hint

    def under(self, part: str | int) -> FieldError:
        """The same error, one layer further out."""
        self.path.insert(0, part)
        return self

    def as_error(self, what: str) -> RulesError:
        """The error that a caller sees; `what` says which kind of thing was read."""
        text = ""
        for part in self.path:
            name = part or "''"
            text += f"[{part}]" if isinstance(part, int) else f".{name}" if text else str(name)
        place = Place(field=text or None)
        return RulesError(f"{what}: {self.message}", place=place, hint=self.hint)


if TYPE_CHECKING:

    class _Map(Mapping[str, V]):
        """What it is to whoever calls it."""
else:
    # To look something up takes no call of Python then.
    _Map = dict


class FrozenMap(_Map[V]):
    """An immutable mapping that is always in the order of its keys.

    A change copies one dict of pointers, which for a few hundred entries costs a microsecond, and
    shares every entry. The order never depends on history, so neither does anything that walks it.
    """

    __slots__ = ("_hash",)

    if TYPE_CHECKING:
        _hash: int

        def __init__(self, items: Mapping[str, V] | Iterable[tuple[str, V]] = ()) -> None: ...

        def __getitem__(self, key: str) -> V: ...

        def __iter__(self) -> Iterator[str]: ...

        def __len__(self) -> int: ...

    else:

        def __init__(self, items: object = ()) -> None:
            _fill(self, items if isinstance(items, FrozenMap) else in_order(dict(items)))

    @classmethod
    def ordered(cls, items: Mapping[str, V]) -> FrozenMap[V]:
        """Of entries that are in the order of their keys."""
        made: FrozenMap[V] = _new(cls)
        _fill(made, items)
        return made

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:
            self._hash = hash(tuple(self.items()))
            return self._hash

    def __repr__(self) -> str:
        return f"FrozenMap({self.plain()!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return (FrozenMap, (self.plain(),))

    def plain(self) -> dict[str, V]:
        """A dict of the same entries, to be changed at will."""
        return dict(self)

    def set(self, key: str, value: V) -> FrozenMap[V]:
        """With this entry added or replaced."""
        made: FrozenMap[V] = _new(FrozenMap)
        _fill(made, self)
        _put(made, key, value)
        size = len(self)
        if len(made) == size or not size or next(_backwards(self)) < key:
            return made
        return FrozenMap.ordered(in_order(dict(made)))

    def merged(self, changes: Mapping[str, V]) -> FrozenMap[V]:
        """With all these entries added or replaced."""
        if not changes:
            return self
        made: FrozenMap[V] = _new(FrozenMap)
        _fill(made, self)
        _fill(made, changes)
        if len(made) == len(self):
            return made
        return FrozenMap.ordered(in_order(dict(made)))

    def without(self, *keys: str) -> FrozenMap[V]:
        """With these entries gone; keys that are not there do not matter."""
        made: FrozenMap[V] = _new(FrozenMap)
        _fill(made, self)
        for key in keys:
            _take(made, key, None)
        return made

    if not TYPE_CHECKING:

        def _refuse(self, *_: object, **__: object) -> None:
            raise TypeError("a FrozenMap cannot be changed")

        __setitem__ = __delitem__ = __ior__ = _refuse
        clear = pop = popitem = setdefault = update = _refuse


_new: Any = dict.__new__
_fill: Any = dict.update
_put: Any = dict.__setitem__
_take: Any = dict.pop
_backwards: Any = dict.__reversed__


def in_order(items: dict[str, V]) -> dict[str, V]:
    """The same entries in the order of their keys."""
    if len(items) < 2:
        return items
    keys = sorted(items)
    return items if keys == list(items) else {key: items[key] for key in keys}


Value: TypeAlias = "bool | int | str | tuple[Value, ...] | FrozenMap[Value] | None"
Record: TypeAlias = FrozenMap[Value]
EMPTY: Record = FrozenMap()


def freeze(value: object, depth: int = 0) -> Value:
    """A JSON-like value as immutable data; Fractions become text such as '3/2'."""
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, int):
        if not INT_MIN <= value <= INT_MAX:
            raise FieldError("a whole number must fit into 64 bits")
        return value
    if isinstance(value, Fraction):
        return show_number(value)
    if depth >= MAX_DEPTH:
        raise FieldError(f"nested deeper than {MAX_DEPTH} levels")
    if isinstance(value, Mapping):
        return record(value, depth)
    if isinstance(value, list | tuple):
        return tuple(_item(item, i, depth) for i, item in enumerate(value))
    if isinstance(value, float):
        raise FieldError("not exact: write a whole number, or a fraction as text such as '1/2'")
    raise FieldError(f"cannot hold a {type(value).__name__}")


def _item(value: object, index: int, depth: int) -> Value:
    try:
        return freeze(value, depth + 1)
    except FieldError as error:
        raise error.under(index) from None


def record(value: Mapping[object, object], depth: int = 0) -> Record:
    """A mapping of names to values, immutable."""
    frozen: dict[str, Value] = {}
    near = depth + 1 < MAX_DEPTH
    for key, inner in value.items():
        kind = type(inner)
        # Nearly all values of nearly all counters are short numbers, texts and lists of texts: no
        # detours for them.
        if type(key) is str and (
            kind is str
            or kind is bool
            or (kind is int and -SMALL < cast("int", inner) < SMALL)
            or (kind is tuple and near and _texts(cast("tuple[object, ...]", inner)))
        ):
            frozen[key] = cast("Value", inner)
            continue
        if not isinstance(key, str):
            raise FieldError(f"a name must be text, not {key!r}")
        try:
            frozen[key] = freeze(inner, depth + 1)
        except FieldError as error:
            raise error.under(key) from None
    return FrozenMap(frozen)


def _texts(values: tuple[object, ...]) -> bool:
    return set(map(type, values)) <= {str}


def thaw(value: Value) -> object:
    """The same value as JSON has it: lists and dicts."""
    if isinstance(value, tuple):
        return [thaw(item) for item in value]
    if isinstance(value, FrozenMap):
        return {key: thaw(inner) for key, inner in value.items()}
    return value


def changed(values: Record, changes: Record) -> Record:
    """The values with the changes; null removes one."""
    gone = [name for name, value in changes.items() if value is None]
    merged = values.merged(changes)
    return merged.without(*gone) if gone else merged


def show_number(number: int | Fraction) -> str:
    """'3', or '3/2' where it is not whole."""
    return str(number)


_FRACTION = re.compile(r"-?[0-9]{1,18}(/[1-9][0-9]{0,17})?")


def as_fraction(value: Value) -> Fraction:
    """A number that was written as a whole number or as text such as '3/2'."""
    if isinstance(value, int) and not isinstance(value, bool):
        return Fraction(value)
    # Python's own reading of text takes '1e999999999' too, and hours for it.
    if isinstance(value, str) and _FRACTION.fullmatch(value):
        return Fraction(value)
    raise FieldError(f"not a number: {cast('object', value)!r}")
