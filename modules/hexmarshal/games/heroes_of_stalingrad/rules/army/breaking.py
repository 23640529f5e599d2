"""HOS-2.91, HOS-8.3, HOS-8.4: break points of recruitment tiles and options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.state.army import entries, lost, update
from hexmarshal.games.heroes_of_stalingrad.state.kinds import other
from hexmarshal.rules.state.effects import SetTrack

if TYPE_CHECKING:
    from hexmarshal.games.heroes_of_stalingrad.state.execution import Play
    from hexmarshal.rules.values import Record

__all__ = ["look"]


def look(play: Play, entry: Record) -> None:
    """HOS-8.4: who reaches its break point is flipped, and the enemy scores."""
    unit = play.unit(str(entry["unit"]))
    one = entries(play.now, unit.side).get(str(unit.value("group", "")))
    limit = 0 if one is None else int(one.row.get("break", 0))
    if one is None or not limit or one.record.get("broken") is True:
        return
    gone = lost(play.now, one.side, one.id)
    if gone < limit:
        return
    update(play, one, broken=True)
    if gone > limit:
        return  # it was reached before, and scored: the position was read from a table
    points = int(one.row.get("points", 0))
    enemy = other(one.side)
    track = f"score-{enemy}"
    play.do(SetTrack(track, play.position.track(track) + points))
    text = f"{gone} of its counters are destroyed, its break point is {limit}"
    play.tell("break", f"{one.id}: {points} points for {enemy}", (text, "HOS-8.4"))
