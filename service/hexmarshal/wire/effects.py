"""Effects as messages: one pair of functions for each kind, in two tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.rules.state import effects as kernel
from hexmarshal.rules.values import FieldError
from hexmarshal.v1 import effect_pb2 as pb
from hexmarshal.wire.positions import (
    decode_bonds,
    decode_deciders,
    decode_frame,
    decode_marker,
    decode_pile,
    decode_unit,
    encode_bonds,
    encode_deciders,
    encode_frame,
    encode_marker,
    encode_pile,
    encode_unit,
)
from hexmarshal.wire.values import (
    decode_record,
    decode_value,
    encode_record,
    encode_value,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from hexmarshal.rules.state.effects import Effect

__all__ = ["decode_effect", "encode_effect"]


def encode_effect(effect: Effect) -> pb.Effect:
    """The message of an effect."""
    match effect:
        case kernel.MoveUnit():
            return pb.Effect(
                move_unit=pb.MoveUnit(
                    unit=effect.unit,
                    cell=effect.cell,
                    level=effect.level,
                    box=effect.box,
                    carrier=effect.carrier,
                    footprint=effect.footprint,
                    facing=effect.facing,
                    place=effect.place,
                )
            )
        case kernel.ChangeUnit():
            return pb.Effect(
                change_unit=pb.ChangeUnit(
                    unit=effect.unit,
                    type=effect.type,
                    side=effect.side,
                    facing=effect.facing,
                    steps=effect.steps,
                    rank=effect.rank,
                    level=effect.level,
                    flags=sorted(effect.flags),
                    unflags=sorted(effect.unflags),
                    values=encode_record(effect.values) if effect.values else None,
                    seen_by=_visibility(effect.seen_by),
                    known_to=_visibility(effect.known_to),
                    place=effect.place,
                    bonds=encode_bonds(effect.bonds),
                )
            )
        case kernel.AddUnit():
            return pb.Effect(add_unit=pb.AddUnit(id=effect.id, unit=encode_unit(effect.unit)))
        case kernel.RemoveUnit():
            return pb.Effect(remove_unit=pb.RemoveUnit(unit=effect.unit))
        case kernel.AddMarker():
            marker = encode_marker(effect.marker)
            return pb.Effect(add_marker=pb.AddMarker(id=effect.id, marker=marker))
        case kernel.RemoveMarker():
            return pb.Effect(remove_marker=pb.RemoveMarker(marker=effect.marker))
        case kernel.SetTrack():
            return pb.Effect(set_track=pb.SetTrack(track=effect.track, value=effect.value))
        case kernel.SetPile():
            return pb.Effect(set_pile=pb.SetPile(name=effect.name, pile=encode_pile(effect.pile)))
        case kernel.MoveCards():
            return pb.Effect(
                move_cards=pb.MoveCards(
                    source=effect.source,
                    target=effect.target,
                    cards=effect.cards,
                    place=effect.place,
                )
            )
        case kernel.SetCell():
            values = encode_record(effect.values)
            return pb.Effect(set_cell=pb.SetCell(cell=effect.cell, values=values))
        case kernel.SetExtra():
            value = encode_value(effect.value)
            return pb.Effect(set_extra=pb.SetExtra(name=effect.name, value=value))
        case kernel.SetKnowledge():
            values = encode_record(effect.values)
            return pb.Effect(set_knowledge=pb.SetKnowledge(side=effect.side, values=values))
        case kernel.Proceed():
            return pb.Effect(
                proceed=pb.Proceed(
                    turn=effect.turn,
                    phase=effect.phase,
                    state=effect.state,
                    active=None if effect.active is None else pb.ActiveSides(sides=effect.active),
                )
            )
        case kernel.PushFrame():
            frame = encode_frame(effect.frame)
            return pb.Effect(push_frame=pb.PushFrame(frame=frame, under=effect.under))
        case kernel.ChangeFrame():
            return pb.Effect(change_frame=_changed_frame(effect))
        case kernel.PopFrame():
            return pb.Effect(pop_frame=pb.PopFrame(kind=effect.kind, under=effect.under))


def _changed_frame(effect: kernel.ChangeFrame) -> pb.ChangeFrame:
    agenda, deciders = effect.agenda, effect.deciders
    return pb.ChangeFrame(
        kind=effect.kind,
        about=encode_record(effect.about) if effect.about else None,
        agenda=None if agenda is None else pb.Agenda(entries=map(encode_record, agenda)),
        answered=effect.answered,
        deciders=None if deciders is None else pb.Deciders(deciders=encode_deciders(deciders)),
        seen_by=_visibility(effect.seen_by),
        known_to=_visibility(effect.known_to),
        secret=encode_record(effect.secret) if effect.secret else None,
        under=effect.under,
    )


def _visibility(sides: tuple[str, ...] | None) -> pb.Visibility | None:
    return None if sides is None else pb.Visibility(sides=sides)


def _move_unit(effect: pb.Effect) -> Effect:
    m = effect.move_unit
    return kernel.MoveUnit(
        m.unit,
        m.cell,
        m.level,
        m.box,
        m.carrier,
        tuple(m.footprint),
        m.facing if m.HasField("facing") else None,
        m.place,
    )


def _change_unit(effect: pb.Effect) -> Effect:
    m = effect.change_unit
    return kernel.ChangeUnit(
        m.unit,
        m.type,
        m.side,
        m.facing if m.HasField("facing") else None,
        m.steps if m.HasField("steps") else None,
        m.rank if m.HasField("rank") else None,
        m.level if m.HasField("level") else None,
        frozenset(m.flags),
        frozenset(m.unflags),
        decode_record(m.values),
        tuple(m.seen_by.sides) if m.HasField("seen_by") else None,
        tuple(m.known_to.sides) if m.HasField("known_to") else None,
        m.place if m.HasField("place") else None,
        decode_bonds(m.bonds),
    )


def _proceed(effect: pb.Effect) -> Effect:
    m = effect.proceed
    return kernel.Proceed(
        m.turn if m.HasField("turn") else None,
        m.phase if m.HasField("phase") else None,
        m.state if m.HasField("state") else None,
        tuple(m.active.sides) if m.HasField("active") else None,
    )


def _change_frame(effect: pb.Effect) -> Effect:
    m = effect.change_frame
    has = m.HasField
    return kernel.ChangeFrame(
        m.kind,
        decode_record(m.about),
        tuple(decode_record(e) for e in m.agenda.entries) if has("agenda") else None,
        tuple(m.answered),
        decode_deciders(m.deciders.deciders) if has("deciders") else None,
        decode_record(m.secret),
        tuple(m.seen_by.sides) if has("seen_by") else None,
        tuple(m.known_to.sides) if has("known_to") else None,
        _under(m.under),
    )


def _under(count: int) -> int:
    if count < 0:
        raise FieldError("must not be negative", "under")
    return count


def _push_frame(effect: pb.Effect) -> Effect:
    m = effect.push_frame
    return kernel.PushFrame(decode_frame(m.frame), _under(m.under))


def _move_cards(effect: pb.Effect) -> Effect:
    m = effect.move_cards
    return kernel.MoveCards(m.source, m.target, tuple(m.cards), m.place)


_DECODERS: dict[str, Callable[[pb.Effect], Effect]] = {
    "move_unit": _move_unit,
    "change_unit": _change_unit,
    "add_unit": lambda e: kernel.AddUnit(e.add_unit.id, decode_unit(e.add_unit.unit)),
    "remove_unit": lambda e: kernel.RemoveUnit(e.remove_unit.unit),
    "add_marker": lambda e: kernel.AddMarker(e.add_marker.id, decode_marker(e.add_marker.marker)),
    "remove_marker": lambda e: kernel.RemoveMarker(e.remove_marker.marker),
    "set_track": lambda e: kernel.SetTrack(e.set_track.track, e.set_track.value),
    "set_pile": lambda e: kernel.SetPile(e.set_pile.name, decode_pile(e.set_pile.pile)),
    "move_cards": _move_cards,
    "set_cell": lambda e: kernel.SetCell(e.set_cell.cell, decode_record(e.set_cell.values)),
    "set_extra": lambda e: kernel.SetExtra(e.set_extra.name, decode_value(e.set_extra.value)),
    "set_knowledge": lambda e: kernel.SetKnowledge(
        e.set_knowledge.side, decode_record(e.set_knowledge.values)
    ),
    "proceed": _proceed,
    "push_frame": _push_frame,
    "change_frame": _change_frame,
    "pop_frame": lambda e: kernel.PopFrame(e.pop_frame.kind, _under(e.pop_frame.under)),
}


def decode_effect(message: pb.Effect) -> Effect:
    """The effect of a message."""
    kind = message.WhichOneof("effect")
    if kind is None:
        raise FieldError("no effect is given", "effect")
    return _DECODERS[kind](message)
