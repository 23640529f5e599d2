"""Frames: what a position waits for, who decides it, and where play goes on afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.rules.codec import (
    BOOL,
    RECORD,
    SIDES,
    TEXT,
    TEXTS,
    Shape,
    listed,
    optional,
)
from hexmarshal.rules.copying import copied, quick
from hexmarshal.rules.values import EMPTY, Record

if TYPE_CHECKING:
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Value

__all__ = [
    "DECIDER",
    "FRAME",
    "Decider",
    "Frame",
    "Resume",
    "asking",
    "base_of",
    "followed",
    "settled",
    "shown_frame",
    "shown_frames",
]

NOBODY: frozenset[str] = frozenset()


@quick
@dataclass(frozen=True, slots=True)
class Decider:
    """A side that a frame asks, and whether it has answered."""

    side: str
    answered: bool = False


@quick
@dataclass(frozen=True, slots=True)
class Resume:
    """Where play goes on when no frame asks for anything any more: a state, and who may act."""

    state: str = ""
    active: tuple[str, ...] = ()


@quick
@dataclass(frozen=True, slots=True)
class Frame:
    """One decision that play waits for, or business that is in progress.

    `kind` is one of the game's frame types. `deciders` are the sides asked: one, or several that
    decide at once; without any the frame asks for nothing and only keeps what it is about. `about`
    are its values and `agenda` what is still to be done in it, the next item first, each with its
    `kind`; both as the frame type declares. `seen_by` names the sides that know that the frame is
    there; None means all. A side is not held up by a frame that it does not see. Values in `secret`
    and the agenda are for the sides in `known_to` alone, which need not be those asked: who rolls
    for his mines may not know who is in them. `sealed` tells that nobody learns who else has
    answered. Only the lowest frame of a stack has a `resume`: the others go back to the one below.
    """

    kind: str
    deciders: tuple[Decider, ...] = ()
    about: Record = EMPTY
    agenda: tuple[Record, ...] = ()
    secret: Record = EMPTY
    seen_by: frozenset[str] | None = None
    known_to: frozenset[str] | None = None
    sealed: bool = False
    resume: Resume | None = None

    @property
    def values(self) -> Record:
        """All that it is about, secrets included."""
        return self.about.merged(self.secret)

    def value(self, name: str, default: Value = None) -> Value:
        """One of the values that it is about."""
        return self.about.get(name, self.secret.get(name, default))

    def text(self, name: str) -> str:
        """A value that holds a name; '' where it has none."""
        value = self.value(name)
        return value if isinstance(value, str) else ""

    def texts(self, name: str) -> tuple[str, ...]:
        """A value that holds names."""
        value = self.value(name)
        return tuple(v for v in value if isinstance(v, str)) if isinstance(value, tuple) else ()

    def asks(self, side: str) -> bool:
        """Whether this side is asked and has not answered."""
        return any(d.side == side and not d.answered for d in self.deciders)

    @property
    def open(self) -> tuple[str, ...]:
        """The sides that have not answered yet."""
        return tuple(d.side for d in self.deciders if not d.answered)


def asking(frames: tuple[Frame, ...], side: str = "") -> Frame | None:
    """The topmost frame that asks for something, as far as this side sees; None if none does."""
    for frame in reversed(frames):
        if frame.deciders and (not side or frame.seen_by is None or side in frame.seen_by):
            return frame
    return None


def base_of(position: Position) -> Resume:
    """Where play stands beneath all frames."""
    if position.frames and (resume := position.frames[0].resume) is not None:
        return resume
    return Resume(position.state, position.active)


def settled(position: Position, frames: tuple[Frame, ...], base: Resume | None = None) -> Position:
    """The position with these frames: its state and who may act follow from them."""
    if base is None:
        base = base_of(position)
    if not frames:
        return copied(position, frames=(), state=base.state, active=base.active)
    stack = frames
    as_before = frames[0].resume is base or frames[0].resume == base
    if not as_before or any(frame.resume is not None for frame in frames[1:]):
        first, *rest = frames
        stack = (
            copied(first, resume=base),
            *(frame if frame.resume is None else copied(frame, resume=None) for frame in rest),
        )
    top = asking(stack)
    return copied(
        position,
        frames=stack,
        state=base.state if top is None else top.kind,
        active=_active(position.sides, stack, top, base),
    )


def _active(
    sides: tuple[str, ...], frames: tuple[Frame, ...], top: Frame | None, base: Resume
) -> tuple[str, ...]:
    for frame in frames:
        if frame.seen_by is not None:
            break
    else:
        return base.active if top is None else top.open
    # Each side is held up by what it sees alone.
    found = []
    for side in sides:
        here = asking(frames, side)
        if side in base.active if here is None else here.asks(side):
            found.append(side)
    return tuple(found)


def followed(position: Position) -> Position:
    """A position from outside, with what follows from its frames filled in where it was left out.

    Where the lowest frame does not say where play goes on, it goes on as the position says.
    """
    frames = position.frames
    if not frames or any(frame.resume is not None for frame in frames[1:]):
        return position
    if frames[0].resume is None:
        return settled(position, frames, Resume(position.state, position.active))
    if not position.state and not position.active:
        return settled(position, frames)
    return position


def shown_frames(position: Position, side: str) -> tuple[Frame, ...]:
    """The frames as this side knows them."""
    frames = position.frames
    return tuple(
        shown_frame(frame, side)
        for frame in frames
        if frame.seen_by is None or side in frame.seen_by
    )


def shown_frame(frame: Frame, side: str) -> Frame:
    """A frame that the side sees, as it looks to that side."""
    if frame.seen_by is None and frame.known_to is None and not frame.sealed:
        return frame
    known = frame.known_to is None or side in frame.known_to
    deciders = frame.deciders
    if frame.sealed:
        deciders = tuple(d if d.side == side else copied(d, answered=False) for d in deciders)
    return copied(
        frame,
        deciders=deciders,
        secret=frame.secret if known else EMPTY,
        agenda=frame.agenda if known else (),
        seen_by=None,
        known_to=None if known else NOBODY,
    )


DECIDER: Shape[Decider] = Shape(Decider, {"side": TEXT, "answered": BOOL})
RESUME: Shape[Resume] = Shape(Resume, {"state": TEXT, "active": TEXTS})
FRAME: Shape[Frame] = Shape(
    Frame,
    {
        "kind": TEXT,
        "deciders": listed(DECIDER.converter),
        "about": RECORD,
        "agenda": listed(RECORD),
        "secret": RECORD,
        "seen_by": SIDES,
        "known_to": SIDES,
        "sealed": BOOL,
        "resume": optional(RESUME.converter),
    },
)
