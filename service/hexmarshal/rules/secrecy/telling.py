"""Who is told of what a side did, and whose decisions it leaves as they were."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.rules import engine
from hexmarshal.rules.action import Seal
from hexmarshal.rules.copying import copied
from hexmarshal.rules.state.view import NOBODY

if TYPE_CHECKING:
    from hexmarshal.rules.frames.frame import Frame
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.position import Position

__all__ = ["TOLD", "Telling", "telling"]


@dataclass(frozen=True, slots=True)
class Telling:
    """The sides that are not told of an event, and those that it leaves to decide as before."""

    untold: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()


TOLD = Telling()


def telling(
    plugin: GamePlugin,
    kind: str,
    side: str,
    before: Position,
    after: Position,
    *,
    rolled: bool = False,
    onlookers: bool = False,
) -> Telling:
    """For an action of this kind and side, done or taken back, between two whole positions.

    Nobody else is told of a silent action, nor of an answer to a sealed decision, as long as it
    changes nothing that the others see. One that is told leaves a side to decide as before if the
    side is still asked the same: another wrote a sealed order, or answered what both are asked.
    With `onlookers`, NOBODY is told or not told as a side is.
    """
    declared = plugin.game.actions.get(kind)
    seal = None if declared is None else declared.sealed
    asked = before.asked(side)
    answers = asked is not None and any(d.side != side for d in asked.deciders)
    if seal is None and not answers:
        return TOLD
    silent = seal is Seal.SILENT or (asked is not None and asked.sealed and not rolled)
    untold, aside = [], []
    for other in (*after.sides, NOBODY) if onlookers else after.sides:
        if other == side:
            continue
        old, new = (engine.seen(plugin, position, other) for position in (before, after))
        if silent and old == new:
            untold.append(other)
        elif _question(old) == _question(new) and (
            seal is not None or _beside_answers(old) == _beside_answers(new)
        ):
            aside.append(other)
    return Telling(tuple(untold), tuple(aside))


def _question(view: Position) -> tuple[object, ...]:
    """What a side is asked, where in the game, and whether it may answer."""
    return (
        view.turn,
        view.phase,
        view.state,
        view.viewer in view.active,
        tuple(map(_unanswered, view.frames)),
    )


def _unanswered(frame: Frame) -> Frame:
    return copied(frame, deciders=tuple(copied(d, answered=False) for d in frame.deciders))


def _beside_answers(view: Position) -> Position:
    return copied(view, frames=(), active=())
