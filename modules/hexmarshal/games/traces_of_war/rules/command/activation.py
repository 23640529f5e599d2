"""TOW-4.3b to 4.3d: who is activated, and in which order they move and fight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.traces_of_war.rules.sequence.agenda import go_on
from hexmarshal.games.traces_of_war.state.kinds import AXIS, HQ, MODES
from hexmarshal.rules.state.effects import ChangeFrame
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from hexmarshal.games.traces_of_war.state.execution import Play
    from hexmarshal.games.traces_of_war.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit

__all__ = [
    "begin",
    "choose_mode",
    "commanded",
    "end_segment",
    "next_segment",
    "open_up",
]


def commanded(now: Situation, headquarters: Unit) -> dict[str, int]:
    """The units that a headquarters activates now, itself first, each with its distance."""
    radius = headquarters.number("radius")
    reached = now.command(headquarters.cell, radius)
    found = {headquarters.id: 0}
    for unit in now.on_map(headquarters.side):
        # TOW-4.3b: every combat unit in range. TOW-4.3c: an Axis one wakes other headquarters too.
        if unit.cell in reached and (unit.type != HQ or headquarters.side == AXIS):
            found.setdefault(unit.id, reached[unit.cell])
    return found


def begin(play: Play, headquarters: Unit, *, opening: bool = False) -> None:
    """Activate a headquarters and all in its radius at this instant (TOW-2.3k)."""
    units = commanded(play.now, headquarters)
    now = play.now
    text = f"{now.name(headquarters)} activates {len(units) - 1} units in its radius"
    rule = "TOW-12.1" if opening else "TOW-4.3b"
    step = Step(text, rule)
    play.decide(Resolution("activation", headquarters.id, steps=(step,)))
    open_up(play, headquarters.side, headquarters.id, tuple(units), opening=opening)


def open_up(
    play: Play, side: str, headquarters: str, units: tuple[str, ...], *, opening: bool = False
) -> None:
    """The activation as business in progress; its first decision is asked for by `go_on`."""
    about: dict[str, object] = {
        "side": side,
        "units": list(units),
        "mode": "combat_only" if opening else "",
        "segment": 0,
        "moved": [],
        "fought": [],
        "targets": [],
    }
    if headquarters:
        about["headquarters"] = headquarters
    play.ask("activation", about=about)


def next_segment(play: Play) -> None:
    """Ask for the mode, then for one segment after the other."""
    frame = play.now.activation
    assert frame is not None
    side, mode = frame.text("side"), frame.text("mode")
    if not mode:
        play.ask("mode", side)
        return
    done = frame.value("segment")
    segments = MODES[mode]
    assert isinstance(done, int)
    if done < len(segments):
        play.do(ChangeFrame("activation", about=FrozenMap({"segment": done + 1})))
        play.ask(segments[done], side)
    else:
        play.answered("activation")


def choose_mode(play: Play, action: Action) -> None:
    """TOW-4.3d: for the whole activation."""
    play.answered("mode")
    mode = action.text("mode")
    play.do(ChangeFrame("activation", about=FrozenMap({"mode": mode})))
    first, second = MODES[mode]
    step = Step(f"{first}, then {second}", "TOW-4.3d")
    play.decide(Resolution("mode", mode, steps=(step,)))
    go_on(play)


def end_segment(play: Play, action: Action) -> None:
    """The side is done with this part of the activation."""
    del action
    play.answered(play.position.state)
    go_on(play)
