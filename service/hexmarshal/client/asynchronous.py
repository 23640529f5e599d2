"""The client for asyncio: every call is awaited."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import grpc

from hexmarshal.client import conversions as files
from hexmarshal.client import matches as play
from hexmarshal.client import requests as ask
from hexmarshal.client import sight as look
from hexmarshal.client.asynchronous_lobby import AsyncLobby
from hexmarshal.client.channel import PACKAGE
from hexmarshal.client.errors import ServiceError, error_of
from hexmarshal.rules.values import FrozenMap
from hexmarshal.v1 import match_service_pb2 as pb
from hexmarshal.v1 import rules_service_pb2
from hexmarshal.wire.positions import decode_position
from hexmarshal.wire.verdicts import decode_verdict

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Mapping, Sequence

    from hexmarshal.client.conversions import File
    from hexmarshal.client.requests import OfferedAction, Source
    from hexmarshal.client.sight import FoundPath, LineOfSight, ReachableCells, Supply, VisibleCells
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.choosing.choices import Choices
    from hexmarshal.rules.dice import Given
    from hexmarshal.rules.odds import Distribution
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.verdict import Answer, Applied, Verdict
    from hexmarshal.v1 import conversion_service_pb2 as conversions
    from hexmarshal.v1 import game_pb2, game_service_pb2, position_pb2

__all__ = ["AsyncClient"]

BATCH = 256
NO_OPTIONS: FrozenMap[Any] = FrozenMap()


class AsyncClient(AsyncLobby):
    """The rules service, for asyncio.

    A position is a kernel Position, a message, or `InMatch(id)` for a match that the service holds.
    """

    # Games

    async def games(self) -> list[game_service_pb2.GameSummary]:
        """The games that the service knows."""
        return await self.call(ask.list_games())

    async def game(self, game: str) -> game_pb2.Game:
        """What a game declares: sides, phases, actions, queries, unit types."""
        return await self.call(ask.get_game(game))

    async def rule(self, game: str, rule: str) -> game_pb2.Rule:
        """One rule by its id."""
        return await self.call(ask.get_rule(game, rule))

    async def rules(self, game: str) -> AsyncIterator[game_pb2.Rule]:
        """The rules of a game, in the order of its book."""
        token = ""
        while True:
            found, token = await self.call(ask.list_rules(game, token))
            for rule in found:
                yield rule
            if not token:
                return

    async def scenarios(self, game: str) -> list[game_pb2.Scenario]:
        """The scenarios of a game."""
        return await self.call(ask.list_scenarios(game))

    async def scenario(
        self,
        game: str,
        scenario: str,
        *,
        options: Mapping[str, object] = NO_OPTIONS,
        seed: str | int = "",
    ) -> Position:
        """The position at the start of a scenario."""
        return await self.call(ask.get_scenario(game, scenario, options, str(seed)))

    # Rules

    async def check_move(
        self, where: Source, units: str | Sequence[str], path: str | Sequence[str]
    ) -> Verdict:
        """Whether units may move along a path; one unit or one cell may stand alone."""
        return await self.call(ask.check_move(where, units, path))

    async def check(self, where: Source, action: Action) -> Verdict:
        """Whether an action is legal."""
        return await self.call(ask.check(where, action))

    async def check_all(
        self, where: Source, actions: Iterable[Action], *, batch: int = BATCH
    ) -> AsyncIterator[Verdict | ServiceError]:
        """Many checks against one position, which is sent once; results in order, as they come.

        An action that cannot be judged gives a ServiceError in its place.
        """

        async def requests() -> AsyncIterator[rules_service_pb2.CheckActionsRequest]:
            first: Source | None = where
            waiting: list[Action] = []
            for action in actions:
                waiting.append(action)
                if len(waiting) >= batch:
                    yield ask.batch(first, waiting)
                    first, waiting = None, []
            if waiting:
                yield ask.batch(first, waiting)

        call = self.channel.stream_stream(
            f"/{PACKAGE}.RulesService/CheckActions",
            request_serializer=rules_service_pb2.CheckActionsRequest.SerializeToString,
            response_deserializer=rules_service_pb2.CheckActionsResponse.FromString,
        )
        answers = call(requests(), timeout=self._timeout, metadata=self._metadata)
        try:
            async for answer in answers:
                for result in answer.results:
                    if result.HasField("verdict"):
                        yield decode_verdict(result.verdict)
                    else:
                        yield ServiceError(result.problem.message, status=result.problem.code)
        except grpc.RpcError as error:
            raise error_of(error) from None
        finally:
            answers.cancel()

    async def actions(
        self, where: Source, side: str = "", *, kinds: Sequence[str] = (), units: Sequence[str] = ()
    ) -> AsyncIterator[OfferedAction]:
        """Every legal action of a side, page by page."""
        token = ""
        while True:
            offers, token = await self.call(ask.list_actions(where, side, kinds, units, token))
            for offer in offers:
                yield offer
            if not token:
                return

    async def choices(
        self,
        where: Source,
        kind: str = "",
        params: Mapping[str, object] = NO_OPTIONS,
        *,
        slot: str = "",
        side: str = "",
        reasons: bool = False,
    ) -> Choices:
        """What may be chosen next: the kind, then slot by slot; `reasons` tells what is refused."""
        request = ask.next_choices(where, side, kind, params, slot, reasons=reasons)
        return await self.call(request)

    async def resolve(
        self,
        where: Source,
        action: Action,
        *,
        dice: Sequence[int | Given] | None = None,
        picks: Sequence[int | Given] | None = None,
    ) -> Applied:
        """What an action does, with dice given or those of the position's generator."""
        return await self.call(ask.resolve(where, action, dice, picks))

    async def odds(self, where: Source, **params: object) -> Distribution[str]:
        """The exact odds of what the game's `odds` query describes."""
        return await self.call(ask.odds(where, params))

    async def ask(self, where: Source, name: str, **params: object) -> Answer:
        """Any query that the game declares, by its name: control, score, zoc, ..."""
        return await self.call(ask.ask(where, name, params))

    async def validate(self, where: Source) -> rules_service_pb2.ValidatePositionResponse:
        """Everything that is wrong with a position, and its digest."""
        return await self.call(ask.validate(where))

    # Sight. The parameters are those of the game's query, by name; `from_` is sent as `from`.

    async def line_of_sight(self, where: Source, **params: object) -> LineOfSight:
        """Whether one cell can be seen from another: the game's query `sight`."""
        return await self.call(look.line_of_sight(where, params))

    async def visible_cells(self, where: Source, **params: object) -> VisibleCells:
        """The cells that can be seen: the game's query `visible`."""
        return await self.call(look.visible_cells(where, params))

    async def reach(self, where: Source, **params: object) -> ReachableCells:
        """The cells that units can reach, with their costs: the game's query `reach`."""
        return await self.call(look.reach(where, params))

    async def find_path(self, where: Source, **params: object) -> FoundPath:
        """The cheapest path to a cell: the game's query `path`."""
        return await self.call(look.find_path(where, params))

    async def trace_supply(self, where: Source, **params: object) -> Supply:
        """Whether a unit is supplied, and along which cells: the game's query `supply`."""
        return await self.call(look.trace_supply(where, params))

    # Matches

    async def create_match(
        self,
        game: str,
        scenario: str,
        *,
        options: Mapping[str, object] = NO_OPTIONS,
        seats: Mapping[str, str] = NO_OPTIONS,
        seed: str | int = "",
        title: str = "",
        undo: pb.UndoPolicy.ValueType = pb.UNDO_POLICY_UNSPECIFIED,
        own_dice: bool = False,
        key: str = "",
        **terms: object,
    ) -> pb.Match:
        """Begin a match. `seats` are players by side; with a key it may be repeated safely.

        A seed makes it practice. `terms` are access, audience, after_end and time_control.
        """
        rest = {"seed": str(seed), "title": title, "undo": undo, "own_dice": own_dice, **terms}
        request = play.create_match(
            game, scenario, options, seats, {**rest, "idempotency_key": key}
        )
        return await self.call(request)

    async def match(self, match: str, side: str = "", *, whole: bool = False) -> pb.Match:
        """A match as one's seat sees it, or whole, after its end, if it says so."""
        return await self.call(play.get_match(match, side, whole))

    async def matches(self, game: str = "") -> AsyncIterator[pb.Match]:
        """The matches in which one has a seat, newest first."""
        token = ""
        while True:
            found, token = await self.call(play.list_matches(game, token))
            for match in found:
                yield match
            if not token:
                return

    async def submit(
        self,
        match: str,
        version: int,
        action: Action,
        *,
        key: str = "",
        dice: Sequence[int | Given] | None = None,
        picks: Sequence[int | Given] | None = None,
        whole: bool = False,
    ) -> pb.Event:
        """Do an action; when this returns, it is on disk. With a key it may be repeated safely.

        The version is that of the action's seat; a director may count all events with `whole`.
        """
        return await self.call(play.submit(match, version, action, key, dice, picks, whole))

    async def undo(
        self, match: str, version: int, side: str = "", *, key: str = "", whole: bool = False
    ) -> pb.Event:
        """Take the last action back."""
        return await self.call(play.undo(match, version, side, key, whole))

    async def watch(self, match: str, after: int = 0, side: str = "") -> AsyncIterator[pb.Event]:
        """What happens in a match after a version, as it happens, until it ends."""
        async for event in self._stream(play.watch(match, after, side)):
            yield event

    async def events(self, match: str, after: int = 0, side: str = "") -> AsyncIterator[pb.Event]:
        """What happened in a match after a version, so far."""
        token = ""
        while True:
            found, token = await self.call(play.list_events(match, after, side, token))
            for event in found:
                yield event
            if not token:
                return

    async def export(
        self,
        match: str,
        side: str = "",
        *,
        format: int = pb.EXPORT_FORMAT_JSON_LINES,
        whole: bool = False,
    ) -> bytes:
        """The record of a match."""
        request = play.export(match, side, format, whole)
        parts: list[bytes] = [part async for part in self._stream(request)]
        return b"".join(parts)

    async def delete_match(self, match: str) -> None:
        """Remove a match for good."""
        await self.call(play.delete_match(match))

    # Files

    async def inspect_module(
        self, module: File | None = None, *, game: str = "", binding: File | None = None
    ) -> conversions.InspectModuleResponse:
        """What is in a module, and what a binding covers of it; without a file the game's own."""
        upload = files.inspect_module(module, files.means(game, binding))
        found: conversions.InspectModuleResponse = await self._ask(upload)
        return found

    async def read_position(
        self,
        saved: File,
        module: File | None = None,
        *,
        game: str = "",
        binding: File | None = None,
        scenario: str = "",
        options: Mapping[str, object] = NO_OPTIONS,
        any_module: bool = False,
    ) -> tuple[Position, list[conversions.FileNote]]:
        """The position that a save or the end of a log shows, and what about it is doubtful."""
        means = files.means(game, binding, scenario, options, any_module=any_module)
        answer = await self._ask(files.read_position(saved, module, means))
        return decode_position(answer.position), list(answer.notes)

    async def write_save(
        self,
        position: Position | position_pb2.Position,
        module: File | None = None,
        *,
        game: str = "",
        binding: File | None = None,
    ) -> tuple[bytes, list[conversions.FileNote]]:
        """A save of a module that shows a position, and what it cannot show."""
        notes: list[conversions.FileNote] = []
        pieces: list[bytes] = []
        upload = files.write_save(position, module, files.means(game, binding))
        async for answer in self._send(upload):
            notes += answer.notes.notes
            pieces.append(answer.saved)
        return b"".join(pieces), notes

    async def check_log(
        self,
        saved: File,
        module: File | None = None,
        *,
        game: str = "",
        binding: File | None = None,
        scenario: str = "",
        options: Mapping[str, object] = NO_OPTIONS,
        any_module: bool = False,
        every: bool = False,
    ) -> AsyncIterator[conversions.CheckLogResponse]:
        """Notes, findings and the summary of a check, as they come; what was legal if wanted."""
        means = files.means(game, binding, scenario, options, any_module=any_module)
        upload = files.check_log(saved, module, means, every=every)
        async for answer in self._send(upload):
            yield answer
