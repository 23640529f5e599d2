"""What one side may read of an action that was done: the account without the others' secrets."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.rules.effects import (
    AddMarker,
    AddUnit,
    ChangeFrame,
    ChangeUnit,
    Effect,
    MoveCards,
    MoveUnit,
    PopFrame,
    PushFrame,
    RemoveMarker,
    RemoveUnit,
    SetKnowledge,
    SetPile,
)
from hexmarshal.rules.frames.frame import shown_frame
from hexmarshal.rules.pieces import UNKNOWN
from hexmarshal.rules.values import EMPTY
from hexmarshal.rules.view import masked_pile, shown_marker, shown_unit

if TYPE_CHECKING:
    from hexmarshal.rules.position import Position
    from hexmarshal.rules.verdict import Applied, Resolution

__all__ = ["disclosed"]


def disclosed(applied: Applied, side: str, before: Position, after: Position) -> Applied:
    """The account as this side may read it.

    `before` and `after` are this side's views of the position; `after` stands in the result. Which
    cards were picked is never told: what a side learns of them is in its view.
    """
    return replace(
        applied,
        position=after,
        resolutions=tuple(
            _resolution(resolution, side, before, after)
            for resolution in applied.resolutions
            if _may_read(resolution.known_to, side)
        ),
        effects=_effects(applied.effects, side, before, after),
        rolls=tuple(roll for roll in applied.rolls if not roll.pick),
    )


def _may_read(known_to: frozenset[str] | None, side: str) -> bool:
    return known_to is None or side in known_to


def _resolution(resolution: Resolution, side: str, before: Position, after: Position) -> Resolution:
    return replace(
        resolution,
        dice=tuple(roll for roll in resolution.dice if not roll.pick),
        steps=tuple(step for step in resolution.steps if _may_read(step.known_to, side)),
        effects=_effects(resolution.effects, side, before, after),
    )


def _effects(
    effects: tuple[Effect, ...], side: str, before: Position, after: Position
) -> tuple[Effect, ...]:
    read = (_effect(effect, side, before, after) for effect in effects)
    return tuple(effect for effect in read if effect is not None)


def _effect(effect: Effect, side: str, before: Position, after: Position) -> Effect | None:
    """The effect as the side may read it; None if it may not know of it at all."""
    match effect:
        case MoveUnit(unit=unit) | RemoveUnit(unit=unit):
            return effect if unit in before.units or unit in after.units else None
        case ChangeUnit(unit=unit):
            shown = after.units.get(unit) or before.units.get(unit)
            if shown is None:
                return None
            if shown.known_to is not None and side not in shown.known_to:
                return ChangeUnit(unit, side=effect.side, rank=effect.rank, level=effect.level)
            return replace(effect, seen_by=None, known_to=None) if shown.side != side else effect
        case AddUnit(id=id, unit=added):
            return replace(effect, unit=shown_unit(added, side)) if id in after.units else None
        case AddMarker(id=id, marker=marker):
            seen = id in after.markers
            return replace(effect, marker=shown_marker(marker, side)) if seen else None
        case RemoveMarker(marker=marker_id):
            return effect if marker_id in before.markers else None
        case SetKnowledge(side=whose):
            return effect if whose == side else None
        case SetPile(pile=pile):
            return replace(effect, pile=masked_pile(pile, side))
        case PushFrame() | ChangeFrame() | PopFrame():
            return _of_frame(effect, side, before, after)
        case MoveCards(source=source, target=target, cards=cards):
            piles = (before.pile(source), after.pile(target))
            readable = any(_may_read(pile.known_to, side) for pile in piles)
            return effect if readable else replace(effect, cards=(UNKNOWN,) * len(cards))
        case _:
            return effect


def _of_frame(
    effect: PushFrame | ChangeFrame | PopFrame, side: str, before: Position, after: Position
) -> Effect | None:
    """What the side may read of a decision that was asked for, changed or done with."""
    if isinstance(effect, PushFrame):
        frame = effect.frame
        if not _may_read(frame.seen_by, side):
            return None
        # How many others wait is told by the view alone: some of them may be hidden.
        return PushFrame(shown_frame(frame, side), min(effect.under, len(before.frames)))
    shown = before.frame(effect.kind) or after.frame(effect.kind)
    if shown is None:
        return None
    if isinstance(effect, PopFrame):
        return effect
    masked = shown.known_to is not None
    answered = effect.answered
    if shown.sealed:
        answered = tuple(who for who in answered if who == side)
    told = replace(
        effect,
        about=EMPTY if masked else effect.about,
        agenda=None if masked else effect.agenda,
        answered=answered,
        seen_by=None,
        known_to=None,
    )
    return None if told == ChangeFrame(effect.kind) else told
