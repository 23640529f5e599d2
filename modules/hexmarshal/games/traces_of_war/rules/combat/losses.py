"""TOW-10.3b and 10.3c: step losses, which their owner distributes."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hexmarshal.games.traces_of_war.rules.movement.relocation import DESTROYED, displace
from hexmarshal.games.traces_of_war.rules.sequence.agenda import go_on
from hexmarshal.games.traces_of_war.state.kinds import HQ
from hexmarshal.rules.state.effects import ChangeUnit, MoveUnit
from hexmarshal.rules.verdict import Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.traces_of_war.state.execution import Play
    from hexmarshal.games.traces_of_war.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.frames import Frame
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

__all__ = ["ELIMINATED", "begin", "candidates", "check", "eliminate", "lose", "take"]

ELIMINATED = "eliminated"


def begin(play: Play, battle: Frame) -> None:
    """Ask the owner, where he has a choice."""
    due = battle.value("losses", 0)
    if not isinstance(due, int) or not due:
        return
    now, loser = play.now, battle.text("loser")
    if loser == battle.text("side"):
        units = [now.unit(name) for name in battle.texts("attackers")]
    else:
        units = now.friends(battle.text("cell"), loser)
    if len(units) == 1 or due >= sum(unit.steps for unit in units):
        for unit in units:
            lose(play, unit, min(due, unit.steps), "TOW-10.3b")
    else:
        about = {"units": [unit.id for unit in units], "steps": due}
        play.ask("losses", loser, about=about)


def lose(play: Play, unit: Unit, steps: int, rule: str) -> None:
    """TOW-2.2b: a full unit is flipped, a reduced one or one without such a side eliminated."""
    left = unit.steps - steps
    if left <= 0:
        eliminate(play, unit, rule)
        return
    text = f"{play.now.name(unit)} loses {steps}, {left} left"
    effect = ChangeUnit(unit.id, steps=left)
    play.decide(Resolution("loss", unit.id, steps=(Step(text, rule),), effects=(effect,)))


def eliminate(play: Play, unit: Unit, rule: str) -> None:
    """TOW-10.3c: combat units leave play, headquarters relocate (TOW-2.3c)."""
    text = f"{play.now.name(unit)} is eliminated"
    step = (Step(text, rule), Step("a combat unit leaves play", "TOW-10.3c"))
    if unit.type == HQ:
        play.decide(Resolution("loss", unit.id, steps=step[:1]))
        displace(play, unit, DESTROYED)
        return
    effects = (
        MoveUnit(unit.id, box=ELIMINATED),
        ChangeUnit(unit.id, steps=0, unflags=unit.flags),
    )
    play.decide(Resolution("loss", unit.id, steps=step, effects=effects))


def check(now: Situation, action: Action) -> Verdict:
    """Whether the owner takes as many steps as he must, from units that have them."""
    return Verdict.of(_faults(now, action))


def _faults(now: Situation, action: Action) -> Iterator[Violation]:
    frame = now.position.frame("losses")
    if frame is None:
        yield Violation("TOW-10.3b", "no losses are to be taken")
        return
    names = action.texts("units")
    due = frame.value("steps")
    assert isinstance(due, int)
    for name, taken in Counter(names).items():
        if name not in frame.texts("units"):
            yield Violation("TOW-10.3b", f"{name} is not among the losers", units=(name,))
        elif taken > now.unit(name).steps:
            text = f"{name} has {now.unit(name).steps} steps"
            yield Violation("TOW-10.3b", text, units=(name,))
    if len(names) != due:
        cure = ("units",) if len(names) < due else ()
        text = f"{len(names)} steps, and {due} are lost"
        yield Violation("TOW-10.3b", text, field="units", cured_by=cure)


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """The units in question."""
    del action, slot
    frame = now.position.frame("losses")
    return () if frame is None else frame.texts("units")


def take(play: Play, action: Action) -> None:
    """The owner's distribution."""
    play.answered("losses")
    for name, taken in Counter(action.texts("units")).items():
        lose(play, play.now.unit(name), taken, "TOW-10.3b")
    go_on(play)
