"""What choosing and checking in an ASL firefight cost beside the lines and prices that they need.

The position is one in the middle of a game: 40 counters on our hill, smoke and residual fire. The
look-ups are those that the rules ask for, one for each candidate, written down once and made alone:
a line of sight is decided from the ground, without the table of ready answers that the game has
besides. What the game remembers of lines it has looked along is forgotten before every question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from ratio import Ratio, compare

from hexmarshal.games.asl.plugin import AdvancedSquadLeader
from hexmarshal.games.asl.rules.movement import begin, costs, step_check
from hexmarshal.games.asl.sight import Sight
from hexmarshal.games.asl.sight.view import Answer, Spot
from hexmarshal.games.asl.state.ground import Location
from hexmarshal.games.asl.state.situation import Situation
from hexmarshal.rules import FrozenMap, Position, engine
from hexmarshal.rules.choosing.choices import Begun
from hexmarshal.rules.values import Record

TIMES = 20
COUNTERS = 40


class LookUps:
    """The lines and prices that something needed."""

    def __init__(self, asl: AdvancedSquadLeader, position: Position) -> None:
        self.now = asl.situation(position)
        ready = self.now.sight
        self.sight = Sight(ready.board, ready.conditions, ready.ground)
        self.lines: list[tuple[Spot, Spot]] = []
        self.prices: list[tuple[Location, Location, tuple[str, ...]]] = []

    @contextmanager
    def written(self) -> Iterator[None]:
        """Write down what is looked up meanwhile."""
        line, price = Situation.line, costs.price

        def looked(now: Situation, a: Location, b: Location) -> Answer:
            self.lines.append((Spot(a.cell, a.level), Spot(b.cell, b.level)))
            return line(now, a, b)

        def paid(now, start, end, units, **how):  # type: ignore[no-untyped-def]
            self.prices.append((start, end, tuple(unit.id for unit in units)))
            return price(now, start, end, units, **how)

        Situation.line = looked  # type: ignore[method-assign]
        for module in (costs, step_check, begin):
            module.price = paid
        try:
            yield
        finally:
            Situation.line = line  # type: ignore[method-assign]
            for module in (costs, step_check, begin):
                module.price = price

    def make(self) -> None:
        """Look all of them up."""
        for a, b in self.lines:
            self.sight.answer(a, b)
        for start, end, names in self.prices:
            costs.price(self.now, start, end, [self.now.unit(name) for name in names])


def midway(asl: AdvancedSquadLeader) -> Position:
    """The hill in the third turn, with reinforcements, smoke and residual fire."""
    start = engine.start(asl, "hill", seed=1).to_json()
    units = dict(start["units"])
    for i in range(COUNTERS - len(units)):
        side, kind, cell = (
            ("attacker", "russian_4-4-7", "L9"), ("defender", "german_4-6-7", "J5"),
            ("attacker", "russian_4-4-7", "K8"), ("defender", "german_4-6-7", "L3"),
        )[i % 4]  # fmt: skip
        units[f"more{i}"] = {"type": kind, "side": side, "cell": cell}
    assert len(units) == COUNTERS
    markers = {
        "smoke": {"kind": "smoke", "cell": "F7", "values": {"hindrance": 2}},
        "shots": {"kind": "residual", "side": "defender", "cell": "H8", "values": {"fp": 4}},
    }
    return Position.from_json(start | {"units": units, "markers": markers, "turn": 3})


def in_phase(position: Position, phase: str, side: str) -> Position:
    return replace(position, phase=phase, active=(side,))


def chosen(
    asl: AdvancedSquadLeader, position: Position, side: str, kind: str, params: Record, slot: str
) -> tuple[Callable[[], None], LookUps]:
    """The next choice, with no line known before, and its look-ups."""
    asked = Begun(kind, params, slot)
    lines = asl.situation(engine.view(asl, position, side)).lines

    def ours() -> None:
        for _ in range(TIMES):
            lines.clear()
            engine.next_choices(asl, position, side, asked)

    needed = LookUps(asl, position)
    with needed.written():
        found = engine.next_choices(asl, replace(position, turn=3), side, asked)
    assert found.choices, f"{kind}: nothing to choose"
    return ours, needed


def under_way(asl: AdvancedSquadLeader, position: Position) -> tuple[Position, Position]:
    """A stack of the attacker's on its way, and the window for fire after its first step."""
    move = asl.game.actions.make("move", "attacker", units=["more0"])
    began = engine.perform(asl, position, move).position
    step_on = asl.game.actions.make("step", "attacker", to="L8")
    return began, engine.perform(asl, began, step_on).position


def measure() -> Iterable[Ratio]:
    asl = AdvancedSquadLeader()
    middle = midway(asl)
    shooting = in_phase(middle, "defensive_fire", "defender")
    began, window = under_way(asl, in_phase(middle, "movement", "attacker"))
    at_l9 = FrozenMap({"target": "L9"})
    for name, position, side, kind, params, slot in (
        ("who fires at a hex", shooting, "defender", "fire", at_l9, "firers"),
        ("who fires at a moving stack", window, "defender", "first_fire", FrozenMap({}), "firers"),
        ("the next hex of a stack", began, "attacker", "step", FrozenMap({}), "to"),
    ):
        ours, needed = chosen(asl, position, side, kind, params, slot)
        count = f"{len(needed.lines)} lines, {len(needed.prices)} prices"

        def bare(needed: LookUps = needed) -> None:
            for _ in range(TIMES):
                needed.make()

        yield compare(f"ASL next: {name} / {count}", ours, bare, 5)
    yield from checks(asl, shooting)


def checks(asl: AdvancedSquadLeader, position: Position) -> Iterable[Ratio]:
    """A fire check against the line of sight that it asks for."""
    action = asl.game.actions.make("fire", "defender", target="L9", firers=["g3"])
    needed = LookUps(asl, position)
    with needed.written():
        assert engine.check(asl, replace(position, turn=3), action).legal
    known = engine.view(asl, position, "defender")
    lines = asl.situation(known).lines

    def ours() -> None:
        for _ in range(TIMES * 5):
            lines.clear()
            # By the game itself: the engine remembers what it said of the last action.
            asl.check(known, action)

    def bare() -> None:
        for _ in range(TIMES * 5):
            needed.make()

    assert len(needed.lines) == 1
    yield compare("ASL fire check / its line of sight", ours, bare, 3)
