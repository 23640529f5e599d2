"""TOW-4.0: the phases of a turn, and what happens by itself in them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.games.traces_of_war.rules.ground.control import sweep
from hexmarshal.games.traces_of_war.rules.movement import relocation
from hexmarshal.games.traces_of_war.rules.victory import ending
from hexmarshal.games.traces_of_war.state.kinds import AXIS, HQ, SIDES, SOVIET
from hexmarshal.games.traces_of_war.state.piles import (
    AIR,
    BOX,
    CUP,
    HAND,
    PLAYED,
    TRACK,
    pool,
)
from hexmarshal.rules.state.effects import ChangeUnit, MoveCards, PopFrame, Proceed, PushFrame
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from hexmarshal.games.traces_of_war.state.execution import Play
    from hexmarshal.rules.values import Value

__all__ = ["ask", "begin", "next_phase"]

CONVERSION_TURN = 4


def next_phase(play: Play) -> bool:
    """With no decision open, enter the next phase; False where a side has to act first."""
    position = play.position
    match position.phase:
        case "setup":
            begin(play, position.turn)
        case "luftwaffe" if position.turn == 1 and _headquarters(play):
            # TOW-12.1: after the Luftwaffe, before the tokens, on turn 1 alone.
            play.do(Proceed(phase="opening"))
            ask(play)
        case "luftwaffe" | "opening":
            play.do(Proceed(phase="selection"))
            ask(play)
        case "action":
            # TOW-4.3i: as long as there is a token in the cup or in the Axis hand.
            if position.pile(CUP).cards or position.pile(HAND).cards:
                return False
            _end(play)
        case _:
            return False
    return True


def ask(play: Play) -> None:
    """Ask for the decision that the phase begins with."""
    match play.position.phase:
        case "setup":
            play.ask("deployment", AXIS)
        case "opening":
            play.ask("opening", SOVIET)
        case "selection":
            play.ask("selection", *SIDES)
            _seal(play)
        case "action":
            play.do(Proceed(state="draw", active=(AXIS,)))


def _headquarters(play: Play) -> bool:
    return any(unit.type == HQ for unit in play.now.on_map(SOVIET))


def _seal(play: Play) -> None:
    """TOW-4.2a: nobody learns whether the other has chosen already."""
    frame = play.position.frames[-1]
    play.do(PopFrame("selection"), PushFrame(replace(frame, sealed=True, resume=None)))


def begin(play: Play, turn: int) -> None:
    """A turn begins: tokens come back, headquarters convert, the Luftwaffe reorganises."""
    play.do(Proceed(turn=turn, phase="luftwaffe", state="", active=()))
    _tokens(play, turn)
    if turn == CONVERSION_TURN and play.now.option("ukrainian_fronts"):
        _convert(play)
    # TOW-12.3e: from turn 7 on empty crossing points count, for the Luftwaffe of that turn already.
    taken = tuple(sweep(play))
    if taken:
        play.decide(Resolution("crossing points", str(play.now.crossing_points), steps=taken))
    _luftwaffe(play)
    for unit in relocation.waiting(play.now):
        relocation.ask(play, unit)


def _tokens(play: Play, turn: int) -> None:
    """What was played, and what the turn track brings, goes to the pools."""
    known = play.tables.tokens
    for side in SIDES:
        played = tuple(t for t in play.position.pile(PLAYED).cards if known[t].side == side)
        due = tuple(
            t
            for t in play.position.pile(TRACK).cards
            if known[t].side == side and known[t].from_turn <= turn
        )
        for source, cards in ((PLAYED, played), (TRACK, due)):
            if cards:
                play.do(MoveCards(source, pool(side), cards, "bottom"))


def _convert(play: Play) -> None:
    """TOW-14.2: Front headquarters become Ukrainian ones, each at the strength that it has left."""
    for unit in play.position.of_side(SOVIET):
        other = unit.values.get("ukrainian")
        if unit.type != HQ or not isinstance(other, FrozenMap):
            continue
        changes: dict[str, Value] = {**other.plain(), "ukrainian": None}
        ladder = other.get("ladder")
        steps = min(unit.steps, len(ladder)) if isinstance(ladder, tuple) else unit.steps
        text = f"{play.now.name(unit)} becomes {other.get('name')}"
        effect = ChangeUnit(unit.id, steps=max(steps, 1), values=FrozenMap(changes))
        step = Step(text, "TOW-14.2")
        play.decide(Resolution("conversion", unit.id, steps=(step,), effects=(effect,)))


def _luftwaffe(play: Play) -> None:
    """TOW-4.1, TOW-7.0a: the Axis player alone draws as many markers as the table says."""
    now = play.now
    count = now.crossing_points
    cell = now.known_cell(now.tables.by_count("luftwaffe", count), "Luftwaffe reorganisation")
    wanted = min(int(cell.number), len(play.position.pile(BOX).cards))
    for _ in range(wanted):
        box = play.position.pile(BOX).cards
        drawn = box[play.dice.pick(len(box), "a Luftwaffe marker", AXIS)]
        play.do(MoveCards(BOX, AIR, (drawn,)))
    text = f"{count} crossing points are Soviet: the Axis draws {wanted} markers"
    steps = [Step(text, "TOW-4.1")]
    if cell.ours:
        steps.append(Step("this cell of the Luftwaffe table is ours", "TOW-4.1"))
    play.decide(Resolution("luftwaffe", str(wanted), steps=tuple(steps)))


def _end(play: Play) -> None:
    """TOW-4.3i, TOW-4.4.1, TOW-4.4.2: unused markers go back, victory is judged, time goes on."""
    unused = play.position.pile(AIR).cards
    if unused:
        play.do(MoveCards(AIR, BOX, unused))
    play.do(Proceed(phase="end", state="", active=()))
    if not ending.judge_turn(play):
        begin(play, play.position.turn + 1)
