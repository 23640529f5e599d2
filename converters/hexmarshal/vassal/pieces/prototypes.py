"""Prototypes: the traits that a `prototype;NAME` trait stands for, put in its place."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal import sequence
from hexmarshal.vassal.pieces.piece import Piece, parse_add
from hexmarshal.vassal.traits import Trait, UsePrototype
from hexmarshal.vassal.values import FormattedText

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Expansion", "PrototypeProblem", "expand", "find_cycles", "parameters_of"]

# A few prototypes that use each other twice would grow without end otherwise.
_MAX_DEPTH: Final = 60
_MAX_TRAITS: Final = 20_000


@dataclass(frozen=True, slots=True)
class PrototypeProblem:
    """Why a reference was left in place: `missing`, `cycle`, `damaged` or `too-large`."""

    kind: str
    name: str
    path: tuple[str, ...]

    def __str__(self) -> str:
        where = " -> ".join(self.path)
        if self.kind == "missing":
            return f"there is no prototype {self.name!r}" + (f" (used by {where})" if where else "")
        if self.kind == "cycle":
            return f"prototype {self.name!r} uses itself: {where} -> {self.name}"
        if self.kind == "too-large":
            return f"prototype {self.name!r} is left out: the piece grows beyond all bounds"
        return f"the definition of prototype {self.name!r} cannot be read"


@dataclass(frozen=True, slots=True)
class Expansion:
    """A piece without its references, and what stood in the way."""

    piece: Piece
    problems: tuple[PrototypeProblem, ...] = ()


@dataclass(slots=True)
class _Walk:
    definitions: Mapping[str, str]
    problems: list[PrototypeProblem] = field(default_factory=list)
    made: int = 0

    def traits(self, piece: Piece, path: tuple[str, ...]) -> list[tuple[Trait, str]]:
        out: list[tuple[Trait, str]] = []
        self.made += len(piece.traits)
        for trait, state in zip(piece.traits, piece.state_texts, strict=True):
            if isinstance(trait, UsePrototype):
                inner = self.inside(trait, path)
                out += [(trait, state)] if inner is None else inner
            else:
                out.append((trait, state))
        return out

    def inside(self, trait: UsePrototype, path: tuple[str, ...]) -> list[tuple[Trait, str]] | None:
        name = trait.name
        text = self.definitions.get(name)
        if text is None:
            return self.refuse("missing", name, path)
        if name in path:
            return self.refuse("cycle", name, path)
        if len(path) >= _MAX_DEPTH or self.made > _MAX_TRAITS:
            return self.refuse("too-large", name, path)
        try:
            piece = _parsed(_filled(text.strip(), trait))
        except VassalFormatError:
            return self.refuse("damaged", name, path)
        if piece.problem is not None:
            return self.refuse("damaged", name, path)
        # The innermost trait of a definition only carries the others.
        return self.traits(piece, (*path, name))[:-1]

    def refuse(self, kind: str, name: str, path: tuple[str, ...]) -> list[tuple[Trait, str]] | None:
        self.problems.append(PrototypeProblem(kind, name, path))
        return None


# Pieces never change, and every unit of a module names the same few prototypes.
@lru_cache(maxsize=1 << 10)
def _parsed(text: str) -> Piece:
    return parse_add(text)


def parameters_of(trait: UsePrototype) -> dict[str, str] | None:
    """The values that a reference gives to `$name$` in the definition; None if it gives none."""
    if trait.source is not None and trait.present() < 2:
        return None
    if trait.source is None and not trait.parameters:
        return None
    found = {}
    for entry in sequence.decode(trait.parameters, ","):
        name, *value = sequence.decode(entry, "=")
        if value:
            found[name] = value[0]
    return found


def _filled(text: str, trait: UsePrototype) -> str:
    # Any parameter, even an empty list, makes the engine read the whole definition as a format.
    values = parameters_of(trait)
    return text if values is None else FormattedText(text).fill(values)


def expand(piece: Piece, definitions: Mapping[str, str]) -> Expansion:
    """Put the traits of prototypes in the place of references, as VASSAL does for a new piece.

    `definitions` gives the add command of each prototype by name. What is missing, damaged or
    refers to itself is left in place and reported.
    """
    if piece.problem is not None or not piece.prototypes:
        return Expansion(piece)
    walk = _Walk(definitions)
    pairs = walk.traits(piece, ())
    expanded = Piece.of((t for t, _ in pairs), (s for _, s in pairs), piece.id)
    return Expansion(expanded, tuple(walk.problems))


def find_cycles(definitions: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Each ring of prototypes that use one another, once, from its first name in order."""
    uses: dict[str, tuple[str, ...]] = {}
    for name, text in definitions.items():
        try:
            uses[name] = parse_add(text.strip()).prototypes
        except VassalFormatError:
            uses[name] = ()
    rings: dict[frozenset[str], tuple[str, ...]] = {}
    finished: set[str] = set()
    for start in uses:
        path: list[str] = []
        ahead = [iter((start,))]
        while ahead:
            used = next(ahead[-1], None)
            if used is None:
                ahead.pop()
                if path:
                    finished.add(path.pop())
            elif used in path:
                ring = tuple(path[path.index(used) :])
                rings.setdefault(frozenset(ring), ring)
            elif used in uses and used not in finished:
                path.append(used)
                ahead.append(iter(uses[used]))
    return list(rings.values())
