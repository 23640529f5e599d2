"""HOS-5.3, HOS-5.4: units in ambush are spotted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.rules.movement.states import turn_over
from hexmarshal.games.heroes_of_stalingrad.rules.sight.lines import sees
from hexmarshal.games.heroes_of_stalingrad.rules.sight.measure import unit_range
from hexmarshal.games.heroes_of_stalingrad.state.kinds import other

if TYPE_CHECKING:
    from hexmarshal.games.heroes_of_stalingrad.state.execution import Play
    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Record

__all__ = ["look_around", "spot_mover", "spotter"]

CLOSE = 2


def spotter(now: Situation, unit: Unit) -> str:
    """An enemy that sees a unit in ambush: with a clear line, and close by if it has cover."""
    covered = bool(now.kinds(unit.cell)) if unit.cell else True
    for enemy in now.live(other(unit.side)):
        if now.is_heavy(enemy) or now.is_crew(enemy):
            continue  # heavy vehicles spot nobody
        line = sees(now, enemy, unit)
        if line is None or not line.clear:
            continue
        if not covered or unit_range(now, enemy, unit) <= CLOSE:
            return enemy.id
    return ""


def _spot(play: Play, unit: Unit, by: str) -> None:
    turn_over(play, unit.id)
    play.tell("spotting", f"{unit.id} is spotted", (f"{by} sees it clearly", "HOS-5.3"))


def spot_mover(play: Play, name: str) -> None:
    """HOS-5.4: tested in each cell that a unit in ambush enters.

    It is turned over or spotted once in a Move Action: who began it by hiding is not spotted in it.
    """
    frame = play.now.moving
    turned = ("spotted", "flipped")
    if frame is not None and any(frame.value(name) is True for name in turned):
        return
    unit = play.unit(name)
    by = spotter(play.now, unit)
    if by:
        _spot(play, unit, by)
        if frame is not None:
            play.change("moving", spotted=True)


def look_around(play: Play, entry: Record) -> None:
    """HOS-5.4: tested at the end of the Move Action of any other unit."""
    del entry
    frame = play.now.moving
    mover = "" if frame is None else frame.text("unit")
    for name in [unit.id for unit in play.now.live()]:
        unit = play.unit(name)
        if name != mover and play.now.ambushed(unit) and (by := spotter(play.now, unit)):
            _spot(play, unit, by)
