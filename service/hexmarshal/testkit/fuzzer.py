"""A fuzzer led by coverage: positions and actions, mutated while they reach new lines of a game.

What a plugin is given comes from outside and may say anything. It may refuse with an error of the
HexMarshalError hierarchy; whatever else it raises is a crash, and is kept as a file that one can
replay. The same seed tries the same things.
"""

from __future__ import annotations

import json
import random
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hexmarshal.errors import HexMarshalError
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Generator
from hexmarshal.rules.state import validate
from hexmarshal.rules.state.position import Position
from hexmarshal.testkit.inventing import Inventor

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType, FrameType

    from hexmarshal.rules.plugin import GamePlugin

__all__ = ["Crash", "Fuzzer"]

Document = dict[str, Any]
ODD: tuple[object, ...] = (
    None, True, 0, -1, 1, 7, 10**12, 1.5, "", "?", "0101", "\x00", [], {}, [[]], {"": None},
)  # fmt: skip
MOST_INPUTS = 400
OFFERS = 40


@dataclass(frozen=True, slots=True)
class Crash:
    """An input that broke a plugin, and what it raised."""

    game: str
    position: Document
    action: Document
    error: str
    where: str

    def to_json(self) -> Document:
        """As one JSON document: what a crash file holds."""
        return {
            "game": self.game,
            "error": self.error,
            "where": self.where,
            "action": self.action,
            "position": self.position,
        }


class Fuzzer:
    """Tries mutated positions and actions of one game."""

    def __init__(self, plugin: GamePlugin, seed: int = 0) -> None:
        self._plugin = plugin
        self._chance = random.Random(seed)
        self._inventor = Inventor(plugin, self._chance)
        self._package = type(plugin).__module__.rpartition(".")[0].replace(".", "/")
        self._inputs: list[tuple[Document, Document]] = []
        self.lines: set[tuple[str, int]] = set()
        self._unreached: dict[int, tuple[CodeType, set[int]]] = {}
        self.tried = 0
        self.admitted = 0

    def run(self, seconds: float = 0.0, tries: int = 0) -> Iterator[Crash]:
        """Try for so long, or so often; each crash at another place is told once."""
        told: set[str] = set()
        end = time.monotonic() + seconds if seconds else None
        self._inputs = self._inputs or list(self._starts())
        while (end is None or time.monotonic() < end) and (not tries or self.tried < tries):
            position, action = self._varied(*self._chance.choice(self._inputs))
            crash, new = self.attempt(position, action)
            if new and len(self._inputs) < MOST_INPUTS:
                self._inputs.append((position, action))
            if crash is not None and crash.where not in told:
                told.add(crash.where)
                yield crash

    def _varied(self, position: Document, action: Document) -> tuple[Document, Document]:
        """Another position or another action: mutated, or invented by what the game declares."""
        how = self._chance.random()
        if how < 0.4:
            return self._mutated(position), action
        if how < 0.7:
            return position, self._mutated(action)
        try:
            at = Position.from_json(position)
        except HexMarshalError:
            return position, action
        if not at.sides:
            return position, self._mutated(action)
        if how < 0.85 or not self._plugin.game.frames:
            return position, self._inventor.action(at)
        return self._interrupted(position, at), self._inventor.action(at)

    def _interrupted(self, position: Document, at: Position) -> Document:
        """The position with a decision that it waits for, the state and active sides following."""
        frames = [*position.get("frames", ()), self._inventor.frame(at)]
        follows = {"state": "", "active": []} if len(frames) > 1 else {}
        return {**position, **follows, "frames": frames}

    def attempt(self, position: Document, action: Document) -> tuple[Crash | None, bool]:
        """Give this to the plugin; what broke, and whether lines were reached that none reached."""
        self.tried += 1
        before = len(self.lines)
        crash = None
        old = sys.gettrace()
        try:
            known = Position.from_json(position)  # nothing of the game has a part in it
            sys.settrace(self._traced)
            self._use(known, action)
        except HexMarshalError:
            pass
        except Exception as error:  # noqa: BLE001 - a crash is what is looked for
            where = _where(error)
            said = f"{type(error).__name__}: {error}"
            crash = Crash(self._plugin.game.key, position, action, said, where)
        finally:
            sys.settrace(old)
        return crash, len(self.lines) > before

    def _use(self, position: Position, wanted: Document) -> None:
        plugin = self._plugin
        if validate.problems(plugin, position):
            return
        self.admitted += 1
        for side in position.sides:
            engine.view(plugin, position, side)
        action = plugin.game.actions.decode(wanted)
        if engine.check(plugin, position, action).legal and position.generator is not None:
            engine.perform(plugin, position, action)
        for side in position.active:
            engine.silence(plugin, position, side)
            next(iter(engine.offers(plugin, position, side)), None)
        engine.outcome(plugin, position)

    def _starts(self) -> Iterator[tuple[Document, Document]]:
        plugin = self._plugin
        for scenario in plugin.scenarios():
            position = engine.start(plugin, scenario.key, None, "fuzz")
            chance = Generator(f"fuzz {scenario.key}")
            for _ in range(OFFERS):
                offers = [
                    offer.action
                    for side in position.active
                    for offer, _ in zip(
                        engine.offers(plugin, position, side), range(OFFERS), strict=False
                    )
                ]
                if not offers:
                    break
                nth, chance = chance.below(len(offers))
                yield position.to_json(), offers[nth].to_json()
                position = engine.perform(plugin, position, offers[nth]).position

    def _mutated(self, document: Document) -> Document:
        copy: Document = _copied(document)
        for _ in range(self._chance.choice((1, 1, 1, 2, 4))):
            self._mutate(copy)
        return copy

    def _mutate(self, document: Document) -> None:
        holder: Any = document
        while True:
            keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
            if not keys:
                return
            key = self._chance.choice(keys)
            inner = holder[key]
            if not isinstance(inner, dict | list) or not inner or self._chance.random() < 0.15:
                break
            holder = inner
        kind = self._chance.randrange(4)
        if kind == 0:
            del holder[key]
        elif kind == 1:
            holder[key] = _copied(self._chance.choice(ODD))
        elif kind == 2 and isinstance(holder[key], int):
            holder[key] += self._chance.choice((-2, -1, 1, 2))
        else:
            other: Any = holder[self._chance.choice(keys)]
            holder[key] = _copied(other)

    def _traced(self, frame: FrameType, event: str, _arg: object) -> Any:  # noqa: ANN401
        """Follow only what has lines that none has reached yet."""
        code = frame.f_code
        # By its number, as code is compared by all that it holds; kept, so that the number is its.
        _, left = self._unreached.get(id(code)) or self._met(code)
        if not left:
            return None
        if event == "line" and frame.f_lineno in left:
            left.discard(frame.f_lineno)
            self.lines.add((code.co_filename, frame.f_lineno))
        return self._traced

    def _met(self, code: CodeType) -> tuple[CodeType, set[int]]:
        inside = self._package in code.co_filename
        lines = {line for *_, line in code.co_lines() if line and line != code.co_firstlineno}
        self._unreached[id(code)] = code, lines if inside else set()
        return self._unreached[id(code)]


def _copied(value: Any) -> Any:  # noqa: ANN401 - a document's part
    """A copy of its own: what is varied later must not vary what another try began with."""
    return json.loads(json.dumps(value))


def _where(error: Exception) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return ""
    file = trace.tb_frame.f_code.co_filename
    return f"{file.rpartition('hexmarshal/')[2].rpartition('site-packages/')[2]}:{trace.tb_lineno}"
