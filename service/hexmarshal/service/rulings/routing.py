"""Where a rules call runs: here if its kind has proved cheap, else in one of the worker processes.

An inline call costs no copying but holds up everybody else while it runs. What a kind of call costs
is learnt from its own past, game by game; heavy kinds are never inline where there are workers.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from hexmarshal.errors import HexMarshalError
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.verdict import Applied
from hexmarshal.service.calls import statuses
from hexmarshal.service.calls.paging import PageTokens
from hexmarshal.service.calls.statuses import CODES, Refusal
from hexmarshal.service.log import LOG
from hexmarshal.service.rulings import case_reading, rules_calls
from hexmarshal.service.rulings.here import Here
from hexmarshal.service.rulings.methods import METHODS, judged, read_position
from hexmarshal.service.rulings.position_cache import PositionReader
from hexmarshal.service.rulings.worker_pool import Pool
from hexmarshal.service.rulings.worker_process import Start
from hexmarshal.v1 import rules_service_pb2, verdict_pb2
from hexmarshal.wire.effects import decode_effect
from hexmarshal.wire.positions import decode_position, encode_position
from hexmarshal.wire.verdicts import decode_resolution, decode_roll, encode_action

if TYPE_CHECKING:
    from collections.abc import Callable

    from hexmarshal.rules.action import Action
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.plugins.registry import Registry
    from hexmarshal.service.calls.call import Call
    from hexmarshal.service.rulings.here import Key
    from hexmarshal.service.rulings.methods import Method
    from hexmarshal.service.rulings.worker_process import Outcome, Worker
    from hexmarshal.service.settings import Settings

__all__ = ["PluginBugError", "Rulings", "Task"]

# Work that may go to a worker: it gets the games and a reader of positions there.
Task: TypeAlias = "Callable[[Registry, PositionReader], bytes]"

# An action of a match has to bring its whole position to a worker and back, which takes time too.
SUBMIT_SECONDS = 0.02
SHORT_SECONDS = 0.005
# What is larger than this is not turned into objects on the event loop, and what is larger than
# that not in this process: the parser lets nobody else run meanwhile.
INLINE_BYTES = 4 << 10
READ_BYTES = 32 << 10


class PluginBugError(Exception):
    """An exception out of a plugin that it should not have raised."""

    def __init__(self, game: str) -> None:
        super().__init__(game)
        self.game = game


@dataclass(frozen=True, slots=True)
class _Ruling:
    """A rules call as a worker gets it."""

    name: str
    position: bytes
    request: bytes
    side: str
    seconds: float
    max_actions: int

    def __call__(self, worker: Worker) -> bytes:
        method = METHODS[self.name]
        position = read_position(worker.reader, self.position)
        plugin = case_reading.plugin_of(worker.registry, position.game)
        deadline = time.monotonic() + self.seconds
        case = case_reading.Case(
            plugin, position, self.side, deadline, self.max_actions, worker.tokens
        )
        return judged(method, case, method.request.FromString(self.request))


def _do(task: Task, worker: Worker) -> bytes:
    return task(worker.registry, worker.reader)


class Rulings:
    """Answers rules calls, inline or by workers."""

    def __init__(self, registry: Registry, settings: Settings) -> None:
        self.registry = registry
        self.reader = PositionReader(max_units=settings.max_units)
        self._workers = settings.worker_count
        self._max_units = settings.max_units
        self._max_actions = settings.max_actions
        self.tokens = PageTokens(secrets.token_bytes(32))
        self._start = Start(settings.max_units, settings.max_worker_bytes, self.tokens.secret)
        self.pool = Pool(self._workers, self._start)
        self.here = Here()
        self._loading = asyncio.Lock()
        self._ready: set[Key] = set()

    @property
    def parallel(self) -> int:
        """How many calls are worth having under way: all workers busy, and each with a next one."""
        return 2 * self._workers

    @property
    def waiting(self) -> int:
        """How many calls are with the workers."""
        return self.pool.waiting

    def begin(self, secret: bytes) -> None:
        """Start the workers, so that the first caller does not wait; they share the secret."""
        self.tokens = PageTokens(secret)
        self.pool.start = replace(self._start, secret=secret)
        self.pool.warm()

    async def close(self) -> None:
        """Let the workers go."""
        self.here.close()
        await self.pool.close()

    async def plugin(self, game: str, field: str = "position.game") -> GamePlugin:
        """The plugin of a game, or a refusal; it is loaded while others are answered."""
        if not self.registry.is_loaded(game):
            async with self._loading:
                with suppress(HexMarshalError):
                    await self.here.apart(partial(self.registry.get, game))
        return case_reading.plugin_of(self.registry, game, field)

    async def answer(
        self,
        call: Call,
        name: str,
        position: Position | bytes,
        side: str,
        request: Any,  # noqa: ANN401
        raw: bytes | None = None,
    ) -> bytes:
        """The serialized response, or a Refusal.

        What is too large to be read here goes to a worker as it came: the position as bytes, and
        `raw` for what the request holds besides.
        """
        method = METHODS[name]
        if raw is not None and not self._workers:
            request, raw = method.request.FromString(raw), None
        if raw is not None or isinstance(position, bytes):
            asked = request.SerializeToString() if raw is None else raw
            outcome = await self._elsewhere(call, name, position, side, asked)
            return _answer(outcome, position.game if isinstance(position, Position) else "")
        count = max(1, len(request.actions)) if hasattr(request, "actions") else 1
        plugin = await self.plugin(position.game)
        key = (position.game, name, _detail(plugin, request))
        case = case_reading.Case(
            plugin, position, side, call.deadline, self._max_actions, self.tokens
        )
        work = partial(_judged, method, case, request)
        small = request.ByteSize() <= INLINE_BYTES * count
        # What a heavy kind costs depends on what is asked: its past says nothing of the next one.
        if small and not method.heavy and self.here.cheap(key, count):
            case.in_time()
            started = time.thread_time()
            try:
                return work()
            finally:
                self.here.learn(key, (time.thread_time() - started) / count)
        if not self._workers:
            return await self.here.apart(work)
        # Where a kind proves cheap in a worker, what it needs is made ready here too, apart.
        first = key not in self._ready and not method.heavy
        outcome = await self._elsewhere(call, name, position, side, request.SerializeToString())
        if first and small and outcome.seconds < SUBMIT_SECONDS * count:
            self._ready.add(key)
            with suppress(Exception):
                await self.here.apart(work)
        self.here.learn(key, outcome.seconds / count)
        return _answer(outcome, position.game)

    async def perform(
        self,
        call: Call,
        plugin: GamePlugin,
        position: Position,
        action: Action,
        dice: verdict_pb2.GivenDice,
    ) -> Applied:
        """What an action does to the whole position of a match."""
        key = (position.game, "SubmitAction", action.kind)
        if not self._workers or (self.here.cost(key) or 0.0) < SUBMIT_SECONDS:
            try:
                return await self.here.do(
                    key, partial(rules_calls.perform, plugin, position, action, dice)
                )
            except Refusal:
                raise
            except Exception as error:
                raise PluginBugError(position.game) from error
        asked = rules_service_pb2.ResolveActionRequest(action=encode_action(action))
        if dice.HasField("dice") or dice.HasField("picks") or dice.rolls:
            asked.dice.CopyFrom(dice)
        outcome = await self._elsewhere(
            call, "ResolveAction", position, "", asked.SerializeToString()
        )
        self.here.learn(key, outcome.seconds)
        answer = _answer(outcome, position.game)
        return await self.here.do((position.game, "applied", ""), partial(_applied, answer))

    async def _elsewhere(
        self, call: Call, name: str, position: Position | bytes, side: str, request: bytes
    ) -> Outcome:
        if isinstance(position, bytes):
            data = position
        else:
            data = await self.here.do((position.game, "sent", ""), partial(_sent, position))
        left = call.seconds_left
        work = _Ruling(name, data, request, side, left, self._max_actions)
        return await self.pool.run(call.account, work, left, len(data) + len(request))

    async def read(self, data: bytes) -> Position | bytes:
        """A client's position; its bytes if it is too large to be read in this process."""
        found = self.reader.known(data)
        if found is not None:
            return found
        if self._workers and len(data) > READ_BYTES:
            return data
        if len(data) > INLINE_BYTES:
            return await self.here.apart(partial(self._read_all, data))
        return read_position(self.reader, data)

    def _read_all(self, data: bytes) -> Position:
        """A position, with what takes time to find out about it."""
        position = read_position(self.reader, data)
        with suppress(Exception):  # told when somebody asks
            case_reading.admitted(self.registry.get(position.game), position)
        return position

    async def anywhere(self, call: Call, key: Key, task: Task) -> bytes:
        """What a task answers, here if its kind has proved short, else in a worker.

        A thread that works for long is in everybody's way too, if less.
        """
        known = self.here.cost(key)
        if not self._workers or (known is not None and known < SHORT_SECONDS):
            return await self.here.do(key, partial(task, self.registry, self.reader))
        left = call.seconds_left
        outcome = await self.pool.run(call.account, partial(_do, task), left)
        self.here.learn(key, outcome.seconds)
        return _answer(outcome, key[0])

    async def run(self, call: Call, task: Task) -> bytes:
        """What a task answers that is too long for the event loop: in a worker, or in a thread."""
        left = call.seconds_left
        if self._workers:
            return _answer(await self.pool.run(call.account, partial(_do, task), left), "")
        try:
            work = asyncio.to_thread(task, self.registry, PositionReader(max_units=self._max_units))
            return await asyncio.wait_for(work, left)
        except (Refusal, TimeoutError):
            raise
        except Exception as error:
            raise PluginBugError("") from error


def _judged(method: Method, case: case_reading.Case, request: Any) -> bytes:  # noqa: ANN401
    """What a call answers; an exception that a plugin should not have raised is its bug."""
    try:
        return judged(method, case, request)
    except Refusal:
        raise
    except Exception as error:
        raise PluginBugError(case.position.game) from error


def _applied(answer: bytes) -> Applied:
    """What a worker says that an action does."""
    found = rules_service_pb2.ResolveActionResponse.FromString(answer)
    return Applied(
        decode_position(found.position),
        tuple(decode_resolution(r) for r in found.resolutions),
        tuple(decode_effect(effect) for effect in found.effects),
        tuple(decode_roll(roll) for roll in found.rolls),
    )


def _sent(position: Position) -> bytes:
    return position.remember("message", lambda: encode_position(position).SerializeToString())


def _answer(outcome: Outcome, game: str) -> bytes:
    if outcome.bug:
        LOG.error("bug in the rules", extra={"fields": {"game": game, "traceback": outcome.bug}})
        raise statuses.internal(game)
    if outcome.status:
        raise _refusal(outcome.status)
    return outcome.answer


def _detail(plugin: GamePlugin, request: Any) -> str:  # noqa: ANN401 - any of the requests
    """What makes one call of a method dearer than another: the query, or the kind of action."""
    action = getattr(request, "action", request)
    kind = getattr(action, "kind", "") or getattr(request, "name", "")
    return kind if kind in plugin.game.actions or kind in plugin.game.queries else ""


def _refusal(data: bytes) -> Refusal:
    from google.protobuf import symbol_database
    from google.rpc.status_pb2 import Status

    status = Status.FromString(data)
    found = []
    for packed in status.details:
        kind = symbol_database.Default().GetSymbol(packed.TypeName())
        message = kind()
        packed.Unpack(message)
        found.append(message)
    return Refusal(CODES[status.code], status.message, tuple(found))
