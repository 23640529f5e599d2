"""What a position notes beside its pieces: open decisions, whose go it is, what a firefight says.

Positions come from outside, and what is noted there may be anything: a name in the wrong place
would only be met much later, in the middle of somebody else's action.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.decisions import DECISIONS
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from hexmarshal.rules.position import Position
    from hexmarshal.rules.values import Value

__all__ = ["violations"]

Check = Callable[["Position", "Value", str], Iterator[Violation]]


def violations(position: Position) -> Iterator[Violation]:
    """Everything that is noted, and cannot be."""
    if position.turn < 1:
        yield Violation("COH-1.0a", f"no turn {position.turn}: turns begin with 1", field="turn")
    for name, check in NOTES.items():
        if name in position.extras:
            yield from check(position, position.extras[name], f"extras.{name}")
    for cell, values in position.cells.items():
        points = values.get("vp")
        if points is not None and not _whole(points):
            yield _wrong("COH-2.5.2a", f"cells.{cell}.vp", "a whole number of points", points)
    for side, known in position.knowledge.items():
        for name, check in SECRETS.items():
            if name in known:
                yield from check(position, known[name], f"knowledge.{side}.{name}")


def _wrong(rule: str, field: str, wanted: str, found: object) -> Violation:
    return Violation(rule, f"{field} must be {wanted}, not {found!r}", field=field)


def _whole(value: Value, least: int | None = None) -> bool:
    return type(value) is int and (least is None or value >= least)


def _number(rule: str, least: int | None = None) -> Check:
    def check(position: Position, value: Value, at: str) -> Iterator[Violation]:
        del position
        if not _whole(value, least):
            text = "a whole number" if least is None else f"a whole number of at least {least}"
            yield _wrong(rule, at, text, value)

    return check


def _numbers(rule: str, least: int = 0, most: int | None = None) -> Check:
    """A number for each side that has one."""

    def check(position: Position, value: Value, at: str) -> Iterator[Violation]:
        yield from _by_side(rule, position, value, at)
        if not isinstance(value, FrozenMap):
            return
        for side, count in value.items():
            if not _whole(count, least) or (isinstance(count, int) and count > (most or count)):
                text = f"a whole number of at least {least}" + (f", at most {most}" if most else "")
                yield _wrong(rule, f"{at}.{side}", text, count)

    return check


def _by_side(rule: str, position: Position, value: Value, at: str) -> Iterator[Violation]:
    if not isinstance(value, FrozenMap):
        yield _wrong(rule, at, "a value for each side", value)
        return
    for side in value:
        if side not in position.sides:
            yield Violation(rule, f"no side {side!r} in {at}", field=f"{at}.{side}")


def _names(rule: str) -> Check:
    def check(position: Position, value: Value, at: str) -> Iterator[Violation]:
        del position
        if not isinstance(value, tuple) or not all(isinstance(name, str) for name in value):
            yield _wrong(rule, at, "a list of names", value)

    return check


def _names_by_side(rule: str) -> Check:
    def check(position: Position, value: Value, at: str) -> Iterator[Violation]:
        yield from _by_side(rule, position, value, at)
        for side, names in value.items() if isinstance(value, FrozenMap) else ():
            yield from _names(rule)(position, names, f"{at}.{side}")

    return check


def _side(rule: str) -> Check:
    def check(position: Position, value: Value, at: str) -> Iterator[Violation]:
        if value not in position.sides:
            yield _wrong(rule, at, f"one of {', '.join(position.sides)}", value)

    return check


def _sides(rule: str) -> Check:
    def check(position: Position, value: Value, at: str) -> Iterator[Violation]:
        if not isinstance(value, tuple):
            yield _wrong(rule, at, "a list of sides", value)
            return
        for i, side in enumerate(value):
            yield from _side(rule)(position, side, f"{at}[{i}]")

    return check


def _record(rule: str) -> Check:
    def check(position: Position, value: Value, at: str) -> Iterator[Violation]:
        del position
        if not isinstance(value, FrozenMap):
            yield _wrong(rule, at, "an object", value)

    return check


def _switch(rule: str) -> Check:
    def check(position: Position, value: Value, at: str) -> Iterator[Violation]:
        del position
        if not isinstance(value, bool):
            yield _wrong(rule, at, "true or false", value)

    return check


def _quick(position: Position, value: Value, at: str) -> Iterator[Violation]:
    """COH-C10: whose second action in a row follows."""
    side = value.get("side") if isinstance(value, FrozenMap) else value
    yield from _side("COH-C10")(position, side, f"{at}.side")


def _queue(position: Position, value: Value, at: str) -> Iterator[Violation]:
    """The open decisions: each of a kind that there is, of a side, about a unit that is there."""
    if not isinstance(value, tuple):
        yield _wrong("COH-2.2a", at, "a list of decisions", value)
        return
    for i, entry in enumerate(value):
        yield from _decision(position, entry, f"{at}[{i}]")


def _decision(position: Position, entry: Value, at: str) -> Iterator[Violation]:
    if not isinstance(entry, FrozenMap):
        yield _wrong("COH-2.2a", at, "an object with kind and side", entry)
        return
    kind = entry.get("kind")
    if kind not in DECISIONS:
        yield _wrong("COH-2.2a", f"{at}.kind", f"one of {', '.join(DECISIONS)}", kind)
    yield from _side("COH-2.2a")(position, entry.get("side"), f"{at}.side")
    hidden = kind == "mines" and "of" in entry
    if hidden:
        yield from _side("COH-18.3.3a")(position, entry.get("of"), f"{at}.of")
    unit = entry.get("unit")
    # A view does not hold every unit that a decision may be about.
    whole = kind in ("face", "mines") and not hidden and not position.viewer
    if whole and unit not in position.units:
        yield _wrong("COH-2.2a", f"{at}.unit", "a unit of the position", unit)
    if kind == "obstacle":
        yield from _number("COH-18.3.1a", 0)(position, entry.get("cost"), f"{at}.cost")


# Every note of the game, with the rule that it serves.
NOTES: Mapping[str, Check] = {
    "queue": _queue,
    "passers": _sides("COH-2.2e"),
    "next": _side("COH-2.2a"),
    "quick": _quick,
    "last": _record("COH-2.2a"),
    "bids": _numbers("COH-3.2.4a", 0, 2),
    "refused": _names("COH-20.2g"),
    "over": _switch("COH-2.4a"),
    "turns": _number("COH-2.4a", 1),
    "victory_points": _number("COH-2.4a"),
    "draw": _numbers("COH-8.0a"),
    "deal": _numbers("COH-8.0a"),
    "event": _record("COH-CE1"),
    "secret_objectives": _record("COH-CE1"),
    "exits": _names_by_side("COH-5.6a"),
    "observers": _names_by_side("COH-12.3c"),
    "smoke_units": _names("COH-13.1a"),
    "no_smoke": _switch("COH-13.1a"),
    "keep_weapons": _switch("COH-8.4a"),
    "guns_in_bunkers": _switch("COH-18.1.2a"),
}
# What one side alone knows.
SECRETS: Mapping[str, Check] = {
    "activation": _number("COH-3.0.1b"),
    "lucky": _switch("COH-C12"),
    "shown": _record("COH-7.5c"),
    "move": _record("COH-18.3.1a"),
}
