"""What follows from an action before anybody else acts: rage, surrender, concealment, guards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.rules.concealment.large_counters import sweep_large
from hexmarshal.games.asl.rules.concealment.loss import sweep
from hexmarshal.games.asl.rules.heat_of_battle import berserk
from hexmarshal.games.asl.rules.movement.spending import go_on, settle
from hexmarshal.games.asl.rules.movement.stack import moving
from hexmarshal.games.asl.rules.prisoners.guards import shed_excess
from hexmarshal.games.asl.rules.quality import disruption
from hexmarshal.games.asl.rules.snipers import calls
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.state.effects import ChangeFrame
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.rules.values import Record, Value

__all__ = ["follow_up"]

_WHO: Final = {"first_fire": ("targets",), "moving": ("units",), "wave": ("units", "moved")}


def follow_up(play: Play) -> None:
    """ASL-A15.42b, ASL-A19.12, ASL-CONL-1, ASL-CONV-1, ASL-A20.5c, ASL-SAN-2: in this order."""
    berserk.carry_away(play)
    disruption.give_up_together(play)
    sweep(play)
    sweep_large(play)
    shed_excess(play)
    calls.answer_calls(play)
    _mend_move(play)
    _forget_the_lost(play)


def _mend_move(play: Play) -> None:
    """A sniper may have stopped those who move: who is left goes on, or the move is over."""
    move = moving(play.now)
    if move is None or play.position.state in ("sniper", "sniper_target", "place_sniper"):
        return
    if any(_stopped(play, name) for name in move.units):
        go_on(play)
        after = moving(play.now)
        if after is not None and not after.units and play.position.frame("first_fire") is None:
            settle(play)


def _forget_the_lost(play: Play) -> None:
    """Nobody who is gone is waited for, moves on, or can be fired at."""
    for kind, slots in _WHO.items():
        frame = play.position.frame(kind)
        if frame is None:
            continue
        units = play.position.units
        left = {slot: tuple(n for n in frame.texts(slot) if n in units) for slot in slots}
        changed: dict[str, Value] = {
            slot: names for slot, names in left.items() if names != frame.texts(slot)
        }
        agenda = tuple(_without_the_lost(play, entry) for entry in frame.agenda)
        if changed or agenda != frame.agenda:
            play.do(ChangeFrame(kind, FrozenMap(changed), agenda))


def _without_the_lost(play: Play, entry: Record) -> Record:
    names = entry.get("units")
    if not isinstance(names, tuple):
        return entry
    left = tuple(name for name in names if name in play.position.units)
    return entry if left == names else FrozenMap({**entry, "units": left})


def _stopped(play: Play, name: str) -> bool:
    unit = play.position.units.get(name)
    return unit is None or bool(unit.flags & {marks.PINNED, marks.BROKEN})
