"""Where a rules call runs: here if its kind has proved cheap, else in one of the worker processes.

An inline call costs no copying but holds up everybody else while it runs. What a kind of call costs
is learnt from its own past, game by game.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from hexmarshal.rules import registry as registries
from hexmarshal.rules.verdict import Applied
from hexmarshal.service.calls import statuses
from hexmarshal.service.calls.statuses import CODES, Refusal
from hexmarshal.service.log import LOG
from hexmarshal.service.rulings import rules_calls
from hexmarshal.service.rulings.methods import METHODS, judged, read_position
from hexmarshal.service.rulings.position_cache import PositionReader
from hexmarshal.v1 import rules_service_pb2, verdict_pb2
from hexmarshal.wire.effects import decode_effect
from hexmarshal.wire.positions import decode_position, encode_position
from hexmarshal.wire.verdicts import decode_resolution, decode_roll, encode_action

if TYPE_CHECKING:
    from collections.abc import Callable

    from google.protobuf.message import Message

    from hexmarshal.rules.action import Action
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.position import Position
    from hexmarshal.rules.registry import Registry

__all__ = ["PluginBugError", "Rulings", "Task"]

# Work that may go to a worker: it gets the games and a reader of positions there.
Task: TypeAlias = "Callable[[Registry, PositionReader], bytes]"

# A call that takes longer than this does not belong on the event loop.
INLINE_SECONDS = 0.003
# How quickly old measurements are forgotten.
MEMORY = 0.8


class PluginBugError(Exception):
    """An exception out of a plugin that it should not have raised."""

    def __init__(self, game: str) -> None:
        super().__init__(game)
        self.game = game


# In a worker


@dataclass(slots=True)
class _Worker:
    registry: Registry
    reader: PositionReader


class _TimeUp(BaseException):
    pass


_worker: _Worker | None = None


def _start_worker(max_units: int) -> None:
    global _worker  # noqa: PLW0603 - a worker process has nowhere else to keep what it read
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, _time_up)
    _worker = _Worker(registries.default(), PositionReader(max_units=max_units))


def _time_up(_number: int, _frame: object) -> NoReturn:
    raise _TimeUp


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What a worker sends back: an answer or a status, and how long it took."""

    seconds: float
    answer: bytes = b""
    status: bytes = b""
    bug: str = ""


def _work(
    name: str, position: bytes, request: bytes, side: str, seconds: float, max_actions: int
) -> _Outcome:
    method = METHODS[name]

    def answer(worker: _Worker) -> bytes:
        read = read_position(worker.reader, position)
        plugin = rules_calls.plugin_of(worker.registry, read.game)
        case = rules_calls.Case(plugin, read, side, time.monotonic() + seconds, max_actions)
        return judged(method, case, method.request.FromString(request))

    return _timed(answer, seconds)


def _run(task: Task, seconds: float) -> _Outcome:
    return _timed(lambda worker: task(worker.registry, worker.reader), seconds)


def _timed(answer: Callable[[_Worker], bytes], seconds: float) -> _Outcome:
    """Do something in a worker, within so many seconds, whatever comes of it."""
    assert _worker is not None
    started = time.perf_counter()
    timed = hasattr(signal, "setitimer")
    try:
        if timed:
            signal.setitimer(signal.ITIMER_REAL, seconds)
        answered = answer(_worker)
        return _Outcome(time.perf_counter() - started, answered)
    except _TimeUp:
        return _Outcome(time.perf_counter() - started, status=statuses.expired().status())
    except Refusal as refusal:
        return _Outcome(time.perf_counter() - started, status=refusal.status())
    except Exception:  # noqa: BLE001 - a plugin may fail in any way; the server logs it
        import traceback

        return _Outcome(time.perf_counter() - started, bug=traceback.format_exc())
    finally:
        if timed:
            signal.setitimer(signal.ITIMER_REAL, 0)


def _ready() -> None:
    """What a worker does to be there in time."""


# In the server


class Rulings:
    """Answers rules calls, inline or by workers."""

    def __init__(
        self, registry: Registry, *, workers: int, max_units: int, max_actions: int
    ) -> None:
        self.registry = registry
        self.reader = PositionReader(max_units=max_units)
        self._workers = workers
        self._max_units = max_units
        self._max_actions = max_actions
        self._pool: ProcessPoolExecutor | None = None
        self._costs: dict[tuple[str, str, str], float] = {}
        self._doubted: set[tuple[str, str, str]] = set()
        self.waiting = 0

    @property
    def parallel(self) -> int:
        """How many calls are worth having under way: all workers busy, and each with a next one."""
        return 2 * self._workers

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            # Not by fork: a process with threads and gRPC inside does not survive that.
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(
                self._workers,
                mp_context=context,
                initializer=_start_worker,
                initargs=(self._max_units,),
            )
        return self._pool

    def warm(self) -> None:
        """Start the workers now, so that the first caller does not wait for them."""
        if self._workers:
            for _ in range(self._workers):
                self._started().submit(_ready)

    def close(self) -> None:
        """Let the workers go."""
        if self._pool is not None:
            processes = list((self._pool._processes or {}).values())  # noqa: SLF001 - see below
            self._pool.shutdown(wait=False, cancel_futures=True)
            # A worker in the middle of a long call would keep the server from ending.
            for process in processes:
                process.terminate()
            for process in processes:
                process.join(5)
            self._pool = None

    def _cost(self, key: tuple[str, str, str], *, heavy: bool) -> float:
        return self._costs.get(key, INLINE_SECONDS if heavy else 0.0)

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
        name: str,
        position: Position,
        side: str,
        request: Any,  # noqa: ANN401
        deadline: float,
    ) -> bytes:
        """The serialized response, or a Refusal."""
        method = METHODS[name]
        count = len(request.actions) if hasattr(request, "actions") else 1
        key = (position.game, name, _detail(request))
        plugin = rules_calls.plugin_of(self.registry, position.game)
        if not self._workers or self._cost(key, heavy=method.heavy) * count < INLINE_SECONDS:
            case = rules_calls.Case(plugin, position, side, deadline, self._max_actions)
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
        outcome = await self._elsewhere(name, position, side, request, deadline)
        self._learn(key, outcome.seconds / max(1, count))
        return _answer(outcome, position.game)

    async def perform(
        self,
        plugin: GamePlugin,
        position: Position,
        action: Action,
        dice: verdict_pb2.GivenDice,
        deadline: float,
    ) -> Applied:
        """What an action does to the whole position of a match."""
        key = (position.game, "SubmitAction", action.kind[:64])
        if not self._workers or self._cost(key, heavy=False) < INLINE_SECONDS:
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
        outcome = await self._elsewhere("ResolveAction", position, "", asked, deadline)
        self._learn(key, outcome.seconds)
        found = rules_service_pb2.ResolveActionResponse.FromString(_answer(outcome, position.game))
        return Applied(
            decode_position(found.position),
            tuple(decode_resolution(r) for r in found.resolutions),
            tuple(decode_effect(effect) for effect in found.effects),
            tuple(decode_roll(roll) for roll in found.rolls),
        )

    async def _elsewhere(
        self, name: str, position: Position, side: str, request: Message, deadline: float
    ) -> _Outcome:
        data = position.remember("message", lambda: encode_position(position).SerializeToString())
        left = _left(deadline)
        return await self._submit(
            partial(_work, name, data, request.SerializeToString(), side, left, self._max_actions),
            left,
        )

    async def run(self, task: Task, deadline: float) -> bytes:
        """What a task answers that is too long for the event loop: in a worker, or in a thread."""
        left = _left(deadline)
        if self._workers:
            return _answer(await self._submit(partial(_run, task, left), left), "")
        try:
            work = asyncio.to_thread(task, self.registry, PositionReader(max_units=self._max_units))
            return await asyncio.wait_for(work, left)
        except (Refusal, TimeoutError):
            raise
        except Exception as error:
            raise PluginBugError("") from error

    async def _submit(self, work: Callable[[], _Outcome], left: float) -> _Outcome:
        self.waiting += 1
        try:
            future = asyncio.get_running_loop().run_in_executor(self._started(), work)
            return await asyncio.wait_for(future, left + 0.5)
        except BrokenProcessPool:
            LOG.error("a worker died; starting new ones")
            self._pool = None
            raise statuses.unavailable("a worker died; try again", reason="WORKER") from None
        except TimeoutError:
            raise statuses.expired() from None
        finally:
            self.waiting -= 1


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise statuses.expired()
    return left


def _answer(outcome: _Outcome, game: str) -> bytes:
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
