"""The record of a match as JSON lines."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from google.protobuf.json_format import MessageToDict

from hexmarshal.rules import engine
from hexmarshal.rules.playing import audit
from hexmarshal.rules.playing.record import Event, GameRecord, Opening
from hexmarshal.rules.state.effects import apply_effects
from hexmarshal.rules.values import FrozenMap, record
from hexmarshal.service.calls import statuses
from hexmarshal.v1 import match_service_pb2 as pb
from hexmarshal.v1 import match_terms_pb2 as terms_pb
from hexmarshal.wire.effects import decode_effect
from hexmarshal.wire.positions import encode_position
from hexmarshal.wire.verdicts import decode_action, decode_roll

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from google.protobuf.message import Message

    from hexmarshal.service.matches.match import HeldMatch

__all__ = ["export_lines", "game_record"]


def export_lines(
    held: HeldMatch, side: str, format: int, refused: Sequence[bytes]
) -> Iterator[str]:
    """The record, line by line, as the side may know it; whole for no side, with what was refused.

    The opening of a whole record has the seed of the dice only when that may be known.
    """
    if format in {pb.EXPORT_FORMAT_GAME_RECORD, pb.EXPORT_FORMAT_AUDIT}:
        if side:
            raise statuses.denied(
                "the whole record tells secrets: a director may have it, others when the match "
                "has ended and tells all (whole)",
                reason="ROLE",
            )
        if not held.dice_told:
            text = "the record holds the seed of the dice, which is told when the match has ended"
            raise statuses.precondition("DICE_NOT_TOLD", text)
        if format == pb.EXPORT_FORMAT_AUDIT:
            yield from audit.sealed(audit_lines(held, refused))
        else:
            yield from game_record(held).to_lines()
        return
    row, opening = held.row, held.opening
    if side:
        start = engine.seen(held.plugin, opening, side)
    else:
        start = opening if held.dice_told else held.without_dice(opening)
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
    for data in refused:
        yield _line("refused", terms_pb.ActionRefused.FromString(data))


def _line(kind: str, message: Message) -> str:
    document = MessageToDict(message, preserving_proto_field_name=True)
    return _json({kind: document})


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


def audit_lines(held: HeldMatch, refused: Sequence[bytes]) -> Iterator[str]:
    """What `hexmarshal audit` checks: the terms and the seed, all events, and what was refused."""
    row, terms = held.row, held.table.terms
    yield _json(
        {
            "audit": audit.FORMAT,
            "match": row.id,
            "title": row.title,
            "game": row.game,
            "version": held.opening.version,
            "scenario": row.scenario,
            "options": json.loads(row.options),
            "seats": dict(row.seats),
            "practice": terms.practice,
            "commitment": terms.commitment,
            "seed": row.seed,
            "digest": held.opening.digest,
        }
    )
    for happening in held.since(0):
        yield _json({**_audited(happening.event), "digest": happening.after.digest})
    for data in refused:
        found = terms_pb.ActionRefused.FromString(data)
        yield _json(
            {
                "refused": found.version,
                "time": found.time.ToJsonString(),
                "player": found.player,
                "action": decode_action(found.action).to_json(),
                "rules": list(found.rules),
            }
        )


def _audited(event: pb.Event) -> dict[str, object]:
    """An event as far as it can be checked again."""
    what = event.WhichOneof("what") or ""
    head: dict[str, object] = {
        "event": event.version,
        "time": event.time.ToJsonString(),
        "player": event.player,
        "side": event.side,
    }
    if what == "action_done":
        rolls = [decode_roll(roll) for roll in event.action_done.rolls]
        return {
            **head,
            "action": decode_action(event.action_done.action).to_json(),
            "dice": [roll.value for roll in rolls if not roll.pick],
            "picks": [roll.value for roll in rolls if roll.pick],
        }
    if what == "action_undone":
        undone = event.action_undone
        return {**head, "undone": undone.undone_version, "agreed": undone.agreed}
    if what == "ended":
        how = terms_pb.Ending.Name(event.ended.ending).removeprefix("ENDING_").lower()
        return {**head, "table": what, "how": how}
    return {**head, "table": what}


def _json(document: dict[str, object]) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))
