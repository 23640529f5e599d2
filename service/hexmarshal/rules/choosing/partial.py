"""An action that is still being chosen, and what a check that reads it may rely on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar, overload

from hexmarshal.rules.action import Action
from hexmarshal.rules.copying import quick
from hexmarshal.rules.values import FrozenMap, Record, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from collections.abc import Set as AbstractSet


__all__ = ["NotChosen", "Partial", "Unfinished", "begun"]

D = TypeVar("D")

# A map is a dict, which `Unfinished` asks past its own answers.
_new: Any = dict.__new__
_fill: Any = dict.update
_find: Callable[[FrozenMap[Value], str], Value] = dict.get  # type: ignore[assignment]
_has: Callable[[FrozenMap[Value], object], bool] = dict.__contains__


class NotChosen(Exception):  # noqa: N818 - no error: the check has come as far as it can
    """A check read a slot that nothing was chosen for yet: what it found until then stands."""


class Unfinished(FrozenMap[Value]):
    """The parameters chosen so far; to read one that is still open ends the check."""

    __slots__ = ("_open",)

    _open: AbstractSet[str]

    @classmethod
    def of(cls, ordered: Mapping[str, Value], still_open: AbstractSet[str]) -> Unfinished:
        """From values in the order of their names."""
        made: Unfinished = _new(cls)
        _fill(made, ordered)
        made._open = still_open
        return made

    def __getitem__(self, key: str) -> Value:
        value = _find(self, key)
        if value is None and key in self._open:
            raise NotChosen(key)
        if value is None and not _has(self, key):
            raise KeyError(key)
        return value

    def __contains__(self, key: object) -> bool:
        if _has(self, key):
            return True
        if key in self._open:
            raise NotChosen(key)
        return False

    @overload
    def get(self, key: str, /) -> Value | None: ...

    @overload
    def get(self, key: str, /, default: Value | D) -> Value | D: ...

    def get(self, key: str, /, default: D | None = None) -> Value | D | None:
        """As of any map, but a slot that is open has no default."""
        found = _find(self, key)
        if found is not None:
            return found
        if key in self._open:
            raise NotChosen(key)
        return found if _has(self, key) else default

    def __reduce__(self) -> tuple[object, ...]:
        return (Unfinished.of, (dict(self), self._open))


@quick
@dataclass(frozen=True, slots=True, repr=False)
class Partial(Action):
    """An action of which some slots are open: nothing was chosen for them, or a list still grows.

    A check gets it like any action. Reading a slot that is empty raises `NotChosen`, which ends the
    check; a list that grows reads as what is in it so far, and a violation that more entries could
    cure names that slot in `cured_by`.
    """

    slots: frozenset[str] = frozenset()

    def open(self, name: str) -> bool:
        """Whether this slot may still be chosen, or grow."""
        return name in self.slots

    def given(self, name: str, default: Value = None) -> Value:
        """A parameter as it is, or the default where it was left out or is not chosen yet."""
        try:
            return self.params.get(name, default)
        except NotChosen:
            return default


def begun(kind: str, side: str, given: Record, still_open: frozenset[str]) -> Action:
    """An action with these slots chosen: a whole one when none is open."""
    if not still_open:
        return Action(kind, side, given)
    if not given:
        return _opening(kind, side, still_open)
    return Partial(kind, side, Unfinished.of(given, still_open), still_open)


@lru_cache(maxsize=1024)
def _opening(kind: str, side: str, still_open: frozenset[str]) -> Partial:
    """An action of which nothing is chosen yet: every choice begins with one of these few."""
    return Partial(kind, side, Unfinished.of({}, still_open), still_open)
