"""The sniper check: those whom a sniper has just attacked look for him."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.rules.morale import casualties
from hexmarshal.games.asl.rules.snipers.whereabouts import lose, put, sniper_of
from hexmarshal.games.asl.state.ground import Location
from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.rolling.modifiers import tally
from hexmarshal.rules.verdict import Modifier, Resolution, Step

if TYPE_CHECKING:
    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["ignore", "modifiers_of", "offer", "searchers", "seek"]

_SPENT: Final = frozenset(
    {
        marks.PINNED, marks.TI, marks.PREP_FIRE, marks.FIRST_FIRE, marks.FINAL_FIRE,
        marks.ADVANCING_FIRE, marks.USED, marks.MOVED, marks.OPPORTUNITY,
    }
)  # fmt: skip
_KILLS: Final = 2
_PINS: Final = 3


def searchers(now: Situation, side: str, place: Location) -> list[Unit]:
    """ASL-SAN-8: armed, in good order, neither pinned nor TI, not fired or moved."""
    frame = now.position.frame("moving")
    moving = frame.texts("units") if frame is not None else ()
    return [
        unit
        for unit in now.people(place, side)
        if now.good_order(unit)
        and now.is_armed(unit)
        and not unit.flags & _SPENT
        and unit.id not in moving
    ]


def offer(play: Play, side: str, place: Location) -> None:
    """The other side may look for the sniper of `side` that has attacked this location."""
    if searchers(play.now, other(side), place):
        play.ask("sniper_check", other(side), about={"cell": place.cell, "level": place.level})


def modifiers_of(now: Situation, units: list[Unit]) -> list[Modifier]:
    """ASL-SAN-8: a leader for others, -1 for each hero, -1 for each half-squad's worth."""
    found = []
    leaders = [u for u in units if now.is_leader(u) and len(units) > 1]
    # ASL-A15.2b: a heroic leader is one or the other, whichever is better
    leaders = [u for u in leaders if not now.is_hero(u) or now.leadership(u) < -1]
    best = min(leaders, key=lambda leader: (now.leadership(leader), leader.id), default=None)
    if best is not None and (amount := now.leadership(best)):
        found.append(Modifier(f"leadership of {best.id}", amount, "ASL-SAN-8"))
    heroes = sum(now.is_hero(unit) for unit in units if unit is not best)
    if heroes:
        found.append(Modifier("heroes", -heroes, "ASL-SAN-8"))
    halves = sum(2 if now.counter(u).kind == "squad" else 1 for u in units if now.is_mmc(u))
    if halves:
        found.append(Modifier("half-squads and their equals", -halves, "ASL-SAN-8"))
    return found


def _place(play: Play) -> Location:
    frame = play.answered("sniper_check")
    level = frame.value("level", 0)
    return Location(frame.text("cell"), level if isinstance(level, int) else 0)


def seek(play: Play, action: Action) -> None:
    """ASL-SAN-8: one roll for all of them; they are pinned, whatever comes of it."""
    place = _place(play)
    units = searchers(play.now, action.side, place)
    enemy = other(action.side)
    found = tally(modifiers_of(play.now, units))
    dice, rolls = play.roll_two("sniper check", action.side)
    total = sum(dice) + int(found.total())
    result = "eliminated" if total <= _KILLS else "pinned" if total == _PINS else "none"
    told = (
        f"{', '.join(u.id for u in units)}: {dice[0]} + {dice[1]}"
        + "".join(f" {m.amount:+} {m.label}" for m in found.counted)
        + f" = {total}: {result}"
    )
    step = Step(told, "ASL-SAN-8")
    play.decide(
        Resolution("sniper check", result, modifiers=found.modifiers, dice=rolls, steps=(step,))
    )
    for unit in units:
        casualties.pin(play, unit.id)
    marker = sniper_of(play.now, enemy)
    if result == "eliminated":
        lose(play, enemy, "ASL-SAN-8")
    elif result == "pinned" and marker is not None:
        put(play, enemy, marker.cell, pinned=True)


def ignore(play: Play, action: Action) -> None:
    """They let him be."""
    del action
    play.answered("sniper_check")
