"""Calls as data: the method, the request made from kernel values, and how to read the answer.

Both clients are thin layers over this: one waits, the other awaits. Here are games and rules;
matches, the lobby, sight and files have each their own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from keyword import iskeyword
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from hexmarshal.rules.dice import Given
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import FrozenMap, record
from hexmarshal.rules.verdict import Applied, Verdict
from hexmarshal.v1 import game_pb2, position_pb2, value_pb2, verdict_pb2
from hexmarshal.v1 import game_service_pb2 as games
from hexmarshal.v1 import rules_service_pb2 as rules
from hexmarshal.wire.choices import decode_choices
from hexmarshal.wire.effects import decode_effect
from hexmarshal.wire.positions import decode_position, encode_position
from hexmarshal.wire.values import decode_distribution, encode_record
from hexmarshal.wire.verdicts import (
    decode_action,
    decode_answer,
    decode_cost,
    decode_resolution,
    decode_roll,
    decode_verdict,
    encode_action,
)

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from hexmarshal.rules.action import Action
    from hexmarshal.rules.choosing.choices import Choices
    from hexmarshal.rules.odds import Distribution
    from hexmarshal.rules.verdict import Answer, Cost

__all__ = ["InMatch", "OfferedAction", "Request", "Source"]

T = TypeVar("T")
Params: TypeAlias = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class InMatch:
    """A match that the service holds, in place of a position; `side` where one has several."""

    id: str
    side: str = ""


@dataclass(frozen=True, slots=True)
class OfferedAction:
    """A legal action and what it costs."""

    action: Action
    cost: Cost


Source: TypeAlias = Position | position_pb2.Position | InMatch


@dataclass(frozen=True, slots=True)
class Request(Generic[T]):
    """One call: where it goes, what it carries, how its answer is read."""

    method: str
    message: Message
    answer: type[Message]
    read: Callable[[Any], T]


def source(where: Source) -> dict[str, Any]:
    """The field of a request that says which position is meant."""
    if isinstance(where, InMatch):
        return {"match": position_pb2.MatchPosition(match=where.id, side=where.side)}
    if isinstance(where, Position):
        return {"position": where.remember("request", lambda: encode_position(where))}
    return {"position": where}


def params(values: Params) -> value_pb2.Record | None:
    """Parameters from Python values; `from_` is `from`, which Python keeps for itself."""
    if not values:
        return None
    if isinstance(values, FrozenMap):
        return encode_record(values)
    plain: dict[object, object] = {_unescaped(name): value for name, value in values.items()}
    return encode_record(record(plain))


def _unescaped(name: str) -> str:
    return name[:-1] if name.endswith("_") and iskeyword(name[:-1]) else name


def given(
    dice: Sequence[int | Given] | None, picks: Sequence[int | Given] | None
) -> verdict_pb2.GivenDice | None:
    """Dice rolled at the table, plain or by name; None where the service rolls."""
    if dice is None and picks is None:
        return None
    if any(isinstance(value, Given) for value in (*(dice or ()), *(picks or ()))):
        rolls = [_named(value, pick=False) for value in dice or ()]
        rolls += [_named(value, pick=True) for value in picks or ()]
        return verdict_pb2.GivenDice(rolls=rolls)
    return verdict_pb2.GivenDice(
        dice=None if dice is None else verdict_pb2.DiceValues(values=[_plain(d) for d in dice]),
        picks=None if picks is None else verdict_pb2.DiceValues(values=[_plain(p) for p in picks]),
    )


def _plain(value: int | Given) -> int:
    return value.value if isinstance(value, Given) else value


def _named(value: int | Given, *, pick: bool) -> verdict_pb2.GivenRoll:
    said = value if isinstance(value, Given) else Given(value)
    return verdict_pb2.GivenRoll(
        kind=said.kind,
        values=[said.value],
        dice=[said.sides] if said.sides else [],
        colours=[said.colour] if said.colour else [],
        side=said.side,
        pick=pick,
    )


# Games


def list_games() -> Request[list[games.GameSummary]]:
    """The games."""
    request = games.ListGamesRequest(page_size=1000)
    method = "GameService/ListGames"
    return Request(method, request, games.ListGamesResponse, lambda r: list(r.games))


def get_game(game: str) -> Request[game_pb2.Game]:
    """What a game declares."""
    request = games.GetGameRequest(game=game)
    return Request("GameService/GetGame", request, games.GetGameResponse, lambda r: r.game)


def get_rule(game: str, rule: str) -> Request[game_pb2.Rule]:
    """One rule."""
    request = games.GetRuleRequest(game=game, rule=rule)
    return Request("GameService/GetRule", request, games.GetRuleResponse, lambda r: r.rule)


def list_rules(game: str, token: str) -> Request[tuple[list[game_pb2.Rule], str]]:
    """A page of the rules of a game, and where the next one begins."""
    request = games.ListRulesRequest(game=game, page_size=1000, page_token=token)
    return Request(
        "GameService/ListRules",
        request,
        games.ListRulesResponse,
        lambda r: (list(r.rules), r.next_page_token),
    )


def list_scenarios(game: str) -> Request[list[game_pb2.Scenario]]:
    """The scenarios of a game."""
    request = games.ListScenariosRequest(game=game, page_size=1000)
    method = "GameService/ListScenarios"
    return Request(method, request, games.ListScenariosResponse, lambda r: list(r.scenarios))


def get_scenario(game: str, scenario: str, options: Params, seed: str) -> Request[Position]:
    """The position at the start of a scenario."""
    request = games.GetScenarioRequest(
        game=game, scenario=scenario, options=params(options), seed=seed
    )
    return Request(
        "GameService/GetScenario",
        request,
        games.GetScenarioResponse,
        lambda r: decode_position(r.position),
    )


# Rules


def _verdict(response: Any) -> Verdict:  # noqa: ANN401 - any response with a verdict
    return decode_verdict(response.verdict)


def check_move(
    where: Source, units: str | Sequence[str], path: str | Sequence[str]
) -> Request[Verdict]:
    """A move."""
    named = [units] if isinstance(units, str) else units
    cells = [path] if isinstance(path, str) else path
    request = rules.CheckMoveRequest(**source(where), units=named, path=cells)
    return Request("RulesService/CheckMove", request, rules.CheckMoveResponse, _verdict)


def check(where: Source, action: Action) -> Request[Verdict]:
    """An action."""
    request = rules.CheckActionRequest(**source(where), action=encode_action(action))
    return Request("RulesService/CheckAction", request, rules.CheckActionResponse, _verdict)


def batch(where: Source | None, actions: Sequence[Action]) -> rules.CheckActionsRequest:
    """One message of a stream of checks; the position only in the first."""
    asked = source(where) if where is not None else {}
    return rules.CheckActionsRequest(**asked, actions=[encode_action(a) for a in actions])


def list_actions(
    where: Source, side: str, kinds: Sequence[str], units: Sequence[str], token: str
) -> Request[tuple[list[OfferedAction], str]]:
    """A page of legal actions, and where the next one begins."""
    request = rules.ListActionsRequest(
        **source(where), side=side, kinds=kinds, units=units, page_size=1000, page_token=token
    )

    def read(response: rules.ListActionsResponse) -> tuple[list[OfferedAction], str]:
        offers = [
            OfferedAction(decode_action(o.action), decode_cost(o.cost)) for o in response.offers
        ]
        return offers, response.next_page_token

    return Request("RulesService/ListActions", request, rules.ListActionsResponse, read)


def next_choices(
    where: Source, side: str, kind: str, values: Params, slot: str, *, reasons: bool
) -> Request[Choices]:
    """What may be chosen next for an action begun."""
    request = rules.NextChoicesRequest(
        **source(where), side=side, kind=kind, params=params(values), slot=slot, reasons=reasons
    )
    return Request("RulesService/NextChoices", request, rules.NextChoicesResponse, decode_choices)


def resolve(
    where: Source,
    action: Action,
    dice: Sequence[int | Given] | None,
    picks: Sequence[int | Given] | None,
) -> Request[Applied]:
    """What an action does."""
    request = rules.ResolveActionRequest(
        **source(where), action=encode_action(action), dice=given(dice, picks)
    )

    def read(response: rules.ResolveActionResponse) -> Applied:
        return Applied(
            decode_position(response.position),
            tuple(decode_resolution(r) for r in response.resolutions),
            tuple(decode_effect(effect) for effect in response.effects),
            tuple(decode_roll(roll) for roll in response.rolls),
        )

    return Request("RulesService/ResolveAction", request, rules.ResolveActionResponse, read)


def odds(where: Source, values: Params) -> Request[Distribution[str]]:
    """Exact odds."""
    request = rules.GetOddsRequest(**source(where), params=params(values))
    return Request(
        "RulesService/GetOdds",
        request,
        rules.GetOddsResponse,
        lambda r: decode_distribution(r.distribution),
    )


def ask(where: Source, name: str, values: Params) -> Request[Answer]:
    """Any query of the game: sight, reach, supply, ..."""
    request = rules.QueryRequest(**source(where), name=name, params=params(values))
    return Request(
        "RulesService/Query", request, rules.QueryResponse, lambda r: decode_answer(r.answer)
    )


def validate(where: Source) -> Request[rules.ValidatePositionResponse]:
    """What is wrong with a position."""
    request = rules.ValidatePositionRequest(**source(where))
    method = "RulesService/ValidatePosition"
    return Request(method, request, rules.ValidatePositionResponse, lambda r: r)
