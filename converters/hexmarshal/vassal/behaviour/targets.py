"""Global key commands whose condition no piece can meet: what markers say never changes in play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal.pieces.embedded import walk
from hexmarshal.vassal.pieces.piece import Piece, parse_add
from hexmarshal.vassal.search.component_uses import component_uses
from hexmarshal.vassal.search.engine_properties import known_to_engine
from hexmarshal.vassal.search.trait_uses import trait_uses
from hexmarshal.vassal.traits import Marker, MarkerState, UsePrototype
from hexmarshal.vassal.values import beanshell
from hexmarshal.vassal.values.evaluation import evaluate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.vassal.lint.subject import ModuleSubject
    from hexmarshal.vassal.search.uses import Use

__all__ = ["Targets"]

_GIVES: Final = frozenset({"defines", "sets"})
# Prototypes in circles are told by another check.
_DEEPEST: Final = 20


class Targets:
    """The pieces of a module by their markers."""

    def __init__(self, subject: ModuleSubject) -> None:
        self._prototypes = subject.prototypes
        self._inherited: dict[str, dict[str, str]] = {}
        self._fixed = _fixed_names(subject)
        self._pieces = [
            self._markers(piece)
            for definition in subject.definitions
            if definition.piece is not None
            for _, piece in walk(definition.piece)
            if piece.problem is None
        ]

    def none_fits(self, condition: str) -> bool:
        """Whether it is certain that no piece meets the condition; what is not known may hold."""
        # Between $ stand properties of the piece that sends.
        if not beanshell.is_braced(condition.strip()) or "$" in condition or not self._pieces:
            return False
        words = {word.text for word in beanshell.tokens(condition)}
        asked = sorted(self._fixed & {word.strip("\"'") for word in words})
        if not asked:
            return False
        kinds = {tuple(piece.get(name, "") for name in asked) for piece in self._pieces}
        return all(
            evaluate(condition, dict(_told(asked, values)).get) == "false" for values in kinds
        )

    def _markers(self, piece: Piece, depth: int = 0) -> dict[str, str]:
        found: dict[str, str] = {}
        for trait, state in zip(piece.traits, piece.states, strict=True):
            if isinstance(trait, Marker) and isinstance(state, MarkerState):
                own = dict(zip(trait.names, state.values, strict=False))
            elif isinstance(trait, UsePrototype):
                own = self._of_prototype(trait.name, depth + 1)
            else:
                continue
            found = {**own, **found}
        return found

    def _of_prototype(self, name: str, depth: int) -> dict[str, str]:
        if name not in self._inherited:
            self._inherited[name] = {}
            text = self._prototypes.get(name, "")
            try:
                piece = parse_add(text.strip()) if text.strip() and depth < _DEEPEST else None
            except VassalFormatError:
                piece = None
            if piece is not None and piece.problem is None:
                self._inherited[name] = self._markers(piece, depth)
        return self._inherited[name]


def _told(names: list[str], values: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Values that are texts as they stand; what is put together in play cannot be told."""
    for name, value in zip(names, values, strict=True):
        if "$" not in value and not value.strip().startswith("{"):
            yield name, value


def _fixed_names(subject: ModuleSubject) -> frozenset[str]:
    """Properties that markers give and nothing else does."""
    markers: set[str] = set()
    others: set[str] = set()
    for each in subject.traits:
        marker = isinstance(each.trait, Marker)
        (markers if marker else others).update(_given(trait_uses(each.trait)))
    for component in subject.components:
        others.update(_given(component_uses(component)))
    return frozenset(name for name in markers - others if not known_to_engine(name))


def _given(uses: Iterable[Use]) -> Iterator[str]:
    return (use.name for use in uses if use.kind == "property" and use.role in _GIVES)
