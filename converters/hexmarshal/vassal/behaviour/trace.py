"""Follows a key through a piece: every trait that hears it, and the keys that those send on.

The engine asks traits from the outside in; a report speaks after all inside it have acted, and a
trigger sends its keys to the whole piece before the traits inside it hear the first key.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from hexmarshal.vassal.behaviour.effects import condition_of, effects, sent_by
from hexmarshal.vassal.pieces.piece_names import PieceProperties
from hexmarshal.vassal.pieces.prototypes import expand
from hexmarshal.vassal.traits import ReportState
from hexmarshal.vassal.values import beanshell
from hexmarshal.vassal.values.evaluation import evaluate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.vassal.pieces.piece import Piece

__all__ = ["Step", "Trace", "trace"]

_DEEPEST: Final = 20
_MOST_STEPS: Final = 2000


@dataclass(frozen=True, slots=True)
class Step:
    """One trait that does something; `depth` counts the triggers on the way."""

    depth: int
    key: str
    trait: str
    number: int
    """From the outside in, prototypes put in place; 0 where no trait hears the key."""
    what: str
    condition: str = ""
    holds: bool | None = None
    """Whether the condition holds for the piece as it is; None if that cannot be told."""

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        return {
            "depth": self.depth,
            "key": self.key,
            "trait": self.trait,
            "number": self.number,
            "what": self.what,
            "condition": self.condition,
            "holds": self.holds,
        }


@dataclass(slots=True)
class Trace:
    """All steps in the order in which they happen, if every condition holds."""

    key: str
    steps: list[Step] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    """Prototypes that could not be put in, triggers that go round in circles."""

    @property
    def heard(self) -> bool:
        """Whether any trait hears the key at all."""
        return any(step.number for step in self.steps if not step.depth)


def trace(piece: Piece, key: str, definitions: Mapping[str, str]) -> Trace:
    """What a key, as people write it, does to a piece; `definitions` are the prototypes."""
    expanded = expand(piece, definitions)
    found = Trace(key, problems=[str(problem) for problem in expanded.problems])
    _Walk(expanded.piece, found).key(key, 0, ())
    return found


class _Walk:
    def __init__(self, piece: Piece, found: Trace) -> None:
        self.traits = piece.traits
        self.found = found
        self.known = PieceProperties(piece)

    def key(self, key: str, depth: int, above: tuple[str, ...]) -> None:
        if key in above:
            way = " -> ".join((*above[above.index(key) :], key))
            self.problem(f"a circle, unless a condition ends it: {way}")
            return
        if depth > _DEEPEST or len(self.found.steps) > _MOST_STEPS:
            self.problem("more steps than can be followed")
            return
        reports: list[Step] = []
        heard = False
        for number, trait in enumerate(self.traits, 1):
            for what in effects(trait, key):
                heard = True
                condition = condition_of(trait)
                step = Step(depth, key, trait.title, number, what, condition, self.holds(condition))
                if isinstance(trait, ReportState):
                    reports.append(step)
                    continue
                self.found.steps.append(step)
                for sent in sent_by(trait):
                    self.key(sent, depth + 1, (*above, key))
        # The innermost report speaks first.
        self.found.steps += reversed(reports)
        if not heard:
            self.found.steps.append(Step(depth, key, "", 0, "no trait of the piece hears it"))

    def problem(self, text: str) -> None:
        if text not in self.found.problems:
            self.found.problems.append(text)

    def holds(self, condition: str) -> bool | None:
        if not condition.strip() or not beanshell.is_braced(condition):
            return None
        value = evaluate(condition, self.known)
        return {"true": True, "false": False}.get(value or "")
