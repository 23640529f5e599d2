"""Tokens that lie elsewhere than they were laid: put right in time, or exchanged too late."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING

from hexmarshal.referee.check.findings import Certainty, Status

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.drags.drag_run import Now
    from hexmarshal.rules.state.pieces import Marker

__all__ = ["ExchangedTokens"]

_Went = tuple["Marker", "Marker"]


class ExchangedTokens:
    """Follows tokens from unit to unit.

    Whoever lays them has thought better of it. After their phase it is against the rules, and told
    once; and whoever bears a token then acts by it.
    """

    def __init__(self, case: Case, laid: Sequence[str]) -> None:
        """`laid` are the kinds of action that laying a token is."""
        self._case, self._laid = case, tuple(laid)

    def follow(self, now: Now) -> None:
        """Look where the tokens lie that the rules have face down."""
        case, belief = self._case, self._case.mind.belief
        hidden = [m for m in belief.markers.values() if m.unit and m.known_to is not None]
        if not self._laid or not hidden or case.mind.pending is not None:
            return
        went = tuple(self._went(hidden, case.sights.markers(belief)))
        if not went:
            return
        for side in dict.fromkeys(old.side for old, _ in went if self._is_late()):
            self._tell([one for one in went if one[0].side == side], now)
        markers = belief.markers.without(*(old.id for old, _ in went))
        for _, new in went:
            markers = markers.set(new.id, new)
        case.mind.belief = replace(belief, markers=markers)
        due = case.mind.due
        right = {item for item, one in due.items() if one.entry is None}
        case.mind.due = {i: one for i, one in due.items() if i not in right or case.item_apart(i)}

    def _went(self, hidden: Sequence[Marker], shown: Mapping[str, Marker]) -> Iterator[_Went]:
        """Tokens with where they lie now, as the rules would know them there."""
        left = {self._looks(marker) for marker in shown.values()}
        known = {self._looks(marker) for marker in self._case.mind.belief.markers.values()}
        new = [m for m in shown.values() if m.unit and self._looks(m) not in known]
        for old in hidden:
            if self._looks(old) in left:
                continue
            found = next((m for m in new if _same(m, old) and m.unit in self._units), None)
            if found is not None:
                new.remove(found)
                yield old, replace(old, id=found.id, unit=found.unit)

    @property
    def _units(self) -> Mapping[str, object]:
        return self._case.mind.belief.units

    def _looks(self, marker: Marker) -> tuple[object, ...]:
        place = self._case.books.place(self._case.mind.belief, marker)
        return marker.kind, marker.side, marker.values, place

    def _is_late(self) -> bool:
        """Whether the phase is over in which they are laid: until then it is between the two."""
        kinds = (self._case.rules.game.actions[name] for name in self._laid)
        return all(k.phases and self._case.mind.belief.phase not in k.phases for k in kinds)

    def _tell(self, went: Sequence[_Went], now: Now) -> None:
        case = self._case
        units = tuple(dict.fromkeys(one.unit for pair in went for one in pair))
        told = [f"the {self._title(old)} of {old.unit} lies on {new.unit} now" for old, new in went]
        rules = next((r for k in self._laid if (r := case.rules.game.actions[k].rules)), ())
        rule = rules[0] if rules else case.rules.game.turn_rule
        text = f"all of them are placed, and {' and '.join(told)}"
        since = [d.now for i, d in case.mind.due.items() if d.entry is None and i.place in units]
        when = replace(min((*since, now), key=attrgetter("step")), side=went[0][0].side)
        entry = case.entry(when, when.step, "; ".join(told), "change", Status.VIOLATION)
        case.add(
            replace(
                entry,
                violations=(case.placed(rule, text, units),),
                certainty=Certainty.LIKELY,
                right="as they were placed",
                units=units,
            )
        )

    def _title(self, marker: Marker) -> str:
        kinds = (kind.title for kind in self._case.rules.game.markers if kind.key == marker.kind)
        return next(kinds, marker.kind).lower()


def _same(one: Marker, other: Marker) -> bool:
    return (one.kind, one.side, one.values) == (other.kind, other.side, other.values)
