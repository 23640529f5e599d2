"""One match in memory: its events, the positions that they lead to, and what each seat sees."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hexmarshal.rules import engine
from hexmarshal.rules.dice import Generator
from hexmarshal.rules.plugin import GamePlugin
from hexmarshal.rules.state.disclosure import changes, public, shown
from hexmarshal.rules.state.effects import apply_effects
from hexmarshal.rules.state.view import NOBODY
from hexmarshal.service.lobby.table_state import TABLE_EVENTS, TableState
from hexmarshal.service.matches.seat_versions import SeatVersions, is_told
from hexmarshal.service.matches.told_events import ToldEvents
from hexmarshal.v1 import match_service_pb2 as pb
from hexmarshal.v1 import position_pb2
from hexmarshal.wire.effects import decode_effect, encode_effect
from hexmarshal.wire.positions import decode_position
from hexmarshal.wire.verdicts import (
    decode_action,
    decode_resolution,
    decode_roll,
    encode_action,
    encode_resolution,
    encode_roll,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.rules.action import Action
    from hexmarshal.rules.dice import Roll
    from hexmarshal.rules.state.effects import Effect
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.verdict import Outcome, Resolution
    from hexmarshal.service.store import EventRow, MatchRow

__all__ = ["Done", "Happening", "HeldMatch", "stored_key"]

# Positions kept at hand; older ones are worked out from the start when somebody asks.
RECENT = 64


@dataclass(frozen=True, slots=True)
class Done:
    """What an event says about an action, as values of the kernel."""

    action: Action
    effects: tuple[Effect, ...]
    resolutions: tuple[Resolution, ...]
    rolls: tuple[Roll, ...]

    @classmethod
    def of(cls, event: pb.Event) -> Done:
        """Read out of the event."""
        done = event.action_done
        return cls(
            decode_action(done.action),
            tuple(decode_effect(effect) for effect in event.effects),
            tuple(decode_resolution(resolution) for resolution in done.resolutions),
            tuple(decode_roll(roll) for roll in done.rolls),
        )


@dataclass(frozen=True, slots=True)
class Happening:
    """An event with the whole position before and after it; `done` if it is at hand already."""

    event: pb.Event
    before: Position
    after: Position
    done: Done | None = None
    row: EventRow | None = None


class HeldMatch:
    """A match, brought up to date by `take`."""

    def __init__(self, row: MatchRow, plugin: GamePlugin, events: Iterable[EventRow] = ()) -> None:
        self.row = row
        self.plugin = plugin
        self.lock = asyncio.Lock()
        # Whether the game keeps no secrets of its own kind.
        self._plain = type(plugin).view is GamePlugin.view
        self.opening = decode_position(position_pb2.Position.FromString(row.opening))
        self.position = self.opening
        self.version = 0
        self.sides = tuple(side for side, _ in row.seats)
        self.versions = SeatVersions(self.sides)
        self._told_to: dict[str, ToldEvents] = {}
        self._rows: list[EventRow] = []
        self._recent: dict[int, Position] = {0: self.opening}
        self._keys: dict[tuple[str, str], int] = {}
        # Versions of the actions that still count; the last one is what can be taken back.
        self.standing: list[int] = []
        # The action of which dice are known while more are needed, and its version.
        self.begun: tuple[int, pb.Event] | None = None
        self.table = TableState(row, lambda: self._acting(self.opening))
        self.bytes = row.bytes
        self.take(events)

    def _acting(self, position: Position) -> tuple[str, ...]:
        """Who may act, as far as all can see."""
        return engine.seen(self.plugin, position, NOBODY).active

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended, by the rules or otherwise; None while it goes on."""
        return self.table.ended

    @property
    def weight(self) -> int:
        """What it takes in memory, about: positions are far larger there than as messages."""
        return 20 * len(self.row.opening) + 3 * self.bytes

    def outcome_at(self, happening: Happening) -> Outcome | None:
        """How the match ended with an event; None if it did not."""
        if happening.event.HasField("ended"):
            return self.outcome
        return engine.outcome(self.plugin, happening.after)

    @property
    def dice_told(self) -> bool:
        """Whether the dice to come may be known: there are none, or somebody chose them."""
        return self.table.terms.practice or self.row.seed is None or self.outcome is not None

    @property
    def whole(self) -> Position:
        """The whole position, without the dice to come as long as nobody may know them."""
        return self.position if self.dice_told else self.without_dice(self.position)

    @staticmethod
    def without_dice(position: Position) -> Position:
        """The position without what its dice are drawn from."""
        return position.remember("without dice", lambda: replace(position, generator=None))

    def take(self, rows: Iterable[EventRow]) -> None:
        """Add events that were read from the store."""
        for row in rows:
            if row.version == self.version + 1:
                self.add(row, *self.read(row))

    def read(self, row: EventRow) -> tuple[pb.Event, Position]:
        """The event that comes next, and the position that it leads to."""
        event = pb.Event.FromString(row.data)
        return event, self._after(event, row, self._recent)

    def add(self, row: EventRow, event: pb.Event, after: Position) -> None:
        """Add an event whose position is known already."""
        self._rows.append(row)
        self.version = row.version
        self.versions.add(row)
        self.position = self._recent[row.version] = after
        self._recent.pop(row.version - RECENT, None)
        if row.key is not None:
            self._keys[event.side, row.key.removeprefix(stored_key(event.side, ""))] = row.version
        ended = engine.outcome(self.plugin, after)
        self.table.add(event, lambda: self._acting(after), ended, silent=bool(row.untold))
        self.bytes += row.size
        if self.table.seats != self.row.seats:
            self.row = replace(self.row, seats=self.table.seats)
        if event.WhichOneof("what") in TABLE_EVENTS:
            return
        if self.begun is not None:
            # Done, or taken back: what was begun is no more.
            self.standing.remove(self.begun[0])
        self.begun = None
        if event.HasField("action_undone"):
            if event.action_undone.undone_version in self.standing:
                self.standing.remove(event.action_undone.undone_version)
            return
        self.standing.append(row.version)
        if event.HasField("action_begun"):
            self.begun = (row.version, event)

    def _after(self, event: pb.Event, row: EventRow, known: dict[int, Position]) -> Position:
        if row.position is not None:
            return decode_position(position_pb2.Position.FromString(row.position))
        if event.HasField("action_undone"):
            target = event.action_undone.undone_version - 1
            found = known.get(target)
            return self.at(target) if found is None else found
        before = known[row.version - 1]
        after = apply_effects(before, [decode_effect(effect) for effect in event.effects])
        return self.drawn(after, row.drawn)

    @staticmethod
    def drawn(position: Position, count: int) -> Position:
        """The position with its generator that far."""
        if position.generator is None or position.generator.count == count:
            return position
        return replace(position, generator=Generator(position.generator.seed, count))

    def at(self, version: int) -> Position:
        """The whole position at a version."""
        found = self._recent.get(version)
        return found if found is not None else self._all(version)[version]

    def _all(self, version: int) -> dict[int, Position]:
        """Every position up to a version."""
        known = {0: self.opening}
        for row in self._rows[:version]:
            known[row.version] = self._after(pb.Event.FromString(row.data), row, known)
        return known

    def event(self, version: int) -> Happening:
        """One event, with its positions: long ago, that means to play all again up to there."""
        row, known = self._rows[version - 1], dict(self._recent)
        if version - 1 not in known or version not in known:
            known = self._all(version)
        return Happening(self.recorded(version), known[version - 1], known[version], row=row)

    def recorded(self, version: int) -> pb.Event:
        """What was written down of one event."""
        return pb.Event.FromString(self._rows[version - 1].data)

    def since(self, version: int) -> Iterator[Happening]:
        """The events after a version, in order, up to what is the newest now.

        More may come while they are looked at, in a thread.
        """
        rows, known = self._rows[version:], dict(self._recent)
        if version not in known or (rows and rows[-1].version not in known):
            known = self._all(version + len(rows))
        for row in rows:
            before, after = known[row.version - 1], known[row.version]
            yield Happening(pb.Event.FromString(row.data), before, after, row=row)

    def told(self, version: int, side: str) -> Iterator[Happening]:
        """Those of them that a side is told of; all for no side."""
        return (
            found
            for found in self.since(version)
            if not side or found.row is None or is_told(found.row, side)
        )

    def told_to(self, side: str) -> ToldEvents:
        """What is sent to who watches from the seat of a side."""
        found = self._told_to.get(side)
        if found is None:
            found = self._told_to[side] = ToldEvents(self, side)
        return found

    def standing_for(self, side: str, until: int = 0) -> int | None:
        """The newest action that still counts and bears on what the side may do next.

        With `until`, the newest up to that event.
        """
        for version in reversed(self.standing):
            row = self._rows[version - 1]
            late = until and version > until
            if side not in row.untold and side not in row.aside and not late:
                return version
        return None

    def begun_for(self, *sides: str) -> bool:
        """Whether any action that still counts was told to one of these."""
        rows = [self._rows[version - 1] for version in self.standing]
        return any(is_told(row, side) for row in rows for side in sides)

    def upon(self, version: int) -> list[int]:
        """The actions that still count and were done after this one."""
        return [later for later in self.standing if later > version]

    def version_of(self, side: str, key: str) -> int | None:
        """The event that this side submitted under this idempotency key."""
        return self._keys.get((side, key)) if key else None

    def seen(self, happening: Happening, side: str) -> pb.Event:
        """An event as a side sees it, counted as its seat counts; whole for no side."""
        event = self._seen(happening, side)
        if side and (number := self.versions.number(side, event.version)) != event.version:
            if event is happening.event:
                event = pb.Event()
                event.CopyFrom(happening.event)
            event.version = number
        return event

    def _seen(self, happening: Happening, side: str) -> pb.Event:
        whole = happening.event
        if not side or whole.WhichOneof("what") in TABLE_EVENTS:
            return whole
        if whole.HasField("action_begun"):
            return whole if whole.side == side else _of_kind(whole)
        taken_back = whole.HasField("action_undone")
        done = None if taken_back else happening.done or Done.of(whole)
        sealed = done is not None and self._sealed(done.action.kind)
        plain = done is not None and self._plain and not sealed
        if done and plain and public(done.effects, done.resolutions, happening.before):
            return whole
        before = engine.seen(self.plugin, happening.before, side)
        after = engine.seen(self.plugin, happening.after, side)
        event = pb.Event(
            version=whole.version, time=whole.time, player=whole.player, side=whole.side
        )
        if done is None:
            undone = self.versions.number(side, whole.action_undone.undone_version)
            event.action_undone.undone_version = undone
            event.action_undone.agreed = whole.action_undone.agreed
            event.effects.extend(encode_effect(effect) for effect in changes(before, after))
            return event
        if sealed and done.action.side != side:
            event.action_sealed.SetInParent()
            event.effects.extend(encode_effect(effect) for effect in changes(before, after))
            return event
        told = shown(done.action, done.effects, done.resolutions, done.rolls, before, after)
        if told.whole and not told.resolutions:
            return whole
        event.effects.extend(encode_effect(effect) for effect in told.effects)
        event.action_done.CopyFrom(
            pb.ActionDone(
                action=encode_action(told.action),
                resolutions=[encode_resolution(r) for r in told.resolutions],
                rolls=[encode_roll(roll) for roll in told.rolls],
                redacted=told.redacted,
            )
        )
        return event

    def _sealed(self, kind: str) -> bool:
        declared = self.plugin.game.actions.get(kind)
        return declared is not None and declared.sealed is not None


def stored_key(side: str, key: str) -> str:
    """An idempotency key as the store keeps it: one side's keys tell another nothing."""
    return f"{side}\x1f{key}"


def _of_kind(whole: pb.Event) -> pb.Event:
    """An action begun, as the other seats see it: its kind, the dice, and what is asked for."""
    event = pb.Event()
    event.CopyFrom(whole)
    event.action_begun.action.ClearField("params")
    return event
