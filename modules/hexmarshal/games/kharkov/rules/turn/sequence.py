"""Section 4: the sequence of play, and what each phase does by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.rules.combat import air
from hexmarshal.games.kharkov.rules.command import headquarters
from hexmarshal.games.kharkov.rules.command import supply as supplies
from hexmarshal.games.kharkov.rules.movement import reserves, southern_sector, stacking
from hexmarshal.games.kharkov.rules.movement.moving_group import let_go
from hexmarshal.games.kharkov.rules.turn import setup, victory
from hexmarshal.games.kharkov.state.situation import AXIS, SOVIET
from hexmarshal.rules.plugin import Phase
from hexmarshal.rules.state.effects import ChangeUnit, Proceed, SetTrack
from hexmarshal.rules.state.lifetimes import Lifetime, Until
from hexmarshal.rules.values import FrozenMap, Value
from hexmarshal.rules.verdict import Verdict, Violation

if TYPE_CHECKING:
    from hexmarshal.games.kharkov.state.execution import Play
    from hexmarshal.games.kharkov.state.situation import Situation

__all__ = ["LIFETIMES", "PHASES", "begin_turn", "check_end", "next_phase"]

_MOVES = ("move", "rail", "overrun", "enter")
PHASES = (
    Phase("setup_axis", "Axis set-up", (AXIS,), ("deploy", "break_down", "end_phase")),
    Phase("setup_soviet", "Soviet set-up", (SOVIET,), ("deploy", "end_phase")),
    Phase(
        "reserve_commitment", "Soviet Reserve Commitment Phase", (SOVIET,), ("commit", "end_phase")
    ),
    Phase("soviet_movement", "Soviet Movement Phase", (SOVIET,), (*_MOVES, "end_phase")),
    Phase("soviet_combat", "Soviet Combat Phase", (SOVIET,), ("attack", "end_phase")),
    Phase(
        "axis_movement",
        "Axis Initial Movement Phase",
        (AXIS,),
        (*_MOVES, "disengage", "break_down", "recombine", "dig_in", "end_phase"),
    ),
    Phase("axis_combat", "Axis Combat Phase", (AXIS,), ("attack", "end_phase")),
    Phase(
        "mechanised_movement",
        "Axis Mechanised Movement Phase",
        (AXIS,),
        ("move", "overrun", "end_phase"),
    ),
    Phase("air_support", "Axis Air Support Phase", (AXIS,), ("air_supply", "end_phase")),
)
COMBAT = ("soviet_combat", "axis_combat")
MOVEMENT = ("soviet_movement", "axis_movement", "mechanised_movement")
LIFETIMES = (
    Lifetime(
        Until.PHASE,
        flags=frozenset({"fought", "attacked", "fled", "advanced"}),
        extras=("assaulted",),
        phases=COMBAT,
    ),
    # KHA-6.12: nothing of a movement is saved.
    Lifetime(
        Until.PHASE,
        flags=frozenset({"moved"}),
        values=("began", "command"),
        phases=MOVEMENT,
        own=True,
    ),
    # KHA-7.17: a headquarters leads one overrun in a turn.
    Lifetime(Until.PHASE, flags=frozenset({"overran"}), phases=MOVEMENT, own=True, kept_by=("hq",)),
)
OF_THE_TURN = frozenset({"stopped", "activated", "arrived", "overran"})


def check_end(now: Situation, side: str) -> Verdict:
    """Nothing keeps a phase open but a hex with too many units, or an unfinished set-up."""
    found: list[Violation] = []
    for cell, whose in stacking.crowded(now).items():
        if whose == side:
            text = f"{cell} holds more than three units: remove the excess"
            found.append(Violation("KHA-8.1", text, cells=(cell,)))
    if now.position.phase.startswith("setup"):
        found += setup.unfinished(now, side)
    return Verdict(tuple(found))


def next_phase(play: Play) -> None:
    """The phase is over: what it leaves behind, and the next one (KHA-4.1)."""
    let_go(play)
    match play.now.position.phase:
        case "setup_axis":
            play.do(Proceed(phase="setup_soviet", active=(SOVIET,)))
        case "setup_soviet":
            setup.forget(play)
            begin_turn(play)
        case "reserve_commitment":  # KHA-4.2.A1
            _begin_movement(play, SOVIET, "soviet_movement")
        case "soviet_movement":  # KHA-4.2.A2
            play.do(Proceed(phase="soviet_combat"))
        case "soviet_combat":  # KHA-4.2.A3
            _recover(play, SOVIET)  # KHA-4.2.A4
            _begin_movement(play, AXIS, "axis_movement")
        case "axis_movement":  # KHA-4.2.B1
            play.do(Proceed(phase="axis_combat"))
        case "axis_combat":  # KHA-4.2.B2
            _after_axis_combat(play)
        case "mechanised_movement":  # KHA-4.2.B3
            _after_mechanised(play)
        case _:
            _end_turn(play)


def _after_axis_combat(play: Play) -> None:
    """KHA-6.58: the last turn has no Mechanised Movement Phase."""
    if play.now.turn in play.tables.schedule["no_mechanised_phase"]:
        _after_mechanised(play)
    else:
        _begin_movement(play, AXIS, "mechanised_movement")


def _after_mechanised(play: Play) -> None:
    _recover(play, AXIS)  # KHA-4.2.B4
    if air.available(play.now, AXIS):
        play.do(Proceed(phase="air_support"))  # KHA-4.2.B5
    else:
        _end_turn(play)


# Parts


def begin_turn(play: Play) -> None:
    """A new game turn, the Soviet player's part first (KHA-4.1).

    Headquarters wake before supply is judged: the book activates them at the start of the turn.
    """
    now = play.now
    play.do(*air.renewed(play))
    play.do(*headquarters.activated(now))
    if now.turn >= play.tables.schedule["southern_activation"]:
        southern_sector.activate(play, "KHA-6.56", "the southern sector is activated")
    _reset_commitment(play)
    plan = play.tables.schedule["reserves"]
    if now.turn >= plan["first"] and reserves.waiting(now):
        play.do(Proceed(phase="reserve_commitment", state="", active=(SOVIET,)))
    else:
        _begin_movement(play, SOVIET, "soviet_movement")


def _reset_commitment(play: Play) -> None:
    kept = play.now.option("reserve_limit") == "both_turns"
    for track, value in play.now.position.tracks.items():
        if track.startswith("committed") and value and not kept:
            play.do(SetTrack(track, 0))


def _begin_movement(play: Play, side: str, phase: str) -> None:
    """Supply is judged before anybody moves, and holds for the phase (KHA-11.0-P, KHA-11.41)."""
    play.do(Proceed(phase=phase, state="", active=(side,)))
    now = play.now
    if now.position.track("rail-used"):
        play.do(SetTrack("rail-used", 0))
    lasting = phase == "mechanised_movement" and now.option("unsupplied") == "turn"
    for unit in tuple(now.on_map(side)):
        changes: dict[str, Value] = {}
        if side == SOVIET and now.fights(unit) and (led := headquarters.commanders(now, unit)):
            changes["command"] = led  # KHA-7.17
        short = unit.has("unsupplied") if lasting else not supplies.supplied(now, unit)
        if short != unit.has("unsupplied") or changes:
            flag = frozenset({"unsupplied"})
            none: frozenset[str] = frozenset()
            play.do(
                ChangeUnit(
                    unit.id,
                    flags=flag if short else none,
                    unflags=none if short else flag,
                    values=FrozenMap(changes),
                )
            )


def _recover(play: Play, side: str) -> None:
    """KHA-7.33: the side's units recover; displaced headquarters become active."""
    for unit in play.now.position.of_side(side):
        if unit.has("disrupted"):
            play.do(ChangeUnit(unit.id, unflags=frozenset({"disrupted"})))
    play.do(*headquarters.recovered(play.now, side))


def _end_turn(play: Play) -> None:
    """KHA-4.2.C."""
    victory.tally(play)
    if given_up := southern_sector.front_given_up(play.now):
        southern_sector.activate(play, "KHA-6.54", f"the Soviet line is open in {given_up[0]}")
    turn = play.now.turn
    last = play.scenario.turns if play.scenario else play.tables.schedule["turns"]
    if turn >= last:
        play.do(Proceed(turn=turn + 1, state="", active=(SOVIET,)))
        return
    play.do(*air.expired(play.now))
    for unit in play.now.position.units.values():
        play.unflag((unit.id,), *OF_THE_TURN)
    play.do(Proceed(turn=turn + 1))
    begin_turn(play)
