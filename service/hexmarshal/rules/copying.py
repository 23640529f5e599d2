"""A changed copy of a unit, a position and the like, for half of what `dataclasses` takes."""

from __future__ import annotations

from dataclasses import MISSING, fields
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    # It is called like that one, and the names and types of fields are checked like there.
    from dataclasses import replace as copied

__all__ = ["FOLLOWS", "copied"]

T = TypeVar("T")

# In the metadata of a field that is worked out from another one: that field's name.
FOLLOWS = "follows"


class _Plan(NamedTuple):
    """How a class is copied: all values at once, what fills each slot, what is made anew.

    What follows from a field is made anew if that field changes, and shared if not.
    """

    values: Callable[[Any], tuple[Any, ...]]
    fills: dict[str, Callable[[Any, Any], None]]
    fresh: tuple[tuple[Callable[[Any, Any], None], Callable[[], Any]], ...]
    follows: tuple[
        tuple[str, Callable[[Any], Any], Callable[[Any, Any], None], Callable[[], Any]], ...
    ]


@cache
def _plan(cls: Any) -> _Plan:  # noqa: ANN401 - a dataclass has no type of its own
    assert not hasattr(cls, "__post_init__"), cls
    slots = {field: getattr(cls, field.name).__set__ for field in fields(cls)}
    kept = {field.name: fill for field, fill in slots.items() if field.init}
    fresh, follows = [], []
    for field, fill in slots.items():
        if not field.init:
            make = field.default_factory
            assert make is not MISSING, field.name
            if source := field.metadata.get(FOLLOWS):
                follows.append((source, attrgetter(field.name), fill, make))
            else:
                fresh.append((fill, make))
    return _Plan(attrgetter(*kept), kept, tuple(fresh), tuple(follows))


if not TYPE_CHECKING:

    def copied(thing: T, /, **changes: object) -> T:
        """A copy of a frozen dataclass with slots, with some fields changed.

        As `dataclasses.replace`, which looks at every field anew; no `__post_init__` is called.
        """
        values, fills, fresh, follows = _plan(type(thing))
        made = object.__new__(type(thing))
        for fill, value in zip(fills.values(), values(thing), strict=True):
            fill(made, value)
        for fill, make in fresh:
            fill(made, make())
        for source, get, fill, make in follows:
            fill(made, make() if source in changes else get(thing))
        for name, value in changes.items():
            fills[name](made, value)
        return made
