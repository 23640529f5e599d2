"""Casualty points: what each unit is worth, what a side has lost, and what prisoners add."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.state.effects import SetExtra
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["captives", "count_loss", "points_against", "worth_of_type"]

_MMC: Final = {"squad": 2, "crew": 2, "half_squad": 1}
_GUARDED: Final = 2
"""Prisoners count double (ASL-PRIS-2)."""


def worth_of_type(now: Situation, key: str) -> int:
    """ASL-PRIS-2: squads and crews 2, half-squads 1, leaders 1 and 1 for each level below 0."""
    counter = now.tables.counters.get(key)
    if counter is None:
        return 0
    if counter.kind == "leader":
        return 1 + max(0, -counter.leadership)
    return _MMC.get(counter.kind, 0)


def worth(now: Situation, unit: Unit) -> int:
    """What a unit is worth; a prisoner what he was before."""
    return worth_of_type(now, str(unit.values.get("was") or unit.type))


def _counts(now: Situation) -> bool:
    goal = now.position.extras.get("victory")
    return isinstance(goal, FrozenMap) and isinstance(goal.get("casualties"), int)


def lost(now: Situation, side: str) -> int:
    """The points that a side has lost so far, prisoners apart."""
    found = now.position.extras.get("casualties")
    value = found.get(side, 0) if isinstance(found, FrozenMap) else 0
    return value if isinstance(value, int) else 0


def count_loss(play: Play, unit: Unit, left: str = "", *, by_captor: bool = False) -> None:
    """ASL-PRIS-2: a unit is lost, or reduced to another; where the scenario counts that.

    A prisoner whom fire kills counts double, one killed by his captor or in his escape does not.
    """
    now = play.now
    if not _counts(now) or now.is_dummy(unit):
        return
    points = worth(now, unit) - (worth_of_type(now, left) if left else 0)
    if unit.by(marks.GUARDS) and not by_captor and not unit.has(marks.ESCAPING):
        points *= _GUARDED
    if points <= 0:
        return
    old = now.position.extras.get("casualties")
    sums = dict(old) if isinstance(old, FrozenMap) else {}
    sums[unit.side] = lost(now, unit.side) + points
    play.do(SetExtra("casualties", FrozenMap(sums)))


def captives(now: Situation, side: str) -> dict[str, int]:
    """ASL-PRIS-2: the prisoners whom a side guards, each with what he counts at the end."""
    return {
        unit.id: _GUARDED * worth(now, unit)
        for unit in now.position.of_side(other(side))
        if (guard := now.guard(unit)) is not None and guard.side == side
    }


def points_against(now: Situation, side: str) -> int:
    """What counts against a side at the end: its losses, and who of it is guarded then."""
    return lost(now, side) + sum(captives(now, other(side)).values())
