"""The sequence of play: eight phases of a player turn, and what begins and ends with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.rules.close_combat.melee import let_go
from hexmarshal.games.asl.rules.close_combat.units import open_places
from hexmarshal.games.asl.rules.concealment.cover import place_hidden
from hexmarshal.games.asl.rules.concealment.large_counters import place_seen_guns
from hexmarshal.games.asl.rules.heat_of_battle.charge import (
    calm_after_charge,
    calm_where_none_is_left,
    must_charge,
)
from hexmarshal.games.asl.rules.morale.casualties import eliminate
from hexmarshal.games.asl.rules.prisoners.keeping import go_berserk
from hexmarshal.games.asl.rules.prisoners.surrender import ask_captor, surrenders
from hexmarshal.games.asl.rules.rout import rout_check
from hexmarshal.games.asl.rules.rout.breaking import must_leave
from hexmarshal.games.asl.rules.rout.interdiction import interdictors
from hexmarshal.games.asl.rules.rout.routes import near_enemy
from hexmarshal.games.asl.rules.sequence.control import take_control
from hexmarshal.games.asl.rules.snipers.whereabouts import put
from hexmarshal.games.asl.rules.vehicles.seizing import relieve_drivers
from hexmarshal.games.asl.rules.works.clearing import finish_clearing
from hexmarshal.games.asl.state.situation import SIDES, other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.action import Action
from hexmarshal.rules.state.effects import ChangeUnit, Proceed, RemoveMarker, SetExtra
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

__all__ = ["BOTH", "PHASES", "check_end", "end_phase"]

PHASES: Final = (
    "rally",
    "prep_fire",
    "movement",
    "defensive_fire",
    "advancing_fire",
    "rout",
    "advance",
    "close_combat",
)
BOTH: Final = frozenset({"rally", "rout"})
"""Phases in which the ATTACKER acts first, then the DEFENDER (ASL-ROUT-2, ASL-RALLY-1)."""
_OF_A_PHASE = (
    "attacks", "ring", "rallies_begun", "promotion_tried", "fought", "scrounged",
)  # fmt: skip


def check_end(now: Situation, action: Action) -> Verdict:
    """ASL-ROUT-2: who must rout and can has to, before the phase ends."""
    return Verdict.of(_faults(now, action))


def _faults(now: Situation, action: Action) -> Iterator[Violation]:
    if now.position.phase == "movement":
        for unit in now.on_map(now.phasing):
            if must_charge(now, unit):
                yield Violation("ASL-A15.43a", f"{unit.id} must charge", units=(unit.id,))
    if now.position.phase == "close_combat":
        for place in open_places(now):
            text = f"the close combat in {place} has not been fought"
            yield Violation("ASL-CC-4", text, cells=(place.cell,))
    if now.position.phase != "rout":
        return
    for unit in now.on_map(action.side):
        if not unit.has(marks.BROKEN) or unit.has(marks.ROUTED) or not unit.has(marks.DM):
            continue
        why = must_leave(now, unit)
        if not why and now.option("dm_must_rout") is True:
            why = "it is DM"
        if why and not surrenders(now, unit) and can_rout(now, unit):
            text = f"{unit.id} must rout: {why}"
            yield Violation("ASL-ROUT-2", text, units=(unit.id,), cells=(unit.cell,))


def can_rout(now: Situation, unit: Unit) -> bool:
    """Whether a unit has any legal rout."""
    tries: list[dict[str, Value]] = [
        {"unit": unit.id, "path": path} for path in rout_check.ways(now, unit)
    ]
    tries += [
        {"unit": unit.id, "low_crawl": True, "path": (cell,)} for cell in now.ground.near[unit.cell]
    ]
    return any(
        rout_check.check(now, Action("rout", unit.side, FrozenMap(params))).legal
        for params in tries
    )


def end_phase(play: Play, action: Action) -> None:
    """On to the other side's part of the phase, or to the next phase."""
    now = play.now
    phase = now.position.phase
    if phase == "rout":
        if ask_captor(play, action.side):
            return
        _fail_to_rout(play, action.side)
    if phase in BOTH and action.side == now.phasing:
        play.do(Proceed(active=(now.opposing,)))
        if phase == "rally":
            play.do(SetExtra("rallies_begun", True))
        return
    _ends(play, phase)
    take_control(play)
    if phase == PHASES[-1]:
        if "mopped_up" in play.position.extras:
            play.do(SetExtra("mopped_up"))
        _next_player_turn(play)
    else:
        after = PHASES[PHASES.index(phase) + 1]
        side = now.opposing if after == "defensive_fire" else now.phasing
        play.do(Proceed(phase=after, active=(side,)))
        _begins(play, after)


def _next_player_turn(play: Play) -> None:
    now = play.now
    for marker in tuple(play.position.markers.values()):  # ASL-SAN-7
        if marker.kind == "sniper" and marker.values.get("pinned") is True:
            put(play, marker.side, marker.cell)
    first = str(now.position.extras.get("first", SIDES[0]))
    side = other(now.phasing)
    turn = now.position.turn + (side == first)
    play.do(Proceed(turn=turn, phase=PHASES[0], active=(side,)))
    play.do(SetExtra("phasing", side))
    _begins(play, PHASES[0])


def _begins(play: Play, phase: str) -> None:
    now = play.now
    if phase == "rally":
        place_seen_guns(play)  # ASL-HIP-3
        relieve_drivers(play)  # ASL-CAPT-4
    if phase == "movement":  # ASL-CX-3, ASL-CX-4
        for unit in now.position.of_side(now.phasing):
            if unit.has(marks.CX):
                play.do(
                    ChangeUnit(
                        unit.id,
                        flags=frozenset({marks.CX_REMOVED}),
                        unflags=frozenset({marks.CX}),
                    )
                )
    elif phase in ("prep_fire", "defensive_fire"):
        go_berserk(play, now.phasing if phase == "prep_fire" else now.opposing)
    elif phase == "close_combat":  # ASL-CC-8
        for side in SIDES:
            for unit in tuple(play.now.on_map(side)):
                if unit.has(marks.HIDDEN) and play.now.people(play.now.at(unit), other(side)):
                    place_hidden(play, unit.id, "an enemy is in its location", "ASL-CC-8")
    elif phase == "rout":  # ASL-DM-1
        for side in SIDES:
            for unit in tuple(play.now.on_map(side)):
                if unit.has(marks.BROKEN) and not unit.has(marks.DM) and _despairs(play.now, unit):
                    play.mark(unit.id, marks.DM)


def _despairs(now: Situation, unit: Unit) -> bool:
    """ASL-DM-1: in the open in sight and range of an enemy, or ADJACENT to one."""
    place = now.at(unit)
    return near_enemy(now, place, unit.side) or bool(interdictors(now, place, unit.side))


def _ends(play: Play, phase: str) -> None:
    calm_where_none_is_left(play)
    for name in _OF_A_PHASE:
        if name in play.position.extras:
            play.do(SetExtra(name))
    let_go(play)
    if phase == "rally":
        _end_rally(play)
    elif phase == "movement":
        _end_movement(play)
        calm_after_charge(play)
    elif phase == "close_combat":
        finish_clearing(play)
    elif phase == "advance":
        for unit in play.position.of_side(play.now.phasing):
            if unit.values.get("exhausted") is True:  # ASL-A4.72b
                play.mark(unit.id, marks.CX)
                play.note(unit.id, exhausted=None)


def _end_rally(play: Play) -> None:
    """ASL-DM-1: despair ends with the rally phase."""
    for unit in tuple(play.position.units.values()):
        if unit.has(marks.DM):
            play.unmark(unit.id, marks.DM)
        if unit.values.get("deployed") is not None:
            play.note(unit.id, deployed=None)
        if unit.values.get("recovery_tried") is not None:
            play.note(unit.id, recovery_tried=None)


def _end_movement(play: Play) -> None:
    """ASL-BYP-5, ASL-A24.1a: nobody is in bypass any more, and grenades have burnt out."""
    for unit in tuple(play.position.units.values()):
        if unit.place.startswith("bypass:"):
            play.do(ChangeUnit(unit.id, place=""))
        for name in ("residual_met", "recovery_tried", "wave_left", "charge_from", "carried_by"):
            if unit.values.get(name) is not None:
                play.note(unit.id, **{name: None})
    for marker in tuple(play.position.markers.values()):
        if marker.kind == "smoke" and marker.values.get("grenades") is True:
            play.do(RemoveMarker(marker.id))


def _fail_to_rout(play: Play, side: str) -> None:
    """ASL-ROUT-1, ASL-ROUT-2: who is where no broken unit may be is lost."""
    for unit in tuple(play.now.on_map(side)):
        if not unit.has(marks.BROKEN) or unit.id not in play.position.units:
            continue
        why = must_leave(play.now, unit)
        if why:
            step = Step(f"{unit.id} fails to rout: {why}", "ASL-ROUT-2")
            play.decide(Resolution("failure to rout", "eliminated", steps=(step,)))
            eliminate(play, unit.id)
