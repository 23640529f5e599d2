"""What goes on after a decision: business in progress, until somebody is asked something."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.rules.state.effects import PopFrame

if TYPE_CHECKING:
    from hexmarshal.games.traces_of_war.state.execution import Play

__all__ = ["go_on"]


def go_on(play: Play) -> None:
    """Go on until a side is asked something, or the game is over."""
    from hexmarshal.games.traces_of_war.rules.combat import battle
    from hexmarshal.games.traces_of_war.rules.command import activation
    from hexmarshal.games.traces_of_war.rules.movement import relocation
    from hexmarshal.games.traces_of_war.rules.sequence import turn
    from hexmarshal.games.traces_of_war.rules.victory import ending

    business = {"activation": activation.next_segment, "battle": battle.proceed}
    while ending.outcome(play.now) is None:
        frames = play.position.frames
        if not frames:
            if not turn.next_phase(play):
                return
            continue
        top = frames[-1]
        if not top.deciders:
            business[top.kind](play)
        elif top.kind == "relocation" and not relocation.destinations(
            play.now, play.now.unit(top.text("unit")), top.text("cell")
        ):
            play.do(PopFrame("relocation"))  # the last hex was taken meanwhile: it waits
        else:
            return
