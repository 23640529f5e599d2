"""Where a group of units may go: every hex in which it may end, each with a cheapest path."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.rules.movement import infiltration, stacking
from hexmarshal.games.kharkov.rules.movement.movement import (
    can_leave,
    hand_of,
    step_prices,
    step_violations,
)
from hexmarshal.games.kharkov.rules.movement.moving_group import NONE
from hexmarshal.games.kharkov.state.situation import SOVIET, other

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hexmarshal.games.kharkov.rules.movement.moving_group import Hand
    from hexmarshal.games.kharkov.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["reach", "reach_from_edge"]


def reach(now: Situation, units: Sequence[Unit], side: str) -> dict[str, tuple[str, ...]]:
    """Every hex in which the group may end, each with a cheapest path."""
    hand = hand_of(now, units)
    if (any(u.has("stopped") for u in units) and not hand.won) or hand.ridden:
        return {}
    if not can_leave(now, units, units[0].cell, hand, first=True, side=side):
        return {}
    budgets: dict[str, int] = {}
    for unit in units:
        left = 2 * now.allowance(unit) - hand.spent.get(unit.id, 0)
        moves = now.moves_as(unit)
        budgets[moves] = min(left, budgets.get(moves, left))
    search = _Search(now, units, side, hand)
    start = units[0].cell
    find = _cheapest if len(budgets) == 1 else _undominated
    paths = find(search, start, budgets)
    paths.pop(start, None)
    return {
        cell: path for cell, path in sorted(paths.items()) if stacking.fits(now, units, cell, side)
    }


def reach_from_edge(
    now: Situation, units: Sequence[Unit], side: str, gates: Mapping[str, int]
) -> dict[str, tuple[str, ...]]:
    """The same for units beside the map, all of one class; `gates` cost so many half points."""
    ((moves, budget),) = {(now.moves_as(u), 2 * now.allowance(u)) for u in units}
    search = _Search(now, units, side, NONE)
    paths = _search(search, moves, budget, {}, {g: c for g, c in gates.items() if c <= budget})
    return {
        cell: path for cell, path in sorted(paths.items()) if stacking.fits(now, units, cell, side)
    }


def _cheapest(search: _Search, start: str, budgets: dict[str, int]) -> dict[str, tuple[str, ...]]:
    """One class of units."""
    ((moves, budget),) = budgets.items()
    return _search(search, moves, budget, {start: ()}, {start: 0})


def _search(
    search: _Search,
    moves: str,
    budget: int,
    paths: dict[str, tuple[str, ...]],
    best: dict[str, int],
) -> dict[str, tuple[str, ...]]:
    """Dijkstra's search in half points, from cells with `paths` or, entering the map, without."""
    starts = {*paths}
    paths |= {cell: (cell,) for cell in best if cell not in paths}
    queue = sorted((spent, cell) for cell, spent in best.items())
    done: set[str] = set()
    while queue:
        spent, here = heapq.heappop(queue)
        if here in done:
            continue
        done.add(here)
        if here not in starts and not search.goes_on(here):
            continue
        for to, price in step_prices(search.now, moves, here).items():
            total = spent + price
            if total > budget or total >= best.get(to, budget + 1) or not search.enters(here, to):
                continue
            best[to] = total
            paths[to] = (*paths[here], to)
            heapq.heappush(queue, (total, to))
    return paths


def _undominated(
    search: _Search, start: str, budgets: dict[str, int]
) -> dict[str, tuple[str, ...]]:
    """Several classes that pay differently.

    A way is kept as long as no other is at least as cheap for every class.
    """
    limits = tuple(budgets.values())
    nothing = (0,) * len(limits)
    labels: dict[str, list[tuple[int, ...]]] = {start: [nothing]}
    paths: dict[str, tuple[str, ...]] = {}
    queue: list[tuple[int, tuple[int, ...], tuple[str, ...]]] = [(0, nothing, ())]
    while queue:
        _total, spent, path = heapq.heappop(queue)
        here = path[-1] if path else start
        if spent not in labels[here]:
            continue
        if path:
            paths.setdefault(here, path)
            if not search.goes_on(here):
                continue
        prices = (step_prices(search.now, moves, here).items() for moves in budgets)
        for steps in zip(*prices, strict=True):
            to = steps[0][0]
            after = tuple(s + step[1] for s, step in zip(spent, steps, strict=True))
            known = labels.get(to, [])
            if not _covers(limits, after) or any(_covers(after, label) for label in known):
                continue
            if search.enters(here, to):
                labels[to] = [*(k for k in known if not _covers(k, after)), after]
                heapq.heappush(queue, (sum(after), after, (*path, to)))
    return paths


def _covers(limit: tuple[int, ...], spent: tuple[int, ...]) -> bool:
    return all(s <= m for s, m in zip(spent, limit, strict=True))


class _Search:
    """What a search asks of each hex and step, with what does not change kept at hand."""

    def __init__(self, now: Situation, units: Sequence[Unit], side: str, hand: Hand) -> None:
        self.now, self.units, self.side, self.hand = now, units, side, hand
        self.closed = now.closed(side)
        self.zone = now.zoc(other(side))
        self.river = now.board.region("donets")
        self.special = any(u.type == "reserve" or u.has("southern") for u in units)

    def goes_on(self, here: str) -> bool:
        if not self.now.board.bit[here] & self.zone:
            return True
        slips = infiltration.slips
        return all(slips(self.now, u, here, self.hand.began) for u in self.units)

    def enters(self, here: str, to: str) -> bool:
        bit = self.now.board.bit[to]
        if bit & self.closed:
            return False
        watched = bit & self.zone and bit & self.river
        fresh = here == self.hand.began and self.side == SOVIET
        if watched or self.special or fresh:
            steps = step_violations(self.now, self.units, here, to, self.side)
            if next(steps, None) is not None:
                return False
            if fresh and here == self.units[0].cell:
                first = infiltration.first_hex(self.now, self.units, here, to)
                return next(first, None) is None
        return True
