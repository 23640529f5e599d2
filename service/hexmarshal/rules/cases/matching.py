"""Matching an expectation against what came out: as a subset, with every difference named."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

__all__ = ["Usual", "differences", "fits"]

_NONE: tuple[object, ...] = (None, [], {}, "")


class Usual(int):
    """A number that JSON leaves out because it is as usual; an expectation may leave it out too."""


def differences(expected: Mapping[str, object], got: Mapping[str, object]) -> Iterator[str]:
    """Each way in which `got` does not hold what is expected, as a line for a person.

    Objects match as subsets. A list of objects matches if each finds its own partner, in any order;
    any other list must be equal. Null and an empty list, object or text all say that there is none.
    `violations` may list rule ids, each of which must be violated; `no_violations` lists ids that
    must not be; `cost` and `outcome` may be a bare total and a bare winner.
    """
    for name, wanted in expected.items():
        match name:
            case "violations" | "no_violations" if _texts(wanted):
                broken = {str(v["rule"]) for v in _objects(got.get("violations"))}
                assert isinstance(wanted, Sequence)
                for rule in wanted:
                    if (rule in broken) is (name == "no_violations"):
                        shown = ", ".join(sorted(broken)) or "nothing"
                        yield f"{name}: expected {rule}, got violations of {shown}"
                if name == "violations" and not wanted and broken:
                    yield f"violations: expected none, got {', '.join(sorted(broken))}"
            case "cost" if isinstance(wanted, int | str):
                cost = got.get("cost")
                total = cost.get("total") if isinstance(cost, Mapping) else cost
                yield from _differ("cost", wanted, total)
            case "outcome" if isinstance(wanted, str):
                outcome = got.get("outcome")
                winners = outcome.get("winners") if isinstance(outcome, Mapping) else None
                yield from _differ("outcome", [wanted], winners)
            case _:
                yield from _differ(name, wanted, got.get(name))


def fits(expected: object, got: object) -> bool:
    """Whether there is no difference."""
    return next(_differ("", expected, got), None) is None


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _objects(value: object) -> list[Mapping[str, object]]:
    return [v for v in value if isinstance(v, Mapping)] if isinstance(value, list) else []


def _nothing(expected: object) -> bool:
    """Whether it says only what is not there: of what is absent as a whole, nothing is."""
    if isinstance(expected, Mapping):
        return bool(expected) and all(_nothing(inner) for inner in expected.values())
    return expected in _NONE


def _differ(path: str, expected: object, got: object) -> Iterator[str]:
    if expected in _NONE and got in _NONE:
        return
    if isinstance(got, Usual):
        got = None if expected is None else int(got)
    if isinstance(expected, Mapping):
        if got is None and _nothing(expected):
            return
        if not isinstance(got, Mapping):
            yield f"{path}: expected {_show(expected)}, got {_show(got)}"
            return
        for name, wanted in expected.items():
            yield from _differ(f"{path}.{name}", wanted, got.get(name))
    elif isinstance(expected, list) and expected and all(isinstance(e, Mapping) for e in expected):
        yield from _partners(path, expected, got)
    elif type(expected) is not type(got) or expected != got:
        yield f"{path}: expected {_show(expected)}, got {_show(got)}"


def _partners(path: str, expected: list[Mapping[str, object]], got: object) -> Iterator[str]:
    """Each expected object needs a partner of its own: a matching, found by augmenting paths."""
    have = got if isinstance(got, list) else []
    suited = [[j for j, item in enumerate(have) if fits(want, item)] for want in expected]
    partner: dict[int, int] = {}

    def place(i: int, tried: set[int]) -> bool:
        for j in suited[i]:
            if j not in tried:
                tried.add(j)
                if j not in partner or place(partner[j], tried):
                    partner[j] = i
                    return True
        return False

    for i, want in enumerate(expected):
        if not place(i, set()):
            yield f"{path}[{i}]: expected {_show(want)}, got {_show(got)}"


def _show(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 300 else text[:297] + "..."
