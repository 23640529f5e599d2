"""Places where something stands: file, entry, component or piece, trait and field."""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from hexmarshal.vassal import sequence
from hexmarshal.vassal.components import ExtensionElement
from hexmarshal.vassal.components.base import view
from hexmarshal.vassal.xml.component_paths import ComponentPath, step_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from lxml.etree import _Element

    from hexmarshal.vassal.components import Component

__all__ = ["Hit", "Hits", "Spot", "Spots"]


class Spot(NamedTuple):
    """One component of a build file, one piece of a saved game, or one entry of an archive."""

    file: str
    entry: str = ""
    """The set-up inside a module, or the page; empty for the build file and for a save itself."""
    path: str = ""
    """In words, from the outside in."""
    component: str = ""
    """The component path as extensions and traits write it."""
    line: int | None = None
    piece: str = ""
    """The id of a piece of a saved game."""


class Spots:
    """The spots of a build file's components; the ways to those around them are kept."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._ways: dict[_Element, tuple[str, str]] = {}

    def of(self, component: Component) -> Spot:
        """The spot of a component."""
        spoken, path = self._way(component)
        return Spot(self.file, "", spoken or component.short_name, path, component.line)

    def _way(self, component: Component) -> tuple[str, str]:
        """In words and as a component path; both are empty for the root."""
        element, naming = component.element, component.naming
        above = element.getparent()
        if above is None:
            return "", ""
        known = self._ways.get(above)
        if known is None:
            known = self._ways[above] = self._way(view(above))
        words, path = known
        name = element.get(naming) if naming else component.name or None
        spoken = name or component.short_name
        words = f"{words} / {spoken}" if words else spoken
        if isinstance(component, ExtensionElement):
            return words, str(ComponentPath.parse(component.target))
        step = sequence.escape(step_text(component.class_name, name), "/")
        return words, f"{path}/{step}" if path else step


class Hit(NamedTuple):
    """Something found: what it is there, and where."""

    spot: Spot
    kind: str
    name: str
    role: str
    field: str
    trait: str = ""
    """The title of the trait, with its number from the outside; empty outside of pieces."""
    inside: int = 0
    """How many markers deep the trait lies inside the piece."""
    value: str = ""
    """The whole text in which words were found."""

    def __str__(self) -> str:
        way = [self.spot.path or self.spot.entry or self.spot.file]
        if self.trait:
            way.append("marker in it: " * self.inside + self.trait)
        if self.field:
            way.append(self.field)
        return f"{self.role:<8} {' > '.join(way)}" + (f": {self.value}" if self.value else "")

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        spot = self.spot
        return {
            "kind": self.kind,
            "name": self.name,
            "role": self.role,
            "file": spot.file,
            "entry": spot.entry,
            "path": spot.path,
            "component": spot.component,
            "line": spot.line,
            "piece": spot.piece,
            "trait": self.trait,
            "inside": self.inside,
            "field": self.field,
            "value": self.value,
        }


class Hits:
    """Everything found, counted at once; the way to each place is told when it is asked for.

    What is looked for may stand in 50,000 places, of which 40 are shown: kept until then are the
    components and pieces alone.
    """

    def __init__(self) -> None:
        self._runs: list[tuple[str, str | None, int, Callable[[], Iterable[Hit]]]] = []

    def __len__(self) -> int:
        return sum(count for _, _, count, _ in self._runs)

    def __iter__(self) -> Iterator[Hit]:
        return chain.from_iterable(tell() for _, _, _, tell in self._runs)

    def add(
        self, file: str, entry: str | None, count: int, tell: Callable[[], Iterable[Hit]]
    ) -> None:
        """So many hits in a file or in an entry of it, which `tell` gives; None: in several."""
        if count:
            self._runs.append((file, entry, count, tell))

    def update(self, other: Hits) -> None:
        """All of the others behind these."""
        self._runs += other._runs

    def by_file(self) -> dict[str, Hits]:
        """The same by file and entry."""
        found: dict[str, Hits] = {}
        for file, entry, count, tell in self._runs:
            if entry is None:
                for hit in tell():
                    one = found.setdefault(f"{file} {hit.spot.entry}".strip(), Hits())
                    one.add(file, hit.spot.entry, 1, partial(iter, (hit,)))
            else:
                one = found.setdefault(f"{file} {entry}".strip(), Hits())
                one.add(file, entry, count, tell)
        return found
