"""What a module says a piece is: slots and markers, prototypes expanded, found by id or name."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal.pieces.embedded import MAX_DEPTH, marker_piece
from hexmarshal.vassal.pieces.piece import Piece, parse_add
from hexmarshal.vassal.pieces.prototypes import expand
from hexmarshal.vassal.traits import PlaceMarker, UsePrototype

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.vassal.components import Component
    from hexmarshal.vassal.module import Module

__all__ = ["Definition", "Definitions"]

_BETWEEN: Final = " / "


@dataclass(frozen=True, slots=True)
class Definition:
    """A piece as a module defines it; `problem` says why it cannot be used."""

    gpid: str
    name: str
    path: str
    """Where it stands in the module, in names: the palette, its tabs, the slot."""
    piece: Piece
    problem: str = ""
    note: str = ""
    """What is wrong with it although it can be used."""

    def defines_like(self, other: Definition) -> bool:
        """Whether pieces of the two cannot be told apart."""
        same_type = self.piece.type.text == other.piece.type.text
        return same_type and self.piece.state_texts[:-1] == other.piece.state_texts[:-1]


@dataclass(slots=True)
class Definitions:
    """All definitions of a module and its extensions; of two with one id the first counts."""

    by_gpid: dict[str, Definition] = field(default_factory=dict)
    by_name: dict[str, list[Definition]] = field(default_factory=dict)
    by_path: dict[str, list[Definition]] = field(default_factory=dict)

    @classmethod
    def of(cls, module: Module, extensions: Iterable[Module] = ()) -> Definitions:
        """Read every slot, card and marker."""
        modules = [module, *extensions]
        prototypes = {
            name: found.text for each in modules for name, found in each.prototypes().items()
        }
        made = cls()
        reader = _Reader(prototypes)
        for each in modules:
            for slot in each.slots():
                text = slot.text.strip()
                if not text:
                    continue
                try:
                    piece = parse_add(text)
                except VassalFormatError:
                    continue
                for found in reader.defined(piece, slot.gpid, _path(slot)):
                    made.add(found)
        return made

    def add(self, found: Definition) -> None:
        """Enter a definition."""
        if found.gpid:
            self.by_gpid.setdefault(found.gpid, found)
        self.by_name.setdefault(found.name, []).append(found)
        self.by_path.setdefault(found.path, []).append(found)


@dataclass(slots=True)
class _Reader:
    """Reads definitions; a marker that many pieces place is read once and then only named."""

    prototypes: dict[str, str]
    known: dict[tuple[str, str], Definition] = field(default_factory=dict)

    def defined(self, piece: Piece, gpid: str, path: str, depth: int = 0) -> Iterator[Definition]:
        """The piece of a slot, and every piece that its markers would place."""
        found = self._definition(piece, gpid, path)
        yield found
        if depth >= MAX_DEPTH or found.problem:
            return
        for marker in found.piece.each(PlaceMarker):
            trait = marker.trait
            inner = marker_piece(trait)
            if inner is None:
                continue
            where = f"{path}{_BETWEEN}{trait.command or trait.title}: {inner.name}"
            key = trait.marker, trait.gpid
            if key in self.known:
                yield replace(self.known[key], path=where)
                continue
            for at, each in enumerate(self.defined(inner, trait.gpid, where, depth + 1)):
                if not at:
                    self.known[key] = each
                yield each

    def _definition(self, piece: Piece, gpid: str, path: str) -> Definition:
        expansion = expand(piece, self.prototypes)
        whole = expansion.piece
        worse = [str(p) for p in expansion.problems if p.kind != "missing"]
        problem = piece.problem or next(iter(worse), "")
        note = ""
        if expansion.problems and not problem:
            # The engine makes the piece all the same, without what the prototype would bring.
            note = str(expansion.problems[0])
            for found in reversed([*whole.each(UsePrototype)]):
                whole = whole.remove(found.index)
        return Definition(gpid or whole.gpid, whole.name, path, whole, problem, note)


def _path(component: Component) -> str:
    way = [component, *component.ancestors()][:-1]
    return _BETWEEN.join(step.name or step.short_name for step in reversed(way))
