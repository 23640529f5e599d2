"""A game being played on this machine: what is legal, what comes of it, and how it got there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hexmarshal.errors import Place, RulesError
from hexmarshal.rules import engine
from hexmarshal.rules.action import Action
from hexmarshal.rules.choosing.choices import Begun
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.notation import read_action, write_action
from hexmarshal.rules.playing.record import GameRecord, Opening, event_of, replay
from hexmarshal.rules.plugin import GamePlugin
from hexmarshal.rules.plugins.registry import default

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.rules.choosing.choices import Choices
    from hexmarshal.rules.playing.record import Event
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.verdict import Answer, Applied, Outcome, Verdict

__all__ = ["LegalActions", "Playthrough", "play"]

SHOWN = 3


def play(
    game: str | GamePlugin, scenario: str = "", *, seed: str | int | None = None, **options: object
) -> Playthrough:
    """Begin a scenario of a game, its first one if none is named; options are its switches."""
    plugin = default().get(game) if isinstance(game, str) else _plugin(game)
    position = engine.start(plugin, scenario, options, seed)
    opening = Opening(
        game=position.game,
        version=position.version,
        scenario=position.scenario,
        options=position.options,
        seed=None if seed is None else str(seed),
        digest=position.digest,
    )
    return Playthrough(plugin, opening, position)


def _plugin(game: object) -> GamePlugin:
    if not isinstance(game, GamePlugin):
        text = f"a game is a plugin, or the key of one, not {game!r}"
        raise RulesError(text, place=Place(field="game"))
    return game


class Playthrough:
    """One game from its start to here: ask what is legal, do it, take it back, keep the record."""

    def __init__(self, plugin: GamePlugin, opening: Opening, position: Position) -> None:
        self.plugin = plugin
        self.opening = opening
        self._positions = [position]
        self._events: list[Event] = []

    @property
    def position(self) -> Position:
        """Where everything is now."""
        return self._positions[-1]

    @property
    def side(self) -> str:
        """The side that may act, the first if both may; empty when the game is over."""
        return "" if self.outcome else next(iter(self.position.active), "")

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return engine.outcome(self.plugin, self.position)

    @property
    def legal(self) -> LegalActions:
        """The legal actions of the side that may act: `action in game.legal`, or one by one."""
        return LegalActions(self, self.side)

    def legal_for(self, side: str) -> LegalActions:
        """Those of one side, where both may act."""
        return LegalActions(self, side)

    def action(self, line: str | Action) -> Action:
        """An action from its line, such as `move unit=pz-14 path=1419,1420`, with or without side.

        A line that cannot be read raises a RulesError, one that could mean several actions an
        AmbiguousActionError.
        """
        if isinstance(line, Action):
            # One that somebody made by hand may hold lists, or what the game does not declare.
            return self.plugin.game.actions.decode(line.to_json())
        if not isinstance(line, str):
            raise RulesError(
                f"an action or its line is wanted, not {line!r}",
                place=Place(field="action"),
                hint="'side: kind name=value', or one of those in `legal`",
            )
        return read_action(self.plugin.game.actions, line, self.side)

    def line(self, action: Action) -> str:
        """The action as one line."""
        return write_action(self.plugin.game.actions, action)

    def check(self, action: str | Action) -> Verdict:
        """Whether an action is legal, every rule that it breaks, and what it costs."""
        return engine.check(self.plugin, self.position, self.action(action))

    def choose(self, side: str = "", slot: str = "", **chosen: object) -> Choices:
        """What may be chosen next for an action that one has begun: `choose(kind="move")`."""
        begun = Begun.decode(self.plugin.game.actions, chosen, slot)
        return engine.next_choices(self.plugin, self.position, side or self.side, begun)

    def do(self, action: str | Action, dice: Sequence[int] | None = None) -> Applied:
        """Carry an action out, with dice from the table or by the game's seed.

        An illegal one raises an IllegalActionError, whose verdict says why; nothing changes then.
        """
        wanted = self.action(action)
        tray = None if dice is None else Dice(self.position.generator, given=_listed(dice))
        applied = engine.perform(self.plugin, self.position, wanted, tray)
        self._events.append(event_of(wanted, applied, given=dice is not None))
        self._positions.append(applied.position)
        return applied

    def undo(self) -> None:
        """Take the last action back; at the start there is nothing to take back."""
        if self._events:
            self._events.pop()
            self._positions.pop()

    def view(self, side: str) -> Position:
        """What one side knows."""
        return engine.view(self.plugin, self.position, side)

    def ask(self, query: str, side: str = "", **params: object) -> Answer:
        """The answer to one of the game's questions: reach, odds, sight, supply, ..."""
        name, asked = self.plugin.game.queries.decode({"name": query, **params})
        return engine.ask(self.plugin, self.position, name, asked, side)

    @property
    def record(self) -> GameRecord:
        """Everything that was done, so that the game can be replayed."""
        return GameRecord(self.opening, tuple(self._events))

    def save(self, path: str | Path) -> None:
        """Write the record as JSON lines."""
        from hexmarshal.vassal.container.atomic import write_atomically

        lines = (f"{line}\n".encode() for line in self.record.to_lines())
        write_atomically(Path(path), lines, force=True)

    @classmethod
    def load(cls, path: str | Path) -> Playthrough:
        """Replay a record; what no longer comes out as it was recorded is an error."""
        from hexmarshal.scenario.source import read_file, read_text

        text = read_text(read_file(Path(path)), str(path))
        record = GameRecord.from_lines(text.splitlines(), str(path))
        plugin = default().get(record.opening.game)
        first, *rest = replay(plugin, record)
        again = cls(plugin, record.opening, first)
        again._positions += rest
        again._events += record.events
        return again

    def __repr__(self) -> str:
        return f"<Playthrough of {self.position!r} after {len(self._events)} actions>"

    def _repr_svg_(self) -> str:
        from hexmarshal.rules.showing.map_picture import map_picture

        return map_picture(self.plugin, self.position).svg()


def _listed(dice: object) -> Sequence[int]:
    if isinstance(dice, str) or not isinstance(dice, Sequence):
        text = f"dice are a list of numbers such as [4, 6], not {dice!r}"
        raise RulesError(text, place=Place(field="dice"))
    return dice


class LegalActions:
    """The legal actions of one side, worked out as far as one asks."""

    def __init__(self, game: Playthrough, side: str) -> None:
        self._game = game
        self._side = side

    def __contains__(self, action: object) -> bool:
        game = self._game
        if not isinstance(action, str | Action) or not self._side:
            return False
        wanted = game.action(action)
        return wanted.side == self._side and game.check(wanted).legal

    def __iter__(self) -> Iterator[Action]:
        game = self._game
        if self._side:
            offers = engine.offers(game.plugin, game.position, self._side)
            yield from (offer.action for offer in offers)

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    def count(self) -> int:
        """How many there are in the list of actions; in a large game this takes a while."""
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        shown = [self._game.line(action) for action, _ in zip(self, range(SHOWN + 1), strict=False)]
        more = ["..."] if len(shown) > SHOWN else []
        return f"<LegalActions {'; '.join([*shown[:SHOWN], *more]) or 'none'}>"
