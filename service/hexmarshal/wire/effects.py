"""Effects as messages: one pair of functions for each kind, in two tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
    fill_deciders,
    fill_frame,
    fill_marker,
    fill_pile,
    fill_unit,
)
from hexmarshal.wire.values import (
    decode_record,
    decode_value,
    fill_record,
    fill_value,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from hexmarshal.rules.state.effects import Effect

__all__ = ["decode_effect", "encode_effect", "fill_effect"]


def encode_effect(effect: Effect) -> pb.Effect:
    """The message of an effect."""
    message = pb.Effect()
    fill_effect(message, effect)
    return message


def fill_effect(message: pb.Effect, effect: Effect) -> None:
    """Put the effect into a message that exists already: building it apart costs a copy."""
    part = getattr(message, effect.effect)
    part.SetInParent()
    _FILLERS[effect.effect](part, effect)


def _fill_move_unit(message: pb.MoveUnit, effect: kernel.MoveUnit) -> None:
    message.unit = effect.unit
    message.cell = effect.cell
    if effect.level:
        message.level = effect.level
    if effect.box:
        message.box = effect.box
    if effect.carrier:
        message.carrier = effect.carrier
    if effect.footprint:
        message.footprint.extend(effect.footprint)
    if effect.facing is not None:
        message.facing = effect.facing
    if effect.place:
        message.place = effect.place


def _fill_change_unit(message: pb.ChangeUnit, effect: kernel.ChangeUnit) -> None:
    message.unit = effect.unit
    if effect.type:
        message.type = effect.type
    if effect.side:
        message.side = effect.side
    if effect.facing is not None:
        message.facing = effect.facing
    if effect.steps is not None:
        message.steps = effect.steps
    if effect.rank is not None:
        message.rank = effect.rank
    if effect.level is not None:
        message.level = effect.level
    if effect.flags:
        message.flags.extend(sorted(effect.flags))
    if effect.unflags:
        message.unflags.extend(sorted(effect.unflags))
    if effect.values:
        fill_record(message.values, effect.values)
    if effect.seen_by is not None:
        _fill_visibility(message.seen_by, effect.seen_by)
    if effect.known_to is not None:
        _fill_visibility(message.known_to, effect.known_to)
    if effect.place is not None:
        message.place = effect.place
    if effect.bonds:
        message.bonds.extend(encode_bonds(effect.bonds))


def _fill_add_unit(message: pb.AddUnit, effect: kernel.AddUnit) -> None:
    message.id = effect.id
    message.unit.SetInParent()
    fill_unit(message.unit, effect.unit)


def _fill_remove_unit(message: pb.RemoveUnit, effect: kernel.RemoveUnit) -> None:
    message.unit = effect.unit


def _fill_add_marker(message: pb.AddMarker, effect: kernel.AddMarker) -> None:
    message.id = effect.id
    message.marker.SetInParent()
    fill_marker(message.marker, effect.marker)


def _fill_remove_marker(message: pb.RemoveMarker, effect: kernel.RemoveMarker) -> None:
    message.marker = effect.marker


def _fill_set_track(message: pb.SetTrack, effect: kernel.SetTrack) -> None:
    message.track = effect.track
    message.value = effect.value


def _fill_set_pile(message: pb.SetPile, effect: kernel.SetPile) -> None:
    message.name = effect.name
    message.pile.SetInParent()
    fill_pile(message.pile, effect.pile)


def _fill_move_cards(message: pb.MoveCards, effect: kernel.MoveCards) -> None:
    message.source = effect.source
    message.target = effect.target
    message.cards.extend(effect.cards)
    message.place = effect.place


def _fill_set_cell(message: pb.SetCell, effect: kernel.SetCell) -> None:
    message.cell = effect.cell
    message.values.SetInParent()
    fill_record(message.values, effect.values)


def _fill_set_extra(message: pb.SetExtra, effect: kernel.SetExtra) -> None:
    message.name = effect.name
    message.value.SetInParent()
    fill_value(message.value, effect.value)


def _fill_set_knowledge(message: pb.SetKnowledge, effect: kernel.SetKnowledge) -> None:
    message.side = effect.side
    message.values.SetInParent()
    fill_record(message.values, effect.values)


def _fill_proceed(message: pb.Proceed, effect: kernel.Proceed) -> None:
    if effect.turn is not None:
        message.turn = effect.turn
    if effect.phase is not None:
        message.phase = effect.phase
    if effect.state is not None:
        message.state = effect.state
    if effect.active is not None:
        message.active.SetInParent()
        message.active.sides.extend(effect.active)


def _fill_push_frame(message: pb.PushFrame, effect: kernel.PushFrame) -> None:
    message.frame.SetInParent()
    fill_frame(message.frame, effect.frame)
    if effect.under:
        message.under = effect.under


def _fill_change_frame(message: pb.ChangeFrame, effect: kernel.ChangeFrame) -> None:
    message.kind = effect.kind
    if effect.about:
        fill_record(message.about, effect.about)
    if effect.agenda is not None:
        message.agenda.SetInParent()
        add = message.agenda.entries.add
        for entry in effect.agenda:
            fill_record(add(), entry)
    if effect.answered:
        message.answered.extend(effect.answered)
    if effect.deciders is not None:
        message.deciders.SetInParent()
        fill_deciders(message.deciders.deciders, effect.deciders)
    if effect.seen_by is not None:
        _fill_visibility(message.seen_by, effect.seen_by)
    if effect.known_to is not None:
        _fill_visibility(message.known_to, effect.known_to)
    if effect.secret:
        fill_record(message.secret, effect.secret)
    if effect.under:
        message.under = effect.under


def _fill_pop_frame(message: pb.PopFrame, effect: kernel.PopFrame) -> None:
    message.kind = effect.kind
    if effect.under:
        message.under = effect.under


def _fill_visibility(message: pb.Visibility, sides: tuple[str, ...]) -> None:
    message.SetInParent()
    message.sides.extend(sides)


# By the name of the effect, which is also that of its field.
_FILLERS: dict[str, Callable[[Any, Any], None]] = {
    "move_unit": _fill_move_unit,
    "change_unit": _fill_change_unit,
    "add_unit": _fill_add_unit,
    "remove_unit": _fill_remove_unit,
    "add_marker": _fill_add_marker,
    "remove_marker": _fill_remove_marker,
    "set_track": _fill_set_track,
    "set_pile": _fill_set_pile,
    "move_cards": _fill_move_cards,
    "set_cell": _fill_set_cell,
    "set_extra": _fill_set_extra,
    "set_knowledge": _fill_set_knowledge,
    "proceed": _fill_proceed,
    "push_frame": _fill_push_frame,
    "change_frame": _fill_change_frame,
    "pop_frame": _fill_pop_frame,
}


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
