"""The impulses of a human wave: every unit one location forward, then the enemy's fire."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.concealment.cover import place_hidden, reveal
from hexmarshal.games.asl.rules.defensive_fire.first_fire import open_window
from hexmarshal.games.asl.rules.defensive_fire.residual import attack_by_residual
from hexmarshal.games.asl.rules.heat_of_battle.charge import arrive
from hexmarshal.games.asl.rules.human_wave.impulse_check import (
    Wave,
    can_go,
    factors,
    known_in,
    wave_of,
)
from hexmarshal.games.asl.rules.machine_guns.lanes import attack_by_lanes
from hexmarshal.games.asl.rules.movement.allowance import BERSERK_FACTORS
from hexmarshal.games.asl.rules.movement.costs import price
from hexmarshal.games.asl.state.ground import Location
from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.state.effects import ChangeFrame, MoveUnit, SetExtra
from hexmarshal.rules.values import FrozenMap, Value, show_number

if TYPE_CHECKING:
    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.rules.action import Action

__all__ = ["after_fire", "end", "step"]


def _number(value: Fraction) -> int | str:
    return int(value) if value.denominator == 1 else show_number(value)


def step(play: Play, action: Action) -> None:
    """ASL-A25.23c: they are there; what it has cost is settled when the impulse ends."""
    now = play.now
    wave = wave_of(now)
    assert wave is not None
    names = action.texts("units")
    group = [now.unit(name) for name in names]
    start, end = now.at(group[0]), Location(action.text("to"), action.number("level"))
    cost = price(now, start, end, group)
    total = Fraction(BERSERK_FACTORS) if cost.all_mf else cost.total
    for unit in group:
        left = unit.values.get("wave_left", ())
        play.do(MoveUnit(unit.id, end.cell, end.level))
        play.note(unit.id, wave_left=(*(left if isinstance(left, tuple) else ()), start.cell))
        play.unmark(unit.id, marks.ENCIRCLED)
        for weapon in play.now.weapons(unit):
            play.mark(weapon.id, marks.CARRIED)
    _flush_out(play, end, group[0].side)
    values: dict[str, Value] = {
        "moved": (*wave.moved, *names),
        "impulse": _number(max(wave.impulse, total)),
    }
    play.do(ChangeFrame("wave", FrozenMap(values)))


def _flush_out(play: Play, place: Location, side: str) -> None:
    """ASL-A12.15a, ASL-CONL-2: a wave is not thrown back: who hides where it enters is shown."""
    why = "a human wave enters its location"
    for unit in play.now.people(place, other(side)):
        place_hidden(play, unit.id, why)
    for unit in play.now.people(place, other(side)):
        reveal(play, unit.id, why, "ASL-CONL-2")


def end(play: Play, action: Action) -> None:
    """ASL-A25.23b, ASL-A25.232: all have spent the same; then fire, location by location."""
    del action
    wave = wave_of(play.now)
    assert wave is not None
    for name in wave.units:
        if name not in wave.moved:
            _leaves(play, name)
    if not wave.moved:
        _over(play)
        return
    play.do(SetExtra("attacks"))
    places = dict.fromkeys(
        f"{unit.cell} {unit.level}" for unit in (play.position.unit(n) for n in wave.moved)
    )
    values: dict[str, Value] = {
        "units": wave.moved,
        "spent": _number(wave.spent + wave.impulse),
        "waiting": tuple(places),
    }
    play.do(ChangeFrame("wave", FrozenMap(values)))
    _next_location(play)


def _leaves(play: Play, name: str) -> None:
    """ASL-A25.23e: it has ended its move; morale and laxness last for the player turn."""
    if name in play.position.units:
        play.mark(name, marks.MOVED)
        play.note(name, wave_left=None)


def _next_location(play: Play) -> None:
    """ASL-A25.232: residual fire at who is there now, then the DEFENDER's."""
    while (wave := wave_of(play.now)) is not None and wave.waiting:
        text, *rest = wave.waiting
        play.do(ChangeFrame("wave", FrozenMap[Value]({"waiting": tuple(rest)})))
        cell, _, level = text.partition(" ")
        place = Location(cell, int(level))
        there = [n for n in wave.units if n in play.position.units]
        there = [n for n in there if play.now.at(play.position.unit(n)) == place]
        if there and _under_fire(play, wave, place, tuple(there)):
            return
    if wave is not None:
        _next_impulse(play)


def _under_fire(play: Play, wave: Wave, place: Location, names: tuple[str, ...]) -> bool:
    """Fire at one location of the wave; whether the DEFENDER is asked."""
    side = play.now.phasing
    left = play.position.unit(names[0]).values.get("wave_left", ())
    man = play.now.people(place, other(side))
    lone = len(man) == 1 and play.now.is_smc(man[0]) and not play.now.is_hidden(man[0])
    about: dict[str, object] = {
        "units": names,
        "spent": _number(wave.spent),
        "here": _number(wave.impulse),
        "steps": 1,
    }
    if isinstance(left, tuple) and left:
        about["left"] = str(left[-1])
    if lone and any(play.now.is_mmc(play.position.unit(n)) for n in names):
        about["overrun"] = man[0].id  # ASL-A25.23d
    play.ask("moving", side, about=about)
    attack_by_residual(play, place, names, side)
    attack_by_lanes(play, place, names, side)
    present = tuple(n for n in names if n in play.position.units)
    play.do(ChangeFrame("moving", FrozenMap[Value]({"units": present})))
    if present:
        open_window(play, place, present)
    if play.position.frame("first_fire") is not None:
        return True
    _close_location(play)
    return False


def _close_location(play: Play) -> None:
    """The fire at a location is done: close combat with a single man, and who has met the enemy."""
    from hexmarshal.games.asl.rules.overrun.overrun import strike

    strike(play)
    frame = play.answered("moving")
    names = tuple(n for n in frame.texts("units") if n in play.position.units)
    if names:
        arrive(play, names, play.now.at(play.position.unit(names[0])), play.now.phasing)


def after_fire(play: Play) -> bool:
    """When the DEFENDER has fired at a location of a wave: on to the next; False without a wave."""
    if play.position.frame("wave") is None or play.position.frame("moving") is None:
        return False
    _close_location(play)
    _next_location(play)
    return True


def _next_impulse(play: Play) -> None:
    """ASL-A25.23e: who is broken, out of factors or has met the enemy is out of it."""
    wave = wave_of(play.now)
    assert wave is not None
    left = []
    for name in wave.units:
        unit = play.position.units.get(name)
        if unit is None:
            continue
        met = known_in(play.now, play.now.at(unit), unit.side)
        out = unit.flags & {marks.BROKEN, marks.MELEE, marks.MOVED, marks.BERSERK}
        if out or met or wave.spent >= factors(unit):
            _leaves(play, name)
        else:
            left.append(name)
    values: dict[str, Value] = {"units": tuple(left), "moved": (), "impulse": 0}
    play.do(ChangeFrame("wave", FrozenMap(values)))
    after = wave_of(play.now)
    assert after is not None
    if not any(can_go(play.now, name) for name in after.units):
        _over(play)


def _over(play: Play) -> None:
    frame = play.answered("wave")
    for name in frame.texts("units"):
        _leaves(play, name)
