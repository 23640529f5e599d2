"""The sections of a binding: what each of its rules says, ready to be asked."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from hexmarshal.rules.values import EMPTY, FrozenMap, Record
from hexmarshal.table.binding.patterns import Match, fill

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.table.binding.facts import Fact

__all__ = [
    "END_PHASE",
    "BoxRule",
    "DiceRule",
    "MapRule",
    "MarkerRule",
    "PhaseShown",
    "PileRule",
    "Spot",
    "TrackRule",
    "TurnRule",
    "UnitRule",
]

END_PHASE: Final = "end_phase"
"""The action that ends a phase, where a binding names no other."""
_CELL: Final = "cell"


@dataclass(frozen=True, slots=True)
class MapRule:
    """Which map window is the map, and how its grid names cells.

    `same` pairs some of the grid's names with the rules' where it is numbered in another way; all
    of them are then in `table`, and the other way round in `back`, once the module is at hand.
    """

    name: str
    cells: re.Pattern[str]
    names: str
    boards: Mapping[str, str]
    same: Mapping[str, str] = field(default_factory=dict)
    table: Mapping[str, str] = field(default_factory=dict)
    back: Mapping[str, str] = field(default_factory=dict)

    def cell(self, location: str) -> str:
        """The cell that a location name stands for; empty if it is none."""
        if self.same:
            return self.table.get(location, "")
        found = self.cells.fullmatch(location)
        if found is None:
            return ""
        return str(found[_CELL]) if _CELL in self.cells.groupindex else location

    def location(self, cell: str) -> str:
        """How the grid names a cell."""
        if self.same:
            return self.back.get(cell, cell)
        return fill(self.names, {_CELL: cell}) or cell


@dataclass(frozen=True, slots=True)
class BoxRule:
    """Locations beside the map that are a box of the rules."""

    map: str
    at: re.Pattern[str]
    box: str
    side: str
    values: Record

    def read(self, map: str, location: str, side: str) -> tuple[str, Record] | None:
        """The box, and the values that lying in it gives; None if it is not this rule's."""
        if map != self.map or (self.side and side != self.side):
            return None
        found = self.at.fullmatch(location)
        if found is None:
            return None
        words = {k: v for k, v in found.groupdict().items() if v is not None}
        values = {
            name: _filled(value, words) if isinstance(value, str) else value
            for name, value in self.values.items()
        }
        return fill(self.box, words) or self.box, FrozenMap(values)

    def can_be(self, box: str) -> bool:
        """Whether lying at some place of the rule may mean this box."""
        parts = (re.escape(part) for part in re.split(r"\{[^{}]+\}", self.box))
        return re.fullmatch(".+".join(parts), box) is not None


def _filled(template: str, words: Mapping[str, str]) -> str | int:
    text = fill(template, words) or template
    return int(text) if text.isdecimal() else text


@dataclass(frozen=True, slots=True)
class UnitRule:
    """Pieces that are units: templates for what the rules call them."""

    match: Match
    id: str
    type: str
    side: str


@dataclass(frozen=True, slots=True, eq=False)
class MarkerRule:
    """Pieces that are markers of a kind, or that say something about the cell they lie on.

    An `aid` only helps the players remember: what it shows is not judged. One that is `on_unit`
    belongs to the unit below it; one that is `worn` has no piece: that of its unit shows it. One
    that `shows` facts is no marker of the rules: the unit below it is so.
    """

    match: Match
    kind: str = ""
    side: str = ""
    id: str = ""
    cell: Record = EMPTY
    aid: bool = False
    on_unit: bool = False
    worn: bool = False
    shows: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Spot:
    """Certain pieces at certain locations."""

    match: Match
    map: str
    at: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class TrackRule:
    """How a track of the rules is shown: a global property, a number of pieces, or digits."""

    track: str
    property: str = ""
    count: Spot | None = None
    digits: tuple[Spot, ...] = ()
    aid: bool = False

    def spots(self) -> tuple[Spot, ...]:
        """Where its pieces lie."""
        return self.digits if self.count is None else (self.count,)


@dataclass(frozen=True, slots=True)
class PileRule:
    """A deck that is a pile, or numbered places of a map; `card` names what each piece is.

    In one that is `mixed` the order means nothing.
    """

    pile: str
    deck: str
    card: str
    map: str = ""
    at: re.Pattern[str] | None = None
    mixed: bool = False


@dataclass(frozen=True, slots=True)
class PhaseShown:
    """What a text of the turn tracker means; no sides: those of the rules' own phase."""

    phase: str
    active: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnRule:
    """The tracker, its levels, and what its texts mean; None is no phase to the rules."""

    tracker: str
    turn: str
    levels: tuple[str, ...]
    phases: Mapping[str, PhaseShown | None]
    advance: str = END_PHASE
    marker: Spot | None = None


@dataclass(frozen=True, slots=True)
class DiceRule:
    """A dice button, or a wording of the chat, and how many sides its dice have."""

    sides: int
    button: str = ""
    pattern: re.Pattern[str] | None = None
