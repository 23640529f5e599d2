"""Business in progress that a position carries: whether what a client sent makes sense."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.engagement import Engagement
from hexmarshal.rules.values import FrozenMap, Value
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from hexmarshal.games.kharkov.situation import Situation

__all__ = ["problems"]

SEQUENCE = "KHA-4.1"
ITEM = re.compile(r"(defender:(D[12e]|E1)|attacker:(A[12e]|E1)|displace:.+|vacated|advance)$")
RESULT = re.compile(r"(Eng|Ae|De|A[12]|D[12]|(De|D[12])/(Ae|A[12]))?$")
# What the first item of an engagement must be in each state.
EXPECTED = {
    "result": ("defender", "attacker"),
    "displacement": ("displace",),
    "advance": ("advance",),
}
Test = Callable[[Value], bool]


def problems(now: Situation) -> Iterator[Violation]:
    """What is wrong with the extras of a position, and with its state."""
    extras = now.position.extras
    tests = _tests(now)
    for name, value in extras.items():
        field = f"extras.{name}"
        if name == "engagement":
            needed = {"kind", "side", "attackers", "targets"}
            yield from _record(value, _engagement_tests(now), field, needed)
            yield from _one_target(value, field)
        elif name == "hand":
            yield from _record(value, _hand_tests(now), field, {"units", "began", "spent"})
        elif name not in tests:
            yield _bad(field, "no such part of a position")
        elif not tests[name](value):
            yield _bad(field, "does not make sense here")
    yield from _state(now)


def _bad(field: str, text: str) -> Violation:
    return Violation(SEQUENCE, f"{field}: {text}", field=field)


def _record(
    value: Value, tests: Mapping[str, Test], field: str, needed: set[str]
) -> Iterator[Violation]:
    if not isinstance(value, FrozenMap):
        yield _bad(field, "must be an object")
        return
    for name, inner in value.items():
        if name not in tests:
            yield _bad(f"{field}.{name}", "no such part")
        elif not tests[name](inner):
            yield _bad(f"{field}.{name}", "does not make sense here")
    for name in sorted(needed - set(value)):
        yield _bad(f"{field}.{name}", "is missing")


def _one_target(value: Value, field: str) -> Iterator[Violation]:
    """KHA-7.14: an overrun is against one hex; any attack is against some."""
    targets = value.get("targets") if isinstance(value, FrozenMap) else None
    if not isinstance(value, FrozenMap) or not isinstance(targets, tuple):
        return
    if not targets or (value.get("kind") == "overrun" and len(targets) > 1):
        yield _bad(f"{field}.targets", "an attack has a target, an overrun exactly one")


def _tests(now: Situation) -> dict[str, Test]:
    return {
        "south": lambda v: isinstance(v, int) and not isinstance(v, bool),
        "assaulted": _cells(now),
        "vacated": _cell(now),
        "alarm": lambda v: _marker(now, v),
        "alarms": lambda v: isinstance(v, tuple) and all(_marker(now, m) for m in v),
        "resume": lambda v: isinstance(v, tuple) and all(_frame(now, frame) for frame in v),
    }


def _frame(now: Situation, frame: Value) -> bool:
    if not (isinstance(frame, tuple) and len(frame) == 2 and isinstance(frame[0], str)):
        return False
    active = frame[1]
    return isinstance(active, tuple) and all(side in now.position.sides for side in active)


def _marker(now: Situation, value: Value) -> bool:
    unit = now.position.units.get(value) if isinstance(value, str) else None
    return unit is not None and unit.type == "reserve"


def _cell(now: Situation) -> Test:
    return lambda v: isinstance(v, str) and v in now.board.hexes


def _cells(now: Situation) -> Test:
    one = _cell(now)
    return lambda v: isinstance(v, tuple) and all(one(c) for c in v)


def _units(now: Situation) -> Test:
    known = now.position.units
    return lambda v: isinstance(v, tuple) and all(isinstance(u, str) and u in known for u in v)


def _standing(now: Situation) -> Test:
    known = now.position.units
    units = _units(now)
    return lambda v: units(v) and all(known[str(u)].cell for u in v)  # type: ignore[union-attr]


def _number(value: Value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _hand_tests(now: Situation) -> dict[str, Test]:
    known = now.position.units
    return {
        "units": _units(now),
        "began": _cell(now),
        "spent": lambda v: (
            isinstance(v, FrozenMap) and all(u in known and _number(n) for u, n in v.items())
        ),
        "won": lambda v: isinstance(v, bool),
        "ridden": _number,
    }


def _engagement_tests(now: Situation) -> dict[str, Test]:
    units, cells = _units(now), _cells(now)
    special: dict[str, Test] = {
        "kind": lambda v: v in ("attack", "overrun"),
        "side": lambda v: v in now.position.sides,
        "pending": _standing(now),
        "stayed": _standing(now),
        "targets": cells,
        "wiped": cells,
        "result": lambda v: isinstance(v, str) and RESULT.match(v) is not None,
        "todo": lambda v: (
            isinstance(v, tuple) and all(isinstance(i, str) and _item(now, i) for i in v)
        ),
        "trails": lambda v: isinstance(v, tuple) and all(bool(t) and cells(t) for t in v),
        "halfway": lambda v: (
            isinstance(v, tuple)
            and all(
                isinstance(w, tuple) and len(w) > 1 and units(w[:1]) and cells(w[1:]) for w in v
            )
        ),
        "air_attack": lambda v: isinstance(v, bool),
        "hurt": lambda v: isinstance(v, bool),
        "hexes": _number,
        "called": _number,
    }
    return {f.name: special.get(f.name, units) for f in fields(Engagement)}


def _item(now: Situation, item: str) -> bool:
    if ITEM.match(item) is None:
        return False
    kind, _, what = item.partition(":")
    unit = now.position.units.get(what)
    return kind != "displace" or (unit is not None and unit.type == "hq" and bool(unit.cell))


def _state(now: Situation) -> Iterator[Violation]:
    """Whether there is something to decide, where the state asks for a decision."""
    state, extras = now.position.state, now.position.extras
    engagement = extras.get("engagement")
    if state in ("air_defence", "result", "retreat", "displacement", "advance"):
        if not isinstance(engagement, FrozenMap):
            yield _bad("extras.engagement", f"the state is {state}, but no combat is in progress")
            return
        todo, pending = engagement.get("todo", ()), engagement.get("pending", ())
        if state == "retreat" and not pending:
            yield _bad("extras.engagement.pending", "nobody is retreating")
        first = str(todo[0]).partition(":")[0] if isinstance(todo, tuple) and todo else ""
        if state in EXPECTED and first not in EXPECTED[state]:
            yield _bad("extras.engagement.todo", f"the state is {state}, but not the first item")
        if state == "result" and first and isinstance(todo, tuple) and str(todo[0])[-1] == "e":
            yield _bad("extras.engagement.todo", "an elimination leaves nothing to decide")
    if state == "pursuit" and extras.get("vacated") is None:
        yield _bad("extras.vacated", "a pursuit, but no hex was left")
    if state in ("alarm", "alarm_placement") and extras.get("alarm") is None:
        yield _bad("extras.alarm", "an alarm, but of no reserve")
    if state in ("pursuit", "alarm", "alarm_placement") and not extras.get("resume"):
        yield _bad("extras.resume", f"the state is {state}, but nothing is left to go back to")
