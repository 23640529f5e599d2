"""The record of a match as JSON lines."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from google.protobuf.json_format import MessageToDict

from hexmarshal.rules import engine
from hexmarshal.rules.playing.record import Event, GameRecord, Opening
from hexmarshal.rules.state.effects import apply_effects
from hexmarshal.rules.values import FrozenMap, record
from hexmarshal.service.calls import statuses
from hexmarshal.v1 import match_service_pb2 as pb
from hexmarshal.wire.effects import decode_effect
from hexmarshal.wire.positions import encode_position
from hexmarshal.wire.verdicts import decode_action, decode_roll

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from hexmarshal.service.matches.match import HeldMatch

__all__ = ["export_lines", "game_record"]


def export_lines(held: HeldMatch, side: str, format: int) -> Iterator[str]:
    """The record, line by line, as the side may know it; whole for no side."""
    if format == pb.EXPORT_FORMAT_GAME_RECORD:
        if side:
            raise statuses.denied(
                "the whole record tells secrets: only a director may have it", reason="ROLE"
            )
        yield from game_record(held).to_lines()
        return
    row, opening = held.row, held.opening
    start = engine.view(held.plugin, opening, side) if side else opening
    first = pb.Match(
        id=row.id,
        game=row.game,
        scenario=row.scenario,
        title=row.title,
        seats=[pb.Seat(side=name, player=player) for name, player in row.seats],
        position=encode_position(start),
    )
    yield _line("match", first)
    for happening in held.told(0, side):
        yield _line("event", held.seen(happening, side))


def _line(kind: str, message: Message) -> str:
    document = MessageToDict(message, preserving_proto_field_name=True)
    return json.dumps({kind: document}, ensure_ascii=False, separators=(",", ":"))


def game_record(held: HeldMatch) -> GameRecord:
    """What the kernel replays: the actions that still stand, with their dice."""
    row = held.row
    opening = Opening(
        game=row.game,
        version=held.opening.version,
        scenario=row.scenario,
        options=record(json.loads(row.options)),
        seed=row.seed,
        digest=held.opening.digest,
    )
    events = []
    standing = set(held.standing)
    position = held.opening
    for happening in held.since(0):
        if happening.event.version not in standing or happening.event.HasField("action_begun"):
            continue
        done = happening.event.action_done
        # Where an action below this one was taken back, it led to another position then.
        position = (
            happening.after
            if happening.before == position
            else apply_effects(position, map(decode_effect, happening.event.effects))
        )
        rolls = [decode_roll(roll) for roll in done.rolls]
        action = decode_action(done.action)
        events.append(
            Event(
                action=FrozenMap({"kind": action.kind, "side": action.side, **action.params}),
                dice=tuple(roll.value for roll in rolls if not roll.pick),
                picks=tuple(roll.value for roll in rolls if roll.pick),
                given=row.seed is None,
                digest=position.digest,
            )
        )
    return GameRecord(opening, tuple(events))
