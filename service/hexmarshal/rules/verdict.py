"""Verdicts and resolutions: is an action legal, what does it cost, what comes of it, why."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from hexmarshal.errors import ExitCode, HexMarshalError
from hexmarshal.rules.choosing.partial import NotChosen
from hexmarshal.rules.copying import quick
from hexmarshal.rules.state.effect_shapes import effect_to_json
from hexmarshal.rules.values import EMPTY, Record, show_number, thaw

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hexmarshal.rules.dice import Roll
    from hexmarshal.rules.odds import Distribution
    from hexmarshal.rules.state.effects import Effect
    from hexmarshal.rules.state.position import Position

__all__ = [
    "Amount",
    "Answer",
    "Applied",
    "FREE",
    "LEGAL",
    "Cost",
    "CostPart",
    "IllegalActionError",
    "Modifier",
    "Outcome",
    "Resolution",
    "Step",
    "Strength",
    "Verdict",
    "Violation",
    "amount_to_json",
]

Amount: TypeAlias = int | Fraction


def amount_to_json(amount: Amount) -> int | str:
    """A whole number, or text such as '3/2'."""
    return int(amount) if amount == int(amount) else show_number(amount)


def _lean(document: Mapping[str, object]) -> dict[str, object]:
    """Without what is empty: a reader of the JSON sees only what matters."""
    return {k: v for k, v in document.items() if v not in ("", (), [], {}, None)}


def _named(document: Mapping[str, object]) -> dict[str, object]:
    """Without names that are not there; that a list is empty is something to know."""
    return {k: v for k, v in document.items() if v not in ("", None)}


@quick
@dataclass(frozen=True, slots=True)
class CostPart:
    """One item of a bill: so much, for that, by this rule."""

    amount: Amount
    text: str
    rule: str = ""
    cell: str = ""

    def to_json(self) -> dict[str, object]:
        """As JSON-able data."""
        lean = _lean({"rule": self.rule, "text": self.text, "cell": self.cell})
        return {"amount": amount_to_json(self.amount), **lean}


@quick
@dataclass(frozen=True, slots=True)
class Cost:
    """What an action costs, item by item, in movement points, action points, cards..."""

    parts: tuple[CostPart, ...] = ()
    unit: str = ""

    @property
    def total(self) -> Amount:
        """The sum of the parts."""
        return sum((part.amount for part in self.parts), start=0)

    def to_json(self) -> dict[str, object]:
        """As JSON-able data."""
        return {
            "total": amount_to_json(self.total),
            **_named({"unit": self.unit, "parts": [p.to_json() for p in self.parts]}),
        }

    def __str__(self) -> str:
        return f"cost {amount_to_json(self.total)} {self.unit}".rstrip()


FREE = Cost()


@quick
@dataclass(frozen=True, slots=True)
class Violation:
    """One rule that an action or a position breaks, in a sentence for a person.

    `section` is the place in the rulebook; the kernel fills it in from the rule's id. `cured_by`
    names the parameters that could still cure it while they are open: a path that grows on, a group
    that is not complete. In a whole action it says nothing. `by_sight` marks what rests on a line
    of sight: where sight may not be checked freely, it is found out by declaring the action.
    """

    rule: str
    text: str
    section: str = ""
    cells: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    field: str = ""
    cured_by: tuple[str, ...] = ()
    by_sight: bool = False

    def to_json(self) -> dict[str, object]:
        """As JSON-able data."""
        return _lean(
            {
                "rule": self.rule,
                "section": self.section,
                "text": self.text,
                "cells": list(self.cells),
                "units": list(self.units),
                "field": self.field,
            }
        )

    def __str__(self) -> str:
        return f"{self.rule}: {self.text}"


@quick
@dataclass(frozen=True, slots=True)
class Verdict:
    """Legal if nothing is violated; `notes` are advisory rules that a person should look at."""

    violations: tuple[Violation, ...] = ()
    cost: Cost = FREE
    notes: tuple[Violation, ...] = ()

    @classmethod
    def of(cls, violations: Iterable[Violation], cost: Cost = FREE) -> Verdict:
        """All of these, found one after the other; of a partial action those found so far."""
        found: list[Violation] = []
        try:
            for violation in violations:
                found.append(violation)  # noqa: PERF402 - it may end half way
        except NotChosen:
            pass
        return cls(tuple(found), cost) if found or cost is not FREE else LEGAL

    @property
    def legal(self) -> bool:
        """Whether the action may be done."""
        return not self.violations

    @property
    def rules(self) -> tuple[str, ...]:
        """The ids of the violated rules, each once, in order."""
        return tuple(dict.fromkeys(v.rule for v in self.violations))

    def to_json(self) -> dict[str, object]:
        """As JSON-able data."""
        return {
            "legal": self.legal,
            "violations": [v.to_json() for v in self.violations],
            "cost": self.cost.to_json(),
            "notes": [n.to_json() for n in self.notes],
        }

    def __str__(self) -> str:
        if self.violations:
            return f"illegal: {'; '.join(map(str, self.violations))}"
        return f"legal, {self.cost}" if self.cost.parts else "legal"

    def __repr__(self) -> str:
        return f"<Verdict {self}>"

    def _repr_svg_(self) -> str:
        from hexmarshal.rules.showing.cards import NO, YES, card

        if self.legal:
            return card([str(self), *map(str, self.notes)], YES)
        return card(["illegal", *map(str, self.violations)], NO)


LEGAL = Verdict()


class IllegalActionError(HexMarshalError):
    """An action that the rules forbid; the verdict says which and why."""

    code = "illegal"
    exit_code = ExitCode.FINDINGS

    def __init__(self, verdict: Verdict) -> None:
        super().__init__("; ".join(map(str, verdict.violations)))
        self.verdict = verdict


@quick
@dataclass(frozen=True, slots=True)
class Step:
    """One line of an explanation; `known_to` as for a unit: the sides that may read it."""

    text: str
    rule: str = ""
    known_to: frozenset[str] | None = None

    def to_json(self) -> dict[str, object]:
        """As JSON-able data."""
        return {"text": self.text, **_lean({"rule": self.rule})}


@quick
@dataclass(frozen=True, slots=True)
class Strength:
    """What one unit, or one group, brings to a combat: printed, and as it counts."""

    label: str
    printed: Amount
    counted: Amount
    rules: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    role: str = ""  # attack, defence, ...

    def to_json(self) -> dict[str, object]:
        """As JSON-able data."""
        return {
            "label": self.label,
            "printed": amount_to_json(self.printed),
            "counted": amount_to_json(self.counted),
            **_lean({"role": self.role, "rules": list(self.rules), "units": list(self.units)}),
        }


@quick
@dataclass(frozen=True, slots=True)
class Modifier:
    """One modifier and the rule that gives it; `to` is what it changes: column, die, strength...

    `excludes` are the rules or labels of others that do not count beside it; `excluded_by` is the
    rule by which this one does not count, empty if it does: see `hexmarshal.rules.rolling`.
    """

    label: str
    amount: Amount
    rule: str
    to: str = "die"
    excludes: tuple[str, ...] = ()
    excluded_by: str = ""

    def to_json(self) -> dict[str, object]:
        """As JSON-able data."""
        return {
            "label": self.label,
            "amount": amount_to_json(self.amount),
            "rule": self.rule,
            "to": self.to,
            **_lean({"excludes": list(self.excludes), "excluded_by": self.excluded_by}),
        }


@quick
@dataclass(frozen=True, slots=True)
class Resolution:
    """Something that was decided, with its work shown: combat, morale, supply, arrival, a draw."""

    kind: str
    result: str = ""
    strengths: tuple[Strength, ...] = ()
    base_column: str = ""
    column: str = ""
    modifiers: tuple[Modifier, ...] = ()
    dice: tuple[Roll, ...] = ()
    steps: tuple[Step, ...] = ()
    effects: tuple[Effect, ...] = ()
    values: Record = EMPTY
    known_to: frozenset[str] | None = None

    def to_json(self) -> dict[str, object]:
        """As JSON-able data."""
        return {
            "kind": self.kind,
            "result": self.result,
            **_named(
                {
                    "strengths": [s.to_json() for s in self.strengths],
                    "base_column": self.base_column,
                    "column": self.column,
                    "modifiers": [m.to_json() for m in self.modifiers],
                    "dice": [roll.value for roll in self.dice],
                    "steps": [s.to_json() for s in self.steps],
                    "effects": [effect_to_json(e) for e in self.effects],
                    "values": thaw(self.values),
                }
            ),
        }


@quick
@dataclass(frozen=True, slots=True)
class Applied:
    """An action done: the position after it, what was decided, and all effects in order."""

    position: Position
    resolutions: tuple[Resolution, ...] = ()
    effects: tuple[Effect, ...] = ()
    rolls: tuple[Roll, ...] = ()

    def to_json(self) -> dict[str, object]:
        """As JSON-able data, without the position."""
        return {
            "resolutions": [r.to_json() for r in self.resolutions],
            "effects": [effect_to_json(e) for e in self.effects],
            "dice": [roll.value for roll in self.rolls if not roll.pick],
            "picks": [roll.value for roll in self.rolls if roll.pick],
        }

    def __repr__(self) -> str:
        results = ", ".join(f"{r.kind} {r.result}".rstrip() for r in self.resolutions)
        decided = f" {results}," if results else ""
        return f"<Applied{decided} {len(self.effects)} effects, to {self.position!r}>"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a query found: values, the work shown, and an exact distribution if it is about odds."""

    values: Record = EMPTY
    steps: tuple[Step, ...] = ()
    resolution: Resolution | None = None
    distribution: Distribution[str] | None = field(default=None)

    def to_json(self) -> dict[str, object]:
        """As JSON-able data: the values stand at the top level."""
        document: dict[str, object] = {k: thaw(v) for k, v in self.values.items()}
        if self.resolution is not None:
            document |= {
                k: v for k, v in self.resolution.to_json().items() if k not in ("kind", "result")
            }
        if self.distribution is not None:
            document["distribution"] = {
                str(k): show_number(p) for k, p in self.distribution.items()
            }
        if self.steps:
            document["steps"] = [s.to_json() for s in self.steps]
        return document


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winners (none: a draw, or all lost), why, and by which rule."""

    winners: tuple[str, ...]
    text: str
    rule: str = ""
    scores: Record = EMPTY

    def to_json(self) -> dict[str, object]:
        """As JSON-able data."""
        return {
            "winners": list(self.winners),
            "text": self.text,
            **_lean({"rule": self.rule, "scores": thaw(self.scores)}),
        }
