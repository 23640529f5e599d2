"""HOS-5.1 to HOS-5.6: changes of state: ambush, crew, tripod."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.rules.state.effects import ChangeUnit
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.heroes_of_stalingrad.state.execution import Play
    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["flip_faults", "has_crew_ability", "make_inactive", "turn_over"]


def has_crew_ability(now: Situation, unit: Unit) -> bool:
    """HOS-5.5: whether a unit can be the crew of a vehicle."""
    return any(face.has("crew") for face in now.counter(unit).faces)


def flip_faults(now: Situation, unit: Unit, flip: str) -> Iterator[Violation]:
    """HOS-5.1: only units with two states change them, at the start or the end of a move."""
    if not flip:
        return
    if not now.counter(unit).changes_state:
        yield Violation("HOS-5.1", f"{unit.id} has no other state", units=(unit.id,))
    elif has_crew_ability(now, unit) and now.face(unit).name == "inactive" and flip == "start":
        text = f"{unit.id} becomes a crew at the end of its move, in a vehicle"
        yield Violation("HOS-5.5", text, units=(unit.id,))


def turn_over(play: Play, name: str) -> None:
    """A counter shows its other face; in ambush its side alone knows what it is."""
    unit = play.unit(name)
    steps = 3 - unit.steps
    after = play.now.counter(unit).face(steps)
    hides = after.name == "active" and after.has("ambush")
    known = (unit.side,) if hides else ("*",)
    changed = known if hides or unit.known_to is not None else None
    play.do(ChangeUnit(name, steps=steps, known_to=changed))


def make_inactive(play: Play, name: str) -> bool:
    """HOS-2.52: a unit on its active face that is forced to move is flipped first."""
    if play.now.face(play.unit(name)).name != "active":
        return False
    turn_over(play, name)
    return True
