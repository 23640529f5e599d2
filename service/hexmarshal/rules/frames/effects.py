"""Effects on frames: a decision is asked for, changes, and is done with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from hexmarshal.errors import NotFoundError, Place
from hexmarshal.rules.codec import NATURAL, RECORD, TEXT, TEXTS, Shape, listed, optional
from hexmarshal.rules.copying import copied, quick
from hexmarshal.rules.frames.frame import DECIDER, FRAME, Decider, Frame, settled
from hexmarshal.rules.state.pieces import sides_after
from hexmarshal.rules.values import EMPTY, Record, changed

if TYPE_CHECKING:
    from hexmarshal.rules.state.position import Position

__all__ = ["SHAPES", "ChangeFrame", "PopFrame", "PushFrame", "place_of"]


def place_of(frames: tuple[Frame, ...], kind: str, under: int = 0) -> int:
    """Where in the stack the topmost frame of this kind is, or one under so many of its kind."""
    for index in range(len(frames) - 1, -1, -1):
        if frames[index].kind == kind:
            if not under:
                return index
            under -= 1
    raise NotFoundError(f"no frame {kind!r} is open", place=Place(field="frames"))


@quick
@dataclass(frozen=True, slots=True)
class PushFrame:
    """A decision is asked for before all others, or after `under` of those that wait already."""

    effect: ClassVar[str] = "push_frame"
    frame: Frame
    under: int = 0

    def on(self, position: Position) -> Position:
        """The position after it."""
        frames = position.frames
        at = max(0, len(frames) - self.under)
        return settled(position, (*frames[:at], self.frame, *frames[at:]))


@quick
@dataclass(frozen=True, slots=True)
class ChangeFrame:
    """The topmost frame of a kind changes: who has answered, what it is about, what is left to do.

    Or the one under so many of its kind. Null removes a value; None leaves deciders and agenda as
    they are. `seen_by` and `known_to` as for a unit: None to leave them, ("*",) for all sides, else
    the sides.
    """

    effect: ClassVar[str] = "change_frame"
    kind: str
    about: Record = EMPTY
    agenda: tuple[Record, ...] | None = None
    answered: tuple[str, ...] = ()
    deciders: tuple[Decider, ...] | None = None
    secret: Record = EMPTY
    seen_by: tuple[str, ...] | None = None
    known_to: tuple[str, ...] | None = None
    under: int = 0

    def on(self, position: Position) -> Position:
        """The position after it."""
        frames = position.frames
        at = place_of(frames, self.kind, self.under)
        frame = frames[at]
        changes: dict[str, Any] = {}
        if self.about:
            changes["about"] = changed(frame.about, self.about)
        if self.agenda is not None:
            changes["agenda"] = self.agenda
        if self.deciders is not None or self.answered:
            changes["deciders"] = self._deciders(frame)
        if self.secret:
            changes["secret"] = changed(frame.secret, self.secret)
        if self.seen_by is not None:
            changes["seen_by"] = sides_after(self.seen_by, frame.seen_by)
        if self.known_to is not None:
            changes["known_to"] = sides_after(self.known_to, frame.known_to)
        return settled(position, (*frames[:at], copied(frame, **changes), *frames[at + 1 :]))

    def _deciders(self, frame: Frame) -> tuple[Decider, ...]:
        asked = frame.deciders if self.deciders is None else self.deciders
        return tuple(copied(d, answered=True) if d.side in self.answered else d for d in asked)


@quick
@dataclass(frozen=True, slots=True)
class PopFrame:
    """The topmost frame of a kind is done with, or the one under so many of its kind.

    Play goes back to what was there before it.
    """

    effect: ClassVar[str] = "pop_frame"
    kind: str
    under: int = 0

    def on(self, position: Position) -> Position:
        """The position after it."""
        frames = position.frames
        at = place_of(frames, self.kind, self.under)
        return settled(position, (*frames[:at], *frames[at + 1 :]))


SHAPES: tuple[Shape[Any], ...] = (
    Shape(PushFrame, {"frame": FRAME.converter, "under": NATURAL}),
    Shape(
        ChangeFrame,
        {
            "kind": TEXT,
            "about": RECORD,
            "agenda": optional(listed(RECORD)),
            "answered": TEXTS,
            "deciders": optional(listed(DECIDER.converter)),
            "secret": RECORD,
            "seen_by": optional(TEXTS),
            "known_to": optional(TEXTS),
            "under": NATURAL,
        },
    ),
    Shape(PopFrame, {"kind": TEXT, "under": NATURAL}),
)
