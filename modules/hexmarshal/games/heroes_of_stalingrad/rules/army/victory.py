"""HOS-2.2, HOS-2.7: how a game ends. The conditions themselves are those of the scenario."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.state.kinds import SIDES
from hexmarshal.rules.state.effects import SetExtra, SetTrack
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.heroes_of_stalingrad.state.execution import Play
    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.rules.values import Record

__all__ = ["after_reserve", "holders", "outcome"]


def holders(now: Situation) -> Iterator[tuple[str, str, int]]:
    """Each objective, the side that alone has units in it ('' if none), and its points."""
    for name, objective in now.kept("objectives").items():
        if not isinstance(objective, FrozenMap):
            continue
        cells, points = objective.get("cells", ()), objective.get("points", 0)
        sides = {
            unit.side
            for cell in (cells if isinstance(cells, tuple) else ())
            for unit in now.position.at(str(cell))
            if now.is_live(unit)
        }
        side = sides.pop() if len(sides) == 1 else ""
        yield name, side, points if isinstance(points, int) else 0


def _scores(now: Situation) -> dict[str, int]:
    return {side: now.position.track(f"score-{side}") for side in SIDES}


def outcome(now: Situation) -> Outcome | None:
    """How the game ended; None while it goes on."""
    ended = now.kept("ended")
    scores: Record = FrozenMap(_scores(now))
    if ended:
        winners = ended.get("winners", ())
        names = tuple(map(str, winners)) if isinstance(winners, tuple) else ()
        return Outcome(names, str(ended.get("text", "")), str(ended.get("rule", "")), scores)
    wanted = now.kept("victory").get("points")
    ahead = max(_scores(now).items(), key=lambda pair: pair[1])
    if isinstance(wanted, int) and ahead[1] >= wanted and len(set(_scores(now).values())) > 1:
        text = f"{ahead[0]} has {ahead[1]} of {wanted} points"
        return Outcome((ahead[0],), text, "HOS-2.2", scores)
    return None


def after_reserve(play: Play) -> bool:
    """HOS-2.2: objectives score, then victory and the time limit are tested; True: it is over."""
    for name, side, points in holders(play.now):
        if side and points:
            track = f"score-{side}"
            play.do(SetTrack(track, play.position.track(track) + points))
            text = f"{side} alone has units in it"
            play.tell("objective", f"{name}: {points} points for {side}", (text, "HOS-2.2"))
    scores = _scores(play.now)
    best = max(scores.values())
    leaders = tuple(side for side, score in scores.items() if score == best)
    told = ", ".join(f"{side} {score}" for side, score in scores.items())
    wanted = play.now.kept("victory").get("points")
    turns = play.position.extras.get("turns")
    if isinstance(wanted, int) and best >= wanted and len(leaders) == 1:
        return _end(play, leaders, f"{leaders[0]} has {best} of {wanted} points ({told})")
    if isinstance(turns, int) and play.position.turn >= turns:
        winners = leaders if len(leaders) == 1 else ()
        text = f"most points after the last turn ({told})" if winners else f"a draw ({told})"
        return _end(play, winners, text)
    return False


def _end(play: Play, winners: tuple[str, ...], text: str) -> bool:
    ended: Record = FrozenMap({"winners": winners, "text": text, "rule": "HOS-2.2"})
    play.do(SetExtra("ended", ended))
    play.tell("end", text, (text, "HOS-2.2"))
    return True
