"""GameService: the games that are installed, their rulebooks and scenarios."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from hexmarshal.errors import NotFoundError
from hexmarshal.rules import engine
from hexmarshal.rules.state.view import NOBODY
from hexmarshal.rules.values import thaw
from hexmarshal.service.auth import Role
from hexmarshal.service.calls import statuses
from hexmarshal.service.calls.paging import page_size
from hexmarshal.service.calls.statuses import Refusal, refusal_of
from hexmarshal.service.rulings.case_reading import plugin_of
from hexmarshal.v1 import game_pb2
from hexmarshal.v1 import game_service_pb2 as pb
from hexmarshal.wire.games import STATUSES, encode_game, encode_rule, encode_scenario
from hexmarshal.wire.positions import encode_position
from hexmarshal.wire.values import decode_record

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeVar

    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.plugins.registry import Registry
    from hexmarshal.rules.state.position import Position
    from hexmarshal.service.calls.call import Call
    from hexmarshal.service.rulings.position_cache import PositionReader
    from hexmarshal.service.rulings.routing import Rulings

    T = TypeVar("T")

__all__ = ["GameService", "declared_scenario"]


class GameService:
    """What the registry knows; of that, nothing is secret but what scenarios hide."""

    def __init__(self, rulings: Rulings) -> None:
        self._registry = rulings.registry
        self._rulings = rulings
        self._here = rulings.here

    def _page(
        self, listed: str, entries: Sequence[T], size: int, token: str
    ) -> tuple[Sequence[T], str]:
        tokens = self._rulings.tokens
        start, most = tokens.start(listed, token), page_size(size)
        more = start + most < len(entries)
        following = tokens.number(listed, start + most) if more else ""
        return entries[start : start + most], following

    async def list_games(self, _call: Call, request: pb.ListGamesRequest) -> pb.ListGamesResponse:
        """ListGames: also those whose plugin is broken, with the reason."""
        for key in self._registry.keys():  # noqa: SIM118 - a method of its own
            with suppress(Refusal):
                await self._rulings.plugin(key)
        games = [
            pb.GameSummary(key=g.key, title=g.title, version=g.version)
            for g in (plugin.game for plugin in self._registry.plugins())
        ]
        games += [
            pb.GameSummary(key=broken.key, problem="its plugin cannot be loaded")
            for broken in self._registry.broken
        ]
        listed, following = self._page("games", games, request.page_size, request.page_token)
        return pb.ListGamesResponse(games=listed, next_page_token=following)

    async def get_game(self, _call: Call, request: pb.GetGameRequest) -> bytes:
        """GetGame."""
        plugin = await self._rulings.plugin(request.game, "game")
        key = (request.game, "GetGame", "")
        return await self._here.said(key, lambda: pb.GetGameResponse(game=encode_game(plugin.game)))

    async def list_rules(self, _call: Call, request: pb.ListRulesRequest) -> bytes:
        """ListRules."""
        plugin = await self._rulings.plugin(request.game, "game")

        def work() -> pb.ListRulesResponse:
            rules = [
                rule
                for rule in plugin.rulebook.values()
                if request.status in {game_pb2.RULE_STATUS_UNSPECIFIED, STATUSES[rule.status]}
            ]
            listed, following = self._page("rules", rules, request.page_size, request.page_token)
            return pb.ListRulesResponse(
                rules=[encode_rule(rule) for rule in listed], next_page_token=following
            )

        return await self._here.said((request.game, "ListRules", ""), work)

    async def get_rule(self, _call: Call, request: pb.GetRuleRequest) -> pb.GetRuleResponse:
        """GetRule."""
        plugin = await self._rulings.plugin(request.game, "game")
        try:
            rule = plugin.rulebook.rule(request.rule)
        except NotFoundError as error:
            hint = f" ({error.hint})" if error.hint else ""
            raise statuses.not_found("rule", request.rule, f"{error.message}{hint}") from None
        return pb.GetRuleResponse(rule=encode_rule(rule))

    async def list_scenarios(self, _call: Call, request: pb.ListScenariosRequest) -> bytes:
        """ListScenarios."""
        plugin = await self._rulings.plugin(request.game, "game")

        def work() -> pb.ListScenariosResponse:
            listed, following = self._page(
                "scenarios", list(plugin.scenarios()), request.page_size, request.page_token
            )
            return pb.ListScenariosResponse(
                scenarios=[encode_scenario(scenario) for scenario in listed],
                next_page_token=following,
            )

        return await self._here.said((request.game, "ListScenarios", ""), work)

    async def get_scenario(self, call: Call, request: pb.GetScenarioRequest) -> bytes:
        """GetScenario; what it hides is shown to directors alone: others may play against it."""
        plugin = await self._rulings.plugin(request.game, "game")
        whole = call.caller.may(Role.DIRECTOR)
        task = partial(_scenario, request.SerializeToString(), whole=whole)
        key = (request.game, "GetScenario", declared_scenario(plugin, request.scenario))
        return await self._rulings.anywhere(call, key, task)


def declared_scenario(plugin: GamePlugin, key: str) -> str:
    """The key, if there is such a scenario."""
    return key if any(one.key == key for one in plugin.scenarios()) else ""


def _scenario(data: bytes, registry: Registry, _: PositionReader, *, whole: bool) -> bytes:
    """A scenario as it begins; whole, or as all know it."""
    request = pb.GetScenarioRequest.FromString(data)
    plugin = plugin_of(registry, request.game, "game")
    known = {scenario.key: scenario for scenario in plugin.scenarios()}
    if request.scenario not in known:
        text = f"no scenario {request.scenario!r} (there are: {', '.join(known)})"
        raise statuses.not_found("scenario", request.scenario, text)
    options = {name: thaw(v) for name, v in decode_record(request.options).items()}
    try:
        position = engine.start(plugin, request.scenario, options, request.seed or None)
    except Exception as error:
        refusal = refusal_of(error)
        if refusal is None:
            raise
        raise refusal from None
    if not whole:
        position = _as_all_know_it(plugin, position)
    return pb.GetScenarioResponse(
        scenario=encode_scenario(known[request.scenario]), position=encode_position(position)
    ).SerializeToString()


def _as_all_know_it(plugin: GamePlugin, position: Position) -> Position:
    """The position if it hides nothing, else what all sides know of it."""
    known = engine.seen(plugin, position, NOBODY)
    hides = replace(known, viewer="", generator=position.generator) != position
    return known if hides else position
