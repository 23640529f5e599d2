"""What an action costs, and whether players paid it: by the rules that make the price."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.rules.action import ParamType
from hexmarshal.rules.verdict import FREE, amount_to_json
from hexmarshal.table.reading.bookkeeping import shown_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.check.findings import Entry
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.verdict import Cost, Violation
    from hexmarshal.table.reading.bookkeeping import Item

__all__ = ["Price", "Prices"]

_TRACK: Final = "track"


class Price:
    """The price of what was done, of which players paid another part."""

    def __init__(self, cost: Cost, missing: int, shares: Mapping[str, int]) -> None:
        """`missing` is how much less was paid; less than nothing, if it was more.

        `shares` is what each track pays of it.
        """
        self._cost, self._missing, self._shares = cost, missing, shares

    @property
    def rule(self) -> str:
        """The rule of the part that was left out, if it is one, else of the first."""
        ruled = [part for part in self._cost.parts if part.rule]
        left_out = [part for part in ruled if part.amount == self._missing]
        return next((part.rule for part in (*reversed(left_out), *ruled)), "")

    def __str__(self) -> str:
        parts = [f"{part.text} {amount_to_json(part.amount)}" for part in self._cost.parts]
        shares = [f"{track} {amount}" for track, amount in self._shares.items()]
        told = [", ".join(some) for some in (parts, shares) if len(some) > 1]
        return ": ".join((str(self._cost), "; ".join(told))) if told else str(self._cost)


class Prices:
    """Knows what entries cost."""

    def __init__(self, case: Case) -> None:
        self._case = case

    def of(self, entry: Entry, items: Collection[Item]) -> Price | None:
        """The price of an entry, if these tracks show it, and nothing besides."""
        before, after = entry.before, entry.after
        if before is None or after is None or any(item.of != _TRACK for item in items):
            return None
        paid = [before.track(item.name) - after.track(item.name) for item in items]
        cost = self._cost(entry)
        if not cost.total or min(paid, default=0) <= 0:
            return None
        shown, belief = self._case.sights.books, self._case.mind.belief
        seen = [(shown_of(shown, item), belief.track(item.name)) for item in items]
        missing = sum(one - right for one, right in seen if isinstance(one, int))
        return Price(cost, missing, self._shares(before, after, cost))

    def _shares(self, before: Position, after: Position, cost: Cost) -> Mapping[str, int]:
        """What each track pays of a price, if they do no more than that."""
        titles = {track.key: track.title for track in self._case.rules.game.tracks}
        found = {
            title: before.track(name) - after.track(name)
            for name, title in titles.items()
            if after.track(name) < before.track(name)
        }
        return found if sum(found.values()) == cost.total else {}

    def refused(self, entry: Entry, items: Collection[Item]) -> Sequence[Violation]:
        """What is wrong with a drag if it was paid with none of these tracks, as nobody moved them.

        That it may be done for such a price was only thought.
        """
        before, paid = entry.before, self._case.mind.paid
        if before is None or not entry.path or not entry.action:
            return ()
        if any(step >= entry.first for item in items for step in paid.get(item, ())):
            return ()
        rules, action = self._case.rules, self._case.action_of(entry)
        kind = rules.game.actions[action.kind]
        chosen = [p.name for p in kind.params if p.type is ParamType.CHOICE and not p.required]
        try:
            found = rules.check(before, replace(action, params=action.params.without(*chosen)))
        except HexMarshalError:
            return ()
        return found.violations

    def _cost(self, entry: Entry) -> Cost:
        try:
            assert entry.before is not None
            return self._case.rules.check(entry.before, self._case.action_of(entry)).cost
        except HexMarshalError:
            return FREE
