"""Heroes: the man who steps out of a unit, and the leader who becomes one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.quality.elr import free_name
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.state.effects import AddUnit, ChangeFrame, ChangeUnit
from hexmarshal.rules.state.pieces import Unit
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from hexmarshal.games.asl.state.execution import Play

__all__ = ["HERO", "create", "join_move"]

HERO = "hero_1-4-9"
_SHARED = frozenset(
    {marks.PINNED, marks.FANATIC, marks.MOVED, marks.CX, marks.ADVANCED, marks.HAZARDOUS}
)
_MENDED = frozenset({marks.BROKEN, marks.DM, marks.PINNED, marks.DISRUPTED})


def create(play: Play, name: str) -> None:
    """ASL-A15.2b, ASL-FAN-1: an MMC's hero shares its fate; a leader rallies and is heroic."""
    now = play.now
    unit = now.unit(name)
    if now.is_leader(unit):
        play.do(ChangeUnit(name, flags=frozenset({marks.HEROIC}), unflags=_MENDED & unit.flags))
        step = Step(f"{now.named(unit)} is heroic", "ASL-A15.2b")
        play.decide(Resolution("hero", "heroic leader", steps=(step,)))
        return
    hero = free_name(play, name, "hero")
    nation = now.nation(unit)
    play.do(
        AddUnit(
            hero,
            Unit(
                hero,
                HERO,
                unit.side,
                cell=unit.cell,
                level=unit.level,
                place=unit.place,
                flags=unit.flags & _SHARED,
                values=FrozenMap({"nation": nation} if nation else {}),
            ),
        )
    )
    join_move(play, name, hero)
    step = Step(f"{hero} steps out of {now.named(unit)}", "ASL-A15.2b")
    play.decide(Resolution("hero", "created", steps=(step,)))


def join_move(play: Play, old: str, new: str) -> None:
    """Who comes of a unit on the move goes with it, and can be fired at with it."""
    for kind, slot in (("moving", "units"), ("first_fire", "targets")):
        frame = play.position.frame(kind)
        if frame is not None and old in frame.texts(slot):
            play.do(ChangeFrame(kind, FrozenMap({slot: (*frame.texts(slot), new)})))
