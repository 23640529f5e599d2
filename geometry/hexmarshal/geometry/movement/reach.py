"""Reach: the cheapest exact cost from a start to every cell, and the best way there."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from heapq import heappop, heappush
from itertools import pairwise
from threading import Lock
from types import MappingProxyType
from typing import Generic, NamedTuple, TypeVar

from hexmarshal.errors import GeometryError, Place
from hexmarshal.geometry.movement.costs import Cost, MoveRule, exact, in_lowest_terms
from hexmarshal.geometry.movement.paths import Leg, Path
from hexmarshal.geometry.movement.stategraph import STEP_BITS, Exits, StateGraph

__all__ = ["Frontier", "Movement", "Reach"]

C = TypeVar("C", bound=Hashable)
S = TypeVar("S")

_NO_LIMIT = 1 << 200


class Frontier(NamedTuple, Generic[C, S]):
    """A step that was not taken at the edge of a reach, and why."""

    start: C
    to: C
    side: S
    why: str


class _Search(NamedTuple):
    """What one search found; lists are by state number."""

    order: list[int]
    keys: list[int]
    came: list[int]
    scale: int


class Movement(Generic[C, S]):
    """A movement rule on a map, prepared for many searches.

    `exits(cell)` lists the neighbours with the side between, in a fixed order; `rule` prices a
    step. Each step is priced once and then kept, so the rule must be a pure function: when what it
    looks at has changed, make a new Movement, or take `revised`.
    """

    def __init__(
        self, exits: Exits[C, S], rule: MoveRule[C, S], *, name: Callable[[C], str] = str
    ) -> None:
        self._graph = StateGraph(exits, rule, name)
        self._lock = Lock()

    @property
    def rule(self) -> MoveRule[C, S]:
        """The rule that prices the steps."""
        return self._graph.rule

    @property
    def exits(self) -> Exits[C, S]:
        """The neighbours of a cell, each with the side between."""
        return self._graph.exits

    @property
    def name(self) -> Callable[[C], str]:
        """What a cell is called in messages."""
        return self._graph.name

    def revised(self, rule: MoveRule[C, S], cells: Iterable[C]) -> Movement[C, S]:
        """A Movement under `rule`, which differs only for steps into, out of or within `cells`.

        For zones of control that change by a few cells a move: all other prices are kept.
        """
        other: Movement[C, S] = Movement(self.exits, rule, name=self.name)
        with self._lock:
            other._graph = self._graph.revised(rule, cells)
        return other

    def reach(
        self, *starts: C, allowance: Cost | None = None, minimum_move: bool = False
    ) -> Reach[C, S]:
        """Every cell that can be reached for at most `allowance`, or at all without one.

        Among equally cheap ways the one with fewer steps is taken, then the one whose cells come
        first in the order of `starts` and of `exits`. With `minimum_move` every first step that
        the rule does not bar may be taken, whatever it costs, if any allowance is left at all.
        """
        if not starts:
            raise GeometryError("a reach needs a cell to start from")
        if allowance is not None:
            exact(allowance, "the movement allowance")
        graph = self._graph
        with self._lock:
            first = [graph.begin(cell) for cell in starts]
            scale = 0
            while scale != graph.scale:  # a new denominator invalidates the keys of the search
                scale = graph.scale
                found = self._search(first, allowance)
            forced = frozenset[int]()
            if minimum_move and allowance:
                forced = self._force(first, found)
        return Reach(graph, found, allowance, forced)

    def _search(self, first: list[int], allowance: Cost | None) -> _Search:
        graph = self._graph
        scale, links = graph.scale, graph.links

        def limit(number: int) -> int:
            if allowance is None:
                return _NO_LIMIT
            most = allowance + graph.bonuses.get(number, 0)
            return (int(most * scale) + 1) << STEP_BITS

        # The keys start at the limit of each state: a way that costs too much never improves one.
        common = limit(-1)
        keys = [common] * len(links)
        for number in graph.bonuses:
            keys[number] = limit(number)
        came = [-1] * len(links)
        order: list[int] = []
        # Keys hold cost and steps, and a bucket its states in order of discovery: this is the
        # order of the tie-breaks. Each step raises the key, so the bucket in hand never grows.
        buckets: dict[int, list[int]] = {0: list(dict.fromkeys(first))}
        waiting = [0]
        for number in first:
            keys[number] = 0
        while waiting:
            base = heappop(waiting)
            for here in buckets.pop(base):
                if keys[here] != base:
                    continue
                order.append(here)
                onward = links[here]
                if onward is None:
                    onward = graph.expand(here)
                    if graph.scale != scale:
                        return _Search(order, keys, came, scale)
                    for number in range(len(keys), len(links)):
                        keys.append(limit(number))
                        came.append(-1)
                for to, weight in onward:
                    key = base + weight
                    if key < keys[to]:
                        keys[to] = key
                        came[to] = here
                        if key in buckets:
                            buckets[key].append(to)
                        else:
                            buckets[key] = [to]
                            heappush(waiting, key)
        return _Search(order, keys, came, scale)

    def _force(self, first: list[int], found: _Search) -> frozenset[int]:
        """Add the first steps that cost more than the allowance, in order of cost."""
        taken = {self._graph.cells[number] for number in found.order}
        dear = [
            (weight, start, to)
            for start in first
            for to, weight in self._graph.links[start] or ()
            if self._graph.cells[to] not in taken
        ]
        forced = []
        for weight, start, to in sorted(dear, key=lambda each: each[0]):
            if to not in forced:
                found.keys[to] = weight
                found.came[to] = start
                found.order.append(to)
                forced.append(to)
        return frozenset(forced)


class Reach(Generic[C, S]):
    """The cells reached, with exact costs, cheapest first."""

    __slots__ = ("_best", "_forced", "_found", "_graph", "allowance", "costs")

    def __init__(
        self,
        graph: StateGraph[C, S],
        found: _Search,
        allowance: Cost | None,
        forced: frozenset[int],
    ) -> None:
        cells, keys, scale = graph.cells, found.keys, found.scale
        costs: dict[C, Cost] = {}
        scaled: int = -1
        amount: Cost = 0  # the order is that of the costs: most repeat the last one
        for number in found.order:
            cell = cells[number]
            if cell not in costs:
                if keys[number] >> STEP_BITS != scaled:
                    scaled = keys[number] >> STEP_BITS
                    amount = in_lowest_terms(Fraction(scaled, scale))
                costs[cell] = amount
        self.allowance = allowance
        self.costs: Mapping[C, Cost] = MappingProxyType(costs)
        self._graph = graph
        self._found = found
        self._forced = forced
        self._best: dict[C, int] = {}

    def __contains__(self, cell: object) -> bool:
        return cell in self.costs

    def __iter__(self) -> Iterator[C]:
        return iter(self.costs)

    def __len__(self) -> int:
        return len(self.costs)

    def cost(self, cell: C) -> Cost | None:
        """What the cheapest way to `cell` costs; None if it is out of reach."""
        return self.costs.get(cell)

    @property
    def forced(self) -> frozenset[C]:
        """Cells in reach only because a unit may always move one hex."""
        return frozenset(self._graph.cells[number] for number in self._forced)

    def path(self, cell: C) -> Path[C, S]:
        """The best way to `cell`, each step with what it costs and why."""
        if cell not in self.costs:
            whys = sorted({edge.why for edge in self.frontier() if edge.to == cell})
            raise GeometryError(
                "out of reach",
                place=Place(cell=self._graph.name(cell)),
                hint="; ".join(whys) or f"{len(self)} cells are in reach, none of them beside it",
            )
        if not self._best:
            cells = self._graph.cells
            self._best.update((cells[n], n) for n in reversed(self._found.order))
        number = self._best[cell]
        chain = [number]
        while (number := self._found.came[number]) >= 0:
            chain.append(number)
        chain.reverse()
        legs: list[Leg[C, S]] = []
        total: Cost = 0
        for before, after in pairwise(chain):
            links = self._graph.links[before] or ()
            _, nth = min((w, i) for i, (to, w) in enumerate(links) if to == after)
            step, side = self._graph.steps[before][nth]
            total = in_lowest_terms(total + step.cost)
            start, end = self._graph.cells[before], self._graph.cells[after]
            legs.append(Leg(start, end, side, step.charges, total, step.ends))
        return Path(self._graph.cells[chain[0]], tuple(legs))

    def frontier(self) -> list[Frontier[C, S]]:
        """The steps that lead out of the reach, each with what stands against it."""
        name = self._graph.name
        edges: dict[tuple[C, C, str], Frontier[C, S]] = {}

        def note(start: C, to: C, side: S, why: str) -> None:
            if to not in self.costs:
                edges.setdefault((start, to, why), Frontier(start, to, side, why))

        for number in self._found.order:
            (cell, _), ends = self._graph.states[number]
            if ends:
                for to, side in self._graph.exits(cell):
                    note(cell, to, side, f"the move ends on entering {name(cell)}")
                continue
            for to, side, why in self._graph.barred[number]:
                note(cell, to, side, why)
            spent = Fraction(self._found.keys[number] >> STEP_BITS, self._found.scale)
            links = self._graph.links[number] or ()
            for (after, _), (step, side) in zip(links, self._graph.steps[number], strict=True):
                needed = in_lowest_terms(spent + step.cost)
                to = self._graph.cells[after]
                note(cell, to, side, f"would cost {needed} of {self.allowance}")
        return list(edges.values())
