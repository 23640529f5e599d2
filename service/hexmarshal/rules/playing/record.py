"""The record of a game: how it began and every action with its dice, so that it can be replayed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.errors import Place, RulesError
from hexmarshal.rules import engine
from hexmarshal.rules.codec import (
    BOOL,
    INT,
    OPTIONAL_INT,
    RECORD,
    TEXT,
    Shape,
    listed,
    optional,
)
from hexmarshal.rules.copying import quick
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.values import EMPTY, FieldError, Record, thaw

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.rules.action import Action
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.verdict import Applied

__all__ = ["Event", "GameRecord", "Opening", "event_of", "read_games", "replay"]

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Opening:
    """How a game began; `digest` is that of its first position."""

    game: str
    version: str
    scenario: str
    options: Record = EMPTY
    seed: str | None = None
    digest: str = ""
    format: int = FORMAT


@quick
@dataclass(frozen=True, slots=True)
class Event:
    """One action done, the dice and picks that it used, and the digest of the position after it.

    `given` says that the dice were given from outside; else the game's generator rolled them, and a
    replay must roll the same.
    """

    action: Record
    dice: tuple[int, ...] = ()
    picks: tuple[int, ...] = ()
    given: bool = False
    digest: str = ""


OPENING: Shape[Opening] = Shape(
    Opening,
    {
        "game": TEXT,
        "version": TEXT,
        "scenario": TEXT,
        "options": RECORD,
        "seed": optional(TEXT),
        "digest": TEXT,
        "format": OPTIONAL_INT,
    },
)
EVENT: Shape[Event] = Shape(
    Event,
    {
        "action": RECORD,
        "dice": listed(INT),
        "picks": listed(INT),
        "given": BOOL,
        "digest": TEXT,
    },
)


def event_of(
    action: Action, applied: Applied, *, given: bool = False, digest: bool = True
) -> Event:
    """The event that this action was; without `digest`, nothing to hold the position against."""
    rolls = applied.rolls
    return Event(
        action=action.params.merged({"kind": action.kind, "side": action.side}),
        dice=tuple([roll.value for roll in rolls if not roll.pick]) if rolls else (),
        picks=tuple([roll.value for roll in rolls if roll.pick]) if rolls else (),
        given=given,
        digest=applied.position.digest if digest else "",
    )


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A whole game."""

    opening: Opening
    events: tuple[Event, ...] = ()

    def to_lines(self) -> Iterator[str]:
        """As JSON lines: the opening, then one event a line."""
        opening = {"format": FORMAT, **OPENING.encode(self.opening)}
        yield json.dumps(opening, ensure_ascii=False, separators=(",", ":"))
        for event in self.events:
            yield json.dumps(EVENT.encode(event), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_lines(cls, lines: Iterable[str], file: str = "") -> GameRecord:
        """One game from JSON lines; errors name the line and the field."""
        games = read_games(lines, file)
        if len(games) != 1:
            text = f"{len(games)} games where one should be"
            raise RulesError(text, place=Place(file=file or None))
        return games[0]


def read_games(lines: Iterable[str], file: str = "") -> list[GameRecord]:
    """Any number of games, one after the other: an opening, which has a format, begins each."""
    games: list[tuple[Opening, list[Event]]] = []
    for number, line in enumerate(lines, start=1):
        place = Place(file=file or None, line=number)
        if not line.strip():
            continue
        try:
            document = json.loads(line)
            if isinstance(document, dict) and "format" in document:
                opening = OPENING.decode(document)
                if opening.format != FORMAT:
                    raise FieldError(f"format {opening.format} is not known", "format")
                games.append((opening, []))
            elif not games:
                raise FieldError("a game begins with an opening, which has a format")
            else:
                games[-1][1].append(EVENT.decode(document))
        except FieldError as error:
            raise error.as_error("the game record").at(place) from None
        except (ValueError, RecursionError) as error:
            raise RulesError(f"not JSON: {error}", place=place) from None
    return [GameRecord(opening, tuple(events)) for opening, events in games]


def replay(plugin: GamePlugin, record: GameRecord) -> Iterator[Position]:
    """Every position of the game, the first included; a difference from the record is an error."""
    opening = record.opening
    options = {name: thaw(value) for name, value in opening.options.items()}
    position = engine.start(plugin, opening.scenario, options, opening.seed)
    _same(opening.digest, position, 0)
    yield position
    for number, event in enumerate(record.events, start=1):
        given = event.given or position.generator is None
        dice = Dice(
            position.generator,
            given=event.dice if given else None,
            picks=event.picks if given and event.picks else None,
        )
        action = plugin.game.actions.decode(thaw(event.action))
        applied = engine.perform(plugin, position, action, dice)
        again = event_of(action, applied, given=event.given, digest=False)
        if (again.dice, again.picks) != (event.dice, event.picks):
            raise RulesError(
                f"action {number} rolled {again.dice} {again.picks}, "
                f"the record has {event.dice} {event.picks}",
                place=Place(entry=str(number)),
            )
        position = applied.position
        _same(event.digest, position, number)
        yield position


def _same(digest: str, position: Position, number: int) -> None:
    if digest and digest != position.digest:
        raise RulesError(
            f"after action {number} the position is not the one that was recorded",
            place=Place(entry=str(number)),
            hint="the rules or the data of the game have changed since, or depend on chance",
        )
