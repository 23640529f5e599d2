"""What belongs to what on the table: who is carried, whose hit it is, who sits in which works."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hexmarshal.table.binding.patterns import Match, compiled
from hexmarshal.vassal.state.placed import PlacedPiece

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator, Mapping

    from hexmarshal.rules.state.pieces import Marker, Unit
    from hexmarshal.table.binding import Binding
    from hexmarshal.table.binding.patterns import PieceLook
    from hexmarshal.vassal.state.game_state import GameState

__all__ = ["Tie", "TieRule", "beneath", "carries", "seated"]


@dataclass(frozen=True, slots=True, eq=False)
class TieRule:
    """Pieces tied to others: carried by the unit below, or by a value to a marker in the cell."""

    of: Match
    value: str = ""
    marker: re.Pattern[str] | None = None

    @classmethod
    def load(cls, document: Mapping[str, Any], where: str) -> TieRule:
        """From the binding."""
        of = Match.load(document["of"], f"{where}.of")
        if "carrier" in document:
            return cls(of)
        return cls(of, document["value"], compiled(document["marker"], f"{where}.marker"))

    def concerns(self, look: PieceLook) -> bool:
        """Whether the piece could be tied so."""
        return all(name in look.properties for name in self.of.properties)

    def write(self, look: PieceLook, unit: Unit) -> Iterator[tuple[str, str]]:
        """The properties by which a piece shows whether its unit is tied."""
        tied = bool(unit.values.get(self.value)) if self.value else bool(unit.carrier)
        for name, pattern in self.of.properties.items():
            if tied:
                yield name, pattern.pattern
            elif pattern.fullmatch(look.properties.get(name, "")):
                yield name, "1" if pattern.pattern.isdecimal() else "false"


@dataclass(frozen=True, slots=True)
class Tie:
    """Whether a piece shows that it is tied; `value` as its rule has it, empty for a carrier."""

    value: str
    tied: bool


def carries(binding: Binding) -> bool:
    """Whether pieces show that their units are carried."""
    return any(not rule.value for rule in binding.ties)


def beneath(state: GameState, piece: str) -> Iterator[PlacedPiece]:
    """The pieces below another in its stack, the nearest first."""
    below = state.table.below(piece)
    while below is not None:
        found = state.find(below)
        if isinstance(found, PlacedPiece):
            yield found
        below = state.table.below(below)


def seated(
    unit: Unit, ties: Iterable[Tie], rules: Iterable[TieRule], markers: Iterable[Marker]
) -> tuple[Unit, str]:
    """The unit tied to markers of its cell as its piece shows; and what is missing, in words."""
    patterns = {rule.value: rule.marker for rule in rules if rule.value}
    problem = ""
    for tie in ties:
        pattern = patterns.get(tie.value)
        if not tie.value or pattern is None:
            continue
        here = [m.id for m in markers if m.cell == unit.cell != "" and pattern.fullmatch(m.kind)]
        if not tie.tied:
            unit = replace(unit, values=unit.values.without(tie.value))
        elif unit.values.get(tie.value) not in here:
            if here:
                unit = replace(unit, values=unit.values.set(tie.value, here[0]))
            else:
                problem = f"{unit.id} shows {tie.value}, and nothing of the kind is in its cell"
    return unit, problem
