"""A random player: plays legal actions until the end and reports whatever should not happen.

Each action is drawn slot by slot among what may be chosen; where a game lists its actions itself,
from that list.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError
from hexmarshal.rules import engine
from hexmarshal.rules.choosing.sampling import Sampler
from hexmarshal.rules.dice import Generator
from hexmarshal.rules.playing.record import Event, GameRecord, Opening, event_of, replay
from hexmarshal.rules.state import validate
from hexmarshal.rules.values import FrozenMap, freeze

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.rules.action import Action
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.position import Position

__all__ = ["PlayFinding", "PlayedGame", "perft", "play_game"]

# After so many actions the invariants are looked at.
LOOKS = 25
# A list of offers longer than this is cut before one is chosen: chance does not need them all.
CHOICES = 500


@dataclass(frozen=True, slots=True)
class PlayFinding:
    """Something that should not happen: which kind, after how many actions, and what."""

    kind: str
    actions: int
    text: str


@dataclass(slots=True)
class PlayedGame:
    """One game of the random player."""

    record: GameRecord
    findings: list[PlayFinding] = field(default_factory=list)
    winners: tuple[str, ...] | None = None
    checks: int = 0  # how often the check was asked in order to choose, all in all
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
    whole_paths: bool = False,
) -> PlayedGame:
    """Play one game with this seed, for the dice and for the choices, and check it on the way.

    With `whole_paths` units go by the ways that the game lists, and not to and fro.
    Findings: `exception`, `illegal offer` (an action offered that the check refuses), `no way out`,
    `no end` (too many actions), `invariant`, `replay` (another end from the same record). Where
    that is checked, every event has its digest, else the last alone: nobody reads the others.
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
        choices = Generator(f"choices {seed}")
        player: Sampler | _ListReader = (
            _ListReader(plugin, choices)
            if plugin.lists_actions
            else Sampler(plugin, choices, whole_paths=whole_paths)
        )
        _play(plugin, position, player, max_actions, played, events, digests=check_replay)
    except Exception as error:  # noqa: BLE001 - reporting any exception is the point
        played.findings.append(PlayFinding("exception", len(events), _describe(error)))
    played.record = GameRecord(opening, tuple(events))
    if check_replay:
        try:
            lines = list(played.record.to_lines())
            for _ in replay(plugin, GameRecord.from_lines(lines)):
                pass
        except Exception as error:  # noqa: BLE001
            played.findings.append(PlayFinding("replay", len(events), _describe(error)))
    return played


class _ListReader:
    """Chooses among the actions that a game lists by itself: first a kind, then one of it."""

    def __init__(self, plugin: GamePlugin, choices: Generator) -> None:
        self._plugin = plugin
        self._choices = choices
        self.checks = 0

    def choose(self, position: Position) -> Action | None:
        """A legal action of one of the sides that may act; None if there is none."""
        kinds: dict[str, list[Action]] = {}
        for side in position.active:
            for offer in islice(engine.offers(self._plugin, position, side), CHOICES):
                kinds.setdefault(offer.action.kind, []).append(offer.action)
        if not kinds:
            return None
        which, self._choices = self._choices.below(len(kinds))
        actions = list(kinds.values())[which]
        nth, self._choices = self._choices.below(len(actions))
        return actions[nth]


def _play(
    plugin: GamePlugin,
    position: Position,
    player: Sampler | _ListReader,
    max_actions: int,
    played: PlayedGame,
    events: list[Event],
    *,
    digests: bool,
) -> None:
    for breach in validate.problems(plugin, position):
        played.findings.append(PlayFinding("invariant", 0, f"{breach.rule}: {breach.text}"))
    unseen = _Unseen(plugin, played)
    try:
        while (ended := engine.outcome(plugin, position)) is None:
            if len(events) >= max_actions:
                text = f"not over after {max_actions} actions"
                played.findings.append(PlayFinding("no end", len(events), text))
                return
            action = player.choose(position)
            played.checks = player.checks
            if action is None:
                text = f"turn {position.turn}, {position.phase} {position.state}: no legal action"
                played.findings.append(PlayFinding("no way out", len(events), text))
                return
            try:
                applied = engine.perform(plugin, position, action)
            except engine.IllegalActionError as error:
                text = f"{action}: {error.message}"
                played.findings.append(PlayFinding("illegal offer", len(events), text))
                return
            played.kinds[action.kind] = played.kinds.get(action.kind, 0) + 1
            position = applied.position
            events.append(event_of(action, applied, digest=digests))
            if not unseen.holds(len(events), action, position):
                return
        played.winners = ended.winners
    finally:
        if events:
            events[-1] = replace(events[-1], digest=position.digest)
        unseen.look()


class _Unseen:
    """Positions whose invariants were not looked at yet.

    To look at all of a position takes longer than to change it. So the last of several is looked
    at, and only if something is wrong with it, those before it, for the action that broke it.
    """

    def __init__(self, plugin: GamePlugin, played: PlayedGame) -> None:
        self._plugin, self._played = plugin, played
        self._waiting: list[tuple[int, Action, Position]] = []

    def holds(self, number: int, action: Action, position: Position) -> bool:
        """Whether nothing is known to be wrong, with this position too."""
        self._waiting.append((number, action, position))
        return len(self._waiting) < LOOKS or self.look()

    def look(self) -> bool:
        """Whether all that wait are as they should be; a finding tells the first that is not."""
        waiting, self._waiting = self._waiting, []
        if not waiting or not validate.problems(self._plugin, waiting[-1][2]):
            return True
        for number, action, position in waiting:
            breaches = validate.problems(self._plugin, position)
            for breach in breaches:
                text = f"after {action}: {breach.rule}: {breach.text}"
                self._played.findings.append(PlayFinding("invariant", number, text))
            if breaches:
                break
        return False


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
