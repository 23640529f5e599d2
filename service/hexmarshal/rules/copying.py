"""Frozen dataclasses that are made, and copied with changes, for a fraction of what they cost.

A frozen class refuses to be written to, so `dataclasses` fills each field by a call. Here a new
object is of an open twin of its class while it is filled, and of the class itself from then on.
"""

from __future__ import annotations

from dataclasses import MISSING, Field, fields
from functools import cache
from inspect import signature
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    # It is called like that one, and the names and types of fields are checked like there.
    from dataclasses import replace as copied

__all__ = ["FOLLOWS", "copied", "quick"]

T = TypeVar("T")

# In the metadata of a field that is worked out from another one: that field's name.
FOLLOWS = "follows"


@cache
def _open_twin(cls: Any) -> Any:  # noqa: ANN401 - a dataclass has no type of its own
    """A class of the same layout whose objects can be written to."""
    assert not hasattr(cls, "__post_init__"), cls
    body = {
        "__slots__": (),
        "__setattr__": object.__setattr__,
        "__delattr__": object.__delattr__,
    }
    return type(f"{cls.__name__}Open", (cls,), body)


def _made(name: str, heading: str, body: Iterable[str], known: dict[str, object]) -> Any:  # noqa: ANN401
    """A function of this text, as `dataclasses` makes its own."""
    lines = "".join(f"    {line}\n" for line in body)
    exec(f"def {name}{heading}:\n{lines}", known)  # noqa: S102 - of field names alone
    return known[name]


def quick(cls: type[T]) -> type[T]:
    """A frozen dataclass with slots whose objects are made in less time: for those made often.

    A class derived from it must be quick as well.
    """
    assert all(f.init and f.default_factory is MISSING for f in _fields(cls)), cls
    as_any: Any = cls
    first = as_any.__init__
    names = list(signature(first).parameters)[1:]
    lines = [
        "made = new(twin)",
        *(f"made.{name} = {name}" for name in names),
        "made.__class__ = cls",
        "return made",
    ]
    known: dict[str, Any] = {"new": object.__new__, "twin": _open_twin(as_any)}
    made = _made("__new__", f"(cls, {', '.join(names)})", lines, known)
    made.__defaults__ = first.__defaults__
    made.__qualname__ = f"{cls.__qualname__}.__new__"
    made.__annotations__ = {n: t for n, t in first.__annotations__.items() if n != "return"}
    as_any.__new__ = made
    del as_any.__init__
    as_any.__getnewargs__ = _values
    return cls


def _values(thing: Any) -> tuple[object, ...]:  # noqa: ANN401
    """What an object is made of, in order: for copies and pickles."""
    return tuple(getattr(thing, field.name) for field in _fields(thing))


def _fields(cls: Any) -> tuple[Field[Any], ...]:  # noqa: ANN401
    return fields(cls)


class _Copiers(dict[Any, Any]):
    """What copies objects of a class with some fields changed, by the class and their names.

    Each is a function of its own: a loop over the changes would take longer than all the rest.
    """

    def __missing__(self, key: tuple[Any, ...]) -> Callable[[Any, Iterable[object]], Any]:
        cls, *changed = key
        known: dict[str, Any] = {"new": object.__new__, "twin": _open_twin(cls), "cls": cls}
        lines = ["made = new(twin)"]
        unknown = set(changed)
        for field in _fields(cls):
            name = field.name
            unknown.discard(name)
            if name in changed:
                assert field.init, name
                continue
            source = field.metadata.get(FOLLOWS)
            if field.init or (source and source not in changed):
                lines.append(f"made.{name} = thing.{name}")
                continue
            known[f"make_{name}"] = make = field.default_factory
            assert make is not MISSING, name
            lines.append(f"made.{name} = make_{name}()")
        if unknown:
            raise AttributeError(f"{cls.__name__} has no field {', '.join(sorted(unknown))}")
        if changed:
            lines.append(f"{', '.join(f'made.{name}' for name in changed)}, = values")
        lines += ["made.__class__ = cls", "return made"]
        copier = self[key] = _made("copy", "(thing, values)", lines, known)
        return cast("Callable[[Any, Iterable[object]], Any]", copier)


_COPIERS = _Copiers()


if not TYPE_CHECKING:

    def copied(thing: T, /, **changes: object) -> T:
        """A copy of a frozen dataclass with slots, with some fields changed.

        As `dataclasses.replace`, which looks at every field anew; no `__post_init__` is called.
        What follows from a field is made anew if that changes.
        """
        return _COPIERS[(thing.__class__, *changes)](thing, changes.values())
