"""Positions and what stands in them as messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hexmarshal.rules.dice import Generator
from hexmarshal.rules.frames.frame import Decider, Frame, Resume, followed
from hexmarshal.rules.state.pieces import NO_BONDS, NO_FLAGS, Marker, Pile, Unit
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import EMPTY, FieldError, FrozenMap
from hexmarshal.v1 import position_pb2 as pb
from hexmarshal.wire.values import decode_record, encode_record, fill_record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import TypeVar

    from hexmarshal.rules.state.pieces import Bonds

    T = TypeVar("T")
    M = TypeVar("M")

__all__ = [
    "decode_bonds",
    "decode_deciders",
    "decode_frame",
    "decode_marker",
    "decode_pile",
    "decode_position",
    "decode_sides",
    "decode_unit",
    "encode_bonds",
    "encode_position",
    "fill_deciders",
    "fill_frame",
    "fill_marker",
    "fill_pile",
    "fill_sides",
    "fill_unit",
]


def fill_sides(message: pb.SideSet, sides: frozenset[str]) -> None:
    """Put a set of sides into a message that exists already; an empty one is there, too."""
    message.SetInParent()
    message.sides.extend(sorted(sides))


def decode_sides(message: pb.SideSet) -> frozenset[str]:
    """The set of sides of a message."""
    return frozenset(message.sides)


def fill_unit(message: pb.Unit, unit: Unit) -> None:
    """Put the unit into a message that exists already: most have little that needs saying."""
    message.id = unit.id
    message.type = unit.type
    message.side = unit.side
    if unit.cell:
        message.cell = unit.cell
    if unit.level:
        message.level = unit.level
    if unit.box:
        message.box = unit.box
    if unit.carrier:
        message.carrier = unit.carrier
    if unit.rank:
        message.rank = unit.rank
    if unit.facing is not None:
        message.facing = unit.facing
    if unit.face:
        message.face = unit.face
    if unit.place:
        message.place = unit.place
    if unit.bonds:
        message.bonds.extend(encode_bonds(unit.bonds))
    if unit.steps != 1:
        message.steps = unit.steps
    if unit.footprint:
        message.footprint.extend(unit.footprint)
    if unit.flags:
        message.flags.extend(sorted(unit.flags))
    if unit.values:
        fill_record(message.values, unit.values)
    if unit.seen_by is not None:
        fill_sides(message.seen_by, unit.seen_by)
    if unit.known_to is not None:
        fill_sides(message.known_to, unit.known_to)


def decode_unit(message: pb.Unit) -> Unit:
    """The unit of a message."""
    has = message.HasField
    footprint, flags = message.footprint, message.flags
    return Unit(
        message.id,
        message.type,
        message.side,
        message.cell,
        message.level,
        message.box,
        message.carrier,
        tuple(footprint) if footprint else (),
        message.rank,
        message.facing if has("facing") else None,
        message.steps if has("steps") else 1,
        frozenset(flags) if flags else NO_FLAGS,
        decode_record(message.values) if has("values") else EMPTY,
        frozenset(message.seen_by.sides) if has("seen_by") else None,
        frozenset(message.known_to.sides) if has("known_to") else None,
        message.face,
        message.place,
        decode_bonds(message.bonds) if message.bonds else NO_BONDS,
    )


def encode_bonds(bonds: Bonds) -> list[pb.Bond]:
    """The messages of the bonds on a unit."""
    return [pb.Bond(role=role, units=units) for role, units in bonds.items()]


def decode_bonds(messages: Sequence[pb.Bond]) -> Bonds:
    """The bonds of their messages; each role is there once."""
    found: dict[str, tuple[str, ...]] = {}
    for i, message in enumerate(messages):
        if not message.role:
            raise FieldError("is missing", "bonds", i, "role")
        if message.role in found:
            raise FieldError(f"{message.role!r} is there twice", "bonds", i, "role")
        found[message.role] = tuple(message.units)
    return FrozenMap(found)


def fill_marker(message: pb.Marker, marker: Marker) -> None:
    """Put the marker into a message that exists already."""
    message.id = marker.id
    message.kind = marker.kind
    message.side = marker.side
    message.cell = marker.cell
    if marker.level:
        message.level = marker.level
    if marker.unit:
        message.unit = marker.unit
    if marker.box:
        message.box = marker.box
    if marker.facing is not None:
        message.facing = marker.facing
    if marker.values:
        fill_record(message.values, marker.values)
    if marker.seen_by is not None:
        fill_sides(message.seen_by, marker.seen_by)
    if marker.known_to is not None:
        fill_sides(message.known_to, marker.known_to)
    if marker.face:
        message.face = marker.face


def decode_marker(message: pb.Marker) -> Marker:
    """The marker of a message."""
    has = message.HasField
    return Marker(
        message.id,
        message.kind,
        message.side,
        message.cell,
        message.level,
        message.unit,
        message.box,
        message.facing if has("facing") else None,
        decode_record(message.values) if has("values") else EMPTY,
        frozenset(message.seen_by.sides) if has("seen_by") else None,
        frozenset(message.known_to.sides) if has("known_to") else None,
        message.face,
    )


def fill_pile(message: pb.Pile, pile: Pile) -> None:
    """Put the pile into a message that exists already."""
    message.name = pile.name
    message.cards.extend(pile.cards)
    if pile.side:
        message.side = pile.side
    if pile.known_to is not None:
        fill_sides(message.known_to, pile.known_to)
    if pile.seen_by is not None:
        fill_sides(message.seen_by, pile.seen_by)


def decode_pile(message: pb.Pile) -> Pile:
    """The pile of a message."""
    known_to = decode_sides(message.known_to) if message.HasField("known_to") else None
    seen_by = decode_sides(message.seen_by) if message.HasField("seen_by") else None
    return Pile(message.name, tuple(message.cards), message.side, known_to, seen_by)


def fill_frame(message: pb.Frame, frame: Frame) -> None:
    """Put the frame into a message that exists already."""
    message.kind = frame.kind
    if frame.deciders:
        fill_deciders(message.deciders, frame.deciders)
    if frame.about:
        fill_record(message.about, frame.about)
    if frame.agenda:
        add = message.agenda.add
        for entry in frame.agenda:
            fill_record(add(), entry)
    if frame.secret:
        fill_record(message.secret, frame.secret)
    if frame.seen_by is not None:
        fill_sides(message.seen_by, frame.seen_by)
    if frame.known_to is not None:
        fill_sides(message.known_to, frame.known_to)
    if frame.sealed:
        message.sealed = True
    if frame.resume is not None:
        message.resume.SetInParent()
        message.resume.state = frame.resume.state
        message.resume.active.extend(frame.resume.active)


def decode_frame(message: pb.Frame) -> Frame:
    """The frame of a message."""
    has = message.HasField
    resume = message.resume
    return Frame(
        message.kind,
        decode_deciders(message.deciders),
        decode_record(message.about) if has("about") else EMPTY,
        tuple(decode_record(entry) for entry in message.agenda),
        decode_record(message.secret) if has("secret") else EMPTY,
        decode_sides(message.seen_by) if has("seen_by") else None,
        decode_sides(message.known_to) if has("known_to") else None,
        message.sealed,
        Resume(resume.state, tuple(resume.active)) if has("resume") else None,
    )


def fill_deciders(messages: Any, deciders: Iterable[Decider]) -> None:  # noqa: ANN401
    """Put the sides asked into a field of messages."""
    for decider in deciders:
        messages.add(side=decider.side, answered=decider.answered)


def decode_deciders(messages: Iterable[pb.Decider]) -> tuple[Decider, ...]:
    """The sides asked."""
    return tuple(Decider(d.side, d.answered) for d in messages)


def encode_position(position: Position) -> pb.Position:
    """The message of a position."""
    generator = position.generator
    message = pb.Position(
        game=position.game,
        version=position.version,
        scenario=position.scenario,
        board=position.board,
        options=encode_record(position.options) if position.options else None,
        sides=position.sides,
        turn=position.turn,
        phase=position.phase,
        state=position.state,
        active=position.active,
        tracks=dict(position.tracks),
        extras=encode_record(position.extras) if position.extras else None,
        generator=None
        if generator is None
        else pb.Generator(seed=generator.seed, count=generator.count),
        viewer=position.viewer,
    )
    for unit in position.units.values():
        fill_unit(message.units.add(), unit)
    for marker in position.markers.values():
        fill_marker(message.markers.add(), marker)
    for pile in position.piles.values():
        fill_pile(message.piles.add(), pile)
    for frame in position.frames:
        fill_frame(message.frames.add(), frame)
    for cell, values in position.cells.items():
        fill_record(message.cells[cell], values)
    for side, values in position.knowledge.items():
        fill_record(message.knowledge[side], values)
    return message


def decode_position(message: pb.Position) -> Position:
    """The position of a message; errors name the field."""
    has = message.HasField
    position = Position(
        game=message.game,
        version=message.version,
        scenario=message.scenario,
        board=message.board,
        options=decode_record(message.options) if has("options") else EMPTY,
        sides=tuple(message.sides),
        turn=message.turn if has("turn") else 1,
        phase=message.phase,
        state=message.state,
        active=tuple(message.active),
        units=_keyed(message.units, decode_unit, "units", "id"),
        markers=_keyed(message.markers, decode_marker, "markers", "id"),
        piles=_keyed(message.piles, decode_pile, "piles", "name"),
        cells=FrozenMap({k: decode_record(v) for k, v in message.cells.items()}),
        tracks=FrozenMap(dict(message.tracks)),
        knowledge=FrozenMap({k: decode_record(v) for k, v in message.knowledge.items()}),
        extras=decode_record(message.extras) if has("extras") else EMPTY,
        generator=_generator(message.generator) if has("generator") else None,
        viewer=message.viewer,
        frames=tuple(decode_frame(frame) for frame in message.frames),
    )
    return followed(position)


def _generator(message: pb.Generator) -> Generator:
    if message.count < 0:
        raise FieldError("must not be negative", "generator", "count")
    return Generator(message.seed, message.count)


def _keyed(messages: Iterable[M], decode: Callable[[M], T], field: str, key: str) -> FrozenMap[T]:
    found: dict[str, T] = {}
    for i, message in enumerate(messages):
        name: str = getattr(message, key)
        if not name:
            raise FieldError("is missing", field, i, key)
        if name in found:
            raise FieldError(f"{name!r} is there twice", field, i, key)
        found[name] = decode(message)
    return FrozenMap(found)
