"""HOS-2.91, HOS-8.3, HOS-8.4: break points of recruitment tiles and options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.state.army import entries, update
from hexmarshal.games.heroes_of_stalingrad.state.kinds import SIDES, other
from hexmarshal.rules.state.effects import SetTrack

if TYPE_CHECKING:
    from hexmarshal.games.heroes_of_stalingrad.state.play import Play
    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.rules.values import Record

__all__ = ["look", "lost"]


def lost(now: Situation, side: str, group: str) -> int:
    """HOS-2.91: how many counters of a tile or an option are destroyed."""
    return sum(
        now.destroyed(unit) for unit in now.position.of_side(side) if unit.value("group") == group
    )


def look(play: Play, entry: Record | None = None) -> None:
    """HOS-8.4: who reaches its break point is flipped, and the enemy scores."""
    del entry
    for side in SIDES:
        for name, one in entries(play.now, side).items():
            limit = int(one.row.get("break", 0))
            if one.broken or not limit or (gone := lost(play.now, side, name)) < limit:
                continue
            update(play, one, broken=True)
            points = int(one.row.get("points", 0))
            track = f"score-{other(side)}"
            play.do(SetTrack(track, play.position.track(track) + points))
            text = f"{gone} of its counters are destroyed, its break point is {limit}"
            play.tell("break", f"{name}: {points} points for {other(side)}", (text, "HOS-8.4"))
