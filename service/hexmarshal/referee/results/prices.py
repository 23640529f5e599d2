"""What an action costs, and whether players paid it: by the rules that make the price."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.rules.verdict import FREE, amount_to_json
from hexmarshal.table.reading.bookkeeping import shown_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.check.findings import Entry
    from hexmarshal.rules.verdict import Cost
    from hexmarshal.table.reading.bookkeeping import Item

__all__ = ["Price", "Prices"]

_TRACK: Final = "track"


class Price:
    """The price of what was done, of which players paid another part."""

    def __init__(self, cost: Cost, missing: int) -> None:
        """`missing` is how much less was paid; less than nothing, if it was more."""
        self._cost, self._missing = cost, missing

    @property
    def rule(self) -> str:
        """The rule of the part that was left out, if it is one, else of the first."""
        ruled = [part for part in self._cost.parts if part.rule]
        left_out = [part for part in ruled if part.amount == self._missing]
        return next((part.rule for part in (*reversed(left_out), *ruled)), "")

    def __str__(self) -> str:
        parts = ", ".join(f"{part.text} {amount_to_json(part.amount)}" for part in self._cost.parts)
        return f"{self._cost}: {parts}" if len(self._cost.parts) > 1 else str(self._cost)


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
        return Price(cost, sum(one - right for one, right in seen if isinstance(one, int)))

    def _cost(self, entry: Entry) -> Cost:
        try:
            assert entry.before is not None
            return self._case.rules.check(entry.before, self._case.action_of(entry)).cost
        except HexMarshalError:
            return FREE
