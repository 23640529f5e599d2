"""Places where something stands: file, entry, component or piece, trait and field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.vassal.xml.component_paths import ComponentPath, spoken

if TYPE_CHECKING:
    from hexmarshal.vassal.components import Component

__all__ = ["Hit", "Spot"]


@dataclass(frozen=True, slots=True)
class Spot:
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

    @classmethod
    def of(cls, file: str, component: Component) -> Spot:
        """The spot of a component."""
        path = str(ComponentPath.to(component))
        return cls(file, path=spoken(component), component=path, line=component.line)


@dataclass(frozen=True, slots=True)
class Hit:
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
