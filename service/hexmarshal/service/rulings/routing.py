"""Where a rules call runs: here if its kind has proved cheap, else in one of the worker processes.

An inline call costs no copying but holds up everybody else while it runs. What a kind of call costs
is learnt from its own past, game by game; heavy kinds are never inline where there are workers.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from hexmarshal.rules.state.position import Position
from hexmarshal.rules.verdict import Applied
from hexmarshal.service.calls import statuses
from hexmarshal.service.calls.paging import PageTokens
from hexmarshal.service.calls.statuses import CODES, Refusal
from hexmarshal.service.log import LOG
from hexmarshal.service.rulings import rules_calls
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
    from hexmarshal.service.rulings.worker_process import Outcome, Worker
    from hexmarshal.service.settings import Settings

__all__ = ["PluginBugError", "Rulings", "Task"]

# Work that may go to a worker: it gets the games and a reader of positions there.
Task: TypeAlias = "Callable[[Registry, PositionReader], bytes]"

# A call that takes longer than this does not belong on the event loop: everybody else waits.
INLINE_SECONDS = 0.0006
# An action of a match has to bring its whole position to a worker and back, which takes time too.
SUBMIT_SECONDS = 0.003
# What is larger than this is not turned into objects on the event loop, and what is larger than
# that not in this process: the parser lets nobody else run meanwhile.
INLINE_BYTES = 4 << 10
READ_BYTES = 32 << 10
# How quickly old measurements are forgotten.
MEMORY = 0.8


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
        plugin = rules_calls.plugin_of(worker.registry, position.game)
        deadline = time.monotonic() + self.seconds
        case = rules_calls.Case(
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
        self._costs: dict[tuple[str, str, str], float] = {}
        self._doubted: set[tuple[str, str, str]] = set()

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
        await self.pool.close()

    def _cost(self, key: tuple[str, str, str]) -> float:
        return self._costs.get(key, 0.0)

    def _learn(self, key: tuple[str, str, str], seconds: float) -> None:
        known = self._costs.get(key)
        if known is None:
            self._costs[key] = seconds
            return
        # On a busy machine any call may have to wait: slow once proves nothing about a cheap kind.
        if known < INLINE_SECONDS <= seconds and key not in self._doubted:
            self._doubted.add(key)
            return
        self._doubted.discard(key)
        self._costs[key] = known * MEMORY + seconds * (1 - MEMORY)

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
        count = len(request.actions) if hasattr(request, "actions") else 1
        key = (position.game, name, _detail(request))
        plugin = rules_calls.plugin_of(self.registry, position.game)
        small = request.ByteSize() <= INLINE_BYTES * max(1, count)
        # What a heavy kind costs depends on what is asked: its past says nothing of the next one.
        cheap = small and not method.heavy and self._cost(key) * count < INLINE_SECONDS
        if not self._workers or cheap:
            case = rules_calls.Case(
                plugin, position, side, call.deadline, self._max_actions, self.tokens
            )
            case.in_time()
            started = time.perf_counter()
            try:
                return judged(method, case, request)
            except Refusal:
                raise
            except Exception as error:
                raise PluginBugError(position.game) from error
            finally:
                self._learn(key, (time.perf_counter() - started) / max(1, count))
        outcome = await self._elsewhere(call, name, position, side, request.SerializeToString())
        self._learn(key, outcome.seconds / max(1, count))
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
        key = (position.game, "SubmitAction", action.kind[:64])
        if not self._workers or self._cost(key) < SUBMIT_SECONDS:
            started = time.perf_counter()
            try:
                return rules_calls.perform(plugin, position, action, dice)
            except Refusal:
                raise
            except Exception as error:
                raise PluginBugError(position.game) from error
            finally:
                self._learn(key, time.perf_counter() - started)
        asked = rules_service_pb2.ResolveActionRequest(action=encode_action(action))
        if dice.HasField("dice") or dice.HasField("picks") or dice.rolls:
            asked.dice.CopyFrom(dice)
        outcome = await self._elsewhere(
            call, "ResolveAction", position, "", asked.SerializeToString()
        )
        self._learn(key, outcome.seconds)
        found = rules_service_pb2.ResolveActionResponse.FromString(_answer(outcome, position.game))
        return Applied(
            decode_position(found.position),
            tuple(decode_resolution(r) for r in found.resolutions),
            tuple(decode_effect(effect) for effect in found.effects),
            tuple(decode_roll(roll) for roll in found.rolls),
        )

    async def _elsewhere(
        self, call: Call, name: str, position: Position | bytes, side: str, request: bytes
    ) -> Outcome:
        data = position if isinstance(position, bytes) else _sent(position)
        left = call.seconds_left
        work = _Ruling(name, data, request, side, left, self._max_actions)
        return await self.pool.run(call.account, work, left)

    async def read(self, data: bytes) -> Position | bytes:
        """A client's position; its bytes if it is too large to be read in this process."""
        found = self.reader.known(data)
        if found is not None:
            return found
        if self._workers and len(data) > READ_BYTES:
            return data
        if len(data) > INLINE_BYTES:
            return await asyncio.to_thread(read_position, self.reader, data)
        return read_position(self.reader, data)

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


def _sent(position: Position) -> bytes:
    return position.remember("message", lambda: encode_position(position).SerializeToString())


def _answer(outcome: Outcome, game: str) -> bytes:
    if outcome.bug:
        LOG.error("bug in the rules", extra={"fields": {"game": game, "traceback": outcome.bug}})
        raise statuses.internal(game)
    if outcome.status:
        raise _refusal(outcome.status)
    return outcome.answer


def _detail(request: Any) -> str:  # noqa: ANN401 - any of the requests
    """What makes one call of a method dearer than another: the query, or the kind of action."""
    for field in ("name", "kind"):
        if value := getattr(request, field, ""):
            return str(value)[:64]
    action = getattr(request, "action", None)
    return str(action.kind)[:64] if action is not None else ""


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
