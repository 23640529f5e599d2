"""A random player: plays legal actions until the end and reports whatever should not happen.

To list every legal action costs a hundred times what it costs to check one. So the player keeps the
offers that it did not choose, and for its next choices draws among those: one that the rules still
allow is as good as a fresh one. Each decision has a list of its own, to come back to when the sides
take turns. It asks for a fresh one when the phase changes, when a few draws in a row are no longer
legal, and after so many choices in any case. A kind of action is drawn first, then one of it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError, RulesError
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Generator
from hexmarshal.rules.playing.record import Event, GameRecord, Opening, event_of, replay
from hexmarshal.rules.state import validate
from hexmarshal.rules.values import FrozenMap, freeze

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.rules.action import Action
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.position import Position

__all__ = ["Finding", "PlayedGame", "perft", "play_game"]

# A list of offers longer than this is cut before one is chosen: chance does not need them all.
CHOICES = 500
# How many choices one list of offers serves at most, and how many draws in a row may miss.
CHOICES_OF_A_LIST = 12
MISSES = 8


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that should not happen: which kind, after how many actions, and what."""

    kind: str
    actions: int
    text: str


@dataclass(slots=True)
class PlayedGame:
    """One game of the random player."""

    record: GameRecord
    findings: list[Finding] = field(default_factory=list)
    winners: tuple[str, ...] | None = None
    offered: int = 0  # how many legal actions were listed to choose from, all in all
    kinds: dict[str, int] = field(default_factory=dict)

    @property
    def actions(self) -> int:
        """How many actions were done."""
        return len(self.record.events)


def play_game(
    plugin: GamePlugin,
    seed: str,
    *,
    scenario: str = "",
    options: Mapping[str, object] | None = None,
    max_actions: int = 5000,
    check_replay: bool = True,
) -> PlayedGame:
    """Play one game with this seed, for the dice and for the choices, and check it on the way.

    Findings: `exception`, `illegal offer` (an action offered that the check refuses), `no way out`,
    `no end` (too many actions), `invariant`, `replay` (another end from the same record).
    """
    position = engine.start(plugin, scenario, options, seed)
    opening = Opening(
        game=position.game,
        version=position.version,
        scenario=scenario or next(s.key for s in plugin.scenarios()),
        options=FrozenMap({k: freeze(v) for k, v in (options or {}).items()}),
        seed=seed,
        digest=position.digest,
    )
    played = PlayedGame(GameRecord(opening))
    events: list[Event] = []
    try:
        player = _Player(plugin, Generator(f"choices {seed}"))
        _play(plugin, position, player, max_actions, played, events)
    except Exception as error:  # noqa: BLE001 - reporting any exception is the point
        played.findings.append(Finding("exception", len(events), _describe(error)))
    played.record = GameRecord(opening, tuple(events))
    if check_replay:
        try:
            lines = list(played.record.to_lines())
            for _ in replay(plugin, GameRecord.from_lines(lines)):
                pass
        except Exception as error:  # noqa: BLE001
            played.findings.append(Finding("replay", len(events), _describe(error)))
    return played


@dataclass(slots=True)
class _Offered:
    """What is left of a list of offers, and how many choices it served."""

    actions: list[Action]
    chosen: int = 1


class _Player:
    """Chooses legal actions, each by chance among a list of offers that may be a little old."""

    def __init__(self, plugin: GamePlugin, choices: Generator) -> None:
        self._plugin = plugin
        self._choices = choices
        self._phase: tuple[int, str] | None = None
        self._lists: dict[tuple[str, tuple[str, ...]], _Offered] = {}
        self.offered = 0  # how many offers were listed, all in all

    def choose(self, position: Position) -> Action | None:
        """A legal action of one of the sides that may act; None if there is none."""
        phase = (position.turn, position.phase)
        if phase != self._phase:
            self._phase = phase
            self._lists.clear()
        decision = (position.state, position.active)
        old = self._lists.get(decision)
        if old is not None and old.chosen < CHOICES_OF_A_LIST:
            for _ in range(min(MISSES, len(old.actions))):
                action = self._drawn(old)
                if self._is_legal(position, action):
                    old.chosen += 1
                    return action
        fresh = self._lists[decision] = _Offered(
            [
                offer.action
                for side in position.active
                for offer in islice(engine.offers(self._plugin, position, side), CHOICES)
            ]
        )
        self.offered += len(fresh.actions)
        return self._drawn(fresh) if fresh.actions else None

    def _is_legal(self, position: Position, action: Action) -> bool:
        try:
            return engine.check(self._plugin, position, action).legal
        except RulesError:  # it names a unit that is gone by now
            return False

    def _drawn(self, offered: _Offered) -> Action:
        """First a kind, then an offer of it: else the many ways to move leave nothing to others.

        A kind weighs as much as its number has digits, in twos: what ends a phase stays rare.
        """
        numbers = Counter(action.kind for action in offered.actions)
        kind = self._weighed({kind: count.bit_length() for kind, count in numbers.items()})
        nth, self._choices = self._choices.below(numbers[kind])
        places = (i for i, action in enumerate(offered.actions) if action.kind == kind)
        return offered.actions.pop(next(islice(places, nth, None)))

    def _weighed(self, weights: Mapping[str, int]) -> str:
        spot, self._choices = self._choices.below(sum(weights.values()))
        for kind, weight in weights.items():
            spot -= weight
            if spot < 0:
                return kind
        raise AssertionError("a spot below the sum lies in one of the weights")


def _play(
    plugin: GamePlugin,
    position: Position,
    player: _Player,
    max_actions: int,
    played: PlayedGame,
    events: list[Event],
) -> None:
    for breach in validate.problems(plugin, position):
        played.findings.append(Finding("invariant", 0, f"{breach.rule}: {breach.text}"))
    while (ended := plugin.outcome(position)) is None:
        if len(events) >= max_actions:
            text = f"not over after {max_actions} actions"
            played.findings.append(Finding("no end", len(events), text))
            return
        action = player.choose(position)
        played.offered = player.offered
        if action is None:
            text = f"turn {position.turn}, {position.phase} {position.state}: no legal action"
            played.findings.append(Finding("no way out", len(events), text))
            return
        try:
            applied = engine.perform(plugin, position, action)
        except engine.IllegalActionError as error:
            text = f"{action}: {error.message}"
            played.findings.append(Finding("illegal offer", len(events), text))
            return
        played.kinds[action.kind] = played.kinds.get(action.kind, 0) + 1
        position = applied.position
        events.append(event_of(action, applied))
        breaches = validate.problems(plugin, position)
        for breach in breaches:
            text = f"after {action}: {breach.rule}: {breach.text}"
            played.findings.append(Finding("invariant", len(events), text))
        if breaches:
            return
    played.winners = ended.winners


def _describe(error: Exception) -> str:
    if isinstance(error, HexMarshalError):
        return str(error)
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f" at {trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else ""
    return f"{type(error).__name__}: {error}{where}"


def perft(plugin: GamePlugin, position: Position, depth: int) -> int:
    """How many sequences of `depth` legal actions start here, dice as the generator rolls them.

    A game that is over ends its sequence. The number changes when the rules do: a pin for tests.
    """
    if depth == 0 or plugin.outcome(position) is not None:
        return 1
    offered: list[Action] = [
        offer.action for side in position.active for offer in engine.offers(plugin, position, side)
    ]
    if depth == 1:
        return len(offered)
    return sum(
        perft(plugin, engine.perform(plugin, position, action).position, depth - 1)
        for action in offered
    )
