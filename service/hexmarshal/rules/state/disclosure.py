"""What one seat learns of an event: by construction, nothing that its view does not show.

The changes that a seat is told are those that lead from its view before to its view after. The
effects themselves are passed on only if every one of them is about things that the seat knows.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError
from hexmarshal.rules.action import Action
from hexmarshal.rules.frames.frame import base_of
from hexmarshal.rules.state import effects as e
from hexmarshal.rules.state.view import knows, sees
from hexmarshal.rules.values import EMPTY, FrozenMap

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hexmarshal.rules.dice import Roll
    from hexmarshal.rules.frames.frame import Frame
    from hexmarshal.rules.state.effects import Effect
    from hexmarshal.rules.state.pieces import Marker, Pile, Unit
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record, Value
    from hexmarshal.rules.verdict import Resolution

__all__ = ["Shown", "changes", "learnt", "public", "shown"]


@dataclass(frozen=True, slots=True)
class Shown:
    """An action as one seat gets to know it; `redacted` says so where something was left out.

    To the seat that acts it says so only where the seat can tell anyway: who shoots at a thicket
    must not learn from it that somebody hides there. `whole` is the truth of it, for nobody's eyes.
    """

    action: Action
    effects: tuple[Effect, ...]
    resolutions: tuple[Resolution, ...]
    rolls: tuple[Roll, ...]
    redacted: bool
    whole: bool = field(compare=False)


def shown(
    action: Action,
    effects: Sequence[Effect],
    resolutions: Sequence[Resolution],
    rolls: Sequence[Roll],
    before: Position,
    after: Position,
) -> Shown:
    """For the side whose views `before` and `after` are."""
    side = before.viewer
    own = action.side == side
    known = tuple(effect for effect in effects if _about_known(effect, before, after))
    all_known = len(known) == len(effects)
    explained = (own or all_known) and _lead(before, known, after)
    visible = tuple(r for r in resolutions if _may_know(r, side, before, after))
    hidden = tuple(r for r in resolutions if r not in visible)
    whole = explained and all_known and not hidden
    kept = tuple(rolls)
    missed = False
    if not whole:
        # Which card of a pile was picked tells the card; what a seat learns of it is in its view.
        visible = tuple(
            replace(r, dice=tuple(roll for roll in r.dice if not roll.pick)) for r in visible
        )
        kept = _told_rolls(rolls, visible, hidden) if own and explained else _dice(visible)
        # Who acts knows that dice are rolled: the players roll them, or the rules say so.
        missed = len(kept) < sum(not roll.pick for roll in rolls)
    if not (own or whole):
        action = Action(action.kind, action.side, EMPTY)
    return Shown(
        action,
        known if explained else tuple(changes(before, after)),
        tuple(_without_secrets(r, side) for r in visible),
        kept,
        redacted=not explained or missed if own else not whole,
        whole=whole,
    )


def _dice(resolutions: Iterable[Resolution]) -> tuple[Roll, ...]:
    return tuple(roll for resolution in resolutions for roll in resolution.dice)


def _told_rolls(
    rolls: Sequence[Roll], visible: Sequence[Resolution], hidden: Sequence[Resolution]
) -> tuple[Roll, ...]:
    """The rolls but for picks, and but for those that only hidden resolutions are about."""
    secret = Counter(_dice(hidden)) - Counter(_dice(visible))
    found = []
    for roll in rolls:
        if secret[roll] > 0:
            secret[roll] -= 1
        elif not roll.pick:
            found.append(roll)
    return tuple(found)


def public(effects: Sequence[Effect], resolutions: Sequence[Resolution], before: Position) -> bool:
    """Whether all sides may know all of it, told by the whole position before, without any view.

    It says no where a look at the views might say yes; it holds for games whose only secrets are
    the kernel's: who sees a unit or marker, who knows it, faces of cards, knowledge of a side.
    """
    for effect in effects:
        match effect:
            case e.Proceed() | e.SetTrack() | e.SetCell() | e.SetExtra():
                # Where a frame is hidden, not even who may act is the same to all.
                if any(not _plain(frame) for frame in before.frames):
                    return False
                continue
            case e.PushFrame() if _plain(effect.frame):
                continue
            case e.PopFrame():
                frame = before.frame(effect.kind)
                if frame is None or not _plain(frame):
                    return False
                continue
            case e.MoveUnit() if not effect.carrier:
                unit = before.units.get(effect.unit)
            case e.ChangeUnit() if effect.seen_by is None and effect.known_to is None:
                if effect.bonds:
                    return False
                unit = before.units.get(effect.unit)
            case _:
                return False
        if unit is None or unit.seen_by is not None or unit.known_to is not None:
            return False
        # What it is bonded to may be hidden, and the unit with it.
        if unit.carrier or unit.bonds:
            return False
    return not resolutions


def _plain(frame: Frame) -> bool:
    """Whether all sides know all of it."""
    return frame.seen_by is None and frame.known_to is None and not frame.sealed


def _lead(before: Position, effects: Sequence[Effect], after: Position) -> bool:
    """Whether the effects lead from the one view to the other."""
    try:
        return e.apply_effects(before, effects) == after
    except HexMarshalError:
        return False


def _about_known(effect: Effect, before: Position, after: Position) -> bool:
    """Whether the effect is about something that the side knows before or after."""
    side = before.viewer
    match effect:
        case e.MoveUnit() | e.RemoveUnit():
            return effect.unit in before.units or effect.unit in after.units
        case e.ChangeUnit():
            seen = [p.units[effect.unit] for p in (before, after) if effect.unit in p.units]
            # Of a unit that is seen and not known, where it is may be told, not what it is.
            return bool(seen) and (all(knows(side, u) for u in seen) or not _tells(effect))
        case e.AddUnit():
            return effect.id in before.units or effect.id in after.units
        case e.AddMarker():
            return effect.id in before.markers or effect.id in after.markers
        case e.RemoveMarker():
            return effect.marker in before.markers or effect.marker in after.markers
        case e.MoveCards():
            return all(knows(side, before.pile(p)) for p in (effect.source, effect.target))
        case e.SetPile():
            return _read(side, effect.pile)
        case e.SetKnowledge():
            return effect.side == side
        case e.PushFrame():
            return _plain(effect.frame)
        case e.ChangeFrame() | e.PopFrame():
            shown = before.frame(effect.kind) or after.frame(effect.kind)
            return shown is not None and _plain(shown)
    return True


def _tells(effect: e.ChangeUnit) -> bool:
    """Whether it is about what a unit is or how it stands, which a mask hides."""
    told = (effect.type, effect.flags, effect.unflags, effect.values, effect.bonds)
    return any(told) or effect.steps is not None or effect.facing is not None


def changes(before: Position, after: Position) -> Iterator[Effect]:
    """Effects that lead from one position to the other; both are views of the same side."""
    for name in before.units:
        if name not in after.units:
            yield e.RemoveUnit(name)
    for name, unit in after.units.items():
        if before.units.get(name) != unit:
            yield e.AddUnit(name, unit)
    for name in before.markers:
        if name not in after.markers:
            yield e.RemoveMarker(name)
    for name, marker in after.markers.items():
        if before.markers.get(name) != marker:
            yield e.AddMarker(name, marker)
    # What is gone is as if it were empty or at 0, which is how it is read.
    for name in {**before.piles, **after.piles}:
        if before.piles.get(name) != (pile := after.pile(name)):
            yield e.SetPile(name, pile)
    for name in {**before.tracks, **after.tracks}:
        if before.tracks.get(name) != (value := after.track(name)):
            yield e.SetTrack(name, value)
    for cell in {**before.cells, **after.cells}:
        if difference := _difference(before.cells.get(cell, EMPTY), after.cells.get(cell, EMPTY)):
            yield e.SetCell(cell, difference)
    for side in {**before.knowledge, **after.knowledge}:
        old, new = before.knowledge.get(side, EMPTY), after.knowledge.get(side, EMPTY)
        difference = _difference(old, new)
        if difference or (side in after.knowledge and side not in before.knowledge):
            yield e.SetKnowledge(side, difference)
    for name, extra in _difference(before.extras, after.extras).items():
        yield e.SetExtra(name, extra)
    yield from _frames(before, after)
    old_base, new_base = base_of(before), base_of(after)
    proceed = e.Proceed(
        turn=None if before.turn == after.turn else after.turn,
        phase=None if before.phase == after.phase else after.phase,
        state=None if old_base.state == new_base.state else new_base.state,
        active=None if old_base.active == new_base.active else new_base.active,
    )
    if proceed != e.Proceed():
        yield proceed


def _frames(before: Position, after: Position) -> Iterator[Effect]:
    """What is asked for now: the frames that differ go, the new ones come."""
    old = [replace(frame, resume=None) for frame in before.frames]
    new = [replace(frame, resume=None) for frame in after.frames]
    same = 0
    while same < min(len(old), len(new)) and old[same] == new[same]:
        same += 1
    for frame in reversed(old[same:]):
        yield e.PopFrame(frame.kind)
    for frame in new[same:]:
        yield e.PushFrame(frame)


def _difference(old: Record, new: Record) -> Record:
    """What to merge into the old record to get the new one; null removes."""
    found: dict[str, Value] = {k: v for k, v in new.items() if k not in old or old[k] != v}
    return FrozenMap({**found, **{k: None for k in old if k not in new}})


def _may_know(resolution: Resolution, side: str, before: Position, after: Position) -> bool:
    if resolution.known_to is not None and side not in resolution.known_to:
        return False
    named = {unit for strength in resolution.strengths for unit in strength.units}
    return all(unit in before.units or unit in after.units for unit in named)


def _without_secrets(resolution: Resolution, side: str) -> Resolution:
    """Its effects are left out: what they changed is told as changes of the seat's own view."""
    steps = tuple(s for s in resolution.steps if s.known_to is None or side in s.known_to)
    return replace(
        resolution,
        steps=tuple(replace(s, known_to=None) for s in steps),
        effects=(),
        known_to=None,
    )


def learnt(before: Position, after: Position, knowing: str = "") -> bool:
    """Whether an action told any side what it did not know: that cannot be taken back.

    The side `knowing` wrote down itself what it knows now.
    """
    return any(_learnt(before, after, side, own=side == knowing) for side in after.sides)


def _learnt(before: Position, after: Position, side: str, *, own: bool) -> bool:
    pairs: list[tuple[Unit | Marker | None, Unit | Marker]] = [
        *((before.units.get(u.id), u) for u in after.units.values()),
        *((before.markers.get(m.id), m) for m in after.markers.values()),
    ]
    for old, new in pairs:
        if old is None or old is new:
            continue
        if (sees(side, new) and not sees(side, old)) or (knows(side, new) and not knows(side, old)):
            return True
    for name, pile in after.piles.items():
        known = before.pile(name)
        if pile is not known and _read(side, pile) and _new_cards(before, pile.cards, side):
            return True
    return not own and before.knowledge.get(side, EMPTY) != after.knowledge.get(side, EMPTY)


def _new_cards(before: Position, cards: Sequence[str], side: str) -> bool:
    known = {c for p in before.piles.values() if _read(side, p) for c in p.cards}
    return not set(cards) <= known


def _read(side: str, pile: Pile) -> bool:
    """Whether the side sees the faces of the cards in it."""
    return sees(side, pile) and knows(side, pile)
