"""A game for the tests of secrecy: both sides write orders at once, and open them together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from hexmarshal.rules.action import (
    Action,
    ActionTable,
    ActionType,
    Param,
    ParamType,
    QueryTable,
    Seal,
)
from hexmarshal.rules.dice import Generator
from hexmarshal.rules.frames import FrameTable, FrameType
from hexmarshal.rules.frames.effects import PushFrame
from hexmarshal.rules.frames.frame import Decider, Frame
from hexmarshal.rules.plugin import Game, GamePlugin, Named, Phase, ScenarioInfo
from hexmarshal.rules.rulebook import Rule, Rulebook, Status
from hexmarshal.rules.state.effects import AddMarker, ChangeFrame, ChangeUnit, Proceed, RemoveMarker
from hexmarshal.rules.state.ledger import Ledger
from hexmarshal.rules.state.pieces import Marker, Unit
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import FrozenMap, Record, Value
from hexmarshal.rules.verdict import LEGAL, Answer, Outcome, Verdict, Violation

SIDES = ("blue", "red")
UNIT = Param("unit", ParamType.UNIT, "the unit")


def _own(position: Position, action: Action) -> Verdict:
    unit = position.unit(action.text("unit"))
    if unit.side != action.side:
        return Verdict((Violation("E-1", f"{unit.id} is not yours", units=(unit.id,)),))
    return LEGAL


def _order(ledger: Ledger, action: Action) -> None:
    """An order that nobody else sees."""
    unit = action.text("unit")
    ledger.do(
        AddMarker(
            f"order {unit}",
            Marker("", "order", action.side, unit=unit, seen_by=frozenset({action.side})),
        )
    )


def _card(ledger: Ledger, action: Action) -> None:
    """A card that lies face down beside the map."""
    count = sum(m.kind == "card" for m in ledger.position.markers.values())
    known = frozenset({action.side})
    values = FrozenMap({"face": action.text("face")})
    card = Marker("", "card", action.side, box="cards", values=values, known_to=known)
    ledger.do(AddMarker(f"card {count}", card))


def _ready(ledger: Ledger, action: Action) -> None:
    """When both are ready, the orders are opened, and a die says who goes first."""
    ledger.do(ChangeFrame("orders", answered=(action.side,)))
    if (frame := ledger.position.frame("orders")) is None or frame.open:
        return
    ledger.answered("orders")
    first = ledger.dice.throw("initiative", 6)[0]
    for marker in list(ledger.position.markers.values()):
        if marker.kind == "order":
            ledger.do(
                RemoveMarker(marker.id),
                ChangeUnit(marker.unit, values=FrozenMap({"went": first})),
            )
    ledger.do(Proceed(turn=ledger.position.turn + 1))
    ledger.do(PushFrame(_orders(sealed=bool(ledger.position.option("sealed")))))


def _shout(ledger: Ledger, action: Action) -> None:
    unit = action.text("unit")
    ledger.do(ChangeUnit(unit, values=FrozenMap({"shouted": True})))


def _council(ledger: Ledger, action: Action) -> None:
    """All are asked to a council, and nobody learns who comes."""
    del action
    ledger.ask("council", *SIDES, sealed=True)


def _come(ledger: Ledger, action: Action) -> None:
    ledger.do(ChangeFrame("council", answered=(action.side,)))


def _cheat(ledger: Ledger, action: Action) -> None:
    del action
    ledger.dice.roll()


def _orders(*, sealed: bool) -> Frame:
    return Frame("orders", tuple(Decider(side) for side in SIDES), sealed=sealed)


FACE = Param("face", ParamType.TEXT, "what it says")
ACTIONS = ActionTable(
    [
        ActionType(
            "order", "Order", (UNIT,), states=("orders",), sealed=Seal.SILENT, check=_own,
            apply=_order,
        ),
        ActionType(
            "card", "Card", (FACE,), anytime=True, sealed=Seal.COUNTED, apply=_card
        ),
        ActionType("ready", "Ready", states=("orders",), apply=_ready),
        ActionType("shout", "Shout", (UNIT,), anytime=True, check=_own, apply=_shout),
        ActionType("council", "Call a council", anytime=True, apply=_council),
        ActionType("come", "Come", states=("council",), apply=_come),
        ActionType("cheat", "Cheat", anytime=True, sealed=Seal.SILENT, apply=_cheat),
    ]
)  # fmt: skip


class Envelopes(GamePlugin):
    """Scenario `sealed`: nobody learns who is ready; `open`: all do."""

    @cached_property
    def game(self) -> Game:
        return Game(
            key="envelopes",
            title="Envelopes",
            version="1",
            sides=tuple(Named(side, side.title()) for side in SIDES),
            phases=(Phase("play", "Play", SIDES),),
            actions=ACTIONS,
            queries=QueryTable([]),
            markers=(Named("order", "Order"), Named("card", "Card")),
            boxes=(Named("cards", "Cards"),),
            frames=FrameTable([FrameType("orders", "Orders"), FrameType("council", "Council")]),
            turn_rule="E-1",
        )

    @cached_property
    def rulebook(self) -> Rulebook:
        return Rulebook([Rule("E-1", "1.0", "Orders", "It is so.", Status.IMPLEMENTED)])

    def scenarios(self) -> Sequence[ScenarioInfo]:
        return [ScenarioInfo(key, key.title()) for key in ("sealed", "open")]

    def setup(
        self, scenario: str, options: Mapping[str, Value], generator: Generator | None
    ) -> Position:
        del options
        units = {
            f"{side}{i}": Unit(f"{side}{i}", "foot", side, cell=f"{side} {i}")
            for side in SIDES
            for i in range(3)
        }
        start = Position(
            game="envelopes",
            version="1",
            scenario=scenario,
            sides=SIDES,
            phase="play",
            active=SIDES,
            options=FrozenMap({"sealed": scenario == "sealed"}),
            units=FrozenMap(units),
            generator=generator,
        )
        return PushFrame(_orders(sealed=scenario == "sealed")).on(start)

    def query(self, position: Position, name: str, params: Record) -> Answer:
        raise NotImplementedError

    def outcome(self, position: Position) -> Outcome | None:
        del position
        return None
