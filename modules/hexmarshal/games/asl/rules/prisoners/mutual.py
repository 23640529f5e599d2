"""When both sides capture each other to the last man."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.prisoners.capture import strip
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.games.asl.state.execution import Play

__all__ = ["swap_sides"]


def swap_sides(play: Play, names: Sequence[str]) -> None:
    """ASL-PRIS-4: nobody is left to guard anybody: all are green or conscripts."""
    for name in names:
        strip(play, name, armed=True)
        play.unmark(name, marks.UNARMED)
        play.note(name, captured_by=None)
        text = f"{name} is {play.position.unit(name).type} from now on, and free"
        play.decide(Resolution("capture", "freed", steps=(Step(text, "ASL-PRIS-4"),)))
