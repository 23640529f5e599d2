"""A game for the tests of the service: sixty units, secrets of every kind, slow parts."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from hexmarshal.rules.action import (
    Action,
    ActionTable,
    ActionType,
    Param,
    ParamType,
    QueryTable,
    QueryType,
)
from hexmarshal.rules.dice import Dice, Generator
from hexmarshal.rules.odds import Distribution
from hexmarshal.rules.plugin import Game, GamePlugin, Named, Offer, Phase, ScenarioInfo, UnitType
from hexmarshal.rules.rulebook import Rule, Rulebook, Status
from hexmarshal.rules.state.effects import (
    AddMarker,
    ChangeUnit,
    MoveCards,
    MoveUnit,
    Proceed,
    SetExtra,
    SetKnowledge,
)
from hexmarshal.rules.state.ledger import Ledger
from hexmarshal.rules.state.pieces import Marker, Pile, Unit
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import FrozenMap, Record, Value
from hexmarshal.rules.verdict import (
    Answer,
    Applied,
    Cost,
    CostPart,
    Outcome,
    Resolution,
    Step,
    Strength,
    Verdict,
    Violation,
)

SIZE = 40
SIDES = ("blue", "red")

UNIT = Param("unit", ParamType.UNIT, "the unit")
TARGET = Param("target", ParamType.UNIT, "the target")
FROM = Param("from", ParamType.CELL, "from where")
TO = Param("to", ParamType.CELL, "to where")

ACTIONS = ActionTable(
    [
        ActionType(
            "move", "Move", (UNIT, Param("path", ParamType.PATH, "the way")), rules=("F-1",)
        ),
        ActionType("fire", "Fire", (UNIT, TARGET), rules=("F-2",)),
        ActionType("plot", "Plot", (Param("cell", ParamType.CELL, "where"),), rules=("F-3",)),
        ActionType("draw", "Draw a card", rules=("F-3",)),
        ActionType("reveal", "Reveal", (UNIT,), rules=("F-3",)),
        ActionType("omen", "A test whose result nobody may know", rules=("F-3",)),
        ActionType("ponder", "The same after long thought", rules=("F-3",)),
        ActionType("crash", "What a plugin should not do"),
        ActionType("resign", "Give up"),
        ActionType("pass", "Pass"),
    ]
)
QUERIES = QueryTable(
    [
        QueryType("sight", "Sight", (FROM, TO)),
        QueryType("visible", "What is seen", (FROM,)),
        QueryType("reach", "Reach", (UNIT,)),
        QueryType("path", "Path", (UNIT, TO)),
        QueryType("supply", "Supply", (UNIT,)),
        QueryType("odds", "Odds", (UNIT, TARGET)),
        QueryType("count", "How many units of the enemy are known"),
        QueryType("slow", "Takes its time", (Param("ms", ParamType.INT, "how long"),)),
        QueryType("crash", "Breaks"),
    ]
)


def name(col: int, row: int) -> str:
    return f"{col:02}{row:02}"


POINTS = {name(col, row): (col, row) for col in range(SIZE) for row in range(SIZE)}


def point(cell: str) -> tuple[int, int] | None:
    return POINTS.get(cell)


def distance(a: str, b: str) -> int:
    one, two = point(a), point(b)
    if one is None or two is None:
        return SIZE
    return max(abs(one[0] - two[0]), abs(one[1] - two[1]))


class Frontier(GamePlugin):
    @cached_property
    def game(self) -> Game:
        return Game(
            key="frontier",
            title="Frontier",
            version="1",
            sides=tuple(Named(side, side.title()) for side in SIDES),
            phases=(Phase("play", "Play", SIDES),),
            actions=ACTIONS,
            queries=QUERIES,
            unit_types=(UnitType("foot", "Foot"), UnitType("dragoon", "Dragoons")),
            attributes=(Param("points", ParamType.INT, "movement left"),),
            markers=(Named("barrage", "Barrage"),),
            turn_rule="F-1",
        )

    @cached_property
    def rulebook(self) -> Rulebook:
        return Rulebook(
            Rule(f"F-{i}", f"{i}.0", f"Rule {i}", "It is so.", Status.IMPLEMENTED)
            for i in range(1, 4)
        )

    def scenarios(self) -> Sequence[ScenarioInfo]:
        return [ScenarioInfo(key, "Duel", turns=99) for key in ("duel", "ruse")]

    def setup(
        self, scenario: str, options: Mapping[str, Value], generator: Generator | None
    ) -> Position:
        units = {}
        for i in range(60):
            side = SIDES[i % 2]
            one = Unit(
                f"{side[0]}{i // 2:02}",
                "foot",
                side,
                cell=name(i // 2, 5 if side == "blue" else 30),
                values=FrozenMap({"points": 4}),
            )
            units[one.id] = one
        # Between the lines: one whose presence is a secret, one whose type is. The second scenario
        # is the same to blue, and another one to red.
        ruse = scenario == "ruse"
        hidden = replace(
            units["r29"],
            cell="2020" if ruse else "1018",
            type="foot" if ruse else "dragoon",
            seen_by=frozenset({"red"}),
        )
        masked = replace(
            units["r28"],
            cell="1218",
            type="foot" if ruse else "dragoon",
            steps=2 if ruse else 1,
            known_to=frozenset({"red"}),
        )
        units |= {"r29": hidden, "r28": masked}
        cards = [f"card{i:02}" for i in range(20)]
        deck = Pile("deck", tuple(reversed(cards) if ruse else cards), known_to=frozenset())
        hands = [Pile(f"{side} hand", side=side, known_to=frozenset({side})) for side in SIDES]
        return replace(
            self.blank(),
            scenario="duel",  # its name would tell which one it is
            units=FrozenMap(units),
            piles=FrozenMap({pile.name: pile for pile in (deck, *hands)}),
            knowledge=FrozenMap({"red": FrozenMap({"plan": "feint" if ruse else "hook"})}),
            generator=generator,
        )

    def has_cell(self, position: Position, cell: str) -> bool:
        return point(cell) is not None

    def check(self, position: Position, action: Action) -> Verdict:
        violations: list[Violation] = []
        cost = Cost()
        if "unit" in action.params:
            unit = position.unit(action.text("unit"))
            if unit.side != action.side:
                violations.append(Violation("F-1", f"{unit.id} is not yours", units=(unit.id,)))
            if action.kind == "move":
                cost = Cost(
                    tuple(CostPart(1, "open", "F-1", c) for c in action.texts("path")), "MP"
                )
                violations += self._march(position, unit, action.texts("path"))
            elif action.kind == "fire":
                target = position.unit(action.text("target"))
                if distance(unit.cell, target.cell) > 8:
                    violations.append(Violation("F-2", "out of range", units=(unit.id, target.id)))
        return Verdict(tuple(violations), cost)

    def _march(self, position: Position, unit: Unit, path: Sequence[str]) -> Iterator[Violation]:
        here = unit.cell
        if not path:
            yield Violation("F-1", "a path needs a cell", units=(unit.id,))
        for cell in path:
            if distance(here, cell) != 1:
                yield Violation("F-1", f"{cell} is not beside {here}", cells=(here, cell))
            if any(other.side != unit.side for other in position.at(cell)):
                yield Violation("F-1", f"the enemy is in {cell}", cells=(cell,))
            here = cell
        if len(path) > unit.number("points", 4):
            yield Violation("F-1", "too far", units=(unit.id,))

    def apply(self, position: Position, action: Action, dice: Dice) -> Applied:
        ledger = Ledger(position, dice)
        side = action.side
        match action.kind:
            case "move":
                for cell in action.texts("path"):
                    if any(u.side != side for u in ledger.position.at(cell)):
                        ledger.decide(Resolution("ambush", "stopped"))
                        break
                    ledger.do(MoveUnit(action.text("unit"), cell))
            case "fire":
                ledger.decide(self._fire(position, action, dice))
            case "plot":
                number = len(position.markers)
                marker = Marker(
                    f"m{number}",
                    "barrage",
                    side,
                    action.text("cell"),
                    seen_by=frozenset({side}),
                )
                ledger.do(AddMarker(marker.id, marker))
            case "draw":
                deck = position.pile("deck")
                card = deck.cards[dice.pick(len(deck.cards), "a card")]
                ledger.do(MoveCards("deck", f"{side} hand", (card,)))
                ledger.decide(
                    Resolution(
                        "draw",
                        steps=(
                            Step("a card was drawn"),
                            Step(f"it is {card}", known_to=frozenset({side})),
                        ),
                    )
                )
            case "reveal":
                ledger.do(ChangeUnit(action.text("unit"), seen_by=("*",), known_to=("*",)))
            case "omen" | "ponder":
                if action.kind == "ponder":
                    ponder(0.03)
                value = dice.roll(6, "the omen")
                ledger.do(SetKnowledge("red", FrozenMap({"omen": value})))
                ledger.decide(
                    Resolution(
                        "omen", str(value), dice=tuple(dice.rolls), known_to=frozenset({"red"})
                    )
                )
            case "crash":
                raise ZeroDivisionError("a secret: r29 is in 1018")
            case "resign":
                ledger.do(SetExtra("winner", SIDES[side == "blue"]))
            case _:
                other = SIDES[side == "blue"]
                ledger.do(Proceed(active=(other,), turn=position.turn + (other == "blue")))
        return ledger.close()

    def _fire(self, position: Position, action: Action, dice: Dice) -> Resolution:
        unit, target = position.unit(action.text("unit")), position.unit(action.text("target"))
        roll = sum(dice.roll_many(2, 6, "fire"))
        steps = target.steps if roll < 8 else 0
        return Resolution(
            "fire",
            "hit" if roll >= 8 else "miss",
            strengths=(Strength(unit.id, 4, 4, ("F-2",), (unit.id,), "attack"),),
            column="all",
            dice=tuple(dice.rolls),
            effects=(ChangeUnit(target.id, steps=steps),),
        )

    def actions(self, position: Position, side: str) -> Iterator[Offer]:
        for unit in position.of_side(side):
            col, row = point(unit.cell) or (0, 0)
            for dc, dr in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                cell = name(col + dc, row + dr) if col + dc >= 0 and row + dr >= 0 else ""
                action = Action("move", side, FrozenMap({"unit": unit.id, "path": (cell,)}))
                if point(cell) and (verdict := self.check(position, action)).legal:
                    yield Offer(action, verdict)
        for kind in ("draw", "omen", "pass"):
            yield Offer(Action(kind, side), Verdict())

    def query(self, position: Position, name_: str, params: Record) -> Answer:
        unit = position.units.get(str(params.get("unit", "")))
        values: dict[str, Value] = {}
        match name_:
            case "sight":
                blocked = [u.id for u in position.units.values() if u.cell == params["from"]]
                values = {"visible": True, "trace": (params["from"], params["to"])}
                values["blocked_by"] = tuple(blocked)
            case "visible":
                values = {"cells": tuple(u.cell for u in position.units.values())}
            case "reach":
                assert unit is not None
                cells = dict.fromkeys((unit.cell,), 1)
                values = {"cells": FrozenMap(cells)}
            case "path":
                assert unit is not None
                values = {"path": (unit.cell, params["to"]), "cost": "3/2"}
            case "supply":
                values = {"supplied": True, "path": ()}
            case "odds":
                hit = Distribution.dice(2, 6).map(lambda n: "hit" if n >= 8 else "miss")
                return Answer(distribution=hit)
            case "count":
                values = {"known": len(position.units)}
            case "slow":
                stop = time.monotonic() + int(str(params["ms"])) / 1000
                while time.monotonic() < stop:
                    pass
            case _:
                raise ZeroDivisionError("a secret: r29 is in 1018")
        return Answer(FrozenMap(values))

    def outcome(self, position: Position) -> Outcome | None:
        winner = position.extras.get("winner")
        return Outcome((str(winner),), "the other side gave up") if winner else None


def ponder(seconds: float) -> None:
    """Take so long on the processor."""
    stop = time.thread_time() + seconds
    while time.thread_time() < stop:
        pass
