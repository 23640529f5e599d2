"""The graph behind a reach: numbered states, each expanded once, with weights as plain integers."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from math import lcm
from typing import Generic, NamedTuple, TypeVar

from hexmarshal.errors import GeometryError, Place
from hexmarshal.geometry.movement.costs import Barred, Cost, MoveRule, Standing, Step, exact

__all__ = ["STEP_BITS", "Exits", "State", "StateGraph"]

C = TypeVar("C", bound=Hashable)
S = TypeVar("S")

Exits = Callable[[C], Iterable[tuple[C, S]]]
"""The neighbours of a cell in a fixed order, each with the hexside (or border) between."""

# A rule whose memory never repeats makes a new state of every step; better an error than no end.
MOST_STATES = 2_000_000

STEP_BITS = 24


class State(NamedTuple, Generic[C]):
    """A cell, what is remembered of the way, and whether the move ends here."""

    standing: Standing[C]
    ends: bool


class StateGraph(Generic[C, S]):
    """States reached so far by any search; a state's steps are asked of the rule only once.

    `links[n]` holds pairs (number of the next state, weight) and is None until the state is
    expanded; `steps[n]` the step and the side behind each of them, `barred[n]` the steps that the
    rule refuses. A weight is one integer, ordered by cost and then by steps: cost times `scale`
    in the bits above STEP_BITS, and one step below.
    """

    def __init__(
        self, exits: Exits[C, S], rule: MoveRule[C, S], name: Callable[[C], str] = str
    ) -> None:
        self.exits = exits
        self.rule = rule
        self.name = name
        self.scale = 1
        self.states: list[State[C]] = []
        self.cells: list[C] = []
        self.numbers: dict[State[C], int] = {}
        self.links: list[list[tuple[int, int]] | None] = []
        self.steps: list[list[tuple[Step, S]]] = []
        self.barred: list[list[tuple[C, S, str]]] = []
        self.bonuses: dict[int, Cost] = {}
        self._bonus_of: dict[Hashable, Cost] = {}

    def begin(self, cell: C) -> int:
        """The number of the state of a unit that starts in `cell`."""
        return self._number(State(Standing(cell, self.rule.begin(cell)), ends=False))

    def expand(self, number: int) -> list[tuple[int, int]]:
        """Ask the rule about every step out of a state; may raise `scale` and all weights."""
        here, ends = self.states[number]
        steps: list[tuple[Step, S]] = []
        barred: list[tuple[C, S, str]] = []
        links: list[tuple[int, Cost]] = []
        for to, side in () if ends else self.exits(here.cell):
            step = self.rule.step(here, to, side)
            if isinstance(step, Barred):
                barred.append((to, side, step.why))
                continue
            cost = self._cost(step, here.cell, to)
            links.append((self._number(State(Standing(to, step.memory), step.ends)), cost))
            steps.append((step, side))
        self._admit(lcm(*(cost.denominator for _, cost in links)))
        scaled = [(n, (int(cost * self.scale) << STEP_BITS) + 1) for n, cost in links]
        self.links[number], self.steps[number], self.barred[number] = scaled, steps, barred
        return scaled

    def revised(self, rule: MoveRule[C, S], cells: Iterable[C]) -> StateGraph[C, S]:
        """The same graph under a rule that differs only for steps out of or into `cells`."""
        touched = set(cells)
        touched |= {to for cell in tuple(touched) for to, _ in self.exits(cell)}
        other = StateGraph(self.exits, rule, self.name)
        other.scale = self.scale
        other.states, other.numbers = self.states[:], self.numbers.copy()
        other.cells = self.cells[:]
        other.links, other.steps, other.barred = self.links[:], self.steps[:], self.barred[:]
        for number, cell in enumerate(self.cells):
            if cell in touched:
                other.links[number] = None
        for number, state in enumerate(self.states):
            other._note_bonus(number, state.standing)
        return other

    def _note_bonus(self, number: int, here: Standing[C]) -> None:
        bonus = self._bonus_of.get(here.memory)
        if bonus is None:
            bonus = exact(self.rule.bonus(here.memory), "the bonus", self.name(here.cell))
            self._bonus_of[here.memory] = bonus
        if bonus:
            self.bonuses[number] = bonus

    def _number(self, state: State[C]) -> int:
        try:
            number = self.numbers.get(state)
        except TypeError:
            raise GeometryError(
                f"a movement rule remembers {state.standing.memory!r}, which cannot be compared",
                place=Place(cell=self.name(state.standing.cell)),
                hint="a memory must be hashable: a tuple instead of a list",
            ) from None
        if number is not None:
            return number
        number = len(self.states)
        if number >= MOST_STATES:
            raise GeometryError(
                f"the movement rule tells more than {MOST_STATES} states apart",
                place=Place(cell=self.name(state.standing.cell)),
                hint="give an allowance, bound the map, or let the rule remember less",
            )
        self.numbers[state] = number
        self.states.append(state)
        self.cells.append(state.standing.cell)
        self.links.append(None)
        self.steps.append([])
        self.barred.append([])
        self._note_bonus(number, state.standing)
        return number

    def _cost(self, step: Step, start: C, to: C) -> Cost:
        total: Cost = 0
        for charge, amount in step.charges:
            if type(amount) is not int or amount < 0:
                what = f"the cost {charge!r} of the step from {self.name(start)}"
                exact(amount, what, self.name(to))
            total += amount
        return total

    def _admit(self, denominator: int) -> None:
        """Make every weight a whole number again when a new denominator turns up."""
        factor = lcm(self.scale, denominator) // self.scale
        if factor == 1:
            return
        self.scale *= factor
        for number, links in enumerate(self.links):
            if links is not None:
                self.links[number] = [(to, (weight - 1) * factor + 1) for to, weight in links]
