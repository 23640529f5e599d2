"""Marks every counter with the unit that it is, so that a later check needs no patterns."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.errors.counts import counted
from hexmarshal.referee.enhancing.additions import Addition, Outcome, Part
from hexmarshal.vassal.pieces.piece import format_add, parse_add
from hexmarshal.vassal.traits import DynamicProperty, Marker, MarkerState

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.referee.enhancing.additions import Bench, Counter
    from hexmarshal.table.binding import UnitRule
    from hexmarshal.table.binding.patterns import PieceLook
    from hexmarshal.vassal.components import PieceSlot
    from hexmarshal.vassal.pieces.piece import Piece

__all__ = ["MARKS", "add_marks"]

MARKS: Final = ("HexMarshalUnit", "HexMarshalType", "HexMarshalSide")
_RULE: Final[dict[str, Any]] = {
    "match": {"property": {MARKS[0]: ".+"}},
    "id": f"{{{MARKS[0]}}}",
    "type": f"{{{MARKS[1]}}}",
    "side": f"{{{MARKS[2]}}}",
}
_KEYS: Final = frozenset(_RULE)
_NAMES: Final = re.compile(r"\{([^{}]+)\}")


def add_marks(bench: Bench) -> Iterator[Addition]:
    """Mark the counters that the binding knows for units, and let the binding go by the marks."""
    marker = _Marker(bench)
    counts = dict.fromkeys(Outcome, 0)
    changing = 0
    for counter in bench.counters():
        outcome = marker.mark(counter)
        if outcome is None:
            continue
        changing += outcome is Outcome.LEFT_OUT
        counts[outcome] += 1
    for outcome in (Outcome.ADDED, Outcome.RENEWED, Outcome.THERE):
        if counts[outcome]:
            yield Addition(Part.MARKS, outcome, _counters(counts[outcome]))
    if changing:
        why = "which unit they are changes in play, or their rule in the binding says more"
        yield Addition(Part.MARKS, Outcome.LEFT_OUT, _counters(changing), why)
    if not any(counts.values()):
        why = "the binding takes no counter of the module for a unit"
        yield Addition(Part.MARKS, Outcome.LEFT_OUT, "marks", why)
    units = bench.document["units"]
    assert isinstance(units, list)
    if marker.marked and _RULE not in units:
        # The rules that were there stay: pieces of older saves have no marks.
        bench.amend("units", [_RULE, *units])


def _counters(count: int) -> str:
    return f"marks on {counted(count, 'counter')}"


class _Marker:
    def __init__(self, bench: Bench) -> None:
        self._binding = bench.binding
        self._decks = {rule.deck for rule in bench.binding.piles}
        units = bench.document["units"]
        assert isinstance(units, list)
        self._plain = [set(rule) == _KEYS for rule in units]
        self.marked = False

    def mark(self, counter: Counter) -> Outcome | None:
        """What became of a counter; None if it is no unit."""
        slot, look, known = counter
        if any(above.name in self._decks for above in slot.ancestors()):
            return None
        if known is None or known.marker is not None:
            return None
        number = self._number(look)
        static = _static(look.piece)
        rule = self._binding.units[number]
        if self._is_mark(rule, static):
            self.marked = self.marked or MARKS[0] in static
            return Outcome.THERE
        if not self._plain[number] or self._changes(look, number, static):
            return Outcome.LEFT_OUT
        self.marked = True
        return _write(slot, (known.id, known.kind, known.side))

    def _number(self, look: PieceLook) -> int:
        found = (
            i for i, rule in enumerate(self._binding.units) if rule.match.find(look) is not None
        )
        return next(found)

    def _is_mark(self, rule: UnitRule, static: frozenset[str]) -> bool:
        """Whether the rule goes by properties that the piece always has, and by nothing else."""
        match = rule.match
        patterns = match.name, match.image, match.prototype, *match.gpids
        names = {found for text in _templates(rule) for found in _NAMES.findall(text)}
        return not any(patterns) and {*match.properties, *names} <= static

    def _changes(self, look: PieceLook, number: int, static: frozenset[str]) -> bool:
        """Whether the same piece in another state would be another unit."""
        for rule in self._binding.units[: number + 1]:
            moving = look.properties.keys() & rule.match.properties.keys() - static
            still = {k: v for k, v in rule.match.properties.items() if k in static}
            if moving and replace(rule.match, properties=still).find(look) is not None:
                return True
        rule = self._binding.units[number]
        names = {found for text in _templates(rule) for found in _NAMES.findall(text)}
        return bool(names & look.properties.keys() - static - {"name", "gpid", "piece"})


def _templates(rule: UnitRule) -> tuple[str, str, str]:
    return rule.id, rule.type, rule.side


def _static(piece: Piece) -> frozenset[str]:
    """The properties of a piece that never change."""
    names = {name for found in piece.each(Marker) for name in found.trait.names}
    return frozenset(names - {found.trait.name for found in piece.each(DynamicProperty)})


def _write(slot: PieceSlot, values: tuple[str, ...]) -> Outcome:
    piece = parse_add(slot.text.strip())
    trait, state = Marker(names=MARKS), MarkerState(values=values)
    for found in piece.each(Marker):
        if found.trait.names == MARKS:
            if found.state == state:
                return Outcome.THERE
            slot.text = format_add(piece.with_state(found.index, state))
            return Outcome.RENEWED
    # Innermost: a mask that hides the counter hides what it is, too.
    slot.text = format_add(piece.insert(len(piece.traits) - 1, trait, state))
    return Outcome.ADDED
