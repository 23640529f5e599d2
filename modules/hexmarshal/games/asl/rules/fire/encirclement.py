"""Encirclement by fire: attacks one after the other from opposite directions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.fire.shot import reach_of
from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.state.effects import SetExtra
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.games.asl.rules.fire.shot import Shot
    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.ground import Location
    from hexmarshal.games.asl.state.situation import Situation

__all__ = ["encircles", "share_ring", "surround", "ways_in"]

_OPPOSITE = 3
_HEXSIDES = 6
UP, DOWN = "above", "below"


def ways_in(now: Situation, firer: Location, target: Location) -> tuple[str, ...]:
    """Where a line comes into a location: hexsides, a vertex (as 'v3'), from above or below."""
    if firer.cell == target.cell:
        if firer.level == target.level:
            return ()
        return (UP,) if firer.level > target.level else (DOWN,)
    sides = now.ground.entered_by(target.cell, firer.cell)
    if len(sides) == 1:
        return (str(sides[0]),)
    # Between hexside s and s + 1 lies vertex s + 1.
    first, second = sides
    vertex = second if (first + 1) % _HEXSIDES == second else first
    return (f"v{vertex}",)


def encircles(ways: Iterable[str]) -> bool:
    """ASL-ENC-1: opposite vertices, opposite hexsides, three hexsides apart, or above and below."""
    found = set(ways)
    if {UP, DOWN} <= found:
        return True
    sides = {int(way) for way in found if way.isdigit()}
    vertices = {int(way[1:]) for way in found if way.startswith("v")}
    for kind in (sides, vertices):
        if any((one + _OPPOSITE) % _HEXSIDES in kind for one in kind):
            return True
    return any({one, (one + 2) % _HEXSIDES, (one + 4) % _HEXSIDES} <= sides for one in sides)


def share_ring(play: Play, name: str) -> None:
    """ASL-ENC-3: who leaves is encircled no more; who comes to the encircled is so with them."""
    unit = play.position.unit(name)
    here = play.now.people(play.now.at(unit), unit.side)
    if any(one.id != name and one.has(marks.ENCIRCLED) for one in here):
        play.mark(name, marks.ENCIRCLED)
    else:
        play.unmark(name, marks.ENCIRCLED)


def surround(play: Play, shot: Shot) -> None:
    """ASL-ENC-1, ASL-ENC-2: the attack that closes the ring counts already."""
    if shot.moving is not None:
        return
    from hexmarshal.games.asl.rules.fire.attack import could_check

    now = play.now
    ways: list[str] = []
    near = [
        m for m in shot.members
        if now.ground.distance(m.place.cell, shot.target.cell) <= reach_of(now, m.unit)
    ]  # fmt: skip
    if near and could_check(now, shot):
        ways = [way for m in near for way in ways_in(now, m.place, shot.target)]
    last = play.position.extras.get("ring")
    before: tuple[str, ...] = ()
    if isinstance(last, FrozenMap) and last.get("target") == str(shot.target):
        held = last.get("ways", ())
        before = tuple(str(way) for way in held) if isinstance(held, tuple) else ()
    merged = tuple(dict.fromkeys((*before, *ways)))
    play.do(SetExtra("ring", FrozenMap({"target": str(shot.target), "ways": merged})))
    if not encircles(merged):
        return
    for unit in play.now.people(shot.target, other(shot.side)):
        if not unit.flags & {marks.ENCIRCLED, marks.HIDDEN}:
            play.mark(unit.id, marks.ENCIRCLED)
            step = Step(f"{unit.id} is encircled: fire from {', '.join(merged)}", "ASL-ENC-1")
            play.decide(Resolution("encirclement", "encircled", steps=(step,)))
