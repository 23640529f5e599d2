"""What a refresh found and did, piece by piece; no line of it holds a player's id."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING, Any

from hexmarshal.vassal.refresh.summary import kinds_of_change

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Match", "PieceReport", "RefreshReport"]


class Match(Enum):
    """How a piece found its definition."""

    GPID = "gpid"
    PATH = "place"
    NAME = "name"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class PieceReport:
    """One piece: how it was matched, what changed, what could not be carried over, and why."""

    id: str
    name: str
    map: str | None
    match: Match
    definition: str = ""
    changes: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    kept: str = ""
    """Why the piece was left as it was, if it was."""

    @property
    def is_finding(self) -> bool:
        """Whether a person should look at it."""
        return bool(self.lost or self.kept)

    def as_dict(self) -> dict[str, Any]:
        """For JSON, without what is empty."""
        found = {
            "id": self.id,
            "name": self.name,
            "map": self.map,
            "match": self.match.value,
            "definition": self.definition,
            "changes": list(self.changes),
            "notes": list(self.notes),
            "lost": list(self.lost),
            "kept": self.kept,
        }
        return {name: value for name, value in found.items() if value}


@dataclass(slots=True)
class RefreshReport:
    """A whole file."""

    file: str
    pieces: list[PieceReport] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    unchanged: int = 0
    """Pieces that are already as the module defines them."""
    adapted: int = 0
    """Logged commands whose states were adapted."""
    properties: list[str] = field(default_factory=list)
    """Global properties that were dropped or reset, in words."""

    @property
    def has_findings(self) -> bool:
        """Whether anything was not matched, lost, or odd."""
        return bool(self.problems) or any(piece.is_finding for piece in self.pieces)

    @property
    def is_changed(self) -> bool:
        """Whether the file differs after the refresh."""
        return any(not piece.kept for piece in self.pieces) or bool(self.adapted)

    def counts(self) -> dict[str, int]:
        """How many pieces were matched by what, and how many were left."""
        by = Counter(p.match.value for p in self.pieces if not p.kept)
        return {
            "unchanged": self.unchanged,
            **{
                f"refreshed by {match.value}": by[match.value] for match in Match if by[match.value]
            },
            "kept as they were": sum(1 for p in self.pieces if p.kept),
            "with state lost": sum(1 for p in self.pieces if p.lost),
            "logged commands adapted": self.adapted,
        }

    def without_ids(self, redact: Callable[[str], str]) -> RefreshReport:
        """The same with every text passed through a redactor."""
        pieces = [
            replace(
                piece,
                name=redact(piece.name),
                changes=tuple(map(redact, piece.changes)),
                notes=tuple(map(redact, piece.notes)),
                lost=tuple(map(redact, piece.lost)),
                kept=redact(piece.kept),
            )
            for piece in self.pieces
        ]
        return replace(self, pieces=pieces, problems=[redact(text) for text in self.problems])

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "file": self.file,
            "counts": self.counts(),
            "kinds": kinds_of_change(self),
            "properties": self.properties,
            "problems": self.problems,
            "pieces": [piece.as_dict() for piece in self.pieces],
        }
