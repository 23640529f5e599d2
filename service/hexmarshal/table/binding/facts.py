"""Single facts about a unit or marker that a table can show, so that two tellings compare."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, TypeVar, Union

from hexmarshal.rules.state.pieces import Marker, Unit
from hexmarshal.rules.values import FrozenMap, Value

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Fact", "Shown", "differ", "differences", "told", "with_facts"]

T = TypeVar("T", Unit, Marker)

# What a table can show of one thing: a value of the rules, or a set of sides.
Shown: TypeAlias = Union[Value, frozenset[str]]  # noqa: UP007 - `Value` is a name, not yet a type

_PLAIN: Final = ("type", "steps", "facing", "level", "face", "seen_by", "known_to")


class Fact(NamedTuple):
    """`of` is a field of a unit, or `flag` or `value` with its name; an `aid` is not judged.

    Where the table cannot tell some things apart, `or_else` lists what it may be as well. What is
    told `on_map` alone counts for nothing where the piece lies beside it. A sign that is `shared`
    may lie on one of those who act together.
    """

    of: str
    name: str
    value: Shown
    aid: bool = False
    or_else: tuple[Shown, ...] = ()
    on_map: bool = False
    shared: bool = False

    def allows(self, value: Shown) -> bool:
        """Whether the table looks so when this is the value."""
        return value == self.value or value in self.or_else

    @property
    def key(self) -> tuple[str, str]:
        """What the fact is about."""
        return self.of, self.name

    @property
    def shown(self) -> str:
        """The value alone, in words."""
        return "none" if self.value is None else _text(self.value)

    def describe(self) -> str:
        """In words."""
        match self.of:
            case "flag":
                name = self.name.replace("_", " ")
                return name if self.value else f"not {name}"
            case "value":
                name = self.name.replace("_", " ")
                return f"no {name}" if self.value is None else f"{name} {_text(self.value)}"
            case "steps":
                return f"{_text(self.value)} step{'s' if self.value != 1 else ''}"
            case "known_to" | "seen_by":
                lead = "known to" if self.of == "known_to" else "seen by"
                if self.value is None:
                    return f"{lead} all"
                return f"{lead} {_text(self.value)} alone" if self.value else f"{lead} nobody"
            case _:
                return f"{self.of} {'none' if self.value is None else _text(self.value)}"

    @property
    def verb(self) -> str:
        """What joins a unit and this: it is spent, and has 2 steps."""
        return "is" if self.of in ("flag", "known_to", "seen_by") else "has"


def _text(value: Shown) -> str:
    if isinstance(value, frozenset):
        return ", ".join(sorted(value))
    return " ".join(map(_text, value)) if isinstance(value, tuple) else str(value)


def told(unit: Unit | Marker, fact: Fact) -> Fact:
    """The same fact as the unit has it."""
    return fact._replace(value=_held(unit, fact))


def _held(unit: Unit | Marker, fact: Fact) -> Shown:
    if fact.of == "flag":
        return isinstance(unit, Unit) and unit.has(fact.name)
    if fact.of == "value":
        return unit.values.get(fact.name)
    held: Shown = getattr(unit, fact.of)
    return held


def differences(unit: Unit, facts: Iterable[Fact]) -> tuple[tuple[Fact, Fact], ...]:
    """Pairs (as the unit has it, as shown) of all facts that differ and are judged."""
    pairs = ((told(unit, fact), fact) for fact in facts if not fact.aid)
    # Who looks nowhere yet may be shown with any facing.
    return tuple(
        (right, shown)
        for right, shown in pairs
        if not shown.allows(right.value) and (right.of, right.value) != ("facing", None)
    )


def differ(unit: Unit, facts: Iterable[Fact]) -> bool:
    """Whether there are any such facts."""
    for fact in facts:
        if fact.aid:
            continue
        held = _held(unit, fact)
        if not fact.allows(held) and not (held is None and fact.of == "facing"):
            return True
    return False


def with_facts(unit: T, facts: Iterable[Fact]) -> T:
    """The unit or marker with these facts made true."""
    changes: dict[str, object] = {}
    before: frozenset[str] = unit.flags if isinstance(unit, Unit) else frozenset()
    flags = set(before)
    values: dict[str, Value] = dict(unit.values)
    for fact in facts:
        if fact.or_else and fact.allows(told(unit, fact).value):
            continue
        if fact.of == "flag":
            (flags.add if fact.value else flags.discard)(fact.name)
        elif fact.of == "value":
            if fact.value is None:
                values.pop(fact.name, None)
            else:
                assert not isinstance(fact.value, frozenset)
                values[fact.name] = fact.value
        else:
            assert fact.of in _PLAIN
            changes[fact.of] = fact.value
    if flags != before:
        changes["flags"] = frozenset(flags)
    if values != unit.values.plain():
        changes["values"] = FrozenMap(values)
    return replace(unit, **changes) if changes else unit  # type: ignore[arg-type]
