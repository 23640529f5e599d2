"""Resolving attacks: one roll a target, all at once, hidden targets never betrayed by a miss."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.fire import attack, casualties
from hexmarshal.games.conflict_of_heroes.rules.fire.aiming import EMPTY_HEX
from hexmarshal.games.conflict_of_heroes.rules.fire.attack_kinds import explosive
from hexmarshal.games.conflict_of_heroes.rules.terrain import hiding
from hexmarshal.games.conflict_of_heroes.rules.turn import victory
from hexmarshal.rules.state.effects import ChangeUnit, RemoveMarker
from hexmarshal.rules.values import FrozenMap, Value
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.games.conflict_of_heroes.rules.fire.attack import Shot
    from hexmarshal.games.conflict_of_heroes.rules.fire.attack_kinds import Assault
    from hexmarshal.games.conflict_of_heroes.rules.turn.rolling import Rolled, Roller
    from hexmarshal.games.conflict_of_heroes.state.execution import Play
    from hexmarshal.rules.state.pieces import Marker, Unit

__all__ = ["shell_hidden", "shot_values", "strike"]

HITS = {"miss": 0, "hit": 1, "critical": 2}


def strike(
    play: Play,
    assault: Assault,
    targets: Sequence[Unit],
    works: Sequence[Marker],
    roller: Roller,
    side: str,
) -> None:
    """Roll against every target, then let all results happen (COH-7.5.1a, COH-18.4b).

    All values are those before the first roll: who sits in a bunker that falls keeps its
    protection, a passenger that of his carrier (COH-16.1b).
    """
    now = play.now
    # COH-7.5.1c: against each its own colour.
    shots = [attack.on_unit(now, assault, target) for target in targets]
    shots = [shot for shot in shots if not shot.barred]
    for shot in shots:
        _show_target(play, shot)
    fort_shots = [attack.on_work(now, assault, marker) for marker in works]
    rolled = [(shot, _against(play, shot, roller, side)) for shot in shots]
    struck = [
        (shot, roller.two("attack", shot.target, (shot.needed,)))
        for shot in fort_shots
        if not shot.barred
    ]
    for shot, dice in (*rolled, *struck):
        result = attack.result_of(shot, dice.total)
        work = shot.facing == "fortification"
        play.decide(_resolution(shot, dice, "destroyed" if work and result != "miss" else result))
    for shot, dice in rolled:
        hits = HITS[attack.result_of(shot, dice.total)]
        if hits and play.now.on_map(play.unit(shot.target)):
            if play.unit(shot.target).seen_by is not None:
                hiding.reveal(play, shot.target, "COH-10.0d")
            casualties.apply_hits(play, shot.target, hits, side)
    for shot, dice in struck:
        if attack.result_of(shot, dice.total) != "miss":
            raze(play, shot.target)
    victory.settle_control(play)


def raze(play: Play, marker: str) -> None:
    """A fortification or obstacle is gone; who was in it stands in the hex."""
    for unit in play.position.units.values():
        if unit.values.get("fort") == marker:
            play.do(ChangeUnit(unit.id, values=FrozenMap({"fort": None})))
    play.do(RemoveMarker(marker))


def _against(play: Play, shot: Shot, roller: Roller, side: str) -> Rolled:
    """The roll against one unit; a friend in the way is to be spared."""
    friend = not play.now.hostile(side, play.unit(shot.target))
    return roller.two("attack", shot.target, (shot.needed, shot.critical), sparing=friend)


def _show_target(play: Play, shot: Shot) -> None:
    """COH-7.5c: a marker is shown when a value that it changes is used, whatever the result."""
    target = play.unit(shot.target)
    hit = play.now.hit(target)
    if hit is not None and (hit.front if shot.facing == "front" else hit.flank):
        casualties.show(play, target)


def shot_values(shot: Shot) -> dict[str, Value]:
    """The sums of a shot."""
    return {
        "target": shot.target,
        "colour": shot.colour,
        "facing": shot.facing,
        "firepower": shot.power,
        "rating": shot.rating,
        "attack": shot.attack,
        "defence": shot.defence,
        "needed": shot.needed,
        "critical": shot.critical,
    }


def _resolution(shot: Shot, rolled: Rolled, result: str) -> Resolution:
    total = shot.attack + rolled.total
    text = f"{total} against {shot.defence}: {result}"
    return Resolution(
        "attack",
        result,
        strengths=shot.strengths,
        modifiers=(*shot.power_mods, *rolled.modifiers, *shot.rating_mods),
        dice=rolled.dice,
        steps=(Step(text, "COH-7.0b"),),
        values=FrozenMap({**shot_values(shot), "attack_value": total}),
    )


def shell_hidden(
    play: Play, assault: Assault, roller: Roller, side: str, name: str = EMPTY_HEX
) -> None:
    """COH-10.0d, COH-10.0e: fire at a hex that seems empty.

    It is resolved against the weakest hidden unit there, if there is one. Nobody but its owner
    learns more from a miss than from a shot at nothing.
    """
    now = play.now
    hidden = [u for u in now.enemies_at(assault.cell, side) if u.seen_by is not None]
    flank = explosive(now, assault)
    target = min(
        hidden,
        key=lambda u: (now.counter(u).flank if flank else now.counter(u).front, u.id),
        default=None,
    )
    if target is None:
        rolled = roller.two("attack", name, ())
        play.decide(_nothing(rolled))
        return
    shot = attack.on_unit(now, assault, target)
    rolled = roller.two("attack", name, (shot.needed, shot.critical))
    result = "miss" if shot.barred else attack.result_of(shot, rolled.total)
    if result == "miss":
        play.decide(_nothing(rolled))
        secret = _resolution(shot, rolled, "miss")
        only = frozenset({target.side})
        play.decide(
            Resolution(
                "attack",
                "miss",
                secret.strengths,
                steps=secret.steps,
                values=secret.values,
                known_to=only,
            )
        )
        return
    hiding.reveal(play, target.id, "COH-10.0d")
    play.decide(_resolution(shot, rolled, result))
    casualties.apply_hits(play, target.id, HITS[result], side)
    victory.settle_control(play)


def _nothing(rolled: Rolled) -> Resolution:
    text = "nothing comes to light"
    return Resolution(
        "attack",
        "miss",
        modifiers=rolled.modifiers,
        dice=rolled.dice,
        steps=(Step(text, "COH-10.0d"),),
    )
