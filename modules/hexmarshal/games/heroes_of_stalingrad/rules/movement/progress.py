"""HOS-9.1: a Move Action in progress: cell by cell, with what may interrupt it, to its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.rules.movement import driving, spotting
from hexmarshal.games.heroes_of_stalingrad.rules.movement.states import turn_over
from hexmarshal.games.heroes_of_stalingrad.rules.movement.steps import step_faults
from hexmarshal.games.heroes_of_stalingrad.state.kinds import INFANTRY
from hexmarshal.rules.state.effects import ChangeUnit, MoveUnit, PopFrame, SetExtra

if TYPE_CHECKING:
    from hexmarshal.games.heroes_of_stalingrad.state.execution import Play
    from hexmarshal.rules.frames import Frame
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Record

__all__ = ["finish", "interrupt", "march", "moved"]


def march(play: Play, entry: Record) -> None:
    """The next step of the plan; at its end the mover is asked, or the move ends."""
    del entry
    frame = play.now.moving
    if frame is None:
        return
    unit = play.unit(frame.text("unit"))
    if not play.now.is_live(unit):
        play.first({"kind": "moved"})
        return
    plan = frame.texts("plan")
    if frame.value("stopped") is True or not plan:
        if frame.value("pause") is True and frame.value("stopped") is not True:
            play.change("moving", pause=False)
            play.ask("step", unit.side, about={"unit": unit.id})
        else:
            play.first({"kind": "finish_move"})
        return
    word, rest = plan[0], plan[1:]
    # HOS-5.25: one Fire Action in a Move Action, where it was begun.
    fired = frame.value("fired") is True or bool(frame.texts("weapons"))
    play.change("moving", plan=rest, fired=fired)
    if play.now.counter(unit).cells > 1:
        driving.advance(play, unit, word)
    else:
        _walk(play, frame, unit, word)


def _walk(play: Play, frame: Frame, unit: Unit, cell: str) -> None:
    now = play.now
    target = frame.text("assault")
    spent = _number(frame, "spent") + 1
    if target and any(one.id == target for one in now.occupants(cell)):
        # HOS-5.46: until it is resolved, the attacker is not in the defender's cell.
        play.change("moving", spent=spent, plan=(), reached=True)
        play.first({"kind": "finish_move"})
        return
    starts = (unit.cell,) if unit.cell else now.cells(unit)
    kept = now.kept("windows").get(unit.id, 0)
    windows = kept if isinstance(kept, int) else 0
    ways = [list(step_faults(now, unit, here, cell, windows=windows)) for here in starts]
    if min(map(len, ways), default=1):
        interrupt(play)  # something has come between
        play.first({"kind": "march"})
        return
    _use_window(play, unit.id, windows, starts, cell)
    play.do(MoveUnit(unit.id, cell))
    play.change("moving", spent=spent, path=(*frame.texts("path"), cell))
    if play.now.ambushed(play.unit(unit.id)):
        spotting.spot_mover(play, unit.id)
    play.first({"kind": "window", "unit": unit.id, "trigger": "move"}, {"kind": "march"})


def _use_window(play: Play, name: str, windows: int, starts: tuple[str, ...], cell: str) -> None:
    """HOS-6.5: each card lets a unit through one window."""
    ground = play.now.ground
    if windows and any(
        cell in ground.near[here] and ground.passage(here, cell) == "window" for here in starts
    ):
        play.do(SetExtra("windows", play.now.kept("windows").set(name, windows - 1)))


def _number(frame: Frame, name: str) -> int:
    value = frame.value(name, 0)
    return value if isinstance(value, int) else 0


def interrupt(play: Play) -> None:
    """What was planned is dropped: the mover decides anew."""
    if play.now.moving is not None:
        play.change("moving", plan=(), pause=True)


def finish(play: Play, entry: Record) -> None:
    """The end of a Move Action: state, facing, boarding, ramming, assault, then spotting."""
    del entry
    frame = play.now.moving
    if frame is None:
        return
    unit = play.unit(frame.text("unit"))
    entries: list[dict[str, object]] = []
    if frame.text("flip") == "end" and frame.value("spotted") is not True:
        turn_over(play, unit.id)
    null = not frame.texts("path") and frame.value("reached") is not True
    if null or frame.text("flip") == "end":
        entries.append({"kind": "window", "unit": unit.id, "trigger": "move"})
    # HOS-2.36: it may end turned, also by an eighth.
    facing = frame.value("facing")
    if isinstance(facing, int):
        play.do(ChangeUnit(unit.id, facing=facing))
    if frame.text("board") and play.now.is_live(play.unit(frame.text("board"))):
        play.do(MoveUnit(unit.id, carrier=frame.text("board")))
    elif frame.value("reached") is True:
        about: dict[str, object] = {
            "kind": "assault",
            "unit": unit.id,
            "target": frame.text("assault"),
        }
        entries.append(about)
    entries += _rammed(play, unit.id)
    play.first(*entries, {"kind": "spot"}, {"kind": "moved"})


def _rammed(play: Play, name: str) -> list[dict[str, object]]:
    """HOS-2.44: infantry in whose cell a vehicle ends; and who ends where it cannot stay."""
    now, unit = play.now, play.unit(name)
    found: list[dict[str, object]] = []
    for cell in unit.cells:
        for one in now.occupants(cell):
            if one.id == name:
                continue
            if now.is_vehicle(unit) and now.family(one) == INFANTRY:
                found.append({"kind": "displace", "unit": one.id, "by": name, "cause": "ram"})
            elif not now.is_vehicle(unit):
                found.append({"kind": "displace", "unit": name, "cause": "crowded"})
    return found


def moved(play: Play, entry: Record) -> None:
    """The Move Action is over."""
    del entry
    if play.now.moving is not None:
        play.do(PopFrame("moving"))
    play.first({"kind": "action_done", "what": "move"})
