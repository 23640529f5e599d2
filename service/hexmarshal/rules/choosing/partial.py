"""An action that is still being chosen, and what a check that reads it may rely on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar, overload

from hexmarshal.rules.action import Action
from hexmarshal.rules.copying import quick
from hexmarshal.rules.values import FrozenMap, Record, Value, in_order

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Set as AbstractSet

    from hexmarshal.rules.params import Param

__all__ = ["NotChosen", "Partial", "Unfinished", "begun", "filling"]

D = TypeVar("D")

_new = object.__new__


class NotChosen(Exception):  # noqa: N818 - no error: the check has come as far as it can
    """A check read a slot that nothing was chosen for yet: what it found until then stands."""


class Unfinished(FrozenMap[Value]):
    """The parameters chosen so far; to read one that is still open ends the check."""

    __slots__ = ("_open",)

    _open: AbstractSet[str]

    @classmethod
    def of(cls, ordered: dict[str, Value], still_open: AbstractSet[str]) -> Unfinished:
        """From values in the order of their names, which are not copied."""
        made = _new(cls)
        made._dict = ordered  # noqa: SLF001 - of our own class
        made._hash = None  # noqa: SLF001
        made._open = still_open  # noqa: SLF001
        return made

    def __getitem__(self, key: str) -> Value:
        value = self._dict.get(key)
        if value is None and key in self._open:
            raise NotChosen(key)
        return self._dict[key]

    def __contains__(self, key: object) -> bool:
        if key in self._dict:
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
        found = self._dict.get(key)
        if found is not None:
            return found
        if key in self._open:
            raise NotChosen(key)
        return self._dict.get(key, default)

    def __reduce__(self) -> tuple[object, ...]:
        return (Unfinished.of, (self._dict, self._open))


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
    return Partial(kind, side, Unfinished.of(given.plain(), still_open), still_open)


def filling(
    kind: str, side: str, given: Record, param: Param, still_open: frozenset[str]
) -> Callable[[Value], Action]:
    """What makes of each value of a slot the action with it: of a list, with one entry more.

    `still_open` are the slots open afterwards.
    """
    name, many = param.name, param.many
    held = given.get(name, ())
    before = held if isinstance(held, tuple) else ()
    template = in_order(given.plain() | {name: ()})

    def filled(value: Value) -> Action:
        chosen = template.copy()
        chosen[name] = (*before, value) if many else value
        if not still_open:
            return Action(kind, side, FrozenMap.ordered(chosen))
        return Partial(kind, side, Unfinished.of(chosen, still_open), still_open)

    return filled
