"""The binding of a module in the making: each part adds how it shows what the rules know."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import yaml

from hexmarshal.table.binding import FORMAT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["Facts", "dumped", "kind", "only"]

Rows = list[dict[str, Any]]
_SPECIAL: Final = re.compile(r"[\\.^$*+?{}\[\]|()]")


@dataclass(slots=True)
class Facts:
    """What the binding will say; lists are in the order in which they count."""

    game: str
    module: str
    map: dict[str, Any] = field(default_factory=dict)
    scenario: str = ""
    boxes: Rows = field(default_factory=list)
    units: Rows = field(default_factory=list)
    signs: Rows = field(default_factory=list)
    ties: Rows = field(default_factory=list)
    markers: Rows = field(default_factory=list)
    tracks: Rows = field(default_factory=list)
    piles: Rows = field(default_factory=list)
    turn: dict[str, Any] = field(default_factory=dict)
    active: dict[str, Any] = field(default_factory=dict)
    sides: dict[str, str] = field(default_factory=dict)
    dice: Rows = field(default_factory=list)
    drags: list[str] = field(default_factory=list)
    laid: list[str] = field(default_factory=list)
    silence: dict[str, str] = field(default_factory=dict)

    def sign(self, row: dict[str, Any]) -> None:
        """Add a sign, once."""
        if row not in self.signs:
            self.signs.append(row)

    def marker(self, row: dict[str, Any]) -> None:
        """Add a marker, once."""
        if row not in self.markers:
            self.markers.append(row)

    def document(self) -> dict[str, Any]:
        """The whole binding, without what is empty."""
        head = {"format": FORMAT, "game": self.game, "module": self.module}
        scenario = {"property": self.scenario} if self.scenario else {}
        parts: dict[str, Any] = {
            "scenario": scenario,
            "map": self.map,
            "boxes": self.boxes,
            "units": self.units,
            "signs": self.signs,
            "ties": self.ties,
            "markers": self.markers,
            "tracks": self.tracks,
            "piles": self.piles,
            "turn": self.turn,
            "active": self.active,
            "sides": self.sides,
            "dice": self.dice,
            "drags": self.drags,
            "laid": self.laid,
            "silence": self.silence,
        }
        return {**head, **{name: part for name, part in parts.items() if part}}

    def to_yaml(self) -> bytes:
        """As the file that the module carries."""
        return dumped(self.document())


def dumped(document: Mapping[str, Any]) -> bytes:
    """A binding as the file that a module carries."""
    text = yaml.safe_dump(dict(document), sort_keys=False, allow_unicode=True, width=100)
    return text.encode()


def kind(*kinds: str) -> dict[str, Any]:
    """Matches pieces whose `MarkerKind` is one of these."""
    return {"match": {"property": {"MarkerKind": only(kinds)}}}


def only(texts: Iterable[str]) -> str:
    """A pattern that fits these texts and nothing else."""
    return "|".join(_SPECIAL.sub(r"\\\g<0>", text) for text in texts)
